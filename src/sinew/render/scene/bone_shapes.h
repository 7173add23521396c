// Bones: a skeleton as something one can look at — octahedral bones from joint to joint, a ball on every joint.
// Data flow: Skeleton, joint positions → *here* → a SceneSurface (scene.h).
#pragma once

#include <sinew/character/character.h>
#include <sinew/render/scene/scene.h>

namespace sinew {

// The joints worth showing: those of the character's skins and everything between them; when it has no
// skin, a person from the hips on (not the cameras and lights beside it), and all joints of anything else.
std::vector<bool> shown_joints(const Character& character);

// Joints that hold the others but move no vertex themselves: a root on the ground, targets of controls. None without
// skin.
std::vector<bool> helper_joints(const Character& character);

// Topology that stays while the joints move. Bones that start at a helper are drawn as thin rods.
class BoneFigure {
public:
    BoneFigure(const Skeleton& skeleton, const std::vector<bool>& shown, const std::vector<bool>& helper);

    bool empty() const { return balls_.empty(); }
    // A surface whose triangles and colours point into this object, which must stay where it is. In scene units.
    SceneSurface surface(std::span<const Vec3> joint_positions) const;
    // Overwrites positions and normals for joints that have moved.
    void place(std::span<const Vec3> joint_positions, SceneSurface& surface) const;

private:
    struct Bone {
        int32_t head = 0;
        int32_t tail = 0;      // −1: a leaf, which points on in its parent's direction
        int32_t previous = 0;  // for a leaf: the joint its bone comes from
        bool rod = false;
    };
    std::vector<Bone> bones_;
    std::vector<int32_t> balls_;
    std::vector<uint32_t> triangles_;
    std::vector<Vec4> colors_;
};

}  // namespace sinew
