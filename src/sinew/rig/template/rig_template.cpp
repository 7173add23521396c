#include <sinew/rig/template/rig_template.h>

#include <sinew/skeleton/joint_name.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

// Chains whose bones differ by less than this share are equal; chosen: artists mirror exactly, files round.
constexpr double equal_bones = 0.02;

// The name with each part that may say left or right replaced by a star: partners have one such spelling in common.
std::vector<std::string> unsided_spellings(std::string_view name) {
    std::string low;
    for (char c : name) low += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::vector<std::string> out;
    for (std::string_view side : {"left", "right", "l", "r"})
        for (size_t at = low.find(side); at != std::string::npos; at = low.find(side, at + 1))
            out.push_back(low.substr(0, at) + "*" + low.substr(at + side.size()));
    return out;
}

void pair_by_name(RigTemplate& t) {
    std::map<std::string, int> left;
    for (size_t j = 0; j < t.size(); ++j)
        if (t.joints[j].mirror < 0 && parse_joint_name(t.joints[j].name).side == Side::left)
            for (const std::string& s : unsided_spellings(t.joints[j].name)) left.try_emplace(s, static_cast<int>(j));
    for (size_t j = 0; j < t.size(); ++j) {
        if (t.joints[j].mirror >= 0 || parse_joint_name(t.joints[j].name).side != Side::right) continue;
        for (const std::string& s : unsided_spellings(t.joints[j].name)) {
            const auto found = left.find(s);
            if (found == left.end() || t.joints[static_cast<size_t>(found->second)].mirror >= 0) continue;
            t.joints[j].mirror = found->second;
            t.joints[static_cast<size_t>(found->second)].mirror = static_cast<int>(j);
            break;
        }
    }
}

struct Tree {
    std::vector<std::vector<int>> children;
    std::vector<int> below;        // joints of the subtree
    std::vector<double> reach;     // sum of its bones
    std::vector<double> own_bone;  // to the parent
};

Tree tree_of(const RigTemplate& t) {
    Tree tree{std::vector<std::vector<int>>(t.size()), std::vector<int>(t.size(), 1),
              std::vector<double>(t.size(), 0.0), std::vector<double>(t.size(), 0.0)};
    for (size_t j = t.size(); j-- > 0;) {
        const int p = t.joints[j].parent;
        if (p < 0) continue;
        const auto parent = static_cast<size_t>(p);
        tree.own_bone[j] = (t.joints[j].position - t.joints[parent].position).norm();
        tree.below[parent] += tree.below[j];
        tree.reach[parent] += tree.reach[j] + tree.own_bone[j];
        tree.children[parent].insert(tree.children[parent].begin(), static_cast<int>(j));
    }
    return tree;
}

bool alike(const Tree& tree, int a, int b) {
    const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    const double size = tree.reach[i] + tree.own_bone[i];
    return tree.below[i] == tree.below[j] && tree.children[i].size() == tree.children[j].size() &&
           std::abs(tree.reach[i] - tree.reach[j]) <= equal_bones * size &&
           std::abs(tree.own_bone[i] - tree.own_bone[j]) <= equal_bones * size;
}

void pair_subtrees(RigTemplate& t, const Tree& tree, int a, int b) {
    std::vector<std::pair<int, int>> open = {{a, b}};
    for (size_t k = 0; k < open.size(); ++k) {
        const auto [x, y] = open[k];
        TemplateJoint &left = t.joints[static_cast<size_t>(x)], &right = t.joints[static_cast<size_t>(y)];
        if (left.mirror >= 0 || right.mirror >= 0) continue;
        left.mirror = y;
        right.mirror = x;
        for (size_t c = 0; c < tree.children[static_cast<size_t>(x)].size(); ++c)
            open.push_back({tree.children[static_cast<size_t>(x)][c], tree.children[static_cast<size_t>(y)][c]});
    }
}

// Pairs two siblings with equal bones below them, when there is no third like them.
void pair_by_structure(RigTemplate& t) {
    const Tree tree = tree_of(t);
    for (const std::vector<int>& siblings : tree.children) {
        for (size_t i = 0; i < siblings.size(); ++i) {
            if (t.joints[static_cast<size_t>(siblings[i])].mirror >= 0) continue;
            std::vector<int> same;
            for (size_t k = 0; k < siblings.size(); ++k)
                if (k != i && alike(tree, siblings[i], siblings[k]) &&
                    t.joints[static_cast<size_t>(siblings[k])].mirror < 0)
                    same.push_back(siblings[k]);
            if (same.size() == 1 && tree.reach[static_cast<size_t>(siblings[i])] > 0.0)
                pair_subtrees(t, tree, siblings[i], same[0]);
        }
    }
}

}  // namespace

std::string_view to_string(RigKind kind) {
    constexpr std::string_view names[] = {"biped", "quadruped", "bird", "dinosaur", "dragon", "generic"};
    return names[static_cast<size_t>(kind)];
}

int RigTemplate::find(std::string_view name) const {
    for (size_t j = 0; j < joints.size(); ++j)
        if (joints[j].name == name) return static_cast<int>(j);
    return -1;
}

void find_mirror_joints(RigTemplate& rig_template) {
    pair_by_name(rig_template);
    pair_by_structure(rig_template);
}

RigTemplate make_template(const Skeleton& skeleton) {
    RigTemplate t;
    const std::vector<AffineD> world = rest_world(skeleton);
    const HumanoidMap map = recognise_humanoid(skeleton);
    const std::vector<Role> roles = map.roles(skeleton.size());
    const bool humanoid = map.is_body() && map[Role::head] >= 0;
    if (humanoid) t.kind = RigKind::biped;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        TemplateJoint joint;
        joint.name = skeleton.names()[j];
        joint.parent = skeleton.parents()[j];
        joint.position = world[j].translation();
        joint.axes = decompose(world[j]).transform.rotation.cast<double>().toRotationMatrix();
        if (humanoid) joint.role = roles[j];
        t.joints.push_back(std::move(joint));
    }
    find_mirror_joints(t);
    return t;
}

}  // namespace sinew
