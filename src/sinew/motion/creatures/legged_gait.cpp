#include <sinew/motion/creatures/legged_gait.h>

#include <sinew/motion/builtin/curves.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/creatures/trunk.h>
#include <sinew/motion/creatures/wings.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A swinging foot comes forward a little early: power of the share of the swing. Chosen by eye.
constexpr double early = 0.92, highest_early = 0.75;
// A planted leg is never straighter than this share of its length; swinging legs come softly up to straight.
constexpr double planted_reach = 0.985, air_reach = 0.998;
// The body sinks by at most this share of the hips' height, then the stride shortens and the trunk calms by these
// factors at a time.
constexpr double most_drop = 0.09, most_drop_in_leaps = 0.13, shorten = 0.94, calm = 0.96;
constexpr int most_tries = 48;
// Feet of one side keep this far apart along the body, in hip heights; or half of what they have at rest.
constexpr double feet_apart = 0.20;
// A stride has at least so many keys: planted feet then stay within 0.2% of the leg's length between keys at a gallop.
constexpr int least_gait_keys = 48;
constexpr double clip_seconds = 2.0;
// A shoulder blade turns this many radians for each hip height that its foot is ahead. Chosen: some 12 degrees in all
// at a walk; of a cat it is 20–30 [Hildebrand1977].
constexpr double blade_swing = 0.45;

struct GaitRun {
    const CreatureBody& body;
    const Gait& gait;
    std::vector<LegShape> shapes;
    std::vector<double> phases;
    StridePlan plan;

    double duty(const CreatureLeg& leg) const { return leg.front ? gait.front_duty : gait.hind_duty; }
};

double bump(double u) {
    const double s = std::sin(M_PI * std::clamp(u, 0.0, 1.0));
    return s * s;
}

std::vector<FootPlace> feet_at(const GaitRun& run, double t) {
    std::vector<FootPlace> feet;
    for (size_t i = 0; i < run.body.legs.size(); ++i)
        feet.push_back(foot_place(run.body.legs[i], run.gait, run.phases[i], run.plan.stride,
                                  run.gait.clearance * run.body.hip_height, t));
    return feet;
}

// What the feet of one girdle do, for the trunk to follow: −1…1.
struct Girdle {
    double lead = 0.0;   // the left foot is ahead of the right one
    double lift = 0.0;   // the left foot is higher
    double ahead = 0.0;  // both are ahead of home
};

Girdle girdle(const GaitRun& run, const std::vector<FootPlace>& feet, bool front) {
    Girdle out;
    double ahead[2] = {0, 0}, height[2] = {0, 0}, count[2] = {0, 0};
    for (size_t i = 0; i < feet.size(); ++i) {
        const CreatureLeg& leg = run.body.legs[i];
        if (leg.front != front) continue;
        const size_t side = leg.left ? 0 : 1;
        ahead[side] += feet[i].ahead;
        height[side] += feet[i].position.y() - leg.home.y();
        count[side] += 1.0;
    }
    for (int side = 0; side < 2; ++side) {
        if (count[side] == 0.0) continue;
        const double sign = side == 0 ? 1.0 : -1.0;
        const double reach = (front ? run.gait.front_duty : run.gait.hind_duty) * run.plan.stride;
        const double clearance = run.gait.clearance * run.body.hip_height;
        if (reach > 0.0) out.lead += sign * ahead[side] / count[side] / reach;
        if (clearance > 0.0) out.lift += sign * height[side] / count[side] / clearance;
        if (reach > 0.0) out.ahead += ahead[side] / count[side] / reach;
    }
    return out;
}

TrunkTurns trunk_turns(const GaitRun& run, const std::vector<FootPlace>& feet, double t) {
    const Gait& gait = run.gait;
    const bool four = std::ranges::any_of(run.body.legs, &CreatureLeg::front);
    const Girdle hind = girdle(run, feet, false), front = four ? girdle(run, feet, true) : Girdle{};
    const double rock = -run.plan.trunk * gait.rock_deg * deg * std::cos(full_turn * (t - gait.nose_up));
    // Rounded while the hind feet are ahead and the front feet behind.
    const double flex = four ? 0.5 * run.plan.trunk * gait.flex_deg * deg * (hind.ahead - front.ahead) : 0.0;
    TrunkTurns turns;
    turns.hind = {rock - flex, -gait.yaw_deg * deg * hind.lead, -gait.roll_deg * deg * hind.lift};
    turns.front = {rock + flex, -gait.yaw_deg * deg * front.lead, -gait.roll_deg * deg * front.lift};
    if (!four) turns.front = {rock, 0.6 * gait.yaw_deg * deg * hind.lead, -0.4 * turns.hind.z()};
    const double nod = gait.nod_deg * deg * std::cos(full_turn * gait.bobs * (t - gait.highest) - 0.6);
    turns.neck.x() = nod;
    turns.head.x() = -0.7 * nod;
    return turns;
}

