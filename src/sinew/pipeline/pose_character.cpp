#include <sinew/pipeline/pose_character.h>

#include <sinew/core/closest.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/pose/drag.h>
#include <sinew/pipeline/pose/reach.h>
#include <sinew/skeleton/joint_label.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::string_view automatic = "auto", elastic = "elastic";
constexpr const char* clip_name = "pose";

Quatd turn_by_degrees(const Vec3& angles_deg) {
    const Vec3d a = angles_deg.cast<double>() * (static_cast<double>(pi) / 180.0);
    return Quatd(Eigen::AngleAxisd(a.z(), Vec3d::UnitZ()) * Eigen::AngleAxisd(a.y(), Vec3d::UnitY()) *
                 Eigen::AngleAxisd(a.x(), Vec3d::UnitX()));
}

std::vector<AffineD> world_of(const Skeleton& skeleton, std::span<const Transform> pose) {
    std::vector<AffineD> world(pose.size());
    local_to_world(skeleton.parents(), pose, world);
    return world;
}

// The rotation of world_from_parent; a parent that mirrors turns the other way round.
Quatd turn_in_parent(const AffineD& world_from_parent, const Quatd& turn) {
    Mat3d axes = world_from_parent.linear().colwise().normalized();
    if (axes.determinant() < 0.0) axes = -axes;
    const Quatd parent = Quatd(axes).normalized();
    return parent.conjugate() * turn * parent;
}

Result<std::vector<int32_t>> rotate_joints(const PoseBody& body, const PoseOptions& options, Pose& pose) {
    std::vector<int32_t> turned;
    for (const NamedVector& entry : options.rotate) {
        SINEW_TRY(const int32_t joint, find_pose_joint(body, entry.name, "--rotate"));
        const auto j = static_cast<size_t>(joint);
        const Quatd turn = turn_by_degrees(entry.value), before = pose.local[j].rotation.cast<double>();
        const int32_t parent = body.skeleton->parents()[j];
        Quatd after = before * turn;
        if (options.world_axes) {
            const auto world = world_of(*body.skeleton, pose.local);
            const AffineD above = parent < 0 ? AffineD::Identity() : world[static_cast<size_t>(parent)];
            after = turn_in_parent(above, turn) * before;
        }
        pose.local[j].rotation = after.normalized().cast<float>();
        turned.push_back(joint);
    }
    return turned;
}

// The number of "vertex 1203" or "vertex:1203", or −1.
int32_t vertex_number(std::string_view name) {
    constexpr std::string_view word = "vertex";
    if (!name.starts_with(word) || name.size() < word.size() + 2) return -1;
    int32_t number = -1;
    const auto [end, error] = std::from_chars(name.data() + word.size() + 1, name.data() + name.size(), number);
    return error == std::errc{} && end == name.data() + name.size() ? number : -1;
}

Result<PoseGoal> make_goal(const Character& character, const PoseBody& body, const PoseOptions& options,
                           std::span<const Transform> pose, const NamedVector& entry, bool from_here) {
    const char* option = from_here ? "--move" : "--target";
    PoseGoal goal{.name = entry.name, .target = entry.value.cast<double>()};
    Vec3d here = Vec3d::Zero();
    if (const int32_t vertex = vertex_number(entry.name); vertex >= 0 && body.skeleton->find(entry.name) < 0) {
        if (options.solver != elastic)
            return fail(ErrorCode::invalid_argument, "only the elastic solver drags vertices; give --solver elastic",
                        option);
        goal.vertex = vertex;
        SINEW_TRY(here, vertex_place(character, pose, vertex));
    } else {
        SINEW_TRY(goal.joint, find_pose_joint(body, entry.name, option));
        goal.name = joint_label(*body.skeleton, goal.joint);
        here = world_of(*body.skeleton, pose)[static_cast<size_t>(goal.joint)].translation();
    }
    if (!goal.target.allFinite())
        return fail(ErrorCode::invalid_argument, entry.name + " has a target that is not a number", option);
    if (from_here) goal.target += here;
    return goal;
}

