// Biovision BVH: a skeleton and one motion, reading and writing.
// Data flow: text ⇄ Character with a skeleton, one clip and no meshes.
#pragma once

#include <sinew/io/read.h>
#include <sinew/io/write.h>

namespace sinew {

// Position channels replace OFFSET. End sites become joints named "<parent>_end"; those of zero length only close a
// leaf and become nothing. Any channel order and any number of roots. Units are the file's own. A file without MOTION
// gives a skeleton without a clip.
Result<Character> read_bvh(SharedBytes file, const ReadOptions& options);

// The clip sampled at its own key rate (30 per second where keys are uneven), channels Zrotation Yrotation Xrotation;
// one frame at rest where there are no clips. OFFSET is the rest translation; a rest rotation, which BVH cannot state,
// is in every frame's channels. Joints that leave their rest translation have position channels. Scale, which BVH
// cannot state either, goes into the translations: joints stay where they are. Reading the result gives the same joints
// and motion.
Result<std::vector<OutputFile>> encode_bvh(const Character& character, int32_t clip, const std::filesystem::path& path);

}  // namespace sinew
