#include <sinew/rig/stand/reading.h>

#include <sinew/rig/priors/stances.h>
#include <sinew/rig/stand/facing.h>
#include <sinew/rig/stand/stance.h>
#include <sinew/rig/stand/up_directions.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The weights below are chosen by us, on the tests' characters turned and damaged (bench/rig_bench.cpp): the right
// reading of each scores highest.
// Arms far out on a limb (fingers, horns) lose this much strength per size that their root is from the middle.
constexpr double root_far_out = 0.4;
// A pair of limbs with at least this strength counts as legs, as arms.
constexpr double some_leg = 0.05, clear_arms = 0.3;
// The two legs of a dinosaur are at least this strong, since no arms tell of them; the fins of a shark slant.
constexpr double sure_legs = 0.5;
// Its arms stick out by at most this share of its legs.
constexpr double small_arms = 0.55;
// A body with wings fills less of the box around it; chosen: a standing animal fills a third.
constexpr double full_box = 0.5;
// up_score: of a body with no limbs that say anything; what two pairs of legs have beyond their mean; legs and arms;
// legs alone; wings alone. A kind that was asked for and not seen has half.
constexpr double up_of_nothing = 0.15, up_of_four_legs = 0.25, up_by_legs = 0.6, up_by_arms = 0.4,
                 up_by_legs_alone = 0.5, up_by_wings = 0.6, up_asked_for = 0.5;
// facing_score: toes, soles, a face that is known, and head; a biped has few signs of a head, a bird's fan of a tail
// looks like one.
constexpr double facing_by_toes = 0.7, facing_by_soles = 0.5, facing_by_face = 0.7, facing_by_head = 0.7,
                 biped_by_head = 0.25, bird_by_head = 0.4;
// score: how much a body that is not mirrored keeps, what facing and a safe stance add. Where readings are equal
// otherwise: as most files are, +Y up and facing +Z, up along an axis of the mesh. Where the mirror plane is one of the
// mesh's own, so is the ground, most likely.
constexpr double not_mirrored = 0.4, mirrored_adds = 0.6, facing_adds = 0.1, facing_adds_to_generic = 0.01,
                 stable_adds = 0.06, y_up_adds = 0.02, z_facing_adds = 0.01, axis_up_adds = 0.03, tilted_adds = -0.1;
// What standing as the file says adds to a score, within 4 degrees (cosine). Chosen: more than any two doubtful
// readings differ by, less than a clear one has over one that lies on its side.
constexpr double as_told_adds = 0.2, told_direction = 0.9976;
// The plane that the caller's up and facing ask for is the nearest one found within 18 degrees (cosine), else it is put
// through the middle of the bounds with this overlap. Both must not be parallel, nor up across the plane (sine).
constexpr double near_asked = 0.95, overlap_unknown = 0.5, not_parallel = 0.1, not_across = 0.3;

struct RatedPair {
    double strength = 0.0;
    LimbPair pair;
};

// What the pairs of limbs are in one stance.
struct Limbs {
    std::vector<RatedPair> legs;  // strongest first
    std::optional<RatedPair> arms;
    int second = -1;  // in `legs`: the strongest pair that stands a body apart from the first
    double span = 0.0;
};

std::array<Vec3d, 2> tips_of(const MirroredBody& seen, const LimbPair& pair) {
    return {seen.end(pair.left).position, seen.end(pair.right).position};
}

// Where a pair stands along forward.
double place_of(const MirroredBody& seen, const Stance& stance, const LimbPair& pair) {
    return 0.5 * stance.forward.dot(seen.end(pair.left).position + seen.end(pair.right).position);
}

// How far the tips of a pair are apart.
double span_of(const MirroredBody& seen, const LimbPair& pair) {
    return std::abs(seen.plane.side(seen.end(pair.left).position)) +
           std::abs(seen.plane.side(seen.end(pair.right).position));
}

// Arms grow from the trunk; ears, horns and fingers grow farther out.
double arm_rank(const MirroredBody& seen, const RatedPair& arms) {
    double root = 0.0;
    for (int e : {arms.pair.left, arms.pair.right})
        root = std::max(root, seen.end(e).distance - seen.end(e).prominence);
    return arms.strength - root_far_out * root / seen.size;
}

void offer_arms(const MirroredBody& seen, const RatedPair& arms, Limbs& limbs) {
    if (arms.strength > 0.0 && (!limbs.arms || arm_rank(seen, arms) > arm_rank(seen, *limbs.arms))) limbs.arms = arms;
}

// Whether a pair near the ground are hands, as an ape's or a robot's: toes and heels do not stick out as far.
bool hangs_low(const MirroredBody& seen, const LimbPair& pair) {
    return std::min(seen.end(pair.left).prominence, seen.end(pair.right).prominence) > stances::low_hand * seen.size;
}

