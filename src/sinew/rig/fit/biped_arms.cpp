#include <sinew/rig/fit/biped_parts.h>
#include <sinew/rig/priors/people.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us. Slices and shares of an arm are counted from its tip to the shoulder.
// How suddenly the trunk begins is told by the areas of slices this far on both sides.
constexpr int contrast_slices = 4;
// The narrowest slice around the wrist is looked for here, the bulge of the hand from `hand_from` to it. A bulge that
// is not this much larger says nothing; one that is gets this much of the say, the usual place the rest.
constexpr double wrist_from = 0.2, wrist_to = 0.46, hand_from = 0.08, clear_bulge = 1.15, trust_in_bulge = 0.65,
                 trust_in_usual = 0.35;
// A bent elbow is looked for here, by the angle between the arm's line this far on both sides. A place far from the
// usual one must bend more: this many radians for the arm's whole length. Bends of 0.2 radians say nothing, of 0.6 all.
constexpr double elbow_from = 0.52, elbow_to = 0.76, elbow_span = 0.16, far_from_usual = 0.6, faint_bend = 0.2,
                 clear_bend = 0.4;
// Hands are the same when the areas of their slices, over this much of the arm, differ by less than this share.
constexpr double compared_part = 0.7, same_area = 0.3;
// Arms whose lengths differ by less than this factor are equally long: voxels and poses make as much.
constexpr double equally_long = 1.12;
// An arm is followed past the body's middle by this factor of its distance.
constexpr double past_middle = 1.2;
// The direction of the upper arm is taken from here to the shoulder.
constexpr double upper_arm_from = 0.6;
// Shoulders that are farther from mirroring each other, as a share of the height, are both put at their mean.
constexpr double shoulders_apart = 0.08;
// A torso shorter than this share of the height is none: nothing is mended by it.
constexpr double shortest_torso = 0.1;
// Shoulders wider than they should be come back by half; under a large head altogether.
constexpr double come_back = 0.5;

// The shoulder: the first slice that is twice as large as the arm has been so far.
void find_shoulder(Arm& arm, double height) {
    const TracedLimb& limb = arm.limb;
    // A palm grows as suddenly behind a finger, but it is in the outer part of the way.
    const double least = std::max(people::shortest_arm * height, people::hand_in_way * limb.size() * limb.cell);
    arm.shoulder_slice = find_root_slice(limb, least, people::fingertip * height, people::longest_arm * height);
    const int found = static_cast<int>(arm.shoulder_slice + 0.5);
    const double before = limb.area[static_cast<size_t>(std::max(0, found - contrast_slices))];
    const double behind = limb.area[static_cast<size_t>(std::min(limb.size() - 1, found + contrast_slices))];
    arm.contrast = std::clamp(behind / std::max(before, 1.0) - 1.0, 0.0, 1.0);
}

// The wrist: behind the bulge of the hand, where the arm has half narrowed.
double find_wrist(const TracedLimb& limb, double shoulder) {
    const double usual = people::wrist_share * shoulder;
    const auto area = [&](int k) { return limb.area[static_cast<size_t>(std::clamp(k, 0, limb.size() - 1))]; };
    int narrow = -1;
    for (int k = static_cast<int>(wrist_from * shoulder); k <= wrist_to * shoulder; ++k)
        if (narrow < 0 || area(k) < area(narrow)) narrow = k;
    int bulge = narrow;
    for (int k = static_cast<int>(hand_from * shoulder); k < narrow; ++k)
        if (area(k) > area(bulge)) bulge = k;
    if (narrow < 0 || area(bulge) < clear_bulge * area(narrow)) return usual;
    double half = bulge;
    while (half < narrow && area(static_cast<int>(half)) > 0.5 * (area(bulge) + area(narrow))) half += 1.0;
    return trust_in_bulge * half + trust_in_usual * usual;
}

// The elbow: by proportion, or where the arm bends.
double find_elbow(const TracedLimb& limb, double shoulder) {
    const double usual = people::elbow_share * shoulder, span = elbow_span * shoulder;
    double best = usual, sharpest = 0.0;
    for (double k = elbow_from * shoulder; k <= elbow_to * shoulder; k += 0.5) {
        const Vec3d a = (limb.at(k) - limb.at(k - span)).normalized(),
                    b = (limb.at(k + span) - limb.at(k)).normalized();
        const double angle =
            std::acos(std::clamp(a.dot(b), -1.0, 1.0)) - far_from_usual * std::abs(k - usual) / shoulder;
        if (angle > sharpest) sharpest = angle, best = k;
    }
    const double trust = std::clamp((sharpest - faint_bend) / clear_bend, 0.0, 1.0);
    return usual + trust * (best - usual);
}

// Whether both hands look the same: from the tips on, their slices are about as large.
bool same_hands(const TracedLimb& a, const TracedLimb& b, double slices) {
    double apart = 0.0, total = 0.0;
    for (size_t k = 0; k < static_cast<size_t>(slices) && k < a.area.size() && k < b.area.size(); ++k) {
        apart += std::abs(a.area[k] - b.area[k]);
        total += a.area[k] + b.area[k];
    }
    return apart < same_area * total;
}

