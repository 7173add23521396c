#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/weights/sparse/sparse_cholesky.h>
#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <set>

using namespace sinew;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// A graph's Laplacian with something on the diagonal: positive definite, as the heat equation's matrix is.
Sparse lower_half(int n, const std::vector<std::pair<int, int>>& edges, Random& random, double diagonal = 0.1) {
    std::vector<Eigen::Triplet<double, int>> entries;
    for (int v = 0; v < n; ++v) entries.emplace_back(v, v, diagonal * random.uniform(0.5, 2.0));
    for (const auto& [a, b] : edges) {
        const double flow = random.uniform(0.1, 3.0);
        entries.emplace_back(std::max(a, b), std::min(a, b), -flow);
        entries.emplace_back(a, a, flow);
        entries.emplace_back(b, b, flow);
    }
    Sparse lower(n, n);
    lower.setFromTriplets(entries.begin(), entries.end());
    return lower;
}

void compare_with_dense(const Sparse& lower, Random& random) {
    const auto n = static_cast<size_t>(lower.cols());
    const SparseCholesky factor(lower);
    REQUIRE(factor.ok());
    constexpr size_t lanes = SparseCholesky::lanes;
    std::vector<double> values(n * lanes);
    for (double& x : values) x = random.uniform(-1.0, 1.0);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, static_cast<int>(lanes), Eigen::RowMajor>;
    const Eigen::MatrixXd whole = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
    const Rows expected =
        whole.llt().solve(Eigen::Map<const Rows>(values.data(), lower.cols(), static_cast<Eigen::Index>(lanes)));
    factor.solve(values);
    const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
    CHECK((Eigen::Map<const Rows>(values.data(), lower.cols(), static_cast<Eigen::Index>(lanes)) - expected)
              .cwiseAbs()
              .maxCoeff() < 1e-9 * scale);
}

}  // namespace

TEST_CASE("SparseCholesky: as the dense factorisation, on grids, trees, cliques and random graphs") {
    Random random(5);
    std::vector<std::pair<int, int>> grid, solid, tree, clique, any;
    for (int y = 0; y < 23; ++y)
        for (int x = 0; x < 19; ++x) {
            if (x > 0) grid.emplace_back(19 * y + x, 19 * y + x - 1);
            if (y > 0) grid.emplace_back(19 * y + x, 19 * y - 19 + x);
        }
    for (int v = 0; v < 512; ++v)
        for (const int step : {1, 8, 64})
            if (v / step % 8 > 0) solid.emplace_back(v, v - step);
    for (int v = 1; v < 300; ++v) tree.emplace_back(v, static_cast<int>(random.below(static_cast<uint64_t>(v))));
    for (int a = 0; a < 60; ++a)
        for (int b = 0; b < a; ++b) clique.emplace_back(a, b);
    std::set<std::pair<int, int>> pairs;
    for (int i = 0; i < 900; ++i) {
        const int a = static_cast<int>(random.below(300)), b = static_cast<int>(random.below(300));
        if (a > b) pairs.insert({a, b});
    }
    any.assign(pairs.begin(), pairs.end());
    compare_with_dense(lower_half(19 * 23, grid, random), random);
    compare_with_dense(lower_half(512, solid, random), random);
    compare_with_dense(lower_half(300, tree, random), random);
    compare_with_dense(lower_half(60, clique, random), random);
    compare_with_dense(lower_half(300, any, random), random);
    compare_with_dense(lower_half(7, {}, random), random);
    compare_with_dense(lower_half(1, {}, random), random);
    const SparseCholesky nothing(Sparse(0, 0));
    CHECK(nothing.ok());
    nothing.solve({});
}

