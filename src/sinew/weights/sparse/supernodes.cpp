#include <sinew/weights/sparse/supernodes.h>

#include <sinew/core/parallel.h>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// The pattern of both halves, without the diagonal: the neighbours of column c are [first[c], first[c + 1]).
struct Graph {
    std::vector<int> first, all;
    std::span<const int> of(int c) const {
        const auto i = static_cast<size_t>(c);
        return std::span(all).subspan(static_cast<size_t>(first[i]), static_cast<size_t>(first[i + 1] - first[i]));
    }
    int size() const { return static_cast<int>(first.size()) - 1; }
};

Graph graph_of(const Sparse& lower) {
    Graph graph;
    graph.first.assign(static_cast<size_t>(lower.cols()) + 1, 0);
    const auto each = [&](const auto& visit) {
        for (int c = 0; c < static_cast<int>(lower.cols()); ++c)
            for (Sparse::InnerIterator e(lower, c); e; ++e)
                if (e.row() != c) visit(static_cast<size_t>(e.row()), static_cast<size_t>(c));
    };
    each([&](size_t a, size_t b) { ++graph.first[a + 1], ++graph.first[b + 1]; });
    std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
    graph.all.resize(static_cast<size_t>(graph.first.back()));
    std::vector<int> at(graph.first.begin(), graph.first.end() - 1);
    each([&](size_t a, size_t b) {
        graph.all[static_cast<size_t>(at[a]++)] = static_cast<int>(b);
        graph.all[static_cast<size_t>(at[b]++)] = static_cast<int>(a);
    });
    return graph;
}

// visit(j, k) for neighbours j < k of the new column k.
template <class Visit>
void each_before(const Graph& graph, const Supernodes& nodes, int k, const Visit& visit) {
    for (const int old : graph.of(nodes.old_of[static_cast<size_t>(k)]))
        if (const int j = nodes.new_of[static_cast<size_t>(old)]; j < k) visit(j);
}

// parent[j]: the first column after j that eliminating j changes [Liu1986].
std::vector<int> elimination_tree(const Graph& graph, const Supernodes& nodes) {
    const auto n = static_cast<size_t>(graph.size());
    std::vector<int> parent(n, -1), ancestor(n, -1);
    for (int k = 0; k < graph.size(); ++k)
        each_before(graph, nodes, k, [&](int j) {
            while (j >= 0 && j != k) {
                const int next = std::exchange(ancestor[static_cast<size_t>(j)], k);
                if (next < 0) parent[static_cast<size_t>(j)] = k;
                j = next;
            }
        });
    return parent;
}

// Renumbers the columns so that every subtree is a run.
void postorder(Supernodes& nodes, std::vector<int>& parent) {
    const size_t n = parent.size();
    std::vector<int> child(n, -1), sibling(n, -1), number(n), stack;
    for (size_t j = n; j-- > 0;)
        if (parent[j] >= 0) sibling[j] = std::exchange(child[static_cast<size_t>(parent[j])], static_cast<int>(j));
    int next = 0;
    for (size_t root = 0; root < n; ++root) {
        if (parent[root] >= 0) continue;
        stack.assign(1, static_cast<int>(root));
        while (!stack.empty()) {
            const auto j = static_cast<size_t>(stack.back());
            if (child[j] >= 0) {
                stack.push_back(child[j]);
                child[j] = sibling[static_cast<size_t>(child[j])];
            } else {
                number[j] = next++;
                stack.pop_back();
            }
        }
    }
    std::vector<int> old_of(n), moved(n, -1);
    for (size_t j = 0; j < n; ++j) {
        old_of[static_cast<size_t>(number[j])] = nodes.old_of[j];
        if (parent[j] >= 0) moved[static_cast<size_t>(number[j])] = number[static_cast<size_t>(parent[j])];
    }
    parent = std::move(moved);
    nodes.old_of = std::move(old_of);
    for (size_t j = 0; j < n; ++j) nodes.new_of[static_cast<size_t>(nodes.old_of[j])] = static_cast<int>(j);
}

// The number of entries in each column of the factor, with the diagonal [Gilbert1994]. Row k has an entry in every
// column on the ways up the tree to k from those neighbours of k that come before it. A way counts from its start,
// unless an earlier way has passed there, up to where it meets the way before it: one more at the first column, one
// less at the other. A column then has these, and what its children have.
std::vector<int> column_counts(const Graph& graph, const Supernodes& nodes, const std::vector<int>& parent) {
    const size_t n = parent.size();
    std::vector<int> counts(n), first(n);  // first: the first column of each subtree (subtrees are runs)
    std::vector<int> last_leaf(n, -1), ancestor(n);
    std::iota(first.begin(), first.end(), 0);
    std::iota(ancestor.begin(), ancestor.end(), 0);
    for (size_t j = 0; j < n; ++j) {
        counts[j] += first[j] == static_cast<int>(j);  // a leaf: no child brings it the diagonal
        if (parent[j] < 0) continue;
        const auto up = static_cast<size_t>(parent[j]);
        first[up] = std::min(first[up], first[j]);
        --counts[up];  // the row that ends in the child
    }
    // Where the way up from j ends, in the forest of the columns seen so far. The parents are given, so this is not
    // core/union_find.h, which names sets itself.
    const auto meeting = [&](int j) {
        auto top = static_cast<size_t>(j);
        while (ancestor[top] != static_cast<int>(top)) top = static_cast<size_t>(ancestor[top]);
        for (auto at = static_cast<size_t>(j); at != top;)
            at = static_cast<size_t>(std::exchange(ancestor[at], static_cast<int>(top)));
        return top;
    };
    for (size_t j = 0; j < n; ++j) {
        for (const int old : graph.of(nodes.old_of[j])) {
            const auto k = static_cast<size_t>(nodes.new_of[static_cast<size_t>(old)]);
            if (k < j || last_leaf[k] >= first[j]) continue;  // above a leaf that was seen already
            ++counts[j];
            if (last_leaf[k] >= 0) --counts[meeting(last_leaf[k])];
            last_leaf[k] = static_cast<int>(j);
        }
        if (parent[j] >= 0) ancestor[j] = parent[j];
    }
    for (size_t j = 0; j < n; ++j)
        if (parent[j] >= 0) counts[static_cast<size_t>(parent[j])] += counts[j];
    return counts;
}

