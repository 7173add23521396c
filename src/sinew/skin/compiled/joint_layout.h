// How the vertices of one joint set are best laid out for the kernels, by what each way costs.
// Data flow: used by skin/compiled/joint_tails.h and skin/compiled/joint_sets.cpp.
#pragma once

#include <sinew/skin/compiled/joint_sets.h>

namespace sinew {

// How vertices of one joint set are laid out: so many in blocks of a run, then so many in octets, the others loose.
struct SetLayout {
    size_t in_run = 0, in_octets = 0;
    double cost = 0.0;
};

enum class Looseness { none, allowed };

// The cheapest for so many vertices of a set of k joints. `has_run`: a run of just these joints exists anyway.
SetLayout best_layout(size_t k, size_t vertices, bool has_run, Looseness looseness);

// Having any loose vertices: their kernel begins, and reads joints in a form of its own.
constexpr double loose_begin_cost = 50.0, loose_joint_cost = 6.0;

}  // namespace sinew
