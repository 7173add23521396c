// Character: everything in one file — nodes, meshes, skins, morphs, clips — and the untouched remainder of that file.
// Data flow: io reads one, algorithms change one, io and render take one.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/bytes.h>
#include <sinew/mesh/mesh.h>
#include <sinew/morph/morph.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

struct GltfDocument;  // the source file's JSON and buffers; internal

// An encoded picture (PNG, JPEG, …), never re-encoded. `uri` is set when it came from a file of its own.
struct Image {
    std::string name;
    std::string mime_type;
    std::string uri;
    SharedBytes bytes;
    int32_t source = -1;
};

enum class AlphaMode : uint8_t { opaque, mask, blend };

// As much of a surface's look as Sinew shows and converts. What a glTF says beyond this stays in the character's source
// document and is written back untouched.
struct Material {
    std::string name;
    Vec4 base_color = Vec4::Ones();  // linear RGBA
    float metallic = 0.0f;
    float roughness = 0.8f;
    Vec3 emissive = Vec3::Zero();
    // Pictures, into Character::images, −1: none. As glTF has them: each is multiplied with its factor above, and the
    // metallic-roughness one has roughness in green and metalness in blue.
    int32_t base_color_image = -1;
    int32_t metallic_roughness_image = -1;
    int32_t normal_image = -1;
    int32_t occlusion_image = -1;
    int32_t emissive_image = -1;
    AlphaMode alpha_mode = AlphaMode::opaque;
    float alpha_cutoff = 0.5f;
    bool double_sided = false;
    int32_t source = -1;
};

inline constexpr std::array material_images = {&Material::base_color_image, &Material::metallic_roughness_image,
                                               &Material::normal_image, &Material::occlusion_image,
                                               &Material::emissive_image};

// Vertices of one material: the unit that is deformed and drawn.
struct Primitive {
    Mesh mesh;
    Influences influences;  // empty when the mesh is not skinned
    std::vector<MorphTarget> morphs;
    int32_t material = -1;  // into Character::materials
    int32_t source = -1;    // the primitive's number within its mesh in the file
};

struct MeshGroup {
    std::string name;
    std::vector<Primitive> primitives;  // all have the same number of morph targets
    std::vector<float> morph_weights;   // defaults, one per target
    int32_t source = -1;
};

// A mesh placed in the scene by a joint; with a skin, the skin's joints place it and the joint's own transform does not
// count (as glTF says). Its morph weights are Pose::morphs[first_morph …], as many as its mesh has targets.
struct MeshInstance {
    int32_t joint = 0;
    int32_t mesh = 0;
    int32_t skin = -1;
    int32_t first_morph = 0;
    std::vector<float> morph_weights;  // this instance's own; empty: the mesh's defaults
    bool in_scene = true;              // false: its node hangs in no part of the active scene; not shown, not baked
};

struct Character {
    std::string name;
    Skeleton skeleton;
    std::vector<MeshGroup> meshes;
    std::vector<Skin> skins;
    std::vector<MeshInstance> instances;
    std::vector<Material> materials;
    std::vector<Image> images;
    std::vector<Clip> clips;
    std::vector<int32_t> joint_source;  // the node's number in the file, per joint; −1 or missing: made by Sinew
    std::vector<std::string> warnings;  // what the reader noticed and repaired or left out
    std::string format;                 // "glb", "gltf", "obj", "bvh", …
    std::shared_ptr<const GltfDocument> source;  // the remainder; null when the file was not glTF
};

// How many morph targets a mesh has; over all instances of a character, which is the length of Pose::morphs.
size_t morph_count(const MeshGroup& mesh);
size_t morph_count(const Character& character);
// Numbers first_morph of all instances in order. Call after adding or removing instances.
void layout_morphs(Character& character);

// Joints at rest, morph weights at their defaults.
Pose rest_pose(const Character& character);

// The character at `time` of `clip` (null: at rest). A pose that is kept from frame to frame is not allocated again.
void sample_pose(const Character& character, const Clip* clip, float time, Pose& pose);

// The same as a new pose.
Pose pose_at(const Character& character, const Clip* clip, float time);

// States every invariant of a character, so that readers can be tested with one call: indices in range, sizes that
// match, bindings and clips valid, finite numbers.
Result<void> validate(const Character& character);

}  // namespace sinew
