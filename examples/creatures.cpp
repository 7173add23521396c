// Creatures that nobody designed: bodies and movements evolved together until they crawl or swim [Sims1994].
//   creatures [ground|water] [EVALUATIONS] [OUT.glb]
// The default is a short run. 600 evaluations for each plan take some minutes, and the result gets farther.
#include <sinew/ragdoll/creatures/creature.h>
#include <sinew/sinew.h>
#include <cstdlib>
#include <string_view>

#include "example.h"

int main(int argc, char** argv) {
    sinew::CreatureOptions options;
    if (argc > 1 && std::string_view(argv[1]) == "water") options.medium = sinew::CreatureMedium::water;
    options.evaluations = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 26;
    options.seconds = argc > 2 ? 6.0 : 2.0;
    const sinew::EvolvedCreature best = sinew::evolve_creature(options);
    std::printf("%s than the plain one\n", best.distance > best.first_distance ? "farther" : "no farther");
    if (argc > 3) {
        std::printf("%.2f m in %.0f s instead of %.2f m, after %zu evaluations\n", best.distance, options.seconds,
                    best.first_distance, best.evaluations);
        or_exit(sinew::write_character(sinew::creature_character(best.genes, options.medium), argv[3]));
    }
}
// Prints:
// farther than the plain one
