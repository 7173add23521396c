#include <sinew/rig/embed/embed_bones.h>

#include <sinew/skeleton/joint_name.h>
#include <algorithm>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us. A child with this share of the joints below its parent is the body, its parent a root.
constexpr double most_of_all = 0.7;
// Chains shorter than this share of the template's size are fingers, ears, feathers: the shape does not show them.
constexpr double shortest_chain = 0.11;
// A last bone without a tip is this long, as a share of the one before.
constexpr double last_bone = 0.7;
constexpr double at_origin = 1e-9;

bool names_a_root(std::string_view name) {
    std::string low;
    for (char c : name) low += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (std::string_view word :
         {"root", "armature", "reference", "scene", "master", "global", "origin", "world", "rig"})
        if (low.find(word) != std::string::npos) return true;
    return low.empty();
}

struct Pruner {
    const RigTemplate& t;
    std::vector<std::vector<int>> children;
    std::vector<int> below;
    std::vector<char> kept;
    double size = 0.0;

    const Vec3d& at(int j) const { return t.joints[static_cast<size_t>(j)].position; }

    std::vector<int> kept_children(int j) const {
        std::vector<int> list;
        for (int c : children[static_cast<size_t>(j)])
            if (kept[static_cast<size_t>(c)]) list.push_back(c);
        return list;
    }

    // The joint that the whole body hangs on, below roots on the ground and at the origin.
    int find_top() const {
        int top = 0;
        for (size_t j = 0; j < t.size(); ++j)
            if (t.joints[j].parent < 0 && below[j] > below[static_cast<size_t>(top)]) top = static_cast<int>(j);
        while (true) {
            int heavy = -1;
            for (int c : children[static_cast<size_t>(top)])
                if (below[static_cast<size_t>(c)] >= most_of_all * (below[static_cast<size_t>(top)] - 1)) heavy = c;
            if (heavy < 0) return top;
            const bool stands_for_all =
                names_a_root(t.joints[static_cast<size_t>(top)].name) || at(top).norm() < at_origin;
            if (!stands_for_all || below[static_cast<size_t>(heavy)] < 2) return top;
            top = heavy;
        }
    }

    void keep_below(int top) {
        kept[static_cast<size_t>(top)] = 1;
        for (size_t j = static_cast<size_t>(top) + 1; j < t.size(); ++j)
            kept[j] = t.joints[j].parent >= 0 && kept[static_cast<size_t>(t.joints[j].parent)];
        Vec3d low = at(top), high = at(top);
        for (size_t j = 0; j < t.size(); ++j) {
            if (!kept[j]) continue;
            low = low.cwiseMin(t.joints[j].position);
            high = high.cwiseMax(t.joints[j].position);
        }
        size = (high - low).norm();
    }

    // Where a last bone ends: at its tip, at the farthest joint that was left out below it, or a little farther on.
    std::optional<Vec3d> end_of(int j) const {
        const TemplateJoint& joint = t.joints[static_cast<size_t>(j)];
        if (joint.tip) return joint.tip;
        Vec3d far = joint.position;
        std::vector<int> open = children[static_cast<size_t>(j)];
        for (size_t k = 0; k < open.size(); ++k) {
            if ((at(open[k]) - joint.position).norm() > (far - joint.position).norm()) far = at(open[k]);
            for (int c : children[static_cast<size_t>(open[k])]) open.push_back(c);
        }
        if ((far - joint.position).norm() > 0.0) return far;
        if (parse_joint_name(joint.name).helper || joint.parent < 0) return std::nullopt;
        return joint.position + last_bone * (joint.position - at(joint.parent));
    }

    // The length of the chain that ends in a leaf, up to where it branches off. Lists its joints.
    double chain_length(int leaf, int top, std::vector<int>& chain) const {
        chain.clear();
        const std::optional<Vec3d> end = end_of(leaf);
        double length = end ? (*end - at(leaf)).norm() : 0.0;
        for (int j = leaf; j != top;) {
            chain.push_back(j);
            const int p = t.joints[static_cast<size_t>(j)].parent;
            length += (at(j) - at(p)).norm();
            j = p;
            if (kept_children(j).size() > 1) break;
        }
        return length;
    }

    void drop_short_chains(int top) {
        std::vector<int> chain, shortest;
        for (size_t round = 0; round < t.size(); ++round) {
            double least = shortest_chain * size;
            shortest.clear();
            for (size_t j = 0; j < t.size(); ++j) {
                const int id = static_cast<int>(j);
                if (!kept[j] || id == top || !kept_children(id).empty()) continue;
                const double length = chain_length(id, top, chain);
                if (chain.empty() || t.joints[static_cast<size_t>(chain.back())].parent == -1) continue;
                if (length < least && kept_children(t.joints[static_cast<size_t>(chain.back())].parent).size() > 1)
                    least = length, shortest = chain;
            }
            if (shortest.empty()) return;
            for (int j : shortest) kept[static_cast<size_t>(j)] = 0;
        }
    }
};

}  // namespace

std::vector<EmbedBone> choose_embed_bones(const RigTemplate& t) {
    std::vector<EmbedBone> bones;
    if (t.joints.empty()) return bones;
    Pruner p{.t = t,
             .children = std::vector<std::vector<int>>(t.size()),
             .below = std::vector<int>(t.size(), 1),
             .kept = std::vector<char>(t.size(), 0)};
    for (size_t j = t.size(); j-- > 0;)
        if (t.joints[j].parent >= 0) p.below[static_cast<size_t>(t.joints[j].parent)] += p.below[j];
    for (size_t j = 0; j < t.size(); ++j)
        if (t.joints[j].parent >= 0) p.children[static_cast<size_t>(t.joints[j].parent)].push_back(static_cast<int>(j));
    const int top = p.find_top();
    p.keep_below(top);
    p.drop_short_chains(top);
    std::vector<int> number(t.size(), -1);
    for (size_t j = 0; j < t.size(); ++j) {
        if (!p.kept[j]) continue;
        const int id = static_cast<int>(j);
        number[j] = static_cast<int>(bones.size());
        const bool last = p.kept_children(id).empty();
        const std::optional<Vec3d> end = last ? p.end_of(id) : std::nullopt;
        bones.push_back({.joint = id,
                         .parent = id == top ? -1 : number[static_cast<size_t>(t.joints[j].parent)],
                         .position = t.joints[j].position,
                         .leaf = last && !end});
        if (end) bones.push_back({.parent = number[j], .position = *end, .leaf = true});
    }
    for (EmbedBone& bone : bones) {
        const int joint = bone.joint >= 0 ? bone.joint : bones[static_cast<size_t>(bone.parent)].joint;
        const int mirror = t.joints[static_cast<size_t>(joint)].mirror;
        if (mirror < 0 || number[static_cast<size_t>(mirror)] < 0) continue;
        bone.mirror = number[static_cast<size_t>(mirror)] + (bone.joint < 0 ? 1 : 0);
    }
    return bones;
}

}  // namespace sinew
