#include <sinew/rig/stand/plinth.h>

#include <sinew/rig/body/pieces.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us, on figurines made by tests/rig/beasts.h, so that none of the tests' characters (who
// wear boots and robes, and some shoes that touch) has a base.
// Directions within 2.6 degrees (cosine) of an axis are that axis.
constexpr double along_mesh_axis = 0.999;
// A plate is at least two voxels and at most this share of the whole height thick; its levels are as large as their
// median, or smaller by this factor (its edges may be round).
constexpr int thinnest = 2;
constexpr double thickest = 0.3, level_area = 0.6;
// Two voxels above it, what stands on it covers at most this share of it.
constexpr double feet_area = 0.45;
constexpr int above = 2;
// It fills this share of the rectangle around it (a disc 0.79), is wider than thick by this factor, and one side is no
// shorter than this share of the other.
constexpr double full = 0.62, flat = 1.3, even_sides = 0.4;
// What stands on it is at least this high, in widths of the plate; and the plate no narrower than this share of it:
// shoes that touch are.
constexpr double least_height = 0.7, least_width = 0.24;
// It reaches beyond the feet on all four sides by at least this share of its width; shoes hardly reach behind the
// ankle.
constexpr double margin = 0.04;
// Triangles that lie level within 18 degrees (cosine) and this near to the plate's top, in voxels, say exactly where it
// is.
constexpr double level_cos = 0.95, near_top = 1.6;
// Vertices this far above the top, in voxels, are still its own; a piece that begins this near to it stands on it.
constexpr double own = 0.35, stands_on = 1.5;

// One level of the body: how many voxels, and the rectangle around them.
struct Level {
    double area = 0.0;
    int low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};

    int width(int side) const { return high[side] - low[side] + 1; }
};

// Levels from the lowest to the highest when `up` is along an axis.
std::vector<Level> levels_along(const VoxelBody& body, int axis, double sign) {
    const int n = body.grid.dims[static_cast<size_t>(axis)];
    std::vector<Level> levels(static_cast<size_t>(n));
    for (const uint32_t v : body.voxels) {
        const VoxelIndex at = body.grid.voxel(v);
        const int k = at[static_cast<size_t>(axis)];
        Level& level = levels[static_cast<size_t>(sign > 0.0 ? k : n - 1 - k)];
        level.area += 1.0;
        for (int side = 0; side < 2; ++side) {
            const int here = at[static_cast<size_t>((axis + 1 + side) % 3)];
            level.low[side] = std::min(level.low[side], here);
            level.high[side] = std::max(level.high[side], here);
        }
    }
    const auto first = std::find_if(levels.begin(), levels.end(), [](const Level& l) { return l.area > 0.0; });
    levels.erase(levels.begin(), first);
    while (!levels.empty() && levels.back().area == 0.0) levels.pop_back();
    return levels;
}

double median_area(std::span<const Level> levels) {
    std::vector<double> areas;
    for (const Level& level : levels) areas.push_back(level.area);
    std::nth_element(areas.begin(), areas.begin() + static_cast<long>(areas.size() / 2), areas.end());
    return areas[areas.size() / 2];
}

bool is_plate(std::span<const Level> levels, int thick) {
    const Level &middle = levels[static_cast<size_t>(thick / 2)], &feet = levels[static_cast<size_t>(thick + above)];
    const double area = median_area(levels.first(static_cast<size_t>(thick)));
    for (int k = 0; k < thick; ++k)
        if (levels[static_cast<size_t>(k)].area < level_area * area) return false;
    if (feet.area > feet_area * area || feet.area == 0.0) return false;
    const double a = middle.width(0), b = middle.width(1), wide = std::max(a, b), narrow = std::min(a, b);
    const double height = static_cast<double>(levels.size()) - thick;
    if (area < full * a * b || narrow < flat * thick || narrow < even_sides * wide) return false;
    if (height < least_height * wide || narrow < least_width * height) return false;
    for (int side = 0; side < 2; ++side) {
        const double beyond = margin * middle.width(side);
        if (feet.low[side] - middle.low[side] < beyond || middle.high[side] - feet.high[side] < beyond) return false;
    }
    return true;
}

