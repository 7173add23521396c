#include <sinew/rig/fit/confidence.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Vec3d at(const Fit& fit, std::string_view name) {
    const int j = fit.find(name);
    return j < 0 ? Vec3d::Zero() : fit.joints[static_cast<size_t>(j)].position;
}

double bone(const Fit& fit, std::string_view a, std::string_view b) {
    return (at(fit, a) - at(fit, b)).norm();
}

double ratio(double a, double b) {
    return b > 1e-12 ? a / b : 100.0;
}

void blame(Fit& fit, std::string_view part, double confidence) {
    for (FitJoint& joint : fit.joints)
        if (joint.name.find(part) != std::string::npos) joint.confidence = std::min(joint.confidence, confidence);
}

double thigh_to_shin(const Fit& fit) {
    return 0.5 * (ratio(bone(fit, "leftUpperLeg", "leftLowerLeg"), bone(fit, "leftLowerLeg", "leftFoot")) +
                  ratio(bone(fit, "rightUpperLeg", "rightLowerLeg"), bone(fit, "rightLowerLeg", "rightFoot")));
}

// How far out the shoulders are beside the trunk, where it is narrowest below the armpits. Arms that were followed deep
// into a broad body end near its middle.
double shoulders_to_chest(const Upright& upright, const Arms& arms, double crotch) {
    const Vec3d &l = arms.side[0].shoulder, &r = arms.side[1].shoulder;
    const double height = 0.5 * (l.y() + r.y()), torso = height - crotch;
    double narrowest = INFINITY;
    for (const double below : {0.3, 0.4, 0.5}) {
        const Cut cut =
            cut_level(upright.body, height - below * torso, {0.0, 0.0, 0.5 * (l.z() + r.z())}, 0.5 * upright.height);
        if (cut.found) narrowest = std::min(narrowest, cut.half_width);
    }
    return ratio(0.5 * (l.x() - r.x()), narrowest);
}

// Joints outside the solid are blamed; the share of those inside.
double share_inside(const Upright& upright, Fit& fit) {
    double inside = 0.0;
    for (FitJoint& joint : fit.joints) {
        const bool in = upright.body.inside(joint.position);
        inside += in;
        if (!in) joint.confidence = std::min(joint.confidence, 0.6);
    }
    return fit.joints.empty() ? 0.0 : inside / static_cast<double>(fit.joints.size());
}

// Bones of a good fit hardly leave the solid. Joints that do are blamed.
double rate_inside(const Upright& upright, Fit& fit) {
    share_inside(upright, fit);
    return plausible(bones_inside(upright, fit), 0.92, 1.0, 0.3);
}

// How clear it is which way is up, which way is ahead, and where the mirror plane lies.
double rate_reading(const Reading& reading) {
    return plausible(reading.overlap, 0.85, 2.0, 0.3, 0.5) * plausible(reading.facing_score, 0.25, 10.0, 0.4, 0.45) *
           plausible(reading.up_score, 0.6, 10.0, 0.5, 0.4);
}

}  // namespace

double plausible(double value, double low, double high, double slack, double least) {
    const double off = std::max({low - value, value - high, 0.0}) / slack;
    return std::max(least, 1.0 - (1.0 - least) * off);
}

double bones_inside(const Upright& upright, const Fit& fit) {
    constexpr int samples = 6;
    double inside = 0.0, total = 0.0;
    for (const FitJoint& joint : fit.joints) {
        if (joint.parent < 0) continue;
        const Vec3d& from = fit.joints[static_cast<size_t>(joint.parent)].position;
        const double length = (joint.position - from).norm() / samples;
        total += samples * length;
        for (int k = 0; k < samples; ++k)
            if (upright.body.inside(from + (joint.position - from) * ((k + 0.5) / samples))) inside += length;
    }
    return total > 0.0 ? inside / total : 0.0;
}