// The trunk, moved so that the sockets' middle is where the gait wants it.
CreaturePose trunk_pose(const GaitRun& run, const std::vector<FootPlace>& feet, double t, PlacedCreature& placed) {
    const CreatureBody& body = run.body;
    const Gait& gait = run.gait;
    CreaturePose pose(body);
    pose_trunk(body, trunk_turns(run, feet, t), pose);
    pose_tail(body, {.side = 26 * deg, .lift = gait.bobs == 1 ? 16 * deg : 5 * deg}, t - 0.1,
              gait.bobs * (t - gait.highest) - 0.3, pose);
    const Girdle hind = girdle(run, feet, false);
    pose_arms(body, -14 * deg * hind.lead, 14 * deg * hind.lead, pose);
    fold_wings(body, 1.0, pose);
    place(body, pose, placed);
    Vec3d middle = Vec3d::Zero(), home = Vec3d::Zero();
    for (const CreatureLeg& leg : body.legs) {
        middle += placed.at(leg.socket_joint()) / static_cast<double>(body.legs.size());
        home += body.rest[static_cast<size_t>(leg.socket_joint())] / static_cast<double>(body.legs.size());
    }
    const double bob =
        run.plan.trunk * gait.bob * body.hip_height * std::cos(full_turn * gait.bobs * (t - gait.highest));
    // Two legs: the body goes over the foot that carries it.
    const double sway = body.legs.size() == 2 ? -0.25 * hind.lift * std::abs(body.legs[0].home.x()) : 0.0;
    pose.shift = home - middle + Vec3d(sway, bob - run.plan.drop, run.plan.stride * t);
    for (size_t i = 0; i < body.legs.size(); ++i) {
        const CreatureLeg& leg = body.legs[i];
        if (!leg.front || leg.socket == 0) continue;
        const int32_t blade = leg.joints[leg.socket - 1];
        const double hangs =
            body.rest[static_cast<size_t>(blade)].y() - body.rest[static_cast<size_t>(leg.socket_joint())].y();
        constexpr double upright_blade = 0.1;  // of the hips' height: a blade that lies flat would only lift the socket
        if (hangs > upright_blade * body.hip_height)
            pose.bend(blade, pitch(-blade_swing * feet[i].ahead / body.hip_height));
    }
    place(body, pose, placed);
    return pose;
}

// A foot in the air beyond reach comes softly up to the straight leg.
Vec3d within_reach(const Vec3d& socket, const Vec3d& target, double longest) {
    const double from = planted_reach * longest, room = (air_reach - planted_reach) * longest;
    const double gap = (target - socket).norm();
    if (gap <= from) return target;
    const double reached = from + room * (1.0 - std::exp((from - gap) / room));
    return socket + (target - socket) * (reached / gap);
}

CreaturePose pose_at(const GaitRun& run, double t, PlacedCreature& placed) {
    const std::vector<FootPlace> feet = feet_at(run, t);
    CreaturePose pose = trunk_pose(run, feet, t, placed);
    for (size_t i = 0; i < feet.size(); ++i) {
        const CreatureLeg& leg = run.body.legs[i];
        const Vec3d& socket = placed.at(leg.socket_joint());
        const double u = std::max(feet[i].in_air, 0.0);
        const double flexed = run.gait.flexed_deg * deg * bump(std::pow(u, 0.8));
        const bool planted = feet[i].in_air < 0.0;
        const Vec3d target = planted ? feet[i].position : within_reach(socket, feet[i].position, run.shapes[i].longest);
        solve_leg(leg, run.shapes[i], socket, target, flexed, pose);
        // The toes trail behind, and are raised before the foot strikes.
        const double trail = (0.7 * run.gait.flexed_deg + 12) * deg * bump(std::pow(u, 0.7)) - 8 * deg * bump(u * u);
        pose.turn_to(leg.foot_joint(), pitch(planted ? 0.0 : trail));
    }
    return pose;
}

// How far the body must sink so that the planted legs reach; infinite where a stride is too long.
double needed_drop(const GaitRun& run) {
    double drop = 0.0;
    PlacedCreature placed;
    for (int k = 0; k < run.plan.keys.per_cycle; ++k) {
        const double t = static_cast<double>(k) / run.plan.keys.per_cycle;
        const std::vector<FootPlace> feet = feet_at(run, t);
        trunk_pose(run, feet, t, placed);
        for (size_t i = 0; i < feet.size(); ++i) {
            if (feet[i].in_air >= 0.0) continue;
            const Vec3d gap = placed.at(run.body.legs[i].socket_joint()) - feet[i].position;
            const double flat = std::hypot(gap.x(), gap.z()), reach = planted_reach * run.shapes[i].longest;
            if (flat >= reach) return INFINITY;
            drop = std::max(drop, gap.y() - std::sqrt(reach * reach - flat * flat));
        }
    }
    return drop;
}

