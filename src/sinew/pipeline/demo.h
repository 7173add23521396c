// Demo: the main job on the sample character that Sinew makes itself.
// Data flow: sample/sample.h → retarget_character.h → render, io → *here* → a folder of files.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <filesystem>
#include <vector>

namespace sinew {

struct DemoFile {
    std::filesystem::path path;
    size_t bytes = 0;
};

// Makes the folder and writes hero-mesh.obj (a bare mesh), hero.glb (rigged, with the clips walk, run, idle, wave and
// jump) and hero.webp (its walk). All or nothing is written. Errors name the folder first in `where`.
Result<std::vector<DemoFile>> make_demo(const std::filesystem::path& folder, const Listener& listener = {});

}  // namespace sinew
