// Skeleton fitting: every character of the tests, upright, in other poses, with things worn and carried, in every axis
// orientation, freely turned, damaged. Prints the tables of docs/measurements.md; slow (minutes).
//   bench_rig [--what "accuracy variants doubt calibration axis free dirty"] [--only NAME] [--free N] [--dirty N] [--seed N]
//             [--plot PNG] [--json FILE]
#include <rig/doubtful.h>
#include <rig/sweep.h>
#include <rig/variants.h>
#include <sinew/core/parallel.h>
#include <sinew/mesh/voxel_work.h>
#include <ctime>

#include "rig_calibration.h"
#include "support.h"

namespace {

using namespace sinew;
using namespace sinew::test;

// Of this process, one thread: others on the machine do not count.
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Tally {
    // silent: another skeleton, and not warned about; gate: over 6% and accepted.
    int runs = 0, same = 0, accepted = 0, silent = 0, gate = 0, fingers = 0;
    double worst = 0.0, slowest = 0.0;

    void add(const Outcome& outcome, double seconds) {
        const bool is_accepted = outcome.rig.confidence >= accepted_confidence;
        ++runs;
        same += outcome.same;
        accepted += is_accepted;
        fingers += outcome.apart.same_fingers;
        silent += !outcome.same && is_accepted;
        gate += is_accepted && outcome.score.any && outcome.score.mean > 6.0;
        if (outcome.same) worst = std::max(worst, outcome.apart.worst);
        slowest = std::max(slowest, seconds);
    }
    void add(const Tally& other) {
        runs += other.runs, same += other.same, accepted += other.accepted, silent += other.silent, gate += other.gate,
            fingers += other.fingers;
        worst = std::max(worst, other.worst), slowest = std::max(slowest, other.slowest);
    }
    std::string text() const {
        return fmt::format("{:4}/{:<4} accepted {:4} silent {:3} gate {:2} fingers {:3} worst joint {:4.1f}% {:.2f} s",
                           same, runs, accepted, silent, gate, fingers, worst, slowest);
    }
};

struct Sweep {
    const char* name;
    std::vector<Change> changes;
    std::map<std::string, Tally> by_kind;
};

void describe(const Sweep& sweep, const BareCharacter& c, const Change& change, const Outcome& o) {
    const Eigen::AngleAxisd turn(change.turn);
    const Vec3d axis = turn.axis();
    const Vec3d up = change.turn.conjugate() * o.rig.up.cast<double>(),
                facing = change.turn.conjugate() * o.rig.facing.cast<double>();
    fmt::print(
        "  {} {}: {} confidence {:.2f} apart {:.1f}% error {:.1f}% up {:.2f} {:.2f} {:.2f} facing {:.2f} {:.2f} {:.2f} "
        "| turn {:.0f} deg about {:.3f} {:.3f} {:.3f} scale {:.4g} {} {}\n",
        c.name, sweep.name, to_string(o.rig.kind), o.rig.confidence, o.apart.mean, o.score.mean, up.x(), up.y(), up.z(),
        facing.x(), facing.y(), facing.z(), turn.angle() * 57.29577951, axis.x(), axis.y(), axis.z(), change.scale,
        change.damage, o.done);
}

void sweep_character(const BareCharacter& c, std::vector<Sweep>& sweeps) {
    const RigResult untouched = fit_skeleton(c.positions, c.triangles).value();
    for (Sweep& sweep : sweeps) {
        Tally tally;
        for (const Change& change : sweep.changes) {
            const double start = cpu_seconds();
            const Outcome outcome = run_changed(c, untouched, change);
            tally.add(outcome, cpu_seconds() - start);
            if (!outcome.same) describe(sweep, c, change, outcome);
        }
        fmt::print("{:10} {:6} {}\n", c.name, sweep.name, tally.text());
        std::fflush(stdout);
        sweep.by_kind[c.kind].add(tally);
    }
}

void accuracy_table(bench::Table& table) {
    std::map<std::string, std::pair<double, int>> tuned, held;
    for (const CharacterFile& file : character_files()) {
        const BareCharacter c = load_bare(file);
        const double start = cpu_seconds();
        const RigResult rig = fit_skeleton(c.positions, c.triangles).value();
        const double seconds = cpu_seconds() - start;
        const Score s = compare(c, rig);
        fmt::print("{:10} {:9} confidence {:.2f} {:8} mean {:5.2f} legs {:5.2f} limb {:5.2f} {:.2f} s |{}\n", c.name,
                   to_string(rig.kind), rig.confidence, file.held_out ? "held out" : "", s.mean, s.legs, s.worst_limb,
                   seconds, s.text);
        if (!s.any || c.name == "kaiju") continue;  // a reptile: no person to compare with
        auto& [sum, count] = (file.held_out ? held : tuned)[c.kind];
        sum += s.mean, ++count;
    }
    for (const char* kind : {"biped", "quadruped"}) {
        table.add(fmt::format("{} mean error, % of height", kind), tuned[kind].first / tuned[kind].second, "%");
        table.add(fmt::format("{} mean error, held out", kind), held[kind].first / held[kind].second, "%");
    }
}

void variants_table(bench::Table& table) {
    std::map<std::string, std::pair<double, int>> means;
    for (const CharacterFile& file : character_files()) {
        if (std::string(file.kind) != "biped") continue;
        const BareCharacter base = load_bare(file);
        if (base.name == "kaiju") continue;
        std::string row;
        const auto add = [&](const std::string& what, const BareCharacter& c) {
            const RigResult rig = fit_skeleton(c.positions, c.triangles).value();
            const Score s = compare(c, rig);
            row += fmt::format(" {} {:.1f}{}", what, s.mean, rig.confidence < accepted_confidence ? "?" : "");
            means[what].first += s.mean, ++means[what].second;
        };
        if (base.name != "makehuman")  // it has no skin to pose
            for (const std::string& pose : pose_names()) add(pose, posed(file, pose));
        for (const std::string& what : accessory_names()) add(what, with_accessory(base, what));
        fmt::print("{:10}{}\n", base.name, row);
        std::fflush(stdout);
    }
    for (const auto& [what, mean] : means)
        table.add("variant " + what + ", % of height", mean.first / mean.second, "%", 4.0);
}

// What shapes that are no clear creature cost, in processor time and in voxels visited, against a clear one.
void doubt_table(bench::Table& table) {
    struct Cost {
        double seconds = INFINITY, voxels = 0.0;
    };
    const auto cost_of = [](const Mesh& mesh) {
        Cost cost;
        for (int run = 0; run < 3; ++run) {
            const double start = cpu_seconds();
            const uint64_t before = voxel_work();
            (void)fit_skeleton(mesh.positions, mesh.triangles);
            cost = {std::min(cost.seconds, cpu_seconds() - start), static_cast<double>(voxel_work() - before)};
        }
        return cost;
    };
    const Cost clear = cost_of(sample_person());
    double slowest = 0.0, most = 0.0;
    for (const DoubtfulShape& shape : doubtful_shapes()) {
        const Cost cost = cost_of(shape.mesh);
        fmt::print("{:18} {:.2f} s, {:.1f} times the clear shape's; voxels {:.1f} times\n", shape.name, cost.seconds,
                   cost.seconds / clear.seconds, cost.voxels / clear.voxels);
        slowest = std::max(slowest, cost.seconds / clear.seconds);
        most = std::max(most, cost.voxels / clear.voxels);
    }
    table.add("doubt: slowest of 30 shapes / a clear one", slowest, "x", 4.0);
    table.add("doubt: most voxels visited / a clear one", most, "x", 4.0);
}

}  // namespace

