#include <sinew/skin/influences.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// Cleans one vertex's list in place and returns its new length. The list is short: sorting beats hashing. Normalising
// before adding keeps huge weights from overflowing.
size_t clean(std::span<Influence> list) {
    std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) {
        return a.joint != b.joint ? a.joint < b.joint : a.weight > b.weight;
    });
    double sum = 0.0;
    for (const Influence& influence : list) sum += influence.weight;
    size_t count = 0;
    for (const Influence& influence : list) {
        const float weight = static_cast<float>(influence.weight / sum);
        if (!(weight > 0.0f)) continue;
        if (count > 0 && list[count - 1].joint == influence.joint)
            list[count - 1].weight += weight;
        else
            list[count++] = {influence.joint, weight};
    }
    const auto kept = list.first(count);
    std::sort(kept.begin(), kept.end(), [](const Influence& a, const Influence& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
    });
    return count;
}

}  // namespace

Result<Influences> Influences::create(std::vector<uint32_t> first, std::vector<Influence> raw, size_t joint_count) {
    if (first.empty() || first.front() != 0 || first.back() != raw.size() ||
        !std::is_sorted(first.begin(), first.end())) {
        return fail(ErrorCode::invalid_data, "influence ranges do not cover the influences in order");
    }
    size_t used = 0;
    for (size_t v = 0; v + 1 < first.size(); ++v) {
        const std::span<Influence> list = std::span(raw).subspan(first[v], first[v + 1] - first[v]);
        for (const Influence& influence : list) {
            if (!std::isfinite(influence.weight) || influence.weight < 0.0f) {
                return fail(ErrorCode::invalid_data, "a skin weight is negative or not a number",
                            fmt::format("vertex {}", v));
            }
            if (influence.weight > 0.0f && influence.joint >= joint_count) {
                return fail(ErrorCode::invalid_data,
                            fmt::format("follows joint {} of a skin that has {}", influence.joint, joint_count),
                            fmt::format("vertex {}", v));
            }
        }
        const size_t count = clean(list);
        std::copy_n(list.begin(), count, raw.begin() + static_cast<ptrdiff_t>(used));
        first[v] = static_cast<uint32_t>(used);
        used += count;
    }
    first.back() = static_cast<uint32_t>(used);
    raw.resize(used);
    Influences result;
    result.first_ = std::move(first);
    result.all_ = std::move(raw);
    return result;
}

size_t Influences::max_per_vertex() const {
    size_t most = 0;
    for (size_t v = 0; v < vertex_count(); ++v) most = std::max(most, of(v).size());
    return most;
}

size_t Influences::unweighted_vertices() const {
    size_t count = 0;
    for (size_t v = 0; v < vertex_count(); ++v) count += of(v).empty();
    return count;
}

}  // namespace sinew
