#include <sinew/skeleton/creature/creature_reading.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double stands_cos = 0.6;      // a leg goes down by this share of its straight length, at least
constexpr double sprawls_cos = 0.3;     // one that names call a leg may sprawl, as a frog's and a lizard's do
constexpr double lone_pair_cos = 0.75;  // a body's only pair of legs; the fins of a fish slant more
constexpr double near_ground = 0.25;    // feet end within this share of their leg above the lowest foot
constexpr double sole_share = 0.12;     // the joint that meets the ground lies this low, as a share of the leg
constexpr double least_leg = 0.06;      // of the body's size: shorter pairs are ears and whiskers

double height(const CreatureTree& tree, int32_t joint, const Vec3d& up) {
    return tree.at(joint).dot(up);
}

bool may_stand(const CreatureTree& tree, const BranchPair& pair) {
    return pair.part != CreaturePart::wing && pair.part != CreaturePart::fin && pair.part != CreaturePart::face &&
           pair.part != CreaturePart::jaw && pair.length > least_leg * tree.size && pair.chain[0].size() >= 2;
}

}  // namespace

LegFit fit_leg(const CreatureTree& tree, const JointChain& chain, const Vec3d& up) {
    LegFit fit;
    fit.ground = INFINITY;
    double top = -INFINITY;
    for (const int32_t joint : chain) {
        fit.ground = std::min(fit.ground, height(tree, joint, up));
        top = std::max(top, height(tree, joint, up));
    }
    while (fit.low + 1 < chain.size() &&
           height(tree, chain[fit.low], up) - fit.ground > sole_share * (top - fit.ground))
        ++fit.low;
    // A pelvis or a shoulder blade may come first: the leg begins where the way down is straightest.
    for (size_t i = 0; i < std::min<size_t>(2, fit.low); ++i) {
        const Vec3d way = tree.at(chain[fit.low]) - tree.at(chain[i]);
        const double down = way.norm() > 0 ? -way.dot(up) / way.norm() : 0.0;
        if (i > 0 && down < fit.down + 0.02) continue;
        fit.socket = i;
        fit.down = down;
        fit.drop = -way.dot(up);
    }
    return fit;
}

double pair_height(const CreatureTree& tree, const BranchPair& pair, const Vec3d& up) {
    return std::min(fit_leg(tree, pair.chain[0], up).ground, fit_leg(tree, pair.chain[1], up).ground);
}

CreatureReading read_body(const CreatureTree& tree, const Vec3d& up) {
    CreatureReading reading{tree, find_pairs(tree, up), up, {}, {}, 0};
    double floor = INFINITY;
    for (const BranchPair& pair : reading.body.pairs)
        if (may_stand(tree, pair)) floor = std::min(floor, pair_height(tree, pair, up));
    for (const BranchPair& pair : reading.body.pairs) {
        const LegFit a = fit_leg(tree, pair.chain[0], up), b = fit_leg(tree, pair.chain[1], up);
        const double drop = 0.5 * (a.drop + b.drop);
        const double steepness = pair.part == CreaturePart::leg ? sprawls_cos : stands_cos;
        const bool stands = may_stand(tree, pair) && 0.5 * (a.down + b.down) >= steepness &&
                            std::min(a.ground, b.ground) - floor < near_ground * drop && drop > least_leg * tree.size;
        if (stands)
            reading.legs.push_back(&pair);
        else if (pair.part != CreaturePart::face && pair.part != CreaturePart::jaw &&
                 pair.length > least_leg * tree.size)
            reading.others.push_back(&pair);
    }
    // One pair that slants much is a pair of fins or of drooping arms, unless its names say legs.
    if (reading.legs.size() == 1 && reading.legs[0]->part != CreaturePart::leg &&
        fit_leg(tree, reading.legs[0]->chain[0], up).down < lone_pair_cos) {
        reading.others.push_back(reading.legs[0]);
        reading.legs.clear();
    }
    reading.ground = INFINITY;
    for (const BranchPair* leg : reading.legs) reading.ground = std::min(reading.ground, pair_height(tree, *leg, up));
    for (size_t j = 0; reading.legs.empty() && j < tree.position.size(); ++j)
        if (!tree.out[j]) reading.ground = std::min(reading.ground, tree.position[j].dot(up));
    if (!std::isfinite(reading.ground)) reading.ground = 0;
    return reading;
}

Vec3d middle(const CreatureTree& tree, const JointChain& joints) {
    Vec3d sum = Vec3d::Zero();
    for (const int32_t joint : joints) sum += tree.at(joint);
    return joints.empty() ? sum : Vec3d(sum / static_cast<double>(joints.size()));
}

}  // namespace sinew
