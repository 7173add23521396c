#include <sinew/math/angle.h>
#include <sinew/skeleton/humanoid/limb_pairs.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Places = std::span<const Vec3d>;

// How far the body is from standing straight at that moment, in radians.
double crooked(const Limbs& limbs, const Vec3d& up, Places place) {
    const auto at = [&](int32_t joint) -> const Vec3d& { return place[static_cast<size_t>(joint)]; };
    double sum = 0;
    for (size_t side = 0; side < 2; ++side) {
        const Limb& leg = *limbs.leg[side];
        const Vec3d thigh = at(leg.joint[1]) - at(leg.joint[0]);
        sum += angle_between(thigh, -up);
        if (leg.joint[2] >= 0) sum += angle_between(thigh, at(leg.joint[2]) - at(leg.joint[1]));
        if (limbs.arms()) sum += angle_between(at(limbs.arm[side]->joint[1]) - at(leg.joint[0]), up);
    }
    return sum;
}

// The coordinate axis along which the body stands most of the time. Y is up in most files: another one must beat it.
Vec3d usual_up(const BodyTree& tree, const Limbs& limbs) {
    Vec3d sum = Vec3d::Zero();
    for (const std::vector<Vec3d>& moment : tree.moments) {
        const auto at = [&](int32_t joint) -> const Vec3d& { return moment[static_cast<size_t>(joint)]; };
        for (size_t side = 0; side < 2; ++side) {
            const Limb& leg = *limbs.leg[side];
            sum += (at(leg.joint[0]) - at(leg.joint[1])).normalized();
            if (limbs.arms()) sum += (at(limbs.arm[side]->joint[1]) - at(leg.joint[0])).normalized();
        }
    }
    constexpr double must_beat = 1.5;
    Eigen::Index axis = 1;
    if (!(sum.norm() > 0)) return Vec3d::UnitY();
    sum.y() *= must_beat;
    sum.cwiseAbs().maxCoeff(&axis);
    return Vec3d::Unit(axis) * (sum[axis] < 0 ? -1.0 : 1.0);
}

// Which two pairs are legs and arms in most moments, and what is up.
struct PairChoice {
    const LikeLimbs *legs = nullptr, *arms = nullptr;
    Vec3d up = Vec3d::UnitY();
    double score = 0;
};
PairChoice choose_pairs(const BodyTree& tree, const std::vector<LikeLimbs>& pairs, double least_down) {
    constexpr double least_share = 0.125;  // of the moments: an animal rears for less, a dancer stands for more
    const auto count = static_cast<double>(tree.moments.size());
    PairChoice best;
    for (const LikeLimbs& legs : pairs) {
        for (const LikeLimbs& arms : pairs) {
            if (!may_be_legs_and_arms(tree, legs, arms)) continue;
            // Sinew's up is +Y; a motion file may have kept its own.
            for (const auto& [up, trust] :
                 {std::pair{Vec3d(Vec3d::UnitY()), 1.0}, {Vec3d(Vec3d::UnitZ()), 0.5}, {Vec3d(Vec3d::UnitX()), 0.3}}) {
                double sum = 0, standing = 0;
                for (const std::vector<Vec3d>& moment : tree.moments) {
                    const double score = upright_score(legs, arms, up, moment, least_down);
                    sum += std::max(0.0, score);
                    standing += score > 0;
                }
                if (standing < least_share * count || trust * sum <= best.score) continue;
                best = {&legs, &arms, up, trust * sum};
            }
        }
    }
    return best;
}

// The part of a limb's middle joint that stands out from the straight line between its ends.
Vec3d bend_of(const Vec3d& first, const Vec3d& middle, const Vec3d& last) {
    const Vec3d along = (last - first).normalized();
    return (middle - first) - along * along.dot(middle - first);
}

