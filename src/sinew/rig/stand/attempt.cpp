#include <sinew/rig/stand/attempt.h>

#include <sinew/rig/body/arms_apart.h>
#include <sinew/rig/body/legs_apart.h>
#include <sinew/rig/body/limb_pairs.h>
#include <sinew/rig/body/pieces.h>
#include <sinew/rig/fit/biped.h>
#include <sinew/rig/fit/bird.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/generic.h>
#include <sinew/rig/fit/quadruped.h>
#include <sinew/rig/stand/repose.h>
#include <sinew/rig/stand/stood_shape.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// A fit that needs no second look; a hidden neck alone (0.8) leaves it sure.
constexpr double sure = 0.79;

// The reading of a body that stands, in the space of the mesh; only its facing can differ from the frame's.
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
        case RigKind::generic:
            break;
    }
    return fit_generic(upright);
}

// Stands tilted though its mirror plane is one of the mesh's.
bool tilted(const Reading& reading) {
    if (reading.kind == RigKind::bird) return false;
    const auto is_axis = [](const Vec3d& d) { return d.cwiseAbs().maxCoeff() > 0.9999; };
    return is_axis(reading.axes.row(0)) && !is_axis(reading.axes.row(1));
}

Attempt attempt(const Standing& standing, Reading reading) {
    reading.origin = standing.frame.origin;
    Attempt a{.upright = stand_upright(standing.body, standing.ends, reading)};
    a.fit = fit_kind(a.upright);
    a.score = a.fit.joints.empty() ? 0.0 : reading.score * (0.25 + 0.75 * a.fit.confidence);
    if (tilted(reading)) a.score *= 0.75;
    return a;
}

// Upright in the same way, whichever way it faces.
bool same_stance(const Reading& a, const Reading& b) {
    return std::abs(a.axes.row(0).dot(b.axes.row(0))) > 0.999 && a.axes.row(1).dot(b.axes.row(1)) > 0.998;
}

// Fits what a body that stands can be read as until nothing below can win any more: a fit multiplies the score by 1 at
// most.
void try_standing(const Standing& standing, const ReadingOptions& options, Attempts& attempts) {
    const int most = attempts.best.fit.joints.empty() ? 3 : 2;
    int tried = 0;
    for (const Reading& local : read_standing(standing.body, standing.ends, standing.frame.overlap, options)) {
        const Reading reading = in_mesh(standing.frame, local);
        double confidence = -1.0;
        const bool again = reading.kind == RigKind::generic && !attempts.best.fit.joints.empty();
        if (tried < most && !again && (attempts.best.fit.joints.empty() || reading.score > attempts.best.score)) {
            Attempt a = local.axes(2, 2) < 0.0 ? attempt(turned_around(standing, reading), reading)
                                               : attempt(standing, reading);
            confidence = a.fit.confidence;
            ++tried;
            if (a.score > attempts.best.score) attempts.best = std::move(a);
        }
        attempts.readings.push_back(reading);
        attempts.confidence.push_back(confidence);
    }
}

// When what was found is doubtful, the arms may rest against the body, or cloth hide where the legs begin: a closer
// look, with the arms taken off and the cloth away. Which way it looks is settled.
void look_closer(const Shape& shape, const Reading& frame, const ReadingOptions& options, Attempts& attempts) {
    Standing standing{
        .body = make_voxel_body(turn_upright(shape.positions, frame), shape.triangles, {.surface_voxels = 40000}),
        .frame = frame};
    for (bool (*change)(VoxelBody&) : {part_arms, clear_between_legs, part_legs})
        if (change(standing.body)) refresh(standing.body);
    standing.ends = find_extremities(standing.body);
    settle(standing);
    ReadingOptions ahead = options;
    ahead.facing = frame.axes.row(2).transpose();
    const double before = attempts.best.score;
    try_standing(standing, ahead, attempts);
    if (attempts.best.score > before) attempts.best.fit.caution *= 0.9;  // it was not to be seen at first sight
}