void rate_biped(const Upright& upright, const Legs& legs, const Arms& arms, const BipedTrunk& trunk, Fit& fit) {
    const double H = upright.height;
    const Vec3d shoulders = 0.5 * (at(fit, "leftUpperArm") + at(fit, "rightUpperArm"));
    const double crotch = legs.crotch.y(), torso = shoulders.y() - crotch;
    // A thigh that is much shorter than the shin begins too low: something hides where the legs part. Both stand on the
    // ground.
    const double legs_cue =
        plausible(ratio(crotch, shoulders.y()), 0.3, 0.68, 0.15) * plausible(thigh_to_shin(fit), 0.72, 2.0, 0.3, 0.7) *
        plausible(std::abs(at(fit, "leftFoot").y() - at(fit, "rightFoot").y()) / H, 0.0, 0.15, 0.15);
    double arms_cue = arms.found ? 1.0 : 0.5, pose_cue = 1.0;
    if (arms.found) {
        double length[2];
        for (size_t k = 0; k < 2; ++k) {
            const Arm& arm = arms.side[k];
            const double upper = (arm.shoulder - arm.elbow).norm();
            length[k] = upper + (arm.elbow - arm.wrist).norm();
            arms_cue *= plausible(ratio(length[k], torso), 0.6, 1.6, 0.5);
            arms_cue *= plausible(ratio(upper, length[k]), 0.4, 0.65, 0.2);
        }
        pose_cue *= plausible(ratio(length[0], length[1]), 0.87, 1.15, 0.2);
        const Vec3d &l = arms.side[0].shoulder, &r = arms.side[1].shoulder;
        pose_cue *= plausible((l - mirrored(r)).norm() / H, 0.0, 0.03, 0.08);
        pose_cue *= plausible(shoulders_to_chest(upright, arms, crotch), 0.42, INFINITY, 0.15, 0.4);
        arms_cue *= plausible(ratio(0.5 * (l.x() - r.x()), torso), 0.15, 0.5, 0.15);
    }
    const double head_cue = plausible(ratio(trunk.top.y() - trunk.narrow.y(), H), 0.07, 0.55, 0.1) *
                            plausible(trunk.neck_contrast, 0.12, 1.0, 0.12, 0.8) *
                            plausible(ratio(shoulders.y(), H), 0.4, 0.9, 0.1) *
                            (upright.body.inside(at(fit, "head")) ? 1.0 : 0.5);
    const double torso_cue = plausible(ratio(torso, H), 0.2, 0.5, 0.12);
    // With a long tail or snout it is no person, and the proportions of people say little.
    const double depth = upright.body.high.z() - upright.body.low.z();
    fit.caution = plausible(ratio(depth, H), 0.0, 0.9, 0.6, 0.55);
    blame(fit, "Arm", arms_cue * pose_cue), blame(fit, "Hand", arms_cue * pose_cue), blame(fit, "Leg", legs_cue),
        blame(fit, "Foot", legs_cue), blame(fit, "head", head_cue), blame(fit, "neck", head_cue);
    fit.sure_of_kind =
        rate_reading(upright.reading) * legs_cue * arms_cue * head_cue * torso_cue * rate_inside(upright, fit);
    fit.confidence = fit.sure_of_kind * pose_cue;
}

void rate_quadruped(const Upright& upright, Fit& fit) {
    const double H = upright.height;
    const double trunk = bone(fit, "hips", "neck");
    double legs = 1.0;
    for (const char* pair : {"Front", "Hind"}) {
        const std::string left = std::string("left") + pair, right = std::string("right") + pair;
        const double l = bone(fit, left + "UpperLeg", left + "Foot"), r = bone(fit, right + "UpperLeg", right + "Foot");
        legs *= plausible(ratio(l, r), 0.8, 1.25, 0.3) * plausible(ratio(l, H), 0.15, 0.9, 0.15);
    }
    // A cape's corners are no hind legs: they stand too close to the others.
    const double apart = at(fit, "leftFrontUpperLeg").z() - at(fit, "leftHindUpperLeg").z();
    const double trunk_cue =
        plausible(ratio(trunk, H), 0.3, 2.5, 0.25) * plausible(ratio(apart, H), 0.36, 9.0, 0.1, 0.3);
    blame(fit, "Leg", legs), blame(fit, "spine", trunk_cue), blame(fit, "chest", trunk_cue);
    fit.confidence = rate_reading(upright.reading) * legs * trunk_cue * rate_inside(upright, fit) *
                     (fit.find("head") >= 0 && fit.warnings.empty() ? 1.0 : 0.7);
}

void rate_bird(const Upright& upright, Fit& fit) {
    const double l = bone(fit, "leftUpperWing", "leftWingTip"), r = bone(fit, "rightUpperWing", "rightWingTip");
    const double wings = plausible(ratio(l, r), 0.85, 1.18, 0.3);
    blame(fit, "Wing", wings);
    // In flight the tail is as good a head as the head is.
    const double facing = plausible(upright.reading.facing_score, 0.6, 10.0, 0.3, 0.45);
    fit.confidence = 0.9 * rate_reading(upright.reading) * facing * wings *
                     plausible(share_inside(upright, fit), 0.7, 1.0, 0.5) * (fit.warnings.empty() ? 1.0 : 0.7);
}

}  // namespace sinew
