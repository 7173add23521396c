// What real meshes come with: other poses, things worn and carried, damage, any orientation. For the tests of rig.
#pragma once

#include <rig/load.h>

namespace sinew::test {

// Turns a joint (and what hangs on it) about a world axis.
inline void turn_joint(const Character& character, Pose& pose, int32_t joint, float angle_deg, const Vec3& axis) {
    if (joint < 0) return;
    std::vector<AffineD> world(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    const int32_t parent = character.skeleton.parents()[static_cast<size_t>(joint)];
    const Quatd up = parent < 0
                         ? Quatd(Quatd::Identity())
                         : Quatd(decompose(world[static_cast<size_t>(parent)]).transform.rotation.cast<double>());
    const Quatd turn(Eigen::AngleAxisd(static_cast<double>(radians(angle_deg)), axis.cast<double>()));
    Transform& local = pose.local[static_cast<size_t>(joint)];
    local.rotation = (up.conjugate() * turn * up * local.rotation.cast<double>()).normalized().cast<float>();
}

inline const std::vector<std::string>& pose_names() {
    static const std::vector<std::string> names = {"arms30", "arms65", "arms80", "apart", "raised", "waving", "turned"};
    return names;
}

// Poses that a fit may get wrong, to see whether it says so.
inline const std::vector<std::string>& hard_pose_names() {
    static const std::vector<std::string> names = {"arms-40", "arms86", "stepping", "striding",
                                                   "leaning", "folded", "seated",   "crouching"};
    return names;
}

// A biped in another pose by skinning ("arms" and how far they are lowered, or one of the others); joints where they
// are then.
inline void take_posed(const Character& character, const std::string& name, BareCharacter& out) {
    const HumanoidMap map = recognise_humanoid(character.skeleton);
    Pose pose = rest_pose(character);
    // From where the arm is now to the wanted angle below the horizontal.
    std::vector<AffineD> world(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    const auto arm_to = [&](Role upper, Role hand, float down_deg) {
        const Vec3d d =
            world[static_cast<size_t>(map[hand])].translation() - world[static_cast<size_t>(map[upper])].translation();
        const float now = degrees(static_cast<float>(std::atan2(-d.y(), std::abs(d.x()))));
        const float side = d.x() > 0.0 ? 1.0f : -1.0f;
        turn_joint(character, pose, map[upper], -side * (down_deg - now), Vec3::UnitZ());
    };
    if (name.rfind("arms", 0) == 0) {
        const float down = std::stof(name.substr(4));
        arm_to(Role::left_upper_arm, Role::left_hand, down);
        arm_to(Role::right_upper_arm, Role::right_hand, down);
    } else if (name == "apart") {
        turn_joint(character, pose, map[Role::left_upper_leg], 18.0f, Vec3::UnitZ());
        turn_joint(character, pose, map[Role::right_upper_leg], -18.0f, Vec3::UnitZ());
    } else if (name == "raised") {
        arm_to(Role::right_upper_arm, Role::right_hand, -60.0f);
        arm_to(Role::left_upper_arm, Role::left_hand, 40.0f);
    } else if (name == "waving") {  // the other arm by the side, and looking there
        arm_to(Role::right_upper_arm, Role::right_hand, -50.0f);
        arm_to(Role::left_upper_arm, Role::left_hand, 64.0f);
        turn_joint(character, pose, map[Role::left_upper_arm], -25.0f, Vec3::UnitY());
        turn_joint(character, pose, map[Role::head], 25.0f, Vec3::UnitY());
    } else if (name == "turned") {
        turn_joint(character, pose, map[Role::head], 40.0f, Vec3::UnitY());
    } else if (name == "stepping" || name == "striding") {
        const float angle = name == "stepping" ? 15.0f : 32.0f;
        turn_joint(character, pose, map[Role::left_upper_leg], -angle, Vec3::UnitX());
        turn_joint(character, pose, map[Role::right_upper_leg], angle, Vec3::UnitX());
        turn_joint(character, pose, map[Role::right_lower_leg], 0.5f * angle, Vec3::UnitX());
    } else if (name == "leaning") {
        turn_joint(character, pose, map[Role::spine], 20.0f, Vec3::UnitZ());
    } else if (name == "folded") {  // forearms before the belly
        arm_to(Role::left_upper_arm, Role::left_hand, 60.0f);
        arm_to(Role::right_upper_arm, Role::right_hand, 60.0f);
        turn_joint(character, pose, map[Role::left_lower_arm], -80.0f, Vec3::UnitY());
        turn_joint(character, pose, map[Role::right_lower_arm], 80.0f, Vec3::UnitY());
    } else if (name == "seated" || name == "crouching") {
        const bool low = name == "crouching";
        for (const bool left : {true, false}) {
            turn_joint(character, pose, map[left ? Role::left_upper_leg : Role::right_upper_leg],
                       low ? -105.0f : -85.0f, Vec3::UnitX());
            turn_joint(character, pose, map[left ? Role::left_lower_leg : Role::right_lower_leg], low ? 130.0f : 85.0f,
                       Vec3::UnitX());
        }
        turn_joint(character, pose, map[Role::spine], low ? 25.0f : 0.0f, Vec3::UnitX());
    }
    take_triangles(character, pose, out);
    take_truth(character, pose, out);
    Box box;
    for (const Vec3& p : out.positions) box.add(p);
    out.height = static_cast<double>(box.size().y());
}

inline BareCharacter posed(const CharacterFile& file, const std::string& name) {
    BareCharacter out{.name = std::string(file.name) + "+" + name, .kind = file.kind};
    take_posed(read_character(*data_dir() / file.path).value(), name, out);
    return out;
}

inline void add_box(BareCharacter& c, const Vec3& centre, const Vec3& half) {
    const auto base = static_cast<uint32_t>(c.positions.size());
    for (int i = 0; i < 8; ++i)
        c.positions.push_back(centre + half.cwiseProduct(Vec3((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1)));
    for (uint32_t v :
         {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5})
        c.triangles.push_back(base + v);
}

// An open tube around the vertical through `centre`, from radius a below to b above.
inline void add_tube(BareCharacter& c, const Vec3& low, float a, const Vec3& high, float b, bool closed) {
    const auto base = static_cast<uint32_t>(c.positions.size());
    constexpr uint32_t sectors = 24;
    for (uint32_t s = 0; s < sectors; ++s) {
        const float t = 2.0f * pi * static_cast<float>(s) / sectors;
        const Vec3 out(std::cos(t), 0.0f, std::sin(t));
        c.positions.push_back(low + a * out);
        c.positions.push_back(high + b * out);
    }
    c.positions.push_back(low);
    c.positions.push_back(high);
    for (uint32_t s = 0; s < sectors; ++s) {
        const uint32_t i = base + 2 * s, j = base + 2 * ((s + 1) % sectors);
        c.triangles.insert(c.triangles.end(), {i, i + 1, j, j, i + 1, j + 1});
        if (closed)
            c.triangles.insert(c.triangles.end(), {i, j, base + 2 * sectors, i + 1, base + 2 * sectors + 1, j + 1});
    }
}

inline const std::vector<std::string>& accessory_names() {
    static const std::vector<std::string> names = {"sword", "skirt",  "hat",  "backpack", "cape",
                                                   "staff", "shield", "axes", "welded"};
    return names;
}

inline Vec3 at_joint(const BareCharacter& c, const std::string& name) {
    return c.truth.at(name);
}

// Something worn or carried, placed by the artist's joints.
inline BareCharacter with_accessory(BareCharacter c, const std::string& what) {
    c.name += "+" + what;
    const auto h = static_cast<float>(c.height);
    const auto at = [&](const std::string& name) -> Vec3 {
        if (name == "neck" && c.truth.count(name) == 0)
            return 0.5f * (at_joint(c, "leftUpperArm") + at_joint(c, "rightUpperArm"));
        return at_joint(c, name);
    };
    if (what == "sword") {
        add_box(c, at("rightHand") + Vec3(0, 0, 0.25f * h), {0.01f * h, 0.02f * h, 0.3f * h});
    } else if (what == "staff") {  // down to the ground
        const Vec3 hand = at("rightHand");
        add_box(c, {hand.x(), 0.55f * h, hand.z() + 0.01f * h}, {0.012f * h, 0.5f * h, 0.012f * h});
    } else if (what == "shield") {  // and a sword in the other hand
        add_box(c, 0.5f * (at("leftHand") + at("leftLowerArm")) + Vec3(0, 0, 0.06f * h),
                {0.12f * h, 0.16f * h, 0.012f * h});
        add_box(c, at("rightHand") + Vec3(0, 0.2f * h, 0), {0.01f * h, 0.26f * h, 0.02f * h});
    } else if (what == "axes") {  // the same in both hands
        for (const char* hand : {"leftHand", "rightHand"}) {
            add_box(c, at(hand) + Vec3(0, 0, 0.15f * h), {0.01f * h, 0.01f * h, 0.22f * h});
            add_box(c, at(hand) + Vec3(0, 0.05f * h, 0.32f * h), {0.012f * h, 0.07f * h, 0.05f * h});
        }
    } else if (what == "welded") {  // a sword that is one piece with the body
        const auto first = static_cast<uint32_t>(c.positions.size());
        const Vec3 hand = at("rightHand");
        uint32_t near = 0;
        for (uint32_t v : c.triangles)
            if ((c.positions[v] - hand).norm() < (c.positions[near] - hand).norm()) near = v;
        add_box(c, hand + Vec3(0, 0, 0.25f * h), {0.01f * h, 0.02f * h, 0.3f * h});
        c.triangles.insert(c.triangles.end(), {near, first, first + 1});
    } else if (what == "skirt") {
        const Vec3 hips = at("hips"), knee = 0.5f * (at("leftLowerLeg") + at("rightLowerLeg"));
        const float wide = std::max(0.09f * h, 1.7f * std::abs(at("leftUpperLeg").x() - hips.x()));
        add_tube(c, {hips.x(), knee.y() + 0.03f * h, hips.z()}, 1.5f * wide, {hips.x(), hips.y() + 0.04f * h, hips.z()},
                 wide, false);
    } else if (what == "hat") {
        Box box;
        for (const Vec3& p : c.positions)
            if (p.y() > at("head").y()) box.add(p);
        const Vec3 top(box.center().x(), box.max.y() - 0.03f * h, box.center().z());
        const float r = 0.3f * (box.size().z());
        add_tube(c, top, 1.9f * r, top + Vec3(0, 0.01f * h, 0), 1.9f * r, true);
        add_tube(c, top, r, top + Vec3(0, 0.12f * h, 0), 0.9f * r, true);
    } else if (what == "backpack") {
        const Vec3 chest = 0.6f * at("neck") + 0.4f * at("hips");
        add_box(c, chest - Vec3(0, 0, 0.12f * h), {0.09f * h, 0.12f * h, 0.06f * h});
    } else if (what == "cape") {
        const Vec3 neck = at("neck");
        const float bottom = at("leftLowerLeg").y() - 0.05f * h;
        add_box(c, {neck.x(), 0.5f * (neck.y() + bottom), neck.z() - 0.11f * h},
                {0.14f * h, 0.5f * (neck.y() - bottom), 0.004f * h});
        add_box(c, neck - Vec3(0, 0.01f * h, 0.06f * h), {0.1f * h, 0.008f * h, 0.055f * h});
    }
    return c;
}

// The same character with other proportions: all of it stretched along the axes, and legs made longer or shorter (all
// below the crotch). The joints go along.
struct Stretch {
    const char* name;
    Vec3 by;
    float legs;
};
inline const std::vector<Stretch>& stretches() {
    static const std::vector<Stretch> all = {{"low", {1, 0.6f, 1}, 1},        {"tall", {1, 1.6f, 1}, 1},
                                             {"narrow", {0.55f, 1, 1}, 1},    {"wide", {1.8f, 1, 1}, 1},
                                             {"thin", {1, 1, 0.5f}, 1},       {"deep", {1, 1, 1.8f}, 1},
                                             {"short legs", {1, 1, 1}, 0.4f}, {"long legs", {1, 1, 1}, 1.8f}};
    return all;
}
inline BareCharacter stretched(BareCharacter c, const Stretch& stretch) {
    Box box;
    for (const uint32_t v : c.triangles) box.add(c.positions[v]);
    const float crotch = box.min.y() + 0.45f * box.size().y();
    const auto move = [&](Vec3& p) {
        if (p.y() < crotch) p.y() = crotch + stretch.legs * (p.y() - crotch);
        p = p.cwiseProduct(stretch.by);
    };
    for (Vec3& p : c.positions) move(p);
    for (auto& [name, p] : c.truth) move(p);
    Box now;
    for (const uint32_t v : c.triangles) now.add(c.positions[v]);
    const bool stands = c.kind == "biped" || c.kind == "quadruped";
    c.height = static_cast<double>(stands ? now.size().y() : now.size().maxCoeff());
    return c;
}

}  // namespace sinew::test
