#include <sinew/weights/bones/choose_bones.h>

#include <sinew/core/closest.h>
#include <sinew/math/segment.h>
#include <sinew/skeleton/pose.h>
#include <sinew/weights/bones/bone_chooser.h>
#include <sinew/weights/bones/bone_rays.h>
#include <algorithm>
#include <array>

namespace sinew {
namespace {

bool is_bone(JointFate fate) {
    return fate == JointFate::bone;
}

BoneChooser begin(const WeightRig& rig, const Surface& surface) {
    const Skeleton& skeleton = *rig.skeleton;
    BoneChooser chooser{.skeleton = skeleton, .surface = surface, .rig = &rig};
    chooser.frames = rig.mesh_from_joint.size() == skeleton.size() ? rig.mesh_from_joint : rest_world(skeleton);
    for (AffineD& frame : chooser.frames) {
        if (!frame.matrix().allFinite()) frame.setIdentity();
        frame.translation() = surface.to_surface(frame.translation());
    }
    chooser.fate.assign(skeleton.size(), JointFate::bone);
    chooser.why.assign(skeleton.size(), {});
    chooser.longest_edge = longest_edge(surface);
    return chooser;
}

// Turns names into joints. An unknown name is an error that suggests others.
Result<std::vector<int32_t>> find_joints(const Skeleton& skeleton, const std::vector<std::string>& names) {
    std::vector<int32_t> found;
    for (const std::string& text : names) {
        const std::string name = text.starts_with('+') || text.starts_with('-') ? text.substr(1) : text;
        const int32_t joint = skeleton.find(name);
        if (joint < 0) {
            const std::vector<std::string_view> known(skeleton.names().begin(), skeleton.names().end());
            return fail(ErrorCode::not_found, unknown_name("joint", name, known));
        }
        found.push_back(joint);
    }
    return found;
}

// True when the choice is all by hand.
bool apply_choice(const std::vector<std::string>& names, const std::vector<int32_t>& joints,
                  std::vector<JointFate>& fate) {
    bool exact = false;
    for (const std::string& name : names) exact |= !name.starts_with('+') && !name.starts_with('-');
    if (exact) std::fill(fate.begin(), fate.end(), JointFate::by_hand);
    for (size_t i = 0; i < names.size(); ++i)
        fate[static_cast<size_t>(joints[i])] = names[i].starts_with('-') ? JointFate::by_hand : JointFate::bone;
    return exact;
}

// Who may own skin: by the file, by names, by place, and by hand.
void decide_fates(BoneChooser& chooser, const BoneOptions& options, const std::vector<int32_t>& chosen) {
    chooser.leave_out_by_file();
    const std::vector<JointFate> by_file = chooser.fate;
    chooser.leave_out_by_name();
    chooser.leave_out_roots();
    chooser.leave_out_eyes();
    apply_choice(options.choose, chosen, chooser.fate);
    if (std::any_of(chooser.fate.begin(), chooser.fate.end(), is_bone)) return;
    chooser.fate = by_file;  // the rules left out all joints: take all that the file allows
    if (std::none_of(by_file.begin(), by_file.end(), is_bone))
        std::fill(chooser.fate.begin(), chooser.fate.end(), JointFate::bone);
}

// If there are only markers, they own skin as points.
void own_points(BoneChooser& chooser) {
    for (size_t j = 0; j < chooser.size(); ++j) {
        if (chooser.fate[j] != JointFate::bone && chooser.fate[j] != JointFate::marker) continue;
        chooser.fate[j] = JointFate::bone;
        chooser.own(static_cast<int32_t>(j), chooser.at(static_cast<int32_t>(j)), "a point");
    }
}

// One row per joint that the skin may use, or per joint of the skeleton.
std::vector<JointUse> make_table(const BoneChooser& chooser) {
    std::vector<int32_t> segments(chooser.size(), 0), joints = chooser.rig->joints;
    for (const Bone& bone : chooser.bones) ++segments[static_cast<size_t>(bone.joint)];
    if (joints.empty())
        for (size_t j = 0; j < chooser.size(); ++j) joints.push_back(static_cast<int32_t>(j));
    std::vector<JointUse> table;
    for (int32_t joint : joints) {
        if (joint < 0 || static_cast<size_t>(joint) >= chooser.size()) continue;
        const auto j = static_cast<size_t>(joint);
        table.push_back({joint, segments[j], segments[j] ? chooser.why[j] : std::string(to_text(chooser.fate[j]))});
    }
    return table;
}

}  // namespace

double nearest_on(const Bone& bone, const Vec3d& p) {
    return place_on_segment(p, bone.head, bone.tail);
}

Result<BoneChoice> choose_bones(const WeightRig& rig, const Surface& surface, const BoneOptions& options) {
    SINEW_TRY(const std::vector<int32_t> chosen, find_joints(*rig.skeleton, options.choose));
    BoneChooser chooser = begin(rig, surface);
    decide_fates(chooser, options, chosen);
    chooser.link();
    chooser.find_axis();
    for (size_t j = 0; j < chooser.size(); ++j)
        if (chooser.kept(static_cast<int32_t>(j))) chooser.own_segments(static_cast<int32_t>(j));
    if (chooser.bones.empty()) own_points(chooser);
    chooser.measure_reach();
    for (Bone& bone : chooser.bones) {
        bone.parent = chooser.parent[static_cast<size_t>(bone.joint)];
        bone.neck = chooser.is_neck(bone.joint);
        bone.clavicle = chooser.is_clavicle(bone.joint);
    }
    static constexpr std::array<std::string_view, 6> axes = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    BoneChoice choice{.bones = {}, .pivots = {}, .table = make_table(chooser)};
    if (chooser.axis >= 0) choice.axis = axes[static_cast<size_t>(chooser.axis)];
    for (size_t j = 0; j < chooser.size(); ++j)
        if (chooser.fate[j] == JointFate::bone || chooser.fate[j] == JointFate::eye)
            choice.pivots.push_back(
                {static_cast<int32_t>(j), chooser.at(static_cast<int32_t>(j)), chooser.fate[j] == JointFate::eye});
    choice.bones = std::move(chooser.bones);
    return choice;
}

}  // namespace sinew
