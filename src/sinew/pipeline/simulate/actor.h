// Actor: a character in a simulation: its skin as a surface that moves, and capsules inside its limbs.
// Data flow: Character, its first clip → *here*, frame after frame → cloth, particles.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/edit/frames.h>
#include <sinew/edit/root_motion.h>
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/surface_tree.h>
#include <memory>

namespace sinew {

struct Worn;

class Actor {
public:
    // `clip` of the character, looped; null: it stands. What is worn is no part of the body. The character must outlive
    // the actor.
    Actor(const Character& character, const Clip* clip, std::span<const Worn> without = {});

    // The pose at a time. Before 0 it comes from the rest pose within `lead` seconds, then holds still. A body that
    // travels goes on travelling when its clip begins again.
    static constexpr double lead = 1.2;
    void pose_at_time(double time, Pose& pose) const;

    // How the body travels as its clip begins. What it wears has settled in its first pose, and travels along from the
    // first moment: if the body tore off from under it, it would be flung into knots.
    Vec3 first_velocity() const;

    // The clip's last pose is its first, but for the way that the body went.
    bool loops() const;
    // The place of a body that has gone so many rounds, seen from its first.
    AffineD round_place(int rounds) const;

    // Moves on to this time: `before` becomes what was now.
    void move_to(double time, double seconds);

    const SurfaceTree& skin() const { return skin_; }
    ClothBody body() const { return {&skin_, before_}; }
    const std::vector<Collider>& capsules() const { return capsules_; }  // at the start of the step, moving
    const Character& character() const { return character_; }
    const std::vector<DeformedPrimitive>& parts() const { return parts_; }
    // The joint that moves a vertex of the skin most; −1: of a garment.
    int32_t owner(uint32_t vertex) const { return owner_[vertex]; }
    const Pose& pose() const { return pose_; }
    const ClipBody& clip_body() const { return body_; }
    const std::vector<AffineD>& world() const { return world_; }

private:
    struct Bone {
        int32_t joint, child;
        double radius;
    };
    void gather(std::vector<Vec3>& out);
    void find_bones();

    const Character& character_;
    const Clip* clip_;
    ClipBody body_;
    std::vector<int32_t> carriers_ = {0};
    GroundPlace round_;  // how far one round of the clip goes
    std::unique_ptr<CharacterDeformer> deformer_;
    std::vector<DeformedPrimitive> parts_;
    Pose pose_;
    std::vector<AffineD> world_, last_world_;
    SurfaceTree skin_;
    std::vector<Vec3> before_, now_;
    std::vector<int32_t> owner_;  // the skeleton's joint that moves each vertex most
    std::vector<Bone> bones_;
    std::vector<Collider> capsules_;
};

// A point that goes along with a body's skin: barycentric, at a distance from it.
struct SkinBinding {
    uint32_t triangle = 0xffffffffu;
    Vec3 share = Vec3::Zero();
    float distance = 0.0f;
};
SkinBinding bind_to_skin(const SurfaceTree& skin, const Vec3& point);
Vec3 bound_place(const SurfaceTree& skin, const SkinBinding& binding);

}  // namespace sinew
