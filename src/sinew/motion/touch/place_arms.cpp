#include <sinew/motion/touch/place_arms.h>

#include <sinew/math/interpolate.h>
#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/arm_solve.h>
#include <sinew/motion/touch/raise_props.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double lead = 0.4;  // seconds in which an arm leaves its own path and comes back to it
constexpr int most_rounds = 8, free_rounds = 3;
constexpr double fastest = 15.0;  // radians per second that an arm is turned by; a fast punch turns at about as much
constexpr double calm = 0.25;     // seconds in which an arm that would jump goes back to its own motion
constexpr double settled = 1e-3;  // of the forearm's length: frames that change less are done

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
using Runs = std::vector<std::pair<size_t, size_t>>;

// Frames that the step at one of them reaches.
size_t margin_of(double fps) {
    return static_cast<size_t>(std::ceil(lead * fps)) + 2;
}

Runs find_runs(const TouchScene& scene, std::span<const Obstacles> obstacles, const std::vector<Touch>& touches,
               const ArmPath& arm) {
    std::vector<bool> wanted = frames_inside(scene.target, obstacles, arm);
    for (const Touch& touch : touches) {
        if (!concerns(touch, arm.side)) continue;
        for (size_t f = 0; f < wanted.size(); ++f)
            if (touch.weight[f] > 0) wanted[f] = true;
    }
    for (size_t f = 0; f < wanted.size(); ++f)
        if (!arm.hand[f].isApprox(arm.base[f].hand)) wanted[f] = true;
    return active_runs(wanted, margin_of(scene.fps));
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

// Where an arm would have to jump from one frame to the next, it goes back to its own motion for a moment. So does its
// hand, unless it `holds` something: that stays above the floor.
void calm_jumps(double fps, bool holds, std::vector<ArmTurn>& turns) {
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
        keep(holds ? hand[f] : std::min(arm, hand[f]), turns[f].hand);
    }
}

std::vector<ArmTurn> turns_of(const ArmPath& arm, const Runs& runs, bool holds, double fps) {
    std::vector<ArmTurn> turns(arm.base.size());
    for (const auto& [first, end] : runs) {
        for (size_t f = first; f < end; ++f) {
            const ArmPlace place = move_arm(arm.base[f], arm.move[f], arm.forearm);
            turns[f].upper = place.upper;
            turns[f].lower = place.lower;
            turns[f].hand = arm.hand[f] * arm.base[f].hand.conjugate();
        }
    }
    calm_jumps(fps, holds, turns);
    return turns;
}

// Both arms while they are solved. Of the frames in which an arm moves at all, only those are solved again that the
// last step still changed, or whose goal moved with the other arm.
class ArmSolve {
public:
    ArmSolve(const TouchScene& scene, const std::vector<Touch>& touches, std::array<ArmPath, 2>& arms)
        : scene_(scene), touches_(touches), arms_(arms), obstacles_(pose_obstacles(scene.target)) {
        for (size_t side = 0; side < 2; ++side) {
            if (arms_[side].base.empty()) continue;
            runs[side] = find_runs(scene_, obstacles_, touches_, arms_[side]);
            restless_[side].assign(arms_[side].base.size(), true);
            for (const Touch& touch : touches_)
                if (concerns(touch, side)) {
                    goals_[side].emplace_back(touch.weight.size());
                    set_wrist_goals(scene_, touch, side, arms_, 0, touch.weight.size(), goals_[side].back());
                }
        }
    }

    std::array<Runs, 2> runs;  // frames in which each arm moves

    // One step of one arm. False where nothing is left to do.
    bool improve(size_t side, double damping) {
        bool any = false;
        for (const auto& [first, end] : runs[side]) {
            const std::vector<bool> wanted(restless_[side].begin() + static_cast<std::ptrdiff_t>(first),
                                           restless_[side].begin() + static_cast<std::ptrdiff_t>(end));
            for (const auto& [from, to] : active_runs(wanted, margin_of(scene_.fps))) {
                follow(side, first + from, first + to);
                const ArmTask task{scene_.target, obstacles_, goals_[side], scene_.fps};
                improve_arm(task, first + from, first + to, damping, arms_[side]);
                rest(side, first + from, first + to);
                any = true;
            }
        }
        return any;
    }

private:
    const TouchScene& scene_;
    const std::vector<Touch>& touches_;
    std::array<ArmPath, 2>& arms_;
    std::vector<Obstacles> obstacles_;
    std::array<Goals, 2> goals_;
    std::array<std::vector<bool>, 2> restless_;

    void follow(size_t side, size_t first, size_t end) {
        size_t g = 0;
        for (const Touch& touch : touches_) {
            if (!concerns(touch, side)) continue;
            if (moves_with_arm(touch)) set_wrist_goals(scene_, touch, side, arms_, first, end, goals_[side][g]);
            ++g;
        }
    }
    void rest(size_t side, size_t first, size_t end) {
        for (size_t f = first; f < end; ++f) restless_[side][f] = arms_[side].change[f] >= settled;
        if (arms_[1 - side].base.empty()) return;
        for (const Touch& touch : touches_)
            for (size_t f = first; f < end && moves_with_arm(touch) && concerns(touch, 1 - side); ++f)
                if (restless_[side][f] && touch.weight[f] > 0) restless_[1 - side][f] = true;
    }
};

}  // namespace

ArmTurns place_arms(const TouchScene& scene, const Vec3d& forward) {
    ArmTurns result;
    if (scene.target.poses.size() < 3) return result;
    std::vector<Touch> touches = find_touches(scene.source, scene.fps);
    std::erase_if(touches, [&](const Touch& touch) { return !can_follow(scene.target.shape, touch); });
    std::array<ArmPath, 2> arms = {record_arm(scene.target, forward, 0), record_arm(scene.target, forward, 1)};
    lay_hands(scene, touches, arms);
    // In a loop each round could turn the hand another way, which would show at the seam: there the arm alone is
    // raised.
    if (!scene.loops) raise_props(scene.target, scene.fps, arms);
    ArmSolve solve(scene, touches, arms);
    for (int round = 0; round < most_rounds; ++round) {
        // Steps grow shorter, so that an arm between two goals comes to rest.
        const double damping = round < free_rounds ? 0.0 : 20.0 * std::pow(4.0, round - free_rounds);
        const bool left = solve.improve(0, damping), right = solve.improve(1, damping);
        if (!left && !right) break;
    }
    for (size_t side = 0; side < 2; ++side)
        if (!solve.runs[side].empty())
            result.side[side] =
                turns_of(arms[side], solve.runs[side], !scene.target.shape.held[side].empty(), scene.fps);
    return result;
}

}  // namespace sinew
