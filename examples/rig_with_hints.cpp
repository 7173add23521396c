// Rig with hints: fit a skeleton to a bare mesh, and say where a joint is when you know better.
//   rig_with_hints [MESH OUTPUT.glb]      a mesh that stands on two legs
#include <sinew/sinew.h>

#include "example.h"

void print_left_elbow(const sinew::Character& character) {
    for (const sinew::JointInfo& joint : sinew::describe(character).joints) {
        if (joint.role == sinew::Role::left_lower_arm)
            std::printf("\"%s\" at (%.2f, %.2f, %.2f)\n", joint.name.c_str(), joint.position.x(), joint.position.y(),
                        joint.position.z());
    }
}

int main(int argc, char** argv) {
    const sinew::Character mesh = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_humanoid();

    // Without hints, Sinew finds out by itself what it is, which way up it stands and where its joints are.
    sinew::Character plain = mesh;
    const sinew::RigCharacterReport found = or_exit(sinew::rig_character(plain));
    std::printf("%s, confidence %.2f\n", to_string(found.rig.kind).data(), found.rig.confidence);
    print_left_elbow(plain);

    // With hints: it is a biped, and its left elbow sits 3 cm further out. The joints after it move along, and so does
    // the right arm, because the mesh is symmetric. The new joints are named as Mixamo names them.
    const size_t elbow = static_cast<size_t>(found.rig.skeleton.find("leftLowerArm"));
    sinew::RigCharacterOptions options;
    options.rig.kind = sinew::RigKind::biped;
    options.rig.hints = {{"leftLowerArm", found.rig.positions.at(elbow) + sinew::Vec3(0.03f, 0.0f, 0.0f)}};
    options.rig.names = sinew::NameScheme::mixamo;
    sinew::Character hinted = mesh;
    const sinew::RigCharacterReport report = or_exit(sinew::rig_character(hinted, options));
    print_left_elbow(hinted);

    // The mesh is bound to its skeleton too, ready to be written and moved.
    std::printf("%zu vertices are bound to %zu joints\n", report.weights.vertices, report.joints.size());
    if (argc > 2) or_exit(sinew::write_character(hinted, argv[2], {.humanoid = report.humanoid}));
}
// Prints:
// biped, confidence 0.93
// "leftLowerArm" at (0.37, 1.19, -0.01)
// "mixamorig:LeftForeArm" at (0.40, 1.19, -0.01)
// 8345 vertices are bound to 53 joints