Limbs find_limbs(const MirroredBody& seen, const Stance& stance) {
    Limbs limbs;
    for (const LimbPair& pair : seen.limbs.pairs) {
        if (const double s = leg_strength(seen, stance, pair); s > some_leg) {
            limbs.legs.push_back({s, pair});
        } else {
            offer_arms(seen, {arm_strength(seen, stance, pair), pair}, limbs);
        }
    }
    std::stable_sort(limbs.legs.begin(), limbs.legs.end(),
                     [](const RatedPair& a, const RatedPair& b) { return a.strength > b.strength; });
    for (size_t k = 1; k < limbs.legs.size(); ++k) {
        const LimbPair& pair = limbs.legs[k].pair;
        const double apart = place_of(seen, stance, pair) - place_of(seen, stance, limbs.legs[0].pair);
        if (std::abs(apart) > stances::legs_a_body_apart * stance.height) {
            if (limbs.second < 0) limbs.second = static_cast<int>(k);
        } else if (hangs_low(seen, pair)) {
            offer_arms(seen, {arm_strength(seen, stance, pair), pair}, limbs);
        }
    }
    if (limbs.arms) limbs.span = span_of(seen, limbs.arms->pair);
    return limbs;
}

Reading empty_reading(const MirroredBody& seen, const Stance& stance) {
    Reading reading;
    reading.axes.row(0) = stance.up.cross(stance.forward);
    reading.axes.row(1) = stance.up;
    reading.axes.row(2) = stance.forward;
    reading.overlap = seen.plane.overlap;
    const Vec3d middle = seen.middle();
    reading.origin = middle - seen.plane.side(middle) * seen.plane.normal;
    reading.origin += (stance.ground - stance.up.dot(reading.origin)) * stance.up;
    reading.up_score = up_of_nothing;
    return reading;
}

Reading read_quadruped(const MirroredBody& seen, const Stance& stance, const Limbs& limbs, Reading reading) {
    const RatedPair &a = limbs.legs[0], &b = limbs.legs[static_cast<size_t>(limbs.second)];
    const double za = place_of(seen, stance, a.pair), zb = place_of(seen, stance, b.pair);
    reading.kind = RigKind::quadruped;
    reading.up_score = 0.5 * (a.strength + b.strength) + up_of_four_legs;
    reading.leg_tips = tips_of(seen, za > zb ? a.pair : b.pair);
    reading.hind_tips = tips_of(seen, za > zb ? b.pair : a.pair);
    reading.facing_score += bulk_forward(seen, stance, std::max(za, zb), std::min(za, zb));
    return reading;
}

// On two legs, with arms or wings if there are any. The kind stays generic when it is neither biped nor bird.
Reading read_two_legged(const MirroredBody& seen, const Stance& stance, const Limbs& limbs, Reading reading) {
    const double first = limbs.legs[0].strength, arms = limbs.arms ? limbs.arms->strength : 0.0;
    const bool upright = stance.height > stances::upright_body * stance.depth;
    if (limbs.arms && limbs.span > stances::wing_span * stance.height)
        reading.kind = RigKind::bird;
    else if (arms > clear_arms || upright)
        reading.kind = RigKind::biped;
    else
        return reading;
    reading.up_score = arms > clear_arms || reading.kind == RigKind::bird ? up_by_legs * first + up_by_arms * arms
                                                                          : up_by_legs_alone * first;
    reading.leg_tips = tips_of(seen, limbs.legs[0].pair);
    if (limbs.arms) reading.arm_tips = tips_of(seen, limbs.arms->pair);
    return reading;
}

// A quadruped's wings: the pair that sticks out farthest from between its legs.
std::optional<LimbPair> find_wings(const MirroredBody& seen, const Stance& stance, const Reading& quadruped) {
    const auto place = [&](const std::array<Vec3d, 2>& tips) { return 0.5 * stance.forward.dot(tips[0] + tips[1]); };
    const double front = place(*quadruped.leg_tips), hind = place(*quadruped.hind_tips),
                 beyond = stances::wings_beyond_legs * (front - hind);
    // What fills the box around it has corners, no wings.
    if (seen.body.fills() > full_box) return std::nullopt;
    std::optional<LimbPair> wings;
    double most = stances::wings_of_dragon * seen.size;
    for (const LimbPair& pair : seen.limbs.pairs) {
        const Extremity &l = seen.end(pair.left), &r = seen.end(pair.right);
        const double root = 0.5 * stance.forward.dot(l.root + r.root), reach = std::min(l.prominence, r.prominence);
        if (leg_strength(seen, stance, pair) > some_leg || root > front + beyond || root < hind - beyond) continue;
        if (reach > most) most = reach, wings = pair;
    }
    return wings;
}

