#include <sinew/motion/creatures/stand_actions.h>

#include <sinew/motion/builtin/curves.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/creatures/trunk.h>
#include <sinew/motion/creatures/wings.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double standing_reach = 0.985;  // as in legged_gait.cpp
constexpr int least_stand_keys = 30;

// Up from 0 and down again.
double bump_of(double u) {
    const double s = std::sin(M_PI * std::clamp(u, 0.0, 1.0));
    return s * s;
}

// A moment of a creature whose feet stay.
struct Stand {
    TrunkTurns turns;
    Vec3d shift = Vec3d::Zero();  // of the sockets' middle; of the front sockets' where `by_front`
    bool by_front = false;
    TailWave tail;
    double tail_phase = 0.0;
    double tail_level = 0.0;  // the tail's root takes back this much of the pelvis's pitch
};

Vec3d socket_middle(const CreatureBody& body, const std::vector<Vec3d>& at, bool front_only) {
    Vec3d sum = Vec3d::Zero();
    double count = 0.0;
    for (const CreatureLeg& leg : body.legs) {
        if (front_only && !leg.front) continue;
        sum += at[static_cast<size_t>(leg.socket_joint())];
        count += 1.0;
    }
    return count > 0.0 ? Vec3d(sum / count) : Vec3d(Vec3d::Zero());
}

CreaturePose trunk_pose(const CreatureBody& body, const Stand& stand, PlacedCreature& placed) {
    CreaturePose pose(body);
    pose_trunk(body, stand.turns, pose);
    pose_tail(body, stand.tail, stand.tail_phase, stand.tail_phase, pose);
    if (!body.map.tail.empty()) {
        const auto first = static_cast<size_t>(body.map.tail.front());
        pose.bend(body.map.tail.front(), pitch(-stand.tail_level * stand.turns.hind.x()) * pose.joints[first].turn);
    }
    pose_arms(body, 0.0, 0.0, pose);
    fold_wings(body, 1.0, pose);
    place(body, pose, placed);
    pose.shift = socket_middle(body, body.rest, stand.by_front) - socket_middle(body, placed.position, stand.by_front) +
                 stand.shift;
    place(body, pose, placed);
    return pose;
}

// All legs to their places; the largest distance that one misses by.
double plant(const CreatureBody& body, const std::vector<LegShape>& shapes, const PlacedCreature& placed,
             CreaturePose& pose) {
    double worst = 0.0;
    for (size_t i = 0; i < body.legs.size(); ++i) {
        const CreatureLeg& leg = body.legs[i];
        worst = std::max(worst, solve_leg(leg, shapes[i], placed.at(leg.socket_joint()), leg.home, 0.0, pose));
        pose.turn_to(leg.foot_joint(), Quatd::Identity());
    }
    return worst;
}

// How far all poses must sink to be reached by every leg.
double needed_drop(const CreatureBody& body, const std::vector<LegShape>& shapes, const std::vector<Stand>& stands) {
    double drop = 0.0;
    PlacedCreature placed;
    for (const Stand& stand : stands) {
        trunk_pose(body, stand, placed);
        for (size_t i = 0; i < body.legs.size(); ++i) {
            const Vec3d gap = placed.at(body.legs[i].socket_joint()) - body.legs[i].home;
            const double flat = std::hypot(gap.x(), gap.z()), reach = standing_reach * shapes[i].longest;
            drop = std::max(drop, gap.y() - std::sqrt(std::max(reach * reach - flat * flat, 0.0)));
        }
    }
    return drop;
}

struct Played {
    CreaturePoses poses;
    double worst = 0.0;  // a planted foot's largest distance from its place
};

Played play(const CreatureBody& body, std::vector<Stand> stands, double step) {
    std::vector<LegShape> shapes;
    for (const CreatureLeg& leg : body.legs) shapes.push_back(leg_shape(body, leg));
    const double drop = needed_drop(body, shapes, stands);
    Played played;
    played.poses.step = step;
    PlacedCreature placed;
    for (Stand& stand : stands) {
        stand.shift.y() -= drop;
        CreaturePose pose = trunk_pose(body, stand, placed);
        played.worst = std::max(played.worst, plant(body, shapes, placed, pose));
        played.poses.poses.push_back(std::move(pose));
        played.poses.travel.push_back(Vec3d::Zero());
    }
    return played;
}

// Slow things take longer for large animals: as the square root of their size, like a pendulum.
double pace(const CreatureBody& body) {
    constexpr double usual_hips = 0.6;  // metres: a dog, for which the times here are chosen
    const double hips = body.hip_height > 0.0 ? body.hip_height : 0.5 * body.length;
    return std::clamp(std::sqrt(metres(body, hips) / usual_hips), 0.4, 2.0);
}

std::vector<Stand> sit_stands(const CreatureBody& body, const KeyTimes& keys, double pitched, double back) {
    std::vector<Stand> stands;
    for (int k = 0; k <= keys.count(); ++k) {
        const double t = static_cast<double>(k) / keys.per_cycle;
        // Down by a third, up again in the last quarter.
        const double down = smoothstep((t - 0.05) / 0.22) * (1.0 - smoothstep((t - 0.76) / 0.20));
        const double breath = std::sin(full_turn * 4.0 * t);
        Stand stand;
        stand.by_front = true;
        stand.turns.hind = stand.turns.front = {-pitched * down, 0, 0};
        stand.turns.head_steady = 0.9;
        stand.turns.neck = {-6 * deg * down + 0.8 * deg * breath, 10 * deg * down * std::sin(full_turn * t), 0};
        stand.shift = Vec3d(0, -0.02 * body.hip_height * down, -back * down);
        stand.tail = {.side = 40 * deg * down, .lift = 0, .lag = 0.3};
        stand.tail_phase = 3.0 * t;
        stand.tail_level = 0.85;
        stands.push_back(stand);
    }
    return stands;
}

}  // namespace

