#include <sinew/skin/deformers/centre_influences.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <sinew/math/segment.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double sharpness = 1.5;     // more keeps centres closer to the bones, but makes corners
constexpr double aloofness = 3.0;     // of centres off the bones
constexpr size_t most_weights = 8;    // of a vertex that take part
constexpr size_t most_children = 64;  // of a joint that count as ends of its bones
constexpr int longest_way = 16;       // joints further apart than this do not bend together
constexpr size_t vertices_per_chunk = 1024;

// Where a joint's bones end: at its children, or at its tail when it has none.
std::vector<std::vector<Vec3>> find_ends(std::span<const SkinBone> bones) {
    std::vector<std::vector<Vec3>> ends(bones.size());
    for (const SkinBone& bone : bones) {
        if (bone.parent < 0) continue;
        std::vector<Vec3>& list = ends[static_cast<size_t>(bone.parent)];
        if (list.size() < most_children) list.push_back(bone.head);
    }
    for (size_t j = 0; j < bones.size(); ++j)
        if (ends[j].empty()) ends[j].push_back(bones[j].tail);
    return ends;
}

struct Tree {
    std::span<const SkinBone> bones;
    std::vector<std::vector<Vec3>> ends;

    float distance(int32_t joint, const Vec3& point) const {
        const auto j = static_cast<size_t>(joint);
        float nearest = INFINITY;
        for (const Vec3& end : ends[j]) nearest = std::min(nearest, distance_to_segment(point, bones[j].head, end));
        return nearest;
    }

    int32_t parent(int32_t joint) const { return bones[static_cast<size_t>(joint)].parent; }
    int32_t depth(int32_t joint) const { return joint < 0 ? -1 : bones[static_cast<size_t>(joint)].depth; }

    // From the bones of joints on the way from a to b, without these two; 0 when that is too long a way.
    float distance_between(int32_t a, int32_t b, const Vec3& point) const {
        float nearest = INFINITY;
        int32_t x = a, y = b;
        for (int steps = 0; x != y; ++steps) {
            if (steps == longest_way) return 0.0f;
            int32_t& lower = depth(x) < depth(y) ? y : x;
            lower = parent(lower);
            if (lower >= 0 && lower != a && lower != b) nearest = std::min(nearest, distance(lower, point));
        }
        return nearest;
    }
};

void carry(const Tree& tree, std::span<const Influence> list, const Vec3& centre, float radius, Influence* out) {
    std::copy(list.begin(), list.end(), out);
    if (!(radius > 0.0f)) return;
    const size_t count = std::min(list.size(), most_weights);
    float distance[most_weights];
    double gain[most_weights] = {};
    for (size_t i = 0; i < count; ++i) distance[i] = tree.distance(static_cast<int32_t>(list[i].joint), centre);
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = i + 1; j < count; ++j) {
            const float between =
                tree.distance_between(static_cast<int32_t>(list[i].joint), static_cast<int32_t>(list[j].joint), centre);
            const double here = double{std::min(distance[i], between)} / radius,
                         there = double{std::min(distance[j], between)} / radius, off = std::min(here, there);
            const double pull = std::exp(-aloofness * off * off) * std::tanh(sharpness * (there - here));
            if (!std::isfinite(pull)) continue;  // bones out of all proportion
            const double flow = pull * list[i].weight * list[j].weight;
            gain[i] += flow, gain[j] -= flow;
        }
    }
    for (size_t i = 0; i < count; ++i) out[i].weight = std::max(0.0f, static_cast<float>(list[i].weight + gain[i]));
}

// To whole multiples of the unit. What that takes or leaves is the largest one's, which has it to give.
void round_weights(std::span<Influence> list) {
    if (list.empty()) return;
    const auto largest =
        std::ranges::max_element(list, [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
    float rest = 1.0f;
    for (Influence& i : list) {
        i.weight = std::round(i.weight / centre_weight_unit) * centre_weight_unit;
        rest -= i.weight;
    }
    largest->weight = std::max(0.0f, largest->weight + rest);
}

}  // namespace

Influences centre_influences(const Influences& influences, std::span<const Vec3> centres, std::span<const float> radii,
                             std::span<const SkinBone> bones) {
    const size_t count = influences.vertex_count();
    SINEW_CHECK(centres.size() == count && radii.size() == count);
    const Tree tree{bones, find_ends(bones)};
    std::vector<uint32_t> first{0};
    first.reserve(count + 1);
    for (size_t v = 0; v < count; ++v) first.push_back(first[v] + static_cast<uint32_t>(influences.of(v).size()));
    std::vector<Influence> all(first.back());
    parallel_for(count, vertices_per_chunk, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
            carry(tree, influences.of(v), centres[v], radii[v], all.data() + first[v]);
            round_weights(std::span(all).subspan(first[v], first[v + 1] - first[v]));
        }
    });
    return *Influences::create(std::move(first), std::move(all), bones.size());
}

}  // namespace sinew