// On two legs with a level trunk: a tail far behind them and a head ahead.
std::optional<Reading> read_dinosaur(const MirroredBody& seen, const Stance& stance, const Limbs& limbs,
                                     Reading reading) {
    if (stance.depth < stances::level_body * stance.height || limbs.legs[0].strength < sure_legs) return std::nullopt;
    // Arms that are nearly as long as the legs are those of one who stands upright.
    const auto length = [&](const LimbPair& pair) {
        return std::min(seen.end(pair.left).prominence, seen.end(pair.right).prominence);
    };
    if (limbs.arms && length(limbs.arms->pair) > small_arms * length(limbs.legs[0].pair)) return std::nullopt;
    const double feet = place_of(seen, stance, limbs.legs[0].pair);
    double ahead = 0.0, behind = 0.0;
    for (const int e : seen.limbs.singles) {
        const Vec3d& tip = seen.end(e).position;
        if (stance.up.dot(tip) - stance.ground < stances::ground_contact * stance.height) continue;
        const double at = (stance.forward.dot(tip) - feet) / stance.height;
        ahead = std::max(ahead, at), behind = std::max(behind, -at);
    }
    if (ahead < stances::head_ahead || behind < stances::tail_behind) return std::nullopt;
    reading.kind = RigKind::dinosaur;
    reading.up_score = up_by_legs * limbs.legs[0].strength + up_by_arms;
    reading.leg_tips = tips_of(seen, limbs.legs[0].pair);
    if (limbs.arms) reading.arm_tips = tips_of(seen, limbs.arms->pair);
    return reading;
}

// A bird in the air stands on nothing: wings that are far wider than the body is high, and not much shorter than it is
// long, are enough.
std::optional<Reading> read_flying(const MirroredBody& seen, const Stance& stance, Reading reading) {
    const std::vector<LimbPair>& pairs = seen.limbs.pairs;
    const auto wings = std::max_element(pairs.begin(), pairs.end(), [&](const LimbPair& a, const LimbPair& b) {
        return span_of(seen, a) < span_of(seen, b);
    });
    if (wings == pairs.end()) return std::nullopt;
    const double span = span_of(seen, *wings);
    if (span < stances::span_in_flight * stance.height || span < stances::span_to_length * stance.depth)
        return std::nullopt;
    reading.kind = RigKind::bird;
    reading.up_score = up_by_wings * arm_strength(seen, stance, *wings);
    reading.arm_tips = tips_of(seen, *wings);
    return reading;
}

void score(const Stance& stance, double stable, Reading& reading) {
    const auto is_axis = [](const Vec3d& d) { return d.cwiseAbs().maxCoeff() > along_axis; };
    const double habit = y_up_adds * stance.up.y() + z_facing_adds * stance.forward.z();
    const double axis = is_axis(stance.up)                         ? axis_up_adds
                        : is_axis(stance.up.cross(stance.forward)) ? tilted_adds
                                                                   : 0.0;
    reading.score = reading.up_score * (not_mirrored + mirrored_adds * reading.overlap) +
                    (reading.kind == RigKind::generic ? facing_adds_to_generic : facing_adds) *
                        std::clamp(reading.facing_score, -1.0, 1.0) +
                    habit + axis + stable_adds * stable;
}

