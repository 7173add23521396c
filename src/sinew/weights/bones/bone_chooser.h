// BoneChooser: the steps by which joints and the bones they own are chosen.
// Data flow: choose_bones.cpp → bone_fates.cpp (who owns nothing) → bone_segments.cpp (who owns what) → bone_reach.cpp
// (how far). The numbers are in bone_rules.h.
#pragma once

#include <sinew/weights/bones/bone_rules.h>
#include <sinew/weights/bones/choose_bones.h>
#include <string_view>

namespace sinew {

namespace rule = bone_rules;

enum class JointFate : uint8_t { bone, not_in_skin, no_deform, control, root, parallel, marker, eye, by_hand };

// Why the joint owns nothing, for the report; empty for bones.
std::string_view to_text(JointFate fate);

// Whether a joint's name says that it only marks the end of its parent: "tip", "nub", …
bool names_an_end(std::string_view name);

// The bone of a joint at the end of a chain, along the chain's direction.
struct EndBone {
    Vec3d direction = Vec3d::UnitY();
    double length = 0.0;
    double way_to_skin = -1.0;   // negative: there is no skin in this direction
    double parent_length = 0.0;  // 0 without a parent
};

// The choice while it is being made. Call `link` after fates have changed.
struct BoneChooser {
    const Skeleton& skeleton;
    const Surface& surface;
    std::vector<AffineD> frames;  // of the joints, in the Surface's units
    std::vector<JointFate> fate;
    std::vector<std::vector<int32_t>> children;  // among joints that may own skin
    std::vector<int32_t> parent;                 // among the same
    std::vector<int32_t> below;                  // size of the subtree, itself included
    std::vector<std::string> why;
    std::vector<Bone> bones;
    int axis = -1;                    // 0…5: +X −X +Y −Y +Z −Z
    bool bones_are_explicit = false;  // the axis is the bone itself, not only a hint
    const WeightRig* rig = nullptr;
    double longest_edge = 0.0;  // of the surface

    size_t size() const { return skeleton.size(); }
    Vec3d at(int32_t j) const { return frames[static_cast<size_t>(j)].translation(); }
    bool kept(int32_t j) const { return fate[static_cast<size_t>(j)] == JointFate::bone; }
    double length_to(int32_t from, int32_t to) const { return (at(to) - at(from)).norm(); }

    // Makes the tree of the joints that still count: each hangs on its nearest ancestor that counts.
    void link();

    void leave_out(int32_t joint, JointFate reason) { fate[static_cast<size_t>(joint)] = reason; }
    void leave_out_below(int32_t joint, JointFate reason) {
        for (int32_t child : children[static_cast<size_t>(joint)]) leave_out_below(child, reason);
        leave_out(joint, reason);
    }

    void leave_out_by_file();
    void leave_out_by_name();
    void leave_out_roots();
    bool carries_a_bust(int32_t joint) const;
    void leave_out_eyes();
    bool tells_inside(std::span<const int32_t> joints) const;
    bool repeats_or_outside(int32_t joint, int32_t main_tree) const;
    void find_axis();
    Vec3d along_axis(int32_t joint) const;
    void own_segments(int32_t joint);
    int32_t child_along_axis(int32_t joint, double& cosine) const;
    void own_by_axis(int32_t joint);
    void own_by_shape(int32_t joint);
    void own_main(int32_t joint, int32_t child);
    void own_sides(int32_t joint, int32_t main);
    bool starts_limb(int32_t joint, int32_t child, const Vec3d& main) const;
    bool leaves_gap(int32_t joint, int32_t child) const;
    bool is_twin(int32_t joint, int32_t child, int32_t other) const;
    void own_ways(int32_t joint, int32_t except);
    void own_way(int32_t joint, int32_t child);
    void own_face(int32_t joint);
    EndBone end_bone(int32_t joint) const;
    void look_around(int32_t joint, EndBone& end) const;
    bool ends_chain(int32_t joint) const;
    void own_end(int32_t joint);
    void own(int32_t joint, const Vec3d& tail, std::string text);
    void own_side(int32_t joint, const Vec3d& tail, std::string text);
    bool is_neck(int32_t joint) const;
    bool is_clavicle(int32_t joint) const;
    bool is_paired(int32_t joint, int32_t child) const;
    int32_t main_child(int32_t joint) const;
    void measure_reach();
};

}  // namespace sinew
