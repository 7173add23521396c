#include <sinew/ik/elastic/reduced_energy.h>

#include <sinew/ik/elastic/nearest_rotation.h>
#include <sinew/ik/elastic/weight_clusters.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// A triangle whose height is below this share of its longest edge has no angles to speak of.
constexpr double flattest = 1e-6;

// Rows of sums, made when they are first asked for: at (row, column) of a table that is mostly empty.
class SparseIndex {
public:
    explicit SparseIndex(size_t columns) : columns_(columns) {}
    // The number of the entry; `count` grows by one when it is new.
    uint32_t at(size_t row, size_t column, size_t count) {
        if (rows_.size() <= row) rows_.resize(row + 1);
        if (rows_[row].empty()) rows_[row].assign(columns_, none);
        uint32_t& entry = rows_[row][column];
        if (entry == none) entry = static_cast<uint32_t>(count);
        return entry;
    }
    static constexpr uint32_t none = 0xffffffffu;

private:
    size_t columns_;
    std::vector<std::vector<uint32_t>> rows_;
};

// A corner of a triangle as a sum over joints, and where it is in the reference pose.
struct Corner {
    std::span<const VertexTerm> terms;
    Vec3d place = Vec3d::Zero();
};

// b − a, term by term.
void subtract(std::span<const VertexTerm> a, std::span<const VertexTerm> b, std::vector<VertexTerm>& out) {
    out.assign(b.begin(), b.end());
    for (const VertexTerm& t : a) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const VertexTerm& o) { return o.joint == t.joint; });
        if (same == out.end())
            out.push_back({t.joint, -t.q});
        else
            same->q -= t.q;
    }
}

// Half the cotangents of the angles opposite to edges 0–1, 1–2, 2–0; nothing for a triangle without area.
std::optional<Vec3d> half_cotangents(const std::array<Corner, 3>& corners) {
    std::array<Vec3d, 3> edge;
    for (size_t i = 0; i < 3; ++i) edge[i] = corners[(i + 1) % 3].place - corners[i].place;
    const double twice_area = edge[0].cross(edge[1]).norm();
    const double longest = std::max({edge[0].squaredNorm(), edge[1].squaredNorm(), edge[2].squaredNorm()});
    if (!(twice_area > flattest * longest) || !std::isfinite(longest)) return {};
    Vec3d half;
    for (size_t i = 0; i < 3; ++i)
        half[static_cast<int>(i)] = -edge[(i + 1) % 3].dot(edge[(i + 2) % 3]) / (2.0 * twice_area);
    return half;
}

// Adds triangles to the sums.
class Builder {
public:
    Builder(size_t joints, size_t clusters) : pair_index_(joints), term_index_(joints), cluster_terms_(clusters) {
        spread_.assign(clusters, Mat3d::Zero());
    }

    void add(const std::array<Corner, 3>& corners, const std::array<uint32_t, 3>& clusters) {
        const auto half = half_cotangents(corners);
        if (!half) return;
        for (size_t i = 0; i < 3; ++i) {
            const Corner &from = corners[i], &to = corners[(i + 1) % 3];
            subtract(from.terms, to.terms, edge_);
            add_edge((*half)[static_cast<int>(i)], to.place - from.place, clusters);
        }
    }

    ReducedEnergy finish() {
        ReducedEnergy result;
        double total = 0.0;
        for (const Mat3d& s : spread_) total += s.trace();
        const double unit = total > 0.0 ? 1.0 / total : 1.0;
        for (ReducedEnergy::Pair& pair : pairs_) result.pairs.push_back({pair.i, pair.j, unit * pair.sum});
        const auto before = [](const auto& a, const auto& b) { return std::pair(a.i, a.j) < std::pair(b.i, b.j); };
        std::sort(result.pairs.begin(), result.pairs.end(), before);
        for (size_t k = 0; k < spread_.size(); ++k) {
            if (cluster_terms_[k].empty()) continue;
            result.clusters.push_back({static_cast<uint32_t>(result.terms.size()),
                                       static_cast<uint32_t>(cluster_terms_[k].size()), unit * spread_[k]});
            for (const uint32_t t : cluster_terms_[k]) result.terms.push_back({terms_[t].joint, unit * terms_[t].sum});
        }
        return result;
    }

private:
    // Each of the triangle's corners counts the edge for its own cluster.
    void add_edge(double c, const Vec3d& d, const std::array<uint32_t, 3>& clusters) {
        for (const VertexTerm& a : edge_) {
            for (const VertexTerm& b : edge_) {
                if (a.joint > b.joint) continue;
                const auto i = static_cast<size_t>(a.joint), j = static_cast<size_t>(b.joint);
                const uint32_t at = pair_index_.at(i, j, pairs_.size());
                if (at == pairs_.size()) pairs_.push_back({a.joint, b.joint, Eigen::Matrix4d::Zero()});
                pairs_[at].sum += (3.0 * c) * a.q * b.q.transpose();
            }
            for (const uint32_t k : clusters) {
                const uint32_t at = term_index_.at(k, static_cast<size_t>(a.joint), terms_.size());
                if (at == terms_.size()) {
                    terms_.push_back({a.joint, Eigen::Matrix<double, 4, 3>::Zero()});
                    cluster_terms_[k].push_back(at);
                }
                terms_[at].sum += c * a.q * d.transpose();
            }
        }
        for (const uint32_t k : clusters) spread_[k] += c * d * d.transpose();
    }

