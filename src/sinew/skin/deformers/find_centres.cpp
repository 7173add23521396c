#include <sinew/core/parallel.h>
#include <sinew/skin/deformers/centres_of_rotation.h>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace sinew {
namespace {

constexpr double width = 0.1;  // σ of [Le2016]
constexpr int side = 32;       // cells along each weight: a third of σ, far below what the Gaussian resolves
constexpr size_t most_weights = 8;
constexpr int most_cuts = 4;         // a triangle is cut into up to 4² pieces …
constexpr double smooth_step = 0.1;  // … so that weights change by no more than this within one
constexpr size_t triangles_per_chunk = 4096, vertices_per_chunk = 1024;

// What of the surface lies in one cell of one pair's weight plane.
struct Cell {
    uint32_t j = 0, k = 0;  // joints, j < k
    uint32_t place = 0;     // in the plane
    double mass = 0.0;      // Σ area · wⱼ wₖ, then the same times wⱼ, wₖ and the position
    double wj = 0.0, wk = 0.0;
    Vec3d moment = Vec3d::Zero();
    double square = 0.0;  // of the position

    auto key() const { return std::tuple(j, k, place); }
};

uint32_t place_of(double wj, double wk) {
    const auto along = [](double w) { return std::min(static_cast<uint32_t>(w * side), uint32_t{side - 1}); };
    return along(wj) * side + along(wk);
}

// Sums up equal cells, in order, so that the result does not depend on who came first.
void gather(std::vector<Cell>& cells) {
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.key() < b.key(); });
    size_t used = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
        if (used > 0 && cells[used - 1].key() == cells[i].key()) {
            Cell& sum = cells[used - 1];
            sum.mass += cells[i].mass;
            sum.wj += cells[i].wj;
            sum.wk += cells[i].wk;
            sum.moment += cells[i].moment;
            sum.square += cells[i].square;
        } else {
            cells[used++] = cells[i];
        }
    }
    cells.resize(used);
}

// The weights of a triangle's corners, joint by joint.
struct CornerWeights {
    uint32_t joint = 0;
    double weight[3] = {0.0, 0.0, 0.0};
};

void corner_weights(const SkinnedSurface& surface, const uint32_t* corners, std::vector<CornerWeights>& out) {
    out.clear();
    for (int c = 0; c < 3; ++c) {
        for (const Influence& influence : surface.influences.of(corners[c])) {
            const auto found = std::find_if(out.begin(), out.end(),
                                            [&](const CornerWeights& w) { return w.joint == influence.joint; });
            CornerWeights& entry = found != out.end() ? *found : out.emplace_back(CornerWeights{influence.joint});
            entry.weight[c] += influence.weight;
        }
    }
}

int cuts_of(std::span<const CornerWeights> weights) {
    double change = 0.0;
    for (const CornerWeights& w : weights) {
        const auto [low, high] = std::minmax_element(w.weight, w.weight + 3);
        change = std::max(change, *high - *low);
    }
    return std::clamp(static_cast<int>(std::ceil(change / smooth_step)), 1, most_cuts);
}

struct Sampler {
    std::vector<Cell> cells;
    size_t samples = 0;
    std::vector<CornerWeights> corners;
    std::vector<std::pair<double, uint32_t>> weights;  // of one sample

    void add_sample(const Vec3d& barycentric, const Vec3d& position, double area) {
        ++samples;
        weights.clear();
        for (const CornerWeights& w : corners) {
            const double weight =
                barycentric[0] * w.weight[0] + barycentric[1] * w.weight[1] + barycentric[2] * w.weight[2];
            if (weight > 0.0) weights.emplace_back(-weight, w.joint);
        }
        std::sort(weights.begin(), weights.end());
        if (weights.size() > most_weights) weights.resize(most_weights);
        for (size_t a = 0; a < weights.size(); ++a) {
            for (size_t b = a + 1; b < weights.size(); ++b) {
                const auto [j, k] =
                    std::minmax(weights[a], weights[b], [](auto& x, auto& y) { return x.second < y.second; });
                const double wj = -j.first, wk = -k.first, mass = area * wj * wk;
                cells.push_back({j.second, k.second, place_of(wj, wk), mass, mass * wj, mass * wk, mass * position,
                                 mass * position.squaredNorm()});
            }
        }
    }

