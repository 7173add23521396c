#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/sets/match/kernels/nearest_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/sets/match/kernels/nearest_kernel.h>
#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

constexpr size_t block = 8;  // numbers between looks at whether it is enough

// The squares of how far the query lies outside each part's box; infinite where that is `limit` or more.
HWY_INLINE void box_distances(const RowNode& node, const float* query, float limit, float* out) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    const V most = hn::Set(d, limit);
    for (size_t p = 0; p < node_parts; p += lanes) {
        V sum = hn::Zero(d);
        for (size_t c = 0; c < box_width; c += block) {
            for (size_t k = c; k < c + block; ++k) {
                const V q = hn::Set(d, query[k]);
                const V below = hn::Sub(hn::Load(d, node.low[k].data() + p), q);
                const V above = hn::Sub(q, hn::Load(d, node.high[k].data() + p));
                const V off = hn::Max(hn::Max(below, above), hn::Zero(d));
                sum = hn::Add(sum, hn::Mul(off, off));
            }
            if (hn::AllTrue(d, hn::Ge(sum, most))) break;
        }
        hn::StoreU(sum, d, out + p);
    }
}

HWY_INLINE void search_leaf(const RowLeaf& leaf, uint32_t first, const float* query, NearRow& best) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    for (size_t r = 0; r < leaf_rows; r += lanes) {
        V sum = hn::Zero(d);
        const V most = hn::Set(d, best.distance);
        bool far = false;
        for (size_t c = 0; c < row_width && !far; c += block) {
            for (size_t k = c; k < c + block; ++k) {
                const V off = hn::Sub(hn::Load(d, leaf.rows[k].data() + r), hn::Set(d, query[k]));
                sum = hn::Add(sum, hn::Mul(off, off));
            }
            far = hn::AllTrue(d, hn::Ge(sum, most));
        }
        if (far) continue;
        float distance[block];
        hn::StoreU(sum, d, distance);
        for (size_t i = 0; i < lanes; ++i)
            if (distance[i] < best.distance) best = {first + static_cast<uint32_t>(r + i), distance[i]};
    }
}

NearRow search_tree(const RowTree& tree, const float* query, NearRow best) {
    struct Waiting {
        int32_t part;
        float distance;
    };
    // A node's parts hold at least an eighth of its rows: a dozen levels are more rows than there are numbers for.
    constexpr size_t most_levels = 16;
    Waiting stack[most_levels * node_parts];
    size_t waiting = 0;
    stack[waiting++] = {tree.nodes.empty() ? ~0 : 0, 0.0f};
    while (waiting > 0) {
        const Waiting now = stack[--waiting];
        if (now.distance >= best.distance) continue;
        if (now.part < 0) {
            const auto leaf = static_cast<uint32_t>(~now.part);
            search_leaf(tree.leaves[leaf], leaf * static_cast<uint32_t>(leaf_rows), query, best);
            continue;
        }
        const RowNode& node = tree.nodes[static_cast<size_t>(now.part)];
        float distance[node_parts];
        box_distances(node, query, best.distance, distance);
        // The nearest on top.
        const size_t first = waiting;
        for (size_t p = 0; p < node_parts; ++p) {
            if (!(distance[p] < best.distance)) continue;
            size_t at = waiting++;
            for (; at > first && stack[at - 1].distance < distance[p]; --at) stack[at] = stack[at - 1];
            stack[at] = {node.part[p], distance[p]};
        }
    }
    return best;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {

HWY_EXPORT(search_tree);

NearRow nearest_in_tree(const RowTree& tree, const float* query, NearRow best) {
    return HWY_DYNAMIC_DISPATCH(search_tree)(tree, query, best);
}

float squared_row_distance(const RowTree& tree, const float* query, uint32_t place) {
    const RowLeaf& leaf = tree.leaves[place / leaf_rows];
    float sum = 0;
    for (size_t c = 0; c < row_width; ++c) {
        const float off = leaf.rows[c][place % leaf_rows] - query[c];
        sum += off * off;
    }
    return sum;
}

}  // namespace sinew
#endif
