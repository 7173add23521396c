#include <sinew/rig/fit_skeleton.h>

#include <sinew/core/closest.h>
#include <sinew/rig/embed/user_template.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/fingers.h>
#include <sinew/rig/fit/generic.h>
#include <sinew/rig/fit/tail.h>
#include <sinew/rig/hints.h>
#include <sinew/rig/joint_frames.h>
#include <sinew/rig/priors/calibration.h>
#include <sinew/rig/priors/cues.h>
#include <sinew/rig/priors/people.h>
#include <sinew/rig/rig_warnings.h>
#include <sinew/rig/stand/attempt.h>
#include <sinew/rig/stand/plinth.h>
#include <sinew/rig/template/template_json.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A rig that was not found by its parts is never accepted without a look at it.
constexpr double not_accepted = 0.9 * accepted_confidence;
static_assert(not_accepted == cues::clear_kind.floor);
// The upper arm of a T pose is level within 20 degrees, that of an A pose is lower, to 65 degrees.
constexpr double t_pose_deg = 20.0, a_pose_deg = 65.0, degrees_per_radian = 57.29577951308232;
// Of a seated body the thighs are within 33 degrees of level (sine), the shins within 53 degrees of upright (cosine),
// and the knees bent by more than this, but not folded; other knees that are bent crouch. Chosen: who walks or leans
// bends them by less.
constexpr double seated_thigh = 0.55, upright_shin = 0.6, seated_knee_deg = 45.0, crouching_knee_deg = 60.0,
                 folded_knee_deg = 108.0;
constexpr std::string_view fused_base =
    "it stands on a base that is one piece with it: the base stays, and steps stretch what joins the two; cut it off "
    "to let it walk away";
// Hints farther outside the body's bounds, as a share of its longest side, are likely in other units.
constexpr double hint_margin = 0.1;
// The partner of a hint moves along where the body mirrors itself at least this well.
constexpr double mirrored_reading = 0.9;
constexpr size_t most_hypotheses = 8;
constexpr int most_twist_joints = 4;

// The height of the lowest vertex in canonical space; voxels would know it only to half a voxel.
double ground_height(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Reading& reading) {
    double low = INFINITY;
    for (uint32_t v : triangles) {
        if (v >= positions.size() || !positions[v].allFinite()) continue;
        low = std::min(low, reading.axes.row(1).dot(positions[v].cast<double>() - reading.origin));
    }
    return std::isfinite(low) ? low : 0.0;
}

std::string pose_of(const Fit& fit) {
    const auto find = [&](Role role) {
        for (size_t j = 0; j < fit.joints.size(); ++j)
            if (fit.joints[j].role == role) return static_cast<int>(j);
        return -1;
    };
    const int shoulder = find(Role::left_upper_arm), elbow = find(Role::left_lower_arm);
    if (shoulder < 0 || elbow < 0) return "other";
    const Vec3d arm =
        fit.joints[static_cast<size_t>(elbow)].position - fit.joints[static_cast<size_t>(shoulder)].position;
    const double angle = std::atan2(-arm.y(), std::abs(arm.x())) * degrees_per_radian;
    return std::abs(angle) < t_pose_deg ? "T" : angle >= t_pose_deg && angle < a_pose_deg ? "A" : "other";
}

// How a biped holds its legs: seated with level thighs above upright shins, crouching with bent knees.
std::string stance_of(const Fit& fit) {
    double level = 0.0, bend = 0.0;
    bool shins_down = true;
    for (const std::string side : {"left", "right"}) {
        const int hip = fit.find(side + "UpperLeg"), knee = fit.find(side + "LowerLeg"), foot = fit.find(side + "Foot");
        if (hip < 0 || knee < 0 || foot < 0) return {};
        const auto at = [&](int j) { return fit.joints[static_cast<size_t>(j)].position; };
        const Vec3d thigh = (at(knee) - at(hip)).normalized(), shin = (at(foot) - at(knee)).normalized();
        level += 0.5 * std::abs(thigh.y());
        bend += 0.5 * std::acos(std::clamp(thigh.dot(shin), -1.0, 1.0)) * degrees_per_radian;
        shins_down &= -shin.y() > upright_shin;
    }
    const bool sits = level < seated_thigh && shins_down && bend > seated_knee_deg && bend < folded_knee_deg;
    return sits ? "seated" : bend > crouching_knee_deg ? "crouching" : "standing";
}

