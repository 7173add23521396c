// Flock: birds, fish or anything else that moves in a group by looking at its neighbours [Reynolds1987].
// Data flow: Boids and rules → *here*, step() → Boids a moment later → your program.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

enum class BoidRole : uint8_t {
    follower,
    leader,    // takes no notice of followers, goes for its goals; followers that see one go where it goes
    predator,  // hunts the nearest follower that it sees; the others flee from it
};

struct Boid {
    Vec3 position = Vec3::Zero();
    Vec3 velocity = Vec3::Zero();
    uint32_t id = 0;    // stays with the boid: stepping sorts the boids by where they are
    uint16_t goal = 0;  // the goal it is on its way to, into Flock::goals
    BoidRole role = BoidRole::follower;
};

// How a boid moves. Each weight makes one rule stronger or, with 0, switches it off.
struct FlockRules {
    float separation = 1.6f;  // keeps neighbours at `distance`
    float alignment = 1.0f;   // flies as its neighbours fly
    float cohesion = 0.8f;    // flies to the middle of its neighbours
    float goal = 0.6f;        // flies to its goal
    float leader = 1.0f;      // flies to the nearest leader that it sees
    float fear = 3.0f;        // flees from predators
    float obstacle = 4.0f;    // turns before it meets an obstacle
    float bounds = 2.0f;      // turns back where it leaves the bounds
    float level = 0.0f;       // of climbing and diving: this share of it is taken back each second

    float sight = 3.0f;                     // metres within which it sees neighbours
    float field_of_view = radians(270.0f);  // what is behind it is not seen; at most 2π
    float distance = 1.0f;                  // metres that neighbours keep
    float far_sight = 12.0f;                // metres within which it sees leaders, predators and prey
    float slowest = 2.0f, fastest = 6.0f;   // metres a second
    float strongest = 8.0f;                 // metres a second², of all rules together
    float look_ahead = 1.0f;                // seconds within which it sees an obstacle in its way
    float goal_reached = 2.0f;              // metres from a goal at which it takes the next one
};

// Points within `radius` of the segment from a to b: a ball where they are equal, a column where b is above a.
struct FlockObstacle {
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();
    float radius = 1.0f;
};

struct FlockScene {
    std::vector<Vec3> goals = {};  // taken one after another, then from the first again
    std::vector<FlockObstacle> obstacles = {};
    Box bounds = {};  // empty: there are none
};

// A boid looks at no more than about this many others, however thick the flock; evenly spread over all that are near.
constexpr uint32_t most_neighbours = 96;

// Steps in time. Cost grows with the boids, not with their square, for any number of them and any extent of space;
// leaders, predators and obstacles are looked at one by one.
class Flock {
public:
    // What is not finite in a boid becomes 0.
    Flock(std::vector<Boid> boids, FlockRules rules, FlockScene scene);
    ~Flock();
    Flock(Flock&&) noexcept;
    Flock& operator=(Flock&&) noexcept;

    // `seconds`: a thirtieth or so. No boid is inside an obstacle afterwards, unless obstacles overlap. The same bytes
    // for any number of threads. No allocation once it has been called.
    void step(float seconds);

    // Other boids instead: some left for another process, others came (bench/mpi). As the constructor takes them.
    void set_boids(std::span<const Boid> boids);

    // In the order of where they are, which changes from step to step; `id` tells which is which.
    std::span<const Boid> boids() const;
    // The same by id; ids that no boid has keep what `by_id` held.
    void sort_by_id(std::span<Boid> by_id) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sinew
