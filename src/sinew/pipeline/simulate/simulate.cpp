#include <sinew/pipeline/simulate/simulate.h>

#include <sinew/io/resources.h>
#include <sinew/io/safe_path.h>
#include <sinew/io/write.h>
#include <sinew/physics/scene/scene.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/simulate/bodies.h>
#include <sinew/pipeline/simulate/run_scene.h>
#include <sinew/render/preview.h>
#include <sinew/sample/sample.h>
#include <algorithm>

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The scene's character with its motion as its first clip.
Result<Character> load_character(const SceneCharacter& asked, const ResourceReader& resources, const fs::path& folder,
                                 const Listener& listener) {
    Character character;
    if (!asked.sample.empty()) {
        SINEW_TRY(character, make_sample(asked.sample));
    } else {
        ReadOptions options{.resources = resources};
        SINEW_TRY(SharedBytes bytes, in_file(fetch_resource(asked.file, options), asked.file));
        const std::string extension = lower_extension(asked.file);
        SINEW_TRY(character,
                  in_file(read_character(bytes, extension.empty() ? "" : extension.substr(1), options), asked.file));
    }
    if (asked.motion.empty()) return character;
    std::string motion = asked.motion;
    if (!fs::path(motion).extension().empty()) {
        if (!is_safe_path(motion))
            return fail(ErrorCode::invalid_argument, "lies outside the scene's folder; put the motion beside the scene",
                        motion);
        motion = (folder / motion).string();
    }
    AnimateOptions how{.listener = listener};
    how.motion.in_place_root = asked.in_place;
    SINEW_TRY(AnimateResult moved, animate(std::move(character), {motion}, how));
    return std::move(moved.character);
}

// What the first body did becomes the character's first clip, which what it wears will follow.
const Clip* play_body(const std::vector<Pose>& frames, const Scene& scene, Character& wearer) {
    ClipFrames made;
    made.poses = frames;
    for (size_t f = 0; f < frames.size(); ++f)
        made.times.push_back(static_cast<float>(static_cast<double>(f) / scene.fps));
    Clip clip = frames_to_clip(made, {wearer.skeleton, rest_pose(wearer)}, Clip{.name = "body"});
    if (wearer.clips.empty()) wearer.clips.emplace_back();
    wearer.clips.front() = std::move(clip);
    return &wearer.clips.front();
}

Result<Bytes> render_simulation(const Character& character, const SimulateJob& job) {
    constexpr float fps = 24.0f;
    const std::string extension = lower_extension(job.preview);
    const Clip& clip = character.clips.front();
    PreviewOptions look{.width = 480, .height = 480, .samples = 3, .clip = &clip, .progress = job.listener.progress};
    look.times.clear();
    if (extension == ".png")
        look.times = {duration(clip)};
    else
        for (float t = 0.0f; t < duration(clip); t += 1.0f / fps) look.times.push_back(t);
    SINEW_TRY(const auto pictures, render_preview(character, look));
    return encode_pictures(pictures, fps, extension.empty() ? "" : extension.substr(1));
}

}  // namespace

Result<SimulateResult> simulate(ByteSpan text, const ResourceReader& resources, const fs::path& folder,
                                const Listener& listener) {
    SINEW_TRY(const Scene scene, parse_scene(text));
    Stopwatch stopwatch;
    SimulateResult result;
    SimulateReport& report = result.report;
    std::unique_ptr<Actor> actor;
    Character wearer, original;
    BodyFrames bodies;
    if (scene.character) {
        auto loaded = load_character(*scene.character, resources, folder, listener);
        if (!loaded) {
            Error error = loaded.error();
            error.where = error.where.empty() ? "/character" : "/character: " + error.where;
            return fail(std::move(error));
        }
        wearer = *std::move(loaded);
        report.warnings = wearer.warnings;
        const Clip* clip = scene.character->motion.empty() || wearer.clips.empty() ? nullptr : &wearer.clips.front();
        report.stage_seconds.emplace_back("read", stopwatch.lap());
        if (!scene.bodies.empty()) {
            original = wearer;
            std::vector<std::string> fallen;
            SINEW_TRY(bodies, run_bodies(scene, wearer, clip, listener.progress, fallen));
            warn(listener, "walkers", fallen, report.warnings);
            report.bodies = bodies.size();
            clip = play_body(bodies[0], scene, wearer);
            report.stage_seconds.emplace_back("bodies", stopwatch.lap());
        }
        actor = std::make_unique<Actor>(wearer, clip);
    }
    SINEW_TRY(Recording recording, run_scene(scene, actor.get(), report, listener.progress));
    report.stage_seconds.emplace_back("simulate", stopwatch.lap());
    actor.reset();
    result.character = std::move(wearer);
    if (!scene.character) result.character.name = "simulation";
    sinew::report(listener.progress, "fitting joints", 0.0);
    const std::vector<Patches> fits = add_recording(result.character, recording, "simulation");
    for (size_t i = 0; i < fits.size(); ++i) {
        ClothReport& cloth = report.cloths[i];
        cloth.joints = fits[i].centers.size();
        cloth.fit_error_mm = static_cast<float>(1000.0 * fits[i].worst_error);
        cloth.fit_mean_mm = static_cast<float>(1000.0 * fits[i].mean_error);
    }
    if (bodies.size() > 1) add_further_bodies(result.character, original, bodies, recording.times);
    report.joints = result.character.skeleton.size();
    for (const Track& track : result.character.clips.front().tracks) report.keys += track.times.size();
    report.stage_seconds.emplace_back("fit", stopwatch.lap());
    SINEW_TRY_VOID(validate(result.character));
    return result;
}

Result<SimulateReport> simulate_file(const SimulateJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output}, {job.preview}, {job.report}}, {job.scene}));
    SINEW_TRY_VOID(in_file(check_skin_type(job.output), job.output));
    SINEW_TRY_VOID(check_picture_type(job.preview));
    SINEW_TRY(const Bytes text, in_file(read_file(job.scene), job.scene));
    const ResourceReader resources = job.scene == "-" ? no_resources() : files_beside(job.scene, {});
    SINEW_TRY(SimulateResult result,
              in_file(simulate(text, resources, job.scene.parent_path(), job.listener), job.scene));
    SimulateReport& report = result.report;
    report.scene = job.scene.string(), report.output = job.output.string();
    Stopwatch stopwatch;
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(result.character, job.output), job.output));
    report.stage_seconds.emplace_back("write", stopwatch.lap());
    if (!job.preview.empty()) {
        SINEW_TRY(Bytes preview, in_file(render_simulation(result.character, job), job.preview));
        files.insert(files.begin(), {job.preview, std::move(preview)});
        report.stage_seconds.emplace_back("preview", stopwatch.lap());
    }
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(report)));
    return std::move(report);
}

}  // namespace sinew
