#include <sinew/physics/surface_tree.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace sinew {
namespace {

constexpr uint32_t leaf_triangles = 4;
// A point that was near a triangle is at most so many triangles away from it a step later.
constexpr int most_walked = 64;
constexpr size_t deepest = 64;  // halving four thousand million triangles takes 32 levels

float squared_distance(const Box& box, const Vec3& p) {
    return (box.min - p).cwiseMax(p - box.max).cwiseMax(0.0f).squaredNorm();
}

}  // namespace

Vec3 nearest_shares(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const float d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3 bp = p - b;
    const float d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return d1 == d3 ? Vec3(1, 0, 0) : Vec3(1 - d1 / (d1 - d3), d1 / (d1 - d3), 0);
    const Vec3 cp = p - c;
    const float d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return d2 == d6 ? Vec3(1, 0, 0) : Vec3(1 - d2 / (d2 - d6), 0, d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const float sum = (d4 - d3) + (d5 - d6), w = sum > 0 ? (d4 - d3) / sum : 0.0f;
        return {0, 1 - w, w};
    }
    const float sum = va + vb + vc;
    return {va / sum, vb / sum, vc / sum};
}

SurfaceTree::SurfaceTree(std::span<const Vec3> positions, std::span<const uint32_t> triangles)
    : positions_(positions.begin(), positions.end()), normals_(positions.size()) {
    std::vector<Vec3> centers;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3 &a = positions[triangles[t]], &b = positions[triangles[t + 1]], &c = positions[triangles[t + 2]];
        if (!((b - a).cross(c - a).squaredNorm() > 0.0f)) continue;
        triangles_.insert(triangles_.end(), {triangles[t], triangles[t + 1], triangles[t + 2]});
        centers.push_back((a + b + c) / 3.0f);
    }
    order_.resize(centers.size());
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    if (!order_.empty()) build(0, static_cast<uint32_t>(order_.size()), centers);
    join();
    refit();
}

void SurfaceTree::join() {
    struct Side {
        uint32_t low, high, place;
    };
    std::vector<Side> sides(triangles_.size());
    for (uint32_t i = 0; i < sides.size(); ++i) {
        const uint32_t first = i - i % 3, a = triangles_[first + (i + 1) % 3], b = triangles_[first + (i + 2) % 3];
        sides[i] = {std::min(a, b), std::max(a, b), i};
    }
    std::ranges::sort(sides, {}, [](const Side& s) { return std::tuple(s.low, s.high, s.place); });
    across_.assign(triangles_.size(), 0xffffffffu);
    for (size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &s = sides[i], &next = sides[i + 1];
        if (s.low != next.low || s.high != next.high) continue;
        across_[s.place] = next.place / 3, across_[next.place] = s.place / 3;
    }
}

uint32_t SurfaceTree::build(uint32_t first, uint32_t count, std::vector<Vec3>& centers) {
    const auto id = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({.first = first, .count = count});
    if (count <= leaf_triangles) return id;
    Box box;
    for (uint32_t i = first; i < first + count; ++i) box.add(centers[order_[i]]);
    int axis = 0;
    box.size().maxCoeff(&axis);
    const uint32_t half = count / 2;
    std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                     [&](uint32_t l, uint32_t r) {
                         return centers[l][axis] != centers[r][axis] ? centers[l][axis] < centers[r][axis] : l < r;
                     });
    build(first, half, centers);
    const uint32_t second = build(first + half, count - half, centers);
    nodes_[id].first = second;
    nodes_[id].count = 0;
    return id;
}

void SurfaceTree::refit() {
    std::ranges::fill(normals_, Vec3(Vec3::Zero()));
    for (size_t t = 0; t < triangles_.size(); t += 3) {
        const uint32_t* k = &triangles_[t];
        const Vec3 normal = (positions_[k[1]] - positions_[k[0]]).cross(positions_[k[2]] - positions_[k[0]]);
        for (int i = 0; i < 3; ++i) normals_[k[i]] += normal;
    }
    for (Vec3& n : normals_) n = n.squaredNorm() > 0.0f ? Vec3(n.normalized()) : Vec3(Vec3::UnitY());
    for (size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        node.box = Box();
        if (node.count == 0) {
            node.box.add(nodes_[i + 1].box);
            node.box.add(nodes_[node.first].box);
        } else {
            for (uint32_t k = node.first; k < node.first + node.count; ++k)
                for (uint32_t c = 0; c < 3; ++c) node.box.add(positions_[triangles_[3 * order_[k] + c]]);
        }
    }
}

