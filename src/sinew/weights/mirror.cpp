#include <sinew/weights/mirror.h>

#include <sinew/core/parallel.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/weights/surface/surface_finder.h>
#include <atomic>
#include <cmath>

namespace sinew {
namespace {

// In units of the Surface's size.
constexpr double match = 0.02;     // chosen: 4 cm on a person; a mirror image farther off the surface is a missing part
constexpr double on_plane = 1e-4;  // chosen: a fifth of a millimetre on a person, well above the rounding of files
constexpr size_t mirror_grain = 1024;  // vertices per task
constexpr size_t rows_in_mean = 4;     // a mean of several vertices may hold so many times the joints of one

bool opposite(Side a, Side b) {
    return (a == Side::left && b == Side::right) || (a == Side::right && b == Side::left);
}

}  // namespace

std::vector<int32_t> mirror_joints(const Skeleton& skeleton, std::span<const Vec3d> joint_positions, int axis,
                                   double tolerance) {
    double middle = 0.0;
    for (const Vec3d& p : joint_positions) middle += p[axis] / static_cast<double>(joint_positions.size());
    std::vector<Side> side;
    for (const std::string& name : skeleton.names()) side.push_back(parse_joint_name(name).side);
    std::vector<int32_t> mirror(joint_positions.size());
    for (size_t j = 0; j < joint_positions.size(); ++j) {
        Vec3d image = joint_positions[j];
        image[axis] = 2.0 * middle - image[axis];
        int32_t best = static_cast<int32_t>(j);
        double best_score = std::abs(image[axis] - joint_positions[j][axis]) <= tolerance ? 0.0 : INFINITY;
        for (size_t k = 0; k < joint_positions.size(); ++k) {
            const double distance = (joint_positions[k] - image).norm();
            if (distance > tolerance) continue;
            const double score = distance - (opposite(side[j], side[k]) ? 2.0 * tolerance : 0.0);
            if (score >= best_score) continue;
            best_score = score;
            best = static_cast<int32_t>(k);
        }
        mirror[j] = best;
    }
    return mirror;
}

MirrorResult mirror_weights(WeightField& field, const Surface& surface, std::span<const int32_t> mirror, int axis,
                            double middle) {
    const WeightField before = field;
    const SurfaceFinder finder(surface);
    std::atomic<size_t> mirrored = 0, unmatched = 0;
    parallel_for(surface.vertex_count(), mirror_grain, [&](size_t begin, size_t end) {
        WeightField row(1, rows_in_mean * field.capacity()), image_row(1, rows_in_mean * field.capacity());
        for (size_t v = begin; v < end; ++v) {
            const double side = surface.positions[v][axis] - middle;
            if (side > on_plane) continue;
            Vec3d image = surface.positions[v];
            image[axis] = middle - side;
            const SurfacePoint point = finder.nearest(image);
            if (point.distance > match) {
                ++unmatched;
                continue;
            }
            const bool center = side > -on_plane;
            row.clear(0);
            image_row.clear(0);
            add_weights(before, point, center ? 0.5 : 1.0, image_row, 0);
            if (center)
                for (const Influence& i : before.of(v)) row.add(0, i.joint, 0.5f * i.weight);
            for (const Influence& i : image_row.of(0)) row.add(0, static_cast<uint32_t>(mirror[i.joint]), i.weight);
            field.set(v, row.of(0));
            field.normalise(v);
            ++mirrored;
        }
    });
    return {mirrored, unmatched};
}

}  // namespace sinew
