// Creatures: simple jointed bodies whose shape and movement are evolved together until they crawl or swim [Sims1994].
// Data flow: a seed → evolve_creature() → genes → creature_character() → a Character with one clip.
#pragma once

#include <sinew/character/character.h>
#include <cstdint>
#include <vector>

namespace sinew {

enum class CreatureMedium : uint8_t { ground, water };

// How a creature is put together; its numbers say how long, thick and quick everything is.
struct CreaturePlan {
    int limb_pairs = 2;     // 0 to 3
    int limb_segments = 2;  // 1 or 2
    int tail_segments = 0;  // 0 to 3
};
struct CreatureGenes {
    CreaturePlan plan;
    std::vector<double> numbers;  // creature_gene_count(plan) of them, each from about −1 to 1; all 0: a plain one
};
size_t creature_gene_count(const CreaturePlan& plan);

// How far it gets in so many seconds, in metres, after one second to settle. 0 for one that flies apart. The same genes
// give the same bits.
double creature_distance(const CreatureGenes& genes, CreatureMedium medium, double seconds = 6.0);

struct CreatureOptions {
    CreatureMedium medium = CreatureMedium::ground;
    size_t evaluations = 240;  // for each of a few plans
    double seconds = 6.0;      // that each is tried for
    uint64_t seed = 1;
};
struct EvolvedCreature {
    CreatureGenes genes;
    double distance = 0.0, first_distance = 0.0;  // of the best, and of the plain one of its plan
    size_t evaluations = 0;
};
// Tries several plans and keeps the one that gets farthest. The same for any number of threads.
EvolvedCreature evolve_creature(const CreatureOptions& options = {});

// The creature as a body of capsules, and what it did as a clip ("crawl" or "swim").
Character creature_character(const CreatureGenes& genes, CreatureMedium medium, double seconds = 6.0,
                             double fps = 30.0);

}  // namespace sinew