// Arms in different poses still hang on one trunk: the length at which their shoulders mirror each other best.
double mirrored_length(const TracedLimb& a, const TracedLimb& b, double shorter, double longer) {
    double best = shorter, least = INFINITY;
    for (double length = shorter; length <= longer; length += 0.5) {
        const Vec3d p = a.at(length), q = b.at(length);
        const double apart = (p - mirrored(q)).norm();
        if (apart < least) least = apart, best = length;
    }
    return best;
}

// How many slices of both arms are something that the hands hold: arms that are far too long for the trunk are cut to
// the usual length.
double held_in_both(const Arms& arms, const Legs& legs) {
    const Arm &a = arms.side[0], &b = arms.side[1];
    const double cell = a.limb.cell, length = std::min(a.shoulder_slice, b.shoulder_slice);
    const double torso = 0.5 * (a.limb.at(a.shoulder_slice) + b.limb.at(b.shoulder_slice)).y() - legs.crotch.y();
    return length * cell > people::longest_arm_to_torso * torso
               ? std::max(0.0, length - people::arm_to_torso * torso / cell)
               : 0.0;
}

}  // namespace

Arms find_arms(const Upright& upright, const Legs& legs) {
    Arms arms;
    arms.found = upright.arms[0] >= 0;
    if (!arms.found) return arms;
    for (size_t k = 0; k < 2; ++k) {
        Arm& arm = arms.side[k];
        const Extremity& end = upright.end(upright.arms[k]);
        arm.limb = trace_limb(upright.body, end.voxel, upright.middle(), past_middle * end.distance);
        smooth(arm.limb, 1);
        arm.tip = end.position;
        find_shoulder(arm, upright.height);
    }
    // What both hands hold is cut off.
    if (const double held = held_in_both(arms, legs); held > 0.0) {
        for (Arm& arm : arms.side) {
            drop_tip(arm.limb, static_cast<int>(held));
            arm.shoulder_slice -= std::floor(held);
            arm.tip = arm.limb.at(0.0);
        }
    }
    // Both arms are equally long: what makes one longer is in its hand.
    Arm &a = arms.side[0], &b = arms.side[1];
    const double shorter = std::min(a.shoulder_slice, b.shoulder_slice),
                 longer = std::max(a.shoulder_slice, b.shoulder_slice);
    const bool close = longer < equally_long * shorter;
    const bool alike = close || same_hands(a.limb, b.limb, compared_part * shorter);
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
        arm.elbow_slice = alike ? find_elbow(arm.limb, arm.shoulder_slice) : extra + people::elbow_share * length;
    }
    if (alike) a.elbow_slice = b.elbow_slice = 0.5 * (a.elbow_slice + b.elbow_slice);
    for (Arm& arm : arms.side) {
        arm.shoulder = arm.limb.at(arm.shoulder_slice);
        // The joint lies above the middle of the slice. The armpit pulls the slice down and out, the more the arm
        // hangs.
        const Vec3d along = (arm.shoulder - arm.limb.at(upper_arm_from * arm.shoulder_slice)).normalized();
        const double hang = std::clamp(along.y(), 0.0, 1.0);
        arm.shoulder.y() +=
            (people::shoulder_above_slice + people::shoulder_of_hanging_arm * hang * hang) * upright.height;
        arm.shoulder.x() -=
            (arm.shoulder.x() > 0.0 ? 1.0 : -1.0) * people::shoulder_of_hanging_arm * hang * hang * upright.height;
        arm.elbow = arm.limb.at(arm.elbow_slice);
        arm.wrist = arm.limb.at(arm.wrist_slice);
    }
    return arms;
}

void mend_shoulders(const Upright& upright, const Legs& legs, const BipedTrunk& trunk, Arms& arms) {
    if (!arms.found) return;
    const double H = upright.height;
    const Vec3d l = arms.side[0].shoulder, r = mirrored(arms.side[1].shoulder), mean = 0.5 * (l + r);
    const bool apart = (l - r).norm() > shoulders_apart * H;
    const double torso = mean.y() - legs.crotch.y(), head = (trunk.top.y() - trunk.narrow.y()) / H;
    if (torso < shortest_torso * H) return;
    const double large = std::clamp((head - people::large_head) / people::largest_head, 0.0, 1.0);
    const double least = people::narrowest_shoulders * torso,
                 most = (people::widest_shoulders - people::narrower_below_large_head * large) * torso,
                 yield = come_back * (1.0 - large);
    for (size_t k = 0; k < 2; ++k) {
        Arm& arm = arms.side[k];
        Vec3d place = apart ? mean : k == 0 ? l : r;
        if (place.x() < least) place.x() = least;
        if (place.x() > most) place.x() = most + yield * (place.x() - most);
        if (k == 1) place = mirrored(place);
        // The elbow moves with its share of the arm.
        const double longer = (place - arm.shoulder).dot((arm.shoulder - arm.elbow).normalized());
        arm.elbow_slice += people::upper_arm_share * longer / arm.limb.cell;
        arm.elbow = arm.limb.at(arm.elbow_slice);
        arm.shoulder = place;
    }
}

}  // namespace sinew
