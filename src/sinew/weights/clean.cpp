#include <sinew/weights/clean.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

constexpr size_t clean_grain = 4096;  // vertices per task
// Of the first weight left out: weights this little above it shrink. Chosen: a wider range is smoother, and takes more
// from the weights that are kept.
constexpr float fade_range = 0.25f;
constexpr double least_length = 1e-9;  // two vertices at one place must not divide by zero
constexpr size_t rows_in_mean = 4;     // a mean of several vertices may hold so many times the joints of one

// change(list) edits the weights of one vertex. Zeros are dropped and the rest is normalised.
template <class Change>
void each_row(WeightField& field, const Change& change) {
    parallel_for(field.vertex_count(), clean_grain, [&](size_t begin, size_t end) {
        std::vector<Influence> row;
        for (size_t v = begin; v < end; ++v) {
            const std::span<const Influence> list = field.of(v);
            if (list.empty()) continue;
            row.assign(list.begin(), list.end());
            const Influence largest = row.front();
            change(row);
            field.set(v, row);
            if (field.of(v).empty()) field.add(v, largest.joint, 1.0f);
            field.normalise(v);
        }
    });
}

}  // namespace

void fade_small(WeightField& field, const FadeOptions& options) {
    each_row(field, [&](std::vector<Influence>& row) {
        for (Influence& i : row) {
            if (i.weight < options.full)
                i.weight *= std::clamp((i.weight - options.none) / (options.full - options.none), 0.0f, 1.0f);
        }
    });
}

void limit_influences(WeightField& field, size_t most) {
    most = std::max<size_t>(1, most);
    each_row(field, [&](std::vector<Influence>& row) {
        if (row.size() <= most) return;
        const float threshold = row[most].weight;
        row.resize(most);
        if (most == 1) return;
        for (Influence& i : row) i.weight *= std::clamp((i.weight - threshold) / (fade_range * threshold), 0.0f, 1.0f);
    });
}

void prune(WeightField& field, float least) {
    each_row(field, [&](std::vector<Influence>& row) {
        for (size_t i = 1; i < row.size(); ++i)
            if (row[i].weight < least) row[i].weight = 0.0f;
    });
}

void smooth(WeightField& field, const Surface& surface, const Neighbours& neighbours, int passes) {
    std::vector<uint32_t> all(field.vertex_count());
    std::iota(all.begin(), all.end(), 0u);
    smooth(field, surface, neighbours, passes, all);
}

void smooth(WeightField& field, const Surface& surface, const Neighbours& neighbours, int passes,
            std::span<const uint32_t> vertices) {
    for (int pass = 0; pass < passes; ++pass) {
        const WeightField before = field;
        parallel_for(vertices.size(), clean_grain, [&](size_t begin, size_t end) {
            for (const uint32_t v : vertices.subspan(begin, end - begin)) {
                const std::span<const uint32_t> around = neighbours.of(v);
                if (around.empty()) continue;
                double sum = 0.0;
                const auto share = [&](uint32_t w) {
                    return 1.0 / std::max(least_length, (surface.positions[w] - surface.positions[v]).norm());
                };
                for (uint32_t w : around) sum += share(w);
                WeightField row(1, rows_in_mean * field.capacity());
                for (const Influence& i : before.of(v)) row.add(0, i.joint, 0.5f * i.weight);
                for (uint32_t w : around)
                    for (const Influence& i : before.of(w))
                        row.add(0, i.joint, static_cast<float>(0.5 * share(w) / sum * i.weight));
                field.set(v, row.of(0));
                field.normalise(v);
            }
        });
    }
}

Result<std::vector<Influences>> to_influences(const WeightField& field, const Surface& surface,
                                              std::span<const uint32_t> joint_slot, size_t slot_count) {
    std::vector<Influences> all;
    for (size_t m = 0; m + 1 < surface.mesh_begin.size(); ++m) {
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        first.reserve(surface.mesh_begin[m + 1] - surface.mesh_begin[m] + 1);
        for (size_t v = surface.mesh_begin[m]; v < surface.mesh_begin[m + 1]; ++v) {
            for (const Influence& i : field.of(surface.vertex_of[v])) raw.push_back({joint_slot[i.joint], i.weight});
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        SINEW_TRY(Influences influences, Influences::create(std::move(first), std::move(raw), slot_count));
        all.push_back(std::move(influences));
    }
    return all;
}

}  // namespace sinew
