// Rigged characters as the truth to compare with: their meshes and rig taken apart, and the distance between weights.
#pragma once

#include <sinew/character/character.h>
#include <sinew/io/read.h>
#include <sinew/weights/weights.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew::test {

// The primitives that follow the character's first skin, in that skin's mesh space.
struct Rigged {
    std::string name;
    Character character;
    std::vector<const Primitive*> primitives;
    WeightRig rig;

    std::vector<WeightMesh> meshes() const {
        std::vector<WeightMesh> list;
        for (const Primitive* p : primitives) list.push_back({p->mesh.positions, p->mesh.triangles});
        return list;
    }
};

inline std::unique_ptr<Rigged> take_apart(std::string name, Character character) {
    auto rigged = std::make_unique<Rigged>();
    rigged->name = std::move(name);
    rigged->character = std::move(character);
    const Character& c = rigged->character;
    for (const MeshInstance& instance : c.instances) {
        if (instance.skin != 0) continue;
        for (const Primitive& p : c.meshes[static_cast<size_t>(instance.mesh)].primitives)
            if (!p.influences.empty()) rigged->primitives.push_back(&p);
    }
    rigged->rig.skeleton = &c.skeleton;
    rigged->rig.joints = c.skins[0].joints;
    rigged->rig.mesh_from_joint.assign(c.skeleton.size(), AffineD::Identity());
    for (size_t i = 0; i < c.skins[0].joints.size(); ++i)
        rigged->rig.mesh_from_joint[static_cast<size_t>(c.skins[0].joints[i])] =
            AffineD(c.skins[0].inverse_bind[i].cast<double>().inverse());
    return rigged;
}

inline std::unique_ptr<Rigged> read_rigged(const std::filesystem::path& path) {
    return take_apart(path.stem().string(), read_character(path).value());
}

// Joints without a joint of the skin below them say little about a method: files differ in whether they have them.
// slot → the slot it counts as.
inline std::vector<uint32_t> merge_leaves(const Skeleton& skeleton, const std::vector<int32_t>& joints) {
    std::vector<int32_t> slot(skeleton.size(), -1);
    for (size_t i = 0; i < joints.size(); ++i) slot[static_cast<size_t>(joints[i])] = static_cast<int32_t>(i);
    std::vector<int32_t> up(joints.size(), -1);
    std::vector<uint8_t> has_child(joints.size(), 0);
    for (size_t i = 0; i < joints.size(); ++i) {
        int32_t p = skeleton.parents()[static_cast<size_t>(joints[i])];
        while (p >= 0 && slot[static_cast<size_t>(p)] < 0) p = skeleton.parents()[static_cast<size_t>(p)];
        if (p < 0) continue;
        up[i] = slot[static_cast<size_t>(p)];
        has_child[static_cast<size_t>(up[i])] = 1;
    }
    std::vector<uint32_t> merged(joints.size());
    for (size_t i = 0; i < joints.size(); ++i)
        merged[i] = static_cast<uint32_t>(has_child[i] || up[i] < 0 ? static_cast<int32_t>(i) : up[i]);
    return merged;
}

inline double row_distance(std::span<const Influence> a, std::span<const Influence> b,
                           const std::vector<uint32_t>& merged, std::vector<double>& difference) {
    double sum = 0.0;
    for (const Influence& i : a) difference[merged[i.joint]] += i.weight;
    for (const Influence& i : b) difference[merged[i.joint]] -= i.weight;
    for (const auto& list : {a, b}) {
        for (const Influence& i : list) {
            sum += std::abs(difference[merged[i.joint]]);
            difference[merged[i.joint]] = 0.0;
        }
    }
    return sum;
}

// Mean over the vertices of Σ |w − truth|: 0 is the same, 2 is nothing in common.
inline double mean_l1(const Rigged& rigged, const std::vector<Influences>& weights) {
    const std::vector<uint32_t> merged = merge_leaves(rigged.character.skeleton, rigged.rig.joints);
    std::vector<double> difference(merged.size(), 0.0);
    double sum = 0.0;
    size_t count = 0;
    for (size_t m = 0; m < weights.size(); ++m) {
        const Influences& truth = rigged.primitives[m]->influences;
        for (size_t v = 0; v < truth.vertex_count(); ++v) {
            if (truth.of(v).empty()) continue;
            sum += row_distance(weights[m].of(v), truth.of(v), merged, difference);
            ++count;
        }
    }
    return count ? sum / static_cast<double>(count) : 0.0;
}

