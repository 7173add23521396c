// How small compiled clips are, and how true: bytes, ratio to raw transforms (40 bytes a joint and frame) and the
// worst error in model space, measured between keys too, for every clip of the data and bounds of 0.1, 1 and 10 mm.
// Bytes are those of a file; what sampling reads in memory has rows of its own.
// script/bench clip_size [FILE…]: without files, all that are there, and the built-in motions.
#include <sinew/clip/compiled/compiled_clip.h>
#include <sinew/core/parallel.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <support/data.h>
#include <cmath>
#include <ctime>
#include <map>
#include <set>

#include "support.h"

namespace {

using namespace sinew;

struct Total {
    double bytes = 0.0, memory = 0.0, raw = 0.0, worst = 0.0;
    int clips = 0;
};

double key_rate(const Clip& clip) {
    size_t keys = 2;
    for (const Track& track : clip.tracks) keys = std::max(keys, track.times.size());
    return static_cast<double>(keys - 1) / std::max(1e-3, static_cast<double>(duration(clip)));
}

// Raw transforms at the clip's own rate.
double raw_bytes(const Clip& clip, size_t joints) {
    size_t keys = 1;
    for (const Track& track : clip.tracks) keys = std::max(keys, track.times.size());
    return 40.0 * static_cast<double>(keys * joints);
}

// Millimetres of a body of 1.7 m, in the file's own units: files of motion capture have units of all kinds.
double millimetre(const Skeleton& skeleton) {
    Box box;
    for (const AffineD& m : rest_world(skeleton)) box.add(Vec3(m.translation().cast<float>()));
    const double size = box.size().maxCoeff();
    return size > 0.0 ? size / 1700.0 : 1e-3;
}

// At thirds between keys, where the encoder does not look.
double worst_between(const Clip& clip, const CompiledClip& compiled, const Skeleton& skeleton) {
    std::set<float> keys;
    for (const Track& track : clip.tracks) keys.insert(track.times.begin(), track.times.end());
    double worst = 0.0;
    float before = -1.0f;
    for (const float key : keys) {
        for (const float part : {0.33f, 0.61f, 1.0f})
            if (before >= 0.0f)
                worst = std::max(worst, model_error(clip, compiled, skeleton, before + part * (key - before)));
        before = key;
    }
    return worst;
}

std::vector<std::string> all_files() {
    std::vector<std::string> files;
    const auto data = test::data_dir();
    if (!data) return files;
    for (const char* folder : {"bvh-cmu", "bvh-other", "gltf-khronos", "gltf-other", "rigged-gt"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(*data / folder)) {
            const auto extension = entry.path().extension();
            if (extension == ".bvh" || extension == ".glb" || extension == ".gltf")
                files.push_back(entry.path().string());
        }
    std::ranges::sort(files);
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]).starts_with("--"))
            ++i;
        else
            files.emplace_back(argv[i]);
    }
    const bool from_files = !files.empty();
    if (!from_files) files = all_files();
    const std::string only = bench::argument(argc, argv, "--mm"), seconds = bench::argument(argc, argv, "--seconds");
    bench::Table table;
    std::map<std::pair<double, bool>, Total> totals;
    double slowest = 0.0;
    const auto one = [&](const std::string& label, const Clip& clip, const Skeleton& skeleton, size_t floats) {
        const double unit = millimetre(skeleton);
        for (const double mm : {0.1, 1.0, 10.0}) {
            if (!only.empty() && std::stod(only) != mm) continue;
            CompileOptions options{.bound = mm * unit, .shell = 100 * unit};
            if (!seconds.empty()) options.segment_seconds = std::stod(seconds);
            Result<CompiledClip> compiled;
            const std::clock_t before = std::clock();  // of the processor: other work does not count
            compiled = compile_clip(clip, skeleton, floats, options);
            const double spent = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
            if (!compiled) {
                fmt::print("{}: {}\n", label, to_string(compiled.error()));
                continue;
            }
            const double raw = raw_bytes(clip, skeleton.size()), worst = worst_between(clip, *compiled, skeleton);
            const double bytes = static_cast<double>(compiled->bytes().size());
            size_t raws = compiled->raw_tracks().size(), groups = 0;
            for (const auto& segment : compiled->segments()) groups += segment.groups;
            fmt::print(
                "{:<44} {:>4} joints {:>6.1f} s {:>4.0f} Hz {:>5.1f} mm {:>9.0f} B {:>6.2f} % worst {:>7.4f} mm "
                "{}{:>6.2f} s {} segments {} groups {} raw\n",
                label.substr(0, 44), skeleton.size(), duration(clip), key_rate(clip), mm, bytes, 100 * bytes / raw,
                worst / unit, worst > mm * unit ? "BEYOND " : "", spent, compiled->segments().size(), groups, raws);
            std::fflush(stdout);
            const double joint_seconds = static_cast<double>(skeleton.size()) * static_cast<double>(duration(clip));
            if (joint_seconds > 100) slowest = std::max(slowest, spent / joint_seconds * 700.0);
            Total& total = totals[{mm, key_rate(clip) > 60.0}];
            total.bytes += bytes, total.raw += raw, total.worst = std::max(total.worst, worst / (mm * unit));
            total.memory += static_cast<double>(compiled->memory()), ++total.clips;
        }
    };
    for (const std::string& file : files) {
        const auto character = read_character(file);
        if (!character) continue;
        for (const Clip& clip : character->clips)
            one(std::filesystem::path(file).filename().string() + " " + clip.name, clip, character->skeleton,
                morph_count(*character));
    }
    for (const std::string_view name : builtin_motion_names())
        if (const auto motion = builtin_motion(name); motion && !from_files)
            one(fmt::format("built-in {}", name), motion->clip, motion->skeleton, 0);
    for (const auto& [key, total] : totals) {
        const auto [mm, fast] = key;
        const std::string what =
            fmt::format("{} clips of {} Hz at {} mm", total.clips, fast ? "more than 60" : "up to 60", mm);
        table.add(what + ", bytes of raw", 100 * total.bytes / total.raw, "%",
                  mm == 1.0 ? std::optional(fast ? 1.0 : 2.7) : std::nullopt);
        table.add(what + ", in memory, of raw", 100 * total.memory / total.raw, "%");
        table.add(what + ", worst error of the bound", total.worst, "x", 1.0);
    }
    table.add("compiling 10 s of 70 joints, slowest clip", slowest, "s", 2.0);
    return table.finish(argc, argv);
}
