#include <sinew/morph/delta_transfer.h>

#include <sinew/core/check.h>
#include <sinew/mesh/topology.h>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

namespace sinew {
namespace {

// The sums of a least-squares fit target ≈ A · source over weighted directions: A = cross · square⁻¹.
struct Fit {
    Mat3d cross = Mat3d::Zero();
    Mat3d square = Mat3d::Zero();
    double weight = 0.0;

    void add(const Fit& other) {
        cross += other.cross;
        square += other.square;
        weight += other.weight;
    }
};

// Two edges and the normal, the latter as long as the triangle is wide: a third direction that scales with the others.
Mat3d triangle_frame(std::span<const Vec3> positions, const uint32_t* corner) {
    const Vec3d a = positions[corner[0]].cast<double>();
    Mat3d frame;
    frame.col(0) = positions[corner[1]].cast<double>() - a;
    frame.col(1) = positions[corner[2]].cast<double>() - a;
    const Vec3d across = frame.col(0).cross(frame.col(1));
    const double length = across.norm();
    frame.col(2) = length > 0.0 ? Vec3d(across / std::sqrt(length)) : Vec3d(Vec3d::Zero());
    return frame;
}

Fit triangle_fit(std::span<const Vec3> source, std::span<const Vec3> target, const uint32_t* corner) {
    const Mat3d from = triangle_frame(source, corner), to = triangle_frame(target, corner);
    const double weight = from.col(2).squaredNorm();  // twice the area
    if (!(weight > 0.0) || !std::isfinite(weight) || !to.allFinite()) return {};
    return {to * from.transpose(), from * from.transpose(), weight};
}

struct LocalMap {
    Mat3d positions = Mat3d::Identity();
    Mat3d directions = Mat3d::Identity();  // the rotation in `positions`
    bool found = false;
};

LocalMap solve(const Fit& fit) {
    LocalMap map;
    const double size = fit.square.trace();
    if (!(size > 0.0) || !(fit.square.determinant() > 1e-12 * size * size * size)) return map;
    map.positions = fit.cross * fit.square.inverse();
    const Eigen::JacobiSVD<Mat3d> svd(map.positions, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) *= -1.0;
    map.directions = u * svd.matrixV().transpose();
    map.found = map.positions.allFinite();
    return map;
}

void map_all(std::vector<Vec3>& deltas, std::span<const uint32_t> vertices, std::span<const LocalMap> maps,
             Mat3d LocalMap::*part) {
    for (size_t i = 0; i < deltas.size(); ++i)
        deltas[i] = (maps[vertices[i]].*part * deltas[i].cast<double>()).cast<float>();
}

}  // namespace

DeltaTransfer transfer_deltas(std::span<const Vec3> source, std::span<const Vec3> target,
                              std::span<const uint32_t> triangles, std::span<const MorphTarget> source_targets) {
    SINEW_CHECK(source.size() == target.size());
    const std::vector<uint32_t> representative = weld_exact(source);
    std::vector<Fit> fits(source.size());
    Fit whole;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Fit fit = triangle_fit(source, target, &triangles[t]);
        for (size_t k = 0; k < 3; ++k) fits[representative[triangles[t + k]]].add(fit);
        whole.add(fit);
    }
    DeltaTransfer result;
    const LocalMap fallback = solve(whole);
    std::vector<LocalMap> maps(source.size());
    for (size_t v = 0; v < source.size(); ++v) {
        maps[v] = representative[v] == v ? solve(fits[v]) : maps[representative[v]];
        if (maps[v].found) continue;
        maps[v] = fallback;
        maps[v].found = false;  // so that welded vertices are counted as well
        ++result.vertices_without_area;
    }
    for (const MorphTarget& given : source_targets) {
        MorphTarget& made = result.targets.emplace_back(given);
        map_all(made.positions, made.vertices, maps, &LocalMap::positions);
        map_all(made.normals, made.vertices, maps, &LocalMap::directions);
        map_all(made.tangents, made.vertices, maps, &LocalMap::directions);
    }
    return result;
}

}  // namespace sinew
