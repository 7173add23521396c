// BoneHints: what a file says of its joints beyond where they stand: where bones end, and which move no skin.
// Data flow: Character (glTF nodes' extras) → *here* → pipeline/bind_character.cpp → weights/bones/choose_bones.h.
#pragma once

#include <sinew/character/character.h>
#include <optional>
#include <vector>

namespace sinew {

// Per joint of the skeleton, or empty when the file says nothing of the kind.
struct BoneHints {
    std::vector<std::optional<Vec3>> tails;  // in the joint's own space
    std::vector<uint8_t> deform;             // 0: moves no skin
};

// glTF has no such members, so exporters put them into a node's extras, as Blender does with custom properties:
// "tail": [x, y, z] in the joint's space, or "length" / "bone_length": a number, along the joint's +Y;
// "deform" / "use_deform": false or 0. Anything else there is left alone. Other formats state tails as end joints
// (BVH's End Site, ASF's bone lengths), which are joints of the skeleton already.
BoneHints read_bone_hints(const Character& character);

}  // namespace sinew
