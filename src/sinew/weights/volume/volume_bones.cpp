#include <sinew/weights/volume/volume_bones.h>

#include <sinew/weights/surface/point_grid.h>
#include <algorithm>
#include <cmath>
#include <queue>

namespace sinew {
namespace {

constexpr double steps_per_voxel = 2.0;  // along a bone, so that it skips no cell that it clearly passes through
constexpr double most_steps = 1e5;       // for a bone beyond all measure
constexpr int outside_steps = 8;         // so many points of a bone outside look for the nearest cell. Chosen
constexpr double everywhere = 1e3;       // in units of the Surface's size

Vec3d point_on(const Bone& bone, double t) {
    return bone.head + t * (bone.tail - bone.head);
}

// A way from a bone to a cell. It ends with a straight line from `anchor`. While `on_bone`, the anchor is the point of
// the bone nearest to the cell.
struct Way {
    double distance = 0.0;
    double before_anchor = 0.0;
    Vec3d anchor = Vec3d::Zero();
    uint32_t cell = 0, from = 0, bone = 0;
    bool on_bone = true, checked = false;

    bool operator>(const Way& o) const {
        if (distance != o.distance) return distance > o.distance;
        if (cell != o.cell) return cell > o.cell;
        return bone != o.bone ? bone > o.bone : from > o.from;  // nothing is left to how a library keeps its heaps
    }
};

class Search {
public:
    Search(const Volume& volume, std::span<const Bone> bones) : volume_(volume), bones_(bones), found_(volume.size()) {}

    void start(uint32_t bone, uint32_t cell) {
        const Vec3d nearest = point_on(bones_[bone], nearest_on(bones_[bone], volume_.centres[cell]));
        queue_.push({.distance = (volume_.centres[cell] - nearest).norm(),
                     .anchor = nearest,
                     .cell = cell,
                     .from = cell,
                     .bone = bone,
                     .checked = true});
    }

    std::vector<NearBones> run() {
        while (!queue_.empty()) {
            Way way = queue_.top();
            queue_.pop();
            if (known(way.cell, way.bone) || found_[way.cell].count >= NearBones::most) continue;
            if (!way.checked && !volume_.sees(way.anchor, volume_.centres[way.cell])) {
                go_round(way);
                queue_.push(way);
                continue;
            }
            NearBones& near = found_[way.cell];
            near.bones[near.count] = way.bone;
            near.directions[near.count] = (volume_.centres[way.cell] - way.anchor).normalized();
            near.distances[near.count++] = way.distance;
            spread(way);
        }
        return std::move(found_);
    }

private:
    bool known(uint32_t cell, uint32_t bone) const {
        const NearBones& near = found_[cell];
        return std::find(near.bones.begin(), near.bones.begin() + near.count, bone) != near.bones.begin() + near.count;
    }

    // The straight line leaves the solid, so the way goes through the middle of the cell it came from.
    void go_round(Way& way) const {
        const NearBones& near = found_[way.from];
        const auto at = std::find(near.bones.begin(), near.bones.begin() + near.count, way.bone) - near.bones.begin();
        way.anchor = volume_.centres[way.from];
        way.before_anchor = near.distances[static_cast<size_t>(at)];
        way.distance = way.before_anchor + (volume_.centres[way.cell] - way.anchor).norm();
        way.on_bone = false;
        way.checked = true;
    }

    void spread(const Way& way) {
        for (uint32_t i = volume_.first[way.cell]; i < volume_.first[way.cell + 1]; ++i) {
            const uint32_t other = volume_.others[i];
            if (found_[other].count >= NearBones::most || known(other, way.bone)) continue;
            Way next = way;
            if (way.on_bone)
                next.anchor = point_on(bones_[way.bone], nearest_on(bones_[way.bone], volume_.centres[other]));
            next.distance = std::max(way.before_anchor + (volume_.centres[other] - next.anchor).norm(), way.distance);
            next.cell = other;
            next.from = way.cell;
            next.checked = false;
            queue_.push(next);
        }
    }

    const Volume& volume_;
    std::span<const Bone> bones_;
    std::vector<NearBones> found_;
    std::priority_queue<Way, std::vector<Way>, std::greater<>> queue_;
};

}  // namespace

std::vector<std::vector<uint32_t>> bone_cells(const Volume& volume, std::span<const Bone> bones) {
    std::vector<std::vector<uint32_t>> cells(bones.size());
    const PointGrid grid(volume.centres, centre_grid_cells * volume.grid.cell);
    for (size_t b = 0; b < bones.size(); ++b) {
        const double length = (bones[b].tail - bones[b].head).norm();
        const int steps = static_cast<int>(std::clamp(steps_per_voxel * length / volume.grid.cell, 1.0, most_steps));
        for (int i = 0; i <= steps; ++i) {
            const uint32_t cell = volume.at(point_on(bones[b], static_cast<double>(i) / steps));
            if (cell != Volume::no_cell) cells[b].push_back(cell);
        }
        if (cells[b].empty()) {
            int64_t best = -1;
            double least = INFINITY;
            for (int i = 0; i <= outside_steps; ++i) {
                const Vec3d p = point_on(bones[b], static_cast<double>(i) / outside_steps);
                const int64_t cell = grid.nearest(p, everywhere, [](uint32_t) { return true; });
                const double distance = cell < 0 ? INFINITY : (volume.centres[static_cast<size_t>(cell)] - p).norm();
                if (distance < least) least = distance, best = cell;
            }
            cells[b].push_back(static_cast<uint32_t>(std::max<int64_t>(best, 0)));
        }
        std::sort(cells[b].begin(), cells[b].end());
        cells[b].erase(std::unique(cells[b].begin(), cells[b].end()), cells[b].end());
    }
    return cells;
}

std::vector<NearBones> nearest_bones(const Volume& volume, std::span<const Bone> bones,
                                     std::span<const std::vector<uint32_t>> cells) {
    Search search(volume, bones);
    for (uint32_t b = 0; b < bones.size(); ++b)
        for (const uint32_t cell : cells[b]) search.start(b, cell);
    return search.run();
}

}  // namespace sinew
