#include <sinew/rig/stand/attempt.h>

#include <sinew/rig/beasts/dinosaur.h>
#include <sinew/rig/beasts/dragon.h>
#include <sinew/rig/body/arms_apart.h>
#include <sinew/rig/body/legs_apart.h>
#include <sinew/rig/body/limb_pairs.h>
#include <sinew/rig/body/pieces.h>
#include <sinew/rig/fit/biped.h>
#include <sinew/rig/fit/bird.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/generic.h>
#include <sinew/rig/fit/quadruped.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/rig/priors/cues.h>
#include <sinew/rig/priors/stances.h>
#include <sinew/rig/stand/repose.h>
#include <sinew/rig/stand/stood_shape.h>
#include <sinew/rig/stand/up_directions.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// All of these are chosen by us.
// A fit with this confidence needs no second look. Just below cues::neck_seen.floor: a hidden neck alone leaves it
// sure.
constexpr double sure = 0.79;
// What an attempt's score keeps of its reading's when the fit is worthless, and when it is perfect, the rest.
constexpr double worthless_fit = 0.25, perfect_fit_adds = 0.75;
// What is left of the score of a body that stands tilted: few meshes are modelled so.
constexpr double tilted_score = 0.75;
// Readings stand the same way when left is within 2.6 degrees and up within 3.6 (cosines).
constexpr double same_left = 0.999, same_up = 0.998;
// Fits per stance: the first stance may try more. Stances and mirror planes to try: each costs up to a second.
constexpr int most_first_fits = 3, most_later_fits = 2;
constexpr size_t most_stances = 3, most_planes = 3;
// What fills more of its bounds than this is a box, and not worth more fits: a ball fills half.
constexpr double a_box = 0.6;
// Voxels on the surface for a closer look: fine enough to see the gap between an arm and the body. And in the body for
// each of them: what is as fat as a box has no gap to see.
constexpr int closer_voxels = 40000;
constexpr double closer_volume = 3.5;
// It finds more than any other look: at a body that mirrors itself, it may go over the effort that is left by half of
// what it takes.
constexpr double closer_worth = 0.5;
// A clear shape is made of voxels, stood up and fitted once each. Doubt is worth this many times that effort, all in
// all: users wait for a box, too.
constexpr double clear_look = 3.0, clear_bodies = 1.0, most_looks = 3.8;
// A person is worth more: of all kinds these come in most poses, and another look mends what is doubtful.
constexpr double person_is_worth = 6.0;
// A cell of the grid around a body costs this much of a voxel in it. No shape is allowed more than a person of this
// size.
constexpr double per_cell = 0.15, usual_voxels = 34000.0, usual_cells = 8e5;
// What another stance and another shape take, in voxels of the body: made, and fitted; the shape is also stood up.
constexpr double another_stance = 2.0, another_shape = 3.0, body_and_fit = 2.0;
// A body that mirrors itself less than this has no plane to trust; one that does more has nothing on one side alone.
constexpr double some_mirror = 0.6, full_mirror = 0.98;
// People who wave or walk mirror themselves this much and more; trees and bushes less.
constexpr double posed_mirror = 0.7;
// A bird's long axis is taken for level when it is within 40 degrees (radians) of it.
constexpr double nearly_level = 0.7;
// After reposing: a limb's root moves by less than this share of the height, and bones leave the body by no more of
// their length than before plus this; else the pieces were no limbs.
constexpr double most_astray = 0.15, most_outside = 0.05;
// Chest and belly: beside the middle and between these heights. What crawls has hands and feet this far ahead of them,
// and those in one plane; all shares of the height. Chosen: zombies and sleepwalkers reach ahead with two alone.
constexpr double trunk_width = 0.1, trunk_from = 0.4, trunk_to = 0.75, crawling_reach = 0.06, crawling_level = 0.15;
// Mirror planes within 8 degrees of each other (cosine) are one.
constexpr double same_plane = 0.99;

