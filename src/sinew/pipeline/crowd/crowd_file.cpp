#include <sinew/pipeline/crowd/crowd_file.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/write.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/crowd/crowd_build.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/render/preview.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr int32_t most_bodies = 100'000;
constexpr float longest_clip = 600.0f, highest_rate = 240.0f;
constexpr size_t most_keys = 400'000'000;   // joints · frames · bodies: what memory holds
constexpr float lengths_per_second = 2.5f;  // of a flying or swimming body whose motion stays in place

Result<void> check_options(const CrowdOptions& options) {
    if (options.count < 1 || options.count > most_bodies)
        return fail(ErrorCode::invalid_argument, fmt::format("is out of range; give 1 to {}", most_bodies), "--count");
    if (!(options.seconds > 0.0f && options.seconds <= longest_clip))
        return fail(ErrorCode::invalid_argument, fmt::format("is out of range; give up to {} seconds", longest_clip),
                    "--seconds");
    if (!(options.fps >= 5.0f && options.fps <= highest_rate))
        return fail(ErrorCode::invalid_argument, fmt::format("is out of range; give 5 to {}", highest_rate), "--fps");
    return {};
}

Result<CrowdScene> load_scene(const fs::path& file) {
    if (file.empty()) return CrowdScene{};
    SINEW_TRY(const auto bytes, in_file(read_file(file), file));
    return in_file(parse_crowd_scene({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), file);
}

// A bird that walks on the ground flaps in the air.
std::string motion_in(const CrowdOptions& options, const Skeleton& skeleton) {
    const BuiltinMotions known = builtin_motions_of(skeleton);
    const auto has = [&](std::string_view name) { return std::ranges::find(known.names, name) != known.names.end(); };
    if (options.kind == CrowdKind::flock && options.motion == "walk")
        for (const char* name : {"flap", "swim"})
            if (has(name)) return name;
    return options.motion;
}

// The skin as it is at rest, each point with the joint that moves it most.
std::vector<GaitSkinPoint> gait_skin_of(const Character& one) {
    std::vector<GaitSkinPoint> points;
    const std::vector<AffineD> rest = rest_world(one.skeleton);
    for (const MeshInstance& instance : one.instances) {
        if (instance.skin < 0) continue;
        const Skin& skin = one.skins[static_cast<size_t>(instance.skin)];
        for (const Primitive& primitive : one.meshes[static_cast<size_t>(instance.mesh)].primitives) {
            if (primitive.influences.empty()) continue;
            for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
                GaitSkinPoint point;
                float most = 0.0f;
                for (const Influence& i : primitive.influences.of(v)) {
                    const int32_t joint = skin.joints[i.joint];
                    point.rest += i.weight * (rest[static_cast<size_t>(joint)].cast<float>() *
                                              (skin.inverse_bind[i.joint] * primitive.mesh.positions[v]));
                    if (i.weight > most) most = i.weight, point.joint = joint;
                }
                if (point.joint >= 0) points.push_back(point);
            }
        }
    }
    return points;
}

// The clips that a gait is mixed of; those that the body does not have are left out.
struct GaitClips {
    Clip walk;
    std::optional<Clip> stand, faster;
};
Result<std::optional<Clip>> builtin_clip(const Character& one, std::initializer_list<const char*> names) {
    const BuiltinMotions known = builtin_motions_of(one.skeleton);
    for (const char* name : names) {
        if (std::ranges::find(known.names, std::string_view(name)) == known.names.end()) continue;
        SINEW_TRY(const MotionSource motion, load_motion(name));
        SINEW_TRY(RetargetResult made, retarget(motion, one));
        return std::optional<Clip>(std::move(made.clip));
    }
    return std::optional<Clip>();
}

Result<GaitClips> gait_clips(const Character& one, const CrowdOptions& options) {
    GaitClips clips{.walk = one.clips.front(), .stand = {}, .faster = {}};
    if (options.kind == CrowdKind::flock) return clips;
    SINEW_TRY(clips.stand, builtin_clip(one, {"idle"}));
    if (options.motion == "walk") {
        SINEW_TRY(clips.faster, builtin_clip(one, {"run", "trot"}));
    }
    return clips;
}

Box rest_box(const Character& one) {
    Box box;
    std::vector<DeformedPrimitive> parts;
    deform(one, pose_at(one, one.clips.empty() ? nullptr : &one.clips.front(), 0.0f), {.normals = false}, parts);
    for (const DeformedPrimitive& part : parts) box.add(bounds(part.positions));
    if (box.empty())
        for (const AffineD& joint : rest_world(one.skeleton)) box.add(joint.translation().cast<float>());
    return box;
}

// At the clip's first moment: the arms of a person hang, the wings of a bird are spread.
CrowdBody measure(const Box& box, const GroundGait& gait) {
    const Vec3 size = box.size(), way = gait.cycles().back().velocity.normalized().cwiseAbs();
    return {.height = std::max(size.y(), 1e-3f),
            .length = std::max(way.x() * size.x() + way.z() * size.z(), 1e-3f),
            .walk_speed = gait.walk_speed()};
}

Result<Bytes> draw_crowd(const Character& crowd, const CrowdFileJob& job, const CrowdOptions& options) {
    constexpr float fps = 15.0f;
    const std::string extension = lower_extension(job.preview);
    PreviewOptions look{.width = job.width,
                        .height = job.height,
                        .samples = 2,
                        .clip = &crowd.clips.front(),
                        .progress = options.listener.progress};
    look.camera.elevation = radians(22.0f);
    if (extension == ".png") {
        look.samples = 4;
        look.times = {0.5f * options.seconds};
    } else {
        look.times = loop_times(crowd.clips.front(), fps);
    }
    SINEW_TRY(const auto pictures, render_preview(crowd, look));
    return encode_pictures(pictures, fps, extension.empty() ? "" : extension.substr(1));
}

