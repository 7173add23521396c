#include <sinew/weights/surface/surface_steps.h>

#include <sinew/mesh/space_curve.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr double weld_tolerance = 1e-6;  // of the Surface's size: what a float keeps of a coordinate, with room
constexpr double cell_share = 4.0;       // cells are so many tolerances wide: a point asks one cell, rarely two
constexpr double largest_cell = 1e15;    // cell numbers stay exact as doubles and fit into 64 bits
// The cube that the space-filling curve runs through, in the Surface's size: a figure fits several times.
constexpr double cube_low = -2.0, cube_width = 4.0;
constexpr uint32_t no_vertex = UINT32_MAX;

// representative[v]: the earliest point within the tolerance of v, or v itself.
std::vector<uint32_t> weld_near(std::span<const Vec3d> points) {
    struct Entry {
        uint64_t cell;
        uint32_t vertex;
    };
    const double width = cell_share * weld_tolerance;
    // SplitMix64's multipliers mix the three coordinates.
    const auto hash = [](int64_t x, int64_t y, int64_t z) {
        uint64_t h = static_cast<uint64_t>(x) * 0x9e3779b97f4a7c15ull;
        h = (h ^ (h >> 32)) + static_cast<uint64_t>(y) * 0xbf58476d1ce4e5b9ull;
        h = (h ^ (h >> 29)) + static_cast<uint64_t>(z) * 0x94d049bb133111ebull;
        return h ^ (h >> 31);
    };
    const auto cell_of = [&](double x) {
        return static_cast<int64_t>(std::floor(std::clamp(x / width, -largest_cell, largest_cell)));
    };
    size_t capacity = 16;
    while (capacity < 2 * points.size()) capacity *= 2;
    std::vector<uint32_t> table(capacity, no_vertex), next(points.size(), no_vertex);
    std::vector<uint32_t> representative(points.size());
    for (uint32_t v = 0; v < points.size(); ++v) {
        const Vec3d& p = points[v];
        std::array<int64_t, 3> low, high;
        for (int k = 0; k < 3; ++k) {
            low[k] = cell_of(p[k] - weld_tolerance);
            high[k] = cell_of(p[k] + weld_tolerance);
        }
        uint32_t found = no_vertex;
        for (int64_t x = low[0]; x <= high[0]; ++x)
            for (int64_t y = low[1]; y <= high[1]; ++y)
                for (int64_t z = low[2]; z <= high[2]; ++z)
                    for (uint32_t w = table[hash(x, y, z) & (capacity - 1)]; w != no_vertex; w = next[w])
                        if (w < found && (points[w] - p).squaredNorm() <= weld_tolerance * weld_tolerance) found = w;
        representative[v] = found == no_vertex ? v : found;
        if (found != no_vertex) continue;
        uint32_t& slot = table[hash(cell_of(p[0]), cell_of(p[1]), cell_of(p[2])) & (capacity - 1)];
        next[v] = slot;
        slot = v;
    }
    return representative;
}

}  // namespace

Welded weld(std::span<const Vec3d> points) {
    const std::vector<uint32_t> representative = weld_near(points);
    Welded welded{.vertex_of = std::vector<uint32_t>(points.size()), .positions = {}};
    for (const uint32_t v : order_on_curve(points, Vec3d::Constant(cube_low), cube_width)) {
        if (representative[v] != v) continue;
        welded.vertex_of[v] = static_cast<uint32_t>(welded.positions.size());
        welded.positions.push_back(points[v]);
    }
    for (uint32_t v = 0; v < points.size(); ++v) welded.vertex_of[v] = welded.vertex_of[representative[v]];
    return welded;
}

}  // namespace sinew
