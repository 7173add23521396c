#include <sinew/character/deform.h>

#include <sinew/character/bound_parts.h>
#include <sinew/clip/sample.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <algorithm>

namespace sinew {
namespace {

std::span<const float> morph_weights(const Character& character, const Pose& pose, const BoundPart& part) {
    const auto first = static_cast<size_t>(instance_of(character, part).first_morph);
    return std::span(pose.morphs).subspan(first, primitive_of(character, part).morphs.size());
}

// The part at rest with its morphs: what the deformers take.
void morph(const Character& character, const Pose& pose, const BoundPart& part, bool normals, DeformedPrimitive& out) {
    const Primitive& primitive = primitive_of(character, part);
    out.instance = part.instance;
    out.primitive = part.primitive;
    out.positions = primitive.mesh.positions;
    if (normals) {
        out.normals = primitive.mesh.normals;
        out.tangents = primitive.mesh.tangents;
    } else {
        out.normals.clear();
        out.tangents.clear();
    }
    apply_morphs(primitive.morphs, morph_weights(character, pose, part),
                 {.positions = out.positions, .normals = out.normals, .tangents = out.tangents});
}

// The shapes of a surface's parts as one; zeros where a part has no normals or tangents.
struct Joined {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    std::vector<Vec4> tangents;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from, size_t count) {
    to.insert(to.end(), from.begin(), from.end());
    to.resize(to.size() + count - from.size(), T::Zero());
}

Joined join(const BoundSurface& surface, std::span<const DeformedPrimitive> shapes) {
    Joined joined;
    for (size_t k : surface.parts) {
        const size_t count = shapes[k].positions.size();
        append(joined.positions, shapes[k].positions, count);
        append(joined.normals, shapes[k].normals, count);
        append(joined.tangents, shapes[k].tangents, count);
    }
    return joined;
}

void mush(const BoundSurface& surface, const MushOptions& options, std::span<DeformedPrimitive> shapes) {
    Joined j = join(surface, shapes);
    apply_delta_mush(surface.mush, options, {j.positions, j.normals, j.tangents, j.positions, j.normals, j.tangents});
    ptrdiff_t first = 0;
    for (size_t k : surface.parts) {
        DeformedPrimitive& shape = shapes[k];
        std::copy_n(j.positions.begin() + first, shape.positions.size(), shape.positions.begin());
        std::copy_n(j.normals.begin() + first, shape.normals.size(), shape.normals.begin());
        std::copy_n(j.tangents.begin() + first, shape.tangents.size(), shape.tangents.begin());
        first += static_cast<ptrdiff_t>(shape.positions.size());
    }
}

// A morphed shape has detail of its own, to be kept like that of the rest shape. Empty: it is the rest shape.
std::vector<Vec3> morphed_deltas(const Character& character, const Pose& pose, const BoundParts& bound,
                                 const BoundSurface& surface, std::span<const DeformedPrimitive> shapes) {
    const bool morphed = std::any_of(surface.parts.begin(), surface.parts.end(), [&](size_t k) {
        const auto weights = morph_weights(character, pose, bound.all[k]);
        return std::any_of(weights.begin(), weights.end(), [](float w) { return w != 0.0f; });
    });
    return morphed ? find_deltas(surface.mush, join(surface, shapes).positions) : std::vector<Vec3>();
}

bool is_mirrored(std::span<const Affine> palette) {
    const auto mirrors = [](const Affine& m) { return m.linear().determinant() < 0.0f; };
    return 2 * static_cast<size_t>(std::count_if(palette.begin(), palette.end(), mirrors)) > palette.size();
}

std::vector<std::vector<Affine>> palettes_of(const Character& character, std::span<const AffineD> world_from_joint) {
    std::vector<std::vector<Affine>> palettes;
    for (const Skin& skin : character.skins) {
        palettes.emplace_back(skin.joints.size());
        make_palette(skin, world_from_joint, palettes.back());
    }
    return palettes;
}

}  // namespace

CharacterDeformer::CharacterDeformer(const Character& character, const DeformOptions& options)
    : character_(character), options_(options), bound_(std::make_unique<BoundParts>(bind_parts(character, options))) {}

CharacterDeformer::~CharacterDeformer() = default;

void CharacterDeformer::deform(const Pose& pose, std::vector<DeformedPrimitive>& out) const {
    std::vector<AffineD> world_from_joint(character_.skeleton.size());
    local_to_world(character_.skeleton.parents(), pose.local, world_from_joint);
    const auto palettes = palettes_of(character_, world_from_joint);

    out.resize(bound_->all.size());
    for (size_t k = 0; k < out.size(); ++k) morph(character_, pose, bound_->all[k], options_.normals, out[k]);
    std::vector<std::vector<Vec3>> deltas;
    for (const BoundSurface& surface : bound_->surfaces) {
        if (options_.delta_mush > 0) deltas.push_back(morphed_deltas(character_, pose, *bound_, surface, out));
    }

    for (size_t k = 0; k < out.size(); ++k) {
        const BoundPart& part = bound_->all[k];
        DeformedPrimitive& p = out[k];
        const DeformBuffers in_place{p.positions, p.normals, p.tangents, p.positions, p.normals, p.tangents};
        if (part.skin < 0) {
            const auto joint = static_cast<size_t>(instance_of(character_, part).joint);
            deform_by_matrix(world_from_joint[joint].cast<float>(), in_place);
            continue;
        }
        const auto skin = static_cast<size_t>(part.skin);
        DeformBinding binding{.influences = primitive_of(character_, part).influences,
                              .bend_twist = &part.bend_twist,
                              .gradients = part.gradients,
                              .first_gradient = part.first_gradient,
                              .centres = part.centres,
                              .centre_influences = &part.centre_influences};
        if (!bound_->bones.empty()) binding.bones = bound_->bones[skin];
        deformer(options_.skinning)(palettes[skin], binding, in_place);
    }
    for (size_t s = 0; s < deltas.size(); ++s) {
        const BoundSurface& surface = bound_->surfaces[s];
        const auto skin = static_cast<size_t>(bound_->all[surface.parts.front()].skin);
        mush(surface, {.deltas = deltas[s], .mirrored = is_mirrored(palettes[skin])}, out);
    }
}

void deform(const Character& character, const Pose& pose, const DeformOptions& options,
            std::vector<DeformedPrimitive>& out) {
    CharacterDeformer(character, options).deform(pose, out);
}

Pose pose_at(const Character& character, const Clip* clip, float time) {
    Pose pose = rest_pose(character);
    if (clip) sample(*clip, time, pose);
    return pose;
}

}  // namespace sinew
