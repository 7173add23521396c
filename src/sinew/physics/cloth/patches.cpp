#include <sinew/physics/cloth/patches.h>

#include <sinew/core/parallel.h>
#include <sinew/physics/cloth/surface_distance.h>
#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t first_joints = 32;
constexpr double ridge = 1e-6;       // keeps patches that share all their vertices solvable
constexpr double ring_weight = 0.1;  // of each corner around a centre, in turning its patch

// Seeds as far from each other as they can be, and each vertex's nearest ones.
void choose_patches(std::span<const Vec3> rest, std::span<const uint32_t> triangles, size_t count, Patches& out) {
    const SurfaceDistance surface(rest, triangles);
    std::vector<float> nearest(rest.size(), INFINITY), distance;
    std::vector<std::vector<float>> all;
    uint32_t next = 0;
    out.centers.clear();
    while (out.centers.size() < std::min(count, rest.size())) {
        out.centers.push_back(next);
        surface.from(std::span(&next, 1), distance);
        for (size_t v = 0; v < rest.size(); ++v)  // what hangs on nothing is as far as the crow flies
            if (!std::isfinite(distance[v])) distance[v] = 1e3f + (rest[v] - rest[next]).norm();
        for (size_t v = 0; v < rest.size(); ++v) nearest[v] = std::min(nearest[v], distance[v]);
        all.push_back(distance);
        next = static_cast<uint32_t>(std::ranges::max_element(nearest) - nearest.begin());
    }
    out.weights.assign(rest.size() * Patches::per_vertex, {});
    std::vector<uint32_t> order(out.centers.size());
    for (size_t v = 0; v < rest.size(); ++v) {
        for (uint32_t k = 0; k < order.size(); ++k) order[k] = k;
        const size_t kept = std::min(order.size(), Patches::per_vertex + 1);
        std::partial_sort(
            order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
            [&](uint32_t a, uint32_t b) { return all[a][v] != all[b][v] ? all[a][v] < all[b][v] : a < b; });
        // Weights fall to 0 at the first patch that is left out, so that they change without a step.
        const float rim =
            kept > Patches::per_vertex ? all[order[Patches::per_vertex]][v] : 1.5f * all[order[kept - 1]][v] + 1e-6f;
        float sum = 0.0f;
        PatchWeight* w = &out.weights[v * Patches::per_vertex];
        for (size_t k = 0; k < std::min(kept, Patches::per_vertex); ++k) {
            const float share = std::max(1.0f - all[order[k]][v] / rim, 0.0f);
            w[k] = {order[k], share * share};
            sum += w[k].weight;
        }
        if (!(sum > 0.0f)) w[0] = {order[0], 1.0f}, sum = 1.0f;
        for (size_t k = 0; k < Patches::per_vertex; ++k) w[k].weight /= sum;
    }
}

// The triangles around each patch's centre, as their corners. A patch may have no vertex but its centre: how that is
// turned, and so where its normal points, only its neighbours say.
std::vector<std::vector<uint32_t>> rings_of(const Patches& p, std::span<const uint32_t> triangles, size_t vertices) {
    std::vector<int32_t> patch_at(vertices, -1);
    for (size_t k = 0; k < p.centers.size(); ++k) patch_at[p.centers[k]] = static_cast<int32_t>(k);
    std::vector<std::vector<uint32_t>> rings(p.centers.size());
    for (size_t t = 0; t + 2 < triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k)
            if (const int32_t patch = patch_at[triangles[t + k]]; patch >= 0) {
                auto& ring = rings[static_cast<size_t>(patch)];
                ring.insert(ring.end(), {triangles[t], triangles[t + 1], triangles[t + 2]});
            }
    return rings;
}

// The rotation that takes the patch's vertices at rest to where they are, best in the sum of squares [Kabsch1976].
void fit_rotations(const Patches& p, std::span<const std::vector<uint32_t>> rings, std::span<const Vec3> rest,
                   std::span<const Vec3> now, std::span<Transform> out) {
    struct Sum {
        double weight = 0.0;
        Vec3d rest = Vec3d::Zero(), now = Vec3d::Zero();
        Mat3d product = Mat3d::Zero();
    };
    const auto add = [&](Sum& s, size_t v, double weight) {
        const Vec3d a = rest[v].cast<double>(), b = now[v].cast<double>();
        s.weight += weight, s.rest += weight * a, s.now += weight * b, s.product += weight * b * a.transpose();
    };
    std::vector<Sum> sums(p.centers.size());
    for (size_t i = 0; i < p.weights.size(); ++i) {
        const PatchWeight w = p.weights[i];
        if (w.weight == 0.0f) continue;
        add(sums[w.patch], i / Patches::per_vertex, w.weight);
    }
    for (size_t k = 0; k < rings.size(); ++k)
        for (const uint32_t v : rings[k]) add(sums[k], v, ring_weight);
    for (size_t k = 0; k < sums.size(); ++k) {
        const Sum& s = sums[k];
        out[k] = {};
        if (!(s.weight > 0.0)) continue;
        const Mat3d m = s.product - s.now * s.rest.transpose() / s.weight;
        const Eigen::JacobiSVD<Mat3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Mat3d u = svd.matrixU();
        if (u.determinant() * svd.matrixV().determinant() < 0.0) u.col(2) *= -1.0;
        out[k].rotation = Quat(Quatd(Mat3d(u * svd.matrixV().transpose())).cast<float>());
    }
}

