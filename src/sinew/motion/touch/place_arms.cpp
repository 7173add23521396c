#include <sinew/motion/touch/place_arms.h>

#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/arm_solve.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double lead = 0.4;  // seconds in which an arm leaves its own path and comes back to it
constexpr int most_rounds = 8, free_rounds = 3;
constexpr double settled = 1e-4;  // of the forearm's length: a round that changes less is the last

bool concerns(const Touch& touch, size_t side) {
    return touch.side == side || touch.what == static_cast<size_t>(Touched::other_hand);
}
// The goal changes as the other arm moves.
bool moves_with_arm(const Touch& touch) {
    const auto name = static_cast<PartName>(touch.what);
    return touch.what == static_cast<size_t>(Touched::other_hand) || name == PartName::left_upper_arm ||
           name == PartName::left_forearm || name == PartName::right_upper_arm || name == PartName::right_forearm;
}

// The target has what the source touches, and touches it with.
bool can_follow(const BodyShape& target, const Touch& touch) {
    if (target.arm[touch.side].empty()) return false;
    if (touch.what == static_cast<size_t>(Touched::other_hand)) return !target.arm[1 - touch.side].empty();
    if (touch.what >= part_count) return true;
    return target.parts[touch.what].exists() && (!moves_with_arm(touch) || !target.arm[1 - touch.side].empty());
}

using Goals = std::vector<std::vector<WristGoal>>;  // [touch][frame]; empty where the touch is another arm's

std::vector<std::pair<size_t, size_t>> find_runs(const TouchScene& scene, const std::vector<Touch>& touches,
                                                 const ArmPath& arm) {
    std::vector<bool> wanted = frames_inside(scene.target, arm);
    for (const Touch& touch : touches) {
        if (!concerns(touch, arm.side)) continue;
        for (size_t f = 0; f < wanted.size(); ++f)
            if (touch.weight[f] > 0) wanted[f] = true;
    }
    return active_runs(wanted, static_cast<size_t>(std::ceil(lead * scene.fps)) + 2);
}

std::vector<ArmTurn> turns_of(const ArmPath& arm, const std::vector<std::pair<size_t, size_t>>& runs) {
    std::vector<ArmTurn> turns(arm.base.size());
    for (const auto& [first, end] : runs) {
        for (size_t f = first; f < end; ++f) {
            const ArmPlace place = move_arm(arm.base[f], arm.move[f], arm.forearm);
            turns[f].upper = place.upper;
            turns[f].lower = place.lower;
            turns[f].hand = arm.hand[f] * arm.base[f].hand.conjugate();
        }
    }
    return turns;
}

}  // namespace

ArmTurns place_arms(const TouchScene& scene, const Vec3d& forward) {
    ArmTurns result;
    std::vector<Touch> touches = find_touches(scene.source, scene.fps);
    std::erase_if(touches, [&](const Touch& touch) { return !can_follow(scene.target.shape, touch); });
    std::array<ArmPath, 2> arms = {record_arm(scene.target, forward, 0), record_arm(scene.target, forward, 1)};
    if (scene.target.poses.size() < 3) return result;
    lay_hands(scene, touches, arms);
    std::array<std::vector<std::pair<size_t, size_t>>, 2> runs;
    std::array<Goals, 2> goals;
    for (size_t side = 0; side < 2; ++side) {
        if (arms[side].base.empty()) continue;
        runs[side] = find_runs(scene, touches, arms[side]);
        for (const Touch& touch : touches)
            if (concerns(touch, side)) goals[side].push_back(wrist_goals(scene, touch, side, arms));
    }
    for (int round = 0; round < most_rounds; ++round) {
        // Steps grow shorter, so that an arm between two goals comes to rest.
        const double damping = round < free_rounds ? 0.0 : 20.0 * std::pow(4.0, round - free_rounds);
        double change = 0;
        for (size_t side = 0; side < 2; ++side) {
            if (runs[side].empty()) continue;
            size_t g = 0;
            for (const Touch& touch : touches) {
                if (!concerns(touch, side)) continue;
                if (round > 0 && moves_with_arm(touch)) goals[side][g] = wrist_goals(scene, touch, side, arms);
                ++g;
            }
            for (const auto& [first, end] : runs[side])
                change = std::max(change,
                                  improve_arm(scene.target, scene.fps, goals[side], first, end, damping, arms[side]) /
                                      arms[side].forearm);
        }
        if (change < settled) break;
    }
    for (size_t side = 0; side < 2; ++side)
        if (!runs[side].empty()) result.side[side] = turns_of(arms[side], runs[side]);
    return result;
}

}  // namespace sinew
