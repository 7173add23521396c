#include <sinew/rig/fit/confidence.h>

#include <sinew/rig/priors/cues.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// What a ratio is when there is nothing to divide by: far outside every cue's range.
constexpr double no_ratio = 100.0, no_divisor = 1e-12;
// The chest is narrowest somewhere here: shares of the way from the shoulders down to the crotch, below the armpits and
// above the hips.
constexpr double chest_levels[] = {0.3, 0.4, 0.5};
// No chest is wider than this to either side, as a share of the height.
constexpr double widest_chest = 0.5;
// The image of a body behind its front is shifted by up to this share of its depth: feet and tails reach out on one
// side.
constexpr double image_shift = 0.15;
// So many levels, as a share of all, cover themselves less than what is measured: feet alone are about a twentieth.
constexpr double least_levels = 0.04;
// The confidence of a joint outside the solid: as that of an accepted fit, no more.
constexpr double joint_outside = 0.6;

Vec3d at(const Fit& fit, std::string_view name) {
    const int j = fit.find(name);
    return j < 0 ? Vec3d::Zero() : fit.joints[static_cast<size_t>(j)].position;
}

double bone(const Fit& fit, std::string_view a, std::string_view b) {
    return (at(fit, a) - at(fit, b)).norm();
}

double ratio(double a, double b) {
    return b > no_divisor ? a / b : no_ratio;
}

// Cues of a fit, from the first to before the last, that are about one part of the body.
struct PartCues {
    size_t first, last;
};

// Joints with `part` in their name are no more certain than `confidence`; the weakest of its cues is why.
void blame(Fit& fit, std::string_view part, double confidence, PartCues about) {
    const FitCue* weakest = nullptr;
    for (size_t k = about.first; k < about.last; ++k)
        if (fit.cues[k].value < (weakest ? weakest->value : 1.0)) weakest = &fit.cues[k];
    for (FitJoint& joint : fit.joints) {
        if (joint.name.find(part) == std::string::npos || joint.confidence <= confidence) continue;
        joint.confidence = confidence;
        if (weakest) joint.why = *weakest;
    }
}

double thigh_to_shin(const Fit& fit) {
    return 0.5 * (ratio(bone(fit, "leftUpperLeg", "leftLowerLeg"), bone(fit, "leftLowerLeg", "leftFoot")) +
                  ratio(bone(fit, "rightUpperLeg", "rightLowerLeg"), bone(fit, "rightLowerLeg", "rightFoot")));
}

// How far out the shoulders are beside the chest, where it is narrowest below the armpits.
double shoulders_to_chest(const Upright& upright, const Arms& arms, double crotch) {
    const Vec3d &l = arms.side[0].shoulder, &r = arms.side[1].shoulder;
    const double height = 0.5 * (l.y() + r.y()), torso = height - crotch;
    double narrowest = INFINITY;
    for (const double below : chest_levels) {
        const Cut cut = cut_level(upright.body, height - below * torso, {0.0, 0.0, 0.5 * (l.z() + r.z())},
                                  widest_chest * upright.height);
        if (cut.found) narrowest = std::min(narrowest, cut.half_width);
    }
    return ratio(0.5 * (l.x() - r.x()), narrowest);
}

// The share of the joints that lie inside the solid. Those outside are blamed.
double share_inside(const Upright& upright, Fit& fit) {
    double inside = 0.0;
    for (FitJoint& joint : fit.joints) {
        const bool in = upright.body.inside(joint.position);
        inside += in;
        if (in || joint.confidence <= joint_outside) continue;
        joint.confidence = joint_outside;
        joint.why = FitCue{&cues::bones_inside, 0.0, joint_outside};
    }
    return fit.joints.empty() ? 0.0 : inside / static_cast<double>(fit.joints.size());
}

// Bones of a good fit hardly leave the solid. Joints that do are blamed.
double rate_inside(const Upright& upright, Fit& fit) {
    share_inside(upright, fit);
    return weigh(fit, cues::bones_inside, bones_inside(upright, fit));
}

// How clear it is which way is up, which way is ahead, and where the mirror plane lies.
double rate_reading(const Reading& reading, Fit& fit) {
    const double overlap = weigh(fit, cues::mirror_overlap, reading.overlap),
                 facing = weigh(fit, cues::facing_margin, reading.facing_score),
                 up = weigh(fit, cues::up_score, reading.up_score);
    return overlap * facing * up;
}

double rate_legs(double crotch, double shoulders, double height, Fit& fit) {
    const double length = weigh(fit, cues::crotch_to_shoulders, ratio(crotch, shoulders)),
                 halves = weigh(fit, cues::thigh_to_shin, thigh_to_shin(fit)),
                 level = weigh(fit, cues::feet_level,
                               std::abs(at(fit, "leftFoot").y() - at(fit, "rightFoot").y()) / height);
    return length * halves * level;
}

// Two things can be wrong with arms: they are no arms, or they are in poses that make their joints doubtful.
struct ArmRating {
    double arms = 1.0, pose = 1.0;
};