Result<CrowdResult> make_crowd_in(Character character, const CrowdScene& scene, const CrowdOptions& given) {
    CrowdOptions options = given;
    Stopwatch stopwatch;
    options.motion = motion_in(given, character.skeleton);
    SINEW_TRY(AnimateResult moved, animate(std::move(character), {options.motion}, {.listener = options.listener}));
    if (options.motion != motion_in(given, moved.character.skeleton)) {  // known only since it has a rig
        options.motion = motion_in(given, moved.character.skeleton);
        SINEW_TRY(moved, animate(std::move(moved.character), {options.motion}, {.listener = options.listener}));
    }
    const Character& one = moved.character;
    CrowdResult result;
    CrowdReport& report = result.report;
    report.warnings = moved.report.warnings;
    SINEW_TRY(const GaitClips clips, gait_clips(one, options));
    const Box box = rest_box(one);
    const float in_place = options.kind == CrowdKind::flock ? lengths_per_second * box.size().maxCoeff() : 0.0f;
    SINEW_TRY(const GroundGait gait,
              GroundGait::create(one.skeleton, clips.walk, clips.stand ? &*clips.stand : nullptr,
                                 clips.faster ? &*clips.faster : nullptr, in_place, gait_skin_of(one)));
    const CrowdBody body = measure(box, gait);
    if (one.skeleton.size() * static_cast<size_t>(options.count) * static_cast<size_t>(options.seconds * options.fps) >
        most_keys)
        return fail(ErrorCode::limit_exceeded, "is too many for so long; lower it or --seconds", "--count");
    report.seconds.emplace_back("animate", stopwatch.lap());
    const bool walks = options.kind == CrowdKind::walkers;
    SINEW_TRY(const CrowdWays ways, walks ? walk_ways(scene, body, options) : flock_ways(scene, body, options));
    report.seconds.emplace_back("simulate", stopwatch.lap());
    Vec3 middle = Vec3::Zero();
    if (!walks) middle.y() = box.center().y();
    BuiltCrowd built = build_crowd(one, gait, ways, middle, options);
    constexpr float wall_height = 0.6f, column_height = 30.0f;  // of a body's height; of its length
    add_obstacles(built.character, scene.obstacles, walks ? wall_height * body.height : column_height * body.length);
    report.seconds.emplace_back("gait", stopwatch.lap());
    report.count = options.count, report.motion = options.motion, report.kind = walks ? "walkers" : "flock";
    report.joints_each = static_cast<int32_t>(one.skeleton.size());
    report.walk_speed = gait.walk_speed(), report.steps = static_cast<int32_t>(built.contacts);
    report.foot_drift_mm = static_cast<float>(1000.0 * built.worst_drift);
    if (built.contacts > 0)
        report.mean_foot_drift_mm = static_cast<float>(1000.0 * built.drift_sum / static_cast<double>(built.contacts));
    result.character = std::move(built.character);
    return result;
}

}  // namespace

Result<CrowdResult> make_crowd(Character character, const CrowdOptions& options) {
    SINEW_TRY_VOID(check_options(options));
    SINEW_TRY(const CrowdScene scene, load_scene(options.scene));
    return make_crowd_in(std::move(character), scene, options);
}

Result<CrowdReport> crowd_file(const CrowdFileJob& job, const CrowdOptions& options) {
    SINEW_TRY_VOID(check_options(options));
    SINEW_TRY_VOID(check_outputs({{job.output}, {job.preview}, {job.report}}, {job.input, options.scene}));
    SINEW_TRY_VOID(in_file(check_skin_type(job.output), job.output));
    SINEW_TRY_VOID(check_picture_type(job.preview));
    SINEW_TRY(const CrowdScene scene, load_scene(options.scene));
    SINEW_TRY(Character character, read_input(job.input, options.listener));
    SINEW_TRY(CrowdResult made, in_file(make_crowd_in(std::move(character), scene, options), job.input));
    CrowdReport& report = made.report;
    report.input = job.input.string(), report.output = job.output.string();
    Stopwatch stopwatch;
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(made.character, job.output), job.output));
    report.seconds.emplace_back("write", stopwatch.lap());
    if (!job.preview.empty()) {
        SINEW_TRY(Bytes preview, in_file(draw_crowd(made.character, job, options), job.preview));
        files.insert(files.begin(), {job.preview, std::move(preview)});
        report.seconds.emplace_back("preview", stopwatch.lap());
    }
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(report)));
    return std::move(report);
}

std::string encode_json(const CrowdReport& report) {
    nlohmann::ordered_json json = {{"input", report.input},
                                   {"output", report.output},
                                   {"count", report.count},
                                   {"kind", report.kind},
                                   {"motion", report.motion},
                                   {"joints_each", report.joints_each},
                                   {"walk_speed", report.walk_speed},
                                   {"steps", report.steps},
                                   {"foot_drift_mm", report.foot_drift_mm},
                                   {"mean_foot_drift_mm", report.mean_foot_drift_mm},
                                   {"warnings", report.warnings}};
    for (const auto& [stage, time] : report.seconds) json["seconds"][stage] = time;
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace sinew
