#include <sinew/rig/beasts/dragon.h>

#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/quadruped.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Joints of a wing, as shares of the way from the shoulder to the tip: those of the bird's template.
constexpr double wing_shares[] = {0.0, 0.24, 0.58, 0.92};
constexpr const char* wing_names[] = {"UpperWing", "LowerWing", "WingHand", "WingTip"};
// Joints that mirror the other side's this well, as a share of the height, are made to do so exactly.
constexpr double wing_mirror_tolerance = 0.08;

// A quadruped that is less sure is none, and wings are not worth following: a cube has them at its upper corners.
constexpr double least_quadruped = 0.15;

struct Wing {
    Vec3d joint[4], tip;
};

Wing trace_wing(const Upright& upright, int end, double trunk) {
    const Extremity& tip = upright.end(end);
    TracedLimb limb = trace_limb(upright.body, tip.voxel, upright.middle(), tip.distance);
    smooth(limb, 2);
    double root = 0.0;
    while (root < limb.size() - 1 && std::abs(limb.at(root).x()) > trunk) root += 0.5;
    Wing wing{.joint = {}, .tip = tip.position};
    for (size_t k = 0; k < 4; ++k) wing.joint[k] = limb.at((1.0 - wing_shares[k]) * root);
    return wing;
}

}  // namespace

void add_wings(const Upright& upright, const WingPlan& plan, Fit& fit) {
    Wing wings[2];
    for (size_t k = 0; k < 2; ++k) wings[k] = trace_wing(upright, plan.tips[k], plan.trunk);
    for (size_t i = 0; i < 4; ++i) agree(wings[0].joint[i], wings[1].joint[i], wing_mirror_tolerance * upright.height);
    for (size_t k = 0; k < 2; ++k) {
        int parent = plan.parent;
        for (size_t i = 0; i < 4; ++i)
            parent = fit.add((k == 0 ? "left" : "right") + std::string(wing_names[i]), parent, wings[k].joint[i]);
        fit.joints[static_cast<size_t>(parent)].tip = wings[k].tip;
    }
}

Fit fit_dragon(const Upright& upright) {
    if (upright.arms[0] < 0) {
        Fit none;
        none.warnings.emplace_back("no wings were found");
        return none;
    }
    Fit fit = fit_quadruped(upright);
    const int chest = fit.find("upperChest"), leg = fit.find("leftFrontUpperLeg");
    if (chest < 0 || leg < 0 || fit.confidence < least_quadruped) return fit;
    add_wings(upright,
              {.tips = {upright.arms[0], upright.arms[1]},
               .parent = chest,
               .trunk = std::abs(fit.joints[static_cast<size_t>(leg)].position.x())},
              fit);
    rate_wings(fit);
    return fit;
}

}  // namespace sinew