bool is_creature(const Attempt& best) {
    return best.upright.reading.kind != RigKind::generic && best.fit.confidence * best.fit.caution >= guess_confidence;
}

// What the cues together are worth. Of rigs that are grown or put in by search nothing was measured.
double confidence_of(const Fit& fit) {
    const double product = fit.confidence * fit.caution;
    const Cue* first = fit.cues.empty() ? nullptr : fit.cues.front().cue;
    return first && first != &cues::template_found && first != &cues::grown && first != &cues::some_kind
               ? calibrated(product)
               : product;
}

// The body alone, which stands as its plinth does.
Attempts fit_on_plinth(std::span<const Vec3> positions, const Plinth& plinth, ReadingOptions options) {
    options.up = plinth.up;
    VoxelBody body = make_voxel_body(positions, plinth.body);
    return body.empty() ? Attempts{} : attempt_fits(positions, plinth.body, std::move(body), options);
}

// A joint for the plinth, below the feet. Nothing that moves is above it in the tree.
void add_base(double ground, Fit& fit) {
    FitJoint base{.name = "base", .position = Vec3d(0.0, ground, fit.joints.front().position.z())};
    base.parent = fit.joints.front().name == "root" ? 0 : -1;
    base.axes = Mat3d::Identity();
    fit.joints.push_back(base);
}

// An error that lists the names nearest to the unknown one, in every naming scheme.
std::string unknown_joint(const Fit& fit, const std::string& name) {
    std::vector<std::string> names;
    for (const NameScheme scheme : {NameScheme::vrm, NameScheme::mixamo, NameScheme::unreal, NameScheme::humanik})
        for (const FitJoint& joint : fit.joints) names.push_back(scheme_name(joint.name, scheme));
    return unknown_name("joint", name, std::vector<std::string_view>(names.begin(), names.end()));
}

Result<std::vector<FixedJoint>> resolve_hints(Fit& fit, const Upright& upright, const std::vector<JointHint>& hints) {
    const Reading& reading = upright.reading;
    std::vector<FixedJoint> fixed;
    for (const JointHint& hint : hints) {
        std::string name = hint.joint;
        if (fit.find(name) < 0) name = sinew_name(hint.joint);
        if (fit.find(name) < 0) return fail(ErrorCode::not_found, unknown_joint(fit, hint.joint), "--joint");
        if (!hint.position.allFinite())
            return fail(ErrorCode::invalid_argument,
                        "the position of joint " + hint.joint + " is not a number; give x,y,z");
        if (std::any_of(fixed.begin(), fixed.end(), [&](const FixedJoint& other) { return other.name == name; }))
            return fail(ErrorCode::invalid_argument, "joint " + hint.joint + " has two hints; give it one");
        fixed.push_back({name, reading.axes * (hint.position.cast<double>() - reading.origin)});
        const Vec3d margin = Vec3d::Constant(hint_margin * (upright.body.high - upright.body.low).maxCoeff());
        if (!Eigen::AlignedBox3d(upright.body.low - margin, upright.body.high + margin).contains(fixed.back().position))
            fit.warnings.push_back("the hint for " + hint.joint +
                                   " is far outside the mesh; give hints in the mesh's own units and axes");
    }
    return fixed;
}

