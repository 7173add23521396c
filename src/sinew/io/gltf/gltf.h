// glTF 2.0 (.glb, .gltf, .vrm, .vrma): reading and writing without loss.
// Data flow: bytes ⇄ GltfDocument (JSON and buffers) ⇄ Character.
#pragma once

#include <sinew/io/read.h>
#include <sinew/io/write.h>

namespace sinew {

// Reads skins with any number of JOINTS_n/WEIGHTS_n, morph targets, all interpolations, sparse, normalised and
// quantised accessors, and geometry compressed by Draco or meshopt. The document stays in Character::source.
Result<Character> read_gltf(SharedBytes file, const ReadOptions& options);

// Starts from Character::source where there is one and replaces only what differs from it, so that materials, textures,
// extensions, extras, cameras and unknown attributes come out as they went in. Compressed geometry comes out plain.
// All `source` numbers in the character refer to that document. A vertex of a skinned mesh that has no influences,
// which glTF does not know, goes with the skin's first joint. `path` decides between one .glb and a .gltf with its .bin
// and image files beside it.
Result<std::vector<OutputFile>> encode_gltf(const Character& character, const std::filesystem::path& path,
                                            const WriteOptions& options = {});

// The roles that VRM 1.0 demands of a humanoid and that this one does not have.
std::vector<Role> missing_for_vrm(const HumanoidMap& map);

}  // namespace sinew