// Front and hind feet of one side never meet.
bool feet_stay_apart(const GaitRun& run) {
    for (size_t a = 0; a < run.body.legs.size(); ++a) {
        for (size_t b = 0; b < run.body.legs.size(); ++b) {
            const CreatureLeg &ahead = run.body.legs[a], &behind = run.body.legs[b];
            const double apart = ahead.home.z() - behind.home.z();
            if (a == b || ahead.left != behind.left || apart <= 0.0) continue;
            const double least = std::min(feet_apart * run.body.hip_height, 0.5 * apart);
            for (int k = 0; k < run.plan.keys.per_cycle; ++k) {
                const std::vector<FootPlace> feet = feet_at(run, static_cast<double>(k) / run.plan.keys.per_cycle);
                if (feet[a].position.z() - feet[b].position.z() < least) return false;
            }
        }
    }
    return true;
}

void fit_stride(GaitRun& run) {
    for (int tries = 0; tries < most_tries; ++tries) {
        run.plan.drop = 0.0;
        const double drop = needed_drop(run);
        const bool last = tries + 1 == most_tries && std::isfinite(drop);
        const double most = run.gait.bobs == 1 ? most_drop_in_leaps : most_drop;
        if (last || (drop <= most * run.body.hip_height && feet_stay_apart(run))) {
            run.plan.drop = drop;
            return;
        }
        run.plan.stride *= shorten;
        run.plan.trunk *= calm;
    }
}

}  // namespace

KeyTimes key_times(double period, double fps, int least_gait_keys, double about_seconds) {
    KeyTimes keys;
    // From an ant's stride to one that nobody would wait for.
    period = std::isfinite(period) ? std::clamp(period, 0.02, 30.0) : 1.0;
    const double finer = std::max(1.0, std::ceil(least_gait_keys / (period * fps) - 1e-9));
    keys.step = 1.0 / (fps * finer);
    keys.per_cycle = std::max(1, static_cast<int>(std::lround(period / keys.step)));
    keys.cycles = std::clamp(static_cast<int>(std::lround(about_seconds / period)), 1, 16);
    return keys;
}

FootPlace foot_place(const CreatureLeg& leg, const Gait& gait, double phase, double stride, double clearance,
                     double t) {
    const double duty = leg.front ? gait.front_duty : gait.hind_duty;
    const double own = t - phase, whole = std::floor(own), u = own - whole;
    // In the middle of its stance the foot is where it stands at rest, seen from the body.
    double ahead = stride * (whole + phase + 0.5 * duty);
    FootPlace foot{leg.home};
    if (u >= duty) {
        foot.in_air = (u - duty) / (1.0 - duty);
        // It leaves the ground and returns to it without speed, and hurries in between.
        ahead += stride * smoothstep(std::pow(foot.in_air, early));
        // It rises and falls faster than it comes ahead, so that it does not drag.
        foot.position.y() += clearance * std::sin(M_PI * std::pow(foot.in_air, highest_early));
    }
    foot.position.z() += ahead;
    foot.ahead = ahead - stride * t;
    return foot;
}

std::vector<double> leg_phases(const CreatureBody& body, const Gait& gait) {
    std::vector<double> phases;
    size_t seen[2] = {0, 0};
    const size_t count = body.legs.size();
    const bool four = count == 4 && std::ranges::count(body.legs, true, &CreatureLeg::front) == 2 &&
                      std::ranges::count(body.legs, true, &CreatureLeg::left) == 2;
    for (size_t i = 0; i < count; ++i) {
        const CreatureLeg& leg = body.legs[i];
        const size_t side = leg.left ? 0 : 1;
        if (four || count == 2)
            phases.push_back(gait.phase[(leg.front ? 0 : 2) + side]);
        else if (count == 3)
            phases.push_back(static_cast<double>(i) / 3.0);
        else
            phases.push_back(crawl_phase(seen[side], leg.left));
        ++seen[side];
    }
    return phases;
}

CreaturePoses legged_poses(const CreatureBody& body, const Gait& gait, double fps) {
    GaitRun run{body, gait, {}, leg_phases(body, gait), {}};
    for (const CreatureLeg& leg : body.legs) run.shapes.push_back(leg_shape(body, leg));
    const double hip_m = metres(body, body.hip_height);
    run.plan.stride = gait_stride(gait, body.hip_height);
    run.plan.period = gait_stride(gait, hip_m) / gait_speed(gait, hip_m);
    run.plan.keys = key_times(run.plan.period, fps, least_gait_keys, clip_seconds);
    fit_stride(run);

    CreaturePoses out;
    out.step = run.plan.keys.step;
    PlacedCreature placed;
    for (int k = 0; k <= run.plan.keys.count(); ++k) {
        const double t = static_cast<double>(k) / run.plan.keys.per_cycle;
        out.poses.push_back(pose_at(run, t, placed));
        out.travel.push_back({0, 0, run.plan.stride * t});
    }
    return out;
}

}  // namespace sinew