// The joints of the user's template. When the body is of the template's kind, they go where its parts were found, and
// `user` loses the joints that the body does not show; else they are placed by search.
Fit fit_user_template(const Attempt& best, double ground, RigTemplate& user) {
    if (user.kind && best.upright.reading.kind == *user.kind && !best.fit.joints.empty()) {
        std::vector<std::optional<Vec3d>> anchors = find_anchors(user, best.fit);
        drop_missing(user, anchors);
        Fit fit = carry_template(user, anchors, ground);
        fit.confidence = best.fit.confidence;
        fit.cues = best.fit.cues;
        fit.warnings = best.fit.warnings;
        if (!fit.joints.empty()) return fit;
    }
    const Embedding embedding = embed_template(best.upright, user);
    Fit fit = carry_template(user, embedding.position, ground);
    settle_confidence(fit, cues::template_found, embedding.confidence, embedding.confidence);
    return fit;
}

// A kind was asked for, but its parts were not found: its joints are put into the shape by search.
void search_for_kind(RigKind kind, double ground, bool up_is_known, Attempt& best) {
    RigTemplate wanted = builtin_template(kind);
    wanted.joints.erase(wanted.joints.begin());  // the root on the ground is added at the end
    for (TemplateJoint& joint : wanted.joints) --joint.parent, joint.mirror -= joint.mirror >= 0;
    std::vector<std::optional<Vec3d>> none(wanted.size());
    drop_missing(wanted, none);
    const Embedding embedding = embed_template(best.upright, wanted, {.upright = up_is_known});
    Fit fit = carry_template(wanted, embedding.position, ground);
    if (fit.joints.empty()) return;
    settle_confidence(fit, cues::template_found, embedding.confidence, std::min(embedding.confidence, not_accepted));
    fit.warnings = best.fit.warnings;
    fit.warnings.push_back("the parts of a " + std::string(to_string(kind)) +
                           " were not found: all joints were placed by search; look at each of them");
    best.fit = std::move(fit);
    best.upright.reading.kind = kind;
}

std::string joint_name(const Fit& fit, size_t j, const RigOptions& options) {
    const bool of_template = options.user_template && j < options.user_template->size();
    if (!of_template) return scheme_name(fit.joints[j].name, options.names);
    const std::string& told = options.user_template->joints[j].scheme_names[static_cast<size_t>(options.names)];
    return told.empty() ? fit.joints[j].name : told;
}

Result<Skeleton> build_skeleton(const Fit& fit, const Reading& reading, const RigOptions& options) {
    const std::vector<Mat3d> frames = find_joint_frames(fit);
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    const Mat3d mesh_from_canonical = reading.axes.transpose();
    std::vector<AffineD> world(fit.joints.size());
    for (size_t j = 0; j < fit.joints.size(); ++j) {
        const FitJoint& joint = fit.joints[j];
        world[j] = AffineD::Identity();
        world[j].linear() = mesh_from_canonical * (joint.axes ? *joint.axes : frames[j]);
        world[j].translation() = mesh_from_canonical * joint.position + reading.origin;
        names.push_back(joint_name(fit, j, options));
        parents.push_back(joint.parent);
        const AffineD local =
            joint.parent < 0 ? world[j]
                             : AffineD(world[static_cast<size_t>(joint.parent)].inverse(Eigen::Isometry) * world[j]);
        Transform t;
        t.translation = local.translation().cast<float>();
        t.rotation = Quatd(Mat3d(local.linear())).normalized().cast<float>();
        rest.push_back(t);
    }
    return Skeleton::create(std::move(names), std::move(parents), std::move(rest));
}

void list_hypotheses(const Attempts& attempts, RigResult& result) {
    for (size_t i = 0; i < std::min(most_hypotheses, attempts.readings.size()); ++i) {
        const Reading& reading = attempts.readings[i];
        result.hypotheses.push_back({.kind = reading.kind,
                                     .up = reading.axes.row(1).transpose().cast<float>(),
                                     .facing = reading.axes.row(2).transpose().cast<float>(),
                                     .score = reading.score,
                                     .confidence = reading.kind == RigKind::generic || attempts.confidence[i] < 0.0
                                                       ? attempts.confidence[i]
                                                       : calibrated(attempts.confidence[i])});
    }
}

