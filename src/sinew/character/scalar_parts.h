// Deforms the parts that no kernel can: by the scalar deformers of skin/deform.h, then delta mush. Internal to
// character.
// Data flow: PreparedCharacter, palettes, Pose::morphs → *here* → DeformedPrimitive.
#pragma once

#include <sinew/character/prepared_parts.h>

namespace sinew {

class ScalarParts {
public:
    // All three must outlive it. `palettes` has one span per part.
    ScalarParts(const Character& character, const DeformOptions& options, const PreparedCharacter& prepared,
                std::span<const std::span<const Affine>> palettes);

    // The part's morph weights; returns whether they changed.
    bool set_morphs(size_t part, std::span<const float> weights);

    // Brings the shapes of all parts that are not compiled to the revisions of `parts`.
    void update(std::span<const DeformedPart> parts, std::span<DeformedPrimitive> shapes);

private:
    // The rest shape with its morphs; unused where a primitive has none, whose rest shape is its mesh.
    struct MorphedRest {
        std::vector<float> weights;
        std::vector<Vec3> positions;
        std::vector<Vec3> normals;
        std::vector<Vec4> tangents;
    };
    struct Rest {
        std::span<const Vec3> positions;
        std::span<const Vec3> normals;
        std::span<const Vec4> tangents;
    };

    Rest rest_of(size_t part) const;
    void deform(size_t part, DeformedPrimitive& shape) const;
    void mush(size_t surface, std::span<DeformedPrimitive> shapes);

    const Character& character_;
    const DeformOptions& options_;
    const PreparedCharacter& prepared_;
    std::span<const std::span<const Affine>> palettes_;
    std::vector<MorphedRest> morphed_;       // per part
    std::vector<std::vector<Vec3>> deltas_;  // per surface: delta mush's, of the morphed rest shape
    std::vector<uint8_t> stale_deltas_;      // per surface
};

}  // namespace sinew
