#include <sinew/character/scalar_parts.h>

#include <sinew/core/parallel.h>
#include <algorithm>

namespace sinew {
namespace {

// The shapes of a surface's parts as one; zeros where a part has no normals or tangents.
struct Joined {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<Vec4> tangents;
};

template <class T>
void append(std::vector<T>& to, std::span<const T> from, size_t count) {
    to.insert(to.end(), from.begin(), from.end());
    to.resize(to.size() + count - from.size(), T::Zero());
}

bool is_mirrored(std::span<const Affine> palette) {
    const auto mirrors = [](const Affine& m) { return m.linear().determinant() < 0.0f; };
    return 2 * static_cast<size_t>(std::count_if(palette.begin(), palette.end(), mirrors)) > palette.size();
}

}  // namespace

ScalarParts::ScalarParts(const Character& character, const DeformOptions& options, const PreparedCharacter& prepared,
                         std::span<const std::span<const Affine>> palettes)
    : character_(character),
      options_(options),
      prepared_(prepared),
      palettes_(palettes),
      morphed_(prepared.parts.size()),
      deltas_(prepared.surfaces.size()),
      stale_deltas_(prepared.surfaces.size(), 1) {}

ScalarParts::Rest ScalarParts::rest_of(size_t k) const {
    const Primitive& primitive = primitive_of(character_, prepared_.parts[k]);
    const MorphedRest& morphed = morphed_[k];
    Rest rest{primitive.mesh.positions, primitive.mesh.normals, primitive.mesh.tangents};
    if (!morphed.weights.empty()) rest = {morphed.positions, morphed.normals, morphed.tangents};
    if (!options_.normals) rest.normals = {}, rest.tangents = {};
    return rest;
}

bool ScalarParts::set_morphs(size_t k, std::span<const float> weights) {
    MorphedRest& rest = morphed_[k];
    if (std::ranges::equal(weights, rest.weights)) return false;
    const Primitive& primitive = primitive_of(character_, prepared_.parts[k]);
    rest.weights.assign(weights.begin(), weights.end());
    rest.positions = primitive.mesh.positions;
    rest.normals = primitive.mesh.normals;
    rest.tangents = primitive.mesh.tangents;
    apply_morphs(primitive.morphs, weights, {rest.positions, rest.normals, rest.tangents});
    for (size_t s = 0; s < prepared_.surfaces.size(); ++s)
        if (std::ranges::find(prepared_.surfaces[s].parts, k) != prepared_.surfaces[s].parts.end())
            stale_deltas_[s] = 1;
    return true;
}

void ScalarParts::deform(size_t k, DeformedPrimitive& shape) const {
    const PreparedPart& part = prepared_.parts[k];
    const Rest rest = rest_of(k);
    shape.positions.resize(rest.positions.size());
    shape.normals.resize(rest.normals.size());
    shape.tangents.resize(rest.tangents.size());
    const DeformBuffers buffers{rest.positions,  rest.normals,  rest.tangents,
                                shape.positions, shape.normals, shape.tangents};
    if (part.skin < 0) return deform_by_matrix(palettes_[k].front(), buffers);
    DeformBinding binding{.influences = primitive_of(character_, part).influences,
                          .bend_twist = &part.bend_twist,
                          .gradients = part.gradients,
                          .first_gradient = part.first_gradient,
                          .centres = part.centres,
                          .centre_influences = &part.centre_influences};
    if (!prepared_.bones.empty()) binding.bones = prepared_.bones[static_cast<size_t>(part.skin)];
    deformer(options_.skinning)(palettes_[k], binding, buffers);
}

// A morphed shape has detail of its own, to be kept like that of the rest shape. No deltas: it is the rest shape.
void ScalarParts::mush(size_t s, std::span<DeformedPrimitive> shapes) {
    const PreparedSurface& surface = prepared_.surfaces[s];
    const auto is_morphed = [&](size_t k) {
        return std::ranges::any_of(morphed_[k].weights, [](float w) { return w != 0.0f; });
    };
    if (stale_deltas_[s]) {
        std::vector<Vec3> rest;
        for (size_t k : surface.parts) append(rest, rest_of(k).positions, rest_of(k).positions.size());
        deltas_[s].clear();
        if (std::ranges::any_of(surface.parts, is_morphed)) deltas_[s] = find_deltas(surface.mush, rest);
        stale_deltas_[s] = 0;
    }
    Joined j;
    for (size_t k : surface.parts) {
        const size_t count = shapes[k].positions.size();
        append<Vec3>(j.positions, shapes[k].positions, count);
        append<Vec3>(j.normals, shapes[k].normals, count);
        append<Vec4>(j.tangents, shapes[k].tangents, count);
    }
    apply_delta_mush(surface.mush, {.deltas = deltas_[s], .mirrored = is_mirrored(palettes_[surface.parts.front()])},
                     {j.positions, j.normals, j.tangents, j.positions, j.normals, j.tangents});
    ptrdiff_t first = 0;
    for (size_t k : surface.parts) {
        DeformedPrimitive& shape = shapes[k];
        std::copy_n(j.positions.begin() + first, shape.positions.size(), shape.positions.begin());
        std::copy_n(j.normals.begin() + first, shape.normals.size(), shape.normals.begin());
        std::copy_n(j.tangents.begin() + first, shape.tangents.size(), shape.tangents.begin());
        first += static_cast<ptrdiff_t>(shape.positions.size());
    }
}

void ScalarParts::update(std::span<const DeformedPart> parts, std::span<DeformedPrimitive> shapes) {
    const auto is_stale = [&](size_t k) {
        return prepared_.parts[k].compiled < 0 && shapes[k].revision != parts[k].revision;
    };
    if (options_.delta_mush > 0) {
        for (size_t s = 0; s < prepared_.surfaces.size(); ++s) {
            const std::vector<size_t>& members = prepared_.surfaces[s].parts;
            if (std::ranges::none_of(members, is_stale)) continue;
            for (size_t k : members) deform(k, shapes[k]);
            mush(s, shapes);
            for (size_t k : members) shapes[k].revision = parts[k].revision;
        }
    }
    const auto update_some = [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            if (!is_stale(k)) continue;
            deform(k, shapes[k]);
            shapes[k].revision = parts[k].revision;
        }
    };
    // The threads cost more than a few parts, and memory.
    constexpr size_t many_parts = 16;
    if (options_.parallel && shapes.size() >= many_parts)
        parallel_for(shapes.size(), 1, update_some);
    else
        update_some(0, shapes.size());
}

}  // namespace sinew
