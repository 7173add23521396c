#include <sinew/character/character.h>

#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

template <class Array>
bool all_finite(const Array& array) {
    return std::all_of(array.begin(), array.end(), [](const auto& value) { return value.allFinite(); });
}

bool fits(size_t attribute, size_t vertices) {
    return attribute == 0 || attribute == vertices;
}

bool in_range(int32_t index, size_t count) {
    return index >= 0 && static_cast<size_t>(index) < count;
}

std::string problem_of(const MorphTarget& target, size_t vertices) {
    const size_t count = target.vertices.size();
    if (target.positions.size() != count || !fits(target.normals.size(), count) ||
        !fits(target.tangents.size(), count)) {
        return "a morph target has arrays of different lengths";
    }
    for (size_t i = 0; i < count; ++i) {
        if (target.vertices[i] >= vertices) return "a morph target moves a vertex that does not exist";
        if (i > 0 && target.vertices[i - 1] >= target.vertices[i])
            return "a morph target's vertices are not increasing";
    }
    if (!all_finite(target.positions) || !all_finite(target.normals) || !all_finite(target.tangents)) {
        return "a morph target has a number that is not finite";
    }
    return {};
}

std::string problem_of(const Primitive& primitive, size_t material_count) {
    const Mesh& mesh = primitive.mesh;
    const size_t n = mesh.positions.size();
    if (!fits(mesh.normals.size(), n) || !fits(mesh.tangents.size(), n) || !fits(mesh.uvs.size(), n) ||
        !fits(mesh.colors.size(), n)) {
        return "an attribute has not one value per vertex";
    }
    if (mesh.triangles.size() % 3 != 0) return "the triangles' indices are not a multiple of three";
    const auto exists = [n](uint32_t v) { return v < n; };
    if (!std::all_of(mesh.triangles.begin(), mesh.triangles.end(), exists))
        return "a triangle names a vertex that does not exist";
    if (!all_finite(mesh.positions)) return "a position is not finite";
    if (!all_finite(mesh.normals) || !all_finite(mesh.tangents)) return "a normal or tangent is not finite";
    if (!primitive.influences.empty() && primitive.influences.vertex_count() != n)
        return "the skin weights do not cover the vertices";
    if (primitive.material != -1 && !in_range(primitive.material, material_count)) return "its material does not exist";
    for (const MorphTarget& target : primitive.morphs) {
        if (std::string problem = problem_of(target, n); !problem.empty()) return problem;
    }
    return {};
}

uint32_t joints_needed(const Influences& influences) {
    uint32_t needed = 0;
    for (size_t v = 0; v < influences.vertex_count(); ++v) {
        for (const Influence& influence : influences.of(v)) needed = std::max(needed, influence.joint + 1);
    }
    return needed;
}

std::string problem_of(const MeshInstance& instance, const Character& character) {
    if (!in_range(instance.joint, character.skeleton.size())) return "hangs on a joint that does not exist";
    if (!in_range(instance.mesh, character.meshes.size())) return "shows a mesh that does not exist";
    if (instance.skin != -1 && !in_range(instance.skin, character.skins.size()))
        return "uses a skin that does not exist";
    const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
    if (!fits(instance.morph_weights.size(), morph_count(mesh))) return "has not one weight per morph target";
    if (instance.first_morph < 0 ||
        static_cast<size_t>(instance.first_morph) + morph_count(mesh) > morph_count(character)) {
        return "has morph weights outside the pose";
    }
    if (instance.skin == -1) return {};
    const size_t joints = character.skins[static_cast<size_t>(instance.skin)].joints.size();
    for (const Primitive& primitive : mesh.primitives) {
        if (joints_needed(primitive.influences) > joints) return "follows joints that its skin does not have";
    }
    return {};
}

}  // namespace

size_t morph_count(const MeshGroup& mesh) {
    return mesh.primitives.empty() ? 0 : mesh.primitives.front().morphs.size();
}

size_t morph_count(const Character& character) {
    size_t count = 0;
    for (const MeshInstance& instance : character.instances) {
        count += morph_count(character.meshes[static_cast<size_t>(instance.mesh)]);
    }
    return count;
}

void layout_morphs(Character& character) {
    int32_t next = 0;
    for (MeshInstance& instance : character.instances) {
        instance.first_morph = next;
        next += static_cast<int32_t>(morph_count(character.meshes[static_cast<size_t>(instance.mesh)]));
    }
}

Result<void> validate(const Character& character) {
    for (size_t m = 0; m < character.meshes.size(); ++m) {
        const MeshGroup& mesh = character.meshes[m];
        const std::string where = fmt::format("mesh {}", m);
        if (!fits(mesh.morph_weights.size(), morph_count(mesh))) {
            return fail(ErrorCode::invalid_data, "has not one default weight per morph target", where);
        }
        for (const Primitive& primitive : mesh.primitives) {
            if (primitive.morphs.size() != morph_count(mesh)) {
                return fail(ErrorCode::invalid_data, "its primitives have different numbers of morph targets", where);
            }
            if (std::string problem = problem_of(primitive, character.materials.size()); !problem.empty()) {
                return fail(ErrorCode::invalid_data, problem, where);
            }
        }
    }
    for (size_t s = 0; s < character.skins.size(); ++s) {
        const Skin& skin = character.skins[s];
        const auto exists = [&](int32_t joint) { return in_range(joint, character.skeleton.size()); };
        const auto finite = [](const Affine& matrix) { return matrix.matrix().allFinite(); };
        if (skin.inverse_bind.size() != skin.joints.size() ||
            !std::all_of(skin.joints.begin(), skin.joints.end(), exists) ||
            !std::all_of(skin.inverse_bind.begin(), skin.inverse_bind.end(), finite)) {
            return fail(ErrorCode::invalid_data, "its joints or bind matrices are not sound",
                        fmt::format("skin {}", s));
        }
    }
    for (size_t i = 0; i < character.instances.size(); ++i) {
        if (std::string problem = problem_of(character.instances[i], character); !problem.empty()) {
            return fail(ErrorCode::invalid_data, problem, fmt::format("mesh instance {}", i));
        }
    }
    for (const Material& material : character.materials) {
        for (const auto image : material_images)
            if (material.*image != -1 && !in_range(material.*image, character.images.size()))
                return fail(ErrorCode::invalid_data,
                            fmt::format("material \"{}\" shows an image that does not exist", material.name));
    }
    if (!fits(character.joint_source.size(), character.skeleton.size())) {
        return fail(ErrorCode::invalid_data, "joint_source has not one entry per joint");
    }
    for (const Clip& clip : character.clips) {
        SINEW_TRY_VOID(validate(clip, character.skeleton.size(), morph_count(character)));
    }
    return {};
}

}  // namespace sinew