// The thickness of the plate in levels; 0: there is none.
int find_plate(std::span<const Level> levels) {
    const int most = static_cast<int>(thickest * static_cast<double>(levels.size()));
    for (int thick = thinnest; thick <= most && thick + above < static_cast<int>(levels.size()); ++thick)
        if (is_plate(levels, thick)) return thick;
    return 0;
}

// The height of the plate's upper side: the mean of the level triangles near it.
double exact_top(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Vec3d& up, double about,
                 double reach) {
    double sum = 0.0, total = 0.0;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        std::array<Vec3d, 3> p;
        for (size_t k = 0; k < 3; ++k) p[k] = positions[triangles[t + k]].cast<double>();
        const Vec3d normal = (p[1] - p[0]).cross(p[2] - p[0]);
        const double at = up.dot(p[0] + p[1] + p[2]) / 3.0, area = normal.norm();
        if (!(std::abs(at - about) < reach) || !(std::abs(normal.dot(up)) > level_cos * area)) continue;
        sum += area * at, total += area;
    }
    return total > 0.0 ? sum / total : about;
}

// Splits the triangles: pieces that lie below the top are the plinth's, those that stand on it the body's; one that
// does both is cut at the top.
void split(std::span<const Vec3> positions, std::span<const uint32_t> triangles, double cell, Plinth& plinth) {
    const Pieces pieces = find_pieces(positions, triangles);
    const auto height = [&](uint32_t v) { return plinth.up.dot(positions[v].cast<double>()); };
    std::vector<double> low(pieces.list.size(), INFINITY), high(pieces.list.size(), -INFINITY);
    const auto piece_of = [&](size_t t) { return pieces.of_triangle.empty() ? 0u : pieces.of_triangle[t / 3]; };
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const uint32_t piece = piece_of(t);
        if (piece >= low.size()) continue;
        for (size_t k = 0; k < 3; ++k) {
            low[piece] = std::min(low[piece], height(triangles[t + k]));
            high[piece] = std::max(high[piece], height(triangles[t + k]));
        }
    }
    std::vector<uint8_t> base(positions.size(), 0);
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const uint32_t piece = piece_of(t);
        const std::span<const uint32_t> corners = triangles.subspan(t, 3);
        const double under = plinth.top + own * cell;
        const bool stands = piece < low.size() && low[piece] > plinth.top - stands_on * cell && high[piece] > under;
        if (stands || std::any_of(corners.begin(), corners.end(), [&](uint32_t v) { return !(height(v) <= under); })) {
            plinth.body.insert(plinth.body.end(), corners.begin(), corners.end());
            continue;
        }
        plinth.fused |= piece < high.size() && high[piece] > under;
        for (const uint32_t v : corners) base[v] = 1;
    }
    for (size_t v = 0; v < base.size(); ++v)
        if (base[v]) plinth.vertices.push_back(static_cast<uint32_t>(v));
}

}  // namespace

std::optional<Plinth> find_plinth(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                                  const VoxelBody& body, const ReadingOptions& options) {
    const std::optional<Vec3d>& wanted = options.up ? options.up : options.told_up;
    for (const int axis : {1, 2, 0}) {
        for (const double sign : {1.0, -1.0}) {
            const Vec3d up = sign * Vec3d::Unit(axis);
            if (wanted && wanted->normalized().dot(up) < along_mesh_axis) continue;
            const std::vector<Level> levels = levels_along(body, axis, sign);
            const int thick = find_plate(levels);
            if (thick == 0) continue;
            const double cell = body.grid.cell, low = sign > 0.0 ? body.low[axis] : -body.high[axis];
            Plinth plinth{.up = up};
            for (size_t t = 0; t < triangles.size(); ++t)  // the split reads every corner
                if (triangles[t] >= positions.size() || !positions[triangles[t]].allFinite()) return std::nullopt;
            plinth.top = exact_top(positions, triangles, up, low + thick * cell, near_top * cell);
            split(positions, triangles, cell, plinth);
            if (!plinth.body.empty() && !plinth.vertices.empty()) return plinth;
        }
    }
    return std::nullopt;
}

}  // namespace sinew