// Whether the best fit so far is one person, more than a guess, or could be one in a pose that hides it: with arms and
// legs, and mirrored in part, as furniture is not.
bool looks_like_a_person(const Attempt& best) {
    const Reading& reading = best.upright.reading;
    if (reading.kind != RigKind::biped || best.upright.body.apart > several_bodies) return false;
    const bool in_a_pose =
        reading.arm_tips && reading.leg_tips && reading.overlap >= posed_mirror && reading.overlap <= full_mirror;
    return in_a_pose || (best.fit.sure_of_kind >= biped_guess_confidence && reading.overlap >= some_mirror);
}

// What has been looked at, in voxels: each body that is made, with the empty cells around it, and each fit to one.
// Counted, not timed, so that the outcome is the same on every machine.
class Effort {
public:
    explicit Effort(const VoxelBody& body) {
        const double solid = std::min(static_cast<double>(body.voxels.size()), usual_voxels),
                     around = std::min(static_cast<double>(body.grid.count()), usual_cells);
        most_ = most_looks * (clear_look * solid + clear_bodies * per_cell * around);
        add_body(body);
    }
    void add_body(const VoxelBody& body) {
        spent_ += static_cast<double>(body.voxels.size()) + per_cell * static_cast<double>(body.grid.count());
    }
    void add_fit(const VoxelBody& body) { spent_ += static_cast<double>(body.voxels.size()); }
    // Whether there is effort left for about so many voxels, given what has been found so far.
    bool allows(double voxels, const Attempt& best) const {
        return spent_ + voxels <= most_ * (looks_like_a_person(best) ? person_is_worth : 1.0);
    }

private:
    double spent_ = 0.0, most_ = 0.0;
};

// A standing body's reading in mesh space. It can differ from the frame in its facing alone.
Reading in_mesh(const Reading& frame, Reading reading) {
    reading.origin = frame.origin;
    reading.axes = reading.axes * frame.axes;
    for (auto* tips : {&reading.leg_tips, &reading.arm_tips, &reading.hind_tips})
        if (*tips)
            for (Vec3d& tip : **tips) tip = frame.axes.transpose() * tip + frame.origin;
    return reading;
}

Fit fit_kind(const Upright& upright) {
    switch (upright.reading.kind) {
        case RigKind::biped:
            return fit_biped(upright);
        case RigKind::quadruped:
            return fit_quadruped(upright);
        case RigKind::bird:
            return fit_bird(upright);
        case RigKind::dinosaur:
            return fit_dinosaur(upright);
        case RigKind::dragon:
            return fit_dragon(upright);
        case RigKind::generic:
            break;
    }
    return fit_generic(upright);
}

// Whether it stands tilted though its mirror plane is one of the mesh's own.
bool tilted(const Reading& reading) {
    if (reading.kind == RigKind::bird) return false;
    const auto is_axis = [](const Vec3d& d) { return d.cwiseAbs().maxCoeff() > along_axis; };
    return is_axis(reading.axes.row(0)) && !is_axis(reading.axes.row(1));
}

Attempt attempt(const Standing& standing, Reading reading) {
    reading.origin = standing.frame.origin;
    Attempt a{.upright = stand_upright(standing.body, standing.ends, reading)};
    a.fit = fit_kind(a.upright);
    a.score = a.fit.joints.empty() ? 0.0 : reading.score * (worthless_fit + perfect_fit_adds * a.fit.confidence);
    // An upright beast with a tail, tilted ahead, looks like one with a level trunk.
    if (tilted(reading)) a.score *= reading.kind == RigKind::dinosaur ? 0.0 : tilted_score;
    return a;
}

// Whether both have the same up and mirror plane, whichever way they face.
bool same_stance(const Reading& a, const Reading& b) {
    return std::abs(a.axes.row(0).dot(b.axes.row(0))) > same_left && a.axes.row(1).dot(b.axes.row(1)) > same_up;
}

