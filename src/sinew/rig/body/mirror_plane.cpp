#include <sinew/rig/body/mirror_plane.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

// All of these are chosen by us.
// Voxels that are mirrored to measure the overlap, and surface voxels that are matched.
constexpr size_t most_samples = 4000, most_matched = 2500;
// A plane that covers more by less than this is no better.
constexpr double better = 1e-9;
// Sliding a plane: steps of voxels, halved from the first down to the last.
constexpr double first_slide = 4.0, last_slide = 0.2;
// Turning a plane: angles in radians, in eight directions, made smaller by a factor; rounds for each while it helps;
// and slides along the normal for each angle, as factors of it times voxels.
constexpr double first_turn = 0.12, last_turn = 0.004, turn_factor = 0.6, slide_voxels = 8.0,
                 eighth_turn = 0.785398163397448;
constexpr double slides[] = {-1.0, -0.4, 0.4, 1.0};
constexpr int turn_rounds = 3, turn_directions = 8;
// A voxel this near to the outside, in voxels, is on the surface; a mirror image is matched within so many voxels.
constexpr float surface_radius = 1.5f;
constexpr int match_voxels = 3;
// Settling a plane: rounds; fewer matches than this say nothing; nor does it turn by more than 14 degrees (cosine) or
// lose more than this overlap.
constexpr int settle_rounds = 6;
constexpr size_t fewest_matches = 50;
constexpr double settled_near = 0.97, settled_loss = 0.01;
// Directions to search, evenly on a hemisphere (golden angle); the best of them that are 21 degrees apart (cosine).
constexpr int search_directions = 400, search_kept = 4;
constexpr double golden_angle = 2.399963229728653, same_start = 0.93;
// A mesh that is aligned to its axes is the rule: a free plane is only searched for when none across an axis covers
// this much, and must be better by the bonus. Planes within 14 degrees (cosine) of each other are one.
constexpr double good_overlap = 0.9, axis_bonus = 0.04, same_plane = 0.97;

struct Sample {
    Vec3d position;
    double weight;
};

// A few thousand voxels. Their weights fall with the square of the thickness around them, so that an arm weighs as much
// as a piece of trunk of the same length.
std::vector<Sample> take_samples(const VoxelBody& body) {
    const size_t step = std::max<size_t>(1, body.voxels.size() / most_samples);
    std::vector<Sample> samples;
    for (size_t i = step / 2; i < body.voxels.size(); i += step) {
        const double r = static_cast<double>(body.radius[body.voxels[i]]);
        samples.push_back({body.at(body.voxels[i]), 1.0 / (r * r)});
    }
    return samples;
}

double overlap_of(const VoxelBody& body, const std::vector<Sample>& samples, const MirrorPlane& plane) {
    double covered = 0.0, total = 0.0;
    for (const Sample& s : samples) {
        total += s.weight;
        if (body.inside(plane.mirror(s.position))) covered += s.weight;
    }
    return total > 0.0 ? covered / total : 0.0;
}

void try_plane(const VoxelBody& body, const std::vector<Sample>& samples, MirrorPlane candidate, MirrorPlane& best) {
    candidate.overlap = overlap_of(body, samples, candidate);
    if (candidate.overlap > best.overlap + better) best = candidate;
}

// The best plane with this normal, searched around the given offsets.
MirrorPlane slide(const VoxelBody& body, const std::vector<Sample>& samples, const Vec3d& normal,
                  std::initializer_list<double> starts) {
    MirrorPlane best{.normal = normal, .overlap = -1.0};
    for (double start : starts) try_plane(body, samples, {.normal = normal, .offset = start}, best);
    for (double step = first_slide * body.grid.cell; step > last_slide * body.grid.cell; step *= 0.5) {
        const double centre = best.offset;
        for (int k : {-2, -1, 1, 2}) try_plane(body, samples, {.normal = normal, .offset = centre + k * step}, best);
    }
    return best;
}

// Turns a plane about `pivot`, and slides it, as long as its overlap grows.
MirrorPlane turn(const VoxelBody& body, const std::vector<Sample>& samples, MirrorPlane best, const Vec3d& pivot) {
    for (double angle = first_turn; angle > last_turn; angle *= turn_factor) {
        for (int round = 0; round < turn_rounds; ++round) {
            const double before = best.overlap;
            const Vec3d n = best.normal, u = n.unitOrthogonal(), v = n.cross(u);
            const double lift = best.offset - n.dot(pivot);
            for (int k = 0; k < turn_directions; ++k) {
                const double a = eighth_turn * k;
                const Vec3d normal = (n + std::tan(angle) * (std::cos(a) * u + std::sin(a) * v)).normalized();
                try_plane(body, samples, {.normal = normal, .offset = normal.dot(pivot) + lift}, best);
            }
            for (double step : slides)
                try_plane(body, samples,
                          {.normal = best.normal, .offset = best.offset + step * angle * slide_voxels * body.grid.cell},
                          best);
            if (best.overlap <= before) break;
        }
    }
    return best;
}

// The voxels that are matched with their mirror images.
struct SurfaceVoxels {
    std::vector<uint32_t> list;
    std::vector<uint8_t> mask;
};

SurfaceVoxels take_surface(const VoxelBody& body) {
    SurfaceVoxels surface{{}, std::vector<uint8_t>(body.mask.size(), 0)};
    for (uint32_t v : body.voxels)
        if (body.radius[v] < surface_radius) surface.list.push_back(v), surface.mask[v] = 1;
    return surface;
}

