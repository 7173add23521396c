#include <sinew/rig/body/inner_parts.h>
#include <sinew/rig/body/legs_apart.h>
#include <sinew/rig/fit/fit.h>
#include <sinew/rig/priors/stances.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us. The parts of the two legs differ in size by less than this factor.
constexpr uint32_t same_size = 2;
// What lies between is nearer to the plane than this share of the legs' own distance.
constexpr double in_the_middle = 0.5;
// The cut may loosen one voxel in so many, no more: the hem of what was removed.
constexpr size_t hem = 50;

// The largest part of a layer on each side of the plane, when the two about mirror each other; −1: none.
struct LegParts {
    int left = -1, right = -1;
};

LegParts find_leg_parts(const InnerParts& inner, int layer, double height) {
    LegParts legs;
    const auto larger = [&](int a, int b) { return b < 0 || inner[a].count > inner[b].count; };
    for (int part = inner.layer_first[static_cast<size_t>(layer)];
         part < inner.layer_first[static_cast<size_t>(layer) + 1]; ++part) {
        if (inner[part].left() && larger(part, legs.left)) legs.left = part;
        if (inner[part].right() && larger(part, legs.right)) legs.right = part;
    }
    if (legs.left < 0 || legs.right < 0) return {};
    const InnerPart &l = inner[legs.left], &r = inner[legs.right];
    const bool alike = std::max(l.count, r.count) < same_size * std::min(l.count, r.count);
    return alike && (l.centre - mirrored(r.centre)).norm() < stances::shins_mirrored * height ? legs : LegParts{};
}

// Both legs, layer by layer upwards, until one of them reaches the plane.
std::vector<LegParts> follow_up(const VoxelGrid& grid, const InnerParts& inner, LegParts legs) {
    std::vector<LegParts> way;
    while (legs.left >= 0 && legs.right >= 0 && inner[legs.left].left() && inner[legs.right].right()) {
        way.push_back(legs);
        legs = {inner.beyond(grid, legs.left, 1), inner.beyond(grid, legs.right, 1)};
    }
    return way;
}

// Whether a part lies in the middle between the legs, or around both. A tail lies behind them.
bool lies_between(const InnerPart& part, const InnerPart& left, const InnerPart& right) {
    const double apart = std::min(left.centre.x(), -right.centre.x());
    return std::abs(part.centre.x()) < in_the_middle * apart &&
           part.centre.z() > std::min(left.low.z(), right.low.z()) &&
           part.centre.z() < std::max(left.high.z(), right.high.z());
}

}  // namespace

bool clear_between_legs(VoxelBody& body) {
    if (body.empty() || body.shell.empty()) return false;
    const VoxelGrid& grid = body.grid;
    const double height = body.height();
    const int start = grid.locate({0.0, body.low.y() + stances::shin_height * height, 0.0})[1];
    const InnerParts inner = find_inner_parts(body);
    const std::vector<LegParts> legs = follow_up(grid, inner, find_leg_parts(inner, start, height));
    if (static_cast<double>(legs.size()) * grid.cell < stances::legs_followed * height) return false;
    const int top = start + static_cast<int>(legs.size()) - 1;
    std::vector<uint8_t> between(inner.list.size(), 0);
    int layers = 0;
    for (const LegParts& pair : legs) {
        const auto layer = static_cast<size_t>(inner[pair.left].layer);
        bool any = false;
        for (int part = inner.layer_first[layer]; part < inner.layer_first[layer + 1]; ++part) {
            if (part == pair.left || part == pair.right) continue;
            if (!lies_between(inner[part], inner[pair.left], inner[pair.right])) continue;
            between[static_cast<size_t>(part)] = 1;
            any = true;
        }
        layers += any;
    }
    // The lowest part of a trunk lies between thighs that are separate pieces, but not for long.
    if (layers * grid.cell < stances::cloth_height * height) return false;
    const std::vector<int32_t> nearest = spread_parts(body, inner, start, top);
    std::vector<uint8_t> mask = body.mask;
    size_t removed = 0;
    for (uint32_t v : body.voxels)
        if (nearest[v] >= 0 && between[static_cast<size_t>(nearest[v])]) mask[v] = 0, ++removed;
    return cut_down_to(body, std::move(mask), removed + body.voxels.size() / hem);
}

}  // namespace sinew
