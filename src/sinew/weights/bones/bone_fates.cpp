#include <sinew/mesh/winding.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/weights/bones/bone_chooser.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace sinew {
namespace {

// "IK-foot.l" → ik, foot, l. Digits, signs and a capital after a small letter separate words.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    char before = 0;
    for (char c : name) {
        const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
        const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
        if ((!letter || (capital && std::islower(static_cast<unsigned char>(before)))) && !words.back().empty())
            words.emplace_back();
        if (letter) words.back().push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        before = c;
    }
    return words;
}

bool names_any(std::string_view name, std::span<const std::string_view> listed) {
    for (const std::string& word : words_of(name)) {
        if (std::find(listed.begin(), listed.end(), word) != listed.end()) return true;
    }
    return false;
}

bool names_a_control(std::string_view name) {
    static constexpr std::array<std::string_view, 12> known = {
        "ik", "ctrl", "control", "controller", "pole", "target", "mch", "fk", "handle", "locator", "goal", "effector"};
    return names_any(name, known);
}

bool names_a_root(std::string_view name) {
    static constexpr std::array<std::string_view, 3> known = {"root", "armature", "master"};
    return names_any(name, known);
}

}  // namespace

std::string_view to_text(JointFate fate) {
    switch (fate) {
        case JointFate::not_in_skin:
            return "left out: not a joint of the skin";
        case JointFate::no_deform:
            return "left out: the file says that it moves no skin";
        case JointFate::control:
            return "left out: a control, by its name or its place";
        case JointFate::root:
            return "left out: a root that moves the character, not its skin";
        case JointFate::parallel:
            return "left out: another chain of the rig deforms the skin";
        case JointFate::marker:
            return "left out: it only marks where its parent ends";
        case JointFate::eye:
            return "left out: it turns an eye, not skin; a piece around it follows it";
        case JointFate::by_hand:
            return "left out by choice";
        case JointFate::bone:
            break;
    }
    return "";
}

bool names_an_end(std::string_view name) {
    static constexpr std::array<std::string_view, 6> known = {"tip", "leaf", "end", "nub", "null", "terminator"};
    return names_any(name, known);
}

void BoneChooser::link() {
    parent.assign(size(), -1);
    children.assign(size(), {});
    below.assign(size(), 0);
    for (size_t j = 0; j < size(); ++j) {
        if (!kept(static_cast<int32_t>(j))) continue;
        int32_t p = skeleton.parents()[j];
        while (p >= 0 && !kept(p)) p = skeleton.parents()[static_cast<size_t>(p)];
        parent[j] = p;
        if (p >= 0) children[static_cast<size_t>(p)].push_back(static_cast<int32_t>(j));
    }
    for (size_t j = size(); j-- > 0;) {
        if (!kept(static_cast<int32_t>(j))) continue;
        below[j] += 1;
        if (parent[j] >= 0) below[static_cast<size_t>(parent[j])] += below[j];
    }
}

void BoneChooser::leave_out_by_file() {
    if (!rig->joints.empty()) {
        std::vector<uint8_t> in_skin(size(), 0);
        for (int32_t j : rig->joints)
            if (j >= 0 && static_cast<size_t>(j) < size()) in_skin[static_cast<size_t>(j)] = 1;
        for (size_t j = 0; j < size(); ++j)
            if (!in_skin[j]) fate[j] = JointFate::not_in_skin;
    }
    for (size_t j = 0; j < std::min(size(), rig->deform.size()); ++j)
        if (rig->deform[j] == 0 && fate[j] == JointFate::bone) fate[j] = JointFate::no_deform;
}

void BoneChooser::leave_out_by_name() {
    // Rigify writes three parallel chains and says which of them deforms.
    size_t deform = 0, all = 0;
    for (size_t j = 0; j < size(); ++j) {
        if (fate[j] != JointFate::bone) continue;
        ++all;
        deform += parse_joint_name(skeleton.names()[j]).deform;
    }
    const bool parallel = deform >= rule::least_deform_joints && deform * rule::deform_joint_in >= all;
    for (size_t j = 0; j < size(); ++j) {
        if (fate[j] != JointFate::bone) continue;
        if (parallel && !parse_joint_name(skeleton.names()[j]).deform)
            fate[j] = JointFate::parallel;
        else if (names_a_control(skeleton.names()[j]))
            fate[j] = JointFate::control;
    }
}