void SurfaceTree::move(std::span<const Vec3> positions) {
    SINEW_CHECK(positions.size() == positions_.size());
    std::ranges::copy(positions, positions_.begin());
    refit();
}

SurfaceHit SurfaceTree::nearest_on(uint32_t triangle, const Vec3& from) const {
    const uint32_t* k = &triangles_[3 * triangle];
    const Vec3 &a = positions_[k[0]], &b = positions_[k[1]], &c = positions_[k[2]];
    SurfaceHit point{.triangle = triangle, .share = nearest_shares(from, a, b, c)};
    point.place = point.share[0] * a + point.share[1] * b + point.share[2] * c;
    const Vec3 normal =
        point.share[0] * normals_[k[0]] + point.share[1] * normals_[k[1]] + point.share[2] * normals_[k[2]];
    const Vec3 flat = (b - a).cross(c - a);
    point.normal = normal.squaredNorm() > 1e-12f ? Vec3(normal.normalized())
                   : flat.squaredNorm() > 0.0f   ? Vec3(flat.normalized())
                                                 : Vec3(Vec3::UnitY());
    const Vec3 away = from - point.place;
    point.distance = std::copysign(away.norm(), away.dot(point.normal));
    return point;
}

SurfaceHit SurfaceTree::nearest_around(uint32_t triangle, const Vec3& from) const {
    SurfaceHit best = nearest_on(triangle, from);
    for (int walked = 0; walked < most_walked; ++walked) {
        SurfaceHit next = best;
        for (int corner = 0; corner < 3; ++corner) {
            if (best.share[corner] > 0.0f || across(best.triangle, corner) == 0xffffffffu) continue;
            const SurfaceHit there = nearest_on(across(best.triangle, corner), from);
            if (std::abs(there.distance) < std::abs(next.distance)) next = there;
        }
        if (next.triangle == best.triangle) break;
        best = next;
    }
    return best;
}

SurfaceHit SurfaceTree::nearest(const Vec3& from, float reach, uint32_t guess) const {
    SurfaceHit best;
    if (nodes_.empty()) return best;
    float limit = reach * reach;
    uint32_t nearest_triangle = 0xffffffffu;
    const auto ask = [&](uint32_t t) {
        const uint32_t* k = &triangles_[3 * t];
        const Vec3 &a = positions_[k[0]], &b = positions_[k[1]], &c = positions_[k[2]];
        const Vec3 s = nearest_shares(from, a, b, c);
        const float squared = (s[0] * a + s[1] * b + s[2] * c - from).squaredNorm();
        // Of two that are as near, the one with the smaller number: the guess must not change the answer.
        if (squared < limit || (squared == limit && t < nearest_triangle)) limit = squared, nearest_triangle = t;
    };
    if (guess < order_.size()) ask(guess);
    std::array<uint32_t, deepest> open;
    size_t depth = 0;
    open[depth++] = 0;
    while (depth > 0) {
        const uint32_t id = open[--depth];
        const Node& node = nodes_[id];
        if (squared_distance(node.box, from) > limit) continue;
        if (node.count > 0) {
            for (uint32_t k = node.first; k < node.first + node.count; ++k) ask(order_[k]);
        } else {
            const uint32_t left = id + 1, right = node.first;
            const bool left_first =
                squared_distance(nodes_[left].box, from) <= squared_distance(nodes_[right].box, from);
            open[depth++] = left_first ? right : left;
            open[depth++] = left_first ? left : right;
        }
    }
    return nearest_triangle == 0xffffffffu ? best : nearest_on(nearest_triangle, from);
}

Box SurfaceTree::bounds() const {
    return nodes_.empty() ? Box() : nodes_[0].box;
}

}  // namespace sinew
