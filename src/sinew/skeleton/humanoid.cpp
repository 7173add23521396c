#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/humanoid/humanoid_limbs.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr std::string_view role_names[] = {"hips",
                                           "spine",
                                           "chest",
                                           "upperChest",
                                           "neck",
                                           "head",
                                           "leftEye",
                                           "rightEye",
                                           "jaw",
                                           "leftUpperLeg",
                                           "leftLowerLeg",
                                           "leftFoot",
                                           "leftToes",
                                           "rightUpperLeg",
                                           "rightLowerLeg",
                                           "rightFoot",
                                           "rightToes",
                                           "leftShoulder",
                                           "leftUpperArm",
                                           "leftLowerArm",
                                           "leftHand",
                                           "rightShoulder",
                                           "rightUpperArm",
                                           "rightLowerArm",
                                           "rightHand",
                                           "leftThumbMetacarpal",
                                           "leftThumbProximal",
                                           "leftThumbDistal",
                                           "leftIndexProximal",
                                           "leftIndexIntermediate",
                                           "leftIndexDistal",
                                           "leftMiddleProximal",
                                           "leftMiddleIntermediate",
                                           "leftMiddleDistal",
                                           "leftRingProximal",
                                           "leftRingIntermediate",
                                           "leftRingDistal",
                                           "leftLittleProximal",
                                           "leftLittleIntermediate",
                                           "leftLittleDistal",
                                           "rightThumbMetacarpal",
                                           "rightThumbProximal",
                                           "rightThumbDistal",
                                           "rightIndexProximal",
                                           "rightIndexIntermediate",
                                           "rightIndexDistal",
                                           "rightMiddleProximal",
                                           "rightMiddleIntermediate",
                                           "rightMiddleDistal",
                                           "rightRingProximal",
                                           "rightRingIntermediate",
                                           "rightRingDistal",
                                           "rightLittleProximal",
                                           "rightLittleIntermediate",
                                           "rightLittleDistal"};
static_assert(std::size(role_names) == role_count);

void set(HumanoidMap& map, Role role, int32_t joint) {
    map.joint[static_cast<size_t>(role)] = joint;
}

// The joint above both legs and the upper body. A joint just above it that is called hips or pelvis comes first: Biped
// hangs the thighs on the first spine joint.
int32_t find_hips(const BodyTree& tree, const Limbs& limbs, int32_t upper_body) {
    int32_t hips = common_ancestor(tree, limbs.leg[0]->joint[0], limbs.leg[1]->joint[0]);
    if (hips < 0) return -1;
    if (upper_body >= 0) hips = common_ancestor(tree, hips, upper_body);
    int32_t above = hips;
    for (int step = 0; step < 3 && above >= 0; ++step, above = tree.parent(above))
        if (tree.name(above).part == BodyPart::hips && !tree.name(above).helper) return above;
    return hips;
}

// The joint called head that is nearest to the trunk; else the end of the neck; else the highest branch that is no arm.
int32_t find_head(const BodyTree& tree, int32_t below, const Limbs& limbs, const Vec3d& up) {
    int32_t head = -1, neck = -1, top = -1;
    for (size_t i = static_cast<size_t>(std::max(below, 0)); i < tree.names.size(); ++i) {
        const auto j = static_cast<int32_t>(i);
        const JointName& name = tree.name(j);
        if (!is_ancestor_or_self(tree, below, j) || name.helper || name.side != Side::none) continue;
        const auto depth = [&](int32_t joint) { return tree.depth[static_cast<size_t>(joint)]; };
        if (name.part == BodyPart::head && (head < 0 || depth(j) < depth(head))) head = j;
        if (name.part == BodyPart::neck && (neck < 0 || depth(j) > depth(neck))) neck = j;
        bool in_limb = false;
        for (const auto& limb : {limbs.arm[0], limbs.arm[1]})
            in_limb |= limb && is_ancestor_or_self(tree, limb->first(LimbKind::arm), j);
        for (const auto& limb : {limbs.leg[0], limbs.leg[1]})
            in_limb |= limb && is_ancestor_or_self(tree, limb->joint[0], j);
        const bool nameless = name.part == BodyPart::none && !name.animal_limb;
        if (!in_limb && nameless && (top < 0 || tree.at(j).dot(up) > tree.at(top).dot(up))) top = j;
    }
    if (head >= 0) return head;
    if (neck >= 0) return neck;
    return top;
}

