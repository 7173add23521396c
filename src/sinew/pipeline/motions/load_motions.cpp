#include <fmt/format.h>
#include <sinew/core/folder.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/skinned/bind_stance.h>
#include <sinew/pipeline/edit/control_body.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/motions/skinned_character.h>
#include <sinew/pipeline/retarget_character.h>
#include <algorithm>
#include <array>
#include <map>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view every_clip = "all";

// A folder that happens to be called "walk" does not hide the built-in motion; "./walk" means the folder.
bool is_builtin_name(const std::string& file_or_name) {
    if (file_or_name == "-" || !fs::path(file_or_name).extension().empty()) return false;
    return !path_exists(file_or_name) || (is_folder(file_or_name) && check_builtin_name(file_or_name));
}

MotionSource load_builtin(const std::string& name) {
    MotionSource source;
    source.name = name;
    source.builtin = true;
    source.clip.name = name;
    if (auto person = builtin_motion(name)) {
        source.skeleton = std::move(person->skeleton);
        source.clip = std::move(person->clip);
    }
    return source;
}

// Of a file that was read: `clip` by number or name, "all" for each, empty for the first.
Result<std::vector<MotionSource>> sources_of(const Character& file, const std::string& name, const std::string& clip) {
    std::vector<const Clip*> clips;
    // A clip that is really called "all" comes first.
    const bool all = clip == every_clip && std::ranges::find(file.clips, clip, &Clip::name) == file.clips.end();
    for (const Clip& own : file.clips)
        if (all) clips.push_back(&own);
    if (!all) {
        SINEW_TRY(const Clip* found, find_clip(file, clip));
        if (found) clips.push_back(found);
    }
    if (clips.empty())
        return fail(ErrorCode::not_found,
                    "has no animation; give a file that has one, or a built-in motion such as walk");
    MotionSource source;
    source.name = name;
    source.skeleton = file.skeleton;
    source.morphs = morph_names(file);
    SkinnedSkeleton body = skinned_skeleton(file);
    if (const auto stance = bind_stance(body)) source.stance = stance->rest();
    source.skin = std::move(body.points);
    std::vector<MotionSource> sources(clips.size(), source);
    for (size_t i = 0; i < clips.size(); ++i) {
        sources[i].clip = *clips[i];
        if (clips[i]->name.empty()) sources[i].clip.name = fs::path(name).stem().string();
    }
    sources.front().warnings = file.warnings;
    return sources;
}

// The motion files of a folder, by name.
Result<std::vector<fs::path>> motion_files(const fs::path& folder) {
    constexpr std::array<std::string_view, 8> types = {".bvh",  ".fbx", ".glb", ".gltf",
                                                       ".vrma", ".vrm", ".amc", ".dae"};
    std::vector<fs::path> files;
    SINEW_TRY(const std::vector<fs::path> all, files_in(folder));
    for (const fs::path& path : all)
        if (std::ranges::find(types, std::string_view(lower_extension(path))) != types.end()) files.push_back(path);
    if (files.empty())
        return fail(ErrorCode::not_found,
                    fmt::format("the folder holds no motion files; Sinew looks for {}", fmt::join(types, ", ")));
    return files;
}

Result<std::vector<MotionSource>> load_folder(const fs::path& folder, const std::string& clip,
                                              const Progress& progress) {
    SINEW_TRY(const std::vector<fs::path> files, motion_files(folder));
    std::vector<MotionSource> sources;
    for (const fs::path& path : files) {
        SINEW_TRY(const Character file, in_file(read_character(path, {.progress = progress}), path));
        if (file.clips.empty()) continue;
        SINEW_TRY(std::vector<MotionSource> own, in_file(sources_of(file, path.string(), clip), path));
        std::ranges::move(own, std::back_inserter(sources));
    }
    if (sources.empty()) return fail(ErrorCode::not_found, "no file of the folder has an animation");
    return sources;
}

Result<std::vector<MotionSource>> load_each(const std::string& what, const std::string& clip,
                                            const Progress& progress) {
    if (is_builtin_name(what)) {
        SINEW_TRY_VOID(check_builtin_name(what));
        return std::vector<MotionSource>{load_builtin(what)};
    }
    if (is_folder(what)) return load_folder(what, clip, progress);
    SINEW_TRY(const Character file, read_character(what, {.progress = progress}));
    return sources_of(file, what, clip);
}

// Clips that share a name would replace each other: the file's name goes in front, then a number behind.
void name_apart(std::vector<MotionSource>& sources) {
    const auto count = [&] {
        std::map<std::string, size_t> times;
        for (const MotionSource& source : sources) ++times[source.clip.name];
        return times;
    };
    auto times = count();
    for (MotionSource& source : sources) {
        if (source.builtin || times[source.clip.name] < 2) continue;
        const std::string stem = fs::path(source.name).stem().string();
        const auto of_file = std::ranges::count(sources, source.name, &MotionSource::name);
        source.clip.name = of_file > 1 ? stem + "_" + source.clip.name : stem;
    }
    times = count();
    std::map<std::string, size_t> seen;
    for (MotionSource& source : sources) {
        if (source.builtin || times[source.clip.name] < 2) continue;
        const size_t number = ++seen[source.clip.name];
        if (number > 1) source.clip.name += fmt::format("_{}", number);
    }
}

}  // namespace

Result<MotionSource> load_motion(const std::string& file_or_name, const std::string& clip, const Progress& progress) {
    SINEW_TRY(std::vector<MotionSource> sources, load_each(file_or_name, clip, progress));
    return std::move(sources.front());
}

Result<std::vector<MotionSource>> load_motions(const std::vector<std::string>& files_or_names, const std::string& clip,
                                               const Progress& progress) {
    std::vector<MotionSource> sources;
    for (const std::string& what : files_or_names) {
        SINEW_TRY(std::vector<MotionSource> own, in_file(load_each(what, clip, progress), what));
        std::ranges::move(own, std::back_inserter(sources));
    }
    name_apart(sources);
    return sources;
}

}  // namespace sinew
