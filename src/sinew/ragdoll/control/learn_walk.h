// Learning to walk: the style that keeps a body on its feet, found by evolution. A body that nobody tuned learns in
// under a minute. Data flow: RagdollBody → *here* (walker.h, evolve.h) → WalkStyle.
#pragma once

#include <sinew/ragdoll/control/evolve.h>
#include <sinew/ragdoll/control/walker.h>

namespace sinew {

struct WalkLesson {
    double seconds = 8.0;                     // of each trial
    double step = 0.5, steps_a_second = 2.0;  // what walking looks like, of a body of 1.75 m
    double push = 0.0;                        // newtons: each trial also has four pushed ones, a body of 70 kg's
};

// What evolution makes small: below 20 it stays on its feet.
double walk_cost(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal);

struct LearnedWalk {
    WalkStyle style;
    double cost = 0.0;
    size_t evaluations = 0;
};
// Starts from `style`; stops early at a cost below options.good_enough.
LearnedWalk learn_walk(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal,
                       const EvolutionOptions& options);

// The usual style where the body walks ten seconds with it, else one that it learns.
Result<WalkStyle> walk_style_for(const RagdollBody& body);

}  // namespace sinew