// Doubts meshes that are no single body: that enclose nothing, or whose parts lie apart.
void look_for_volume(const VoxelBody& body, Fit& fit) {
    size_t solid = 0;
    for (uint32_t v : body.voxels) solid += !body.shell[v];
    if (solid == 0) {
        doubt(fit, cues::encloses_volume, 0.0);
        fit.warnings.emplace_back("the mesh is flat or a line: it encloses nothing, and its rig is a guess");
    } else if (body.apart > several_bodies) {
        doubt(fit, cues::one_body, 0.0);
        fit.warnings.emplace_back(
            "the mesh is made of parts that lie apart; if they are several characters, rig one at a time");
    }
}

// The shape as its file has it: up and ahead as told, else +Y and +Z; on the ground below its middle.
Reading as_it_stands(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                     const ReadingOptions& options) {
    Reading reading;
    const Vec3d up = options.up.value_or(options.told_up.value_or(Vec3d::UnitY()));
    Vec3d ahead = options.facing.value_or(std::abs(up.z()) < 0.9 ? Vec3d::UnitZ() : Vec3d(-Vec3d::UnitY()));
    ahead = (ahead - ahead.dot(up) * up).normalized();
    if (!ahead.allFinite()) ahead = up.unitOrthogonal();
    reading.axes << up.cross(ahead).transpose(), up.transpose(), ahead.transpose();
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    for (const uint32_t v : triangles) {
        const Vec3d at = reading.axes * positions[v].cast<double>();
        if (!at.allFinite()) continue;
        low = low.cwiseMin(at);
        high = high.cwiseMax(at);
    }
    const Vec3d middle = 0.5 * (low + high);
    reading.origin = reading.axes.transpose() * Vec3d(middle.x(), low.y(), middle.z());
    return reading;
}

// A shape that is no clear creature gets a rig grown from its own branches. It stays as its file has it: what was taken
// for the legs of a doubtful creature does not tell what is up.
void grow_when_unsure(const Reading& as_is, Attempt& best) {
    const Reading read = best.upright.reading;
    const bool clear = read.kind == RigKind::biped ? best.fit.sure_of_kind >= biped_guess_confidence
                                                   : best.fit.confidence >= guess_confidence;
    if (read.kind != RigKind::generic && clear) return;
    if (read.kind != RigKind::generic) best.fit = fit_generic(best.upright);
    for (FitJoint& joint : best.fit.joints)
        joint.position = as_is.axes * (read.axes.transpose() * joint.position + read.origin - as_is.origin);
    best.upright.reading = as_is;
    if (read.kind == RigKind::generic) {
        settle_confidence(best.fit, cues::some_kind, 0.0, not_accepted);
        best.fit.warnings.emplace_back(
            "it looks like no known kind of creature, so its rig is grown from the shape's branches; if it is one, "
            "give the template biped, quadruped, bird, dinosaur or dragon; if not, give generic to confirm");
        return;
    }
    const std::string was(to_string(read.kind));
    settle_confidence(best.fit, cues::clear_kind, 0.0, not_accepted);
    best.fit.warnings.push_back("it is not clearly a " + was +
                                ", so its rig is grown from the shape's branches; if it is one, give the template " +
                                was + "; if not, give generic to confirm");
}

}  // namespace

