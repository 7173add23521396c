#include <sinew/weights/bones/distance.h>

#include <sinew/core/parallel.h>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t distance_grain = 1024;  // vertices per task
constexpr double no_distance = 1e-6;  // below this a vertex lies on the bone: the distance at which vertices are welded
// Chosen: a joint four times as far as the nearest would have 1/256 of its weight, which is less than is kept later.
constexpr double least_ratio = 0.25;

// visit(vertex, its distance to each bone)
template <class Visit>
void each_vertex(const Surface& surface, std::span<const Bone> bones, const Visit& visit) {
    parallel_for(surface.vertex_count(), distance_grain, [&](size_t begin, size_t end) {
        std::vector<double> distances(bones.size());
        for (size_t v = begin; v < end; ++v) {
            const Vec3d& p = surface.positions[v];
            for (size_t b = 0; b < bones.size(); ++b) {
                const Bone& bone = bones[b];
                distances[b] = (p - bone.head - nearest_on(bone, p) * (bone.tail - bone.head)).norm();
            }
            visit(v, distances);
        }
    });
}

}  // namespace

WeightField distance_weights(const Surface& surface, std::span<const Bone> bones) {
    WeightField field(surface.vertex_count());
    each_vertex(surface, bones, [&](size_t v, const std::vector<double>& distances) {
        const double nearest = std::max(*std::min_element(distances.begin(), distances.end()), no_distance);
        for (size_t b = 0; b < bones.size(); ++b) {
            const double ratio = nearest / std::max(distances[b], no_distance);
            if (ratio < least_ratio) continue;
            // Of a joint's several bones the nearest counts.
            const auto joint = static_cast<uint32_t>(bones[b].joint);
            const double weight = ratio * ratio * ratio * ratio;
            double before = 0.0;
            for (const Influence& i : field.of(v))
                if (i.joint == joint) before = i.weight;
            field.add(v, joint, static_cast<float>(weight - before));
        }
        field.normalise(v);
    });
    return field;
}

WeightField rigid_weights(const Surface& surface, std::span<const Bone> bones) {
    WeightField field(surface.vertex_count());
    each_vertex(surface, bones, [&](size_t v, const std::vector<double>& distances) {
        const size_t nearest =
            static_cast<size_t>(std::min_element(distances.begin(), distances.end()) - distances.begin());
        field.add(v, static_cast<uint32_t>(bones[nearest].joint), 1.0f);
    });
    return field;
}

}  // namespace sinew
