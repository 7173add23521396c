// sinew demo: the main job on the built-in sample character.
#include <sinew/pipeline/demo.h>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

int run(const Common& common, const std::filesystem::path& folder) {
    const auto made = make_demo(folder, make_listener(common));
    if (!made || common.json) return finish(common, made);
    fmt::print("made:\n");
    for (const DemoFile& file : *made) fmt::print("  {}  ({} KB)\n", file.path.string(), (file.bytes + 1023) / 1024);
    fmt::print(
        "hero.glb is a rigged character with the clips walk, run, idle, wave and jump; drop it on any glTF viewer.\n");
    return exit_done;
}

}  // namespace

void add_demo(Program& program) {
    auto folder = std::make_shared<std::filesystem::path>("sinew-demo");
    Verb verb = program.add_verb(
        "demo", "Do the main job on the built-in sample character, and list the files it made.",
        {"sinew demo", "sinew demo -o my-folder"}, [&program, folder] { return run(program.common, *folder); });
    verb.add("-o,--output", *folder, "the folder to write to");
}

}  // namespace sinew::cli
