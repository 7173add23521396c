#include <sinew/pipeline/bake.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace sinew {
namespace {

const MeshGroup& mesh_of(const Character& character, const DeformedPrimitive& primitive) {
    return character.meshes[static_cast<size_t>(character.instances[static_cast<size_t>(primitive.instance)].mesh)];
}

void append_json_string(fmt::memory_buffer& out, std::string_view text) {
    out.push_back('"');
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out.push_back('\\');
            out.push_back(c);
        } else if (static_cast<unsigned char>(c) < 0x20) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out.push_back(c);
        }
    }
    out.push_back('"');
}

// JSON has no infinities; a vertex that overflowed becomes null, which no reader mistakes for a place.
void append_number(fmt::memory_buffer& out, float value) {
    if (std::isfinite(value))
        fmt::format_to(std::back_inserter(out), "{}", value);
    else
        out.append(std::string_view("null"));
}

void append_mesh(fmt::memory_buffer& out, const Character& character, const DeformedPrimitive& deformed) {
    const MeshInstance& instance = character.instances[static_cast<size_t>(deformed.instance)];
    const MeshGroup& mesh = mesh_of(character, deformed);
    const Primitive& primitive = mesh.primitives[static_cast<size_t>(deformed.primitive)];
    const size_t joint = static_cast<size_t>(instance.joint);
    const int32_t source = joint < character.joint_source.size() ? character.joint_source[joint] : -1;
    const std::string& node_name = character.skeleton.names()[joint];
    out.append(std::string_view("{\"name\":"));
    append_json_string(out, node_name.empty() ? mesh.name : node_name);
    fmt::format_to(std::back_inserter(out),
                   ",\"node\":{},\"mesh\":{},\"primitive\":{},\"skinned\":{},\"count\":{},\"positions\":[",
                   source >= 0 ? source : instance.joint, mesh.source >= 0 ? mesh.source : instance.mesh,
                   primitive.source >= 0 ? primitive.source : deformed.primitive, instance.skin >= 0,
                   deformed.positions.size());
    for (size_t v = 0; v < deformed.positions.size(); ++v) {
        for (int c = 0; c < 3; ++c) {
            if (v + static_cast<size_t>(c) > 0) out.push_back(',');
            append_number(out, deformed.positions[v][c]);
        }
    }
    out.append(std::string_view("]}"));
}

// The difference of a frame to the first one, where it is not zero.
MorphTarget difference(const DeformedPrimitive& from, const DeformedPrimitive& to, std::string name) {
    MorphTarget target{.name = std::move(name)};
    const bool normals = !from.normals.empty();
    for (size_t v = 0; v < from.positions.size(); ++v) {
        const Vec3 moved = to.positions[v] - from.positions[v];
        if (moved.isZero(0)) continue;
        target.vertices.push_back(static_cast<uint32_t>(v));
        target.positions.push_back(moved);
        if (normals) target.normals.push_back(to.normals[v] - from.normals[v]);
    }
    return target;
}

// At time k exactly frame k's weight is 1; linear interpolation runs between them. Frame 0 is the mesh itself.
Track one_after_another(std::span<const BakedFrame> frames, int32_t first_morph) {
    const auto targets = static_cast<int32_t>(frames.size()) - 1;
    Track track{.target = first_morph, .path = TrackPath::morphs, .width = targets};
    for (size_t k = 0; k < frames.size(); ++k) {
        track.times.push_back(frames[k].time);
        for (int32_t t = 0; t < targets; ++t) track.values.push_back(static_cast<size_t>(t) + 1 == k ? 1.0f : 0.0f);
    }
    return track;
}

}  // namespace

std::vector<BakedFrame> bake(const Character& character, const Clip* clip, std::span<const float> times,
                             const DeformOptions& options) {
    CharacterDeformer deformer(character, options);
    std::vector<BakedFrame> frames;
    for (float time : times) {
        frames.push_back({.time = time, .primitives = {}});
        deformer.deform(pose_at(character, clip, time), frames.back().primitives);
    }
    return frames;
}

