#include <sinew/mesh/geodesic.h>

#include <sinew/mesh/voxel_work.h>
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace sinew {
namespace {

// Voxels that wait for their turn, nearest first; of equally near ones, the lowest number first. Most of them wait
// unsorted in buckets of equal distance. The nearest bucket is sorted when its turn comes; the few voxels that join it
// after that wait in a small heap.
class TrialQueue {
public:
    void push(float distance, uint32_t voxel) {
        const uint64_t trial = uint64_t{std::bit_cast<uint32_t>(distance)} << 32 | voxel;  // sorts as (distance, voxel)
        const size_t bucket = bucket_of(distance);
        if (bucket <= nearest_) {
            late_.push_back(trial);
            std::push_heap(late_.begin(), late_.end(), std::greater<>());
            return;
        }
        if (bucket >= later_.size()) later_.resize(bucket + 1);
        later_[bucket].push_back(trial);
    }

    bool empty() {
        while (sorted_.empty() && late_.empty() && nearest_ + 1 < later_.size()) {
            sorted_.swap(later_[++nearest_]);
            std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
        }
        return sorted_.empty() && late_.empty();
    }

    // Requires that it is not empty.
    uint32_t pop() {
        if (late_.empty() || (!sorted_.empty() && sorted_.back() < late_.front())) {
            const auto voxel = static_cast<uint32_t>(sorted_.back());
            sorted_.pop_back();
            return voxel;
        }
        std::pop_heap(late_.begin(), late_.end(), std::greater<>());
        const auto voxel = static_cast<uint32_t>(late_.back());
        late_.pop_back();
        return voxel;
    }

private:
    // Chosen: narrower than most steps of a front, so that few voxels come late. What is farther than the last bucket
    // shares it; slow voxels can lie that far.
    static constexpr float buckets_per_voxel = 8.0f, last_bucket = 65536.0f;
    static size_t bucket_of(float distance) {
        return static_cast<size_t>(std::min(distance * buckets_per_voxel, last_bucket));
    }

    std::vector<uint64_t> sorted_, late_;       // of bucket `nearest_` and all before it; farthest first, and a heap
    std::vector<std::vector<uint64_t>> later_;  // by bucket
    size_t nearest_ = 0;
};

// The arrival time t from up to three known neighbours, one per axis: (t−a)² + (t−b)² + (t−c)² = h², with only those
// terms whose neighbour is below t.
double arrival(double a, double b, double c, double h) {
    if (a > b) std::swap(a, b);
    if (b > c) std::swap(b, c);
    if (a > b) std::swap(a, b);
    double t = a + h;
    if (t <= b) return t;
    t = 0.5 * (a + b + std::sqrt(std::max(0.0, 2.0 * h * h - (a - b) * (a - b))));
    if (t <= c) return t;
    const double sum = a + b + c, squares = a * a + b * b + c * c;
    return (sum + std::sqrt(std::max(0.0, sum * sum - 3.0 * (squares - h * h)))) / 3.0;
}

// visit(neighbour, squared distance) for the 26 voxels around one.
template <class Visit>
void each_around(const VoxelGrid& grid, size_t index, const Visit& visit) {
    const VoxelIndex v = grid.voxel(index);
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const VoxelIndex n = {v[0] + dx, v[1] + dy, v[2] + dz};
                if ((dx || dy || dz) && grid.contains(n)) visit(grid.index(n), dx * dx + dy * dy + dz * dz);
            }
}

class March {
public:
    March(const VoxelGrid& grid, std::span<const uint8_t> mask, const GeodesicOptions& options)
        : grid_(grid), mask_(mask), options_(options), distance_(grid.count(), INFINITY), done_(grid.count(), 0) {}

    void offer(size_t voxel, double distance) {
        const auto d = static_cast<float>(distance);
        if (!mask_[voxel] || done_[voxel] || !(d < distance_[voxel]) || !(d <= options_.limit)) return;
        distance_[voxel] = d;
        trials_.push(d, static_cast<uint32_t>(voxel));
    }

    void run() {
        while (!trials_.empty()) {
            const size_t i = trials_.pop();
            if (done_[i]) continue;
            done_[i] = 1;
            ++visited_;
            if (i == options_.until) return;
            const VoxelIndex v = grid_.voxel(i);
            for (int axis = 0; axis < 3; ++axis) {
                const auto k = static_cast<size_t>(axis);
                const size_t step = grid_.stride(axis);
                VoxelIndex n = v;
                if (--n[k] >= 0) update(i - step, n);
                n[k] += 2;
                if (n[k] < grid_.dims[k]) update(i + step, n);
            }
        }
    }

    // Steps across edges and corners to voxels that were not reached through faces. False if there are none.
    bool step_across() {
        for (size_t i = 0; i < mask_.size(); ++i) {
            if (!mask_[i] || done_[i]) continue;
            each_around(grid_, i, [&](size_t n, int length_squared) {
                if (done_[n])
                    offer(i,
                          static_cast<double>(distance_[n]) + cost(i) * std::sqrt(static_cast<double>(length_squared)));
            });
        }
        return !trials_.empty();
    }

    bool arrived() const { return options_.until < done_.size() && done_[options_.until]; }
    uint64_t visited() const { return visited_; }
    std::vector<float> take() { return std::move(distance_); }

private:
    double cost(size_t i) const { return options_.speed.empty() ? 1.0 : 1.0 / static_cast<double>(options_.speed[i]); }
    double known(size_t i) const { return done_[i] ? static_cast<double>(distance_[i]) : INFINITY; }

    void update(size_t n, const VoxelIndex& v) {
        if (!mask_[n] || done_[n]) return;
        double least[3];
        for (int axis = 0; axis < 3; ++axis) {
            const auto k = static_cast<size_t>(axis);
            const size_t step = grid_.stride(axis);
            least[axis] =
                std::min(v[k] > 0 ? known(n - step) : INFINITY, v[k] + 1 < grid_.dims[k] ? known(n + step) : INFINITY);
        }
        offer(n, arrival(least[0], least[1], least[2], cost(n)));
    }

    const VoxelGrid& grid_;
    std::span<const uint8_t> mask_;
    const GeodesicOptions& options_;
    std::vector<float> distance_;
    std::vector<uint8_t> done_;
    TrialQueue trials_;
    uint64_t visited_ = 0;
};

}  // namespace

