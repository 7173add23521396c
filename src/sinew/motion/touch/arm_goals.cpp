#include <sinew/motion/touch/arm_goals.h>

#include <sinew/math/angle.h>
#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A source without a skin is known to this much, in metres of a usual person: a hand nearer than that touches.
constexpr double guess = 0.04, trusted_after = 0.04;  // trusted_after: beyond the guess, a gap counts in full
constexpr double closeness = 0.05;      // of several touches the nearer count more: at this distance, half
constexpr double most_hand_turn = 0.6;  // radians by which a hand is turned to lie on the skin

bool is_part(const Touch& touch) {
    return touch.what < part_count;
}
bool is_arm(size_t part) {
    const auto name = static_cast<PartName>(part);
    return name == PartName::left_upper_arm || name == PartName::left_forearm || name == PartName::right_upper_arm ||
           name == PartName::right_forearm;
}

// How far the target's skins are to be apart. `skins`: how many of the source's are guessed.
double wanted_gap(const TouchScene& scene, double source_gap, double skins = 1) {
    const double gap = std::max(0.0, source_gap);
    if (scene.source.shape.from_skin) return scene.scale * gap;
    const double slack = skins * guess;
    const double trust = smoothstep((gap / scene.source.size - slack) / trusted_after);
    return scene.scale * std::max(0.0, gap - (1 - trust) * slack * scene.source.size);
}

double share_of(const TouchScene& scene, const Touch& touch, size_t f) {
    const double gap = std::max(0.0f, touch.gap[f]) / (closeness * scene.source.size);
    return touch.weight[f] / (1 + gap * gap);
}

// How hard a touch pulls. The goals' weight is thousands of times that of the arm's own way, so that only a true touch
// may have all of it: a hand that is merely near goes its own way.
double pull_of(const TouchScene& scene, const Touch& touch, size_t f, double skins = 1) {
    constexpr double no_pull = 0.06;  // metres beyond what is guessed: a pull as weak as the arm's own way
    const double known = scene.source.shape.from_skin ? 0.0 : skins * guess;
    const double apart = std::max(0.0, touch.gap[f] / scene.source.size - known) / no_pull;
    return std::pow(touch.weight[f], 3) * std::pow(1e-4, apart * apart);
}

// How far the hand's place on the part counts, besides its distance. A bent arm puts the hand somewhere; the hand of
// one that hangs is near the body by chance, and where it is there depends on the arm's length.
double placed_share(const TouchScene& scene, const Touch& touch, size_t f) {
    constexpr double hanging = 0.6, bent = 1.2;  // radians of bend in the elbow
    const auto roles = arm_roles(touch.side);
    const PosedShape& pose = scene.source.poses[f];
    const Vec3d upper = pose.at(roles[2]) - pose.at(roles[1]), lower = pose.at(roles[3]) - pose.at(roles[2]);
    return smoothstep((angle_between(upper, lower) - hanging) / (bent - hanging));
}

// Where the palm would be on the target: at the same place of the part, as high above its skin in proportion.
struct Landing {
    Vec3d palm;
    Vec3d source_out, out;  // the way out of the skin there, of both bodies, in the target's world
};

Landing land(const TouchScene& scene, const Touch& touch, size_t f, const PosedPart& target_part) {
    const PosedPart source_part = pose_part(scene.source.shape.parts[touch.what], scene.source.poses[f]);
    const Vec3d palm = palm_of(scene.source, f, touch.side);
    PartPlace place = place_on(source_part, palm);
    const double height = place.distance - source_part.part->radius_at(place.along, place.around);
    const PartPlace own = place_on(target_part, palm_of(scene.target, f, touch.side));
    const double share = placed_share(scene, touch, f);
    place.along = own.along + share * (place.along - own.along);
    place.around = own.around + share * std::remainder(place.around - own.around, 2 * 3.14159265358979323846);
    place.distance = std::max(0.0, target_part.part->radius_at(place.along, place.around) + scene.scale * height);
    Landing landing;
    landing.palm = point_at(target_part, place);
    landing.source_out = scene.target_from_source * height_over(source_part, palm).out;
    landing.out = height_over(target_part, landing.palm).out;
    return landing;
}

// The least height of the hand's skin above the part.
double hand_gap(const BodyShape& shape, size_t side, const Vec3d& palm, const Quatd& hand, const PosedPart& part) {
    double gap = INFINITY;
    for (const ArmPoint& point : shape.arm[side]) {
        if (point.bone != ArmBone::hand) continue;
        const Vec3d at = palm + hand * (point.offset - shape.palm[side]);
        gap = std::min(gap, height_over(part, at).height - point.radius);
    }
    return gap;
}

