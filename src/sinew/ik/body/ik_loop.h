// The loop around the iterative solvers: a step, the poles, a look at the error; and what to do when nothing moves.
// Data flow: IkBody (ik_body.h), a solver's step → *here* → the best state that was met.
#pragma once

#include <sinew/ik/body/ik_body.h>

namespace sinew {

constexpr double enough_progress = 1e-4;  // of the cost in one iteration: less is standing still
constexpr int patience = 6;               // iterations of standing still before the loop bends the chain or gives up
constexpr int most_bends = 3;

// True where turning no joint would bring any goal nearer, to first order: a straight chain with its goal on its line.
// That is: no joint's lever makes an angle with the way to the goal whose sine is more than `flat`.
bool is_stationary(const IkBody& body, double flat);
constexpr double exactly_flat = 1e-6, nearly_flat = 0.3;  // before the first step; where a solver got stuck

// Turns every free joint a little, always the same way: out of a straight line, towards the pole where there is one.
void bend_joints(IkBody& body, double angle);
constexpr double first_bend = 0.15;  // radians: enough to leave a line, too little to see where the goal is near
constexpr double bend_growth = 3.0;  // the next bend, where a solver came back to the line

// Turns chains about the line from root to tip, so that their joint is on the pole's side.
void apply_poles(IkBody& body);

// Turns joints that have an orientation to reach to it, as far as their own limits let them.
void turn_tips(IkBody& body);

// Keeps the best state that was met.
struct BestState {
    double cost = 0.0;
    void keep(IkBody& body, double new_cost);
    void restore(IkBody& body) const;
};

// Calls `step` until all goals are reached, nothing moves any more or the budget is spent. Leaves the best state,
// placed. A step returns whether it would go on for the sake of a preferred pose though all goals are reached. Returns
// how many steps it took.
template <class Step>
int iterate(IkBody& body, const IkOptions& options, int budget, bool has_preference, Step&& step) {
    apply_poles(body);
    if (!has_preference && all_reached(body, options)) return 0;
    BestState best;
    best.keep(body, body_cost(body));
    if (is_stationary(body, exactly_flat) && !all_reached(body, options)) bend_joints(body, first_bend);
    double last = best.cost;
    double bend = first_bend;
    int idle = 0, bends = 0, i = 0;
    while (i < budget) {
        ++i;
        const bool goes_on = step();
        apply_poles(body);
        const bool reached = all_reached(body, options);
        if (reached && !goes_on) return i;
        const double cost = body_cost(body);
        if (reached || cost < best.cost) best.keep(body, cost);
        idle = reached || cost < last * (1.0 - enough_progress) ? 0 : idle + 1;
        last = cost;
        if (idle < patience) continue;
        if (bends++ == most_bends || !is_stationary(body, nearly_flat)) break;
        bend_joints(body, bend);
        bend *= bend_growth;
        idle = 0;
    }
    best.restore(body);
    return i;
}

}  // namespace sinew
