// Recording: what a simulation did, frame after frame; and a Character that shows it.
// Data flow: run_scene.h → *here* → Character (nodes, a skinned mesh for each cloth, one clip).
#pragma once

#include <sinew/character/character.h>
#include <sinew/pipeline/simulate/cloth_joints.h>
#include <string>
#include <vector>

namespace sinew {

// Places beyond this, in metres, and what is no number, are those of something that flew apart.
constexpr double end_of_world = 1e5;

struct RecordedCloth {
    MovedCloth moved;
    Vec4 color = Vec4::Ones();
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

}  // namespace sinew
