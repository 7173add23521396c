// Searching, measured: how many of the first five that `find` returns show the action of the query, by descriptions.
//   find_bench [FOLDER] [--descriptions TABLE.tsv] [--column 2] [--words bench/find_actions.tsv] [--draw 300] [--half
//   0|1]
// Without a folder: a copy of the motions of the data, with their descriptions in its manifest.
// A motion shows what its description (a column of the table, by the file's name) and its clip's name say; only those
// that name an action take part. Each that names one alone is a query, if three others name it too; of the first
// min(5, others) found, those that name it are right. --half takes only subjects (what a file's name begins with, up to
// '_') of one half, by their hash, so that one half can be tuned on and the other one be left alone; --draw takes that
// many clips, by the hash of their names.
#include <sinew/pipeline/sets/find_motions.h>
#include <support/places.h>

#include "find_labels.h"
#include "support.h"

using namespace sinew;

namespace {

struct JudgedIndex {
    MotionIndex index;                              // a clip a file
    std::vector<std::vector<std::string>> actions;  // of each
};

uint64_t name_hash(const std::string& name) {
    uint64_t hash = content_hash({reinterpret_cast<const std::byte*>(name.data()), name.size()});
    // Names that differ in their last letter alone differ in few of the lower bits.
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccdull;
    hash ^= hash >> 33;
    hash *= 0xc4ceb9fe1a85ec53ull;
    return hash ^ (hash >> 33);
}

struct Choice {
    size_t draw = 0;  // 0: all
    int half = -1;    // −1: both
};

JudgedIndex judge_clips(const MotionIndex& all, const std::map<std::string, std::string>& descriptions,
                        const bench::ActionWords& words, const Choice& choice) {
    constexpr float shortest = 0.3f;  // seconds: what is shorter is a pose, and no action
    std::vector<std::pair<uint64_t, std::pair<IndexedFile, std::vector<std::string>>>> found;
    for (const IndexedFile& file : all.files) {
        const std::string stem = std::filesystem::path(file.path).stem().string();
        const int half = static_cast<int>(name_hash(stem.substr(0, stem.find('_'))) & 1);
        if (choice.half >= 0 && half != choice.half) continue;
        for (const IndexedClip& clip : file.clips) {
            if (clip.motion.rows.empty() || clip.motion.seconds < shortest) continue;
            const auto told = descriptions.find(stem);
            const std::string text = (told == descriptions.end() ? "" : told->second) + " / " + clip.name;
            std::vector<std::string> actions = bench::named_actions(text, words);
            if (actions.empty()) continue;
            IndexedFile one = file;
            one.clips = {clip};
            found.emplace_back(name_hash(stem + clip.name), std::pair{std::move(one), std::move(actions)});
        }
    }
    std::ranges::stable_sort(found, {}, [](const auto& entry) { return entry.first; });
    if (choice.draw > 0 && found.size() > choice.draw) found.resize(choice.draw);
    JudgedIndex judged;
    for (auto& [hash, entry] : found) {
        judged.index.files.push_back(std::move(entry.first));
        judged.actions.push_back(std::move(entry.second));
    }
    return judged;
}

struct Precision {
    double sum = 0;
    size_t queries = 0;
    double mean() const { return queries > 0 ? sum / static_cast<double>(queries) : 0.0; }
};

std::map<std::string, Precision> search_all(const JudgedIndex& judged) {
    constexpr size_t looked_at = 5, enough = 3;
    std::map<std::string, size_t> takes;
    for (const auto& actions : judged.actions)
        for (const std::string& action : actions) ++takes[action];
    std::map<std::string, Precision> precision;
    for (size_t q = 0; q < judged.actions.size(); ++q) {
        if (judged.actions[q].size() != 1) continue;
        const std::string& action = judged.actions[q].front();
        const size_t others = takes[action] - 1;
        if (others < enough) continue;
        const size_t first = std::min(looked_at, others);
        size_t seen = 0, right = 0;
        for (const FoundMotion& found : find_like(judged.index, judged.index.files[q].clips[0].motion.rows, false)) {
            if (found.file == q) continue;
            right += static_cast<size_t>(std::ranges::count(judged.actions[found.file], action));
            if (++seen == first) break;
        }
        precision[action].sum += static_cast<double>(right) / static_cast<double>(first);
        ++precision[action].queries;
    }
    return precision;
}

// The index is kept beside the folder that it describes, and the data are not ours.
std::filesystem::path copy_of_data() {
    namespace fs = std::filesystem;
    fs::path copy = fs::temp_directory_path() / "sinew_find_bench";
    for (const char* part :
         {"asf-amc", "bvh-cmu", "bvh-other", "collada", "fbx", "gltf-khronos", "gltf-other", "rigged-gt", "vrm"})
        if (fs::is_directory(test::data_folder() / part)) {
            fs::create_directories(copy / part);
            fs::copy(test::data_folder() / part, copy / part,
                     fs::copy_options::recursive | fs::copy_options::skip_existing);
        }
    return copy;
}

size_t number(int argc, char** argv, const char* name, size_t usual) {
    const std::string text = bench::argument(argc, argv, name);
    return text.empty() ? usual : std::stoul(text);
}

}  // namespace

int main(int argc, char** argv) {
    const bool given = argc > 1 && argv[1][0] != '-';
    const std::filesystem::path folder = given ? std::filesystem::path(argv[1]) : copy_of_data();
    const std::string table_file = bench::argument(argc, argv, "--descriptions"),
                      words_file = bench::argument(argc, argv, "--words"), half = bench::argument(argc, argv, "--half");
    const bool own = table_file.empty() && !given;
    const auto words = bench::read_action_words(words_file.empty() ? test::source_dir() / "bench/find_actions.tsv"
                                                                   : std::filesystem::path(words_file));
    const auto descriptions =
        bench::read_descriptions(own ? test::data_folder() / "MANIFEST.tsv" : std::filesystem::path(table_file),
                                 number(argc, argv, "--column", own ? 5 : 2));
    IndexUpdate update;
    const auto index = update_index(folder, update);
    if (!index) return fmt::print(stderr, "{}\n", to_string(index.error())), 1;
    const JudgedIndex judged =
        judge_clips(*index, descriptions, words,
                    {number(argc, argv, "--draw", 0), half.empty() ? -1 : static_cast<int>(std::stoul(half))});
    bench::Table table;
    if (update.frames > 0)
        table.add("indexing: frames a second", static_cast<double>(update.frames) / update.seconds, "/s", 20000.0);
    table.add("clips that name an action", static_cast<double>(judged.actions.size()), "");
    Precision all, by_action;
    for (const auto& [action, precision] : search_all(judged)) {
        table.add(fmt::format("{}: of the first five, {} queries", action, precision.queries), precision.mean(), "");
        all.sum += precision.sum;
        all.queries += precision.queries;
        by_action.sum += precision.mean();
        ++by_action.queries;
    }
    table.add(fmt::format("all actions alike: of the first five, {} actions", by_action.queries), by_action.mean(), "");
    table.add(fmt::format("all: of the first five, {} queries", all.queries), all.mean(), "", own ? 0.8 : 0.7);
    return table.finish(argc, argv);
}
