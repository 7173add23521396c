#include <sinew/weights/bbw/bbw.h>

#include <sinew/weights/bones/columns.h>
#include <sinew/weights/volume/flow_solve.h>
#include <sinew/weights/volume/volume_bones.h>
#include <sinew/weights/volume/volume_surface.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

constexpr double most_steps = 4096.0;  // along a cage triangle: finer than any grid
// The solver's work grows with cells times handles, and a cell must not have more handles than it can tell apart.
// Chosen: 60 handles have 20,000 cells, and hundreds of handles at least fifteen cells each.
constexpr size_t most_values = 1'200'000, cells_per_handle = 15;

// The surface with the cage's triangles added: the volume is what is inside either.
Surface with_cage(const Surface& surface, const BbwHandles& handles) {
    Surface both = surface;
    const auto first = static_cast<uint32_t>(both.positions.size());
    both.positions.insert(both.positions.end(), handles.cage.begin(), handles.cage.end());
    for (const uint32_t corner : handles.cage_triangles) both.triangles.push_back(first + corner);
    return both;
}

// The rows of the held cells while they are put together. They are normalised at the end.
class Holder {
public:
    explicit Holder(size_t handles) : handles_(handles) {}

    void hold(uint32_t cell, size_t handle, double weight) {
        std::vector<double>& row = rows_[cell];
        row.resize(handles_, 0.0);
        row[handle] += weight;
    }
    std::vector<HeldCell> take() {
        std::vector<HeldCell> held;
        for (auto& [cell, row] : rows_) {
            double sum = 0.0;
            for (const double w : row) sum += w;
            for (double& w : row) w /= sum;
            held.push_back({cell, std::move(row)});
        }
        return held;
    }

private:
    size_t handles_;
    std::map<uint32_t, std::vector<double>> rows_;
};

// Samples each triangle of the cage at every voxel. A cell holds the mean of the samples that fall into it.
void hold_cage(const Volume& volume, const BbwHandles& handles, size_t first, Holder& holder) {
    for (size_t t = 0; t + 2 < handles.cage_triangles.size(); t += 3) {
        const uint32_t* corner = &handles.cage_triangles[t];
        const Vec3d &a = handles.cage[corner[0]], &b = handles.cage[corner[1]], &c = handles.cage[corner[2]];
        const double longest = std::max({(b - a).norm(), (c - a).norm(), (c - b).norm()});
        const int steps = static_cast<int>(std::clamp(std::ceil(longest / volume.grid.cell), 1.0, most_steps));
        for (int i = 0; i <= steps; ++i)
            for (int j = 0; j + i <= steps; ++j) {
                const double u = static_cast<double>(i) / steps, v = static_cast<double>(j) / steps;
                const uint32_t cell = volume.at(a + u * (b - a) + v * (c - a));
                if (cell == Volume::no_cell) continue;
                holder.hold(cell, first + corner[0], 1.0 - u - v);
                holder.hold(cell, first + corner[1], u);
                holder.hold(cell, first + corner[2], v);
            }
    }
}

size_t affordable_cells(const BbwHandles& handles) {
    const size_t count =
        std::max<size_t>(joint_columns(handles.bones).joints.size() + handles.points.size() + handles.cage.size(), 1);
    return std::max(most_values / count, cells_per_handle * count);
}

struct Held {
    std::vector<HeldCell> cells;
    std::vector<int32_t> numbers;  // of the handles
};

Held hold_all(const Volume& volume, const BbwHandles& handles) {
    const JointColumns columns = joint_columns(handles.bones);
    Held held{{}, columns.joints};
    const size_t first_point = columns.joints.size(), first_corner = first_point + handles.points.size();
    const size_t count = first_corner + handles.cage.size();
    for (size_t i = first_point; i < count; ++i)
        held.numbers.push_back(static_cast<int32_t>(handles.first_number + i - first_point));
    Holder holder(std::max<size_t>(count, 1));
    const std::vector<std::vector<uint32_t>> cells = bone_cells(volume, handles.bones);
    for (size_t b = 0; b < cells.size(); ++b)
        for (const uint32_t cell : cells[b]) holder.hold(cell, columns.column_of_bone[b], 1.0);
    std::vector<Bone> points;
    for (const Vec3d& p : handles.points) points.push_back({.joint = 0, .head = p, .tail = p});
    const std::vector<std::vector<uint32_t>> point_cells = bone_cells(volume, points);
    for (size_t p = 0; p < point_cells.size(); ++p) holder.hold(point_cells[p][0], first_point + p, 1.0);
    hold_cage(volume, handles, first_corner, holder);
    held.cells = holder.take();
    return held;
}

}  // namespace

BbwResult bbw_weights(const Surface& surface, const BbwHandles& handles, const BbwOptions& options) {
    BbwResult result;
    VolumeOptions coarse = options.volume;
    coarse.max_cells = std::min(coarse.max_cells, affordable_cells(handles));
    Volume volume = make_volume(handles.cage.empty() ? surface : with_cage(surface, handles), coarse);
    result.leak = volume.leak;
    result.cells = volume.size();
    if (volume.empty()) return result;
    const Held held = hold_all(volume, handles);
    if (held.cells.empty()) return result;
    std::vector<std::vector<uint32_t>> held_cells(1);
    for (const HeldCell& h : held.cells) held_cells[0].push_back(h.cell);
    result.bridges = bridge_parts(volume, held_cells);
    const size_t count = held.numbers.size();
    result.solution = solve_bbw(volume, count, held.cells, options.solve);

    const VertexCells map = vertex_cells(volume, surface);
    result.field = WeightField(surface.vertex_count());
    std::vector<double> values(volume.size() * flow_lanes);
    for (size_t low = 0; low < count; low += flow_lanes) {
        for (size_t c = 0; c < volume.size(); ++c)
            for (size_t k = 0; k < flow_lanes; ++k)
                values[c * flow_lanes + k] = low + k < count ? result.solution.weights[c * count + low + k] : 0.0;
        add_to_vertices(map, values, std::span(held.numbers).subspan(low), result.field);
    }
    for (size_t v = 0; v < surface.vertex_count(); ++v) result.field.normalise(v);
    return result;
}

}  // namespace sinew