// A block of at most `width` columns may hold this share of zeros. The widths are those of CHOLMOD's relaxed
// supernodes; the shares were chosen.
struct ZerosAllowed {
    int64_t width;
    double share;
};
constexpr ZerosAllowed zeros_in_blocks[] = {{4, 0.6}, {16, 0.25}, {48, 0.1}, {INT64_MAX, 0.05}};

double zeros_allowed(int64_t width) {
    const ZerosAllowed* row = zeros_in_blocks;
    while (width > row->width) ++row;
    return row->share;
}

constexpr size_t supernode_grain = 4096;  // supernodes per task

void join_columns(Supernodes& nodes, const std::vector<int>& parent, const std::vector<int>& counts) {
    struct Run {
        int64_t first, width, rows, zeros;
    };
    std::vector<Run> runs;
    for (size_t j = 0; j < parent.size(); ++j) {
        Run run{static_cast<int64_t>(j), 1, counts[j], 0};
        while (!runs.empty()) {  // the run before this one: does it hang on this one, and fit?
            const Run& child = runs.back();
            if (const int up = parent[static_cast<size_t>(run.first) - 1];
                up < run.first || up >= run.first + run.width)
                break;
            const int64_t width = child.width + run.width, rows = child.width + run.rows;
            const int64_t zeros = child.zeros + run.zeros + child.width * (rows - child.rows);
            const int64_t block = width * rows - width * (width - 1) / 2;
            if (static_cast<double>(zeros) > zeros_allowed(width) * static_cast<double>(block)) break;
            run = {child.first, width, rows, zeros};
            runs.pop_back();
        }
        runs.push_back(run);
    }
    nodes.columns.clear();
    for (const Run& run : runs) nodes.columns.push_back(static_cast<int>(run.first));
    nodes.columns.push_back(static_cast<int>(parent.size()));
}

// The rows of each block: those of its columns in the matrix, and what its children leave.
void list_rows(Supernodes& nodes, const Graph& graph) {
    const size_t count = nodes.columns.size() - 1;
    std::vector<int> node_of(nodes.new_of.size()), seen(nodes.new_of.size(), -1);
    for (size_t s = 0; s < count; ++s)
        std::fill(node_of.begin() + nodes.columns[s], node_of.begin() + nodes.columns[s + 1], static_cast<int>(s));
    std::vector<std::vector<int>> children(count);
    nodes.parent.assign(count, -1);
    nodes.first_row = {0};
    for (size_t s = 0; s < count; ++s) {
        const auto begin = nodes.rows.size();
        const int end_column = nodes.columns[s + 1];
        for (int c = nodes.columns[s]; c < end_column; ++c) nodes.rows.push_back(c);
        const auto add = [&](int row) {
            if (row < end_column ||
                std::exchange(seen[static_cast<size_t>(row)], static_cast<int>(s)) == static_cast<int>(s))
                return;
            nodes.rows.push_back(row);
        };
        for (int c = nodes.columns[s]; c < end_column; ++c)
            for (const int old : graph.of(nodes.old_of[static_cast<size_t>(c)]))
                add(nodes.new_of[static_cast<size_t>(old)]);
        for (const int child : children[s])
            for (size_t i = nodes.first_row[static_cast<size_t>(child)];
                 i < nodes.first_row[static_cast<size_t>(child) + 1]; ++i)
                add(nodes.rows[i]);
        const auto below = nodes.rows.begin() + static_cast<std::ptrdiff_t>(begin) + nodes.width(s);
        if (below != nodes.rows.end()) {
            nodes.parent[s] = node_of[static_cast<size_t>(*std::min_element(below, nodes.rows.end()))];
            children[static_cast<size_t>(nodes.parent[s])].push_back(static_cast<int>(s));
        }
        children[s] = {};
        nodes.first_row.push_back(nodes.rows.size());
    }
    parallel_for(count, supernode_grain, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s)
            std::sort(nodes.rows.data() + nodes.first_row[s] + nodes.width(s),
                      nodes.rows.data() + nodes.first_row[s + 1]);
    });
}

}  // namespace

Supernodes find_supernodes(const Sparse& lower) {
    Supernodes nodes;
    const auto n = static_cast<size_t>(lower.cols());
    const std::vector<char> no_values(static_cast<size_t>(lower.nonZeros()));
    const Eigen::Map<const Eigen::SparseMatrix<char>> pattern(
        lower.rows(), lower.cols(), lower.nonZeros(), lower.outerIndexPtr(), lower.innerIndexPtr(), no_values.data());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(pattern.selfadjointView<Eigen::Lower>(), order);
    nodes.old_of.assign(order.indices().data(), order.indices().data() + n);
    nodes.new_of.resize(n);
    for (size_t j = 0; j < n; ++j) nodes.new_of[static_cast<size_t>(nodes.old_of[j])] = static_cast<int>(j);
    const Graph graph = graph_of(lower);
    std::vector<int> parent = elimination_tree(graph, nodes);
    postorder(nodes, parent);
    join_columns(nodes, parent, column_counts(graph, nodes, parent));
    list_rows(nodes, graph);
    return nodes;
}

}  // namespace sinew
