#include <sinew/rig/fit/fit.h>

#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/neighbours.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A tip that the reading names is the extremity nearest to it within this share of the longest side; chosen: a hand.
constexpr double near_tip = 0.08;
// A tail or neck within this many voxels of the mirror plane lies on it.
constexpr double on_plane_voxels = 2.0;
// What a voxel that is one voxel farther away must be thicker by, in voxels, to be taken for the middle.
constexpr double price_of_distance = 0.5;

// The extremity of the upright body nearest to a place; −1 when none is nearer than `most`.
int match(const Upright& upright, const Vec3d& place, double most) {
    int best = -1;
    double least = most;
    for (size_t i = 0; i < upright.ends.list.size(); ++i) {
        const double d = (upright.ends.list[i].position - place).norm();
        if (d < least) least = d, best = static_cast<int>(i);
    }
    return best;
}

}  // namespace

std::vector<Vec3> turn_upright(std::span<const Vec3> positions, const Reading& reading) {
    std::vector<Vec3> turned(positions.size());
    for (size_t v = 0; v < positions.size(); ++v)
        turned[v] = (reading.axes * (positions[v].cast<double>() - reading.origin)).cast<float>();
    return turned;
}

Upright stand_upright(VoxelBody body, Extremities ends, const Reading& reading) {
    Upright upright{.body = std::move(body), .ends = std::move(ends), .reading = reading};
    upright.height = upright.body.high.y();
    const double near = near_tip * (upright.body.high - upright.body.low).maxCoeff();
    const auto find_pair = [&](const std::optional<std::array<Vec3d, 2>>& tips, int(&out)[2]) {
        if (!tips) return;
        for (size_t k = 0; k < 2; ++k) {
            const int found = match(upright, reading.axes * ((*tips)[k] - reading.origin), near);
            if (found < 0) continue;
            out[upright.end(found).position.x() > 0.0 ? 0 : 1] = found;
        }
        if (out[0] < 0 || out[1] < 0) out[0] = out[1] = -1;
    };
    find_pair(reading.leg_tips, upright.legs);
    find_pair(reading.arm_tips, upright.arms);
    find_pair(reading.hind_tips, upright.hind_legs);
    return upright;
}

int Fit::add(std::string name, int parent, const Vec3d& position, double sure, Role role) {
    joints.push_back({std::move(name), parent, position, sure, role, std::nullopt});
    return static_cast<int>(joints.size()) - 1;
}

int Fit::find(std::string_view name) const {
    for (size_t j = 0; j < joints.size(); ++j)
        if (joints[j].name == name) return static_cast<int>(j);
    return -1;
}

Cut cut_level(const VoxelBody& body, double y, const Vec3d& near, double width) {
    Cut cut;
    const VoxelGrid& grid = body.grid;
    const int level = grid.locate({0.0, y, 0.0})[1];
    // The voxel of this level that is nearest to the given place.
    double least = INFINITY;
    VoxelIndex start{};
    for (int z = 0; z < grid.dims[2]; ++z) {
        for (int x = 0; x < grid.dims[0]; ++x) {
            if (!body.mask[grid.index({x, level, z})]) continue;
            const Vec3d d = grid.centre({x, level, z}) - near;
            const double away = d.x() * d.x() + d.z() * d.z();
            if (away < least) least = away, start = {x, level, z};
        }
    }
    if (!(least < INFINITY)) return cut;
    std::vector<uint8_t> seen(static_cast<size_t>(grid.dims[0]) * static_cast<size_t>(grid.dims[2]), 0);
    std::vector<VoxelIndex> open = {start};
    const auto mark = [&](const VoxelIndex& v) -> uint8_t& {
        return seen[static_cast<size_t>(v[2]) * static_cast<size_t>(grid.dims[0]) + static_cast<size_t>(v[0])];
    };
    mark(start) = 1;
    Vec3d sum = Vec3d::Zero(), low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    double count = 0.0;
    while (!open.empty()) {
        const VoxelIndex v = open.back();
        open.pop_back();
        const Vec3d p = grid.centre(v);
        sum += p;
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
        count += 1.0;
        for (int k = 0; k < cross_size; ++k) {
            const VoxelIndex n = in_cross(v, k);
            if (!grid.contains(n) || !body.mask[grid.index(n)] || mark(n)) continue;
            if (std::abs(grid.centre(n).x() - near.x()) > width) continue;
            mark(n) = 1;
            open.push_back(n);
        }
    }
    cut.found = true;
    cut.centre = sum / count;
    cut.half_width = 0.5 * (high.x() - low.x() + grid.cell);
    cut.half_depth = 0.5 * (high.z() - low.z() + grid.cell);
    cut.area = count * grid.cell * grid.cell;
    return cut;
}

Vec3d find_crotch(const VoxelBody& body, const TracedLimb& left, uint32_t right_tip) {
    Vec3d best = body.at(right_tip);
    // The way runs along the inner sides of the legs. It is highest at the crotch.
    for (uint32_t v : descend(body.grid, left.distance, right_tip))
        if (body.at(v).y() > best.y()) best = body.at(v);
    return best;
}

void agree(Vec3d& left, Vec3d& right, double tolerance) {
    if ((left - mirrored(right)).norm() > tolerance) return;
    left = 0.5 * (left + mirrored(right));
    right = mirrored(left);
}

void add_chain(Fit& fit, int parent, const std::string& name, const TracedLimb& limb, double root_slice, int count) {
    for (int k = 0; k < count; ++k) {
        Vec3d at = limb.at(root_slice * (1.0 - static_cast<double>(k) / count));
        if (std::abs(at.x()) < on_plane_voxels * limb.cell) at.x() = 0.0;  // a tail is in the middle
        parent = fit.add(name + std::to_string(k + 1), parent, at);
    }
}

Vec3d centre_in_body(const VoxelBody& body, const Vec3d& point, double most) {
    const auto r = static_cast<int>(std::ceil(most / body.grid.cell));
    const VoxelIndex c = body.grid.locate(point);
    Vec3d best = point;
    double value = -INFINITY;
    for (int dz = -r; dz <= r; ++dz)
        for (int dy = -r; dy <= r; ++dy)
            for (int dx = -r; dx <= r; ++dx) {
                const VoxelIndex v = {c[0] + dx, c[1] + dy, c[2] + dz};
                if (!body.grid.contains(v)) continue;
                const size_t i = body.grid.index(v);
                const double away = (body.at(i) - point).norm();
                if (!body.mask[i] || away > most) continue;
                const double score = static_cast<double>(body.radius[i]) - price_of_distance * away / body.grid.cell;
                if (score > value) value = score, best = body.at(i);
            }
    return best;
}

}  // namespace sinew