// Positive where the first limbs of both pairs are the left ones, in legs and moments. Toes and knees point ahead,
// elbows behind, and a body goes ahead more often than back.
double left_first(const BodyTree& tree, const Limbs& limbs, const PairChoice& choice) {
    constexpr double toes_count = 3, knees_count = 4, elbows_count = 1, travel_count = 0.3;
    const double leg = std::max(choice.legs->length, 1e-12);
    double votes = 0;
    for (size_t m = 0; m < tree.moments.size(); ++m) {
        const auto at = [&](int32_t joint) -> const Vec3d& { return tree.moments[m][static_cast<size_t>(joint)]; };
        Vec3d across = Vec3d::Zero(), ahead = Vec3d::Zero();
        for (size_t side = 0; side < 2; ++side) {
            const Limb &l = *limbs.leg[side], &a = *limbs.arm[side];
            across += (at(l.joint[0]) + at(a.joint[1])) * (side == 0 ? 1.0 : -1.0);
            if (l.joint[2] >= 0) {
                const int32_t tip = (side == 0 ? choice.legs->a : choice.legs->b).back();
                ahead += toes_count * (at(tip) - at(l.joint[2])) +
                         knees_count * bend_of(at(l.joint[0]), at(l.joint[1]), at(l.joint[2]));
            }
            if (a.joint[3] >= 0) ahead -= elbows_count * bend_of(at(a.joint[1]), at(a.joint[2]), at(a.joint[3]));
        }
        if (m + 1 < tree.moments.size())
            ahead +=
                travel_count * (tree.moments[m + 1][static_cast<size_t>(choice.legs->base)] - at(choice.legs->base));
        const Vec3d rise = at(choice.arms->base) - at(choice.legs->base);
        const Vec3d forward = across.normalized().cross(rise.normalized());
        votes += ahead.dot(forward) / leg;
    }
    return votes;
}

// True where the arms' first limb is on the side of the legs' first one, in most moments.
bool same_sides(const BodyTree& tree, const Limb& leg_a, const Limb& leg_b, const Limb& arm_a, const Limb& arm_b) {
    double sum = 0;
    for (const std::vector<Vec3d>& moment : tree.moments) {
        const auto at = [&](int32_t joint) -> const Vec3d& { return moment[static_cast<size_t>(joint)]; };
        const Vec3d legs = at(leg_a.joint[0]) - at(leg_b.joint[0]), arms = at(arm_a.joint[1]) - at(arm_b.joint[1]);
        sum += legs.normalized().dot(arms.normalized());
    }
    return sum >= 0;
}

}  // namespace

Vec3d stand_up(BodyTree& tree, const Limbs& limbs) {
    const Vec3d up = usual_up(tree, limbs);
    double least = INFINITY;
    for (const std::vector<Vec3d>& moment : tree.moments) {
        const double off = crooked(limbs, up, moment);
        if (!(off < least)) continue;
        least = off;
        tree.position = moment;
    }
    return up;
}

std::optional<ShapeLimbs> find_limbs_by_motion(BodyTree& tree) {
    if (tree.names.size() < fewest_body_joints || tree.moments.empty()) return std::nullopt;
    const Branches branches = measure_branches(tree);
    std::vector<double> sizes;
    for (const std::vector<Vec3d>& moment : tree.moments) sizes.push_back(diagonal(moment));
    std::ranges::sort(sizes);
    const std::vector<LikeLimbs> pairs =
        like_pairs(tree, branches, least_limb * body_size(branches, sizes[sizes.size() / 2]));
    if (pairs.size() > most_pairs) return std::nullopt;
    PairChoice choice = choose_pairs(tree, pairs, standing_legs);
    if (!choice.legs) choice = choose_pairs(tree, pairs, sitting_legs);
    if (!choice.legs || count_other_limbs(tree, branches, *choice.legs, *choice.arms) > most_other_limbs)
        return std::nullopt;

    const std::vector<Limb> legs = fit_alike(tree, LimbKind::leg, std::array{choice.legs->a, choice.legs->b});
    const std::vector<Limb> arms = fit_alike(
        tree, LimbKind::arm, std::array{arm_chain(branches, choice.arms->a), arm_chain(branches, choice.arms->b)});
    if (legs.empty() || arms.empty()) return std::nullopt;
    Limbs limbs;
    for (size_t side = 0; side < 2; ++side) {
        limbs.leg[side] = legs[side];
        limbs.arm[side] = arms[side];
    }
    if (!same_sides(tree, *limbs.leg[0], *limbs.leg[1], *limbs.arm[0], *limbs.arm[1]))
        std::swap(limbs.arm[0], limbs.arm[1]);
    const bool swap = left_first(tree, limbs, choice) < 0;
    stand_up(tree, limbs);
    ShapeLimbs result{{*limbs.leg[swap ? 1 : 0], *limbs.leg[swap ? 0 : 1]},
                      {*limbs.arm[swap ? 1 : 0], *limbs.arm[swap ? 0 : 1]},
                      choice.legs->base,
                      choice.arms->base,
                      choice.up};
    for (Limb& leg : result.legs) drop_many_toes(tree, leg);
    return result;
}

}  // namespace sinew