ArmRating rate_arms(const Upright& upright, const Arms& arms, double crotch, double torso, Fit& fit) {
    ArmRating rating{.arms = weigh(fit, cues::arms_found, arms.found)};
    if (!arms.found) return rating;
    const Cue* to_torso[2] = {&cues::left_arm_to_torso, &cues::right_arm_to_torso};
    const Cue* halves[2] = {&cues::left_upper_arm_share, &cues::right_upper_arm_share};
    double length[2];
    for (size_t k = 0; k < 2; ++k) {
        const Arm& arm = arms.side[k];
        const double upper = (arm.shoulder - arm.elbow).norm();
        length[k] = upper + (arm.elbow - arm.wrist).norm();
        rating.arms *= weigh(fit, *to_torso[k], ratio(length[k], torso));
        rating.arms *= weigh(fit, *halves[k], ratio(upper, length[k]));
    }
    rating.pose *= weigh(fit, cues::arms_equal, ratio(length[0], length[1]));
    const Vec3d &l = arms.side[0].shoulder, &r = arms.side[1].shoulder;
    rating.pose *= weigh(fit, cues::shoulders_mirrored, (l - mirrored(r)).norm() / upright.height);
    rating.pose *= weigh(fit, cues::shoulders_beside_chest, shoulders_to_chest(upright, arms, crotch));
    rating.arms *= weigh(fit, cues::shoulder_width, ratio(0.5 * (l.x() - r.x()), torso));
    return rating;
}

double rate_head(const Upright& upright, const BipedTrunk& trunk, double shoulders, Fit& fit) {
    const double H = upright.height;
    const double size = weigh(fit, cues::head_height, ratio(trunk.top.y() - trunk.narrow.y(), H)),
                 neck = weigh(fit, cues::neck_seen, trunk.neck_contrast),
                 height = weigh(fit, cues::shoulder_height, ratio(shoulders, H)),
                 inside = weigh(fit, cues::head_inside, upright.body.inside(at(fit, "head")));
    return size * neck * height * inside;
}

}  // namespace

double weigh(Fit& fit, const Cue& cue, double measured) {
    const double value = plausible(cue, measured);
    fit.cues.push_back({&cue, measured, value});
    return value;
}

double weigh(Fit& fit, const Cue& cue, bool yes) {
    return weigh(fit, cue, yes ? 1.0 : 0.0);
}

void settle_confidence(Fit& fit, const Cue& cue, double measured, double value) {
    fit.confidence = value;
    fit.cues = {{&cue, measured, value}};
}

void doubt(Fit& fit, const Cue& cue, double measured) {
    const double value = plausible(cue, measured);
    fit.caution *= value;
    fit.doubts.push_back({&cue, measured, value});
}

