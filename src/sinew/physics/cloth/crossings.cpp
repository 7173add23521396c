#include <sinew/physics/cloth/crossings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

using Corners = std::array<Vec3d, 3>;

// How far the edge from p to q reaches through the triangle; 0 if it misses it.
double pierces(const Vec3d& p, const Vec3d& q, const Corners& t) {
    const Vec3d normal = (t[1] - t[0]).cross(t[2] - t[0]);
    const double size = normal.norm();
    if (!(size > 0.0)) return 0.0;
    const double above = (p - t[0]).dot(normal) / size, below = (q - t[0]).dot(normal) / size;
    if (!(above * below < 0.0)) return 0.0;
    const Vec3d at = p + above / (above - below) * (q - p);
    for (size_t k = 0; k < 3; ++k)
        if ((t[(k + 1) % 3] - t[k]).cross(at - t[k]).dot(normal) < 0.0) return 0.0;
    return std::min(std::abs(above), std::abs(below));
}

}  // namespace

double deepest_crossing(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    struct Item {
        Box box;
        uint32_t first;
    };
    std::vector<Item> items;
    Box all;
    for (uint32_t t = 0; t + 2 < triangles.size(); t += 3) {
        Item item{.first = t};
        for (uint32_t k = 0; k < 3; ++k) item.box.add(positions[triangles[t + k]]);
        all.add(item.box);
        items.push_back(item);
    }
    if (items.empty()) return 0.0;
    // Swept along the longest side: only triangles that overlap there are compared.
    int axis = 0;
    all.size().maxCoeff(&axis);
    std::ranges::sort(items, [axis](const Item& l, const Item& r) {
        return l.box.min[axis] != r.box.min[axis] ? l.box.min[axis] < r.box.min[axis] : l.first < r.first;
    });
    double deepest = 0.0;
    for (size_t i = 0; i < items.size(); ++i)
        for (size_t j = i + 1; j < items.size() && items[j].box.min[axis] <= items[i].box.max[axis]; ++j) {
            const Box &a = items[i].box, &b = items[j].box;
            if ((a.min.array() > b.max.array()).any() || (b.min.array() > a.max.array()).any()) continue;
            const uint32_t *s = &triangles[items[i].first], *t = &triangles[items[j].first];
            if (std::any_of(s, s + 3, [t](uint32_t v) { return v == t[0] || v == t[1] || v == t[2]; })) continue;
            Corners one, other;
            for (size_t k = 0; k < 3; ++k)
                one[k] = positions[s[k]].cast<double>(), other[k] = positions[t[k]].cast<double>();
            for (size_t k = 0; k < 3; ++k) {
                deepest = std::max(deepest, pierces(one[k], one[(k + 1) % 3], other));
                deepest = std::max(deepest, pierces(other[k], other[(k + 1) % 3], one));
            }
        }
    return deepest;
}

}  // namespace sinew
