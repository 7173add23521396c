#include <sinew/weights/sparse/sparse_cholesky.h>

#include <sinew/core/parallel.h>
#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

namespace sinew {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Front = Eigen::Map<Eigen::MatrixXd>;

// A surface of a million vertices takes 1e10 multiplications; twenty thousand vertices that are joined at random take
// six times as many. Chosen: any surface is factorised, and a tangle is left to iterations.
constexpr double affordable = 2e10, affordable_per_column = 3e4;
// Subtrees are eliminated side by side if each has at most so much of the work, and at least this many multiplications
// or this part of all. Chosen: enough subtrees for any machine, each worth a thread.
constexpr double share_of_small = 1.0 / 16.0, share_of_large = 1.0 / 4.0;
constexpr double worth_a_thread = 2e5, subtrees_in_all = 1024.0;
// Below this size, or this width, plain loops are used. Chosen: dense blocks pay off from some such size on.
constexpr Eigen::Index small_front = 48, narrow_front = 4;

double multiplications(const Supernodes& nodes, size_t s) {
    const auto m = static_cast<double>(nodes.rows_of(s).size()), width = static_cast<double>(nodes.width(s));
    return width * (m * m - width * m + width * width / 3.0);
}

double multiplications(const Supernodes& nodes) {
    double sum = 0.0;
    for (size_t s = 0; s < nodes.count(); ++s) sum += multiplications(nodes, s);
    return sum;
}

// Supernodes [first, last] that are one subtree.
struct Subtree {
    size_t first, last;
};

// The largest subtrees that have at most `share` of all the work, if they are worth a thread.
std::vector<Subtree> find_subtrees(const Supernodes& nodes, double share) {
    std::vector<double> work(nodes.count());
    std::vector<size_t> first(nodes.count());
    for (size_t s = 0; s < nodes.count(); ++s) first[s] = s;
    for (size_t s = 0; s < nodes.count(); ++s) {  // children come before their parents
        work[s] += multiplications(nodes, s);
        if (nodes.parent[s] < 0) continue;
        const auto up = static_cast<size_t>(nodes.parent[s]);
        work[up] += work[s];
        first[up] = std::min(first[up], first[s]);
    }
    const double all = multiplications(nodes), most = share * all,
                 least = std::max(worth_a_thread, all / subtrees_in_all);
    std::vector<Subtree> subtrees;
    for (size_t s = 0; s < nodes.count(); ++s) {
        const int up = nodes.parent[s];
        const bool largest = work[s] <= most && (up < 0 || work[static_cast<size_t>(up)] > most);
        if (largest && work[s] >= least) subtrees.push_back({first[s], s});
    }
    return subtrees;
}

// What a supernode leaves to its ancestors: a symmetric matrix over its rows below. Only the lower half is used.
struct Leftover {
    size_t node, begin;  // begin: in the stack
    Eigen::Index size;
    const double* outside = nullptr;  // where it is, if not on the stack
};

// Adds a child's leftover to its parent's front. Both lists of rows ascend, so a lower half stays a lower half.
void add_leftover(Front& front, std::span<const int> rows, const int* place, const double* values) {
    const size_t m = rows.size();
    for (size_t c = 0; c < m; ++c) {
        double* column = &front(0, place[static_cast<size_t>(rows[c])]);
        const double* from = values + c * m;
        for (size_t r = c; r < m; ++r) column[place[static_cast<size_t>(rows[r])]] += from[r];
    }
}

// Eliminates the first `width` columns of the front. False if a pivot is not positive.
bool eliminate_columns(Front& front, Eigen::Index width) {
    const Eigen::Index m = front.rows(), below = m - width;
    if (m < small_front || width < narrow_front) {  // column by column
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

// Eliminates supernodes in order. What is left last is taken first, so leftovers live on a stack.
class Elimination {
public:
    Elimination(const Supernodes& nodes, const Sparse& lower, const Sparse& upper)
        : nodes_(nodes),
          lower_(lower),
          upper_(upper),
          place_(std::make_unique_for_overwrite<int[]>(nodes.new_of.size())) {}

    // Writes the columns of supernode s to `factor`. False if a pivot is not positive.
    bool eliminate(size_t s, double* factor) {
        const std::span<const int> rows = nodes_.rows_of(s);
        const auto m = static_cast<Eigen::Index>(rows.size()), width = static_cast<Eigen::Index>(nodes_.width(s));
        work_.assign(rows.size() * rows.size(), 0.0);
        Front front(work_.data(), m, m);
        for (size_t r = 0; r < rows.size(); ++r) place_[static_cast<size_t>(rows[r])] = static_cast<int>(r);
        add_matrix(s, front);
        while (!left_.empty() && nodes_.parent[left_.back().node] == static_cast<int>(s)) {
            const Leftover child = left_.back();
            add_leftover(front, nodes_.rows_of(child.node).last(static_cast<size_t>(child.size)), place_.get(),
                         child.outside ? child.outside : &stack_[child.begin]);
            top_ = child.begin;
            left_.pop_back();
        }
        if (!eliminate_columns(front, width)) return false;
        for (Eigen::Index r = 0; r < m; ++r)
            for (Eigen::Index k = 0; k < width; ++k) factor[r * width + k] = k <= r ? front(r, k) : 0.0;
        if (m == width) return true;
        left_.push_back({s, top_, m - width});
        top_ += static_cast<size_t>((m - width) * (m - width));
        if (stack_.size() < top_) stack_.resize(2 * top_);
        Front(&stack_[left_.back().begin], m - width, m - width) = front.bottomRightCorner(m - width, m - width);
        return true;
    }

    // Once a subtree is done, only what its root left is needed.
    void keep_leftovers_only() {
        stack_.resize(top_);
        stack_.shrink_to_fit();
        place_.reset();
        work_ = {};
    }
    // Takes over what another elimination left. The other must outlive this one.
    void take_over(const Elimination& other) {
        for (const Leftover& left : other.left_)
            left_.push_back({left.node, top_, left.size, left.outside ? left.outside : &other.stack_[left.begin]});
    }

private:
    void add_matrix(size_t s, Front& front) const {
        for (int c = nodes_.columns[s]; c < nodes_.columns[s + 1]; ++c)
            for (const Sparse* half : {&lower_, &upper_})
                for (Sparse::InnerIterator e(*half, nodes_.old_of[static_cast<size_t>(c)]); e; ++e) {
                    const int row = nodes_.new_of[static_cast<size_t>(e.row())];
                    if (row > c || (row == c && half == &lower_))
                        front(place_[static_cast<size_t>(row)], c - nodes_.columns[s]) += e.value();
                }
    }

    const Supernodes& nodes_;
    const Sparse &lower_, &upper_;
    std::unique_ptr<int[]> place_;  // of each row in the current front
    std::vector<double> stack_, work_;
    std::vector<Leftover> left_;
    size_t top_ = 0;  // of the stack
};

}  // namespace

SparseCholesky::SparseCholesky(const Sparse& lower, Supernodes nodes) : nodes_(std::move(nodes)) {
    ok_ = multiplications(nodes_) < affordable + affordable_per_column * static_cast<double>(lower.cols()) &&
          factorise(lower);
}

bool SparseCholesky::factorise(const Sparse& lower) {
    begin_ = {0};
    for (size_t s = 0; s < nodes_.count(); ++s)
        begin_.push_back(begin_.back() + nodes_.rows_of(s).size() * static_cast<size_t>(nodes_.width(s)));
    if (nodes_.count() == 0) return true;
    values_ = std::make_unique_for_overwrite<double[]>(begin_.back());
    const Sparse upper = lower.transpose();  // a column's entries above the diagonal are its row's
    std::atomic<bool> ok = true;
    struct Part {
        Subtree nodes;
        std::unique_ptr<Elimination> done;
    };
    const auto eliminate = [&](const Subtree& nodes, const std::vector<Part>& inside) {
        Part part{nodes, std::make_unique<Elimination>(nodes_, lower, upper)};
        auto next = std::ranges::lower_bound(inside, nodes.first, {}, [](const Part& p) { return p.nodes.first; });
        for (size_t s = nodes.first; s <= nodes.last && ok; ++s) {
            if (next != inside.end() && s == next->nodes.first) {
                s = next->nodes.last;
                part.done->take_over(*next++->done);
            } else if (!part.done->eliminate(s, &values_[begin_[s]])) {
                ok = false;
            }
        }
        part.done->keep_leftovers_only();
        return part;
    };
    // Small subtrees side by side, then larger ones that hold them, then the rest.
    std::vector<std::vector<Part>> layers(1);  // nothing is inside the first
    for (const auto& subtrees : {find_subtrees(nodes_, share_of_small), find_subtrees(nodes_, share_of_large),
                                 std::vector<Subtree>{{0, nodes_.count() - 1}}}) {
        std::vector<Part> layer(subtrees.size());
        parallel_for(layer.size(), 1, [&](size_t i, size_t) { layer[i] = eliminate(subtrees[i], layers.back()); });
        layers.push_back(std::move(layer));
    }
    return ok;
}

void SparseCholesky::solve(std::span<double> values) const {
    std::vector<double> x(values.size());
    for (size_t v = 0; v < nodes_.old_of.size(); ++v)
        std::copy_n(&values[static_cast<size_t>(nodes_.old_of[v]) * lanes], lanes, &x[v * lanes]);
    solve_in_order(x);
    for (size_t v = 0; v < nodes_.old_of.size(); ++v)
        std::copy_n(&x[v * lanes], lanes, &values[static_cast<size_t>(nodes_.old_of[v]) * lanes]);
}

void SparseCholesky::solve_in_order(std::span<double> x, double negligible) const {
    using Row = Eigen::Matrix<double, static_cast<int>(lanes), 1>;
    const auto row = [&](int v) { return Eigen::Map<Row>(&x[static_cast<size_t>(v) * lanes]); };
    const auto is_zero = [&](int v) { return (row(v).array() == 0.0).all(); };
    std::vector<char> busy(nodes_.count(), 0);  // some row of its subtree has a right-hand side
    for (size_t s = 0; s < nodes_.count(); ++s) {
        const std::span<const int> rows = nodes_.rows_of(s);
        const int width = nodes_.width(s), first = nodes_.columns[s];
        for (int k = 0; k < width && !busy[s]; ++k) busy[s] = !is_zero(first + k);
        if (!busy[s]) continue;
        if (nodes_.parent[s] >= 0) busy[static_cast<size_t>(nodes_.parent[s])] = 1;
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
        const auto below = rows.subspan(static_cast<size_t>(width));
        if (!busy[s] && std::ranges::all_of(below, [&](int v) { return (row(v).array().abs() <= negligible).all(); }))
            continue;
        for (size_t r = rows.size(); r-- > 0;) {
            const double* entry = &values_[begin_[s] + r * static_cast<size_t>(width)];
            const int known = std::min(static_cast<int>(r), width);
            if (known < width) row(rows[r]) /= entry[known];
            const Row value = row(rows[r]);
            for (int k = 0; k < known; ++k) row(first + k) -= entry[k] * value;
        }
    }
}

}  // namespace sinew
