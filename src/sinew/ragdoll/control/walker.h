// BalancedWalker: a person's ragdoll that walks by its own strength: poses in turn, and a swing leg that is put where
// the body falls to [Yin2007]. Data flow: WalkStyle, RagdollWorld → *here*, step by step → torques.
#pragma once

#include <sinew/ragdoll/control/tracking.h>
#include <sinew/ragdoll/control/walk_style.h>
#include <array>

namespace sinew {

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

}  // namespace sinew
