#include <sinew/weights/heat/heat.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/heat/heat_matrix.h>
#include <sinew/weights/sparse/sparse_cholesky.h>
#include <sinew/weights/volume/flow_solve.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr double least_weight = 1e-4;  // chosen: a lower weight is 0; clean.h drops far larger ones
// Of least_weight: the solver may skip parts of the factor that could not hold more. Obtuse triangles make some entries
// off the diagonal positive, and then that bound is not strict; a hundredth leaves room.
constexpr double negligible_share = 0.01;
// The iteration asks for 1e-5; beyond this residual the weights are wrong to the eye. Chosen.
constexpr double too_far_off = 0.01;
constexpr size_t blocks_at_once = 4;  // of eight columns: bounds the memory to 256 bytes a vertex
constexpr size_t heat_grain = 4096;   // vertices per task

// The bones that warm each vertex, as rows that sum to 1.
WeightField given_heat(std::span<const HeatSource> sources, std::span<const Bone> bones) {
    WeightField given(sources.size(), HeatSource().bones.size());
    for (size_t v = 0; v < sources.size(); ++v)
        for (uint32_t i = 0; i < sources[v].count; ++i)
            given.add(v, static_cast<uint32_t>(bones[sources[v].bones[i]].joint),
                      1.0f / static_cast<float>(sources[v].count));
    return given;
}

// The joints that warm any vertex, ascending, so that neighbours in the skeleton are solved together. Each is a column
// of the solution.
std::vector<uint32_t> joints_of(const WeightField& given, std::vector<uint32_t>& column) {
    std::vector<uint32_t> joints;
    for (size_t v = 0; v < given.vertex_count(); ++v)
        for (const Influence& i : given.of(v)) {
            if (i.joint >= column.size()) column.resize(i.joint + 1, UINT32_MAX);
            column[i.joint] = 0;
        }
    for (uint32_t joint = 0; joint < column.size(); ++joint) {
        if (column[joint] == UINT32_MAX) continue;
        column[joint] = static_cast<uint32_t>(joints.size());
        joints.push_back(joint);
    }
    return joints;
}

// The matrix as a graph, for solving without a factorisation.
struct SurfaceGraph {
    std::vector<uint32_t> first, others;
    std::vector<double> flows;

    explicit SurfaceGraph(const Eigen::SparseMatrix<double>& lower) : first(static_cast<size_t>(lower.cols()) + 1, 0) {
        const auto each = [&](const auto& visit) {
            for (Eigen::Index c = 0; c < lower.cols(); ++c)
                for (Eigen::SparseMatrix<double>::InnerIterator e(lower, c); e; ++e) {
                    if (e.row() == c) continue;
                    visit(static_cast<size_t>(c), static_cast<size_t>(e.row()), -e.value());
                    visit(static_cast<size_t>(e.row()), static_cast<size_t>(c), -e.value());
                }
        };
        each([&](size_t a, size_t, double) { ++first[a + 1]; });
        std::partial_sum(first.begin(), first.end(), first.begin());
        others.resize(first.back());
        flows.resize(first.back());
        std::vector<uint32_t> at(first.begin(), first.end() - 1);
        each([&](size_t a, size_t b, double flow) {
            others[at[a]] = static_cast<uint32_t>(b);
            flows[at[a]++] = flow;
        });
    }
};

struct Columns {
    WeightField field;
    double residual = 0.0;
};

// Solves for all joints, eight columns at a time. `solve` solves eight columns in place, with the vertices in the given
// order, and returns the residual.
template <class Solve>
Columns solve_columns(const HeatMatrix& matrix, const WeightField& given, std::span<const int> order,
                      const Solve& solve) {
    const size_t n = given.vertex_count();
    std::vector<uint32_t> column;
    const std::vector<uint32_t> joints = joints_of(given, column);
    constexpr size_t lanes = SparseCholesky::lanes;
    const size_t blocks = (joints.size() + lanes - 1) / lanes;
    Columns result{WeightField(n)};
    std::vector<double> residuals(blocks, 0.0);
    std::vector<std::vector<double>> solution(std::min(blocks, blocks_at_once));
    for (size_t first = 0; first < blocks; first += blocks_at_once) {
        const size_t count = std::min(blocks_at_once, blocks - first);
        parallel_for(count, 1, [&](size_t b, size_t) { solution[b].assign(n * lanes, 0.0); });
        // visit(vertex, its place in the order)
        const auto each_vertex = [&](const auto& visit) {
            parallel_for(n, heat_grain, [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) visit(static_cast<size_t>(order[i]), i);
            });
        };
        each_vertex([&](size_t v, size_t i) {
            for (const auto& [joint, weight] : given.of(v))
                if (const size_t b = column[joint] / lanes - first; b < count)
                    solution[b][i * lanes + column[joint] % lanes] += matrix.uptake[v] * weight;
        });
        parallel_for(count, 1, [&](size_t b, size_t) { residuals[first + b] = solve(solution[b]); });
        each_vertex([&](size_t v, size_t i) {
            for (size_t b = 0; b < count; ++b)
                for (size_t k = 0; k < lanes; ++k)
                    if (const double w = solution[b][i * lanes + k]; w > least_weight)
                        result.field.add(v, joints[(first + b) * lanes + k], static_cast<float>(w));
        });
    }
    for (size_t v = 0; v < n; ++v)
        if (result.field.of(v).empty()) result.field.set(v, given.of(v));
    for (const double r : residuals) result.residual = std::max(result.residual, r);
    return result;
}

HeatResult solve(const HeatMatrix& matrix, Supernodes nodes, const WeightField& given) {
    HeatResult result;
    if (const SparseCholesky factor(matrix.lower, std::move(nodes)); factor.ok()) {
        const auto direct = [&](std::span<double> x) {
            factor.solve_in_order(x, negligible_share * least_weight);
            return 0.0;
        };
        result.field = solve_columns(matrix, given, factor.row_order(), direct).field;
        return result;
    }
    static_assert(flow_lanes == SparseCholesky::lanes);
    const SurfaceGraph graph(matrix.lower);
    std::vector<int> order(given.vertex_count());
    std::iota(order.begin(), order.end(), 0);
    Columns columns = solve_columns(matrix, given, order, [&](std::span<double> x) {
        return solve_heat({graph.first, graph.others, graph.flows}, matrix.uptake, x).residual;
    });
    result.solved = columns.residual < too_far_off;
    result.field = result.solved ? std::move(columns.field) : given;
    return result;
}

}  // namespace

HeatResult heat_weights(const Surface& surface, std::span<const Bone> bones, const HeatOptions& options) {
    std::vector<HeatSource> sources;
    std::vector<double> area;
    HeatMatrix matrix = make_heat_pattern(surface, options.link_distance);
    Supernodes nodes;
    // The order of elimination depends only on the pattern, so it is found while the values are made.
    parallel_for(2, 1, [&](size_t part, size_t) {
        if (part == 0) {
            nodes = find_supernodes(matrix.lower);
        } else {
            area = fill_laplacian(surface, matrix);
            sources = heat_sources(surface, heat_solid(surface), bones, options);
        }
    });
    std::vector<double> uptake(area.size());
    for (size_t v = 0; v < area.size(); ++v)
        uptake[v] =
            area[v] * options.strength * std::max(1u, sources[v].count) / (sources[v].distance * sources[v].distance);
    take_up(matrix, std::move(uptake));
    return solve(matrix, std::move(nodes), given_heat(sources, bones));
}

}  // namespace sinew
