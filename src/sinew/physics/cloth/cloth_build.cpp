// A mesh becomes constraints: edges and bends in colours, masses by area, tethers by distance along the cloth.
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/cloth_colors.h>
#include <sinew/physics/cloth/surface_distance.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Layers keep this share of a mean edge apart, so that no vertex fits between three others.
constexpr float self_share = 0.8f;
// Tethers go to this many pins, far apart from each other, and to the nearest.
constexpr size_t most_anchors = 4;
// A vertex of no triangle weighs this share of the mean.
constexpr float least_mass_share = 1e-3f;

// 10 bits with two zeros between any two of them.
uint32_t spread_bits(uint32_t v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}

// Points that stand near each other get numbers near each other [Morton1966].
uint32_t morton_code(const Vec3& p, const Box& box) {
    constexpr float most = 1023.0f;
    const float size = box.size().maxCoeff();
    const Vec3 share = size > 0.0f ? Vec3((p - box.min) / size) : Vec3(Vec3::Zero());
    uint32_t code = 0;
    for (int k = 0; k < 3; ++k)
        code |= spread_bits(static_cast<uint32_t>(most * std::clamp(share[k], 0.0f, 1.0f))) << k;
    return code;
}

}  // namespace

Cloth::Cloth(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const ClothOptions& options)
    : options_(options) {
    sort_vertices(positions, triangles);
    const size_t n = rest_.size(), octets = (n + octet_size - 1) / octet_size + 1;
    for (auto* values : {&points_, &previous_, &velocity_, &acceleration_}) values->resize(octets * octet_size);
    std::vector<float> mass(n, 0.0f);
    for (size_t t = 0; t + 2 < triangles_.size(); t += 3) {
        const Vec3 &a = rest_[triangles_[t]], &b = rest_[triangles_[t + 1]], &c = rest_[triangles_[t + 2]];
        for (size_t k = 0; k < 3; ++k) mass[triangles_[t + k]] += options.density * (b - a).cross(c - a).norm() / 6.0f;
    }
    float total = 0.0f;
    for (const float m : mass) total += m;
    const float least = total > 0.0f ? least_mass_share * total / static_cast<float>(n) : 1.0f;
    inverse_mass_.resize(n);
    for (size_t i = 0; i < n; ++i) {
        inverse_mass_[i] = 1.0f / std::max(mass[i], least);
        points_[i] = {rest_[i].x(), rest_[i].y(), rest_[i].z(), inverse_mass_[i]};
    }
    make_constraints();
    find_corners();
}

void Cloth::find_corners() {
    corner_first_.assign(rest_.size() + 1, 0);
    const size_t whole = triangles_.size() - triangles_.size() % 3;
    for (size_t i = 0; i < whole; ++i) ++corner_first_[triangles_[i] + 1];
    for (size_t i = 0; i < rest_.size(); ++i) corner_first_[i + 1] += corner_first_[i];
    corners_.resize(whole);
    std::vector<uint32_t> next(corner_first_.begin(), corner_first_.end() - 1);
    for (size_t i = 0; i < whole; ++i) corners_[next[triangles_[i]]++] = static_cast<uint32_t>(i / 3);
}

void Cloth::sort_vertices(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    Box box;
    for (const Vec3& p : positions) box.add(p);
    std::vector<std::pair<uint32_t, uint32_t>> order;
    for (uint32_t v = 0; v < positions.size(); ++v) order.emplace_back(morton_code(positions[v], box), v);
    std::ranges::sort(order);
    place_.resize(positions.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
        place_[order[i].second] = i;
        rest_.push_back(positions[order[i].second]);
    }
    for (const uint32_t v : triangles) triangles_.push_back(place_[v]);
}

