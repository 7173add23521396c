// Our sparse Cholesky beside Eigen's, on heat matrices of one figure in several sizes: why weights/sparse exists.
// Ratios are Eigen's processor time over ours in the same run, so threads and other programs do not matter; what
// threads add is a row of its own.
#include <sinew/core/parallel.h>
#include <sinew/sample/sample.h>
#include <sinew/weights/heat/heat_matrix.h>
#include <sinew/weights/sparse/sparse_cholesky.h>
#include <Eigen/SparseCholesky>
#include <ctime>
#include <optional>

#include "refine.h"
#include "support.h"

namespace {

using namespace sinew;
using Sparse = Eigen::SparseMatrix<double>;
constexpr size_t lanes = SparseCholesky::lanes;
using Columns = Eigen::Matrix<double, Eigen::Dynamic, static_cast<int>(lanes), Eigen::RowMajor>;
constexpr double joints = 56;  // of a figure with fingers: seven times eight columns

// The least processor time of `runs` calls, of all threads together.
template <class Work>
double best_processor_seconds(int runs, const Work& work) {
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const std::clock_t start = std::clock();
        work();
        best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

// The matrix that heat factorises for the sample figure, as if all skin were equally far from its bone.
Sparse heat_matrix(size_t vertices) {
    constexpr double distance = 0.03;
    const Character character = make_rigged_humanoid();
    const Mesh& mesh = character.meshes[0].primitives[0].mesh;
    const WeightMesh one{mesh.positions, mesh.triangles};
    const Surface coarse = make_surface({&one, 1});
    std::vector<Vec3> positions;
    for (const Vec3d& p : coarse.positions) positions.push_back(coarse.from_surface(p).cast<float>());
    std::vector<uint32_t> triangles = coarse.triangles;
    bench::refine(positions, triangles, vertices);
    const WeightMesh fine{positions, triangles};
    const Surface surface = make_surface({&fine, 1});
    const HeatOptions options;
    HeatMatrix matrix = make_heat_pattern(surface, options.link_distance);
    std::vector<double> uptake = fill_laplacian(surface, matrix);
    for (double& u : uptake) u *= options.strength / (distance * distance);
    take_up(matrix, std::move(uptake));
    return matrix.lower;
}

// Eight joints side by side, which warm the eighth part of the surface between them; neighbours in the list of vertices
// are neighbours in space.
Columns right_hand_sides(const Sparse& lower) {
    const Eigen::Index n = lower.cols(), some = n / 64;
    Columns b = Columns::Zero(n, Columns::ColsAtCompileTime);
    for (Eigen::Index k = 0; k < b.cols(); ++k)
        for (Eigen::Index i = k * some; i < (k + 1) * some; ++i) b(i, k) = lower.coeff(i, i);
    return b;
}

struct Run {
    double order = 0.0, factor = 0.0, solve = 0.0, local = 0.0;  // processor seconds; solving for eight columns
    double entries = 0.0;
    Columns x;
    double all(double each) const { return order + factor + joints / lanes * each; }
};

// Heat's own calls: the order from the pattern alone, then the factor, then columns of which far parts stay 0.
Run run_ours(const Sparse& lower, const Columns& b, int runs) {
    constexpr double negligible = 1e-6;  // as heat.cpp has it
    Run run;
    Supernodes nodes;
    run.order = best_processor_seconds(runs, [&] { nodes = find_supernodes(lower); });
    std::optional<SparseCholesky> cholesky;
    run.factor = best_processor_seconds(runs, [&] { cholesky.emplace(lower, nodes); });
    run.entries = static_cast<double>(cholesky->entries());
    run.solve = best_processor_seconds(runs, [&] {
        run.x = b;
        cholesky->solve({run.x.data(), static_cast<size_t>(run.x.size())});
    });
    Columns ordered = b;
    for (Eigen::Index i = 0; i < b.rows(); ++i) ordered.row(i) = b.row(cholesky->row_order()[static_cast<size_t>(i)]);
    run.local = best_processor_seconds(runs, [&] {
        Columns x = ordered;
        cholesky->solve_in_order({x.data(), static_cast<size_t>(x.size())}, negligible);
    });
    return run;
}

template <class Solver>
Run run_eigen(const Sparse& lower, const Columns& b, int runs) {
    Run run;
    Solver solver;
    run.order = best_processor_seconds(runs, [&] { solver.analyzePattern(lower); });
    run.factor = best_processor_seconds(runs, [&] { solver.factorize(lower); });
    run.entries = static_cast<double>(Sparse(solver.matrixL()).nonZeros());
    const Eigen::MatrixXd columns = b;  // Eigen solves one after another
    Eigen::MatrixXd x;
    run.solve = best_processor_seconds(runs, [&] { x = solver.solve(columns); });
    run.x = x;
    return run;
}

void compare(bench::Table& table, const std::string& size, const std::string& name, const Run& theirs,
             const Run& ours) {
    const std::string row = fmt::format("{}, {} / ours, ", size, name);
    table.add(row + "order", theirs.order / ours.order, "x");
    table.add(row + "factor", theirs.factor / ours.factor, "x");
    table.add(row + "solve", theirs.solve / ours.solve, "x");
    table.add(row + "solve as heat does", theirs.solve / ours.local, "x");
    table.add(row + "all for 56 joints", theirs.all(theirs.solve) / ours.all(ours.local), "x");
    table.add(row + "largest difference", 1e12 * (theirs.x - ours.x).cwiseAbs().maxCoeff(), "1e-12");
}

// Wall time, so it means something only on a machine with idle cores.
double factor_speed_up(const Sparse& lower, int runs) {
    const Supernodes nodes = find_supernodes(lower);
    const auto factorise = [&] { (void)SparseCholesky(lower, nodes).ok(); };
    const double many = bench::best_seconds(runs, factorise);
    set_thread_count(1);
    const double one = bench::best_seconds(runs, factorise);
    set_thread_count(0);
    return one / many;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    for (const size_t vertices : {24'000, 50'000, 200'000}) {
        const int runs = vertices > 100'000 ? 3 : 7;
        const Sparse lower = heat_matrix(vertices);
        const Columns b = right_hand_sides(lower);
        const std::string size = fmt::format("{} vertices", lower.cols());
        const Run ours = run_ours(lower, b, runs);
        const Run llt = run_eigen<Eigen::SimplicialLLT<Sparse, Eigen::Lower>>(lower, b, runs);
        const Run ldlt = run_eigen<Eigen::SimplicialLDLT<Sparse, Eigen::Lower>>(lower, b, runs);
        compare(table, size, "LLT", llt, ours);
        compare(table, size, "LDLT", ldlt, ours);
        // Eigen keeps a row number with each entry, we keep one list of rows per supernode.
        constexpr double our_bytes = sizeof(double), eigen_bytes = sizeof(double) + sizeof(int);
        table.add(size + ", memory of the factor, ours / LLT", our_bytes * ours.entries / (eigen_bytes * llt.entries),
                  "x");
        table.add(size + fmt::format(", our factor: time on one thread / on {}", thread_count()),
                  factor_speed_up(lower, runs), "x");
    }
    return table.finish(argc, argv);
}
