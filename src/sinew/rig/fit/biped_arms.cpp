#include <sinew/rig/fit/biped_parts.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The shoulder: where slices have become twice as large as along the arm so far.
void find_shoulder(Arm& arm, double height) {
    const TracedLimb& limb = arm.limb;
    // The palm behind a finger grows as suddenly; but the shoulder is not in the outer part of the way.
    const double least = std::max(0.12 * height, 0.4 * limb.size() * limb.cell);
    arm.shoulder_slice = find_root_slice(limb, least, 0.05 * height, 0.5 * height);
    const int found = static_cast<int>(arm.shoulder_slice + 0.5);
    const double before = limb.area[static_cast<size_t>(std::max(0, found - 4))];
    const double behind = limb.area[static_cast<size_t>(std::min(limb.size() - 1, found + 4))];
    arm.contrast = std::clamp(behind / std::max(before, 1.0) - 1.0, 0.0, 1.0);
}

// The wrist: behind the bulge of the hand, where it has half narrowed.
double find_wrist(const TracedLimb& limb, double shoulder) {
    const double usual = 0.31 * shoulder;
    const auto area = [&](int k) { return limb.area[static_cast<size_t>(std::clamp(k, 0, limb.size() - 1))]; };
    int narrow = -1;
    for (int k = static_cast<int>(0.2 * shoulder); k <= 0.46 * shoulder; ++k)
        if (narrow < 0 || area(k) < area(narrow)) narrow = k;
    int bulge = narrow;
    for (int k = static_cast<int>(0.08 * shoulder); k < narrow; ++k)
        if (area(k) > area(bulge)) bulge = k;
    if (narrow < 0 || area(bulge) < 1.15 * area(narrow)) return usual;
    double half = bulge;
    while (half < narrow && area(static_cast<int>(half)) > 0.5 * (area(bulge) + area(narrow))) half += 1.0;
    return 0.65 * half + 0.35 * usual;
}

// The elbow: by proportion, or where the arm bends.
double find_elbow(const TracedLimb& limb, double shoulder) {
    const double usual = 0.63 * shoulder, span = 0.16 * shoulder;
    double best = usual, sharpest = 0.0;
    for (double k = 0.52 * shoulder; k <= 0.76 * shoulder; k += 0.5) {
        const Vec3d a = (limb.at(k) - limb.at(k - span)).normalized(),
                    b = (limb.at(k + span) - limb.at(k)).normalized();
        const double angle = std::acos(std::clamp(a.dot(b), -1.0, 1.0)) - 0.6 * std::abs(k - usual) / shoulder;
        if (angle > sharpest) sharpest = angle, best = k;
    }
    const double trust = std::clamp((sharpest - 0.2) / 0.4, 0.0, 1.0);
    return usual + trust * (best - usual);
}

// Whether both arms end in the same hand: their slices are about as large from the tip on.
bool same_hands(const TracedLimb& a, const TracedLimb& b, double slices) {
    double apart = 0.0, total = 0.0;
    for (size_t k = 0; k < static_cast<size_t>(slices) && k < a.area.size() && k < b.area.size(); ++k) {
        apart += std::abs(a.area[k] - b.area[k]);
        total += a.area[k] + b.area[k];
    }
    return apart < 0.3 * total;
}

// Arms in different poses still hang on one trunk: the length at which the shoulders are mirror images.
double mirrored_length(const TracedLimb& a, const TracedLimb& b, double shorter, double longer) {
    double best = shorter, least = INFINITY;
    for (double length = shorter; length <= longer; length += 0.5) {
        const Vec3d p = a.at(length), q = b.at(length);
        const double apart = (p - mirrored(q)).norm();
        if (apart < least) least = apart, best = length;
    }
    return best;
}

// How much of what was followed from the tip is held in the hand, when both hands hold something: arms are in
// proportion to the trunk.
double held_in_both(const Arms& arms, const Legs& legs) {
    const Arm &a = arms.side[0], &b = arms.side[1];
    const double cell = a.limb.cell, length = std::min(a.shoulder_slice, b.shoulder_slice);
    const double torso = 0.5 * (a.limb.at(a.shoulder_slice) + b.limb.at(b.shoulder_slice)).y() - legs.crotch.y();
    return length * cell > 2.2 * torso ? std::max(0.0, length - 1.4 * torso / cell) : 0.0;
}

}  // namespace

