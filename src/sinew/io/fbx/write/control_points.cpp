#include <sinew/io/fbx/write/control_points.h>
#include <algorithm>
#include <bit>
#include <span>
#include <unordered_map>

namespace sinew::fbx {
namespace {

uint32_t bits_of(float number) {
    return std::bit_cast<uint32_t>(number + 0.0f);  // −0 is 0
}

void append(const Vec3& vector, std::vector<uint32_t>& words) {
    for (int i = 0; i < 3; ++i) words.push_back(bits_of(vector[i]));
}

// What makes a vertex the point it is, as words; equal words make equal points.
class PointFinder {
public:
    explicit PointFinder(const MeshGroup& mesh) : mesh_(mesh) {}

    ControlPoints find() {
        result_.of_vertex.resize(mesh_.primitives.size());
        for (size_t p = 0; p < mesh_.primitives.size(); ++p) {
            const Primitive& primitive = mesh_.primitives[p];
            next_.assign(primitive.morphs.size(), 0);
            for (size_t v = 0; v < primitive.mesh.positions.size(); ++v)
                result_.of_vertex[p].push_back(add(uint32_t(p), uint32_t(v)));
        }
        return std::move(result_);
    }

private:
    uint32_t add(uint32_t p, uint32_t v) {
        const size_t begin = words_.size();
        describe(mesh_.primitives[p], v);
        const std::span<const uint32_t> words = std::span(words_).subspan(begin);
        uint64_t hash = words.size();
        for (const uint32_t word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
        const auto [first, last] = points_.equal_range(hash);
        for (auto candidate = first; candidate != last; ++candidate)
            if (std::ranges::equal(words_of(candidate->second), words)) {
                words_.resize(begin);
                return candidate->second;
            }
        const auto point = uint32_t(result_.sources.size());
        points_.emplace(hash, point);
        result_.sources.push_back({p, v});
        end_.push_back(words_.size());
        return point;
    }

    void describe(const Primitive& primitive, uint32_t v) {
        append(primitive.mesh.positions[v], words_);
        if (!primitive.influences.empty())
            for (const Influence& influence : primitive.influences.of(v)) {
                words_.push_back(influence.joint);
                words_.push_back(bits_of(influence.weight));
            }
        // Vertices come in order, and so do those of a target.
        for (size_t t = 0; t < primitive.morphs.size(); ++t) {
            const MorphTarget& morph = primitive.morphs[t];
            size_t& next = next_[t];
            if (next == morph.vertices.size() || morph.vertices[next] != v) continue;
            if (!morph.positions[next].isZero(0)) {
                words_.push_back(uint32_t(t));
                append(morph.positions[next], words_);
            }
            ++next;
        }
    }

    std::span<const uint32_t> words_of(uint32_t point) const {
        const size_t begin = point == 0 ? 0 : end_[point - 1];
        return std::span(words_).subspan(begin, end_[point] - begin);
    }

    const MeshGroup& mesh_;
    ControlPoints result_;
    std::vector<uint32_t> words_;
    std::vector<size_t> end_;   // of each point's words
    std::vector<size_t> next_;  // by target: the first of its vertices that is not behind
    std::unordered_multimap<uint64_t, uint32_t> points_;
};

}  // namespace

ControlPoints find_control_points(const MeshGroup& mesh) {
    return PointFinder(mesh).find();
}

}  // namespace sinew::fbx
