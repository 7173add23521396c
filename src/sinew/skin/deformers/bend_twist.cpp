#include <sinew/skin/deformers/bend_twist.h>

#include <sinew/core/check.h>
#include <sinew/math/interpolate.h>
#include <sinew/skin/deformers/deform_vertex.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A joint with W, the weight of it and of all that is below it.
struct Node {
    int32_t joint = -1;
    int32_t depth = 0;
    double weight = 0.0;
    double below = 0.0;  // Σ smoothstep(W) of its children
};

// Joints so far apart in the tree that climbing to their common ancestor takes longer are taken for unrelated.
constexpr int max_climb = 64;

// Climbs from the vertex's joints to their common ancestor, deepest first, so that a joint is left only after all
// below it have been added to it. `climbed` gets the joints passed, `top` is left with those that have no common
// ancestor among the bones.
void climb(std::span<const Influence> list, std::span<const SkinBone> bones, std::vector<Node>& top,
           std::vector<Node>& climbed) {
    top.clear();
    climbed.clear();
    const auto enter = [&](int32_t joint) -> Node& {
        const auto found = std::find_if(top.begin(), top.end(), [&](const Node& n) { return n.joint == joint; });
        if (found != top.end()) return *found;
        top.push_back({.joint = joint, .depth = bones[static_cast<size_t>(joint)].depth});
        return top.back();
    };
    for (const Influence& influence : list) enter(static_cast<int32_t>(influence.joint)).weight += influence.weight;
    for (int step = 0; step < max_climb && top.size() > 1; ++step) {
        const auto deepest = std::max_element(top.begin(), top.end(), [](const Node& a, const Node& b) {
            return a.depth != b.depth ? a.depth < b.depth : a.joint < b.joint;
        });
        const int32_t parent = bones[static_cast<size_t>(deepest->joint)].parent;
        if (parent < 0) break;
        climbed.push_back(*deepest);
        top.erase(deepest);
        Node& above = enter(parent);
        above.weight += climbed.back().weight;
        above.below += smoothstep(climbed.back().weight);
    }
}

// How far the joint has turned about its bone's axis, against its parent.
float twist_angle(std::span<const JointMotion> motions, std::span<const SkinBone> bones, size_t j) {
    const Vec3 axis = bones[j].tail - bones[j].head;
    if (bones[j].parent < 0 || axis.norm() == 0.0f) return 0.0f;
    const Quat& parent = motions[static_cast<size_t>(bones[j].parent)].rigid.real;
    Quat turn = parent.conjugate() * motions[j].rigid.real;
    if (turn.w() < 0.0f) turn.coeffs() *= -1.0f;
    const float sine = turn.vec().dot(axis.normalized());
    return sine == 0.0f && turn.w() == 0.0f ? 0.0f : 2.0f * std::atan2(sine, turn.w());
}

}  // namespace

BendTwist make_bend_twist(const Influences& influences, std::vector<SkinBone> bones) {
    BendTwist result;
    std::vector<uint32_t> first = {0};
    std::vector<Influence> bend;
    std::vector<Node> top, climbed;
    result.first = {0};
    for (size_t v = 0; v < influences.vertex_count(); ++v) {
        climb(influences.of(v), bones, top, climbed);
        for (const std::vector<Node>* nodes : {&climbed, &top}) {
            for (const Node& node : *nodes) {
                // The smooth step of a sum is never less than the sum of smooth steps; rounding is.
                const double own = std::max(0.0, smoothstep(node.weight) - node.below);
                bend.push_back({static_cast<uint32_t>(node.joint), static_cast<float>(own)});
            }
        }
        for (const Node& node : climbed) {
            const auto missing = static_cast<float>(node.weight - smoothstep(node.weight));
            if (std::abs(missing) > 1e-6f) result.twists.push_back({static_cast<uint32_t>(node.joint), missing});
        }
        first.push_back(static_cast<uint32_t>(bend.size()));
        result.first.push_back(static_cast<uint32_t>(result.twists.size()));
    }
    result.bend = *Influences::create(std::move(first), std::move(bend), bones.size());
    result.bones = std::move(bones);
    return result;
}

void deform_bend_twist(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers) {
    SINEW_CHECK(binding.bend_twist && binding.bend_twist->bend.vertex_count() == buffers.positions_in.size());
    const BendTwist& cache = *binding.bend_twist;
    const std::vector<JointMotion> motions = take_apart(palette);
    std::vector<float> angles(palette.size());
    for (size_t j = 0; j < angles.size(); ++j) angles[j] = twist_angle(motions, cache.bones, j);
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence>) {
        Vec3 point = buffers.positions_in[v];
        Quat twisted = Quat::Identity();
        for (const Influence& twist : cache.twists_of(v)) {
            const float angle = twist.weight * angles[twist.joint];
            if (angle == 0.0f) continue;
            const SkinBone& bone = cache.bones[twist.joint];
            const Quat turn(Eigen::AngleAxisf(angle, (bone.tail - bone.head).normalized()));
            point = bone.head + turn * (point - bone.head);
            twisted = turn * twisted;
        }
        const BlendedMotion motion = blend_motions(motions, cache.bend.of(v), point);
        deform_vertex(motion * point, motion.linear * twisted.toRotationMatrix(), buffers, v);
    });
}

}  // namespace sinew
