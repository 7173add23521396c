#include <sinew/pipeline/demo.h>

#include <sinew/io/write.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/render/preview.h>
#include <sinew/sample/sample.h>
#include <iterator>

namespace sinew {
namespace {

Result<Bytes> render_walk(const Character& hero, const Listener& listener) {
    constexpr float fps = 20.0f;
    const Clip& walk = hero.clips.front();
    SINEW_TRY(const auto pictures, render_preview(hero, {.width = 480,
                                                         .height = 480,
                                                         .samples = 3,
                                                         .clip = &walk,
                                                         .times = loop_times(walk, fps),
                                                         .progress = listener.progress}));
    return encode_pictures(pictures, fps, "webp");
}

Result<std::vector<OutputFile>> make_files(const std::filesystem::path& folder, const Listener& listener) {
    SINEW_TRY(const AnimateResult hero,
              animate(make_rigged_humanoid(), {"walk", "run", "idle", "wave", "jump"}, {.listener = listener}));
    SINEW_TRY(Bytes picture, render_walk(hero.character, listener));
    SINEW_TRY(std::vector<OutputFile> files, encode_character(make_humanoid(), folder / "hero-mesh.obj"));
    SINEW_TRY(std::vector<OutputFile> rigged, encode_character(hero.character, folder / "hero.glb", hero.write));
    files.insert(files.end(), std::make_move_iterator(rigged.begin()), std::make_move_iterator(rigged.end()));
    files.push_back({folder / "hero.webp", std::move(picture)});
    return files;
}

}  // namespace

Result<std::vector<DemoFile>> make_demo(const std::filesystem::path& folder, const Listener& listener) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::io, "cannot make this folder: " + error.message() + "; choose another with -o",
                    folder.string());
    SINEW_TRY(const std::vector<OutputFile> files, in_file(make_files(folder, listener), folder));
    SINEW_TRY_VOID(in_file(write_files(files), folder));
    std::vector<DemoFile> made;
    for (const OutputFile& file : files) made.push_back({file.path, file.bytes.size()});
    return made;
}

}  // namespace sinew
