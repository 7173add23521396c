#include <sinew/skeleton/joint_name.h>
#include <sinew/weights/bones/bone_chooser.h>
#include <algorithm>

namespace sinew {
namespace {

// The part of the body that the joint's name names; none for helpers (twists, tips, attachments).
BodyPart part_of(const BoneChooser& chooser, int32_t joint) {
    const JointName name = parse_joint_name(chooser.skeleton.names()[static_cast<size_t>(joint)]);
    return name.helper ? BodyPart::none : name.part;
}

}  // namespace

// A joint that is named a neck, or that carries nothing but a head.
bool BoneChooser::is_neck(int32_t joint) const {
    const auto& list = children[static_cast<size_t>(joint)];
    return part_of(*this, joint) == BodyPart::neck ||
           (list.size() == 1 && part_of(*this, list.front()) == BodyPart::head);
}

// A joint that is named a clavicle, or a shoulder that carries an arm. Blender's bones are segments, as long and as
// near to the skin as their makers want, and need no such rule.
bool BoneChooser::is_clavicle(int32_t joint) const {
    if (bones_are_explicit) return false;
    const BodyPart part = part_of(*this, joint);
    if (part != BodyPart::shoulder) return part == BodyPart::clavicle;
    const int32_t next = main_child(joint);
    const BodyPart carried = next >= 0 ? part_of(*this, next) : BodyPart::none;
    return carried == BodyPart::arm || carried == BodyPart::upper_arm;
}

// A detail (a lid, a lip, a brow) is small beside the bone that carries it and does not continue it. Skin farther from
// a detail than the detail is large follows the carrier.
void BoneChooser::measure_reach() {
    std::vector<double> extent(size(), 0.0), longest(size(), 0.0);
    std::vector<const Bone*> first(size(), nullptr);
    for (const Bone& bone : bones) {
        const auto owner = static_cast<size_t>(bone.joint);
        if (!first[owner]) first[owner] = &bone;
        longest[owner] = std::max(longest[owner], (bone.tail - bone.head).norm());
        for (int32_t j = bone.joint; j >= 0; j = parent[static_cast<size_t>(j)]) {
            double& all = extent[static_cast<size_t>(j)];
            all = std::max({all, (bone.tail - at(j)).norm(), (bone.head - at(j)).norm()});
        }
    }
    std::vector<double> reach(size(), INFINITY);
    for (size_t j = 0; j < size(); ++j) {
        if (parent[j] < 0) continue;
        const auto up = static_cast<size_t>(parent[j]);
        reach[j] = reach[up];
        if (!first[up] || !first[j]) continue;
        const Vec3d end = first[up]->tail;
        const bool carries_on =
            (end - at(static_cast<int32_t>(j))).norm() < rule::at_the_end * (end - first[up]->head).norm();
        if (!carries_on && extent[j] < rule::detail_share * longest[up])
            reach[j] = std::min(reach[j], rule::detail_reach * extent[j]);
    }
    for (Bone& bone : bones) bone.reach = reach[static_cast<size_t>(bone.joint)];
}

}  // namespace sinew
