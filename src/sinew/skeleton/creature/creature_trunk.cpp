#include <sinew/skeleton/creature/creature_trunk.h>

#include <algorithm>

namespace sinew {
namespace {

constexpr double least_tail = 0.05;  // of the body's size

struct ScoredPath {
    JointChain joints;
    double score = 0;
};

// The best way through trunk joints, from a neighbour of one of `from` to a leaf, that avoids the joints in `from`.
template <typename Score>
ScoredPath best_path(const CreatureReading& reading, const JointChain& from, const Score& score) {
    ScoredPath best;
    const CreatureTree& tree = reading.tree;
    const auto in_from = [&](int32_t joint) { return std::ranges::find(from, joint) != from.end(); };
    for (size_t leaf = 0; leaf < tree.position.size(); ++leaf) {
        const auto tip = static_cast<int32_t>(leaf);
        if (tree.out[leaf] || !reading.on_trunk(tip) || in_from(tip)) continue;
        const bool ends = std::ranges::none_of(tree.below(tip), [&](int32_t child) { return reading.on_trunk(child); });
        if (!ends) continue;
        JointChain path;
        int32_t joint = tip;
        while (joint >= 0 && !in_from(joint)) {
            path.push_back(joint);
            joint = tree.parent(joint);
        }
        if (joint < 0) continue;
        std::ranges::reverse(path);
        const double s = score(joint, path);
        if (s > best.score + 1e-9) best = {std::move(path), s};
    }
    return best;
}

bool names_any(const CreatureTree& tree, const JointChain& chain, std::initializer_list<CreaturePart> parts) {
    return std::ranges::any_of(
        chain, [&](int32_t joint) { return std::ranges::find(parts, tree.name(joint).part) != parts.end(); });
}

}  // namespace

JointChain path_between(const CreatureTree& tree, int32_t from, int32_t to) {
    const int32_t top = tree.meet(from, to);
    if (top < 0) return {from};
    JointChain path, down;
    for (int32_t j = from; j != top; j = tree.parent(j)) path.push_back(j);
    path.push_back(top);
    for (int32_t j = to; j != top; j = tree.parent(j)) down.push_back(j);
    path.insert(path.end(), down.rbegin(), down.rend());
    return path;
}

void find_neck_and_head(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map) {
    const CreatureTree& tree = reading.tree;
    const JointChain& spine = map.spine;
    const auto score = [&](int32_t start, const JointChain& path) {
        const Vec3d reach = tree.at(path.back()) - tree.at(spine.back());
        double s = (reach.dot(forward) + 0.5 * reach.dot(reading.up)) / std::max(tree.size, 1e-12);
        if (s < 0.02 && !names_any(tree, path, {CreaturePart::head})) return 0.0;
        if (names_any(tree, path, {CreaturePart::tail})) return 0.0;
        if (names_any(tree, path, {CreaturePart::head})) s += 3;
        if (names_any(tree, path, {CreaturePart::neck})) s += 1;
        if (names_any(tree, path, {CreaturePart::jaw})) s -= 0.5;
        const auto steps = spine.end() - std::ranges::find(spine, start) - 1;
        return s - 0.1 * static_cast<double>(steps);
    };
    const JointChain path = best_path(reading, spine, score).joints;
    if (path.empty()) return;
    size_t head = path.size();
    for (size_t i = 0; i < path.size() && head == path.size(); ++i)
        if (tree.name(path[i]).part == CreaturePart::head) head = i;
    // Ears, eyes and jaws branch off the head.
    for (size_t i = 0; i < path.size() && head == path.size(); ++i)
        if (tree.below(path[i]).size() >= 2) head = i;
    if (head == path.size()) head = path.size() >= 3 ? path.size() - 2 : path.size() - 1;
    map.neck.assign(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(head));
    map.head.assign(path.begin() + static_cast<std::ptrdiff_t>(head), path.end());
    JointChain above = map.neck;  // a jaw may hang beside the head
    above.insert(above.end(), map.head.begin(), map.head.end());
    const auto jaw_score = [&](int32_t start, const JointChain& way) {
        if (names_any(tree, way, {CreaturePart::jaw})) return 3.0 - 0.01 * static_cast<double>(way.size());
        if (std::ranges::find(map.head, start) == map.head.end()) return 0.0;
        const Vec3d off = tree.at(way.back()) - tree.at(map.head.back());
        return names_any(tree, way, {CreaturePart::face}) ? 0.0 : -off.dot(reading.up) / std::max(tree.size, 1e-12);
    };
    map.jaw = best_path(reading, above, jaw_score).joints;
    const auto begin =
        std::ranges::find_if(map.jaw, [&](int32_t joint) { return tree.name(joint).part == CreaturePart::jaw; });
    if (begin != map.jaw.end()) map.jaw.erase(map.jaw.begin(), begin);
}

void find_tail(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map) {
    const CreatureTree& tree = reading.tree;
    const auto score = [&](int32_t start, const JointChain& path) {
        const Vec3d reach = tree.at(path.back()) - tree.at(map.spine.front());
        const double back = -reach.dot(forward), drop = -reach.dot(reading.up);
        const bool named = names_any(tree, path, {CreaturePart::tail});
        if (names_any(tree, path, {CreaturePart::head, CreaturePart::neck, CreaturePart::jaw})) return 0.0;
        if (!named && (back < least_tail * tree.size || back < 0.5 * drop)) return 0.0;
        const auto steps = std::ranges::find(map.spine, start) - map.spine.begin();
        return (named ? 3.0 : 0.0) + back / std::max(tree.size, 1e-12) - 0.1 * static_cast<double>(steps);
    };
    JointChain taken = map.spine;
    taken.insert(taken.end(), map.neck.begin(), map.neck.end());
    taken.insert(taken.end(), map.head.begin(), map.head.end());
    JointChain path = best_path(reading, taken, score).joints;
    map.tail = std::move(path);
}

double trunk_rise(const CreatureTree& tree, const JointChain& spine, const Vec3d& up) {
    const Vec3d way = tree.at(spine.back()) - tree.at(spine.front());
    return way.norm() > 0 ? way.dot(up) / way.norm() : 0.0;
}

int32_t common_root(const CreatureTree& tree, const CreatureMap& map) {
    int32_t root = -2;
    const auto add = [&](const JointChain& chain, bool with_parent) {
        if (chain.empty()) return;
        const int32_t joint = with_parent ? tree.parent(chain.front()) : chain.front();
        root = root == -2 ? joint : tree.meet(root, joint);
    };
    for (const int32_t joint : map.spine) add({joint}, false);
    for (const JointChain* chain : {&map.neck, &map.head, &map.tail}) add(*chain, true);
    for (const auto* limbs : {&map.legs, &map.arms, &map.wings})
        for (const CreatureLimb& limb : *limbs) add(limb.joints, true);
    return std::max(root, -1);
}

}  // namespace sinew
