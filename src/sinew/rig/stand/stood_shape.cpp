#include <sinew/rig/stand/stood_shape.h>

#include <sinew/rig/body/legs_apart.h>
#include <sinew/rig/fit/fit.h>

namespace sinew {
namespace {

// Axes within this of the identity need no turning of the mesh.
constexpr double same_axes = 1e-9;
// A voxel has a counterpart when the mirror image is within this many voxels; chosen: soft poses are.
constexpr int counterpart_voxels = 3;

void shift(Standing& s, const Vec3d& by) {
    for (Vec3d* p : {&s.body.grid.origin, &s.body.low, &s.body.high}) *p += by;
    for (Extremity& end : s.ends.list) end.position += by, end.cap += by, end.root += by;
}

// A mask grown by the voxels that share a face with it.
std::vector<uint8_t> grown(const VoxelGrid& grid, const std::vector<uint8_t>& mask) {
    std::vector<uint8_t> out = mask;
    for (size_t i = 0; i < mask.size(); ++i) {
        if (!mask[i]) continue;
        const VoxelIndex at = grid.voxel(i);
        for (size_t axis = 0; axis < 3; ++axis)
            for (const int step : {1, -1}) {
                VoxelIndex n = at;
                n[axis] += step;
                if (grid.contains(n)) out[grid.index(n)] = 1;
            }
    }
    return out;
}

}  // namespace

Shape make_shape(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    Shape shape{positions, triangles, make_voxel_body(positions, triangles), {}};
    if (!shape.body.empty()) shape.ends = find_extremities(shape.body);
    return shape;
}

std::vector<Vec3d> take_outline(const Shape& shape) {
    std::vector<uint8_t> used(shape.positions.size(), 0);
    for (uint32_t v : shape.triangles)
        if (v < used.size()) used[v] = 1;
    std::vector<Vec3d> outline;
    for (size_t v = 0; v < used.size(); ++v)
        if (used[v] && shape.positions[v].allFinite() && shape.body.inside(shape.positions[v].cast<double>()))
            outline.push_back(shape.positions[v].cast<double>());
    if (outline.empty())
        for (uint32_t v : shape.body.voxels) outline.push_back(shape.body.at(v));
    return outline;
}

void settle(Standing& s) {
    const Vec3d up(0.0, s.body.low.y(), 0.0);
    shift(s, -up);
    s.frame.origin += s.frame.axes.transpose() * up;
}

Standing stand(const Shape& shape, const Reading& frame) {
    Standing s{.frame = frame};
    if (frame.axes.isIdentity(same_axes)) {
        s.body = shape.body;
        s.ends = shape.ends;
        shift(s, -frame.origin);
    } else {
        s.body = make_voxel_body(turn_upright(shape.positions, frame), shape.triangles);
    }
    if (part_legs(s.body)) refresh(s.body), s.ends = {};
    if (s.ends.list.empty()) s.ends = find_extremities(s.body);
    settle(s);
    return s;
}

Standing turned_around(const Standing& s, const Reading& reading) {
    Standing t = s;
    t.frame = reading;
    const VoxelGrid& grid = s.body.grid;
    const auto turn = [](const Vec3d& p) { return Vec3d(-p.x(), p.y(), -p.z()); };
    const auto move = [&](uint32_t v) {
        const VoxelIndex at = grid.voxel(v);
        return static_cast<uint32_t>(grid.index({grid.dims[0] - 1 - at[0], at[1], grid.dims[2] - 1 - at[2]}));
    };
    t.body.grid.origin = turn(grid.origin + grid.cell * Vec3d(grid.dims[0], 0.0, grid.dims[2]));
    for (size_t i = 0; i < s.body.mask.size(); ++i) {
        const uint32_t to = move(static_cast<uint32_t>(i));
        t.body.mask[to] = s.body.mask[i];
        t.body.shell[to] = s.body.shell[i];
        t.ends.distance[to] = s.ends.distance[i];
    }
    refresh(t.body);
    t.ends.middle = move(s.ends.middle);
    for (Extremity& end : t.ends.list) {
        end.voxel = move(end.voxel);
        for (Vec3d* p : {&end.position, &end.cap, &end.root, &end.inward}) *p = turn(*p);
    }
    return t;
}

std::optional<Standing> without_one_sided(const Standing& s) {
    std::vector<uint8_t> near = s.body.mask, mask = s.body.mask;
    for (int round = 0; round < counterpart_voxels; ++round) near = grown(s.body.grid, near);
    for (uint32_t v : s.body.voxels) {
        const Vec3d p = s.body.at(v), mirrored(-p.x(), p.y(), p.z());
        const Vec3d g = (mirrored - s.body.grid.origin) / s.body.grid.cell;
        const bool beside = g.x() < 0.0 || g.x() >= s.body.grid.dims[0];
        if (beside || !near[s.body.grid.index(s.body.grid.locate(mirrored))]) mask[v] = 0;
    }
    Standing trimmed = s;
    const size_t all = s.body.voxels.size();
    if (!cut_down_to(trimmed.body, std::move(mask), all - all / 2)) return std::nullopt;
    refresh(trimmed.body);
    trimmed.ends = find_extremities(trimmed.body);
    return trimmed;
}

}  // namespace sinew