// For names that say nothing. Neck and head lie on the path from the chest to the highest joint. The head is where the
// path branches (eyes, hair); a single tip at the end belongs to the skull.
int32_t head_by_shape(const BodyTree& tree, int32_t chest, int32_t top) {
    const std::vector<int32_t> path = path_below(tree, chest, top);
    for (size_t i = 0; i < path.size(); ++i)
        if (tree.children[static_cast<size_t>(path[i])].size() > 1) return path[i];
    if (path.empty()) return -1;
    return path.size() >= 3 ? path[path.size() - 2] : path.back();
}

void name_trunk(const BodyTree& tree, int32_t hips, int32_t head, int32_t chest, HumanoidMap& map) {
    std::vector<int32_t> spine, neck;
    bool in_neck = false;
    for (const int32_t joint : path_below(tree, hips, head)) {
        if (joint == head) break;
        const JointName& name = tree.name(joint);
        in_neck |= name.part == BodyPart::neck;
        if (!name.helper) (in_neck ? neck : spine).push_back(joint);
        // The trunk ends at the joint that holds the arms, unless names say that the neck begins later.
        if (joint == chest) in_neck = true;
    }
    const bool neck_named = std::ranges::any_of(neck, [&](int32_t j) { return tree.name(j).part == BodyPart::neck; });
    if (neck_named) {
        while (!neck.empty() && tree.name(neck.front()).part != BodyPart::neck) {
            spine.push_back(neck.front());
            neck.erase(neck.begin());
        }
    }
    const size_t n = spine.size();
    if (n == 1) set(map, tree.name(spine[0]).part == BodyPart::chest ? Role::chest : Role::spine, spine[0]);
    if (n >= 2) set(map, Role::spine, spine[0]);
    if (n == 2) set(map, Role::chest, spine[1]);
    if (n >= 3) {
        set(map, Role::chest, spine[n / 2]);
        set(map, Role::upper_chest, spine[n - 1]);
    }
    if (!neck.empty()) set(map, Role::neck, neck[0]);
}

void name_face(const BodyTree& tree, int32_t head, HumanoidMap& map) {
    for (size_t i = static_cast<size_t>(head) + 1; i < tree.names.size(); ++i) {
        const auto j = static_cast<int32_t>(i);
        const JointName& name = tree.name(j);
        if (name.helper || !is_ancestor_or_self(tree, head, j)) continue;
        const auto claim = [&](Role role) {
            if (map[role] < 0) set(map, role, j);
        };
        if (name.part == BodyPart::eye && name.side == Side::left) claim(Role::left_eye);
        if (name.part == BodyPart::eye && name.side == Side::right) claim(Role::right_eye);
        if (name.part == BodyPart::jaw) claim(Role::jaw);
    }
}

void name_limbs(const BodyTree& tree, const Limbs& limbs, HumanoidMap& map) {
    for (size_t side = 0; side < 2; ++side) {
        const auto leg = static_cast<size_t>(side == 0 ? Role::left_upper_leg : Role::right_upper_leg);
        const auto arm = static_cast<size_t>(side == 0 ? Role::left_shoulder : Role::right_shoulder);
        for (size_t slot = 0; slot < 4; ++slot) {
            if (limbs.leg[side]) map.joint[leg + slot] = limbs.leg[side]->joint[slot];
            if (limbs.arm[side]) map.joint[arm + slot] = limbs.arm[side]->joint[slot];
        }
        if (limbs.arm[side] && limbs.arm[side]->joint[3] >= 0)
            find_fingers(tree, side == 0 ? Side::left : Side::right, limbs.arm[side]->joint[3], map);
    }
}

