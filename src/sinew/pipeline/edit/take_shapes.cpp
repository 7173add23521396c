#include <sinew/pipeline/edit/take_shapes.h>

#include <sinew/morph/delta_transfer.h>
#include <sinew/pipeline/edit/control_body.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

bool has_shapes(const MeshGroup& mesh) {
    return morph_count(mesh) > 0;
}

bool same_connectivity(const MeshGroup& a, const MeshGroup& b) {
    if (a.primitives.size() != b.primitives.size() || a.primitives.empty()) return false;
    for (size_t p = 0; p < a.primitives.size(); ++p) {
        const Mesh &own = a.primitives[p].mesh, &other = b.primitives[p].mesh;
        if (own.vertex_count() != other.vertex_count() || own.triangles != other.triangles) return false;
    }
    return true;
}

bool has_shape(const MeshGroup& mesh, const std::string& name) {
    const auto& own = mesh.primitives.front().morphs;
    return !name.empty() && std::ranges::find(own, name, &MorphTarget::name) != own.end();
}

// Returns how many were taken.
size_t take_from(MeshGroup& mesh, const MeshGroup& source) {
    std::vector<size_t> wanted;
    for (size_t m = 0; m < morph_count(source); ++m)
        if (!has_shape(mesh, source.primitives.front().morphs[m].name)) wanted.push_back(m);
    for (size_t p = 0; p < mesh.primitives.size(); ++p) {
        std::vector<MorphTarget> targets;
        for (const size_t m : wanted) targets.push_back(source.primitives[p].morphs[m]);
        Mesh& own = mesh.primitives[p].mesh;
        DeltaTransfer moved =
            transfer_deltas(source.primitives[p].mesh.positions, own.positions, own.triangles, targets);
        for (MorphTarget& target : moved.targets) mesh.primitives[p].morphs.push_back(std::move(target));
    }
    mesh.morph_weights.resize(morph_count(mesh), 0.0f);
    return wanted.size();
}

// The numbers of morphs change when a mesh gets more of them: tracks move along.
void renumber_tracks(Character& character, const std::vector<MeshInstance>& before,
                     const std::vector<size_t>& counts_before) {
    for (Clip& clip : character.clips)
        for (Track& track : clip.tracks) {
            if (track.path != TrackPath::morphs) continue;
            for (size_t i = 0; i < before.size(); ++i) {
                const int32_t first = before[i].first_morph, end = first + static_cast<int32_t>(counts_before[i]);
                if (track.target < first || track.target >= end) continue;
                track.target += character.instances[i].first_morph - first;
                break;
            }
        }
}

}  // namespace

Result<TakenShapes> take_shapes(Character& character, const Character& from) {
    TakenShapes taken;
    const std::vector<MeshInstance> before = character.instances;
    std::vector<size_t> counts;
    for (const MeshInstance& instance : before)
        counts.push_back(morph_count(character.meshes[static_cast<size_t>(instance.mesh)]));
    const MeshGroup* closest = nullptr;
    for (MeshGroup& mesh : character.meshes)
        for (const MeshGroup& source : from.meshes) {
            if (!has_shapes(source)) continue;
            closest = &source;
            if (!same_connectivity(mesh, source)) continue;
            taken.shapes += take_from(mesh, source);
            ++taken.meshes;
            break;
        }
    if (!closest) return fail(ErrorCode::not_found, "has no blend shapes; give a file whose meshes have some");
    if (taken.meshes == 0)
        return fail(
            ErrorCode::unsupported,
            fmt::format("the mesh \"{}\" has blend shapes, but no mesh of the character has the same triangles; "
                        "both must be made from one mesh",
                        closest->name));
    for (MeshInstance& instance : character.instances)
        if (!instance.morph_weights.empty())
            instance.morph_weights.resize(morph_count(character.meshes[static_cast<size_t>(instance.mesh)]), 0.0f);
    layout_morphs(character);
    renumber_tracks(character, before, counts);
    const std::vector<std::string> names = morph_names(from);
    for (const Clip& clip : from.clips) {
        if (std::ranges::find(character.clips, clip.name, &Clip::name) != character.clips.end()) continue;
        Clip own{clip.name, {}, -1, clip.events, clip.floats};
        carry_expressions(clip, names, character, own);
        if (own.tracks.empty()) continue;
        character.clips.push_back(std::move(own));
        ++taken.clips;
    }
    return taken;
}

}  // namespace sinew
