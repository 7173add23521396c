// sinew info: what is in a file.
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/info.h>
#include <sinew/skeleton/joint_label.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

struct Options {
    std::string file;
    std::string clip;
    float time = 0.0f;
};

nlohmann::ordered_json to_json(const Character& character, const CharacterInfo& info, const std::string& file) {
    using Json = nlohmann::ordered_json;
    Json meshes = Json::array(), joints = Json::array(), clips = Json::array();
    for (const MeshInfo& mesh : info.meshes) {
        meshes.push_back({{"name", mesh.name},
                          {"vertices", mesh.vertices},
                          {"triangles", mesh.triangles},
                          {"pieces", mesh.pieces},
                          {"watertight", mesh.watertight},
                          {"skinned", mesh.skinned},
                          {"max_influences", mesh.max_influences},
                          {"unweighted_vertices", mesh.unweighted_vertices},
                          {"morphs", mesh.morphs}});
    }
    for (const JointInfo& joint : info.joints) {
        const Vec3& p = joint.position;
        const Json role = joint.role == Role::count ? Json(nullptr) : Json(std::string(to_string(joint.role)));
        joints.push_back({{"name", joint.name},
                          {"parent", joint.parent},
                          {"position", {json_number(p.x()), json_number(p.y()), json_number(p.z())}},
                          {"role", role}});
    }
    for (const Clip& clip : character.clips) {
        clips.push_back(
            {{"name", clip.name}, {"duration", json_number(duration(clip))}, {"tracks", clip.tracks.size()}});
    }
    Json bounds = nullptr;
    if (!info.bounds.empty()) {
        const Vec3 &low = info.bounds.min, &high = info.bounds.max;
        bounds = {{"min", {json_number(low.x()), json_number(low.y()), json_number(low.z())}},
                  {"max", {json_number(high.x()), json_number(high.y()), json_number(high.z())}}};
    }
    return {{"file", file},
            {"format", character.format},
            {"meshes", meshes},
            {"joints", joints},
            {"skins", character.skins.size()},
            {"materials", character.materials.size()},
            {"bounds", bounds},
            {"clips", clips},
            {"warnings", character.warnings}};
}

void print_text(const Character& character, const CharacterInfo& info, const std::string& file) {
    const Vec3 size = info.bounds.size();
    fmt::print("{} ({}): {:.4g} x {:.4g} x {:.4g}\n", file, character.format, size.x(), size.y(), size.z());
    if (!info.meshes.empty()) {
        fmt::print("\nmeshes\n");
        for (const MeshInfo& mesh : info.meshes) {
            fmt::print("  {:<28} {:>8} vertices {:>8} triangles {:>4} {}{}{}{}\n",
                       mesh.name.empty() ? "(no name)" : mesh.name, mesh.vertices, mesh.triangles, mesh.pieces,
                       mesh.pieces == 1 ? "piece" : "pieces", mesh.watertight ? ", watertight" : "",
                       mesh.skinned ? fmt::format(", skinned (up to {} influences)", mesh.max_influences) : "",
                       mesh.morphs ? fmt::format(", {} morph targets", mesh.morphs) : "");
        }
    }
    if (!info.joints.empty()) {
        fmt::print("\njoints{:<30} {:>9} {:>9} {:>9}  role\n", "", "x", "y", "z");
        std::vector<int> depth(info.joints.size(), 0);
        for (size_t j = 0; j < info.joints.size(); ++j) {
            const JointInfo& joint = info.joints[j];
            if (joint.parent >= 0) depth[j] = depth[static_cast<size_t>(joint.parent)] + 1;
            const std::string label =
                std::string(static_cast<size_t>(2 + std::min(depth[j], 10)), ' ') + joint_label(joint.name, j);
            fmt::print("{:<36} {:>9.4g} {:>9.4g} {:>9.4g}  {}\n", label, joint.position.x(), joint.position.y(),
                       joint.position.z(), joint.role == Role::count ? "" : to_string(joint.role));
        }
    }
    if (!character.clips.empty()) {
        fmt::print("\nclips\n");
        for (size_t i = 0; i < character.clips.size(); ++i) {
            const Clip& clip = character.clips[i];
            fmt::print("  {:>3} {:<32} {:>8.3f} s {:>5} tracks\n", i, clip.name, duration(clip), clip.tracks.size());
        }
    }
}

int run(const Common& common, const Options& options, bool has_time) {
    const auto character = read_input(common, options.file);
    if (!character) return exit_failed;
    const Clip* clip = nullptr;
    if (!options.clip.empty() || has_time) {
        const auto found = find_clip(*character, options.clip);
        if (!found) return report_error(options.file, found.error());
        clip = *found;
    }
    const CharacterInfo info = describe(*character, clip, options.time);
    if (common.json)
        print_json(to_json(*character, info, options.file));
    else
        print_text(*character, info, options.file);
    return exit_done;
}

}  // namespace

void add_info(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = add_verb(program, "info", "Show what is in a file.",
                              {"sinew info hero.glb", "sinew info walk.bvh --clip 0 --time 0.5 --json"});
    verb.add_option("FILE", options->file, "a character, mesh or motion")->required();
    verb.add_option("--clip", options->clip, "joint positions in this clip (number or name) instead of at rest");
    CLI::Option* time =
        verb.add_option("--time", options->time, "the moment of the clip, in seconds")->check(finite_number());
    verb.callback([&program, options, time] {
        program.run = [&program, options, time] { return run(program.common, *options, time->count() > 0); };
    });
}

}  // namespace sinew::cli
