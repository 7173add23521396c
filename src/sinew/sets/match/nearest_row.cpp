#include <sinew/sets/match/nearest_row.h>

#include <sinew/core/check.h>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

using WideRow = std::array<float, row_width>;
constexpr uint32_t no_row = UINT32_MAX;

// Puts rows into leaves of leaf_rows, and leaves into nodes of node_parts.
class RowTreeBuilder {
public:
    RowTreeBuilder(const std::vector<WideRow>& rows, std::vector<RowNode>& nodes, std::vector<RowLeaf>& leaves,
                   std::vector<uint32_t>& order)
        : rows_(rows), nodes_(nodes), leaves_(leaves), order_(order), numbers_(rows.size()) {
        std::iota(numbers_.begin(), numbers_.end(), 0u);
    }

    void build() { add({0, numbers_.size()}); }

private:
    struct Part {
        size_t first = 0, count = 0;
    };
    struct Box {
        WideRow low, high;
    };

    Box box_of(const Part& part) const {
        Box box;
        box.low.fill(INFINITY);
        box.high.fill(-INFINITY);
        for (size_t i = part.first; i < part.first + part.count; ++i)
            for (size_t c = 0; c < row_width; ++c) {
                box.low[c] = std::min(box.low[c], rows_[numbers_[i]][c]);
                box.high[c] = std::max(box.high[c], rows_[numbers_[i]][c]);
            }
        return box;
    }

    // The axis along which the rows vary most; a few far ones do not matter, as they would for the longest side of the
    // box. Half as many boxes are looked at then.
    size_t widest_axis(const Part& part) const {
        std::array<double, row_width> sum{}, squares{};
        for (size_t i = part.first; i < part.first + part.count; ++i)
            for (size_t c = 0; c < row_width; ++c) {
                const double value = rows_[numbers_[i]][c];
                sum[c] += value;
                squares[c] += value * value;
            }
        const auto count = static_cast<double>(part.count);
        const auto variance = [&](size_t c) { return squares[c] / count - sum[c] / count * (sum[c] / count); };
        size_t axis = 0;
        for (size_t c = 1; c < row_width; ++c)
            if (variance(c) > variance(axis)) axis = c;
        return axis;
    }

    // In the middle, so that leaves are full.
    std::pair<Part, Part> split(const Part& part) {
        const size_t axis = widest_axis(part);
        const size_t leaves = (part.count + leaf_rows - 1) / leaf_rows, half = leaves / 2 * leaf_rows;
        const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(part.first);
        std::nth_element(first, first + static_cast<std::ptrdiff_t>(half),
                         first + static_cast<std::ptrdiff_t>(part.count), [&](uint32_t a, uint32_t b) {
                             return rows_[a][axis] < rows_[b][axis] || (rows_[a][axis] == rows_[b][axis] && a < b);
                         });
        return {{part.first, half}, {part.first + half, part.count - half}};
    }

    int32_t add(const Part& whole) {
        if (whole.count <= leaf_rows) return add_leaf(whole);
        const size_t index = nodes_.size();
        nodes_.emplace_back();
        std::vector<Part> parts = {whole};
        while (parts.size() < node_parts) {
            const auto largest = std::ranges::max_element(parts, {}, &Part::count);
            if (largest->count <= leaf_rows) break;
            const auto [left, right] = split(*largest);
            *largest = left;
            parts.push_back(right);
        }
        for (size_t p = 0; p < node_parts; ++p) {
            const bool used = p < parts.size();
            const Box box = used ? box_of(parts[p]) : Box{};
            for (size_t c = 0; c < box_width; ++c) {
                nodes_[index].low[c][p] = used ? box.low[c] : far_away;
                nodes_[index].high[c][p] = used ? box.high[c] : far_away;
            }
            const int32_t part = used ? add(parts[p]) : 0;
            nodes_[index].part[p] = part;
        }
        return static_cast<int32_t>(index);
    }

    int32_t add_leaf(const Part& part) {
        RowLeaf leaf;
        for (auto& numbers : leaf.rows) numbers.fill(far_away);
        for (size_t r = 0; r < leaf_rows; ++r) {
            const bool used = r < part.count;
            order_.push_back(used ? numbers_[part.first + r] : no_row);
            for (size_t c = 0; used && c < row_width; ++c) leaf.rows[c][r] = rows_[order_.back()][c];
        }
        leaves_.push_back(leaf);
        return ~static_cast<int32_t>(leaves_.size() - 1);
    }

    static constexpr float far_away = 1e18f;  // its squares, added up, are still numbers
    const std::vector<WideRow>& rows_;
    std::vector<RowNode>& nodes_;
    std::vector<RowLeaf>& leaves_;
    std::vector<uint32_t>& order_;
    std::vector<uint32_t> numbers_;
};

}  // namespace

NearestRow::NearestRow(std::span<const float> rows, size_t count, size_t dimensions) : dimensions_(dimensions) {
    SINEW_CHECK(count > 0 && dimensions > 0 && dimensions <= width && rows.size() >= count * dimensions);
    const auto n = static_cast<Eigen::Index>(count), d = static_cast<Eigen::Index>(dimensions);
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> all(rows.data(), n,
                                                                                                      d);
    const Eigen::RowVectorXf mean = all.colwise().mean();
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(d, d);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Eigen::VectorXd off = (all.row(i) - mean).transpose().cast<double>();
        spread += off * off.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(spread);
    mean_.assign(mean.data(), mean.data() + d);
    for (Eigen::Index a = d; a-- > 0;)
        for (Eigen::Index c = 0; c < d; ++c) axes_.push_back(static_cast<float>(axes.eigenvectors()(c, a)));
    std::vector<Row> in_order(count);
    for (size_t i = 0; i < count; ++i) in_order[i] = turned(rows.subspan(i * dimensions, dimensions));
    RowTreeBuilder(in_order, nodes_, leaves_, order_).build();
    place_.resize(count);
    for (size_t i = 0; i < order_.size(); ++i)
        if (order_[i] != no_row) place_[order_[i]] = static_cast<uint32_t>(i);
}

NearestRow::Row NearestRow::turned(std::span<const float> query) const {
    Row row{};
    for (size_t a = 0; a < dimensions_; ++a) {
        float sum = 0;
        for (size_t c = 0; c < dimensions_; ++c) sum += axes_[a * dimensions_ + c] * (query[c] - mean_[c]);
        row[a] = sum;
    }
    return row;
}

NearestRow::Found NearestRow::find(std::span<const float> query, uint32_t hint) const {
    SINEW_CHECK(query.size() >= dimensions_ && !place_.empty());
    const Row q = turned(query);
    const uint32_t start = place_[hint < place_.size() ? hint : 0];
    const NearRow near = nearest_in_tree(tree(), q.data(), {start, squared_row_distance(tree(), q.data(), start)});
    return {order_[near.place], near.distance};
}

NearestRow::Found NearestRow::find_by_scan(std::span<const float> query) const {
    const Row q = turned(query);
    Found best;
    for (const uint32_t place : place_) {
        const float distance = squared_row_distance(tree(), q.data(), place);
        if (distance < best.distance) best = {order_[place], distance};
    }
    return best;
}

}  // namespace sinew