// Fits the readings of a standing body, best first, until no other can win: a fit's score is at most its reading's.
void try_standing(const Standing& standing, const ReadingOptions& options, int most, Effort& effort,
                  Attempts& attempts) {
    int tried = 0;
    ReadingOptions here = options;
    for (Vec3d& p : here.face) p = standing.frame.axes * (p - standing.frame.origin);
    for (const Reading& local : read_standing(standing.body, standing.ends, standing.frame.overlap, here)) {
        Reading reading = in_mesh(standing.frame, local);
        reading.score += told_adds(options, reading);
        double confidence = -1.0;
        const bool again = reading.kind == RigKind::generic && !attempts.best.fit.joints.empty();
        if (tried < most && !again && (attempts.best.fit.joints.empty() || reading.score > attempts.best.score)) {
            Attempt a = local.axes(2, 2) < 0.0 ? attempt(turned_around(standing, reading), reading)
                                               : attempt(standing, reading);
            confidence = a.fit.confidence;
            ++tried;
            effort.add_fit(standing.body);
            if (a.score > attempts.best.score) attempts.best = std::move(a);
        }
        attempts.readings.push_back(reading);
        attempts.confidence.push_back(confidence);
    }
}

// A closer look at a doubtful fit: the arms may rest against the body, or cloth may hide where the legs begin. In a
// finer grid the arms are cut off the body and the cloth is taken away. The way it faces is settled by now.
void look_closer(const Shape& shape, const Reading& frame, const ReadingOptions& options, Effort& effort,
                 Attempts& attempts) {
    Standing standing{.body = make_voxel_body(turn_upright(shape.positions, frame), shape.triangles,
                                              {.surface_voxels = closer_voxels, .most_volume = closer_volume}),
                      .frame = frame};
    effort.add_body(standing.body);
    for (bool (*change)(VoxelBody&) : {part_arms, clear_between_legs, part_legs})
        if (change(standing.body)) refresh(standing.body);
    standing.ends = find_extremities(standing.body);
    settle(standing);
    ReadingOptions ahead = options;
    ahead.facing = frame.axes.row(2).transpose();
    const double before = attempts.best.score;
    try_standing(standing, ahead, 1, effort, attempts);
    if (attempts.best.score > before) doubt(attempts.best.fit, cues::seen_at_first, 0.0);
}

void try_stance(const Shape& shape, const Reading& frame, const ReadingOptions& options, Effort& effort,
                Attempts& attempts) {
    const Standing standing = stand(shape, frame);
    if (standing.body.empty()) return;
    effort.add_body(standing.body);
    const bool worth_more = attempts.best.fit.joints.empty() && standing.body.fills() < a_box;
    try_standing(standing, options, worth_more ? most_first_fits : most_later_fits, effort, attempts);
}

// What a body of the same size, looked at a few times more, takes.
double look_voxels(const Shape& shape, double times) {
    return times * static_cast<double>(shape.body.voxels.size()) +
           per_cell * static_cast<double>(shape.body.grid.count());
}

// Another look at a doubtful fit, without what one side has and the other has not.
void try_without_one_sided(const Shape& shape, const Reading& frame, const ReadingOptions& options, Effort& effort,
                           Attempts& attempts) {
    if (attempts.best.fit.confidence >= sure || frame.overlap < some_mirror || frame.overlap > full_mirror) return;
    if (!effort.allows(look_voxels(shape, another_stance), attempts.best)) return;
    const auto trimmed = without_one_sided(stand(shape, frame));
    if (!trimmed) return;
    effort.add_body(trimmed->body);
    try_standing(*trimmed, options, most_later_fits, effort, attempts);
}

