// Crowd: moments of compiled clips → skinning palettes, for thousands of characters of one skeleton.
// Data flow: CompiledClip, and a few numbers per character → *here* (sample, blend, forward kinematics) → your GPU.
#pragma once

#include <sinew/clip/compiled/compiled_clip.h>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

// What a character plays: a clip of the crowd, when, and how much of it. There is no other state.
struct CrowdLayer {
    uint32_t clip = 0;
    float time = 0.0f;
    float weight = 1.0f;  // relative to those of the character's other layers; a weight of 0 leaves the layer out
};

// Eight characters go side by side, through memory that stays in the nearest cache.
class Crowd {
public:
    // The clips were compiled for the skeleton and outlive the crowd. Palettes are made for these joints and their
    // inverse bind matrices.
    Crowd(const Skeleton& skeleton, std::span<const CompiledClip* const> clips, std::span<const int32_t> skin_joints,
          std::span<const Affine> inverse_bind);

    // layers[layers_each · c + l] is layer l of character c; palettes[skin_joints.size() · c + s] is then its
    // world_from_bind of skin joint s. Rotations are blended by normalised sums, on the side of the first layer. Worked
    // out in float. Spread over the threads of core/parallel.h; the same for any number of them.
    void palettes(std::span<const CrowdLayer> layers, size_t layers_each, std::span<Affine> palettes) const;

    size_t skin_size() const { return inverse_bind_.size(); }

private:
    friend struct CrowdBlock;
    struct ClipUse {
        const CompiledClip* clip = nullptr;
        std::vector<uint16_t> still_rotations, still_translations, still_scales;  // that the clip never moves
    };
    std::vector<int32_t> parents_;
    std::vector<Transform> rest_;
    std::vector<ClipUse> clips_;
    std::vector<uint8_t> placed_;               // joints whose translation or scale is not that at rest in some clip
    bool scaled_ = false;                       // some scale is not 1
    std::vector<uint32_t> first_slot_, slots_;  // what the skin takes of each joint
    std::vector<Affine> inverse_bind_;
};

}  // namespace sinew
