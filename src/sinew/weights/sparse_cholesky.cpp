#include <sinew/weights/sparse_cholesky.h>

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Front = Eigen::Map<Eigen::MatrixXd>;

// A surface of a million vertices takes 1e10; twenty thousand that are joined at random take six times as many.
double multiplications(const Supernodes& nodes) {
    double sum = 0.0;
    for (size_t s = 0; s < nodes.count(); ++s) {
        const auto m = static_cast<double>(nodes.rows_of(s).size()), width = static_cast<double>(nodes.width(s));
        sum += width * (m * m - width * m + width * width / 3.0);
    }
    return sum;
}

// What a supernode leaves to its ancestors: a symmetric matrix over its rows below, of which the lower half counts.
// They are taken in the reverse order of being left, so they live on a stack.
struct Leftover {
    size_t node, begin;
    Eigen::Index size;
};

// Adds a child's leftover into its parent's front; both lists of rows ascend, so lower stays lower.
void add_leftover(Front& front, std::span<const int> rows, const std::vector<int>& place, const double* values) {
    const size_t m = rows.size();
    for (size_t c = 0; c < m; ++c) {
        double* column = &front(0, place[static_cast<size_t>(rows[c])]);
        const double* from = values + c * m;
        for (size_t r = c; r < m; ++r) column[place[static_cast<size_t>(rows[r])]] += from[r];
    }
}

// Eliminates the first `width` columns of the front. False when a pivot is not positive.
bool eliminate(Front& front, Eigen::Index width) {
    const Eigen::Index m = front.rows(), below = m - width;
    if (m < 48 || width < 4) {  // small: column by column
        for (Eigen::Index k = 0; k < width; ++k) {
            if (!(front(k, k) > 0.0)) return false;
            front.col(k).tail(m - k) /= std::sqrt(front(k, k));
            for (Eigen::Index j = k + 1; j < m; ++j) front.col(j).tail(m - j) -= front(j, k) * front.col(k).tail(m - j);
        }
        return true;
    }
    auto corner = front.topLeftCorner(width, width);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(corner);
    if (llt.info() != Eigen::Success) return false;
    if (below == 0) return true;
    auto side = front.bottomLeftCorner(below, width);
    corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(side);
    front.bottomRightCorner(below, below).selfadjointView<Eigen::Lower>().rankUpdate(side, -1.0);
    return true;
}

}  // namespace

SparseCholesky::SparseCholesky(const Sparse& lower, Supernodes nodes) : nodes_(std::move(nodes)) {
    ok_ = multiplications(nodes_) < 2e10 + 3e4 * static_cast<double>(lower.cols()) && factorise(lower);
}

bool SparseCholesky::factorise(const Sparse& lower) {
    begin_ = {0};
    for (size_t s = 0; s < nodes_.count(); ++s)
        begin_.push_back(begin_.back() + nodes_.rows_of(s).size() * static_cast<size_t>(nodes_.width(s)));
    values_.resize(begin_.back());
    const Sparse upper = lower.transpose();           // the other entries of a column are its row's
    std::vector<int> place(nodes_.new_of.size(), 0);  // of a row in the front at hand
    std::vector<double> stack, work;
    std::vector<Leftover> left;
    size_t top = 0;  // of the stack
    for (size_t s = 0; s < nodes_.count(); ++s) {
        const std::span<const int> rows = nodes_.rows_of(s);
        const auto m = static_cast<Eigen::Index>(rows.size()), width = static_cast<Eigen::Index>(nodes_.width(s));
        work.assign(rows.size() * rows.size(), 0.0);
        Front front(work.data(), m, m);
        for (size_t r = 0; r < rows.size(); ++r) place[static_cast<size_t>(rows[r])] = static_cast<int>(r);
        for (int c = nodes_.columns[s]; c < nodes_.columns[s + 1]; ++c)
            for (const Sparse* half : {&lower, &upper})
                for (Sparse::InnerIterator e(*half, nodes_.old_of[static_cast<size_t>(c)]); e; ++e) {
                    const int row = nodes_.new_of[static_cast<size_t>(e.row())];
                    if (row > c || (row == c && half == &lower))
                        front(place[static_cast<size_t>(row)], c - nodes_.columns[s]) += e.value();
                }
        while (!left.empty() && nodes_.parent[left.back().node] == static_cast<int>(s)) {
            const Leftover child = left.back();
            add_leftover(front, nodes_.rows_of(child.node).last(static_cast<size_t>(child.size)), place,
                         &stack[child.begin]);
            top = child.begin;
            left.pop_back();
        }
        if (!eliminate(front, width)) return false;
        for (Eigen::Index r = 0; r < m; ++r)
            for (Eigen::Index k = 0; k < width; ++k)
                values_[begin_[s] + static_cast<size_t>(r * width + k)] = k <= r ? front(r, k) : 0.0;
        if (m == width) continue;
        left.push_back({s, top, m - width});
        top += static_cast<size_t>((m - width) * (m - width));
        if (stack.size() < top) stack.resize(2 * top);
        Front(&stack[left.back().begin], m - width, m - width) = front.bottomRightCorner(m - width, m - width);
    }
    return true;
}

void SparseCholesky::solve(std::span<double> values) const {
    using Row = Eigen::Matrix<double, static_cast<int>(lanes), 1>;
    std::vector<double> x(values.size());
    const auto row = [&](int v) { return Eigen::Map<Row>(&x[static_cast<size_t>(v) * lanes]); };
    for (size_t v = 0; v < nodes_.old_of.size(); ++v)
        std::copy_n(&values[static_cast<size_t>(nodes_.old_of[v]) * lanes], lanes, &x[v * lanes]);
    for (size_t s = 0; s < nodes_.count(); ++s) {
        const std::span<const int> rows = nodes_.rows_of(s);
        const int width = nodes_.width(s), first = nodes_.columns[s];
        const double* entry = &values_[begin_[s]];
        for (size_t r = 0; r < rows.size(); ++r, entry += width) {
            Row sum = row(rows[r]);
            const int known = std::min(static_cast<int>(r), width);
            for (int k = 0; k < known; ++k) sum -= entry[k] * row(first + k);
            row(rows[r]) = known < width ? Row(sum / entry[known]) : sum;
        }
    }
    for (size_t s = nodes_.count(); s-- > 0;) {
        const std::span<const int> rows = nodes_.rows_of(s);
        const int width = nodes_.width(s), first = nodes_.columns[s];
        for (size_t r = rows.size(); r-- > 0;) {
            const double* entry = &values_[begin_[s] + r * static_cast<size_t>(width)];
            const int known = std::min(static_cast<int>(r), width);
            if (known < width) row(rows[r]) /= entry[known];
            const Row value = row(rows[r]);
            for (int k = 0; k < known; ++k) row(first + k) -= entry[k] * value;
        }
    }
    for (size_t v = 0; v < nodes_.old_of.size(); ++v)
        std::copy_n(&x[v * lanes], lanes, &values[static_cast<size_t>(nodes_.old_of[v]) * lanes]);
}

}  // namespace sinew
