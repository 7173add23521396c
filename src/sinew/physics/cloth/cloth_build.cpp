// A mesh becomes constraints: edges and bends in colours, masses by area, tethers by distance along the cloth.
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/surface_distance.h>
#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew {
namespace {

// A constraint finds its colour among this many; what finds none waits for the next round of as many.
constexpr int colors_at_once = 64;
// Layers keep this share of a mean edge apart, so that no vertex fits between three others.
constexpr float self_share = 0.8f;
// Tethers go to this many pins, far apart from each other, and to the nearest.
constexpr size_t most_anchors = 4;
// A vertex of no triangle weighs this share of the mean.
constexpr float least_mass_share = 1e-3f;

}  // namespace

Cloth::Cloth(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const ClothOptions& options)
    : options_(options), rest_(positions.begin(), positions.end()), triangles_(triangles.begin(), triangles.end()) {
    const size_t n = positions.size();
    points_.resize(n + 1), previous_.resize(n + 1), velocity_.resize(n + 1), acceleration_.resize(n + 1);
    std::vector<float> mass(n, 0.0f);
    std::vector<std::pair<uint32_t, uint32_t>> sides;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3 &a = rest_[triangles[t]], &b = rest_[triangles[t + 1]], &c = rest_[triangles[t + 2]];
        for (size_t k = 0; k < 3; ++k) {
            mass[triangles[t + k]] += options.density * (b - a).cross(c - a).norm() / 6.0f;
            sides.push_back(std::minmax(triangles[t + k], triangles[t + (k + 1) % 3]));
        }
    }
    std::ranges::sort(sides);
    sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
    for (const auto& [a, b] : sides)
        if (a != b) edges_.push_back({a, b, (rest_[a] - rest_[b]).norm()});
    float sum = 0.0f, total = 0.0f;
    for (const Edge& e : edges_) sum += e.rest;
    for (const float m : mass) total += m;
    mean_edge_ = edges_.empty() ? 0.0f : sum / static_cast<float>(edges_.size());
    self_distance_ = options.self_distance > 0.0f ? options.self_distance : self_share * mean_edge_;
    const float least = total > 0.0f ? least_mass_share * total / static_cast<float>(n) : 1.0f;
    inverse_mass_.resize(n);
    for (size_t i = 0; i < n; ++i) {
        inverse_mass_[i] = 1.0f / std::max(mass[i], least);
        points_[i] = {rest_[i].x(), rest_[i].y(), rest_[i].z(), inverse_mass_[i]};
    }
    hinges_ = find_hinges(positions, triangles);
    color_constraints();
}

// Greedy: each constraint takes the first colour that neither of its vertices has. Edges come first, so that bends do
// not pull last what edges have set.
void Cloth::color_constraints() {
    struct Constraint {
        uint32_t a, b;
        float rest, compliance;
    };
    std::vector<Constraint> waiting;
    for (const Edge& e : edges_) waiting.push_back({e.a, e.b, e.rest, options_.stretch});
    std::vector<std::vector<Constraint>> colors;
    const auto color_all = [&] {
        while (!waiting.empty()) {
            const size_t base = colors.size();
            std::vector<uint64_t> used(points_.size(), 0);
            std::vector<Constraint> later;
            for (const Constraint& c : waiting) {
                const int color = std::countr_one(used[c.a] | used[c.b]);
                if (color >= colors_at_once) {
                    later.push_back(c);
                    continue;
                }
                used[c.a] |= uint64_t{1} << color, used[c.b] |= uint64_t{1} << color;
                colors.resize(std::max(colors.size(), base + static_cast<size_t>(color) + 1));
                colors[base + static_cast<size_t>(color)].push_back(c);
            }
            waiting = std::move(later);
        }
    };
    if (options_.bending == Bending::springs)
        for (const Hinge& h : hinges_) waiting.push_back({h.c, h.d, (rest_[h.c] - rest_[h.d]).norm(), options_.bend});
    color_all();
    const auto spare = static_cast<uint32_t>(rest_.size());
    color_first_ = {0};
    for (const auto& color : colors) {
        for (size_t i = 0; i < color.size(); i += block_constraints) {
            DistanceBlock block{};
            for (size_t k = 0; k < block_constraints; ++k) {
                block.a[k] = block.b[k] = spare;
                if (i + k >= color.size()) continue;
                const Constraint& c = color[i + k];
                block.a[k] = c.a, block.b[k] = c.b, block.rest[k] = c.rest, block.compliance[k] = c.compliance;
            }
            blocks_.push_back(block);
        }
        color_first_.push_back(static_cast<uint32_t>(blocks_.size()));
    }
}

size_t Cloth::constraint_count() const {
    return edges_.size() + hinges_.size() + tethers_.size();
}

size_t Cloth::pin(uint32_t vertex) {
    points_[vertex].w = 0.0f;
    const Vec3 place = position(vertex);
    pins_.push_back({vertex, place, place});
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
    std::vector<float> distance, nearest, apart(pins_.size(), INFINITY);
    std::vector<uint32_t> all;
    for (const Pin& pin : pins_) all.push_back(pin.vertex);
    const auto add = [&](uint32_t vertex, uint32_t anchor, float length) {
        if (std::isfinite(length) && length > 0.0f && inverse_mass_[vertex] > 0.0f && points_[vertex].w > 0.0f)
            tethers_.push_back({vertex, anchor, length});
    };
    size_t next = 0;
    for (size_t k = 0; k < std::min(most_anchors, pins_.size()); ++k) {
        const uint32_t anchor = pins_[next].vertex;
        surface.from(std::span(&anchor, 1), distance);
        for (uint32_t v = 0; v < rest_.size(); ++v) add(v, anchor, distance[v]);
        for (size_t p = 0; p < pins_.size(); ++p) apart[p] = std::min(apart[p], distance[pins_[p].vertex]);
        next = static_cast<size_t>(std::ranges::max_element(apart) - apart.begin());
        if (!(apart[next] > 0.0f) || !std::isfinite(apart[next])) break;
    }
    // To the nearest pin, where that is none of those: its distance is the least of all pins'.
    if (pins_.size() > most_anchors) {
        surface.from(all, nearest);
        for (uint32_t v = 0; v < rest_.size(); ++v) {
            uint32_t best = all.front();
            for (const uint32_t p : all)
                if ((rest_[p] - rest_[v]).squaredNorm() < (rest_[best] - rest_[v]).squaredNorm()) best = p;
            if (std::isfinite(nearest[v])) add(v, best, std::max(nearest[v], (rest_[best] - rest_[v]).norm()));
        }
    }
    std::ranges::stable_sort(tethers_, {}, &Tether::vertex);
}

}  // namespace sinew
