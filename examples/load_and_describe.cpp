// Load and describe: what is in a character file?
//   load_and_describe [FILE]      glTF, VRM, FBX, OBJ, BVH, …; without a file, the built-in sample
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    // Whatever depends on a file returns a Result: a value, or an Error that says what is wrong and where.
    const sinew::Character character =
        argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();

    // A Character is plain data that you can walk through. describe() measures what takes more than a look.
    const sinew::CharacterInfo info = sinew::describe(character);
    for (const sinew::MeshInfo& mesh : info.meshes) {
        std::printf("mesh \"%s\": %zu vertices, %zu triangles, %s, at most %zu joints a vertex\n", mesh.name.c_str(),
                    mesh.vertices, mesh.triangles, mesh.watertight ? "watertight" : "with open edges",
                    mesh.max_influences);
    }
    std::printf("%zu joints\n", info.joints.size());
    for (const sinew::JointInfo& joint : info.joints) {  // roles: the same words for every rig, whatever its names are
        if (joint.role == sinew::Role::head || joint.role == sinew::Role::left_lower_arm)
            std::printf("  \"%s\" has the role %s and is %.2f m above the ground\n", joint.name.c_str(),
                        to_string(joint.role).data(), joint.position.y());
    }
    for (const sinew::Clip& clip : character.clips)
        std::printf("clip \"%s\": %.2f s\n", clip.name.c_str(), duration(clip));
    for (const std::string& warning : character.warnings) std::printf("warning: %s\n", warning.c_str());
    std::printf("%.2f m tall\n", info.bounds.size().y());
}
// Prints:
// mesh "humanoid": 8345 vertices, 14794 triangles, watertight, at most 4 joints a vertex
// 54 joints
//   "head" has the role head and is 1.54 m above the ground
//   "leftLowerArm" has the role leftLowerArm and is 1.21 m above the ground
// 1.76 m tall
