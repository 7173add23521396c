#include <sinew/rig/body/arms_apart.h>

#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/inner_parts.h>
#include <sinew/rig/body/neighbours.h>
#include <sinew/rig/priors/stances.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A cuff is at least this many layers high.
constexpr int least_cuff = 2;
// An arm that is a closed piece must stay joined to the body somewhere. Cuts are tried from the armpit down, each an
// eighth of the arm lower; of a closed piece the first two are left out, since its top is inside the body.
constexpr int tries = 4, steps_per_arm = 8, closed_steps = 2;

// Inner parts one below the other, from the top down.
struct Hanging {
    std::vector<int> parts;
    bool loose = false;       // begins by itself, not from the trunk: an arm that is a closed piece
    int top = 0, bottom = 0;  // layers

    int length() const { return parts.empty() ? 0 : top - bottom; }
};

// The next part below. A cuff or a bracelet can close the inside for a few layers; they are skipped.
int next_below(const VoxelGrid& grid, const InnerParts& inner, int part, int most_gap) {
    for (int steps = 1; steps <= most_gap; ++steps)
        if (const int next = inner.beyond(grid, part, -steps); next >= 0) return next;
    return -1;
}

Hanging follow_down(const VoxelGrid& grid, const InnerParts& inner, int first, int most_gap) {
    Hanging chain{.parts = {first}, .top = inner[first].layer, .bottom = inner[first].layer};
    for (int part = first;;) {
        part = next_below(grid, inner, part, most_gap);
        if (part < 0 || inner[part].left() != inner[first].left() || inner[part].right() != inner[first].right()) break;
        // A part that comes from another one above, as a thigh from the trunk, does not go on from this.
        const int above = inner.beyond(grid, part, 1);
        if (above >= 0 && above != chain.parts.back()) break;
        chain.parts.push_back(part);
        chain.bottom = inner[part].layer;
    }
    return chain;
}

// Everything on one side that hangs from the trunk, or begins by itself.
std::vector<Hanging> find_hanging(const VoxelBody& body, const InnerParts& inner, bool left) {
    const VoxelGrid& grid = body.grid;
    const double height = body.height();
    const auto layer_at = [&](double share) { return grid.locate({0.0, body.low.y() + share * height, 0.0})[1]; };
    const int gap = std::max(least_cuff, static_cast<int>(stances::cuff * height / grid.cell));
    std::vector<uint8_t> used(inner.list.size(), 0);
    std::vector<Hanging> all;
    for (int layer = layer_at(stances::highest_shoulder); layer >= layer_at(stances::lowest_shoulder); --layer) {
        for (int part = inner.layer_first[static_cast<size_t>(layer)];
             part < inner.layer_first[static_cast<size_t>(layer) + 1]; ++part) {
            const bool here = left ? inner[part].left() : inner[part].right();
            if (!here || used[static_cast<size_t>(part)]) continue;
            const int above = inner.beyond(grid, part, 1);
            if (above >= 0 && !inner[above].central()) continue;
            Hanging chain = follow_down(grid, inner, part, gap);
            chain.loose = above < 0;
            for (int p : chain.parts) used[static_cast<size_t>(p)] = 1;
            all.push_back(std::move(chain));
        }
    }
    return all;
}

// Adds what continues an arm that is made of pieces: a hand begins by itself where a sleeve ends, or a little above.
void append_pieces(const VoxelBody& body, const InnerParts& inner, const std::vector<Hanging>& all, Hanging& arm) {
    const double height = body.height(), cell = body.grid.cell;
    for (bool longer = true; longer;) {
        longer = false;
        const Hanging* next = nullptr;
        const Vec3d end = inner[arm.parts.back()].centre;
        for (const Hanging& piece : all) {
            const double below = cell * (arm.bottom - piece.top);
            if (!piece.loose || piece.bottom >= arm.bottom || piece.top >= arm.top || below > stances::cuff * height ||
                below < -stances::sleeve_overlap * height)
                continue;
            Vec3d away = inner[piece.parts.front()].centre - end;
            away.y() = 0.0;
            if (away.norm() < stances::sleeve_width * height && (!next || piece.bottom < next->bottom)) next = &piece;
        }
        if (!next) continue;
        arm.parts.insert(arm.parts.end(), next->parts.begin(), next->parts.end());
        arm.bottom = next->bottom;
        longer = true;
    }
}

// The longest thing that hangs on one side and ends above the ground.
Hanging find_arm(const VoxelBody& body, const InnerParts& inner, bool left) {
    const std::vector<Hanging> all = find_hanging(body, inner, left);
    const int ground = body.grid.locate({0.0, body.low.y() + stances::hands_above_ground * body.height(), 0.0})[1];
    Hanging best;
    for (Hanging arm : all) {
        append_pieces(body, inner, all, arm);
        if (arm.bottom > ground && arm.length() > best.length()) best = std::move(arm);
    }
    return best;
}

// Decides which of the two hanging things are arms: both if they are alike, else the longer one alone (the other arm
// may be raised). Empties the rest.
void keep_arms(const VoxelBody& body, Hanging (&arms)[2]) {
    const double height = body.height() / body.grid.cell;
    const int shorter = std::min(arms[0].length(), arms[1].length()),
              longer = std::max(arms[0].length(), arms[1].length());
    if (shorter > stances::shortest_hanging_pair * height && longer < stances::hanging_lengths * shorter &&
        std::abs(arms[0].top - arms[1].top) < stances::shortest_hanging_pair * height)
        return;
    for (Hanging& arm : arms)
        if (arm.length() < longer || longer < stances::shortest_hanging_arm * height) arm = {};
}