// Adds all that the body could be, given one mirror plane, one up and one facing.
void read(const MirroredBody& seen, const Stance& stance, double stable, const ReadingOptions& options,
          std::vector<Reading>& out) {
    const std::optional<RigKind> wanted = options.kind;
    const Limbs limbs = find_limbs(seen, stance);
    double toes = 0.0;
    for (const RatedPair& leg : limbs.legs)
        for (int e : {leg.pair.left, leg.pair.right})
            toes += toes_forward(seen, stance, e) / (2.0 * static_cast<double>(limbs.legs.size()));
    std::vector<LimbPair> legs;
    for (const RatedPair& leg : limbs.legs) legs.push_back(leg.pair);
    const double head = head_forward(seen, stance),
                 surface = facing_by_soles * soles_forward(seen, stance, legs) +
                           facing_by_face * face_forward(seen.body, stance, options.face);
    Reading base = empty_reading(seen, stance);
    base.facing_score = facing_by_toes * toes + facing_by_head * head + surface;
    std::vector<Reading> list;
    if (limbs.second >= 0) {
        list.push_back(read_quadruped(seen, stance, limbs, base));
        if (const auto wings = find_wings(seen, stance, list.back()); wings && wanted != RigKind::quadruped) {
            list.back().kind = RigKind::dragon;
            list.back().arm_tips = tips_of(seen, *wings);
        }
    }
    if (!limbs.legs.empty()) {
        Reading two = read_two_legged(seen, stance, limbs, base);
        if (two.kind == RigKind::biped) two.facing_score = toes + biped_by_head * head + surface;
        if (two.kind == RigKind::bird) two.facing_score = toes + bird_by_head * head + surface;
        if (two.kind != RigKind::generic) list.push_back(two);
        if (limbs.second < 0)
            if (const auto level = read_dinosaur(seen, stance, limbs, base)) list.push_back(*level);
    }
    // Only where a bird is asked for: a person who lies with spread arms looks the same.
    if (list.empty() && wanted == RigKind::bird)
        if (const auto flying = read_flying(seen, stance, base)) list.push_back(*flying);
    if (list.empty()) list.push_back(base);
    if (wanted) {
        std::erase_if(list, [&](const Reading& r) { return r.kind != *wanted; });
        if (list.empty()) {
            list.push_back(base);
            list.back().kind = *wanted;
            list.back().up_score *= up_asked_for;
            if (!limbs.legs.empty()) list.back().leg_tips = tips_of(seen, limbs.legs[0].pair);
            if (limbs.arms) list.back().arm_tips = tips_of(seen, limbs.arms->pair);
        }
    }
    for (Reading& reading : list) {
        score(stance, stable, reading);
        out.push_back(reading);
    }
}

// The caller knows which way is across: keeps the plane that lies so.
void keep_plane_across(const VoxelBody& body, const Vec3d& across, std::vector<MirrorPlane>& planes) {
    MirrorPlane best = planes.front();
    const auto along = [&](const MirrorPlane& plane) { return std::abs(plane.normal.dot(across)); };
    for (const MirrorPlane& plane : planes)
        if (along(plane) > along(best)) best = plane;
    if (along(best) < near_asked)
        best = {.normal = across, .offset = across.dot(0.5 * (body.low + body.high)), .overlap = overlap_unknown};
    planes = {best};
}

void best_first(std::vector<Reading>& readings) {
    std::stable_sort(readings.begin(), readings.end(),
                     [](const Reading& a, const Reading& b) { return a.score > b.score; });
}

}  // namespace

bool as_told(const ReadingOptions& options, const Reading& reading) {
    return !options.told_up || reading.axes.row(1).dot(*options.told_up) > told_direction;
}

double told_adds(const ReadingOptions& options, const Reading& reading) {
    return options.told_up && as_told(options, reading) ? as_told_adds : 0.0;
}

std::vector<Reading> find_readings(const VoxelBody& body, const Extremities& ends, std::span<const Vec3d> outline,
                                   const ReadingOptions& options) {
    std::vector<Reading> readings;
    std::vector<MirrorPlane> planes = find_mirror_planes(body);
    if (options.up && options.facing)
        if (const Vec3d n = options.up->cross(*options.facing); n.norm() > not_parallel)
            keep_plane_across(body, n.normalized(), planes);
    for (const MirrorPlane& plane : planes) {
        const MirroredBody seen = see_mirrored(body, ends, plane);
        std::vector<RestingUp> ups;
        if (!options.up) {
            ups = find_resting_ups(body, outline, plane);
        } else if (const Vec3d flat = *options.up - options.up->dot(plane.normal) * plane.normal;
                   flat.norm() > not_across * options.up->norm()) {
            ups.push_back({flat.normalized(), 1.0});
        }
        for (const RestingUp& rest : ups) {
            Stance stance = stand_on(body, rest.up, plane.normal.cross(rest.up));
            for (int side = 0; side < 2; ++side, stance.forward = -stance.forward)
                if (!options.facing || stance.forward.dot(*options.facing) >= 0.0)
                    read(seen, stance, rest.stable, options, readings);
        }
    }
    for (Reading& reading : readings) reading.score += told_adds(options, reading);
    if (readings.empty()) readings.push_back(Reading{.origin = 0.5 * (body.low + body.high)});
    best_first(readings);
    return readings;
}

std::vector<Reading> read_standing(const VoxelBody& body, const Extremities& ends, double overlap,
                                   const ReadingOptions& options) {
    std::vector<Reading> readings;
    const MirroredBody seen = see_mirrored(body, ends, {.normal = Vec3d::UnitX(), .offset = 0.0, .overlap = overlap});
    Stance stance = stand_on(body, Vec3d::UnitY(), Vec3d::UnitZ());
    read(seen, stance, 1.0, options, readings);
    stance.forward = -stance.forward;
    if (!options.facing) read(seen, stance, 1.0, options, readings);
    best_first(readings);
    return readings;
}

}  // namespace sinew