int main(int argc, char** argv) {
    if (!data_dir()) return 0;
    std::string only, plot, what = "accuracy variants doubt calibration axis free dirty";
    size_t free = 50, dirty = 20;
    uint64_t seed = 0;  // of calibration on fits that its table has not seen
    for (int i = 1; i + 1 < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--only") only = argv[i + 1];
        if (option == "--what") what = argv[i + 1];
        if (option == "--plot") plot = argv[i + 1];
        if (option == "--free") free = std::stoul(argv[i + 1]);
        if (option == "--dirty") dirty = std::stoul(argv[i + 1]);
        if (option == "--seed") seed = std::stoul(argv[i + 1]);
    }
    set_thread_count(1);
    bench::Table table;
    const auto wanted = [&](const char* part) { return what.find(part) != std::string::npos; };
    if (wanted("accuracy")) accuracy_table(table);
    if (wanted("variants")) variants_table(table);
    if (wanted("doubt")) doubt_table(table);
    if (wanted("calibration")) {
        const bench::Calibration calibration = bench::calibrate(dirty, seed, only);
        calibration.print(table);
        calibration.print_curve();
        if (!plot.empty()) calibration.draw(plot);
    }
    std::vector<Sweep> sweeps;
    if (wanted("axis")) sweeps.push_back({"axis", axis_changes(24), {}});
    if (wanted("free")) sweeps.push_back({"free", free_changes(free, 50), {}});
    if (wanted("dirty")) sweeps.push_back({"dirty", dirty_changes(dirty, 20), {}});
    for (const CharacterFile& file : character_files())
        if (only.empty() || only.find(file.name) != std::string::npos) sweep_character(load_bare(file), sweeps);
    for (const Sweep& sweep : sweeps)
        for (const auto& [kind, tally] : sweep.by_kind) {
            fmt::print("{:6} {:10} {}\n", sweep.name, kind, tally.text());
            table.add(fmt::format("{} {} the same", sweep.name, kind), 100.0 * tally.same / tally.runs, "%", 95.0);
        }
    return table.finish(argc, argv);
}
