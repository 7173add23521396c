#include <sinew/rig/hints.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

int partner(const Fit& fit, int j) {
    if (j < 0) return -1;
    const FitJoint& joint = fit.joints[static_cast<size_t>(j)];
    if (joint.mirror >= 0) return joint.mirror;
    if (joint.name.rfind("left", 0) == 0) return fit.find("right" + joint.name.substr(std::string_view("left").size()));
    if (joint.name.rfind("right", 0) == 0)
        return fit.find("left" + joint.name.substr(std::string_view("right").size()));
    return -1;
}

}  // namespace

void fix_joints(Fit& fit, const std::vector<FixedJoint>& fixed, bool mirrored) {
    const size_t count = fit.joints.size();
    std::vector<Vec3d> move(count, Vec3d::Zero());
    std::vector<char> held(count, 0);
    for (const FixedJoint& f : fixed) {
        const int j = fit.find(f.name);
        if (j < 0) continue;
        move[static_cast<size_t>(j)] = f.position - fit.joints[static_cast<size_t>(j)].position;
        held[static_cast<size_t>(j)] = 1;
        fit.joints[static_cast<size_t>(j)].confidence = 1.0;
    }
    for (const FixedJoint& f : fixed) {
        const int j = fit.find(f.name), p = partner(fit, j);
        if (!mirrored || j < 0 || p < 0 || held[static_cast<size_t>(p)]) continue;
        const Vec3d& m = move[static_cast<size_t>(j)];
        move[static_cast<size_t>(p)] = Vec3d(-m.x(), m.y(), m.z());
        held[static_cast<size_t>(p)] = 1;
    }
    std::vector<int> children(count, 0);
    for (const FitJoint& joint : fit.joints)
        if (joint.parent >= 0) ++children[static_cast<size_t>(joint.parent)];
    // Upwards: joints between a fixed one and the trunk (a joint with several children) move by their share.
    std::vector<Vec3d> total = move;
    std::vector<char> moved = held;
    for (size_t j = 0; j < count; ++j) {
        if (!held[j]) continue;
        std::vector<int> chain;
        int at = fit.joints[j].parent;
        while (at >= 0 && !held[static_cast<size_t>(at)] && children[static_cast<size_t>(at)] == 1)
            chain.push_back(at), at = fit.joints[static_cast<size_t>(at)].parent;
        const Vec3d base = at >= 0 ? total[static_cast<size_t>(at)] : Vec3d::Zero();
        for (size_t k = 0; k < chain.size(); ++k) {
            const double share = 1.0 - static_cast<double>(k + 1) / static_cast<double>(chain.size() + 1);
            total[static_cast<size_t>(chain[k])] = base + share * (move[j] - base);
            moved[static_cast<size_t>(chain[k])] = 1;
        }
    }
    // Downwards: a joint that nothing has moved yet moves with its parent.
    for (size_t j = 0; j < count; ++j) {
        FitJoint& joint = fit.joints[j];
        if (!moved[j] && joint.parent >= 0) total[j] = total[static_cast<size_t>(joint.parent)];
    }
    for (size_t j = 0; j < count; ++j) {
        fit.joints[j].position += total[j];
        if (fit.joints[j].tip) *fit.joints[j].tip += total[j];
    }
}

void add_twist_joints(Fit& fit, int count) {
    const size_t before = fit.joints.size();
    for (size_t j = 0; j < before && count > 0; ++j) {
        const std::string name = fit.joints[j].name;
        const bool limb = name.find("UpperArm") != std::string::npos || name.find("LowerArm") != std::string::npos ||
                          name.find("UpperLeg") != std::string::npos || name.find("LowerLeg") != std::string::npos;
        if (!limb) continue;
        for (size_t c = j + 1; c < before; ++c) {
            if (fit.joints[c].parent != static_cast<int>(j)) continue;
            const Vec3d from = fit.joints[j].position, to = fit.joints[c].position;
            for (int k = 1; k <= count; ++k) {
                const int twist = fit.add(name + "Twist" + std::to_string(k), static_cast<int>(j),
                                          from + (to - from) * k / (count + 1));
                fit.joints[static_cast<size_t>(twist)].tip = to;
                fit.joints[static_cast<size_t>(twist)].bend = fit.joints[j].bend;
            }
            break;
        }
    }
}

void add_root(Fit& fit, double ground) {
    if (fit.joints.empty()) return;
    const Vec3d first = fit.joints.front().position;
    for (FitJoint& joint : fit.joints) {
        ++joint.parent;
        if (joint.mirror >= 0) ++joint.mirror;
    }
    FitJoint root;
    root.name = "root";
    root.axes = Mat3d::Identity();
    root.position = Vec3d(0.0, ground, first.z());
    fit.joints.insert(fit.joints.begin(), root);
}

}  // namespace sinew