void fit_frames(std::span<const Vec3> rest, std::span<const uint32_t> triangles, std::span<const Vec3> positions,
                Patches& p) {
    const size_t n = rest.size(), k = p.centers.size(), frames = positions.size() / n;
    Eigen::MatrixXd normal =
        ridge * Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k));
    for (size_t v = 0; v < n; ++v)
        for (size_t i = 0; i < Patches::per_vertex; ++i)
            for (size_t j = 0; j < Patches::per_vertex; ++j) {
                const PatchWeight &a = p.weights[v * Patches::per_vertex + i],
                                  &b = p.weights[v * Patches::per_vertex + j];
                normal(a.patch, b.patch) += static_cast<double>(a.weight) * b.weight;
            }
    const Eigen::LLT<Eigen::MatrixXd> solver(normal);
    const auto rings = rings_of(p, triangles, n);
    p.frames.assign(frames * k, {});
    std::vector<double> worst(frames, 0.0), sum(frames, 0.0);
    parallel_for(frames, 1, [&](size_t begin, size_t end) {
        for (size_t f = begin; f < end; ++f) {
            const auto now = positions.subspan(f * n, n);
            const auto out = std::span(p.frames).subspan(f * k, k);
            fit_rotations(p, rings, rest, now, out);
            // What rotations alone make of a vertex; translations make up for the rest.
            const auto turned = [&](size_t v) {
                Vec3d at = Vec3d::Zero();
                for (size_t i = 0; i < Patches::per_vertex; ++i) {
                    const PatchWeight w = p.weights[v * Patches::per_vertex + i];
                    if (w.weight > 0.0f)
                        at += static_cast<double>(w.weight) *
                              (out[w.patch].rotation * (rest[v] - rest[p.centers[w.patch]])).cast<double>();
                }
                return at;
            };
            Eigen::MatrixXd right = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(k), 3);
            for (size_t c = 0; c < k; ++c)
                right.row(static_cast<Eigen::Index>(c)) = ridge * now[p.centers[c]].cast<double>();
            for (size_t v = 0; v < n; ++v) {
                const Vec3d left = now[v].cast<double>() - turned(v);
                for (size_t i = 0; i < Patches::per_vertex; ++i) {
                    const PatchWeight w = p.weights[v * Patches::per_vertex + i];
                    if (w.weight > 0.0f) right.row(w.patch) += static_cast<double>(w.weight) * left;
                }
            }
            const Eigen::MatrixXd places = solver.solve(right);
            for (size_t c = 0; c < k; ++c)
                out[c].translation = Vec3d(places.row(static_cast<Eigen::Index>(c))).cast<float>();
            for (size_t v = 0; v < n; ++v) {
                Vec3d at = turned(v);
                for (size_t i = 0; i < Patches::per_vertex; ++i) {
                    const PatchWeight w = p.weights[v * Patches::per_vertex + i];
                    at += static_cast<double>(w.weight) * out[w.patch].translation.cast<double>();
                }
                const double off = (at - now[v].cast<double>()).norm();
                worst[f] = std::max(worst[f], off), sum[f] += off;
            }
        }
    });
    p.worst_error = p.mean_error = 0.0;
    for (size_t f = 0; f < frames; ++f) {
        p.worst_error = std::max(p.worst_error, worst[f]);
        p.mean_error += sum[f] / static_cast<double>(frames * n);
    }
}

}  // namespace

Patches fit_patches(std::span<const Vec3> rest, std::span<const uint32_t> triangles, std::span<const Vec3> positions,
                    const PatchOptions& options) {
    Patches patches;
    if (rest.empty()) return patches;
    const size_t most = std::min(options.joints > 0 ? options.joints : options.most, rest.size());
    for (size_t count = options.joints > 0 ? most : std::min(first_joints, most);; count = std::min(2 * count, most)) {
        choose_patches(rest, triangles, count, patches);
        fit_frames(rest, triangles, positions, patches);
        if (patches.worst_error <= options.error || count >= most) return patches;
    }
}

}  // namespace sinew
