// Learning to walk: the style that keeps a body on its feet, found by evolution. A body that nobody tuned learns in a
// minute or two. Data flow: RagdollBody → *here* (walker.h, evolve.h) → WalkStyle.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/ragdoll/control/evolve.h>
#include <sinew/ragdoll/control/walk_trial.h>

namespace sinew {

// What a style is tried by. Times, lengths and forces are those of a body of 1.75 m and 70 kg.
struct WalkLesson {
    double seconds = 8.0;                     // on flat ground, undisturbed
    double step = 0.5, steps_a_second = 2.0;  // what walking looks like
    int pushes = 0;                           // after that, from all sides, ever harder
    double push = 0.0;                        // newtons, of the hardest
    double gentlest = 0.5;                    // of that, the first push
    double slope = 0.0;                       // radians: then up and down such a slope
};

// What evolution makes small: below 20 it stays on its feet, wherever it is led.
double walk_cost(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal);

struct LearnedWalk {
    WalkStyle style;
    double cost = 0.0;
    size_t evaluations = 0;
};
// Starts from `style`; stops early at a cost below options.good_enough.
LearnedWalk learn_walk(const RagdollBody& body, const WalkStyle& style, const WalkLesson& goal,
                       const EvolutionOptions& options);

// The usual style where the body walks for 40 s with it, else the best that it learns: first balance (learn_balance.h),
// then to walk so that small pushes do not make it fall. The same for any number of threads.
Result<WalkStyle> walk_style_for(const RagdollBody& body, const Progress& progress = {});

}  // namespace sinew