Arms find_arms(const Upright& upright, const Legs& legs) {
    Arms arms;
    arms.found = upright.arms[0] >= 0;
    if (!arms.found) return arms;
    for (size_t k = 0; k < 2; ++k) {
        Arm& arm = arms.side[k];
        const Extremity& end = upright.end(upright.arms[k]);
        arm.limb = trace_limb(upright.body, end.voxel, upright.middle(), 1.2 * end.distance);
        smooth(arm.limb, 1);
        arm.tip = end.position;
        find_shoulder(arm, upright.height);
    }
    // What both hold is cut off.
    if (const double held = held_in_both(arms, legs); held > 0.0) {
        for (Arm& arm : arms.side) {
            drop_tip(arm.limb, static_cast<int>(held));
            arm.shoulder_slice -= std::floor(held);
            arm.tip = arm.limb.at(0.0);
        }
    }
    // Both arms are as long: what makes one longer is in the hand.
    Arm &a = arms.side[0], &b = arms.side[1];
    const double shorter = std::min(a.shoulder_slice, b.shoulder_slice),
                 longer = std::max(a.shoulder_slice, b.shoulder_slice);
    const bool close = longer < 1.12 * shorter;
    const bool alike = close || same_hands(a.limb, b.limb, 0.7 * shorter);
    const double length = close   ? 0.5 * (shorter + longer)
                          : alike ? mirrored_length(a.limb, b.limb, shorter, longer)
                                  : shorter;
    if (alike && !close) a.shoulder_slice = b.shoulder_slice = mirrored_length(a.limb, b.limb, shorter, longer);
    const Arm& model = a.shoulder_slice <= b.shoulder_slice ? a : b;
    const double wrist = alike ? 0.5 * (find_wrist(a.limb, a.shoulder_slice) + find_wrist(b.limb, b.shoulder_slice))
                               : find_wrist(model.limb, model.shoulder_slice);
    for (Arm& arm : arms.side) {
        const double extra = alike ? 0.0 : arm.shoulder_slice - length;  // what the hand holds
        if (alike) arm.shoulder_slice = length;
        arm.wrist_slice = extra + wrist;
        arm.elbow_slice = alike ? find_elbow(arm.limb, arm.shoulder_slice) : extra + 0.63 * length;
    }
    if (alike) a.elbow_slice = b.elbow_slice = 0.5 * (a.elbow_slice + b.elbow_slice);
    for (Arm& arm : arms.side) {
        arm.shoulder = arm.limb.at(arm.shoulder_slice);
        // The joint lies above the middle of the slice, which the armpit pulls down and out the more the arm hangs.
        const Vec3d along = (arm.shoulder - arm.limb.at(0.6 * arm.shoulder_slice)).normalized();
        const double hang = std::clamp(along.y(), 0.0, 1.0);
        arm.shoulder.y() += (0.007 + 0.02 * hang * hang) * upright.height;
        arm.shoulder.x() -= (arm.shoulder.x() > 0.0 ? 1.0 : -1.0) * 0.02 * hang * hang * upright.height;
        arm.elbow = arm.limb.at(arm.elbow_slice);
        arm.wrist = arm.limb.at(arm.wrist_slice);
    }
    return arms;
}

void mend_shoulders(const Upright& upright, const Legs& legs, const BipedTrunk& trunk, Arms& arms) {
    if (!arms.found) return;
    const double H = upright.height;
    const Vec3d l = arms.side[0].shoulder, r = mirrored(arms.side[1].shoulder), mean = 0.5 * (l + r);
    const bool apart = (l - r).norm() > 0.08 * H;
    const double torso = mean.y() - legs.crotch.y(), head = (trunk.top.y() - trunk.narrow.y()) / H;
    if (torso < 0.1 * H) return;
    const double large = std::clamp((head - 0.25) / 0.15, 0.0, 1.0);
    const double least = 0.2 * torso, most = (0.42 - 0.11 * large) * torso, yield = 0.5 * (1.0 - large);
    for (size_t k = 0; k < 2; ++k) {
        Arm& arm = arms.side[k];
        Vec3d place = apart ? mean : k == 0 ? l : r;
        if (place.x() < least) place.x() = least;
        if (place.x() > most) place.x() = most + yield * (place.x() - most);
        if (k == 1) place = mirrored(place);
        // The elbow keeps its share of the arm.
        const double longer = (place - arm.shoulder).dot((arm.shoulder - arm.elbow).normalized());
        arm.elbow_slice += 0.37 * longer / arm.limb.cell;
        arm.elbow = arm.limb.at(arm.elbow_slice);
        arm.shoulder = place;
    }
}

}  // namespace sinew
