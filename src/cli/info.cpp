// sinew info: what is in a file.
#include <sinew/pipeline/edit/json_info.h>
#include <sinew/pipeline/info.h>
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.h"

namespace sinew::cli {
namespace {

void print_meshes(const std::vector<MeshInfo>& meshes) {
    fmt::print("\nmeshes\n");
    for (const MeshInfo& mesh : meshes) {
        fmt::print("  {:<28} {:>8} vertices {:>8} triangles {:>4} {}{}{}{}\n",
                   mesh.name.empty() ? "(no name)" : mesh.name, mesh.vertices, mesh.triangles, mesh.pieces,
                   mesh.pieces == 1 ? "piece" : "pieces", mesh.watertight ? ", watertight" : "",
                   mesh.skinned ? fmt::format(", skinned (up to {} influences)", mesh.max_influences) : "",
                   mesh.morphs ? fmt::format(", {} morph targets", mesh.morphs) : "");
    }
}

void print_joints(const std::vector<JointInfo>& joints) {
    constexpr int deepest = 200;  // beyond it all are indented alike; only damaged files get there
    constexpr size_t least_width = 36;
    std::vector<int> depth(joints.size(), 0);
    std::vector<std::string> labels;
    size_t width = least_width;
    for (size_t j = 0; j < joints.size(); ++j) {
        const JointInfo& joint = joints[j];
        if (joint.parent >= 0) depth[j] = depth[static_cast<size_t>(joint.parent)] + 1;
        labels.push_back(std::string(static_cast<size_t>(2 + std::min(depth[j], deepest)), ' ') +
                         (joint.name.empty() ? fmt::format("joint {}", j) : joint.name));
        width = std::max(width, labels.back().size());
    }
    fmt::print("\n{:<{}} {:>9} {:>9} {:>9}  role\n", "joints", width, "x", "y", "z");
    for (size_t j = 0; j < joints.size(); ++j)
        fmt::print("{:<{}} {:>9.4g} {:>9.4g} {:>9.4g}  {}\n", labels[j], width, joints[j].position.x(),
                   joints[j].position.y(), joints[j].position.z(),
                   joints[j].role == Role::count ? "" : to_string(joints[j].role));
}

void print_text(const CharacterInfo& info) {
    const Vec3 size = info.bounds.size();
    fmt::print("{} ({}): {:.4g} x {:.4g} x {:.4g}\n", info.file, info.format, size.x(), size.y(), size.z());
    if (!info.meshes.empty()) print_meshes(info.meshes);
    if (!info.joints.empty()) print_joints(info.joints);
    if (info.reference_time)
        fmt::print("\nreference: the clip's frame at {:.2f} s, because the rest pose is no neutral stance\n",
                   *info.reference_time);
    if (!info.characters.empty()) fmt::print("\ncharacters: {}\n", fmt::join(info.characters, ", "));
    if (!info.controls.empty()) fmt::print("\ncontrols (sinew edit --control): {}\n", fmt::join(info.controls, ", "));
    if (!info.clips.empty()) fmt::print("\nclips\n");
    for (size_t i = 0; i < info.clips.size(); ++i) {
        const ClipInfo& clip = info.clips[i];
        fmt::print("  {:>3} {:<32} {:>8.3f} s {:>5} tracks {:>7} keys {:>6.4g} per second  {}\n", i, clip.name,
                   clip.duration, clip.tracks, clip.keys, clip.rate, clip.curves);
        for (const ClipEvent& event : clip.events) fmt::print("      {:>8.3f} s  {}\n", event.time, event.name);
        if (!clip.floats.empty()) fmt::print("      numbers: {}\n", fmt::join(clip.floats, ", "));
    }
}

int run(const Common& common, InfoJob& job) {
    if (job.file.extension() == ".json") {
        const auto info = describe_json_file(job.file);
        if (info && !common.json) fmt::print("{} ({})\n{}", info->file, info->format, info->text);
        return finish(common, info);
    }
    job.listener = make_listener(common);
    const auto info = describe_file(job);
    if (info && !common.json) print_text(*info);
    return finish(common, info);
}

}  // namespace

void add_info(Program& program) {
    auto job = std::make_shared<InfoJob>();
    Verb verb = program.add_verb(
        "info", "Show what is in a file.",
        {"sinew info hero.glb", "sinew info walk.bvh --clip 0 --time 0.5 --json", "sinew info states.json"},
        [&program, job] { return run(program.common, *job); });
    verb.add("FILE", job->file, "a character, mesh or motion; a .json of states or controls").required();
    verb.add("--clip", job->clip, "joint positions in this clip (number or name) instead of at rest");
    verb.add("--time", job->time, "the moment of the clip, in seconds").finite();
}

}  // namespace sinew::cli