void try_stance(const Shape& shape, const Reading& frame, const ReadingOptions& options, Attempts& attempts) {
    const Standing standing = stand(shape, frame);
    if (standing.body.empty()) return;
    try_standing(standing, options, attempts);
    if (frame.kind != RigKind::biped || attempts.best.fit.confidence >= sure) return;
    const Reading& best = attempts.best.upright.reading;
    look_closer(shape, same_stance(best, standing.frame) ? best : standing.frame, options, attempts);
}

// When what was found is doubtful and one side has what the other has not, a look without that.
void try_without_one_sided(const Shape& shape, const Reading& frame, const ReadingOptions& options,
                           Attempts& attempts) {
    if (attempts.best.fit.confidence >= sure || frame.overlap < 0.6 || frame.overlap > 0.98) return;
    if (const auto trimmed = without_one_sided(stand(shape, frame))) try_standing(*trimmed, options, attempts);
}

// Fits that are good in themselves and yet doubtful: a body with pairs of limbs, or one of long ones, that is no known
// kind, and one that stands tilted though its mirror plane is one of the mesh's.
double caution(const Attempt& best, const ReadingOptions& options) {
    const Upright& upright = best.upright;
    double factor = best.fit.caution;
    if (!options.up && tilted(upright.reading)) factor *= 0.7;
    if (!options.kind && upright.reading.kind == RigKind::generic) {
        const double size = (upright.body.high - upright.body.low).maxCoeff();
        const LimbPairs limbs = pair_limbs(upright.ends, {.normal = Vec3d::UnitX()}, size);
        bool wings = false;
        for (const LimbPair& pair : limbs.pairs)
            wings |= std::min(upright.end(pair.left).prominence, upright.end(pair.right).prominence) > 0.25 * size;
        if (limbs.pairs.size() >= 2 || wings) factor *= 0.8;
    }
    return factor;
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

// A bird in flight has no ground: its long axis is taken for level, whatever it happens to lie on.
Reading levelled(Reading frame, const VoxelBody& body) {
    double zz = 0.0, zy = 0.0, yy = 0.0;
    Vec3d middle = Vec3d::Zero();
    for (uint32_t v : body.voxels) middle += body.at(v) / static_cast<double>(body.voxels.size());
    for (uint32_t v : body.voxels) {
        const Vec3d p = frame.axes * (body.at(v) - middle);
        zz += p.z() * p.z(), zy += p.z() * p.y(), yy += p.y() * p.y();
    }
    const double angle = 0.5 * std::atan2(2.0 * zy, zz - yy);
    if (std::abs(angle) > 0.7) return frame;
    const Vec3d up = frame.axes.row(1), forward = frame.axes.row(2);
    frame.axes.row(2) = std::cos(angle) * forward + std::sin(angle) * up;
    frame.axes.row(1) = std::cos(angle) * up - std::sin(angle) * forward;
    return frame;
}

std::vector<Reading> read_shape(const Shape& shape, const ReadingOptions& options) {
    return find_readings(shape.body, shape.ends, take_outline(shape), options);
}

// Stands the shape up in the few ways that look best, and fits it.
Attempts fit_shape(const Shape& shape, const std::vector<Reading>& first, const ReadingOptions& options) {
    constexpr size_t most = 3;
    Attempts attempts;
    std::vector<Reading> tried;
    for (const Reading& frame : first) {
        // A rig of no kind is the same whichever way the body stands.
        if (tried.size() == most ||
            (!tried.empty() && (frame.score <= attempts.best.score || frame.kind == RigKind::generic)))
            break;
        if (std::any_of(tried.begin(), tried.end(), [&](const Reading& t) { return same_stance(t, frame); })) continue;
        tried.push_back(frame);
        try_stance(shape, frame.kind == RigKind::bird && !options.up ? levelled(frame, shape.body) : frame, options,
                   attempts);
    }
    if (!attempts.best.fit.joints.empty())
        try_without_one_sided(shape, attempts.best.upright.reading, options, attempts);
    return attempts;
}

// The mirror plane of a reading.
MirrorPlane plane_of(const Reading& reading) {
    const Vec3d normal = reading.axes.row(0);
    return {.normal = normal, .offset = normal.dot(reading.origin), .overlap = reading.overlap};
}

// Separate pieces that are carried are left out: the body is what remains.
Attempts fit_without_props(const Shape& whole, const Pieces& pieces, const MirrorPlane& plane, Props props,
                           const ReadingOptions& options) {
    std::vector<uint32_t> kept = without_props(pieces, whole.triangles, plane, props);
    if (kept.empty()) return {};
    const Shape shape = make_shape(whole.positions, kept);
    if (shape.body.empty()) return {};
    Attempts bare = fit_shape(shape, read_shape(shape, options), options);
    bare.triangles = std::move(kept);
    return bare;
}

// With limbs that are held in two ways brought to one.
Attempts fit_reposed(const Shape& whole, const Pieces& pieces, const Reading& frame, const ReadingOptions& options) {
    constexpr double most_astray = 0.15, most_outside = 0.05;
    const Reposed reposed =
        take_common_pose(whole.positions, whole.triangles, pieces, plane_of(frame), frame.axes.row(1));
    if (reposed.moved.empty()) return {};
    const Shape shape = make_shape(reposed.positions, whole.triangles);
    Attempts found = fit_shape(shape, read_shape(shape, options), options);
    Attempt& best = found.best;
    const Reading reading = best.upright.reading;
    if (reading.kind != RigKind::biped) return {};
    const double inside = bones_inside(best.upright, best.fit);
    if (move_back(reposed, reading, best.upright.height, best.fit) > most_astray) return {};
    Standing standing = stand(whole, reading);
    best.upright = stand_upright(std::move(standing.body), std::move(standing.ends), reading);
    if (bones_inside(best.upright, best.fit) < inside - most_outside) return {};
    best.fit.caution *= 0.9;  // it was not to be seen at first sight
    found.triangles.assign(whole.triangles.begin(), whole.triangles.end());
    return found;
}

// The same with each of the first few mirror planes: a large head that is turned has one of its own.
void try_reposed(const Shape& whole, const Pieces& pieces, const std::vector<Reading>& first,
                 const ReadingOptions& options, Attempts& attempts) {
    constexpr size_t most = 3;
    std::vector<Vec3d> tried;
    for (const Reading& frame : first) {
        const Vec3d normal = frame.axes.row(0);
        if (tried.size() == most) break;
        if (std::any_of(tried.begin(), tried.end(), [&](const Vec3d& t) { return std::abs(t.dot(normal)) > 0.99; }))
            continue;
        tried.push_back(normal);
        Attempts reposed = fit_reposed(whole, pieces, frame, options);
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
        return a.best.upright.reading.kind != RigKind::generic && a.best.fit.confidence >= 0.35;
    };
    // What only a closer look has seen is doubtful, too: what it took for arms may be carried.
    const auto doubtful = [&] {
        const Fit& fit = attempts.best.fit;
        return fit.confidence * fit.caution < sure || tilted(attempts.best.upright.reading);
    };
    // Nothing is left out of a shape that is not understood: it may be a branch.
    if (options.kind != RigKind::generic) attempts = fit_without_props(shape, pieces, plane, Props::plain, options);
    if (doubtful()) {
        Attempts whole = fit_shape(shape, first, options);
        whole.triangles.assign(triangles.begin(), triangles.end());
        if (!understood(attempts) || whole.best.score > attempts.best.score) attempts = std::move(whole);
    }
    if (doubtful() && attempts.best.upright.reading.kind != RigKind::generic) {
        Attempts bare = fit_without_props(shape, pieces, plane, Props::paired, options);
        if (understood(bare) && bare.best.score > attempts.best.score) attempts = std::move(bare);
    }
    if (doubtful()) try_reposed(shape, pieces, first, options, attempts);
    best_first(attempts);
    if (attempts.best.fit.joints.empty()) {
        Reading generic = attempts.readings.empty() ? first.front() : attempts.readings.front();
        generic.kind = RigKind::generic;
        const std::vector<std::string> warnings = attempts.best.fit.warnings;
        attempts.best = attempt(stand(shape, generic), generic);
        attempts.best.fit.warnings.insert(attempts.best.fit.warnings.begin(), warnings.begin(), warnings.end());
        if (options.kind && *options.kind != RigKind::generic) attempts.best.fit.caution *= 0.75;  // asked for in vain
    }
    attempts.best.fit.caution = caution(attempts.best, options);
    return attempts;
}

}  // namespace sinew
