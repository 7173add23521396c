// Ten lines of library use, the same as in the README: a sample character, a built-in motion, its vertices at one
// moment.
#include <sinew/character/character_deformer.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/sample/sample.h>
#include <cstdio>

int main() {
    sinew::Character hero = sinew::make_rigged_humanoid();  // or: *sinew::read_character("hero.glb")
    const sinew::Motion walk = *sinew::builtin_motion("walk");
    const auto moved = sinew::retarget(walk.skeleton, walk.clip, hero.skeleton);
    if (!moved) return std::puts(moved.error().message.c_str()), 1;

    std::vector<sinew::DeformedPrimitive> skin;
    sinew::deform(hero, sinew::pose_at(hero, &moved->clip, 0.5f), {.normals = true}, skin);
    std::printf("%d joints follow the walk; the first vertex is at y = %.3f\n", moved->mapped_joints,
                static_cast<double>(skin[0].positions[0].y()));
}
