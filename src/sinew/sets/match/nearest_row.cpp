#include <sinew/sets/match/nearest_row.h>

#include <sinew/core/check.h>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

constexpr uint32_t leaf_rows = 16;
// The first eight numbers mostly tell that a row or a box is farther than `limit`; the rest is added up in one go.
using Head = Eigen::Array<float, 8, 1>;
using Tail = Eigen::Array<float, NearestRow::width - 8, 1>;

float squared_distance(const float* a, const float* b, float limit) {
    const float head = (Eigen::Map<const Head>(a) - Eigen::Map<const Head>(b)).square().sum();
    if (head > limit) return head;
    return head + (Eigen::Map<const Tail>(a + 8) - Eigen::Map<const Tail>(b + 8)).square().sum();
}

template <class Part>
float part_outside(const float* low, const float* high, const float* point) {
    const Eigen::Map<const Part> p(point);
    return (Eigen::Map<const Part>(low) - p).max(p - Eigen::Map<const Part>(high)).max(0.0f).square().sum();
}

float box_distance(const float* low, const float* high, const float* point, float limit) {
    const float head = part_outside<Head>(low, high, point);
    return head > limit ? head : head + part_outside<Tail>(low + 8, high + 8, point + 8);
}

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
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    rows_ = in_order;
    build(0, static_cast<uint32_t>(count));
    place_.resize(count);
    for (size_t i = 0; i < count; ++i) place_[order_[i]] = static_cast<uint32_t>(i);
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

// Splits at the median of the axis along which the box is longest.
uint32_t NearestRow::build(uint32_t first, uint32_t count) {
    Node node;
    node.low.fill(INFINITY);
    node.high.fill(-INFINITY);
    for (uint32_t i = first; i < first + count; ++i)
        for (size_t c = 0; c < width; ++c) {
            node.low[c] = std::min(node.low[c], rows_[i][c]);
            node.high[c] = std::max(node.high[c], rows_[i][c]);
        }
    const auto index = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(node);
    if (count <= leaf_rows) {
        nodes_[index].first = first;
        nodes_[index].count = count;
        return index;
    }
    size_t axis = 0;
    for (size_t c = 1; c < width; ++c)
        if (node.high[c] - node.low[c] > node.high[axis] - node.low[axis]) axis = c;
    // Rows and their numbers are put in order together.
    std::vector<uint32_t> part(count);
    std::iota(part.begin(), part.end(), first);
    const uint32_t half = count / 2;
    std::ranges::nth_element(part, part.begin() + half, [&](uint32_t a, uint32_t b) {
        return rows_[a][axis] < rows_[b][axis] || (rows_[a][axis] == rows_[b][axis] && a < b);
    });
    std::vector<Row> rows(count);
    std::vector<uint32_t> order(count);
    for (uint32_t i = 0; i < count; ++i) rows[i] = rows_[part[i]], order[i] = order_[part[i]];
    std::ranges::copy(rows, rows_.begin() + first);
    std::ranges::copy(order, order_.begin() + first);
    const uint32_t left = build(first, half), right = build(first + half, count - half);
    nodes_[index].left = left;
    nodes_[index].right = right;
    return index;
}

NearestRow::Found NearestRow::find(std::span<const float> query, uint32_t hint) const {
    SINEW_CHECK(query.size() >= dimensions_ && !rows_.empty());
    const Row q = turned(query);
    Found best;
    best.row = hint < order_.size() ? hint : 0;
    best.distance = squared_distance(rows_[place_[best.row]].data(), q.data(), INFINITY);
    struct Waiting {
        uint32_t node;
        float distance;
    };
    // The tree halves its rows at each level: 32 levels hold more rows than there are numbers for.
    std::array<Waiting, 64> stack;
    size_t waiting = 0;
    stack[waiting++] = {0, 0.0f};
    while (waiting > 0) {
        const Waiting now = stack[--waiting];
        if (now.distance >= best.distance) continue;
        const Node& node = nodes_[now.node];
        for (uint32_t i = node.first; i < node.first + node.count; ++i) {
            const float distance = squared_distance(rows_[i].data(), q.data(), best.distance);
            if (distance < best.distance) best = {order_[i], distance};
        }
        if (node.count > 0) continue;
        const auto away = [&](uint32_t part) {
            return Waiting{part,
                           box_distance(nodes_[part].low.data(), nodes_[part].high.data(), q.data(), best.distance)};
        };
        Waiting near = away(node.left), far = away(node.right);
        if (far.distance < near.distance) std::swap(near, far);
        if (far.distance < best.distance) stack[waiting++] = far;
        if (near.distance < best.distance) stack[waiting++] = near;
    }
    return best;
}

NearestRow::Found NearestRow::find_by_scan(std::span<const float> query) const {
    const Row q = turned(query);
    Found best;
    for (size_t i = 0; i < rows_.size(); ++i) {
        const float distance = squared_distance(rows_[i].data(), q.data(), INFINITY);
        if (distance < best.distance) best = {order_[i], distance};
    }
    return best;
}

}  // namespace sinew