// Marks an arm's voxels: those nearer to its inner parts than to others; and below its last inner part, where a hand is
// nothing but surface, those that hang on and belong to no other part.
void mark_arm(const VoxelBody& body, const InnerParts& inner, const Hanging& arm, int top, std::vector<uint8_t>& mine) {
    const VoxelGrid& grid = body.grid;
    const int hand = static_cast<int>(stances::hand_length * body.height() / grid.cell),
              low = std::max(0, arm.bottom - hand);
    const std::vector<int32_t> nearest = spread_parts(body, inner, low, arm.top);
    std::vector<uint8_t> of_arm(inner.list.size(), 0);
    for (int p : arm.parts) of_arm[static_cast<size_t>(p)] = 1;
    // The floor of a trunk and the top of a shoe are nothing but surface in their layer, too, but far from the arm.
    const auto far_from = [&](const InnerPart& part, const Vec3d& p) {
        const Vec3d out = (part.low - p).cwiseMax(p - part.high);
        return std::max(out.x(), out.z()) > stances::arm_skin * body.height();
    };
    for (uint32_t v : body.voxels) {
        if (grid.voxel(v)[1] > top || nearest[v] < 0 || !of_arm[static_cast<size_t>(nearest[v])]) continue;
        mine[v] = !far_from(inner[nearest[v]], body.at(v));
    }
    // Surface beside the inner part of something else belongs to that.
    const auto beside_other = [&](const VoxelIndex& at) {
        for (int k = 0; k < square_size; ++k) {
            const VoxelIndex n = in_square(at, k);
            if (!grid.contains(n)) continue;
            if (const int32_t p = inner.of_voxel[grid.index(n)]; p >= 0 && !of_arm[static_cast<size_t>(p)]) return true;
        }
        return false;
    };
    for (int layer = top; layer >= low; --layer) {
        const bool below = layer < arm.bottom;
        std::vector<uint32_t> front;
        for (int z = 0; z < grid.dims[2]; ++z)
            for (int x = 0; x < grid.dims[0]; ++x) {
                const size_t v = grid.index({x, layer, z});
                if (!body.mask[v] || mine[v] || inner.of_voxel[v] >= 0 || beside_other({x, layer, z})) continue;
                if (below ? far_from(inner[arm.parts.back()], grid.centre(v)) : nearest[v] >= 0) continue;
                for (int k = 0; k < square_size; ++k) {
                    const VoxelIndex n = in_square({x, layer + 1, z}, k);
                    if (grid.contains(n) && mine[grid.index(n)]) {
                        front.push_back(static_cast<uint32_t>(v));
                        break;
                    }
                }
            }
        for (uint32_t v : front) mine[v] = 1;
    }
}

// The body's mask without the voxels that touch the arms, up to the layers `tops`.
std::vector<uint8_t> cut_around(const VoxelBody& body, const InnerParts& inner, const Hanging (&arms)[2],
                                const int (&tops)[2]) {
    const VoxelGrid& grid = body.grid;
    std::vector<uint8_t> mine(body.mask.size(), 0);
    for (size_t k = 0; k < 2; ++k)
        if (!arms[k].parts.empty()) mark_arm(body, inner, arms[k], tops[k], mine);
    std::vector<uint8_t> mask = body.mask;
    for (uint32_t v : body.voxels) {
        const VoxelIndex at = grid.voxel(v);
        if (mine[v] || at[1] > tops[grid.centre(at).x() > 0.0 ? 0 : 1]) continue;
        for (int k = 0; k < cube_size && mask[v]; ++k) {
            const VoxelIndex n = in_cube(at, k);
            if (grid.contains(n) && mine[grid.index(n)]) mask[v] = 0;
        }
    }
    return mask;
}

}  // namespace

bool part_arms(VoxelBody& body) {
    if (body.shell.empty()) return false;
    const InnerParts inner = find_inner_parts(body);
    Hanging arms[2] = {find_arm(body, inner, true), find_arm(body, inner, false)};
    keep_arms(body, arms);
    if (arms[0].parts.empty() && arms[1].parts.empty()) return false;
    for (int k = 0; k < tries; ++k) {
        int tops[2];
        for (size_t side = 0; side < 2; ++side)
            tops[side] =
                arms[side].top - (k + (arms[side].loose ? closed_steps : 0)) * arms[side].length() / steps_per_arm;
        std::vector<uint8_t> mask = cut_around(body, inner, arms, tops);
        const VoxelParts parts = connected_parts(body.grid, mask);
        if (parts.sizes.empty()) return false;
        const auto joined = [&](const Hanging& arm) {
            return arm.parts.empty() || parts.label[inner.voxels[inner[arm.parts[arm.parts.size() / 2]].first]] == 0;
        };
        if (!joined(arms[0]) || !joined(arms[1])) continue;
        for (size_t i = 0; i < mask.size(); ++i) mask[i] = parts.label[i] == 0;
        if (mask == body.mask) return false;
        body.mask = std::move(mask);
        return true;
    }
    return false;
}

}  // namespace sinew
