#include <sinew/pipeline/info.h>

#include <sinew/character/character_deformer.h>
#include <sinew/core/closest.h>
#include <sinew/edit/frames.h>
#include <sinew/mesh/topology.h>
#include <sinew/motion/mapping/moving_body.h>
#include <sinew/pipeline/edit/control_body.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/motions/choose_body.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {
namespace {

// All primitives of a mesh as one surface: they share positions along material borders.
Topology surface_of(const MeshGroup& mesh) {
    if (mesh.primitives.size() == 1)
        return topology(mesh.primitives[0].mesh.positions, mesh.primitives[0].mesh.triangles);
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    for (const Primitive& primitive : mesh.primitives) {
        const auto base = static_cast<uint32_t>(positions.size());
        positions.insert(positions.end(), primitive.mesh.positions.begin(), primitive.mesh.positions.end());
        for (uint32_t v : primitive.mesh.triangles) triangles.push_back(base + v);
    }
    return topology(positions, triangles);
}

MeshInfo describe_mesh(const MeshGroup& mesh) {
    const Topology shape = surface_of(mesh);
    MeshInfo info{
        .name = mesh.name, .pieces = shape.pieces, .watertight = shape.watertight, .morphs = morph_count(mesh)};
    for (const Primitive& primitive : mesh.primitives) {
        info.vertices += primitive.mesh.vertex_count();
        info.triangles += primitive.mesh.triangle_count();
        info.skinned |= !primitive.influences.empty();
        info.max_influences = std::max(info.max_influences, primitive.influences.max_per_vertex());
        info.unweighted_vertices += primitive.influences.unweighted_vertices();
    }
    return info;
}

ClipInfo clip_info(const Clip& clip) {
    ClipInfo info{clip.name, duration(clip), clip.tracks.size()};
    bool used[3] = {};
    for (const Track& track : clip.tracks) {
        info.keys += track.times.size();
        if (track.times.size() > 1) used[static_cast<size_t>(track.interpolation)] = true;
    }
    info.events = clip.events;
    for (const FloatTrack& track : clip.floats) info.floats.push_back(track.name);
    if (info.duration > 0.0f) info.rate = static_cast<float>(clip_rate(clip));
    const char* const words[] = {"step", "linear", "cubic"};
    for (size_t i = 0; i < 3; ++i)
        if (used[i]) info.curves += (info.curves.empty() ? "" : "+") + std::string(words[i]);
    return info;
}

}  // namespace

CharacterInfo describe(const Character& character, const Clip* clip, float time) {
    CharacterInfo info{.file = {},
                       .format = character.format,
                       .skins = character.skins.size(),
                       .materials = character.materials.size(),
                       .warnings = character.warnings};
    for (const MeshGroup& mesh : character.meshes) info.meshes.push_back(describe_mesh(mesh));
    for (const Clip& own : character.clips) info.clips.push_back(clip_info(own));

    const Pose pose = pose_at(character, clip, time);
    std::vector<AffineD> world(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    const Clip* shown = clip ? clip : character.clips.empty() ? nullptr : &character.clips.front();
    const MovingBody body = see_moving_body(character.skeleton, shown ? *shown : Clip{});
    info.reference_time = body.reference_time;
    const std::vector<Role> roles = body.map.roles(character.skeleton.size());
    const std::vector<BodyInFile> bodies = find_bodies(character.skeleton);
    for (const BodyInFile& each : bodies)
        if (bodies.size() > 1) info.characters.push_back(each.name);
    for (size_t j = 0; j < world.size(); ++j) {
        info.joints.push_back({.name = character.skeleton.names()[j],
                               .parent = character.skeleton.parents()[j],
                               .position = world[j].translation().cast<float>(),
                               .role = roles[j]});
    }

    for (const Control& control : builtin_controls(control_body(character), face_of(character).expressions).controls)
        info.controls.push_back(control.name);

    std::vector<DeformedPrimitive> deformed;
    deform(character, pose, {.normals = false}, deformed);
    for (const DeformedPrimitive& primitive : deformed) info.bounds.add(bounds(primitive.positions));
    if (info.bounds.empty()) {
        for (const JointInfo& joint : info.joints) info.bounds.add(joint.position);
    }
    return info;
}

Result<CharacterInfo> describe_file(const InfoJob& job) {
    SINEW_TRY(const Character character, read_input(job.file, job.listener));
    const Clip* clip = nullptr;
    if (!job.clip.empty() || job.time) {
        SINEW_TRY(clip, in_file(find_clip(character, job.clip), job.file));
    }
    CharacterInfo info = describe(character, clip, job.time.value_or(0.0f));
    info.file = job.file.string();
    return info;
}

Result<MotionList> list_motions(const InfoJob& job) {
    MotionList list;
    list.builtin = builtin_motions_by_kind();
    if (job.file.empty()) return list;
    SINEW_TRY(const Character character, read_input(job.file, job.listener));
    list.file = job.file.string();
    for (const Clip& clip : character.clips) list.clips.push_back(clip_info(clip));
    list.builtin = {builtin_motions_of(character.skeleton)};
    list.kind = list.builtin.front().kind;
    if (list.kind.empty()) list.builtin.clear();
    return list;
}

Result<const Clip*> find_clip(const Character& character, std::string_view number_or_name) {
    const std::vector<Clip>& clips = character.clips;
    if (number_or_name.empty()) return clips.empty() ? nullptr : &clips.front();
    std::vector<std::string_view> names;
    for (const Clip& clip : clips) {
        if (clip.name == number_or_name) return &clip;
        names.push_back(clip.name);
    }
    size_t number = 0;
    const char* end = number_or_name.data() + number_or_name.size();
    if (const auto parsed = std::from_chars(number_or_name.data(), end, number);
        parsed.ec == std::errc{} && parsed.ptr == end) {
        if (number < clips.size()) return &clips[number];
        return fail(ErrorCode::not_found,
                    clips.empty()
                        ? "has no clips; give a file with an animation"
                        : fmt::format("has no clip {}; choose 0 to {}: {}", number, clips.size() - 1,
                                      fmt::join(std::span(names).first(std::min<size_t>(names.size(), 12)), ", ")));
    }
    if (clips.empty())
        return fail(ErrorCode::not_found,
                    fmt::format("has no clips, so none is called \"{}\"; give a file with an animation, or make one "
                                "with `sinew animate`",
                                number_or_name));
    return fail(ErrorCode::not_found, unknown_name("clip", number_or_name, names));
}

}  // namespace sinew
