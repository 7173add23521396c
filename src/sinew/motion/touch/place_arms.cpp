#include <sinew/motion/touch/place_arms.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/arm_solve.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double lead = 0.4;  // seconds in which an arm leaves its own path and comes back to it
constexpr int most_rounds = 8, free_rounds = 3;
constexpr double fastest = 15.0;  // radians per second that an arm is turned by; a fast punch turns at about as much
constexpr double calm = 0.25;     // seconds in which an arm that would jump goes back to its own motion
constexpr double settled = 1e-4;  // of the forearm's length: a run of frames that changes less is done

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

// How much of a turn each frame keeps, so that it never jumps from one frame to the next: none beside a jump, all of it
// a moment away.
std::vector<double> kept_shares(std::span<const ArmTurn> turns, Quatd ArmTurn::*part, double fps) {
    const auto reach = static_cast<size_t>(std::ceil(calm * fps));
    std::vector<double> kept(turns.size(), 1.0);
    for (size_t f = 1; f < turns.size(); ++f) {
        if ((turns[f - 1].*part).angularDistance(turns[f].*part) <= fastest / fps) continue;
        for (size_t g = f - std::min(f, reach + 1); g < std::min(turns.size(), f + reach); ++g) {
            const size_t away = g < f ? f - 1 - g : g - f;
            kept[g] = std::min(kept[g], smoothstep(static_cast<double>(away) / (calm * fps)));
        }
    }
    return kept;
}

// Where an arm would have to jump from one frame to the next, it goes back to its own motion for a moment.
void calm_jumps(double fps, std::vector<ArmTurn>& turns) {
    const std::vector<double> upper = kept_shares(turns, &ArmTurn::upper, fps),
                              lower = kept_shares(turns, &ArmTurn::lower, fps),
                              hand = kept_shares(turns, &ArmTurn::hand, fps);
    const auto keep = [](double share, Quatd& turn) {
        if (share < 1.0) turn = Quatd::Identity().slerp(share, turn);
    };
    for (size_t f = 0; f < turns.size(); ++f) {
        const double arm = std::min(upper[f], lower[f]);
        keep(arm, turns[f].upper);
        keep(arm, turns[f].lower);
        keep(std::min(arm, hand[f]), turns[f].hand);
    }
}

std::vector<ArmTurn> turns_of(const ArmPath& arm, const std::vector<std::pair<size_t, size_t>>& runs, double fps) {
    std::vector<ArmTurn> turns(arm.base.size());
    for (const auto& [first, end] : runs) {
        for (size_t f = first; f < end; ++f) {
            const ArmPlace place = move_arm(arm.base[f], arm.move[f], arm.forearm);
            turns[f].upper = place.upper;
            turns[f].lower = place.lower;
            turns[f].hand = arm.hand[f] * arm.base[f].hand.conjugate();
        }
    }
    calm_jumps(fps, turns);
    return turns;
}

// Frames in which one arm moves, and whether it has come to rest there.
struct ArmRun {
    size_t first, end;
    bool follows;  // something it touches moves as well: it rests only when all do
    bool done = false;
};

std::vector<ArmRun> list_runs(const std::vector<std::pair<size_t, size_t>>& runs, const std::vector<Touch>& touches,
                              size_t side) {
    std::vector<ArmRun> list;
    for (const auto& [first, end] : runs) {
        const auto begin = static_cast<std::ptrdiff_t>(first), stop = static_cast<std::ptrdiff_t>(end);
        list.push_back({first, end, std::ranges::any_of(touches, [&](const Touch& touch) {
                            return concerns(touch, side) && moves_with_arm(touch) &&
                                   std::any_of(touch.weight.begin() + begin, touch.weight.begin() + stop,
                                               [](float w) { return w > 0; });
                        })});
    }
    return list;
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
    std::array<std::vector<ArmRun>, 2> lists;
    std::array<Goals, 2> goals;
    for (size_t side = 0; side < 2; ++side) {
        if (arms[side].base.empty()) continue;
        runs[side] = find_runs(scene, touches, arms[side]);
        lists[side] = list_runs(runs[side], touches, side);
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
            for (ArmRun& run : lists[side]) {
                if (run.done) continue;
                const double moved =
                    improve_arm(scene.target, scene.fps, goals[side], run.first, run.end, damping, arms[side]) /
                    arms[side].forearm;
                run.done = moved < settled && !run.follows;
                change = std::max(change, moved);
            }
        }
        if (change < settled) break;
    }
    for (size_t side = 0; side < 2; ++side)
        if (!runs[side].empty()) result.side[side] = turns_of(arms[side], runs[side], scene.fps);
    return result;
}

}  // namespace sinew
