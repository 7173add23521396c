// Bone shapes: draws a skeleton as octahedral bones from joint to joint, with a ball on every joint.
// Data flow: Skeleton, joint positions → *here* → a SceneSurface (surface.h).
#pragma once

#include <sinew/character/character.h>
#include <sinew/render/scene/surface.h>

namespace sinew {

// The joints worth showing: those of the character's skins and all joints between them. Without a skin: of a person the
// hips and all below (not the cameras and lights beside them), of anything else all joints.
std::vector<bool> shown_joints(const Character& character);

// Joints that hold others but move no vertex themselves, such as a root on the ground or a control's target. Without a
// skin there are none.
std::vector<bool> helper_joints(const Character& character);

// The triangles stay the same while the joints move. Bones that start at a helper are drawn as thin rods.
class BoneFigure {
public:
    BoneFigure(const Skeleton& skeleton, const std::vector<bool>& shown, const std::vector<bool>& helper);

    bool empty() const { return balls_.empty(); }
    // A surface in scene units. Its triangles and colours point into this object, which must stay where it is.
    SceneSurface surface(std::span<const Vec3> joint_positions) const;
    // Overwrites positions and normals for joints that have moved.
    void place(std::span<const Vec3> joint_positions, SceneSurface& surface) const;

private:
    struct Bone {
        int32_t head = 0;
        int32_t tail = 0;      // −1 at a leaf: the bone continues its parent's direction
        int32_t previous = 0;  // at a leaf: the joint that its parent bone starts from
        bool rod = false;
    };
    std::vector<Bone> bones_;
    std::vector<int32_t> balls_;
    std::vector<uint32_t> triangles_;
    std::vector<Vec4> colors_;
};

}  // namespace sinew
