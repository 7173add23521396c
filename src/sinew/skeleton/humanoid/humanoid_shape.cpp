#include <sinew/skeleton/humanoid/limb_pairs.h>
#include <algorithm>

namespace sinew {
namespace {

// The way the feet point, else the way the knees point; zero where neither tells.
Vec3d facing(const BodyTree& tree, const Limb& a, const Limb& b, const Vec3d& up) {
    const auto flat = [&](Vec3d v) -> Vec3d { return v - v.dot(up) * up; };
    Vec3d toes = Vec3d::Zero(), knees = Vec3d::Zero();
    double leg = 0;
    for (const Limb* limb : {&a, &b}) {
        const Vec3d hip = tree.at(limb->joint[0]), knee = tree.at(limb->joint[1]);
        if (limb->joint[2] < 0) continue;
        const Vec3d ankle = tree.at(limb->joint[2]);
        leg += (knee - hip).norm() + (ankle - knee).norm();
        const Vec3d along = (ankle - hip).normalized();
        knees += flat((knee - hip) - along * (knee - hip).dot(along));
        if (limb->joint[3] >= 0) toes += flat(tree.at(limb->joint[3]) - ankle);
    }
    if (toes.norm() > 0.02 * leg) return toes.normalized();
    if (knees.norm() > 0.01 * leg) return knees.normalized();
    return Vec3d::Zero();
}

}  // namespace

std::optional<ShapeLimbs> find_limbs_by_shape(const BodyTree& tree) {
    if (tree.names.size() < fewest_body_joints) return std::nullopt;
    const Branches branches = measure_branches(tree);
    const std::vector<LikeLimbs> pairs =
        like_pairs(tree, branches, least_limb * body_size(branches, diagonal(tree.position)));
    if (pairs.size() > most_pairs) return std::nullopt;

    const LikeLimbs *legs = nullptr, *arms = nullptr;
    ShapeLimbs result;
    double best = 0;
    // Sinew's up is +Y; a motion file may have kept its own.
    const std::array<std::pair<Vec3d, double>, 3> ups = {
        {{Vec3d::UnitY(), 1.0}, {Vec3d::UnitZ(), 0.5}, {Vec3d::UnitX(), 0.3}}};
    for (const auto& [up, trust] : ups) {
        for (const LikeLimbs& l : pairs) {
            for (const LikeLimbs& a : pairs) {
                if (!may_be_legs_and_arms(tree, l, a)) continue;
                const double score = trust * upright_score(l, a, up, tree.position);
                if (score <= best) continue;
                best = score;
                legs = &l;
                arms = &a;
                result.up = up;
            }
        }
    }
    if (!legs || count_other_limbs(tree, branches, *legs, *arms) > most_other_limbs) return std::nullopt;

    const auto leg_a = fit_limb(tree, LimbKind::leg, legs->a), leg_b = fit_limb(tree, LimbKind::leg, legs->b);
    const auto arm_a = fit_limb(tree, LimbKind::arm, arm_chain(branches, arms->a));
    const auto arm_b = fit_limb(tree, LimbKind::arm, arm_chain(branches, arms->b));
    if (!leg_a || !leg_b || !arm_a || !arm_b) return std::nullopt;
    Vec3d forward = facing(tree, *leg_a, *leg_b, result.up);
    if (forward.isZero()) forward = result.up.y() > 0.5 ? Vec3d(Vec3d::UnitZ()) : Vec3d(-Vec3d::UnitY());
    const Vec3d left = result.up.cross(forward);
    const auto lean = [&](const Limb& a, const Limb& b) {
        return (tree.at(a.joint[1]) - tree.at(b.joint[1])).dot(left);
    };
    const bool legs_swap = lean(*leg_a, *leg_b) < 0, arms_swap = lean(*arm_a, *arm_b) < 0;
    result.legs = {legs_swap ? *leg_b : *leg_a, legs_swap ? *leg_a : *leg_b};
    result.arms = {arms_swap ? *arm_b : *arm_a, arms_swap ? *arm_a : *arm_b};
    for (Limb& leg : result.legs) drop_many_toes(tree, leg);
    result.hips = legs->base;
    result.chest = arms->base;
    return result;
}

}  // namespace sinew
