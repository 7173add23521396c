#include <sinew/morph/direct_manipulation.h>

#include <sinew/core/check.h>
#include <sinew/morph/box_least_squares.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

Vec3d delta_of(const MorphTarget& target, uint32_t vertex) {
    const auto found = std::ranges::lower_bound(target.vertices, vertex);
    if (found == target.vertices.end() || *found != vertex) return Vec3d::Zero();
    return target.positions[static_cast<size_t>(found - target.vertices.begin())].cast<double>();
}

bool usable(const DragHandle& handle, std::span<const Vec3> neutral) {
    return handle.vertex < neutral.size() && handle.position.allFinite() && handle.importance >= 0.0f &&
           std::isfinite(handle.importance);
}

// Three rows a handle: how far each target moves it, and how far it has to go from the neutral shape.
struct System {
    Eigen::MatrixXd moves;
    Eigen::VectorXd wanted;
    Eigen::VectorXd importance;
};

System make_system(std::span<const Vec3> neutral, std::span<const MorphTarget> targets,
                   std::span<const DragHandle> handles) {
    const auto rows = static_cast<Eigen::Index>(3 * handles.size()),
               columns = static_cast<Eigen::Index>(targets.size());
    System s{Eigen::MatrixXd::Zero(rows, columns), Eigen::VectorXd::Zero(rows), Eigen::VectorXd::Zero(rows)};
    for (size_t h = 0; h < handles.size(); ++h) {
        if (!usable(handles[h], neutral)) continue;
        const auto row = static_cast<Eigen::Index>(3 * h);
        s.wanted.segment<3>(row) = handles[h].position.cast<double>() - neutral[handles[h].vertex].cast<double>();
        s.importance.segment<3>(row).setConstant(handles[h].importance);
        for (size_t t = 0; t < targets.size(); ++t) {
            s.moves.block<3, 1>(row, static_cast<Eigen::Index>(t)) = delta_of(targets[t], handles[h].vertex);
        }
    }
    return s;
}

std::vector<float> distances(const System& s, const Eigen::VectorXd& weights, std::span<const Vec3> neutral,
                             std::span<const DragHandle> handles) {
    const Eigen::VectorXd missing = s.moves * weights - s.wanted;
    std::vector<float> result;
    for (size_t h = 0; h < handles.size(); ++h) {
        const double distance = missing.segment<3>(static_cast<Eigen::Index>(3 * h)).norm();
        result.push_back(usable(handles[h], neutral) ? static_cast<float>(distance)
                                                     : std::numeric_limits<float>::infinity());
    }
    return result;
}

float residual(std::span<const float> distances, std::span<const DragHandle> handles) {
    double sum = 0.0, weight = 0.0;
    for (size_t h = 0; h < handles.size(); ++h) {
        if (!std::isfinite(distances[h])) continue;
        sum += double{handles[h].importance} * double{distances[h]} * double{distances[h]};
        weight += double{handles[h].importance};
    }
    return weight > 0.0 ? static_cast<float>(std::sqrt(sum / weight)) : 0.0f;
}

Eigen::VectorXd bound(std::span<const float> each, float all, size_t count) {
    SINEW_CHECK(each.empty() || each.size() == count);
    Eigen::VectorXd result = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(count), all);
    for (size_t i = 0; i < each.size(); ++i) result[static_cast<Eigen::Index>(i)] = each[i];
    return result;
}

}  // namespace

DirectManipulation solve_weights(std::span<const Vec3> neutral, std::span<const MorphTarget> targets,
                                 std::span<const float> current, std::span<const DragHandle> handles,
                                 const DirectManipulationOptions& options) {
    const size_t count = targets.size();
    const Eigen::VectorXd low = bound(options.lows, options.low, count),
                          high = bound(options.highs, options.high, count);
    SINEW_CHECK((low.array() <= high.array()).all());
    Eigen::VectorXd before = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count));
    for (size_t t = 0; t < std::min(count, current.size()); ++t) before[static_cast<Eigen::Index>(t)] = current[t];

    const System s = make_system(neutral, targets, handles);
    const Eigen::MatrixXd weighted = s.importance.asDiagonal() * s.moves;
    Eigen::MatrixXd H = s.moves.transpose() * weighted;
    const double mean = count > 0 ? H.trace() / static_cast<double>(count) : 0.0;
    const double stay = std::max(double{options.stay}, 0.0) * (mean > 0.0 ? mean : 1.0);
    H.diagonal().array() += stay;
    const BoxSolution solved = minimise_in_box(H, weighted.transpose() * s.wanted + stay * before, low, high, before);

    DirectManipulation result;
    DirectManipulationReport& report = result.report;
    report.iterations = solved.iterations;
    report.converged = solved.converged;
    result.weights.resize(count);
    for (size_t t = 0; t < count; ++t) {
        const auto i = static_cast<Eigen::Index>(t);
        result.weights[t] = static_cast<float>(solved.x[i]);
        report.at_bounds += low[i] < high[i] && (solved.x[i] == low[i] || solved.x[i] == high[i]);
    }
    report.distance_before = distances(s, before, neutral, handles);
    report.distance_after = distances(s, solved.x, neutral, handles);
    report.residual = residual(report.distance_after, handles);
    return result;
}

}  // namespace sinew