TEST_CASE("SparseCholesky: subtrees side by side and skipped where nothing is asked, as Eigen's solver") {
    Random random(8);
    const int side = 120;
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v < side * side; ++v)
        for (const int step : {1, side})
            if (v / step % side > 0) edges.emplace_back(v, v - step);
    for (int v = side * side + 1; v < side * side + 500; ++v) edges.emplace_back(v, v - 1);  // a piece of its own
    const Sparse lower = lower_half(side * side + 500, edges, random, 0.5);
    const Eigen::SimplicialLLT<Sparse> reference(lower);
    const SparseCholesky factor(lower);
    REQUIRE(factor.ok());
    constexpr size_t lanes = SparseCholesky::lanes;
    std::vector<double> values(static_cast<size_t>(lower.cols()) * lanes, 0.0);
    for (size_t k = 0; k < lanes; ++k)  // a patch each, in one corner of the grid
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 5; ++x)
                values[static_cast<size_t>(side * (y + 3) + 5 * static_cast<int>(k) + x) * lanes + k] =
                    random.uniform(0.2, 1.0);
    const std::vector<double> asked = values;
    factor.solve(values);
    const double negligible = 1e-5;
    std::vector<double> rough(values.size()), in_order(values.size());
    const auto each_row = [&](const auto& visit) {
        for (size_t i = 0; i < factor.row_order().size(); ++i)
            visit(&in_order[i * lanes], static_cast<size_t>(factor.row_order()[i]) * lanes);
    };
    each_row([&](double* row, size_t v) { std::copy_n(&asked[v], lanes, row); });
    factor.solve_in_order(in_order, negligible);
    each_row([&](const double* row, size_t v) { std::copy_n(row, lanes, &rough[v]); });
    size_t zeros = 0;
    for (size_t k = 0; k < lanes; ++k) {
        Eigen::VectorXd right(lower.cols());
        for (Eigen::Index v = 0; v < lower.cols(); ++v) right[v] = asked[static_cast<size_t>(v) * lanes + k];
        const Eigen::VectorXd expected = reference.solve(right);
        double worst = 0.0, worst_rough = 0.0;
        for (Eigen::Index v = 0; v < lower.cols(); ++v) {
            const size_t i = static_cast<size_t>(v) * lanes + k;
            worst = std::max(worst, std::abs(values[i] - expected[v]));
            worst_rough = std::max(worst_rough, std::abs(rough[i] - expected[v]));
            zeros += rough[i] == 0.0;
        }
        CHECK(worst < 1e-12);
        CHECK(worst_rough <= negligible);
    }
    CHECK(zeros > values.size() / 2);  // far away nothing was computed
    for (size_t i = values.size() - 500 * lanes; i < values.size(); ++i) CHECK(values[i] == 0.0);
}

TEST_CASE("SparseCholesky: a matrix that is not positive definite is told") {
    Random random(6);
    CHECK_FALSE(SparseCholesky(lower_half(40, {{1, 0}, {2, 1}}, random, -1.0)).ok());
    CHECK_FALSE(SparseCholesky(lower_half(3, {}, random, std::nan(""))).ok());
}

TEST_CASE("find_supernodes: rows ascend, hold their own columns, and reach up to a later parent; few zeros") {
    Random random(7);
    std::vector<std::pair<int, int>> edges;
    for (int v = 1; v < 400; ++v) {
        edges.emplace_back(v, v - 1);
        if (v >= 20) edges.emplace_back(v, v - 20);
    }
    const Supernodes nodes = find_supernodes(lower_half(400, edges, random));
    CHECK(nodes.columns.back() == 400);
    CHECK(nodes.count() < 250);
    for (size_t s = 0; s < nodes.count(); ++s) {
        const auto rows = nodes.rows_of(s);
        for (int k = 0; k < nodes.width(s); ++k) CHECK(rows[static_cast<size_t>(k)] == nodes.columns[s] + k);
        CHECK(std::is_sorted(rows.begin(), rows.end()));
        CHECK((nodes.parent[s] > static_cast<int>(s) || rows.size() == static_cast<size_t>(nodes.width(s))));
    }
    // The slow way: which entries the factor has, one column after another.
    std::vector<std::set<int>> below(400);
    for (const auto& [a, b] : edges) {
        const int i = nodes.new_of[static_cast<size_t>(a)], k = nodes.new_of[static_cast<size_t>(b)];
        below[static_cast<size_t>(std::min(i, k))].insert(std::max(i, k));
    }
    for (size_t c = 0; c < below.size(); ++c)
        if (!below[c].empty())
            below[static_cast<size_t>(*below[c].begin())].insert(std::next(below[c].begin()), below[c].end());
    // Zeros, as a share of a block of so many columns that reach down to the last row of supernode s.
    const auto zeros = [&](size_t width, size_t s) {
        const size_t end = static_cast<size_t>(nodes.columns[s + 1]);
        const size_t rows = nodes.rows_of(s).size() - static_cast<size_t>(nodes.width(s)) + width;
        const size_t block = width * rows - width * (width - 1) / 2;
        size_t entries = width;
        for (size_t c = end - width; c < end; ++c) entries += below[c].size();
        CHECK(entries <= block);
        return 1.0 - static_cast<double>(entries) / static_cast<double>(block);
    };
    const auto allowed = [](size_t width) { return width <= 4 ? 0.6 : width <= 16 ? 0.25 : width <= 48 ? 0.1 : 0.05; };
    for (size_t s = 0; s < nodes.count(); ++s) {
        const auto width = static_cast<size_t>(nodes.width(s));
        CHECK(zeros(width, s) <= allowed(width) + 1e-9);
        if (nodes.parent[s] != static_cast<int>(s) + 1) continue;
        const size_t both = width + static_cast<size_t>(nodes.width(s + 1));
        CHECK(zeros(both, s + 1) > allowed(both));  // or they would be one
    }
}
