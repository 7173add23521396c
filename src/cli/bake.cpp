// sinew bake: the deformed vertices at chosen times.
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bake.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "skinning_options.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string input, output;
    std::string clip;
    std::vector<float> times;
    float fps = 0.0f;
    bool in_place = false;
    DeformOptions deform;
};

// A clip is chosen by --clip, or is the first one when times or a rate are asked for; else the character is at rest.
Result<const Clip*> choose_clip(const Character& character, const Options& options) {
    if (options.clip.empty() && options.times.empty() && options.fps == 0.0f) return nullptr;
    return find_clip(character, options.clip);
}

// hero.obj for one frame; hero_0000.obj, hero_0001.obj, … for several: an OBJ holds one moment.
Result<std::vector<OutputFile>> encode_objs(const Character& character, std::span<const BakedFrame> frames,
                                            const fs::path& output) {
    std::vector<OutputFile> files;
    for (size_t k = 0; k < frames.size(); ++k) {
        fs::path path = output;
        if (frames.size() > 1) {
            path.replace_filename(fmt::format("{}_{:04}{}", output.stem().string(), k, output.extension().string()));
        }
        SINEW_TRY(auto encoded, encode_character(baked_character(character, frames.subspan(k, 1)), path));
        std::move(encoded.begin(), encoded.end(), std::back_inserter(files));
    }
    return files;
}

Result<std::vector<OutputFile>> encode(const Character& character, const Clip* clip, const std::vector<float>& times,
                                       const Options& options) {
    const fs::path output = options.output;
    const std::string extension = extension_of(options.output);
    const bool json = extension == ".json" || options.output == "-";
    DeformOptions deform = options.deform;
    deform.normals = !json;
    deform.surface_normals = true;  // files outlast the milliseconds
    const auto frames = bake(character, clip, times, deform);
    if (json) {
        std::vector<OutputFile> files;
        files.push_back({output, encode_bake_json(character, options.input, clip, frames)});
        return files;
    }
    if (extension == ".obj") return encode_objs(character, frames, output);
    if (extension == ".glb" || extension == ".gltf")
        return encode_character(baked_character(character, frames), output);
    return fail(ErrorCode::unsupported, fmt::format("cannot bake to \"{}\"; use .json, .obj or .glb", extension));
}

// Before the work: a rate typed with too many zeros would fill the memory.
Result<void> check_amount(const Character& character, const Clip* clip, const Options& options) {
    size_t vertices = 1;
    for (const MeshInstance& instance : character.instances)
        for (const Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            vertices += primitive.mesh.positions.size();
    double frames = static_cast<double>(options.times.size());
    if (options.times.empty() && clip) frames = double{duration(*clip)} * double{options.fps};
    constexpr double most_frames = 100'000;
    const auto most_vertices = static_cast<double>(Limits{}.max_vertices);
    if (frames <= most_frames && frames * static_cast<double>(vertices) <= most_vertices) return {};
    return fail(
        ErrorCode::limit_exceeded,
        fmt::format("{:.0f} frames of {} vertices are too many; lower --fps or name fewer --times", frames, vertices));
}

int run(const Common& common, const Options& options) {
    if (const auto ok = check_output(options.output, {options.input}, options.in_place); !ok) {
        return report_error(options.output, ok.error());
    }
    const auto character = read_input(common, options.input);
    if (!character) return exit_failed;
    const auto clip = choose_clip(*character, options);
    if (!clip) return report_error(options.input, clip.error());
    if (const auto ok = check_amount(*character, *clip, options); !ok) return report_error(options.input, ok.error());
    std::vector<float> times = options.times;
    if (times.empty() && options.fps > 0.0f && *clip) times = frame_times(**clip, options.fps);
    if (times.empty()) times = {0.0f};
    const auto files = encode(*character, *clip, times, options);
    if (!files) return report_error(options.output, files.error());
    if (const auto written = write_files(*files); !written) return report_error(options.output, written.error());
    if (common.json && options.output != "-") {
        print_json({{"input", options.input}, {"output", options.output}, {"frames", times.size()}});
    }
    return exit_done;
}

}  // namespace

void add_bake(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(
        program, "bake", "Write the deformed vertices, in world space.",
        {"sinew bake hero.glb -o rest.json", "sinew bake hero.glb -o hero.json --clip walk --times 0,0.5,1",
         "sinew bake hero.glb -o frames.obj --clip 0 --fps 30", "sinew bake hero.glb -o vertexanim.glb --fps 15",
         "sinew bake hero.glb -o smooth.glb --skinning dqs --delta-mush 10"});
    verb.add_option("CHARACTER", options->input, "the character")->required();
    verb.add_option("-o,--output", options->output, ".json, .obj or .glb; - is JSON on stdout")->required();
    verb.add_option("--clip", options->clip, "the clip's number or name");
    CLI::Option* times = verb.add_option("--times", options->times, "seconds, separated by commas")
                             ->delimiter(',')
                             ->check(finite_number());
    verb.add_option("--fps", options->fps, "frames per second over the whole clip")
        ->check(positive_number())
        ->excludes(times);
    add_skinning_options(verb, options->deform);
    verb.add_flag("--in-place", options->in_place, "allow the output to replace the input");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
