// Outline: which nodes an FBX file of a character has, and which joint or mesh each stands for.
// Data flow: Character → *here* → the writer's parts.
#pragma once

#include <sinew/character/character.h>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sinew::fbx {

// A bone is what a skin follows, and what lies between or below such joints. A skinned mesh stands at the origin of the
// scene, because its bones place it; its own node, where nothing hangs on it, is left out.
struct OutNode {
    enum class Kind : uint8_t { group, bone, mesh };
    Kind kind = Kind::group;
    std::string name;  // unlike all others
    int32_t parent = -1;
    int32_t joint = -1;     // −1: it stands where its parent stands
    int32_t instance = -1;  // of a mesh: what it shows
    int64_t id = 0;
};

struct Outline {
    std::vector<OutNode> nodes;
    std::vector<int32_t> node_of_joint;  // −1: left out
    std::vector<int32_t> node_of_instance;
    std::vector<AffineD> rest;  // world_from_joint
};

Outline make_outline(const Character& character);

// Makes a name unlike those before it: "arm", "arm.001", …; `otherwise` stands for an empty one.
class UniqueNames {
public:
    std::string take(const std::string& name, const std::string& otherwise);

private:
    std::map<std::string, int> next_number_;  // of every name that is taken
};

}  // namespace sinew::fbx