double bones_inside(const Upright& upright, const Fit& fit) {
    constexpr int samples = 6;  // per bone: a bone is some ten voxels long
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

double front_like_back(const VoxelBody& body) {
    const VoxelGrid& grid = body.grid;
    const int middle = grid.locate({0.0, 0.0, body.low.z()})[2] + grid.locate({0.0, 0.0, body.high.z()})[2];
    const auto reach = static_cast<int>(image_shift * (body.high.z() - body.low.z()) / grid.cell);
    const auto levels = static_cast<size_t>(grid.dims[1]);
    std::vector<double> all(levels, 0.0), best;
    for (const uint32_t v : body.voxels) all[static_cast<size_t>(grid.voxel(v)[1])] += 1.0;
    double most = -1.0;
    for (int shift = -reach; shift <= reach; ++shift) {
        std::vector<double> covered(levels, 0.0);
        double sum = 0.0;
        for (const uint32_t v : body.voxels) {
            VoxelIndex at = grid.voxel(v);
            at[2] = middle + shift - at[2];
            if (!grid.contains(at) || !body.mask[grid.index(at)]) continue;
            covered[static_cast<size_t>(at[1])] += 1.0;
            sum += 1.0;
        }
        if (sum > most) most = sum, best = std::move(covered);
    }
    std::vector<double> shares;
    for (size_t k = 0; k < levels; ++k)
        if (all[k] > 0.0) shares.push_back(best[k] / all[k]);
    if (shares.empty()) return 1.0;
    const auto at = shares.begin() + static_cast<long>(least_levels * static_cast<double>(shares.size()));
    std::nth_element(shares.begin(), at, shares.end());
    return *at;
}

void rate_biped(const Upright& upright, const Legs& legs, const Arms& arms, const BipedTrunk& trunk, Fit& fit) {
    fit.cues.clear();
    fit.doubts.clear();
    const double H = upright.height;
    const Vec3d shoulders = 0.5 * (at(fit, "leftUpperArm") + at(fit, "rightUpperArm"));
    const double crotch = legs.crotch.y(), torso = shoulders.y() - crotch;
    const double legs_cue = rate_legs(crotch, shoulders.y(), H, fit);
    const size_t after_legs = fit.cues.size();
    const ArmRating arm = rate_arms(upright, arms, crotch, torso, fit);
    const size_t after_arms = fit.cues.size();
    const double head_cue = rate_head(upright, trunk, shoulders.y(), fit);
    const PartCues of_legs{0, after_legs}, of_arms{after_legs, after_arms}, of_head{after_arms, fit.cues.size()};
    const double torso_cue = weigh(fit, cues::torso_height, ratio(torso, H));
    fit.caution = 1.0;
    doubt(fit, cues::depth, ratio(upright.body.high.z() - upright.body.low.z(), H));
    for (const char* part : {"Arm", "Hand"}) blame(fit, part, arm.arms * arm.pose, of_arms);
    for (const char* part : {"Leg", "Foot"}) blame(fit, part, legs_cue, of_legs);
    for (const char* part : {"head", "neck"}) blame(fit, part, head_cue, of_head);
    const double reading = rate_reading(upright.reading, fit), inside = rate_inside(upright, fit);
    fit.sure_of_kind = reading * legs_cue * arm.arms * head_cue * torso_cue * inside;
    fit.confidence = fit.sure_of_kind * arm.pose;
}

void rate_quadruped(const Upright& upright, Fit& fit) {
    fit.cues.clear();
    const double H = upright.height;
    const double trunk = bone(fit, "hips", "neck");
    double legs = 1.0;
    for (const bool front : {true, false}) {
        const std::string pair = front ? "Front" : "Hind", left = "left" + pair, right = "right" + pair;
        const double l = bone(fit, left + "UpperLeg", left + "Foot"), r = bone(fit, right + "UpperLeg", right + "Foot");
        const double equal = weigh(fit, front ? cues::front_legs_equal : cues::hind_legs_equal, ratio(l, r)),
                     length = weigh(fit, front ? cues::front_leg_length : cues::hind_leg_length, ratio(l, H));
        legs *= equal * length;
    }
    const size_t after_legs = fit.cues.size();
    const double apart = at(fit, "leftFrontUpperLeg").z() - at(fit, "leftHindUpperLeg").z();
    const double long_trunk = weigh(fit, cues::animal_trunk_length, ratio(trunk, H)),
                 far_legs = weigh(fit, cues::legs_apart, ratio(apart, H)), trunk_cue = long_trunk * far_legs;
    blame(fit, "Leg", legs, {0, after_legs});
    for (const char* part : {"spine", "chest"}) blame(fit, part, trunk_cue, {after_legs, fit.cues.size()});
    const double reading = rate_reading(upright.reading, fit), inside = rate_inside(upright, fit);
    fit.confidence = reading * legs * trunk_cue * inside *
                     weigh(fit, cues::animal_head_found, fit.find("head") >= 0 && fit.warnings.empty());
}

void rate_dinosaur(const Upright& upright, Fit& fit) {
    fit.cues.clear();
    const double H = upright.height, l = bone(fit, "leftUpperLeg", "leftFoot"),
                 r = bone(fit, "rightUpperLeg", "rightFoot");
    const double equal = weigh(fit, cues::hind_legs_equal, ratio(l, r)),
                 length = weigh(fit, cues::dinosaur_leg_length, ratio(l, H)), legs = equal * length;
    const size_t after_legs = fit.cues.size();
    const double trunk = weigh(fit, cues::animal_trunk_length, ratio(bone(fit, "hips", "neck"), H));
    blame(fit, "Leg", legs, {0, after_legs});
    for (const char* part : {"spine", "chest"}) blame(fit, part, trunk, {after_legs, fit.cues.size()});
    const double reading = rate_reading(upright.reading, fit), inside = rate_inside(upright, fit);
    fit.confidence = legs * trunk * reading * inside * weigh(fit, cues::tail_found, fit.find("tail1") >= 0) *
                     weigh(fit, cues::animal_head_found, fit.find("head") >= 0 && fit.warnings.empty());
}

void rate_wings(Fit& fit) {
    const double l = bone(fit, "leftUpperWing", "leftWingTip"), r = bone(fit, "rightUpperWing", "rightWingTip");
    const size_t before = fit.cues.size();
    const double wings = weigh(fit, cues::wings_equal, ratio(l, r));
    blame(fit, "Wing", wings, {before, fit.cues.size()});
    fit.confidence *= wings;
}

void rate_bird(const Upright& upright, Fit& fit) {
    fit.cues.clear();
    const double l = bone(fit, "leftUpperWing", "leftWingTip"), r = bone(fit, "rightUpperWing", "rightWingTip");
    const double wings = weigh(fit, cues::wings_equal, ratio(l, r));
    blame(fit, "Wing", wings, {0, fit.cues.size()});
    const double searched = weigh(fit, cues::placed_by_search, false), reading = rate_reading(upright.reading, fit),
                 facing = weigh(fit, cues::bird_facing, upright.reading.facing_score),
                 inside = weigh(fit, cues::bird_joints_inside, share_inside(upright, fit)),
                 complete = weigh(fit, cues::bird_complete, fit.warnings.empty());
    fit.confidence = searched * reading * facing * wings * inside * complete;
}

}  // namespace sinew