// Whether a person's hands and feet all lie well ahead of the chest and belly and in one plane: what reaches the ground
// with all four when it lies on its front may be a frog.
bool could_crawl(const Upright& upright) {
    const Reading& reading = upright.reading;
    if (!reading.arm_tips || !reading.leg_tips) return false;
    double chest = -INFINITY, nearest = INFINITY, farthest = -INFINITY;
    for (uint32_t v : upright.body.voxels) {
        const Vec3d p = upright.body.at(v);
        if (std::abs(p.x()) < trunk_width * upright.height && p.y() > trunk_from * upright.height &&
            p.y() < trunk_to * upright.height)
            chest = std::max(chest, p.z());
    }
    for (const auto* tips : {&reading.arm_tips, &reading.leg_tips})
        for (const Vec3d& tip : **tips) {
            const double ahead = reading.axes.row(2).dot(tip - reading.origin);
            nearest = std::min(nearest, ahead), farthest = std::max(farthest, ahead);
        }
    return nearest - chest > crawling_reach * upright.height && farthest - nearest < crawling_level * upright.height;
}

// Doubts fits that are good in themselves: of a body that stands tilted though its mirror plane is one of the mesh's
// own, of one whose front and back are the same shape, and of one that has two pairs of limbs, or a pair of long ones,
// and yet is of no known kind.
void add_doubts(const ReadingOptions& options, Attempt& best) {
    const Upright& upright = best.upright;
    if (!options.up && tilted(upright.reading)) doubt(best.fit, cues::stands_straight, 0.0);
    if (!options.up && !as_told(options, upright.reading)) doubt(best.fit, cues::stands_as_told, 0.0);
    if (!options.up && !options.told_up && upright.reading.kind == RigKind::biped && could_crawl(upright))
        doubt(best.fit, cues::walks_upright, 0.0);
    if (!options.facing && options.face.empty() && upright.reading.kind != RigKind::generic)
        doubt(best.fit, cues::front_like_back, front_like_back(upright.body));
    if (!options.kind && upright.reading.kind == RigKind::generic) {
        const double size = (upright.body.high - upright.body.low).maxCoeff();
        const LimbPairs limbs = pair_limbs(upright.ends, {.normal = Vec3d::UnitX()}, size);
        bool wings = false;
        for (const LimbPair& pair : limbs.pairs)
            wings |= std::min(upright.end(pair.left).prominence, upright.end(pair.right).prominence) >
                     stances::wing_prominence * size;
        if (limbs.pairs.size() >= 2 || wings) doubt(best.fit, cues::kind_known, 0.0);
    }
}

void best_first(Attempts& attempts) {
    std::vector<size_t> order(attempts.readings.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return attempts.readings[a].score > attempts.readings[b].score; });
    Attempts sorted;
    for (size_t i : order) {
        sorted.readings.push_back(attempts.readings[i]);
        sorted.confidence.push_back(attempts.confidence[i]);
    }
    attempts.readings = std::move(sorted.readings);
    attempts.confidence = std::move(sorted.confidence);
}

// A bird in flight has no ground: its long axis is taken for level, whatever its lowest points are.
Reading levelled(Reading frame, const VoxelBody& body) {
    double zz = 0.0, zy = 0.0, yy = 0.0;
    Vec3d middle = Vec3d::Zero();
    for (uint32_t v : body.voxels) middle += body.at(v) / static_cast<double>(body.voxels.size());
    for (uint32_t v : body.voxels) {
        const Vec3d p = frame.axes * (body.at(v) - middle);
        zz += p.z() * p.z(), zy += p.z() * p.y(), yy += p.y() * p.y();
    }
    const double angle = 0.5 * std::atan2(2.0 * zy, zz - yy);
    if (std::abs(angle) > nearly_level) return frame;
    const Vec3d up = frame.axes.row(1), forward = frame.axes.row(2);
    frame.axes.row(2) = std::cos(angle) * forward + std::sin(angle) * up;
    frame.axes.row(1) = std::cos(angle) * up - std::sin(angle) * forward;
    return frame;
}

std::vector<Reading> read_shape(const Shape& shape, const ReadingOptions& options) {
    return find_readings(shape.body, shape.ends, take_outline(shape), options);
}

