#include <sinew/weights/heat_coarse.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr uint32_t none = UINT32_MAX;
constexpr double damping = 0.75;
constexpr int most_steps = 24;

// Every vertex without a cluster yet starts one, and takes in its nearest neighbours until there are `size` of them.
std::vector<uint32_t> pick_seeds(const Surface& surface, const Neighbours& around, size_t size) {
    std::vector<uint8_t> taken(surface.vertex_count(), 0);
    std::vector<uint32_t> seeds, ball;
    for (uint32_t start = 0; start < surface.vertex_count(); ++start) {
        if (taken[start]) continue;
        seeds.push_back(start);
        taken[start] = 1;
        ball.assign(1, start);
        for (size_t i = 0; i < ball.size() && ball.size() < size; ++i) {
            for (uint32_t w : around.of(ball[i])) {
                if (taken[w] || ball.size() >= size) continue;
                taken[w] = 1;
                ball.push_back(w);
            }
        }
    }
    return seeds;
}

// Breadth first from all seeds at once.
std::vector<uint32_t> nearest_seeds(const Surface& surface, const Neighbours& around,
                                    const std::vector<uint32_t>& seeds) {
    std::vector<uint32_t> cluster(surface.vertex_count(), none), queue = seeds;
    queue.reserve(surface.vertex_count());
    for (uint32_t s = 0; s < seeds.size(); ++s) cluster[seeds[s]] = s;
    for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t w : around.of(queue[i])) {
            if (cluster[w] != none) continue;
            cluster[w] = cluster[queue[i]];
            queue.push_back(w);
        }
    }
    return cluster;
}

}  // namespace

CoarseSurface coarsen(const Surface& surface, size_t target_vertices) {
    const Neighbours around = neighbours(surface);
    const size_t size = std::max<size_t>(2, surface.vertex_count() / std::max<size_t>(1, target_vertices));
    const std::vector<uint32_t> seeds = pick_seeds(surface, around, size);
    CoarseSurface levels{.coarse = {}, .cluster_of = nearest_seeds(surface, around, seeds)};
    Surface& coarse = levels.coarse;
    for (uint32_t v : seeds) {
        coarse.positions.push_back(surface.positions[v]);
        coarse.normals.push_back(surface.normals[v]);
        coarse.piece.push_back(surface.piece[v]);
    }
    coarse.piece_count = surface.piece_count;
    std::vector<std::array<uint32_t, 3>> faces;
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        std::array<uint32_t, 3> t;
        for (size_t k = 0; k < 3; ++k) t[k] = levels.cluster_of[surface.triangles[i + k]];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        faces.push_back(t);
    }
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    for (const auto& t : faces) coarse.triangles.insert(coarse.triangles.end(), t.begin(), t.end());
    // Bridges are laid between coarse vertices whose cluster touches an open edge.
    coarse.open.assign(seeds.size(), 0);
    for (size_t v = 0; v < surface.vertex_count(); ++v)
        if (surface.open[v]) coarse.open[levels.cluster_of[v]] = 1;
    coarse.center = surface.center;
    coarse.size = surface.size;
    return levels;
}

WeightField settle(const CoarseSurface& levels, const WeightField& coarse_field, const HeatMatrix& fine,
                   std::span<const HeatSource> sources, std::span<const Bone> bones) {
    const size_t n = levels.cluster_of.size();
    const Eigen::SparseMatrix<double> whole = fine.lower.selfadjointView<Eigen::Lower>();
    WeightField field(n, coarse_field.capacity());
    for (size_t v = 0; v < n; ++v) field.set(v, coarse_field.of(levels.cluster_of[v]));
    const double cluster =
        static_cast<double>(n) / static_cast<double>(std::max<size_t>(1, coarse_field.vertex_count()));
    const int steps = std::min(most_steps, static_cast<int>(std::ceil(4.0 * std::sqrt(cluster))));
    WeightField next(n, field.capacity());
    for (int step = 0; step < steps; ++step) {
        parallel_for(n, 2048, [&](size_t begin, size_t end) {
            WeightField row(1, 4 * field.capacity());
            for (size_t v = begin; v < end; ++v) {
                // Couplings across obtuse corners are negative; without them each step is a mean, and weights stay
                // weights.
                double sum = fine.uptake[v];
                using Entry = Eigen::SparseMatrix<double>::InnerIterator;
                for (Entry e(whole, static_cast<Eigen::Index>(v)); e; ++e)
                    if (e.row() != e.col() && e.value() < 0.0) sum -= e.value();
                row.clear(0);
                const double share = damping / sum;
                for (const Influence& i : field.of(v))
                    row.add(0, i.joint, static_cast<float>((1.0 - damping) * i.weight));
                for (Entry e(whole, static_cast<Eigen::Index>(v)); e; ++e) {
                    if (e.row() == e.col() || !(e.value() < 0.0)) continue;
                    for (const Influence& i : field.of(static_cast<size_t>(e.row())))
                        row.add(0, i.joint, static_cast<float>(-e.value() * share * i.weight));
                }
                for (uint32_t i = 0; i < sources[v].count; ++i)
                    row.add(0, static_cast<uint32_t>(bones[sources[v].bones[i]].joint),
                            static_cast<float>(fine.uptake[v] * share / sources[v].count));
                next.set(v, row.of(0));
                next.normalise(v);
            }
        });
        std::swap(field, next);
    }
    return field;
}

}  // namespace sinew