void Cloth::make_constraints() {
    std::vector<std::pair<uint32_t, uint32_t>> sides;
    for (size_t t = 0; t + 2 < triangles_.size(); t += 3)
        for (size_t k = 0; k < 3; ++k)
            if (const uint32_t a = triangles_[t + k], b = triangles_[t + (k + 1) % 3]; a != b)
                sides.push_back(std::minmax(a, b));
    std::ranges::sort(sides);
    sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
    std::vector<uint32_t> vertex_at(place_.size());
    for (uint32_t v = 0; v < place_.size(); ++v) vertex_at[place_[v]] = v;
    std::vector<Edge> stretches;
    double sum = 0.0;
    neighbour_first_.assign(rest_.size() + 1, 0);
    for (const auto& [a, b] : sides) {
        const float rest = (rest_[a] - rest_[b]).norm();
        stretches.push_back({a, b, rest});
        edges_.push_back({vertex_at[a], vertex_at[b], rest});
        neighbours_.push_back(b);
        ++neighbour_first_[a + 1];
        sum += rest, longest_edge_ = std::max(longest_edge_, rest);
    }
    for (size_t i = 0; i < rest_.size(); ++i) neighbour_first_[i + 1] += neighbour_first_[i];
    mean_edge_ = sides.empty() ? 0.0f : static_cast<float>(sum / static_cast<double>(sides.size()));
    self_distance_ = options_.self_distance > 0.0f ? options_.self_distance : self_share * mean_edge_;
    stretches_ = distance_blocks(stretches);
    if (options_.iterations > 1) stretch_pulls_.resize(stretches_.size() * octet_size);
    make_bends();
}

std::vector<DistanceBlock> Cloth::distance_blocks(std::span<const Edge> constraints) const {
    const auto spare = static_cast<uint32_t>(points_.size() - 1);
    std::vector<DistanceBlock> blocks;
    for (const auto& color : color_constraints(constraints, points_.size(), [](const Edge& e) {
             return std::array{e.a, e.b};
         }))
        for (size_t i = 0; i < color.size(); ++i) {
            const size_t k = i % octet_size;
            if (k == 0) {
                blocks.push_back({});
                std::fill_n(blocks.back().a, octet_size, spare), std::fill_n(blocks.back().b, octet_size, spare);
            }
            const Edge& e = constraints[color[i]];
            DistanceBlock& block = blocks.back();
            block.a[k] = e.a, block.b[k] = e.b, block.rest[k] = e.rest;
        }
    return blocks;
}

size_t Cloth::constraint_count() const {
    return edges_.size() + hinges_.size() + tether_count_;
}

size_t Cloth::pin(uint32_t vertex) {
    points_[place_[vertex]].w = 0.0f;
    const Vec3 place = position(vertex);
    pins_.push_back({place_[vertex], place, place});
    return pins_.size() - 1;
}

void Cloth::set_pin(size_t pin, const Vec3& place) {
    pins_[pin].to = place;
}

// Long-range attachments [Kim2012]: a point is never farther from a pin than the way along the cloth. Pins that move
// against each other may allow more than the cloth does, never less.
void Cloth::make_tethers() {
    if (!options_.tethers || pins_.empty()) return;
    const SurfaceDistance surface(rest_, triangles_);
    std::vector<float> distance, apart(pins_.size(), INFINITY);
    std::vector<uint32_t> all;
    for (const Pin& pin : pins_) all.push_back(pin.vertex);
    const auto length_of = [&](size_t vertex, float length) {
        if (!std::isfinite(length) || !(length > 0.0f) || points_[vertex].w == 0.0f) return INFINITY;
        ++tether_count_;
        return length;
    };
    size_t next = 0;
    for (size_t k = 0; k < std::min(most_anchors, pins_.size()); ++k) {
        anchors_.push_back(pins_[next].vertex);
        surface.from(std::span(&anchors_.back(), 1), distance);
        const size_t first = tethers_.size();
        tethers_.resize(first + points_.size(), INFINITY);
        for (size_t i = 0; i < rest_.size(); ++i) tethers_[first + i] = length_of(i, distance[i]);
        for (size_t p = 0; p < pins_.size(); ++p) apart[p] = std::min(apart[p], distance[pins_[p].vertex]);
        next = static_cast<size_t>(std::ranges::max_element(apart) - apart.begin());
        if (!(apart[next] > 0.0f) || !std::isfinite(apart[next])) break;
    }
    if (pins_.size() <= most_anchors) return;
    // To the nearest pin, where that is none of those: its distance is the least of all pins'.
    surface.from(all, distance);
    own_anchor_.assign(points_.size(), static_cast<uint32_t>(points_.size() - 1));
    own_tether_.assign(points_.size(), INFINITY);
    for (uint32_t i = 0; i < rest_.size(); ++i) {
        uint32_t best = all.front();
        for (const uint32_t p : all)
            if ((rest_[p] - rest_[i]).squaredNorm() < (rest_[best] - rest_[i]).squaredNorm()) best = p;
        own_anchor_[i] = best;
        own_tether_[i] = length_of(i, std::max(distance[i], (rest_[best] - rest_[i]).norm()));
    }
}

}  // namespace sinew
