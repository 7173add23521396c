#include <sinew/weights/transfer.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/surface/surface_finder.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr int fill_passes = 200;        // chosen: a hole 20 vertices wide is then smooth to a hundredth
constexpr size_t transfer_grain = 512;  // vertices per task
constexpr size_t rows_in_mean = 4;      // a mean of several vertices may hold so many times the joints of one

// Makes unknown vertices the mean of their neighbours, over and over: harmonic weights between the known ones.
void fill_in(WeightField& field, const Neighbours& around, std::vector<uint8_t>& known) {
    std::vector<uint32_t> unknown, front;
    for (uint32_t v = 0; v < known.size(); ++v)
        if (!known[v]) unknown.push_back(v);
    const auto mean = [&](const WeightField& from, uint32_t v, bool only_known, WeightField& row) {
        row.clear(0);
        for (uint32_t w : around.of(v))
            if (!only_known || known[w])
                for (const Influence& i : from.of(w)) row.add(0, i.joint, i.weight);
    };
    WeightField row(1, rows_in_mean * field.capacity());
    // First from the border inwards, so that every vertex has something to start from.
    front = unknown;
    while (!front.empty()) {
        std::vector<uint32_t> reached, left;
        for (uint32_t v : front) {
            const auto list = around.of(v);
            (std::any_of(list.begin(), list.end(), [&](uint32_t w) { return known[w] != 0; }) ? reached : left)
                .push_back(v);
        }
        if (reached.empty()) break;
        for (uint32_t v : reached) {
            mean(field, v, true, row);
            field.set(v, row.of(0));
            field.normalise(v);
        }
        for (uint32_t v : reached) known[v] = 1;
        front = std::move(left);
    }
    std::erase_if(unknown, [&](uint32_t v) { return !known[v]; });
    for (int pass = 0; pass < fill_passes && !unknown.empty(); ++pass) {
        for (uint32_t v : unknown) {
            mean(field, v, false, row);
            if (row.of(0).empty()) continue;
            field.set(v, row.of(0));
            field.normalise(v);
        }
    }
}

}  // namespace

TransferResult transfer_weights(const Surface& source, const WeightField& source_field, const Surface& target,
                                const TransferOptions& options) {
    TransferResult result{.field = WeightField(target.vertex_count(), source_field.capacity())};
    if (source.vertex_count() == 0) return result;
    const SurfaceFinder finder(source);
    std::vector<uint8_t> known(target.vertex_count(), 0);
    const auto take = [&](size_t v, const SurfacePoint& point) {
        WeightField row(1, rows_in_mean * source_field.capacity());
        add_weights(source_field, point, 1.0, row, 0);
        result.field.set(v, row.of(0));
        result.field.normalise(v);
    };
    const auto find = [&](size_t v) {
        return finder.nearest(source.to_surface(target.from_surface(target.positions[v])));
    };
    parallel_for(target.vertex_count(), transfer_grain, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
            const SurfacePoint point = find(v);
            const bool agrees = target.piece[v] < 0 || point.normal.dot(target.normals[v]) >= options.normal_cosine;
            if (point.distance > options.distance || !agrees) continue;
            take(v, point);
            known[v] = !result.field.of(v).empty();
        }
    });
    for (uint8_t k : known) result.matched += k;
    if (result.matched < known.size()) fill_in(result.field, neighbours(target), known);
    for (size_t v = 0; v < known.size(); ++v)
        if (!known[v]) take(v, find(v));
    return result;
}

}  // namespace sinew