    SparseIndex pair_index_, term_index_;
    std::vector<ReducedEnergy::Pair> pairs_;
    std::vector<ReducedEnergy::Term> terms_;
    std::vector<std::vector<uint32_t>> cluster_terms_;
    std::vector<Mat3d> spread_;
    std::vector<VertexTerm> edge_;
};

}  // namespace

VertexTerms vertex_terms(const ElasticJoints& joints, const ElasticMesh& mesh, size_t vertex) {
    VertexTerms terms;
    for (const Influence& influence : mesh.influences->of(vertex)) {
        const auto slot = static_cast<size_t>(influence.joint);
        const Vec3d there = mesh.skin->inverse_bind[slot].cast<double>() * mesh.positions[vertex].cast<double>();
        const auto weight = static_cast<double>(influence.weight);
        terms.push_back({joints.holder[static_cast<size_t>(mesh.skin->joints[slot])], weight * there.homogeneous()});
    }
    return terms;
}

Vec3d place_of(std::span<const VertexTerm> terms, std::span<const AffineD> world) {
    Vec3d sum = Vec3d::Zero();
    for (const VertexTerm& t : terms) sum += world[static_cast<size_t>(t.joint)].matrix() * t.q;
    return sum;
}

ReducedEnergy reduce_energy(const ElasticJoints& joints, std::span<const AffineD> world,
                            std::span<const ElasticMesh> meshes, std::span<const std::vector<VertexTerms>> vertices,
                            int rotations_per_blend) {
    const WeightClusters clusters = cluster_by_weights(meshes, rotations_per_blend);
    Builder builder(joints.size(), clusters.count);
    size_t first = 0;  // vertex of this mesh
    for (size_t m = 0; m < meshes.size(); ++m) {
        const std::span<const uint32_t> triangles = meshes[m].triangles;
        for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
            std::array<Corner, 3> corners;
            std::array<uint32_t, 3> cluster{};
            for (size_t i = 0; i < 3; ++i) {
                const uint32_t v = triangles[t + i];
                corners[i] = {vertices[m][v], place_of(vertices[m][v], world)};
                cluster[i] = clusters.of_vertex[first + v];
            }
            if (std::none_of(corners.begin(), corners.end(), [](const Corner& c) { return c.terms.empty(); }))
                builder.add(corners, cluster);
        }
        first += meshes[m].positions.size();
    }
    return builder.finish();
}

double fit_rotations(const ReducedEnergy& energy, std::span<const AffineD> world, std::span<Mat3d> rotations) {
    double sum = 0.0;
    for (const ReducedEnergy::Pair& pair : energy.pairs) {
        const auto &wi = world[static_cast<size_t>(pair.i)].matrix(), &wj = world[static_cast<size_t>(pair.j)].matrix();
        const double trace = (wi * pair.sum).cwiseProduct(wj).sum();
        sum += pair.i == pair.j ? 0.5 * trace : trace;
    }
    for (size_t k = 0; k < energy.clusters.size(); ++k) {
        const ReducedEnergy::Cluster& cluster = energy.clusters[k];
        Mat3d s = Mat3d::Zero();  // Σ c e dᵀ
        for (uint32_t t = cluster.first_term; t < cluster.first_term + cluster.terms; ++t)
            s += world[static_cast<size_t>(energy.terms[t].joint)].matrix() * energy.terms[t].sum;
        rotations[k] = nearest_rotation(s);
        sum += 0.5 * cluster.spread.trace() - rotations[k].cwiseProduct(s).sum();
    }
    return std::max(sum, 0.0);
}

}  // namespace sinew
