// Animate: the main job in one call. A bare mesh gets a skeleton and weights first; a rigged character keeps its own.
//   animate [MESH OUTPUT.glb MOTION…]      a motion is a file (BVH, FBX, glTF, …) or a built-in name such as walk
#include <sinew/sinew.h>
#include <algorithm>

#include "example.h"

int main(int argc, char** argv) {
    sinew::Character mesh = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_humanoid();
    const char* output = argc > 2 ? argv[2] : "walking.glb";
    std::vector<std::string> motions(argv + std::min(argc, 3), argv + argc);
    if (motions.empty()) motions = {"walk", "wave"};

    const sinew::AnimateResult moved = or_exit(sinew::animate(std::move(mesh), motions));

    // The report says what was done, and how sure Sinew is of it.
    if (moved.report.rig) {
        const sinew::RigResult& rig = moved.report.rig->rig;
        std::printf("fitted a %s of %zu joints, confidence %.2f\n", to_string(rig.kind).data(), rig.skeleton.size(),
                    rig.confidence);
    }
    for (const sinew::MotionReport& motion : moved.report.motions)
        std::printf("%s: moves %d joints\n", motion.motion.c_str(), motion.mapped_joints);
    for (const std::string& warning : moved.report.warnings) std::printf("warning: %s\n", warning.c_str());

    // Written whole or not at all. For files on both sides there is animate_file(), which is what `sinew animate`
    // calls.
    or_exit(sinew::write_character(moved.character, output, moved.write));
    std::printf("wrote %s with %zu clips\n", output, moved.character.clips.size());
}
// Prints:
// fitted a biped of 53 joints, confidence 0.93
// walk: moves 52 joints
// wave: moves 52 joints
// wrote walking.glb with 2 clips