    void add_triangle(const SkinnedSurface& surface, const uint32_t* triangle) {
        Vec3d p[3];
        for (int c = 0; c < 3; ++c) p[c] = surface.positions[triangle[c]].cast<double>();
        corner_weights(surface, triangle, corners);
        if (corners.size() < 2) return;
        const int cuts = cuts_of(corners);
        const double area = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]).norm() / (cuts * cuts);
        if (!(area > 0.0)) return;
        // The centres of the upright and of the upside-down pieces.
        for (int a = 0; a < cuts; ++a) {
            for (int b = 0; a + b < cuts; ++b) {
                for (int down = 0; down < (a + b + 1 < cuts ? 2 : 1); ++down) {
                    const double u = (a + (1 + down) / 3.0) / cuts, w = (b + (1 + down) / 3.0) / cuts;
                    const Vec3d barycentric(1.0 - u - w, u, w);
                    add_sample(barycentric, barycentric[0] * p[0] + u * p[1] + w * p[2], area);
                }
            }
        }
    }
};

struct Cells {
    std::vector<Cell> all;  // by pair, then place; wj, wk are means now
    size_t samples = 0;

    std::span<const Cell> of(uint32_t j, uint32_t k) const {
        const auto by_pair = [](const Cell& a, const Cell& b) { return std::tie(a.j, a.k) < std::tie(b.j, b.k); };
        const auto [first, last] = std::equal_range(all.begin(), all.end(), Cell{j, k}, by_pair);
        return {first, last};
    }
};

Cells gather_surface(std::span<const SkinnedSurface> surfaces) {
    Cells result;
    for (const SkinnedSurface& surface : surfaces) {
        const size_t triangles = surface.triangles.size() / 3;
        std::vector<Sampler> chunks((triangles + triangles_per_chunk - 1) / triangles_per_chunk);
        parallel_for(triangles, triangles_per_chunk, [&](size_t begin, size_t end) {
            Sampler& sampler = chunks[begin / triangles_per_chunk];
            for (size_t t = begin; t < end; ++t) sampler.add_triangle(surface, &surface.triangles[3 * t]);
            gather(sampler.cells);
        });
        for (const Sampler& chunk : chunks) {
            result.samples += chunk.samples;
            result.all.insert(result.all.end(), chunk.cells.begin(), chunk.cells.end());
        }
    }
    gather(result.all);
    std::erase_if(result.all, [](const Cell& cell) { return !(cell.mass > 0.0); });
    for (Cell& cell : result.all) {
        cell.wj /= cell.mass;
        cell.wk /= cell.mass;
    }
    return result;
}

// Returns the number of cells looked at.
size_t find_centre(const Cells& cells, std::span<const Influence> list, Vec3& centre, float& radius) {
    list = list.first(std::min(list.size(), most_weights));
    double mass = 0.0, square = 0.0;
    Vec3d moment = Vec3d::Zero();
    size_t seen = 0;
    for (size_t a = 0; a < list.size(); ++a) {
        for (size_t b = a + 1; b < list.size(); ++b) {
            const Influence &j = list[a].joint < list[b].joint ? list[a] : list[b],
                            &k = list[a].joint < list[b].joint ? list[b] : list[a];
            const std::span<const Cell> plane = cells.of(j.joint, k.joint);
            for (const Cell& cell : plane) {
                const double apart = (j.weight * cell.wk - k.weight * cell.wj) / width;
                const double similarity = double{j.weight} * k.weight * std::exp(-apart * apart);
                mass += similarity * cell.mass;
                moment += similarity * cell.moment;
                square += similarity * cell.square;
            }
            seen += plane.size();
        }
    }
    const Vec3d found = moment / mass;
    if (mass > 0.0 && found.cast<float>().allFinite()) {
        centre = found.cast<float>();
        radius = static_cast<float>(std::sqrt(std::max(0.0, square / mass - found.squaredNorm())));
    }
    return seen;
}

}  // namespace

Centres find_centres_of_rotation(std::span<const SkinnedSurface> surfaces) {
    const Cells cells = gather_surface(surfaces);
    Centres result{.points = {}, .radii = {}, .samples = cells.samples, .cells = cells.all.size(), .evaluations = 0};
    for (const SkinnedSurface& surface : surfaces) {
        const size_t first = result.points.size(), count = surface.positions.size();
        result.points.insert(result.points.end(), surface.positions.begin(), surface.positions.end());
        result.radii.resize(first + count, 0.0f);
        std::vector<size_t> seen((count + vertices_per_chunk - 1) / vertices_per_chunk, 0);
        parallel_for(count, vertices_per_chunk, [&](size_t begin, size_t end) {
            for (size_t v = begin; v < end; ++v)
                seen[begin / vertices_per_chunk] +=
                    find_centre(cells, surface.influences.of(v), result.points[first + v], result.radii[first + v]);
        });
        for (size_t n : seen) result.evaluations += n;
    }
    return result;
}

}  // namespace sinew
