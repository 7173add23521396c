// Up and facing on bodies from outside: every file of a folder, bare, as it stands and turned. The truth is what the
// file's own joints say, or +Y up and +Z ahead, as glTF has it, where they say nothing; lines "name x,y,z" in the file
// truth.txt of the folder say where a body looks that is neither. Prints who looks backwards or stands on its head, and
// how sure the rig was.
// Names of materials and meshes tell where a face is; --names off leaves them out.
//   bench_rig_outside --folder DIR [--half 0|1] [--only NAME] [--names off] [--json FILE]
#include <rig/characters.h>
#include <sinew/core/parallel.h>
#include <sinew/io/read.h>
#include <sinew/pipeline/job/file_says.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/skeleton/creature.h>
#include <ctime>
#include <filesystem>
#include <map>

#include "support.h"

namespace {

using namespace sinew;
using namespace sinew::test;

// Below this a rig is a guess; a body that is read the wrong way round must be.
constexpr double guess = 0.5;
// Directions within 60 degrees are the same: bodies in motion lean and turn.
constexpr float same_way = 0.5f;

struct Way {
    const char* name;
    Quat turn;
    bool told;  // the file says which way is up
};

const std::vector<Way>& ways() {
    const auto about_y = [](float degrees) { return Quat(Eigen::AngleAxisf(radians(degrees), Vec3::UnitY())); };
    static const std::vector<Way> all = {{"upright", about_y(0), true},
                                         {"turned", about_y(180), true},
                                         {"sideways", about_y(90), true},
                                         {"z-up", Quat(Eigen::AngleAxisf(radians(90), Vec3::UnitX())), false}};
    return all;
}

struct Truth {
    Vec3 up = Vec3::UnitY(), facing = Vec3::UnitZ();
    std::string from = "glTF";
};

Truth truth_of(const Character& character, const std::map<std::string, Vec3>& told, const std::string& name) {
    Truth truth;
    if (const auto found = told.find(name); found != told.end()) {
        truth.facing = found->second, truth.from = "told";
    } else if (!character.skins.empty()) {
        const CreatureMap map = recognise_creature(character.skeleton);
        if (map.kind != CreatureKind::other)
            truth = {map.up.cast<float>(), map.forward.cast<float>(), std::string(to_string(map.kind))};
    }
    return truth;
}

std::map<std::string, Vec3> read_told(const std::filesystem::path& folder) {
    std::map<std::string, Vec3> told;
    std::ifstream file(folder / "truth.txt");
    for (std::string line; std::getline(file, line);) {
        Vec3 d;
        const size_t space = line.find(' ');
        if (space != std::string::npos && std::sscanf(line.c_str() + space, "%f,%f,%f", &d.x(), &d.y(), &d.z()) == 3)
            told[line.substr(0, space)] = d;
    }
    return told;
}

struct Tally {
    int runs = 0, guesses = 0, backwards = 0, upside_down = 0, silent = 0;
};

void run_file(const std::filesystem::path& path, const std::map<std::string, Vec3>& told, bool names, Tally& tally) {
    const auto character = read_character(path);
    const std::string name = path.stem().string();
    if (!character) return fmt::print("{:40} cannot be read\n", name);
    BareCharacter bare{.name = name};
    take_triangles(*character, rest_pose(*character), bare);
    const RigOptions said = names ? as_file_says(*character, {}) : RigOptions{};
    const Truth truth = truth_of(*character, told, name);
    std::string row = fmt::format("{:40} {:9}", name.substr(0, 40), truth.from);
    for (const Way& way : ways()) {
        std::vector<Vec3> turned = bare.positions;
        for (Vec3& p : turned) p = way.turn * p;
        RigOptions options{.face = said.face};
        for (Vec3& p : options.face) p = way.turn * p;
        if (way.told) options.told_up = Vec3::UnitY();
        const std::clock_t start = std::clock();
        const auto rig = fit_skeleton(turned, bare.triangles, options);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (!rig) return fmt::print("{} no triangles\n", row);
        // Which way up and ahead mean nothing for a rig that is grown from branches.
        const bool known = rig->kind != RigKind::generic;
        const bool stands = rig->up.dot(way.turn * truth.up) > same_way,
                   looks = rig->facing.dot(way.turn * truth.facing) > same_way;
        ++tally.runs;
        tally.guesses += !known || rig->confidence < guess;
        const bool wrong = known && !(stands && looks);
        tally.backwards += wrong && stands, tally.upside_down += wrong && !stands;
        tally.silent += wrong && rig->confidence >= guess;
        row += fmt::format(" | {:9} {:.2f} {:4.1f} s{}", to_string(rig->kind), rig->confidence, seconds,
                           !wrong                    ? "         "
                           : rig->confidence < guess ? (stands ? " back    " : " up      ")
                           : stands                  ? " BACK !  "
                                                     : " UP !    ");
    }
    fmt::print("{}\n", row);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string folder = bench::argument(argc, argv, "--folder"), only = bench::argument(argc, argv, "--only"),
                      half = bench::argument(argc, argv, "--half");
    if (folder.empty()) return fmt::print("give --folder DIR with characters; see the first lines of the source\n"), 0;
    set_thread_count(1);
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().filename() != "truth.txt" && entry.path().string().find(only) != std::string::npos)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (!half.empty()) {
        size_t k = 0;
        std::erase_if(files, [&](const auto&) { return std::to_string(k++ % 2) != half; });
    }
    const std::map<std::string, Vec3> told = read_told(folder);
    Tally tally;
    for (const std::filesystem::path& file : files)
        run_file(file, told, bench::argument(argc, argv, "--names") != "off", tally);
    bench::Table table;
    table.add("bodies", static_cast<double>(files.size()), "");
    table.add("guesses (below 0.5, or grown)", 100.0 * tally.guesses / std::max(1, tally.runs), "%");
    table.add("backwards", tally.backwards, "");
    table.add("another side up", tally.upside_down, "");
    table.add("either of these at 0.5 or more", tally.silent, "", 0.0);
    return table.finish(argc, argv);
}
