// Ten lines, the same as in the README: a mesh, a motion, and where the vertices are at one moment.
#include <sinew/sinew.h>
#include <cstdio>

int main() {
    const sinew::Character statue = sinew::make_humanoid();  // a bare mesh; or: *sinew::read_character("statue.obj")
    const auto walk = sinew::animate(statue, {"walk"});      // rigs it, binds it, moves it; or: {"dance.bvh"}
    if (!walk) return std::puts(to_string(walk.error()).c_str()), 1;
    const sinew::Character& walker = walk->character;

    std::vector<sinew::DeformedPrimitive> skin;
    sinew::deform(walker, sinew::pose_at(walker, &walker.clips[0], 0.5f), {}, skin);
    std::printf("half a second on, the first of %zu vertices is at a height of %.2f m\n", skin[0].positions.size(),
                skin[0].positions[0].y());
}
// Prints:
// half a second on, the first of 8345 vertices is at a height of 1.52 m