std::vector<float> frame_times(const Clip& clip, float fps) {
    const double end = duration(clip);
    std::vector<float> times;
    for (size_t k = 0; k / double{fps} < end - 1e-4 / fps; ++k) times.push_back(static_cast<float>(k / double{fps}));
    times.push_back(static_cast<float>(end));
    return times;
}

std::vector<float> loop_times(const Clip& clip, float fps) {
    std::vector<float> times = frame_times(clip, fps);
    if (times.size() > 1 && times.back() > duration(clip) - 0.5f / fps) times.pop_back();
    return times;
}

Bytes encode_bake_json(const Character& character, std::string_view file, const Clip* clip,
                       std::span<const BakedFrame> frames) {
    fmt::memory_buffer out;
    out.append(std::string_view("{\"file\":"));
    append_json_string(out, file);
    out.append(std::string_view(",\"clip\":"));
    if (clip)
        append_json_string(out, clip->name);
    else
        out.append(std::string_view("null"));
    out.append(std::string_view(",\"frames\":["));
    for (size_t k = 0; k < frames.size(); ++k) {
        fmt::format_to(std::back_inserter(out), "{}{{\"time\":{},\"meshes\":[", k > 0 ? "," : "", frames[k].time);
        for (size_t i = 0; i < frames[k].primitives.size(); ++i) {
            if (i > 0) out.push_back(',');
            append_mesh(out, character, frames[k].primitives[i]);
        }
        out.append(std::string_view("]}"));
    }
    out.append(std::string_view("]}\n"));
    const auto bytes = std::as_bytes(std::span(out.data(), out.size()));
    return Bytes(bytes.begin(), bytes.end());
}

Character baked_character(const Character& character, std::span<const BakedFrame> frames) {
    SINEW_CHECK(!frames.empty());
    Character result;
    result.name = character.name;
    result.materials = character.materials;
    result.images = character.images;
    std::vector<std::string> names;
    Clip clip{.name = "baked", .tracks = {}};
    int32_t previous_instance = -1;
    for (size_t i = 0; i < frames[0].primitives.size(); ++i) {
        const DeformedPrimitive& first = frames[0].primitives[i];
        const MeshGroup& mesh = mesh_of(character, first);
        Primitive primitive = mesh.primitives[static_cast<size_t>(first.primitive)];
        primitive.mesh.positions = first.positions;
        primitive.mesh.normals = first.normals;
        primitive.mesh.tangents = first.tangents;
        primitive.influences = {};
        primitive.morphs.clear();
        for (size_t k = 1; k < frames.size(); ++k) {
            primitive.morphs.push_back(difference(first, frames[k].primitives[i], fmt::format("frame {}", k)));
        }
        if (first.instance != previous_instance) {
            const auto number = static_cast<int32_t>(result.meshes.size());
            result.instances.push_back({.joint = number, .mesh = number});
            names.push_back(mesh.name);
            result.meshes.push_back({.name = mesh.name, .primitives = {}, .morph_weights = {}});
            previous_instance = first.instance;
        }
        result.meshes.back().primitives.push_back(std::move(primitive));
    }
    // These came from another document, which the result does not keep.
    for (MeshGroup& mesh : result.meshes) {
        for (Primitive& primitive : mesh.primitives) primitive.source = -1;
    }
    for (Material& material : result.materials) material.source = -1;
    for (Image& image : result.images) image.source = -1;
    const size_t joints = names.size();
    result.skeleton =
        *Skeleton::create(std::move(names), std::vector<int32_t>(joints, -1), std::vector<Transform>(joints));
    layout_morphs(result);
    if (frames.size() > 1) {
        for (const MeshInstance& instance : result.instances) {
            clip.tracks.push_back(one_after_another(frames, instance.first_morph));
        }
        result.clips.push_back(std::move(clip));
    }
    return result;
}

}  // namespace sinew