// The coordinate axis along which the body stands.
Vec3d standing_axis(const BodyTree& tree, const Limbs& limbs) {
    Vec3d up = Vec3d::Zero();
    for (const auto& leg : {limbs.leg[0], limbs.leg[1]})
        if (leg) up += tree.at(leg->joint[0]) - tree.at(leg->joint[1]);
    Eigen::Index axis = 1;
    if (!(up.cwiseAbs().maxCoeff(&axis) > 0)) return Vec3d::UnitY();
    return Vec3d::Unit(axis) * (up[axis] < 0 ? -1.0 : 1.0);
}

// True where the trunk lies level and the hands are on the floor, whatever the joints are called.
bool on_all_fours(const BodyTree& tree, const Limbs& limbs, const Vec3d& up) {
    Vec3d trunk = Vec3d::Zero(), sole = Vec3d::Zero(), hand = Vec3d::Zero(), shoulder = Vec3d::Zero();
    for (size_t side = 0; side < 2; ++side) {
        const Limb &leg = *limbs.leg[side], &arm = *limbs.arm[side];
        trunk += tree.at(arm.joint[1]) - tree.at(leg.joint[0]);
        sole += tree.at(leg.joint[2] >= 0 ? leg.joint[2] : leg.joint[1]);
        hand += tree.at(arm.joint[3] >= 0 ? arm.joint[3] : arm.joint[2]);
        shoulder += tree.at(arm.joint[1]);
    }
    return trunk.dot(up) < 0.5 * trunk.norm() && (hand - sole).dot(up) < 0.4 * (shoulder - sole).dot(up);
}

// A body without legs: its trunk begins at the joint called hips, else at the first of the spine.
void name_upper_body(const BodyTree& tree, const Limbs& limbs, HumanoidMap& map) {
    const int32_t chest = common_ancestor(tree, limbs.arm[0]->first(LimbKind::arm), limbs.arm[1]->first(LimbKind::arm));
    int32_t base = -1;
    for (int32_t above = chest; above >= 0; above = tree.parent(above)) {
        const BodyPart part = tree.name(above).part;
        if (part == BodyPart::hips) set(map, Role::hips, above);
        if (part == BodyPart::hips || part == BodyPart::spine || part == BodyPart::chest) base = above;
        if (part == BodyPart::hips) break;
    }
    if (base < 0) return;
    const int32_t head = find_head(tree, chest, limbs, Vec3d::UnitY());
    const int32_t hips = map[Role::hips] >= 0 ? base : tree.parent(base);
    if (head >= 0 && tree.name(head).part != BodyPart::none) {
        set(map, Role::head, head);
        name_trunk(tree, hips, head, chest, map);
        name_face(tree, head, map);
    } else if (chest > hips) {
        name_trunk(tree, hips, chest, chest, map);
    }
}

