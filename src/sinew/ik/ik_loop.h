// The loop around the iterative solvers: a step, the poles, a look at the error; and what to do when nothing moves.
// Data flow: IkBody (ik_body.h), a solver's step → *here* → the best state that was met.
#pragma once

#include <sinew/ik/ik_body.h>

namespace sinew {

constexpr double enough_progress = 1e-4;  // of the cost in one iteration: less is standing still
constexpr int patience = 6;               // iterations of standing still before the loop bends the chain or gives up
constexpr int most_bends = 2;

// True where turning no joint would bring any goal nearer, to first order: a straight chain with its goal on its line.
bool is_stationary(const IkBody& body);

// Turns every free joint a little, always the same way: out of a straight line, towards the pole where there is one.
void bend_joints(IkBody& body);

// Turns chains about the line from root to tip, so that their joint is on the pole's side.
void apply_poles(IkBody& body);

// Keeps the best state that was met.
struct BestState {
    double cost = 0.0;
    void keep(IkBody& body, double new_cost);
    void restore(IkBody& body) const;
};

// Calls `step` until all goals are reached, nothing moves any more or the budget is spent. Leaves the best state,
// placed. Returns how many steps it took.
template <class Step>
int iterate(IkBody& body, const IkOptions& options, int budget, Step&& step) {
    apply_poles(body);
    if (all_reached(body, options)) return 0;
    BestState best;
    best.keep(body, body_cost(body));
    if (is_stationary(body)) bend_joints(body);
    double last = best.cost;
    int idle = 0, bends = 0;
    for (int i = 1; i <= budget; ++i) {
        step();
        apply_poles(body);
        if (all_reached(body, options)) return i;
        const double cost = body_cost(body);
        if (cost < best.cost) best.keep(body, cost);
        idle = cost < last * (1.0 - enough_progress) ? 0 : idle + 1;
        last = cost;
        if (idle < patience) continue;
        if (bends++ == most_bends || !is_stationary(body)) {
            best.restore(body);
            return i;
        }
        bend_joints(body);
        idle = 0;
    }
    best.restore(body);
    return budget;
}

}  // namespace sinew
