#include <sinew/skeleton/humanoid/humanoid_limbs.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Where a foot or hand lies from the knee or elbow, over the length of the bone before.
constexpr double nearest_end = 0.4, farthest_end = 1.8;
// How far the limb may bend there at rest. Where a name tells the end, a knee may be bent as far as one that crouches.
constexpr double named_cos = -0.7, nameless_cos = 0.9;

enum class EndRank : uint8_t { none, nameless, control, named };

EndRank rank_of(const JointName& name, LimbKind kind, Side side) {
    const bool end = kind == LimbKind::leg ? name.part == BodyPart::foot || name.part == BodyPart::ankle
                                           : name.part == BodyPart::hand || name.part == BodyPart::wrist;
    if (end && name.side == side && !name.metacarpal) return name.helper ? EndRank::control : EndRank::named;
    const bool silent = name.part == BodyPart::none && name.side != (side == Side::left ? Side::right : Side::left);
    return silent && !name.helper && !name.animal_limb ? EndRank::nameless : EndRank::none;
}

// The joint beside the limb that lies where its end should be: the best named one, then the one most in line.
int32_t find_end(const BodyTree& tree, LimbKind kind, Side side, const Limb& limb) {
    const size_t upper = kind == LimbKind::arm ? 1 : 0;
    const Vec3d& first = tree.at(limb.joint[upper]);
    const Vec3d& bend = tree.at(limb.joint[upper + 1]);
    const Vec3d along = bend - first;
    int32_t best = -1;
    EndRank best_rank = EndRank::none;
    double best_cos = -1;
    for (size_t i = 0; i < tree.names.size(); ++i) {
        const auto j = static_cast<int32_t>(i);
        const EndRank rank = rank_of(tree.name(j), kind, side);
        if (rank == EndRank::none || is_ancestor_or_self(tree, limb.joint[upper], j) ||
            is_ancestor_or_self(tree, j, limb.joint[upper]))
            continue;
        const Vec3d reach = tree.at(j) - bend;
        const double ratio = reach.norm() / along.norm(), cos = reach.dot(along) / (reach.norm() * along.norm());
        if (!(ratio > nearest_end && ratio < farthest_end)) continue;
        if (!(cos > (rank == EndRank::nameless ? nameless_cos : named_cos))) continue;
        if (rank < best_rank || (rank == best_rank && cos <= best_cos)) continue;
        best = j;
        best_rank = rank;
        best_cos = cos;
    }
    return best;
}

// The one joint below a foot that is called toes, or that it has at all.
int32_t find_toes(const BodyTree& tree, int32_t foot) {
    int32_t toes = -1;
    for (const int32_t child : tree.children[static_cast<size_t>(foot)]) {
        const JointName& name = tree.name(child);
        if (name.helper || (name.part != BodyPart::toes && name.part != BodyPart::none)) continue;
        if (toes >= 0) return -1;
        toes = child;
    }
    return toes;
}

}  // namespace

void find_loose_ends(const BodyTree& tree, Limbs& limbs) {
    for (const LimbKind kind : {LimbKind::leg, LimbKind::arm}) {
        if (kind == LimbKind::leg ? !limbs.legs() : !limbs.arms()) continue;
        auto& pair = kind == LimbKind::leg ? limbs.leg : limbs.arm;
        const size_t slot = kind == LimbKind::leg ? 2 : 3;
        if (pair[0]->joint[slot] >= 0 || pair[1]->joint[slot] >= 0) continue;
        const int32_t left = find_end(tree, kind, Side::left, *pair[0]);
        const int32_t right = find_end(tree, kind, Side::right, *pair[1]);
        if (left < 0 || right < 0 || left == right || is_ancestor_or_self(tree, left, right) ||
            is_ancestor_or_self(tree, right, left))
            continue;
        pair[0]->joint[slot] = left;
        pair[1]->joint[slot] = right;
        if (kind != LimbKind::leg) continue;
        for (auto& leg : pair) leg->joint[3] = find_toes(tree, leg->joint[2]);
    }
}

}  // namespace sinew
