#include <sinew/morph/key_shapes.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

double dot(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0.0;
    for (size_t v = 0; v < a.size(); ++v) sum += a[v].dot(b[v]);
    return sum;
}

// Each shape minus the mean. The mean is rounded to float first, since that is the mean the caller gets.
std::vector<std::vector<Vec3d>> centred(std::span<const std::vector<Vec3>> shapes, std::vector<Vec3>& mean) {
    const size_t count = shapes[0].size();
    mean.resize(count);
    for (size_t v = 0; v < count; ++v) {
        Vec3d sum = Vec3d::Zero();
        for (const std::vector<Vec3>& shape : shapes) sum += shape[v].cast<double>();
        mean[v] = (sum / static_cast<double>(shapes.size())).cast<float>();
    }
    std::vector<std::vector<Vec3d>> rows(shapes.size(), std::vector<Vec3d>(count));
    for (size_t s = 0; s < shapes.size(); ++s) {
        SINEW_CHECK(shapes[s].size() == count);
        for (size_t v = 0; v < count; ++v) rows[s][v] = shapes[s][v].cast<double>() - mean[v].cast<double>();
    }
    return rows;
}

Eigen::MatrixXd gram_matrix(std::span<const std::vector<Vec3d>> rows) {
    const size_t n = rows.size();
    Eigen::MatrixXd gram(n, n);
    parallel_for(n, 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            for (size_t j = 0; j <= i; ++j) {
                const double value = dot(rows[i], rows[j]);
                gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
                gram(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = value;
            }
        }
    });
    return gram;
}

// Symmetric faces have equal largest entries left and right; a threshold below them picks the same one on any machine.
double sign_of(std::span<const Vec3d> component) {
    double largest = 0.0;
    for (const Vec3d& v : component) largest = std::max(largest, v.cwiseAbs().maxCoeff());
    for (const Vec3d& v : component) {
        for (int axis = 0; axis < 3; ++axis) {
            if (std::abs(v[axis]) > 0.9 * largest) return v[axis] < 0.0 ? -1.0 : 1.0;
        }
    }
    return 1.0;
}

std::vector<Vec3> component(std::span<const std::vector<Vec3d>> rows, const Eigen::VectorXd& mix) {
    std::vector<Vec3d> sum(rows[0].size(), Vec3d::Zero());
    for (size_t s = 0; s < rows.size(); ++s) {
        const double share = mix[static_cast<Eigen::Index>(s)];
        for (size_t v = 0; v < sum.size(); ++v) sum[v] += share * rows[s][v];
    }
    const double scale = sign_of(sum) / std::sqrt(dot(sum, sum));
    std::vector<Vec3> result(sum.size());
    for (size_t v = 0; v < sum.size(); ++v) result[v] = (scale * sum[v]).cast<float>();
    return result;
}

}  // namespace

ShapePca shape_pca(std::span<const std::vector<Vec3>> shapes, const ShapePcaOptions& options) {
    SINEW_CHECK(!shapes.empty());
    ShapePca pca;
    const std::vector<std::vector<Vec3d>> rows = centred(shapes, pca.mean);
    if (shapes.size() < 2 || pca.mean.empty()) return pca;
    const Eigen::MatrixXd gram = gram_matrix(rows);
    const double divisor = static_cast<double>(shapes.size() - 1);
    pca.total_variance = gram.trace() / divisor;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
    double explained = 0.0;
    const double largest = eigen.eigenvalues()[gram.rows() - 1];
    for (Eigen::Index i = gram.rows() - 1; i > 0; --i) {
        const double value = eigen.eigenvalues()[i];
        if (!(value > 1e-12 * largest) || pca.components.size() >= options.max_components) break;
        if (explained >= options.keep_variance * pca.total_variance) break;
        pca.components.push_back(component(rows, eigen.eigenvectors().col(i)));
        pca.variances.push_back(value / divisor);
        explained += value / divisor;
    }
    return pca;
}

std::vector<double> project(const ShapePca& pca, std::span<const Vec3> shape) {
    SINEW_CHECK(shape.size() == pca.mean.size());
    std::vector<double> scores;
    for (const std::vector<Vec3>& component : pca.components) {
        double sum = 0.0;
        for (size_t v = 0; v < shape.size(); ++v) {
            sum += (shape[v].cast<double>() - pca.mean[v].cast<double>()).dot(component[v].cast<double>());
        }
        scores.push_back(sum);
    }
    return scores;
}

std::vector<Vec3> reconstruct(const ShapePca& pca, std::span<const double> scores) {
    std::vector<Vec3> shape(pca.mean.size());
    const size_t used = std::min(scores.size(), pca.components.size());
    for (size_t v = 0; v < shape.size(); ++v) {
        Vec3d sum = pca.mean[v].cast<double>();
        for (size_t c = 0; c < used; ++c) sum += scores[c] * pca.components[c][v].cast<double>();
        shape[v] = sum.cast<float>();
    }
    return shape;
}

std::vector<MorphTarget> to_morph_targets(const ShapePca& pca) {
    std::vector<uint32_t> all(pca.mean.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<MorphTarget> targets;
    for (size_t c = 0; c < pca.components.size(); ++c) {
        MorphTarget& target = targets.emplace_back();
        target.name = "component_" + std::to_string(c);
        target.vertices = all;
        const float deviation = static_cast<float>(std::sqrt(pca.variances[c]));
        for (const Vec3& v : pca.components[c]) target.positions.push_back(deviation * v);
    }
    return targets;
}

}  // namespace sinew