// About how many voxels a closer look has to handle.
double closer_look_voxels(const Shape& shape) {
    const auto surface = static_cast<double>(std::count(shape.body.shell.begin(), shape.body.shell.end(), 1));
    const double finer = std::pow(closer_voxels / std::max(1.0, surface), 1.5);
    return body_and_fit *
               std::min(closer_volume * closer_voxels, finer * static_cast<double>(shape.body.voxels.size())) +
           per_cell * finer * static_cast<double>(shape.body.grid.count());
}

// Stands the shape up in the few ways that look best, and fits it. The first that looks like a
// biped gets a closer look where that leaves doubt.
Attempts fit_shape(const Shape& shape, const std::vector<Reading>& first, const ReadingOptions& options,
                   Effort& effort) {
    Attempts attempts;
    std::vector<Reading> tried;
    bool looked_closer = false;
    for (const Reading& frame : first) {
        // A generic rig is the same whichever way the body stands.
        if (tried.size() == most_stances ||
            (!tried.empty() && (frame.score <= attempts.best.score || frame.kind == RigKind::generic ||
                                !effort.allows(look_voxels(shape, another_stance), attempts.best))))
            break;
        if (std::any_of(tried.begin(), tried.end(), [&](const Reading& t) { return same_stance(t, frame); })) continue;
        tried.push_back(frame);
        try_stance(shape, frame.kind == RigKind::bird && !options.up ? levelled(frame, shape.body) : frame, options,
                   effort, attempts);
        const double worth = frame.overlap >= posed_mirror ? closer_worth : 1.0;
        if (frame.kind != RigKind::biped || (looked_closer && !looks_like_a_person(attempts.best)) ||
            attempts.best.fit.confidence >= sure || !effort.allows(worth * closer_look_voxels(shape), attempts.best))
            continue;
        const Reading best = attempts.best.upright.reading;
        look_closer(shape, same_stance(best, frame) ? best : frame, options, effort, attempts);
        looked_closer = true;
    }
    if (attempts.best.fit.joints.empty()) return attempts;
    try_without_one_sided(shape, attempts.best.upright.reading, options, effort, attempts);
    return attempts;
}

// The mirror plane of a reading.
MirrorPlane plane_of(const Reading& reading) {
    const Vec3d normal = reading.axes.row(0);
    return {.normal = normal, .offset = normal.dot(reading.origin), .overlap = reading.overlap};
}

// Fits the body without the separate pieces that it carries.
Attempts fit_without_props(const Shape& whole, std::vector<uint32_t> kept, const ReadingOptions& options,
                           Effort& effort) {
    if (kept.empty()) return {};
    const Shape shape = make_shape(whole.positions, kept);
    if (shape.body.empty()) return {};
    effort.add_body(shape.body);
    Attempts bare = fit_shape(shape, read_shape(shape, options), options, effort);
    bare.triangles = std::move(kept);
    return bare;
}

// Fits the body with limbs in two poses brought to one, and moves their joints back.
Attempts fit_reposed(const Shape& whole, const Pieces& pieces, const Reading& frame, const ReadingOptions& options,
                     Effort& effort) {
    const Reposed reposed =
        take_common_pose(whole.positions, whole.triangles, pieces, plane_of(frame), frame.axes.row(1));
    if (reposed.moved.empty()) return {};
    const Shape shape = make_shape(reposed.positions, whole.triangles);
    effort.add_body(shape.body);
    Attempts found = fit_shape(shape, read_shape(shape, options), options, effort);
    Attempt& best = found.best;
    const Reading reading = best.upright.reading;
    if (reading.kind != RigKind::biped) return {};
    const double inside = bones_inside(best.upright, best.fit);
    if (move_back(reposed, reading, best.upright.height, best.fit) > most_astray) return {};
    Standing standing = stand(whole, reading);
    best.upright = stand_upright(std::move(standing.body), std::move(standing.ends), reading);
    if (bones_inside(best.upright, best.fit) < inside - most_outside) return {};
    doubt(best.fit, cues::seen_at_first, 0.0);
    found.triangles.assign(whole.triangles.begin(), whole.triangles.end());
    return found;
}