// The surface voxel nearest to a point, if one is near.
std::optional<Vec3d> nearest_surface(const VoxelBody& body, const SurfaceVoxels& surface, const Vec3d& point) {
    constexpr int r = match_voxels;
    const VoxelIndex c = body.grid.locate(point);
    double least = (r + 0.5) * (r + 0.5) * body.grid.cell * body.grid.cell;
    std::optional<Vec3d> best;
    for (int dz = -r; dz <= r; ++dz)
        for (int dy = -r; dy <= r; ++dy)
            for (int dx = -r; dx <= r; ++dx) {
                const VoxelIndex n = {c[0] + dx, c[1] + dy, c[2] + dz};
                if (!body.grid.contains(n) || !surface.mask[body.grid.index(n)]) continue;
                const Vec3d at = body.grid.centre(n);
                if (const double d = (at - point).squaredNorm(); d < least) least = d, best = at;
            }
    return best;
}

// Iterated closest points between the surface and its mirror image: exact to a fraction of a voxel. For pairs (p, q)
// about their common middle, the plane that mirrors p to q best has as normal the eigenvector of the least eigenvalue
// of the sum of ½(pqᵀ + qpᵀ).
MirrorPlane settle(const VoxelBody& body, const std::vector<Sample>& samples, const SurfaceVoxels& surface,
                   const MirrorPlane& start) {
    MirrorPlane plane = start;
    const size_t step = std::max<size_t>(1, surface.list.size() / most_matched);
    for (int round = 0; round < settle_rounds; ++round) {
        std::vector<std::pair<Vec3d, Vec3d>> pairs;
        Vec3d middle = Vec3d::Zero();
        for (size_t i = 0; i < surface.list.size(); i += step) {
            const Vec3d p = body.at(surface.list[i]);
            const auto q = nearest_surface(body, surface, plane.mirror(p));
            if (!q) continue;
            pairs.push_back({p, *q});
            middle += 0.5 * (p + *q);
        }
        if (pairs.size() < fewest_matches) return start;
        middle /= static_cast<double>(pairs.size());
        Mat3d m = Mat3d::Zero();
        for (const auto& [p, q] : pairs) m += (p - middle) * (q - middle).transpose();
        const Eigen::SelfAdjointEigenSolver<Mat3d> eigen(0.5 * (m + m.transpose()));
        Vec3d normal = eigen.eigenvectors().col(0);
        if (normal.dot(plane.normal) < 0.0) normal = -normal;
        if (normal.dot(start.normal) < settled_near) return start;
        plane.normal = normal;
        plane.offset = normal.dot(middle);
    }
    plane.overlap = overlap_of(body, samples, plane);
    return plane.overlap > start.overlap - settled_loss ? plane : start;
}

void search_all_directions(const VoxelBody& body, const std::vector<Sample>& samples, const Vec3d& centre,
                           std::vector<MirrorPlane>& planes) {
    std::vector<MirrorPlane> found;
    for (int i = 0; i < search_directions; ++i) {
        const double z = (i + 0.5) / search_directions, r = std::sqrt(1.0 - z * z), a = golden_angle * i;
        MirrorPlane plane{.normal = Vec3d(r * std::cos(a), r * std::sin(a), z)};
        plane.offset = plane.normal.dot(centre);
        plane.overlap = overlap_of(body, samples, plane);
        found.push_back(plane);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.overlap > b.overlap; });
    std::vector<MirrorPlane> starts;
    for (const MirrorPlane& plane : found) {
        bool near = false;
        for (const MirrorPlane& other : starts) near |= std::abs(other.normal.dot(plane.normal)) > same_start;
        if (!near) starts.push_back(plane);
        if (starts.size() == search_kept) break;
    }
    const SurfaceVoxels surface = take_surface(body);
    for (const MirrorPlane& start : starts)
        planes.push_back(settle(body, samples, surface, turn(body, samples, start, centre)));
}

}  // namespace

std::vector<MirrorPlane> find_mirror_planes(const VoxelBody& body, double slack) {
    const std::vector<Sample> samples = take_samples(body);
    Vec3d centre = Vec3d::Zero();
    for (uint32_t v : body.voxels) centre += body.at(v);
    centre /= static_cast<double>(body.voxels.size());
    std::vector<MirrorPlane> planes;
    double best_axis = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        planes.push_back(
            slide(body, samples, Vec3d::Unit(axis), {0.5 * (body.low[axis] + body.high[axis]), centre[axis]}));
        best_axis = std::max(best_axis, planes.back().overlap);
    }
    if (best_axis < good_overlap) search_all_directions(body, samples, centre, planes);
    const auto worth = [&](const MirrorPlane& p) {
        return p.overlap + (p.normal.cwiseAbs().maxCoeff() == 1.0 ? axis_bonus : 0.0);
    };
    std::stable_sort(planes.begin(), planes.end(), [&](const auto& a, const auto& b) { return worth(a) > worth(b); });
    const double least = worth(planes.front()) - slack;
    std::vector<MirrorPlane> kept;
    for (const MirrorPlane& plane : planes) {
        bool near = false;
        for (const MirrorPlane& other : kept) near |= std::abs(other.normal.dot(plane.normal)) > same_plane;
        if (!near && worth(plane) >= least) kept.push_back(plane);
    }
    return kept;
}

}  // namespace sinew
