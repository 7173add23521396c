// BalancedWalker: a person's ragdoll that walks by its own strength: poses in turn, and a swing leg that is put where
// the body falls to [Yin2007]. Data flow: WalkStyle, RagdollWorld → *here*, step by step → torques.
#pragma once

#include <sinew/ragdoll/control/tracking.h>
#include <array>
#include <string_view>

namespace sinew {

// What a walk is made of; learn_walk.h looks for better ones and found these, from the numbers of a prototype. Angles
// in radians: the swing leg's first from the vertical, forwards positive, then knees, flexed positive. A: the leg
// swings, B: it comes down. Times and speeds are those of a body of 1.75 m; others walk alike.
struct WalkStyle {
    double dwell = 0.454311;  // seconds of A; B ends with the foot's strike
    double swing_hip_a = 0.269429, swing_hip_b = -0.059043;
    double swing_knee_a = 1.219388, swing_knee_b = 0.176359;
    double stance_knee_a = 0.142728, stance_knee_b = 0.512705;
    double swing_ankle = 0.621864, stance_ankle_a = 0.044804, stance_ankle_b = 0.178509;  // toes up positive
    double lean = -0.046771;                                                              // of the chest, forwards
    double pelvis_pitch = -0.00542;
    // Balance: how much the swing leg's angle follows the place of the centre of mass ahead of the standing foot, and
    // its speed; ahead in A and B, and sideways.
    double place_a = 1.327445, place_b = 0.906114, speed_a = 0.285408, speed_b = 0.280427;
    double side_place = 0.5664, side_speed = 0.207783;
    double arms = 0.260241;  // how far they swing
    // A ends early where the body falls away from the foot that stands: as soon as the point that it could come to rest
    // over is so far from that foot, in metres: ahead of it, behind it, and beyond it sideways.
    double hurry_ahead = 0.617534, hurry_behind = 0.121016, hurry_aside = 0.005838;
    // The standing foot presses with its toes, its heel or a side: metres of that for each metre a second that the body
    // is quicker over the foot than usual_speed, and for each metre that the same point is further out than
    // usual_aside.
    double press_ahead = 0.188932, usual_speed = 0.771513, press_aside = 0.969468, usual_aside = -0.049877;
    double sway = 0.180409;         // of the chest, sideways: radians for each metre of that point beyond usual_aside
    double swing_force = 1.083039;  // of the leg that swings, times the usual
    double most_wide = 0.279214, most_cross = 0.100189;  // how far it swings out and over to the other leg
};
constexpr size_t walk_style_size = sizeof(WalkStyle) / sizeof(double);
// The same as numbers, and about how much each may change at once in a search.
std::array<double, walk_style_size> to_numbers(const WalkStyle& style);
WalkStyle from_numbers(std::span<const double, walk_style_size> numbers);
std::array<double, walk_style_size> walk_style_spread();
// Balance off: what evolution starts from.
WalkStyle without_balance(WalkStyle style);

// The step in which a walker's world goes on, and its solver.
inline const RagdollWorldOptions walking_world{.step = 1e-3, .iterations = 10};
constexpr RagdollOptions walking_parts{.hands = false, .waist = false};

class BalancedWalker {
public:
    // A person's body with walking_parts.
    static Result<BalancedWalker> create(const RagdollBody& body, const WalkStyle& style = {});

    // Upright on the ground at `at`, facing `heading` (radians from the rest pose's), about to swing the right leg.
    std::vector<PartState> stand(const Vec3d& at, double heading = 0.0, double speed = 0.4) const;
    // Torques for the next step of the world. It walks towards `heading`.
    void apply(RagdollWorld& world, size_t body, double heading = 0.0);

    int steps() const { return steps_; }
    bool fallen(const RagdollWorld& world, size_t body) const;
    // Where a walker is: the pelvis' turn away from `heading`, the centre of mass and its velocity.
    double yaw(const RagdollWorld& world, size_t body, double heading = 0.0) const;
    const RagdollLimpness& limpness() const { return limpness_; }
    double time_scale() const { return time_scale_; }

private:
    struct Leg {
        size_t upper = 0, lower = 0, foot = 0;
    };
    struct Arm {
        int32_t upper = -1, lower = -1;
    };
    explicit BalancedWalker(const RagdollBody& body) : body_(body), tracker_(body, {.frequency = 4.0, .root = 0.0}) {}
    void advance(const RagdollWorld& world, size_t body, const Vec3d& capture, const Vec3d& ahead, const Vec3d& left);
    void press(RagdollWorld& world, size_t body, const Vec3d& from_foot, const Vec3d& speed, const Vec3d& ahead,
               const Vec3d& left) const;
    void hold_arms(RagdollWorld& world, size_t body, double stride) const;

    RagdollBody body_;
    PoseTracker tracker_;
    WalkStyle style_;
    RagdollLimpness limpness_;
    std::array<Leg, 2> legs_;  // left, right
    std::array<Arm, 2> arms_;
    size_t pelvis_ = 0, chest_ = 0;
    std::vector<Quatd> upright_;  // of each part when the body stands straight
    std::vector<Vec3d> places_;   // of each part's centre then, feet on y = 0 and the middle over the origin
    double toe_ = 0.0, heel_ = 0.0,
           half_sole_ = 0.0;  // how far soles reach from the ankle: ahead, behind, aside; metres
    double strength_ = 1.0, time_scale_ = 1.0, pelvis_height_ = 1.0;
    size_t stance_ = 0;  // the leg that stands
    double since_ = 0.0;
    bool coming_down_ = false;
    int steps_ = 0;
};

// A walk of `seconds` on a plane that rises by `slope` (radians) ahead, pushed on the way; the figures that tell how it
// went. Deterministic.
struct WalkPush {
    double at = 1.0, seconds = 0.2;
    Vec3d force = Vec3d::Zero();  // on the chest
};
struct WalkTrial {
    double seconds = 10.0;
    int steps = 1 << 30;  // it ends after so many
    double slope = 0.0;
    std::vector<WalkPush> pushes;
};
// How a walk went, up to some moment.
struct WalkFigures {
    int steps = 0;
    double seconds = 0.0, distance = 0.0;  // ahead, metres
    double worst_yaw = 0.0, sideways = 0.0;
    double effort = 0.0;  // mean squared spin of the chest: how restless it is
};
struct WalkOutcome : WalkFigures {
    WalkFigures calm;  // up to the first push; all of it where there is none
    bool fell = false;
    std::vector<PartState> last;
};
Result<WalkOutcome> try_walk(const RagdollBody& body, const WalkStyle& style, const WalkTrial& trial = {});

}  // namespace sinew
