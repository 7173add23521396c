// Recording: what a simulation did, frame after frame; and a Character that shows it.
// Data flow: run_scene.h → *here* → Character (nodes, a skinned mesh for each cloth, one clip).
#pragma once

#include <sinew/character/character.h>
#include <sinew/physics/cloth/patches.h>
#include <string>
#include <vector>

namespace sinew {

struct RecordedCloth {
    std::string name;
    std::vector<uint32_t> triangles;
    std::vector<Vec3> positions;  // of all frames
    size_t vertices = 0;
    Vec4 color = Vec4::Ones();
    PatchOptions fit;
};
// A thing that moves rigidly: its place, turn and size in each frame; a size of 0 hides it.
struct RecordedNode {
    std::string name;
    std::vector<Transform> frames;
    bool steps = false;  // its size changes in steps: particles that come and go
};
struct RecordedNodes {
    std::string name;
    Vec4 color = Vec4::Ones();
    int detail = 8;  // rings of the ball that is drawn
    std::vector<RecordedNode> nodes;
};

struct Recording {
    std::vector<float> times;
    std::vector<Pose> poses;  // of the character, or empty
    std::vector<RecordedCloth> cloths;
    std::vector<RecordedNodes> nodes;
};

// Adds joints, meshes and a clip named `clip_name`, which becomes the first, to the character. Gives each cloth's fit.
std::vector<Patches> add_recording(Character& character, const Recording& recording, const std::string& clip_name);

// Adds joints below `parent`; returns the number of the first.
int32_t add_joints(Character& character, const std::vector<std::string>& names, const std::vector<Transform>& rest,
                   int32_t parent);

// Joints and weights for a cloth that moved, below `parent` (world space); tracks for its clip are added to `clip`.
struct ClothSkin {
    int32_t skin = -1;
    Patches patches;
};
ClothSkin add_cloth_joints(Character& character, const RecordedCloth& cloth, std::span<const float> times,
                           int32_t parent, Clip& clip);
Influences patch_influences(const Patches& patches);

}  // namespace sinew
