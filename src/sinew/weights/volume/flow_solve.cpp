#include <sinew/weights/volume/flow_solve.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

constexpr int most_iterations = 1000;  // chosen: a bound on the time; the residual tells whether it was enough
constexpr double no_number = 1e-300;   // a smaller divisor is 0

using Lane = Eigen::Array<double, static_cast<int>(flow_lanes), 1>;
using Lanes = std::vector<Lane, Eigen::aligned_allocator<Lane>>;

// y = (L + uptake) x. Returns x · y for each lane.
Lane apply(const FlowGraph& graph, std::span<const double> diagonal, const Lanes& x, Lanes& y) {
    Lane product = Lane::Zero();
    for (size_t c = 0; c < graph.size(); ++c) {
        Lane sum = diagonal[c] * x[c];
        for (uint32_t i = graph.first[c]; i < graph.first[c + 1]; ++i) sum -= graph.flows[i] * x[graph.others[i]];
        y[c] = sum;
        product += x[c] * sum;
    }
    return product;
}

Lane safe_ratio(const Lane& a, const Lane& b) {
    return (b.abs() > no_number).select(a / b, Lane::Zero());
}

}  // namespace

FlowSolve solve_heat(const FlowGraph& graph, std::span<const double> uptake, std::span<double> values,
                     double tolerance) {
    const size_t n = graph.size();
    std::vector<double> diagonal(uptake.begin(), uptake.end());
    for (size_t c = 0; c < n; ++c)
        for (uint32_t i = graph.first[c]; i < graph.first[c + 1]; ++i) diagonal[c] += graph.flows[i];
    // Start from what each cell would have on its own. With little diffusion that is nearly the answer.
    Lanes x(n), r(n), p(n), q(n);
    Lane rz = Lane::Zero(), largest = Lane::Zero(), off = Lane::Zero();
    for (size_t c = 0; c < n; ++c) {
        r[c] = Eigen::Map<const Lane>(&values[c * flow_lanes]);
        x[c] = r[c] / uptake[c];
        largest = largest.max(x[c].abs());
    }
    apply(graph, diagonal, x, q);
    for (size_t c = 0; c < n; ++c) {
        r[c] -= q[c];
        p[c] = r[c] / diagonal[c];
        rz += r[c] * p[c];
        off = off.max(p[c].abs());
    }
    FlowSolve result;
    while (result.iterations < most_iterations && (off > tolerance * largest).any()) {
        ++result.iterations;
        const Lane alpha = safe_ratio(rz, apply(graph, diagonal, p, q));
        Lane next = Lane::Zero();
        off.setZero();
        for (size_t c = 0; c < n; ++c) {
            x[c] += alpha * p[c];
            r[c] -= alpha * q[c];
            const Lane z = r[c] / diagonal[c];
            next += r[c] * z;
            off = off.max(z.abs());
        }
        const Lane beta = safe_ratio(next, rz);
        for (size_t c = 0; c < n; ++c) p[c] = r[c] / diagonal[c] + beta * p[c];
        rz = next;
    }
    result.residual = safe_ratio(off, largest).maxCoeff();
    for (size_t c = 0; c < n; ++c) std::copy_n(x[c].data(), flow_lanes, &values[c * flow_lanes]);
    return result;
}

}  // namespace sinew
