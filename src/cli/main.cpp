// The sinew program: its verbs, and what becomes of exceptions.
#include <exception>
#include <iostream>
#include <new>

#include "cli.h"

namespace {

constexpr const char* description =
    "Sinew turns any mesh and any motion into a finished, engine-ready character.\n\n"
    "Examples:\n"
    "  sinew animate hero.glb --motion walk.bvh -o walking.glb\n"
    "  sinew animate statue.obj --motion run -o running.glb --preview running.webp\n"
    "  sinew rig statue.obj -o statue.glb\n"
    "  sinew preview hero.glb -o hero.png --show skin+bones --views 4\n"
    "  sinew info hero.glb\n"
    "  sinew demo\n\n"
    "`sinew VERB --help` tells more about a verb.";

int run(int argc, char** argv) {
    using namespace sinew::cli;
    Program program(description, "sinew " SINEW_VERSION);
    add_animate(program);
    add_rig(program);
    add_retarget(program);
    add_pose(program);
    add_edit(program);
    add_clean(program);
    add_find(program);
    add_graph(program);
    add_blend(program);
    add_bake(program);
    add_bind(program);
    add_weights(program);
    add_preview(program);
    add_check(program);
    add_info(program);
    add_motions(program);
    add_convert(program);
    add_crowd(program);
    add_simulate(program);
    add_demo(program);
    add_studio(program);
    return program.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::cerr << "sinew: out of memory; close other programs, or give a smaller file\n";
    } catch (const std::exception& error) {
        std::cerr << "sinew: " << error.what() << "; this is a bug in sinew, please report it\n";
    }
    return sinew::cli::exit_failed;
}
