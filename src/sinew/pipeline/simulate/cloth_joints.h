// Cloth joints: cloth that moved, as joints below those of the body that wears it. Data flow: positions in each frame →
// physics/cloth/patches.h → *here* → joints of a Character, tracks of its clips.
#pragma once

#include <sinew/character/character.h>
#include <sinew/physics/cloth/patches.h>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct MovedCloth {
    std::string name;
    std::vector<Vec3> rest;  // as the mesh has it, in metres
    std::vector<uint32_t> triangles;
    std::vector<Vec3> positions;  // frame after frame, in world space; the first is that of the skeleton at rest
    std::vector<int32_t> owners;  // per vertex: the joint that carries it where nothing moves it by itself, or −1
    PatchOptions fit;
};

// One clip's frames, one take after another in MovedCloth::positions. `poses` are the body's; empty where nothing is
// carried.
struct ClothTake {
    Clip* clip = nullptr;
    std::span<const float> times;
    std::span<const Pose> poses;
};

struct ClothJoints {
    int32_t first = -1;  // of as many joints as there are patches
    Patches patches;
};

// Adds the joints, and tracks for them to each take's clip. A joint hangs on its centre's owner, so that it goes along
// in clips that nobody simulated; without an owner, on `root`.
ClothJoints add_cloth_joints(Character& character, const MovedCloth& cloth, std::span<const ClothTake> takes,
                             int32_t root);

// Adds joints; returns the number of the first.
int32_t add_joints(Character& character, const std::vector<std::string>& names, const std::vector<Transform>& rest,
                   const std::vector<int32_t>& parents);

// Keys at all times, without those in the middle of a stretch of equal values. `steps`: sizes change in steps.
struct MovedJoint {
    int32_t joint = 0;
    bool scale = false, steps = false;
};
void add_transform_tracks(Clip& clip, const MovedJoint& what, std::span<const float> times,
                          std::span<const Transform> frames);

}  // namespace sinew
