// Find: motions of a folder, by example and by name. Data flow: a folder → an index beside it, made or brought up to
// date → *here* (sets/index/motion_index.h) → a ranking, a table, a sheet of pictures.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/sets/index/motion_index.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// What bringing an index up to date took.
struct IndexUpdate {
    size_t files = 0;      // motion files of the folder and the folders in it
    size_t described = 0;  // new or changed ones, which were read
    size_t removed = 0;    // that are no longer there
    size_t frames = 0;     // keys of the clips that were read
    double seconds = 0;
    std::vector<std::string> problems;  // files that cannot be read: told and left out
};

// The index of a folder, read from `index_path(folder)` and brought up to date: only files whose size or time changed
// are opened, and only those whose contents changed are described anew. Written back where it changed; where that is
// not possible `update.problems` says so. Fails where the folder cannot be read.
Result<MotionIndex> update_index(const std::filesystem::path& folder, IndexUpdate& update,
                                 const Progress& progress = {});
// Beside the folder: "takes.sinew-index" for "takes".
std::filesystem::path index_path(const std::filesystem::path& folder);

struct FindJob {
    std::filesystem::path folder = {};
    std::string like = {};  // a motion file or a built-in motion, "walk.bvh" or "walk.bvh@1.5:3" in seconds
    std::string name = {};  // a part of the name of a file or clip
    size_t most = 10;       // results
    std::filesystem::path picture = {};  // a sheet of the results
    Listener listener = {};
};
struct FindResult {
    std::string file, clip;  // file: with the folder's name
    float distance = 0, from = 0, to = 0, seconds = 0;
    bool mirrored = false;
};
struct FindReport {
    std::string folder, like, name;
    std::vector<FindResult> results;
    size_t clips = 0;  // of the folder
    IndexUpdate update;
    std::vector<std::string> warnings;
};
Result<FindReport> find_motions(const FindJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const FindReport& report);

}  // namespace sinew
