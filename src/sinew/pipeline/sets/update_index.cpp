#include <sinew/pipeline/sets/find_motions.h>

#include <sinew/core/file.h>
#include <sinew/core/parallel.h>
#include <sinew/io/read.h>
#include <sinew/pipeline/job/file_job.h>
#include <algorithm>
#include <array>
#include <map>

namespace sinew {
namespace {

namespace fs = std::filesystem;

bool is_motion_file(const fs::path& path) {
    constexpr std::array<std::string_view, 8> types = {".bvh",  ".fbx", ".glb", ".gltf",
                                                       ".vrma", ".vrm", ".amc", ".dae"};
    return std::ranges::find(types, std::string_view(lower_extension(path))) != types.end();
}

Result<std::vector<IndexedFile>> list_files(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return fail(ErrorCode::not_found, "is no folder; give one that holds motion files", folder.string());
    std::vector<IndexedFile> files;
    auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        std::error_code own;
        if (!it->is_regular_file(own) || !is_motion_file(it->path())) continue;
        IndexedFile file;
        file.path = it->path().lexically_relative(folder).generic_string();
        file.size = it->file_size(own);
        file.time = static_cast<int64_t>(it->last_write_time(own).time_since_epoch().count());
        if (!own) files.push_back(std::move(file));
    }
    if (error) return fail(ErrorCode::io, "the folder cannot be read: " + error.message(), folder.string());
    std::ranges::sort(files, {}, &IndexedFile::path);
    return files;
}

size_t count_frames(const Clip& clip) {
    size_t most = 0;
    for (const Track& track : clip.tracks) most = std::max(most, track.times.size());
    return most;
}

// Opens a file whose size or time is not the known one. Returns the number of frames that were described.
size_t describe_file(const fs::path& folder, const IndexedFile* known, IndexedFile& file) {
    const fs::path path = folder / fs::path(file.path);
    const auto bytes = read_file(path);
    if (!bytes) {
        file.problem = to_string(bytes.error());
        return 0;
    }
    file.hash = content_hash(*bytes);
    if (known && known->hash == file.hash && known->size == file.size) {
        file.problem = known->problem;
        file.clips = known->clips;
        return 0;
    }
    const auto character = read_character(path);
    if (!character) {
        file.problem = to_string(character.error());
        return 0;
    }
    size_t frames = 0;
    for (const Clip& clip : character->clips) {
        file.clips.push_back(
            {clip.name.empty() ? path.stem().string() : clip.name, describe_motion(character->skeleton, clip)});
        frames += count_frames(clip);
    }
    return frames;
}

}  // namespace

fs::path index_path(const fs::path& folder) {
    fs::path plain = fs::absolute(folder).lexically_normal();
    if (!plain.has_filename()) plain = plain.parent_path();
    return plain.string() + ".sinew-index";
}

Result<MotionIndex> update_index(const fs::path& folder, IndexUpdate& update, const Progress& progress) {
    Stopwatch stopwatch;
    MotionIndex index, before;
    SINEW_TRY(index.files, list_files(folder));
    const fs::path path = index_path(folder);
    if (const auto bytes = read_file(path)) {
        if (auto read = decode_index(*bytes))
            before = *std::move(read);
        else
            update.problems.push_back(path.filename().string() + ": " + to_string(read.error()) + "; it was made anew");
    }
    std::map<std::string_view, const IndexedFile*> known;
    for (const IndexedFile& file : before.files) known[file.path] = &file;
    std::vector<size_t> changed;
    for (size_t i = 0; i < index.files.size(); ++i) {
        IndexedFile& file = index.files[i];
        const auto it = known.find(file.path);
        if (it != known.end() && it->second->size == file.size && it->second->time == file.time)
            file = *it->second;
        else
            changed.push_back(i);
    }
    std::vector<size_t> frames(changed.size(), 0);
    // A few files at a time, so that progress can be told from here.
    constexpr size_t batch = 16;
    for (size_t start = 0; start < changed.size(); start += batch) {
        report(progress, "indexing", static_cast<double>(start) / static_cast<double>(changed.size()));
        parallel_for(std::min(batch, changed.size() - start), 1, [&](size_t begin, size_t end) {
            for (size_t k = start + begin; k < start + end; ++k) {
                IndexedFile& file = index.files[changed[k]];
                const auto it = known.find(file.path);
                frames[k] = describe_file(folder, it == known.end() ? nullptr : it->second, file);
            }
        });
    }
    if (!changed.empty()) report(progress, "indexing", 1.0);
    update.files = index.files.size();
    update.described = changed.size();
    for (const size_t count : frames) update.frames += count;
    for (const IndexedFile& file : before.files)
        update.removed += !std::ranges::binary_search(index.files, file.path, {}, &IndexedFile::path);
    for (const IndexedFile& file : index.files)
        if (!file.problem.empty()) update.problems.push_back(file.path + ": " + file.problem + "; left out");
    if (!changed.empty() || update.removed > 0)
        if (const auto written = write_file(path, encode_index(index)); !written)
            update.problems.push_back("the index cannot be kept: " + to_string(written.error()) +
                                      "; the next search will read all files again");
    update.seconds = stopwatch.lap();
    return index;
}

}  // namespace sinew