// The same with each of the first few mirror planes: a large head that is turned makes a plane of its own.
void try_reposed(const Shape& whole, const Pieces& pieces, const std::vector<Reading>& first,
                 const ReadingOptions& options, Effort& effort, Attempts& attempts) {
    std::vector<Vec3d> tried;
    for (const Reading& frame : first) {
        const Vec3d normal = frame.axes.row(0);
        if (tried.size() == most_planes || !effort.allows(look_voxels(whole, another_shape), attempts.best)) break;
        if (std::any_of(tried.begin(), tried.end(),
                        [&](const Vec3d& t) { return std::abs(t.dot(normal)) > same_plane; }))
            continue;
        tried.push_back(normal);
        Attempts reposed = fit_reposed(whole, pieces, frame, options, effort);
        if (reposed.best.score > attempts.best.score) attempts = std::move(reposed);
    }
}

}  // namespace

Attempts attempt_fits(std::span<const Vec3> positions, std::span<const uint32_t> triangles, VoxelBody body,
                      const ReadingOptions& options) {
    Shape shape{positions, triangles, std::move(body), {}};
    shape.ends = find_extremities(shape.body);
    const std::vector<Reading> first = read_shape(shape, options);
    const Pieces pieces = find_pieces(positions, triangles);
    const MirrorPlane plane = plane_of(first.front());
    Attempts attempts;
    const auto understood = [](const Attempts& a) {
        return a.best.upright.reading.kind != RigKind::generic && a.best.fit.confidence >= guess_confidence;
    };
    // What only a closer look has found is doubtful, too: what it took for arms may be carried.
    const auto doubtful = [&] {
        const Fit& fit = attempts.best.fit;
        return fit.confidence * fit.caution < sure || tilted(attempts.best.upright.reading);
    };
    // Nothing is left out of a shape that is not understood: it may be one of its branches.
    Effort effort(shape.body);
    const double again = look_voxels(shape, another_shape);
    std::vector<uint32_t> bare;
    if (options.kind != RigKind::generic) bare = without_props(pieces, triangles, plane, Props::plain);
    attempts = fit_without_props(shape, bare, options, effort);
    if (attempts.best.fit.joints.empty() || (doubtful() && effort.allows(again, attempts.best))) {
        Attempts whole = fit_shape(shape, first, options, effort);
        whole.triangles.assign(triangles.begin(), triangles.end());
        if (!understood(attempts) || whole.best.score > attempts.best.score) attempts = std::move(whole);
    }
    if (doubtful() && attempts.best.upright.reading.kind != RigKind::generic && effort.allows(again, attempts.best)) {
        std::vector<uint32_t> barest = without_props(pieces, triangles, plane, Props::paired);
        if (barest != bare) {
            Attempts found = fit_without_props(shape, std::move(barest), options, effort);
            if (understood(found) && found.best.score > attempts.best.score) attempts = std::move(found);
        }
    }
    if (doubtful()) try_reposed(shape, pieces, first, options, effort, attempts);
    best_first(attempts);
    if (attempts.best.fit.joints.empty()) {
        Reading generic = attempts.readings.empty() ? first.front() : attempts.readings.front();
        generic.kind = RigKind::generic;
        const std::vector<std::string> warnings = attempts.best.fit.warnings;
        attempts.best = attempt(stand(shape, generic), generic);
        attempts.best.fit.warnings.insert(attempts.best.fit.warnings.begin(), warnings.begin(), warnings.end());
        if (options.kind && *options.kind != RigKind::generic) doubt(attempts.best.fit, cues::kind_as_asked, 0.0);
    }
    add_doubts(options, attempts.best);
    return attempts;
}

}  // namespace sinew
