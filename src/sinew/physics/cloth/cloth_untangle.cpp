// Cloth that got through itself: the edges that pierce triangles of another layer are found, and both are
// moved so that the line along which the layers cross becomes shorter [Volino2006], until it is gone. It needs no
// memory of which side a vertex was on, and works at hems, where there are no sides.
#include <sinew/physics/cloth/cloth.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace sinew {
namespace {

// How fast edges and triangles that cross move against each other, in mean edges a second.
constexpr float untangling_speed = 15.0f;
// [Volino2006, eq. 6]: a slope much smaller than this hardly says which way to go.
constexpr float least_slope = 0.2f;
// The sine between an edge and the triangle that it pierces counts as no less.
constexpr float least_sine = 0.2f;

struct Pierced {
    float along;         // of the edge
    Vec3 share, normal;  // of the triangle
};

std::optional<Pierced> pierce(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = (b - a).cross(c - a);
    const float over = (p - a).dot(normal), under = (q - a).dot(normal);
    if (!(over * under < 0.0f)) return {};
    const float along = over / (over - under), size = normal.squaredNorm();
    const Vec3 at = p + along * (q - p);
    const Vec3 share((c - b).cross(at - b).dot(normal), (a - c).cross(at - c).dot(normal),
                     (b - a).cross(at - a).dot(normal));
    if (!(share.minCoeff() > 0.0f)) return {};
    return Pierced{along, share / size, normal / std::sqrt(size)};
}

}  // namespace

// Which way to move the edge from p to q against the triangle with this normal, so that the line along which the faces
// of the edge cross the triangle gets shorter. Where p and q move by d, the point that pierces moves by
// d − (d·N / E·N) E, so the part of the line in a face, which leaves the edge along R, gets shorter by R·d − (R·E)(N·d)
// / (E·N).
Vec3 Cloth::shortening(uint32_t p, uint32_t q, const Vec3& normal) const {
    const Vec3 edge = (at(q) - at(p)).normalized();
    float sine = edge.dot(normal);
    if (std::abs(sine) < least_sine) sine = std::copysign(least_sine, sine);
    Vec3 slope = Vec3::Zero();
    for (uint32_t k = corner_first_[p]; k < corner_first_[p + 1]; ++k) {
        const uint32_t* t = &triangles_[3 * corners_[k]];
        if (t[0] != q && t[1] != q && t[2] != q) continue;
        const uint32_t third = t[0] + t[1] + t[2] - p - q;
        const Vec3 side = at(third) - at(p), inwards = side - side.dot(edge) * edge;
        Vec3 line = edge.cross(inwards).cross(normal);
        const float length = line.norm();
        if (!(length > 0.0f)) continue;
        line *= (line.dot(inwards) < 0.0f ? -1.0f : 1.0f) / length;
        slope += line - (line.dot(edge) / sine) * normal;
    }
    return slope;
}

void Cloth::find_crossings() {
    crossings_.clear();
    const auto look = [&](uint32_t a, uint32_t b) {
        for (uint32_t i = corner_first_[b]; i < corner_first_[b + 1]; ++i) {
            const uint32_t* t = &triangles_[3 * corners_[i]];
            const Vec3 corners[3] = {at(t[0]), at(t[1]), at(t[2])};
            for (uint32_t k = corner_first_[a]; k < corner_first_[a + 1]; ++k)
                for (int c = 0; c < 3; ++c) {
                    const uint32_t other = triangles_[3 * corners_[k] + static_cast<uint32_t>(c)];
                    if (other != a && pierce(at(a), at(other), corners[0], corners[1], corners[2]))
                        crossings_.push_back({std::min(a, other), std::max(a, other), corners_[i]});
                }
        }
    };
    for (const Pair& pair : layers_) look(pair.a, pair.b), look(pair.b, pair.a);
    std::ranges::sort(crossings_, {}, [](const Crossing& c) { return std::tuple(c.a, c.b, c.triangle); });
    const auto same = [](const Crossing& l, const Crossing& r) {
        return l.a == r.a && l.b == r.b && l.triangle == r.triangle;
    };
    crossings_.erase(std::unique(crossings_.begin(), crossings_.end(), same), crossings_.end());
}

void Cloth::untangle(float seconds) {
    find_crossings();
    if (crossings_.empty()) return;
    tangled_.assign(size(), 0);
    const float way = untangling_speed * seconds * mean_edge_;
    for (const Crossing& c : crossings_) {
        const uint32_t* t = &triangles_[3 * c.triangle];
        const std::array<uint32_t, 5> ids = {c.a, c.b, t[0], t[1], t[2]};
        for (const uint32_t id : ids) tangled_[id] = 1;
        const auto hit = pierce(at(c.a), at(c.b), at(t[0]), at(t[1]), at(t[2]));
        if (!hit) continue;  // those before it have undone this one
        const Vec3 slope = shortening(c.a, c.b, hit->normal);
        const Vec3 by = (way / std::sqrt(slope.squaredNorm() + least_slope * least_slope)) * slope;
        const std::array<float, 5> share = {1.0f - hit->along, hit->along, -hit->share[0], -hit->share[1],
                                            -hit->share[2]};
        float weight = 0.0f;
        for (size_t k = 0; k < ids.size(); ++k) weight += share[k] * share[k] * points_[ids[k]].w;
        if (!(weight > 0.0f)) continue;
        for (size_t k = 0; k < ids.size(); ++k) {
            Float4& p = points_[ids[k]];
            const float s = share[k] * p.w / weight;
            p.x += s * by.x(), p.y += s * by.y(), p.z += s * by.z();
        }
    }
    // What is through pushes the wrong way: where layers cross they do not push until they are apart.
    std::erase_if(pairs_, [&](const Pair& pair) { return tangled_[pair.a] && tangled_[pair.b]; });
}

}  // namespace sinew