std::vector<float> geodesic_distance(const VoxelGrid& grid, std::span<const uint8_t> mask,
                                     std::span<const uint32_t> seeds, const GeodesicOptions& options) {
    March march(grid, mask, options);
    for (uint32_t seed : seeds) {
        if (!mask[seed]) continue;
        march.offer(seed, 0.0);
        // Marching is least exact where the front is most curved, so the first step is measured straight.
        each_around(grid, seed, [&](size_t n, int length_squared) {
            const double cost = options.speed.empty() ? 1.0 : 1.0 / static_cast<double>(options.speed[n]);
            march.offer(n, cost * std::sqrt(static_cast<double>(length_squared)));
        });
    }
    do march.run();
    while (!march.arrived() && march.step_across());
    count_voxel_work(march.visited());
    return march.take();
}

std::vector<uint32_t> descend(const VoxelGrid& grid, std::span<const float> distance, uint32_t from) {
    std::vector<uint32_t> path;
    if (!(distance[from] < INFINITY)) return path;
    for (size_t at = from;;) {
        path.push_back(static_cast<uint32_t>(at));
        size_t best = at;
        double steepest = 0.0;
        each_around(grid, at, [&](size_t n, int length_squared) {
            const double drop = static_cast<double>(distance[at]) - static_cast<double>(distance[n]);
            const double slope = drop / std::sqrt(static_cast<double>(length_squared));
            if (drop > 0.0 && slope > steepest) steepest = slope, best = n;
        });
        if (best == at) return path;
        at = best;
    }
}

VoxelParts connected_parts(const VoxelGrid& grid, std::span<const uint8_t> mask) {
    VoxelParts parts{.label = std::vector<int32_t>(grid.count(), -1), .sizes = {}};
    std::vector<uint32_t> open;
    for (size_t seed = 0; seed < mask.size(); ++seed) {
        if (!mask[seed] || parts.label[seed] >= 0) continue;
        const auto label = static_cast<int32_t>(parts.sizes.size());
        parts.sizes.push_back(0);
        open.assign(1, static_cast<uint32_t>(seed));
        parts.label[seed] = label;
        while (!open.empty()) {
            const size_t i = open.back();
            open.pop_back();
            ++parts.sizes[static_cast<size_t>(label)];
            each_around(grid, i, [&](size_t n, int) {
                if (!mask[n] || parts.label[n] >= 0) return;
                parts.label[n] = label;
                open.push_back(static_cast<uint32_t>(n));
            });
        }
    }
    count_voxel_work(std::accumulate(parts.sizes.begin(), parts.sizes.end(), uint64_t{0}));
    std::vector<int32_t> order(parts.sizes.size()), rank(parts.sizes.size());
    std::iota(order.begin(), order.end(), 0);
    const auto size_of = [&](int32_t part) { return parts.sizes[static_cast<size_t>(part)]; };
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return size_of(a) > size_of(b); });
    std::vector<size_t> sizes;
    for (size_t r = 0; r < order.size(); ++r) {
        rank[static_cast<size_t>(order[r])] = static_cast<int32_t>(r);
        sizes.push_back(size_of(order[r]));
    }
    for (int32_t& label : parts.label)
        if (label >= 0) label = rank[static_cast<size_t>(label)];
    parts.sizes = std::move(sizes);
    return parts;
}

}  // namespace sinew
