#include <sinew/motion/retarget_creature/leg_fold.h>

#include <sinew/math/angle.h>
#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double straight_joint = 0.035;  // 2 degrees: a joint bent less shows no side
constexpr double most_fold = 2.6;         // 150 degrees
constexpr double soft_from = 0.95;        // of the reach: from here on a leg resists to stretch
constexpr double soft_limit = 0.995;      // of the reach: never longer
constexpr int fold_halvings = 40;         // of an angle of at most pi: below 1e-11

// The angle by which inner joint i changes for a common fold of `amount`: no joint bends over to its other side.
double fold_share(double sign, double bend, double amount) {
    const double now = sign * bend, wish = now + amount;
    const double low = std::min(now, 0.0), high = std::max(now, most_fold);
    return sign * (std::clamp(wish, low, high) - now);
}

// The straight length that the leg gets for a wish of `length`.
double soft_length(const LegFold& fold, double length) {
    if (!(fold.reach > 0)) return 0;
    const double from = firm_length(fold) / fold.reach;
    const double room = std::max(soft_limit, fold.rest_share) - from, x = length / fold.reach;
    if (x <= from || room <= 0) return std::min(length, fold.reach);
    return fold.reach * (from + room * (1 - std::exp(-(x - from) / room)));
}

}  // namespace

LegFold measure_fold(std::span<const Vec3d> leg, const Vec3d& lateral, bool front) {
    LegFold fold;
    for (size_t i = 0; i + 1 < leg.size(); ++i) fold.reach += (leg[i + 1] - leg[i]).norm();
    fold.rest_share = fold.reach > 0 ? (leg.back() - leg.front()).norm() / fold.reach : 1.0;
    double usual = front ? -1.0 : 1.0;
    for (size_t i = 1; i + 1 < leg.size(); ++i) {
        const double bend = angle_about(lateral, leg[i] - leg[i - 1], leg[i + 1] - leg[i]);
        fold.sign.push_back(std::abs(bend) > straight_joint ? (bend > 0 ? 1.0 : -1.0) : usual);
        usual = -fold.sign.back();
    }
    return fold;
}

double firm_length(const LegFold& fold) {
    return fold.reach * std::max(soft_from, std::min(fold.rest_share, soft_limit - 1e-3));
}

void fold_leg(const LegFold& fold, const Vec3d& lateral, const Vec3d& goal, std::span<Vec3d> leg,
              std::span<Quatd> turn) {
    const size_t bones = leg.size() - 1;
    std::fill(turn.begin(), turn.end(), Quatd::Identity());
    const Vec3d wish = goal - leg[0];
    if (!(wish.norm() > 0) || !(fold.reach > 0)) return;
    const double length = soft_length(fold, wish.norm());
    const auto folded = [&](double amount) -> Vec3d {
        Vec3d at = Vec3d::Zero();
        double angle = 0;
        for (size_t i = 0; i < bones; ++i) {
            const Vec3d bone = leg[i + 1] - leg[i];
            if (i > 0) angle += fold_share(fold.sign[i - 1], angle_about(lateral, leg[i] - leg[i - 1], bone), amount);
            at += Eigen::AngleAxisd(angle, lateral) * bone;
        }
        return at;
    };
    double low = -std::numbers::pi, high = std::numbers::pi;
    double amount = 0;
    if (std::abs(folded(0).norm() - length) > 1e-9 * fold.reach) {
        for (int i = 0; i < fold_halvings; ++i) {  // the more it folds, the shorter it is
            amount = 0.5 * (low + high);
            (folded(amount).norm() > length ? low : high) = amount;
        }
    }
    const Vec3d now = folded(amount);
    const Quatd swing = shortest_rotation(now, wish);
    double angle = 0;
    Vec3d at = leg[0], before = leg[0];
    Vec3d last_bone = Vec3d::Zero();
    for (size_t i = 0; i < bones; ++i) {
        const Vec3d bone = leg[i + 1] - before;
        if (i > 0) angle += fold_share(fold.sign[i - 1], angle_about(lateral, last_bone, bone), amount);
        turn[i] = swing * Quatd(Eigen::AngleAxisd(angle, lateral));
        last_bone = bone;
        before = leg[i + 1];
        at += turn[i] * bone;
        leg[i + 1] = at;
    }
}

}  // namespace sinew
