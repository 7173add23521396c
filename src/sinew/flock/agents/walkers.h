// Walkers: people or animals on the ground, each on its way to a goal, round obstacles and out of each other's way.
// Data flow: Walkers and a scene → *here*, step() → Walkers a moment later → your program.
#pragma once

#include <sinew/flock/agents/ground.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

// Seen from above: x and z of the ground.
struct Walker {
    Vec2 position = Vec2::Zero();
    Vec2 velocity = Vec2::Zero();  // metres a second
    float heading = 0.0f;          // about +Y; 0 looks along +Z, π/2 along +X. Turns no faster than its rules say
    float speed = 1.3f;            // at which it likes to go, metres a second
    float radius = 0.25f;          // metres
    uint32_t goal = 0;             // into WalkScene::goals; beyond them: it stands
};

struct WalkGoal {
    Vec2 place = Vec2::Zero();
    float radius = 0.5f;  // metres from it at which a walker has arrived
    int32_t next = -1;    // where it then goes; −1: it stays
};

struct WalkScene {
    std::vector<WalkGoal> goals = {};
    std::vector<GroundObstacle> obstacles = {};
};

struct WalkRules {
    float horizon = 2.0f;        // seconds for which it sees others coming
    float wall_horizon = 0.3f;   // the same for obstacles
    float sight = 4.0f;          // metres
    float space = 0.05f;         // metres that it likes to keep beyond its radius
    float strongest = 6.0f;      // metres a second², by which its velocity changes
    float turn_rate = 3.5f;      // radians a second, at most
    float turn_seconds = 0.25f;  // in which it has turned two thirds of the way to where it goes
};

// Steps in time [vandenBerg2011]; cost grows with the walkers, not with their square.
class Walkers {
public:
    // Finds the ways round the obstacles, once for each goal. Walkers that start in an obstacle are put beside it.
    // What is not finite becomes 0.
    Walkers(std::vector<Walker> walkers, WalkScene scene, WalkRules rules = {});
    ~Walkers();
    Walkers(Walkers&&) noexcept;
    Walkers& operator=(Walkers&&) noexcept;

    // `seconds`: a thirtieth or so. The same bytes for any number of threads. No allocation once it has been called.
    void step(float seconds);

    // In the order they were given in.
    std::span<const Walker> walkers() const;
    // Whether a way leads from the walker to its goal.
    bool can_arrive(size_t walker) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sinew