Result<RigResult> fit_skeleton(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                               const RigOptions& asked) {
    RigOptions options = asked;
    VoxelBody body = make_voxel_body(positions, triangles);
    if (body.empty())
        return fail(ErrorCode::invalid_data, "has no triangle to fit a skeleton into; give a mesh with a surface");
    std::optional<Plinth> plinth;
    ReadingOptions reading_options{.kind = options.user_template ? options.user_template->kind : options.kind};
    if (options.up) reading_options.up = options.up->cast<double>().normalized();
    if (options.facing) reading_options.facing = options.facing->cast<double>().normalized();
    if (options.told_up) reading_options.told_up = options.told_up->cast<double>().normalized();
    for (const Vec3& p : options.face)
        if (p.allFinite()) reading_options.face.push_back(p.cast<double>());
    const bool chosen = !options.kind && !options.user_template && options.hints.empty();
    if (!options.kind || *options.kind != RigKind::generic)
        plinth = find_plinth(positions, triangles, body, reading_options);
    Attempts attempts;
    if (plinth) attempts = fit_on_plinth(positions, *plinth, reading_options);
    if (plinth && !is_creature(attempts.best)) plinth.reset();  // a lamp, a trophy, a chess piece
    if (!plinth) attempts = attempt_fits(positions, triangles, std::move(body), reading_options);
    RigResult result;
    list_hypotheses(attempts, result);
    Attempt& best = attempts.best;
    if (chosen && options.grow_when_unsure)
        grow_when_unsure(as_it_stands(positions, attempts.triangles, reading_options), best);
    const RigKind found = best.upright.reading.kind;
    if (options.kind && *options.kind != RigKind::generic && found == RigKind::generic)
        search_for_kind(*options.kind, ground_height(positions, attempts.triangles, best.upright.reading),
                        options.up.has_value(), best);
    Fit& fit = best.fit;
    look_for_volume(best.upright.body, fit);
    const Reading& reading = best.upright.reading;
    if (reading.kind == RigKind::biped && options.fingers > 0)
        add_fingers(turn_upright(positions, reading), attempts.triangles, best.upright, options.fingers, fit);
    if (reading.kind == RigKind::biped)
        add_tail(best.upright, {.least = people::shortest_biped_tail * best.upright.height}, fit);
    const double ground = ground_height(positions, attempts.triangles, reading);
    follow_template(fit, builtin_template(reading.kind));
    if (options.user_template) {
        fit = fit_user_template(best, ground, *options.user_template);
        if (fit.joints.empty())
            return fail(ErrorCode::invalid_data, "the template has no joints to place; give one with a skeleton");
    }
    SINEW_TRY(const std::vector<FixedJoint> fixed, resolve_hints(fit, best.upright, options.hints));
    fix_joints(fit, fixed, reading.overlap > mirrored_reading);
    result.pose = pose_of(fit);
    if (reading.kind == RigKind::biped) result.stance = stance_of(fit);
    if (!options.user_template) {
        add_twist_joints(fit, std::clamp(options.twist, 0, most_twist_joints));
        if (options.root) add_root(fit, ground);
    }
    if (plinth) {
        add_base(ground, fit);
        result.base_joint = static_cast<int32_t>(fit.joints.size()) - 1;
        result.base = std::move(plinth->vertices);
        if (plinth->fused) fit.warnings.emplace_back(fused_base);
    }
    SINEW_TRY(result.skeleton, build_skeleton(fit, reading, options));
    result.kind = reading.kind;
    result.confidence = confidence_of(fit);
    for (const FitJoint& joint : fit.joints) {
        result.joint_confidence.push_back(std::min(joint.confidence, 1.0) * result.confidence);
        result.joint_reason.push_back(tell_doubt(joint));
        result.roles.push_back(joint.role);
        result.positions.push_back((reading.axes.transpose() * joint.position + reading.origin).cast<float>());
    }
    result.up = reading.axes.row(1).transpose().cast<float>();
    result.facing = reading.axes.row(2).transpose().cast<float>();
    result.upright_from_mesh.linear() = reading.axes;
    result.upright_from_mesh.translation() = -(reading.axes * reading.origin) - Vec3d(0.0, ground, 0.0);
    result.cues = tell_cues(fit);
    result.warnings = fit.warnings;
    add_warnings(attempts.readings, result);
    return result;
}

}  // namespace sinew