Result<std::vector<PoseGoal>> make_goals(const Character& character, const PoseBody& body, const PoseOptions& options,
                                         std::span<const Transform> pose) {
    std::vector<PoseGoal> goals;
    for (const bool from_here : {false, true})
        for (const NamedVector& entry : from_here ? options.moves : options.targets) {
            SINEW_TRY(PoseGoal goal, make_goal(character, body, options, pose, entry, from_here));
            const auto same = [&](const PoseGoal& g) { return g.joint == goal.joint && g.vertex == goal.vertex; };
            if (std::any_of(goals.begin(), goals.end(), same))
                return fail(ErrorCode::invalid_argument, goal.name + " has two targets; give it one", "--target");
            goals.push_back(std::move(goal));
        }
    return goals;
}

Result<PoseOutcome> solve(const Character& character, const PoseBody& body, const PoseOptions& options,
                          std::span<const Transform> start, std::span<const PoseGoal> goals,
                          const std::vector<int32_t>& turned) {
    std::vector<int32_t> hold;
    for (const std::string& name : options.hold) {
        SINEW_TRY(const int32_t joint, find_pose_joint(body, name, "--hold"));
        hold.push_back(joint);
    }
    if (options.solver == elastic) return drag(character, body, start, goals, hold, turned);
    ReachOptions how{.solver = {}, .poles = {}, .hold = hold, .keep = turned, .anatomical = options.anatomical};
    if (options.solver != automatic) {
        SINEW_TRY(how.solver, parse_ik_solver(options.solver));
    }
    for (const NamedVector& entry : options.poles) {
        SINEW_TRY(const int32_t joint, find_pose_joint(body, entry.name, "--pole"));
        if (!(entry.value.norm() > 0.0f) || !entry.value.allFinite())
            return fail(ErrorCode::invalid_argument,
                        entry.name + " has a pole without a direction; give one such as 0,0,1", "--pole");
        how.poles.emplace_back(joint, entry.value.cast<double>());
    }
    return reach(body, start, goals, how);
}

void fill_report(const Character& character, const PoseOutcome& outcome, std::span<const PoseGoal> goals,
                 PoseReport& report) {
    const std::vector<AffineD> world = world_of(character.skeleton, outcome.pose);
    for (size_t g = 0; g < goals.size(); ++g) {
        Vec3d position = goals[g].target;
        if (goals[g].joint >= 0) position = world[static_cast<size_t>(goals[g].joint)].translation();
        if (const auto place =
                goals[g].joint < 0 ? vertex_place(character, outcome.pose, goals[g].vertex) : Vec3d(position))
            position = *place;
        report.goals.push_back({goals[g].name, goals[g].target.cast<float>(), position.cast<float>(),
                                static_cast<float>(outcome.errors[g]), outcome.reached[g], outcome.solvers[g],
                                outcome.iterations[g]});
        if (outcome.reached[g]) continue;
        report.reached = false;
        report.warnings.push_back(
            fmt::format("{} stays {:.1f} cm from its target; move the target nearer, or let more of the body follow "
                        "(--solver full-body)",
                        goals[g].name, 100.0 * outcome.errors[g]));
    }
}

// One key at 0 for every joint that the pose moves.
Clip pose_clip(const Skeleton& skeleton, const Pose& pose) {
    Clip clip{clip_name, {}, -1};
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const Transform& t = pose.local[j];
        const auto joint = static_cast<int32_t>(j);
        const Vec4 q = t.rotation.coeffs();
        clip.tracks.push_back(
            {joint, TrackPath::rotation, Interpolation::linear, 4, {0.0f}, {q.x(), q.y(), q.z(), q.w()}});
        if (t.translation != skeleton.rest()[j].translation)
            clip.tracks.push_back({joint,
                                   TrackPath::translation,
                                   Interpolation::linear,
                                   3,
                                   {0.0f},
                                   {t.translation.x(), t.translation.y(), t.translation.z()}});
    }
    return clip;
}