WristGoal part_goal(const TouchScene& scene, const Touch& touch, size_t f, const std::array<ArmPath, 2>& arms) {
    const ArmPath& arm = arms[touch.side];
    const BodyShape& shape = scene.target.shape;
    const PosedPart part = is_arm(touch.what) ? pose_part(shape.parts[touch.what],
                                                          with_arm(scene.target.poses[f], arms[1 - touch.side], f))
                                              : pose_part(shape.parts[touch.what], scene.target.poses[f]);
    const Landing landing = land(scene, touch, f, part);
    Vec3d palm = landing.palm;
    const double wanted = wanted_gap(scene, touch.gap[f]);
    for (int round = 0; round < 2; ++round)
        palm += (wanted - hand_gap(shape, touch.side, palm, arm.hand[f], part)) * height_over(part, palm).out;
    constexpr double least_across = 0.2;  // a hand that may slip does not slip far
    const double across = least_across + (1 - least_across) * placed_share(scene, touch, f);
    return {pull_of(scene, touch, f), across, palm - arm.hand[f] * shape.palm[touch.side], height_over(part, palm).out};
}

WristGoal floor_goal(const TouchScene& scene, const Touch& touch, size_t f, const ArmPath& arm) {
    const BodyShape& shape = scene.target.shape;
    const Vec3d &up = scene.target.up, wrist = arm.base[f].wrist;
    double lowest = INFINITY;
    for (const ArmPoint& point : shape.arm[touch.side])
        if (point.bone == ArmBone::hand)
            lowest = std::min(lowest, (wrist + arm.hand[f] * point.offset).dot(up) - point.radius);
    const double rise = scene.target.floor + wanted_gap(scene, touch.gap[f]) - lowest;
    return {pull_of(scene, touch, f), 0.0, wrist + rise * up, up};
}

// Both hands go half of the way to where they meet as the source's do.
WristGoal meeting_goal(const TouchScene& scene, const Touch& touch, size_t f, size_t side,
                       const std::array<ArmPath, 2>& arms) {
    const BodyShape& shape = scene.target.shape;
    const auto palm = [&](size_t s) { return Vec3d(arms[s].now[f].wrist + arms[s].hand[f] * shape.palm[s]); };
    const Vec3d source_way = palm_of(scene.source, f, 1) - palm_of(scene.source, f, 0);
    // Palms that nearly coincide lie side by side.
    const PosedShape& pose = scene.source.poses[f];
    const Vec3d sideways = (pose.at(Role::right_upper_arm) - pose.at(Role::left_upper_arm)).normalized();
    const Vec3d way = scene.target_from_source * (source_way + closeness * scene.source.size * sideways).normalized();
    const std::array hands = {arms[0].hand[f], arms[1].hand[f]};
    const double room = -hands_apart(shape, hands, way, 0.0);
    const Vec3d now = palm(1) - palm(0), wanted = (room + wanted_gap(scene, touch.gap[f], 2)) * way;
    const Vec3d step = 0.5 * (wanted - now) * (side == 1 ? 1.0 : -1.0);
    return {pull_of(scene, touch, f, 2), 1.0, arms[side].now[f].wrist + step, way};
}

}  // namespace

void lay_hands(const TouchScene& scene, const std::vector<Touch>& touches, std::array<ArmPath, 2>& arms) {
    for (size_t side = 0; side < 2; ++side) {
        ArmPath& arm = arms[side];
        for (size_t f = 0; f < arm.base.size(); ++f) {
            Vec3d turn = Vec3d::Zero();
            double weight = 0, most = 0;
            for (const Touch& touch : touches) {
                if (touch.side != side || !is_part(touch) || touch.weight[f] <= 0) continue;
                const Landing landing =
                    land(scene, touch, f, pose_part(scene.target.shape.parts[touch.what], scene.target.poses[f]));
                const Eigen::AngleAxisd rolled(shortest_rotation(landing.source_out, landing.out));
                const double share = share_of(scene, touch, f);
                turn += share * std::min(rolled.angle(), most_hand_turn) * rolled.axis();
                weight += share;
                most = std::max(most, share);
            }
            if (!(weight > 0)) continue;
            turn *= most / weight;
            if (const double angle = turn.norm(); angle > 0)
                arm.hand[f] = Quatd(Eigen::AngleAxisd(angle, turn / angle)) * arm.base[f].hand;
        }
    }
}

void set_wrist_goals(const TouchScene& scene, const Touch& touch, size_t side, const std::array<ArmPath, 2>& arms,
                     size_t first, size_t end, std::vector<WristGoal>& goals) {
    for (size_t f = first; f < end; ++f) {
        if (touch.weight[f] <= 0) continue;
        goals[f] = is_part(touch)                                      ? part_goal(scene, touch, f, arms)
                   : touch.what == static_cast<size_t>(Touched::floor) ? floor_goal(scene, touch, f, arms[side])
                                                                       : meeting_goal(scene, touch, f, side, arms);
    }
}

}  // namespace sinew
