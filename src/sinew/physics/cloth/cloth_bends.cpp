// What makes cloth resist bending: hinges as blocks for the kernel, or springs across them.
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/cloth_colors.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Cloth that hangs bends over a length at which its stiffness and its weight are even: (stiffness / (density g))^⅓.
// Where that is less than some edges, it crumples from vertex to vertex, as no cloth does: unless told, it is so many
// edges...
constexpr float bending_edges = 2.2f;
constexpr float usual_gravity = 9.81f;
// ...but no fabric is limper than this, in newton metres.
constexpr float least_stiffness = 1e-5f;
// Compliance of springs in metres per newton, unless told.
constexpr float usual_compliance = 1.0f;
// A triangle's height over the hinge counts as no less than this share of the edge: slivers would be rods of iron.
constexpr double least_height = 0.1;

// How much b, c and d count in the vector that a hinge is bent by (BendBlock).
struct BendShares {
    double b, c, d;
};
BendShares shares_of(const Hinge& h, std::span<const Vec3> rest) {
    const Vec3d a = rest[h.a].cast<double>(), edge = rest[h.b].cast<double>() - a;
    const Vec3d to_c = rest[h.c].cast<double>() - a, to_d = rest[h.d].cast<double>() - a;
    const double length = edge.norm();
    const auto weight = [&](const Vec3d& to) {
        return 1.0 / std::max(to.cross(edge).norm() / length, least_height * length);
    };
    const double c = weight(to_c), d = weight(to_d);
    return {-(c * to_c.dot(edge) + d * to_d.dot(edge)) / (length * length), c, d};
}

}  // namespace

void Cloth::make_bends() {
    const bool springs = options_.bending == Bending::springs;
    const float mean = bending_edges * mean_edge_;
    bend_ = options_.bend.value_or(
        springs ? usual_compliance : std::max(options_.density * usual_gravity * mean * mean * mean, least_stiffness));
    hinges_ = find_hinges(rest_, triangles_);
    if (springs) {
        std::vector<Edge> across;
        for (const Hinge& h : hinges_) across.push_back({h.c, h.d, (rest_[h.c] - rest_[h.d]).norm()});
        bend_springs_ = distance_blocks(across);
        if (options_.iterations > 1) bend_pulls_.resize(bend_springs_.size() * octet_size);
        return;
    }
    if (!(bend_ > 0.0f)) return;
    const auto spare = static_cast<uint32_t>(points_.size() - 1);
    const auto colors = color_constraints(std::span<const Hinge>(hinges_), points_.size(), [](const Hinge& h) {
        return std::array{h.a, h.b, h.c, h.d};
    });
    for (const auto& color : colors)
        for (size_t i = 0; i < color.size(); ++i) {
            const size_t k = i % octet_size;
            if (k == 0) {
                bends_.push_back({});
                BendBlock& block = bends_.back();
                for (auto* ids : {block.a, block.b, block.c, block.d}) std::fill_n(ids, octet_size, spare);
                std::fill_n(block.soft, octet_size, 1.0f);
            }
            BendBlock& block = bends_.back();
            const Hinge& h = hinges_[color[i]];
            if (!(h.shape > 0.0)) continue;
            const BendShares shares = shares_of(h, rest_);
            block.a[k] = h.a, block.b[k] = h.b, block.c[k] = h.c, block.d[k] = h.d;
            block.share_b[k] = static_cast<float>(shares.b);
            block.share_c[k] = static_cast<float>(shares.c), block.share_d[k] = static_cast<float>(shares.d);
            block.rest[k] = static_cast<float>(2.0 * std::sin(0.5 * h.rest_angle));
            block.soft[k] = static_cast<float>(1.0 / h.shape);
        }
}

}  // namespace sinew