Result<void> put_pose(Character& character, const Pose& pose, PoseAs as) {
    const Skeleton before = character.skeleton;
    if (as != PoseAs::nodes) {
        std::erase_if(character.clips, [](const Clip& clip) { return clip.name == clip_name; });
        character.clips.insert(character.clips.begin(), pose_clip(before, pose));
    }
    if (as == PoseAs::clip) return {};
    SINEW_TRY(character.skeleton, Skeleton::create(before.names(), before.parents(), pose.local));
    for (MeshInstance& instance : character.instances) {
        const size_t count = morph_count(character.meshes[static_cast<size_t>(instance.mesh)]);
        const auto first = pose.morphs.begin() + instance.first_morph;
        if (count > 0) instance.morph_weights.assign(first, first + static_cast<std::ptrdiff_t>(count));
    }
    return {};
}

}  // namespace

std::vector<std::string_view> pose_solver_names() {
    std::vector<std::string_view> names = {automatic};
    for (const std::string_view name : ik_solver_names()) names.push_back(name);
    names.push_back(elastic);
    return names;
}

Result<PoseReport> pose_character(Character& character, const PoseOptions& options) {
    const std::vector<std::string_view> solvers = pose_solver_names();
    if (std::find(solvers.begin(), solvers.end(), options.solver) == solvers.end())
        return fail(ErrorCode::invalid_argument, unknown_name("solver", options.solver, solvers), "--solver");
    if (character.skeleton.size() == 0 || make_pose_body(character).is_bone.empty())
        return fail(ErrorCode::invalid_argument, "has no joints to pose; rig it first (sinew rig)");
    Pose pose = rest_pose(character);
    if (!options.clip.empty() || options.time) {
        SINEW_TRY(const Clip* clip, find_clip(character, options.clip));
        pose = pose_at(character, clip, options.time.value_or(0.0f));
    }
    const PoseBody body = make_pose_body(character);
    const std::vector<Transform> before = character.skeleton.rest();
    SINEW_TRY(const std::vector<int32_t> turned, rotate_joints(body, options, pose));
    SINEW_TRY(const std::vector<PoseGoal> goals, make_goals(character, body, options, pose.local));
    PoseReport report;
    if (goals.empty() && !options.poles.empty()) report.warnings.emplace_back("--pole does nothing without a --target");
    if (!goals.empty()) {
        SINEW_TRY(PoseOutcome outcome, solve(character, body, options, pose.local, goals, turned));
        fill_report(character, outcome, goals, report);
        pose.local = std::move(outcome.pose);
    }
    for (size_t j = 0; j < before.size(); ++j)
        if (!(before[j] == pose.local[j])) ++report.turned;
    SINEW_TRY_VOID(put_pose(character, pose, options.as));
    return report;
}

Result<PoseFileReport> pose_file(const PoseJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}, {job.report}}, {job.input}));
    SINEW_TRY_VOID(
        in_file(lower_extension(job.output) == ".bvh" ? check_writable_type(job.output) : check_skin_type(job.output),
                job.output));
    PoseFileReport done{.input = job.input.string(), .output = job.output.string()};
    Stopwatch stopwatch;
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    done.warnings = character.warnings;
    done.seconds.emplace_back("read", stopwatch.lap());
    SINEW_TRY(done.pose, in_file(pose_character(character, job.options), job.input));
    done.seconds.emplace_back("pose", stopwatch.lap());
    if (job.strict && !done.pose.reached)
        return fail(ErrorCode::invalid_argument, done.pose.warnings.back(), job.input.string());
    warn(job.listener, done.input, done.pose.warnings, done.warnings);
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(character, job.output), job.output));
    done.seconds.emplace_back("write", stopwatch.lap());
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(done)));
    return done;
}

}  // namespace sinew
