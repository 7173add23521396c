#include <sinew/pipeline/edit/control_body.h>

#include <sinew/core/file.h>
#include <sinew/io/face_expressions.h>
#include <sinew/pipeline/job/file_job.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {

std::vector<std::string> morph_names(const Character& character) {
    std::vector<std::string> names;
    for (const MeshInstance& instance : character.instances) {
        const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
        for (size_t m = 0; m < morph_count(mesh); ++m)
            names.push_back(mesh.primitives.empty() ? std::string() : mesh.primitives.front().morphs[m].name);
    }
    return names;
}

ControlBody control_body(const Character& character) {
    const Face face = face_of(character);
    return {character.skeleton, rest_pose(character), face.morphs, face.morph_ranges};
}

Face face_of(const Character& character) {
    Face face{morph_names(character), {}, {}};
    for (const MeshInstance& instance : character.instances) {
        const size_t count = morph_count(character.meshes[static_cast<size_t>(instance.mesh)]);
        if (count > 0) face.morph_ranges.emplace_back(instance.first_morph, static_cast<int32_t>(count));
    }
    for (VrmExpression& own : read_face_expressions(character))
        face.expressions.push_back({std::move(own.name), std::move(own.morphs)});
    return face;
}

Result<ControlSet> controls_for(const Character& character, const std::filesystem::path& file) {
    ControlSet set = builtin_controls(control_body(character), face_of(character).expressions);
    if (file.empty()) return set;
    SINEW_TRY(const Bytes text, in_file(read_file(file), file));
    SINEW_TRY(const ControlSet own, in_file(parse_controls(as_text(text)), file));
    add_controls(set, own);
    return set;
}

std::string carry_expressions(const Clip& motion, std::span<const std::string> motion_morphs,
                              const Character& character, Clip& clip) {
    std::erase_if(clip.tracks, [](const Track& track) { return track.path == TrackPath::morphs; });
    FaceTransfer transfer = transfer_expressions(motion, motion_morphs, face_of(character));
    for (Track& track : transfer.tracks) clip.tracks.push_back(std::move(track));
    if (transfer.lost.empty() || character.instances.empty()) return {};
    return fmt::format("the character's face has nothing for {}", fmt::join(transfer.lost, ", "));
}

}  // namespace sinew
