#include <sinew/weights/paint/paint.h>

#include <cmath>
#include <queue>
#include <unordered_map>

namespace sinew {
namespace {

uint32_t nearest_vertex(const Surface& surface, const Vec3d& center) {
    uint32_t best = 0;
    double least = INFINITY;
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        const double distance = (surface.positions[v] - center).squaredNorm();
        if (distance < least) least = distance, best = static_cast<uint32_t>(v);
    }
    return best;
}

bool is_locked(const Brush& brush, uint32_t joint) {
    return joint < brush.locked.size() && brush.locked[joint] != 0;
}

float weight_of(std::span<const Influence> row, uint32_t joint) {
    for (const Influence& i : row)
        if (i.joint == joint) return i.weight;
    return 0.0f;
}

using Row = std::vector<Influence>;

// The row with this weight for the joint. Locked joints keep theirs, the others share the rest as before.
Row with_weight(const Brush& brush, std::span<const Influence> row, double wanted) {
    double locked = 0.0, others = 0.0;
    for (const Influence& i : row) {
        if (i.joint == brush.joint) continue;
        (is_locked(brush, i.joint) ? locked : others) += i.weight;
    }
    const double room = std::max(0.0, 1.0 - locked);
    const double own = others > 0.0 ? std::clamp(wanted, 0.0, room) : room;
    Row out;
    for (const Influence& i : row) {
        if (i.joint == brush.joint) continue;
        const bool keeps = is_locked(brush, i.joint);
        out.push_back({i.joint, keeps ? i.weight : static_cast<float>(i.weight * (room - own) / others)});
    }
    out.push_back({brush.joint, static_cast<float>(own)});
    return out;
}

// The row, so far towards the mean of the rows around.
Row smoothed_row(const Brush& brush, const WeightField& field, const Neighbours& neighbours, uint32_t v, double step) {
    const auto around = neighbours.of(v);
    const std::span<const Influence> own = field.of(v);
    Row out;
    double locked = 0.0, free = 0.0;
    for (const Influence& i : own)
        if (is_locked(brush, i.joint)) out.push_back(i), locked += i.weight;
    const auto add = [&](const Influence& i, double share) {
        if (is_locked(brush, i.joint)) return;
        const auto same = std::find_if(out.begin(), out.end(), [&](const Influence& o) { return o.joint == i.joint; });
        const auto more = static_cast<float>(share * i.weight);
        if (same == out.end())
            out.push_back({i.joint, more});
        else
            same->weight += more;
        free += more;
    };
    for (const Influence& i : own) add(i, 1.0 - step);
    for (uint32_t other : around)
        for (const Influence& i : field.of(other)) add(i, step / static_cast<double>(around.size()));
    if (!(free > 0.0)) return Row(own.begin(), own.end());
    for (Influence& i : out)
        if (!is_locked(brush, i.joint)) i.weight = static_cast<float>(i.weight * std::max(0.0, 1.0 - locked) / free);
    return out;
}

Row painted_row(const Brush& brush, const WeightField& field, const Neighbours& neighbours, uint32_t v, double amount) {
    const double step = std::clamp(brush.strength, 0.0, 1.0) * amount, now = weight_of(field.of(v), brush.joint);
    switch (brush.mode) {
        case BrushMode::add:
            return with_weight(brush, field.of(v), now + step * (1.0 - now));
        case BrushMode::subtract:
            return with_weight(brush, field.of(v), now - step * now);
        case BrushMode::replace:
            return with_weight(brush, field.of(v), now + amount * (std::clamp(brush.strength, 0.0, 1.0) - now));
        case BrushMode::smooth:
            break;
    }
    return neighbours.of(v).empty() ? Row(field.of(v).begin(), field.of(v).end())
                                    : smoothed_row(brush, field, neighbours, v, step);
}

// Keeps the locked joints, the painted one, and the largest of the others, as many as a vertex may have; the unlocked
// ones share what the locked ones leave. Where the locked ones take all places, the row stays as it was.
Row limited(const Brush& brush, Row row, std::span<const Influence> before) {
    const auto rank = [&](const Influence& i) {
        if (is_locked(brush, i.joint)) return 0;
        return brush.mode != BrushMode::smooth && i.joint == brush.joint ? 1 : 2;
    };
    std::erase_if(row, [](const Influence& i) { return !(i.weight > 0.0f); });
    std::ranges::sort(row, [&](const Influence& a, const Influence& b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
    });
    if (row.size() > brush.influences) row.resize(brush.influences);
    double locked = 0.0, free = 0.0;
    for (const Influence& i : row) (is_locked(brush, i.joint) ? locked : free) += i.weight;
    if (!(free > 0.0)) return Row(before.begin(), before.end());
    for (Influence& i : row)
        if (!is_locked(brush, i.joint)) i.weight = static_cast<float>(i.weight * std::max(0.0, 1.0 - locked) / free);
    return row;
}

}  // namespace

Dab find_dab(const Surface& surface, const Neighbours& neighbours, const Vec3d& center, double radius) {
    Dab dab;
    if (surface.vertex_count() == 0 || !(radius > 0.0) || !center.allFinite()) return dab;
    using Entry = std::pair<double, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::unordered_map<uint32_t, double> distance;
    const auto offer = [&](uint32_t v, double d) {
        const auto [known, is_new] = distance.try_emplace(v, d);
        if (d > radius || (!is_new && known->second <= d)) return;
        known->second = d;
        open.emplace(d, v);
    };
    // Around the center straight lines are as good as ways along edges.
    const uint32_t first = nearest_vertex(surface, center);
    offer(first, (surface.positions[first] - center).norm());
    for (uint32_t v : neighbours.of(first)) offer(v, (surface.positions[v] - center).norm());
    while (!open.empty()) {
        const auto [d, v] = open.top();
        open.pop();
        if (d > distance[v]) continue;
        const double share = d / radius, left = 1.0 - share * share;
        dab.vertices.push_back(v);
        dab.amount.push_back(static_cast<float>(left * left));
        for (uint32_t other : neighbours.of(v))
            offer(other, d + (surface.positions[other] - surface.positions[v]).norm());
    }
    return dab;
}

std::vector<uint32_t> paint(const Brush& brush, const Surface& surface, const Neighbours& neighbours,
                            WeightField& field) {
    Dab dab = find_dab(surface, neighbours, brush.center, brush.radius);
    if (is_locked(brush, brush.joint) && brush.mode != BrushMode::smooth) return {};
    std::vector<Row> rows;
    for (size_t i = 0; i < dab.vertices.size(); ++i)
        rows.push_back(painted_row(brush, field, neighbours, dab.vertices[i], dab.amount[i]));
    for (size_t i = 0; i < rows.size(); ++i) {
        const uint32_t v = dab.vertices[i];
        field.set(v, limited(brush, std::move(rows[i]), field.of(v)));
        field.normalise(v);
    }
    return std::move(dab.vertices);
}

}  // namespace sinew