CreaturePoses creature_idle_poses(const CreatureBody& body, double fps) {
    const KeyTimes keys = key_times(5.0 * pace(body), fps, least_stand_keys, 5.0);
    const double size = body.hip_height > 0.0 ? body.hip_height : 0.3 * body.length;
    std::vector<Stand> stands;
    for (int k = 0; k <= keys.count(); ++k) {
        const double t = full_turn * k / keys.per_cycle;
        Stand stand;
        const double breath = std::sin(2.0 * t);
        stand.turns.hind = {0.3 * deg * breath, 0, 1.2 * deg * std::sin(t)};
        stand.turns.front = {-0.5 * deg * breath, 1.5 * deg * std::sin(t), 0.6 * deg * std::sin(t + 0.4)};
        stand.turns.neck = {2.0 * deg * std::sin(t + 0.5), 5.0 * deg * std::sin(t), 0};
        stand.turns.head = {1.5 * deg * std::sin(2.0 * t + 1.0), 4.0 * deg * std::sin(t - 0.5),
                            2.0 * deg * std::sin(t)};
        stand.shift = {0.015 * size * std::sin(t), 0.004 * size * breath, 0.004 * size * std::sin(2.0 * t + 0.8)};
        stand.tail = {.side = 30 * deg, .lift = 4 * deg, .lag = 0.35};
        stand.tail_phase = 2.0 * t / full_turn;
        stands.push_back(stand);
    }
    return play(body, std::move(stands), keys.step).poses;
}

CreaturePoses sit_poses(const CreatureBody& body, double fps) {
    const KeyTimes keys = key_times(6.0 * pace(body), fps, least_stand_keys, 1.0);
    const auto middle = [&](bool front) {
        Vec3d sum = Vec3d::Zero();
        double count = 0.0;
        for (const CreatureLeg& leg : body.legs)
            if (leg.front == front) sum += body.rest[static_cast<size_t>(leg.socket_joint())], count += 1.0;
        return Vec3d(sum / std::max(count, 1.0));
    };
    const Vec3d trunk = middle(true) - middle(false);
    // The rump comes down to a third of its height, if the trunk is long enough and the legs fold so far.
    constexpr double seated = 0.36, steepest = 48 * deg, less = 0.94;
    const double sink = (1.0 - seated) * middle(false).y();
    double pitched = std::asin(std::clamp(sink / std::max(trunk.norm(), 1e-12), 0.0, std::sin(steepest)));
    Played played;
    for (int tries = 0; tries < 40; ++tries, pitched *= less) {
        // Half of what the turn brings the hind legs forward is taken by leaning back.
        const double back = 0.5 * trunk.z() * (1.0 - std::cos(pitched));
        played = play(body, sit_stands(body, keys, pitched, back), keys.step);
        constexpr double missed = 1e-6;  // of the hips' height
        if (played.worst <= missed * body.hip_height) break;
    }
    return played.poses;
}

CreaturePoses shake_poses(const CreatureBody& body, double fps) {
    // Mammals shake at a frequency that falls with their size as radius^-0.75, 4 to 5 times a second for a large dog
    // [Dickerson2012].
    constexpr double dog_hips = 0.6, dog_hertz = 4.5, power = -0.75;
    const double hertz = std::clamp(dog_hertz * std::pow(metres(body, body.hip_height) / dog_hips, power), 2.5, 20.0);
    constexpr int shakes = 10;
    const KeyTimes keys = key_times(shakes / hertz, fps, 16 * shakes, 1.0);
    std::vector<Stand> stands;
    for (int k = 0; k <= keys.count(); ++k) {
        const double u = static_cast<double>(k) / keys.count();
        // It begins at the head and ends at the tail.
        const auto rolls = [&](double angle, double late, double cycles_late) {
            const double v = (u - late) / 0.78;
            const double size = smoothstep(v / 0.22) * (1.0 - smoothstep((v - 0.75) / 0.25));
            return angle * deg * size * std::sin(full_turn * (shakes * u - cycles_late));
        };
        Stand stand;
        stand.turns.head_steady = 0.0;
        stand.turns.front = {0, 0, rolls(10, 0.08, 0.25)};
        stand.turns.hind = {0, 0, rolls(7, 0.16, 0.5)};
        stand.turns.neck = {4 * deg * bump_of(u), 0, rolls(14, 0.03, 0.1)};
        stand.turns.head = {0, rolls(6, 0.0, 0.05), rolls(16, 0.0, 0.0)};
        stand.shift = {0, -0.03 * body.hip_height * bump_of(u), 0};
        const double late = (u - 0.22) / 0.78;
        stand.tail = {
            .side = 50 * deg * smoothstep(late / 0.2) * (1.0 - smoothstep((late - 0.8) / 0.2)), .lift = 0, .lag = 0.5};
        stand.tail_phase = shakes * u;
        stands.push_back(stand);
    }
    return play(body, std::move(stands), keys.step).poses;
}

}  // namespace sinew