// An eye turns its ball. Skin that followed it would be torn.
void BoneChooser::leave_out_eyes() {
    for (size_t j = 0; j < size(); ++j) {
        if (!kept(static_cast<int32_t>(j)) || !children[j].empty() || parent[j] < 0) continue;
        const JointName name = parse_joint_name(skeleton.names()[j]);
        if (name.part == BodyPart::eye && !name.helper) leave_out(static_cast<int32_t>(j), JointFate::eye);
    }
    link();
}

// Whether every joint of the subtree stands outside the body or where a joint of the main tree already stands.
bool BoneChooser::repeats_or_outside(int32_t joint, int32_t main_tree) const {
    bool repeats = false;
    std::vector<int32_t> todo = {main_tree};
    while (!todo.empty() && !repeats) {
        const int32_t j = todo.back();
        todo.pop_back();
        repeats = (at(j) - at(joint)).norm() < rule::same_place;
        todo.insert(todo.end(), children[static_cast<size_t>(j)].begin(), children[static_cast<size_t>(j)].end());
    }
    if (!repeats && winding_number(surface.positions, surface.triangles, at(joint)) > rule::inside) return false;
    return std::all_of(children[static_cast<size_t>(joint)].begin(), children[static_cast<size_t>(joint)].end(),
                       [&](int32_t child) { return repeats_or_outside(child, main_tree); });
}

// A surface in shreds cannot tell inside from outside. One that encloses few joints is not asked.
bool BoneChooser::tells_inside(std::span<const int32_t> joints) const {
    const auto inside = std::count_if(joints.begin(), joints.end(), [&](int32_t j) {
        return winding_number(surface.positions, surface.triangles, at(j)) > rule::inside;
    });
    return rule::joint_inside_in * static_cast<size_t>(inside) >= joints.size();
}

// Whether a root's only child is far off and no other joint (feet, hips) is nearer. Then the root owns the body
// between. It is the base of a bust.
bool BoneChooser::carries_a_bust(int32_t joint) const {
    const double far = length_to(joint, children[static_cast<size_t>(joint)].front());
    if (far < rule::long_root) return false;
    for (size_t k = 0; k < size(); ++k)
        if (static_cast<int32_t>(k) != joint && kept(static_cast<int32_t>(k)) &&
            length_to(joint, static_cast<int32_t>(k)) < rule::clearly_nearer * far)
            return false;
    return true;
}

// A root that stands outside the body (on the floor between the feet), or that is named a root and carries one chain,
// moves the character and not its skin. Its other children are handles if they have no place of their own in the body.
void BoneChooser::leave_out_roots() {
    std::vector<int32_t> some;
    for (size_t j = 0; j < size() && some.size() < rule::joints_asked; ++j)
        if (kept(static_cast<int32_t>(j))) some.push_back(static_cast<int32_t>(j));
    std::optional<bool> ask;  // asking about many joints takes long, so only once one is outside
    const auto outside = [&](int32_t joint) {
        if (winding_number(surface.positions, surface.triangles, at(joint)) > rule::clearly_outside) return false;
        if (!ask) ask = tells_inside(some);
        return *ask;
    };
    for (bool again = true; again;) {
        again = false;
        link();
        for (size_t j = 0; j < size(); ++j) {
            const auto joint = static_cast<int32_t>(j);
            if (!kept(joint) || parent[j] >= 0 || children[j].empty()) continue;
            if (surface.triangles.empty()) continue;
            const bool by_name = children[j].size() == 1 && names_a_root(skeleton.names()[j]);
            if (!(by_name && !carries_a_bust(joint)) && !outside(joint)) continue;
            const auto largest = *std::max_element(children[j].begin(), children[j].end(), [&](int32_t a, int32_t b) {
                return below[static_cast<size_t>(a)] < below[static_cast<size_t>(b)];
            });
            for (int32_t child : children[j])
                if (child != largest && repeats_or_outside(child, largest)) leave_out_below(child, JointFate::control);
            leave_out(joint, JointFate::root);
            again = true;
        }
    }
    link();
}

}  // namespace sinew
