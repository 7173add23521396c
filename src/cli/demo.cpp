// sinew demo: the main job on the built-in sample character.
#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/bake.h>
#include <sinew/render/encode.h>
#include <sinew/render/preview.h>
#include <sinew/sample/sample.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "motion_options.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string folder = "sinew-demo";
};

int run(const Common& common, const Options& options) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(options.folder, error);
    if (error) return report_error(options.folder, {ErrorCode::io, error.message(), ""});

    Character hero = make_rigged_humanoid();
    const MotionOptions how{.motions = {"walk", "run", "idle", "wave", "jump"}, .clip = {}, .map_file = {}};
    if (!put_motions(common, how, hero)) return exit_failed;

    const fs::path folder = options.folder;
    constexpr float fps = 20.0f;
    PreviewOptions look{.width = 480,
                        .height = 480,
                        .samples = 3,
                        .clip = &hero.clips.front(),
                        .times = loop_times(hero.clips.front(), fps),
                        .progress = make_progress(common)};
    const auto frames = render_preview(hero, look);
    if (!frames) return report_error(options.folder, frames.error());
    auto moving = encode_pictures(*frames, fps, "webp");
    if (!moving) return report_error(options.folder, moving.error());

    auto files = encode_character(hero, folder / "hero.glb");
    if (!files) return report_error(options.folder, files.error());
    auto mesh = encode_character(make_humanoid(), folder / "hero-mesh.obj");
    if (!mesh) return report_error(options.folder, mesh.error());
    files->insert(files->begin(), std::make_move_iterator(mesh->begin()), std::make_move_iterator(mesh->end()));
    files->push_back({folder / "hero.webp", *std::move(moving)});
    if (const auto written = write_files(*files); !written) return report_error(options.folder, written.error());

    if (common.json) {
        nlohmann::ordered_json made = nlohmann::ordered_json::array();
        for (const OutputFile& file : *files) made.push_back(file.path.string());
        print_json({{"files", made}});
        return exit_done;
    }
    fmt::print("made:\n");
    for (const OutputFile& file : *files)
        fmt::print("  {}  ({} KB)\n", file.path.string(), (file.bytes.size() + 1023) / 1024);
    fmt::print(
        "hero.glb holds a rigged character with the clips walk, run, idle, wave and jump: drop it on any glTF "
        "viewer.\n");
    return exit_done;
}

}  // namespace

void add_demo(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        add_verb(program, "demo", "Do the main job on the built-in sample character, and show what was made.",
                 {"sinew demo", "sinew demo -o my-folder"});
    verb.add_option("-o,--output", options->folder, "the folder to write to");
    verb.callback([&program, options] { program.run = [&program, options] { return run(program.common, *options); }; });
}

}  // namespace sinew::cli