// Two versions of one character, joint by joint: what a file came with, and the same bound anew.
struct Compared {
    std::vector<uint32_t> merged;  // per joint of the skeleton: the joint it counts as

    explicit Compared(const Character& truth) : merged(truth.skeleton.size()) {
        std::vector<int32_t> joints;
        for (const Skin& skin : truth.skins) joints.insert(joints.end(), skin.joints.begin(), skin.joints.end());
        std::sort(joints.begin(), joints.end());
        joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
        const std::vector<uint32_t> slots = merge_leaves(truth.skeleton, joints);
        for (size_t i = 0; i < joints.size(); ++i)
            merged[static_cast<size_t>(joints[i])] = static_cast<uint32_t>(joints[slots[i]]);
    }
};

// visit(truth's row, bound's row) for every vertex that has a row, joints being the skeleton's.
template <class Visit>
void each_pair_of_rows(const Character& truth, const Character& bound, const Visit& visit) {
    const auto by_joint = [](std::span<const Influence> row, const Skin& skin) {
        std::vector<Influence> list(row.begin(), row.end());
        for (Influence& i : list) i.joint = static_cast<uint32_t>(skin.joints[i.joint]);
        return list;
    };
    for (size_t n = 0; n < truth.instances.size(); ++n) {
        const MeshInstance &before = truth.instances[n], &after = bound.instances[n];
        if (before.skin < 0 || !before.in_scene) continue;
        const auto& theirs = truth.meshes[static_cast<size_t>(before.mesh)].primitives;
        const auto& ours = bound.meshes[static_cast<size_t>(after.mesh)].primitives;
        for (size_t p = 0; p < theirs.size(); ++p)
            for (size_t v = 0; v < theirs[p].influences.vertex_count(); ++v) {
                if (theirs[p].influences.of(v).empty()) continue;
                visit(by_joint(theirs[p].influences.of(v), truth.skins[static_cast<size_t>(before.skin)]),
                      by_joint(ours[p].influences.of(v), bound.skins[static_cast<size_t>(after.skin)]));
            }
    }
}

// The mean distance between them, over all skins.
inline double mean_l1(const Character& truth, const Character& bound) {
    const Compared joints(truth);
    std::vector<double> difference(truth.skeleton.size(), 0.0);
    double sum = 0.0;
    size_t count = 0;
    each_pair_of_rows(truth, bound, [&](const auto& theirs, const auto& ours) {
        sum += row_distance(ours, theirs, joints.merged, difference);
        ++count;
    });
    return count ? sum / static_cast<double>(count) : 0.0;
}

// Where the distance comes from: how much of the skin of one joint went to another, in means per vertex.
struct WeightFlow {
    uint32_t from = 0, to = 0;  // truth's, bound's
    double amount = 0.0;        // twice the sum of all is mean_l1
};

// The largest first.
inline std::vector<WeightFlow> weight_flows(const Character& truth, const Character& bound) {
    const Compared joints(truth);
    const size_t n = truth.skeleton.size();
    std::vector<double> difference(n, 0.0), flows(n * n, 0.0);
    size_t count = 0;
    each_pair_of_rows(truth, bound, [&](const auto& theirs, const auto& ours) {
        std::vector<uint32_t> touched;
        for (const Influence& i : theirs) difference[joints.merged[i.joint]] += i.weight;
        for (const Influence& i : ours) difference[joints.merged[i.joint]] -= i.weight;
        for (const auto* row : {&theirs, &ours})
            for (const Influence& i : *row) touched.push_back(joints.merged[i.joint]);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        double lost = 0.0;
        for (uint32_t j : touched) lost += std::max(difference[j], 0.0);
        for (uint32_t a : touched)
            for (uint32_t b : touched)
                if (difference[a] > 0.0 && difference[b] < 0.0)
                    flows[a * n + b] -= difference[a] * difference[b] / lost;
        for (uint32_t j : touched) difference[j] = 0.0;
        ++count;
    });
    std::vector<WeightFlow> list;
    for (size_t i = 0; i < flows.size(); ++i)
        if (flows[i] > 0.0)
            list.push_back(
                {static_cast<uint32_t>(i / n), static_cast<uint32_t>(i % n), flows[i] / static_cast<double>(count)});
    std::sort(list.begin(), list.end(), [](const WeightFlow& a, const WeightFlow& b) { return a.amount > b.amount; });
    return list;
}

}  // namespace sinew::test