HumanoidMap read_roles(BodyTree& tree) {
    HumanoidMap map;
    // A body with front and hind legs walks on four, whatever else the names say.
    if (std::ranges::any_of(tree.names, [](const JointName& name) { return name.animal_leg; })) return map;

    Limbs limbs;
    for (size_t side = 0; side < 2; ++side) {
        limbs.leg[side] = find_named_limb(tree, LimbKind::leg, side == 0 ? Side::left : Side::right);
        limbs.arm[side] = find_named_limb(tree, LimbKind::arm, side == 0 ? Side::left : Side::right);
    }
    const bool moving = !tree.moments.empty();
    Vec3d up = moving && limbs.legs() ? stand_up(tree, limbs) : standing_axis(tree, limbs);
    int32_t chest = -1;
    const bool wild = std::ranges::any_of(tree.names, [](const JointName& name) { return name.animal_limb; });
    if (!(limbs.legs() && limbs.arms()) && !wild) {
        if (const auto shape = moving ? find_limbs_by_motion(tree) : find_limbs_by_shape(tree)) {
            // Where names tell the sides of one pair, the other pair follows.
            for (size_t side = 0; side < 2; ++side) {
                if (!limbs.legs()) limbs.leg[side].reset();
                if (!limbs.arms()) limbs.arm[side].reset();
            }
            const bool named_legs = limbs.legs(), named_arms = limbs.arms();
            const auto& known = named_legs ? limbs.leg : limbs.arm;
            const auto& seen = named_legs ? shape->legs : shape->arms;
            const bool swap =
                (named_legs || named_arms) && (tree.at(known[0]->joint[1]) - tree.at(known[1]->joint[1]))
                                                      .dot(tree.at(seen[0].joint[1]) - tree.at(seen[1].joint[1])) < 0;
            for (size_t side = 0; side < 2; ++side) {
                if (!named_legs) limbs.leg[side] = shape->legs[swap ? 1 - side : side];
                if (!named_arms) limbs.arm[side] = shape->arms[swap ? 1 - side : side];
            }
            up = shape->up;
        }
    }
    find_loose_ends(tree, limbs);
    if (limbs.legs() && limbs.arms() && on_all_fours(tree, limbs, up)) return map;
    name_limbs(tree, limbs, map);
    if (!limbs.legs()) {
        if (limbs.arms()) name_upper_body(tree, limbs, map);
        return map;
    }

    if (limbs.arms())
        chest = common_ancestor(tree, limbs.arm[0]->first(LimbKind::arm), limbs.arm[1]->first(LimbKind::arm));
    const int32_t hips = find_hips(tree, limbs, chest);
    if (hips < 0) return map;
    set(map, Role::hips, hips);
    int32_t head = find_head(tree, chest >= 0 ? chest : hips, limbs, up);
    if (head < 0 && chest >= 0) head = find_head(tree, hips, limbs, up);
    if (head >= 0 && tree.name(head).part == BodyPart::none)
        head = head_by_shape(tree, chest >= 0 ? chest : hips, head);
    if (head < 0) {
        if (chest > hips) name_trunk(tree, hips, chest, chest, map);
        return map;
    }
    set(map, Role::head, head);
    name_trunk(tree, hips, head, chest, map);
    name_face(tree, head, map);
    return map;
}

}  // namespace

std::string_view to_string(Role role) {
    return role < Role::count ? role_names[static_cast<size_t>(role)] : std::string_view("none");
}

std::vector<Role> HumanoidMap::roles(size_t joint_count) const {
    std::vector<Role> result(joint_count, Role::count);
    for (size_t r = 0; r < role_count; ++r)
        if (joint[r] >= 0 && static_cast<size_t>(joint[r]) < joint_count)
            result[static_cast<size_t>(joint[r])] = static_cast<Role>(r);
    return result;
}

bool HumanoidMap::is_body() const {
    return std::ranges::all_of(
        std::array{Role::hips, Role::left_upper_leg, Role::left_lower_leg, Role::right_upper_leg, Role::right_lower_leg,
                   Role::left_upper_arm, Role::left_lower_arm, Role::right_upper_arm, Role::right_lower_arm},
        [&](Role role) { return (*this)[role] >= 0; });
}

HumanoidMap recognise_humanoid(const Skeleton& skeleton) {
    BodyTree tree = make_body_tree(skeleton);
    return read_roles(tree);
}

HumanoidMap recognise_humanoid(const Skeleton& skeleton, std::span<const std::vector<Vec3d>> moments) {
    if (moments.empty()) return recognise_humanoid(skeleton);
    BodyTree tree = make_body_tree(skeleton, moments);
    return read_roles(tree);
}

}  // namespace sinew
