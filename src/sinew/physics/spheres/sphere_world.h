// SphereWorld: rigid spheres that fall, roll, bounce, stack and hang on strings.
// Data flow: spheres, colliders → *here*, step after step → positions and turns → keys of a clip.
//
//   SphereWorld world;
//   world.colliders.push_back({.shape = ColliderShape::plane});
//   world.spheres.push_back({.position = {0, 2, 0}, .radius = 0.1, .mass = 1});
//   for (int frame = 0; frame < 240; ++frame) world.step(1.0 / 60.0);
//
// A step is cut into small ones. In each, pairs that would meet collide one after another, as billiard balls do; then
// those that rest on each other share their load by sequential impulses with Coulomb's friction; then all move. Fast
// spheres move only up to where they first touch something, so that nothing goes through anything.
#pragma once

#include <sinew/physics/colliders.h>
#include <sinew/physics/spheres/sphere_grid.h>
#include <cstdint>
#include <vector>

namespace sinew {

struct Sphere {
    Vec3d position = Vec3d::Zero();
    Vec3d velocity = Vec3d::Zero();
    Vec3d spin = Vec3d::Zero();  // radians a second, about the world's axes
    Quatd turn = Quatd::Identity();
    double radius = 0.1;  // positive
    double mass = 1.0;    // positive
    double bounce = 0.5;  // 0 to 1; of a pair, the larger counts
    double friction = 0.5;
};

// Keeps a sphere's centre within `length` of the anchor, like a thread.
struct SphereString {
    uint32_t sphere = 0;
    Vec3d anchor = Vec3d::Zero();
    double length = 1.0;
};

// What touches: two spheres, or a sphere and a collider. The normal points from b to a.
struct SphereContact {
    uint32_t a = 0;
    uint32_t b = 0;  // a sphere, or, from `spheres.size()` on, a collider
    Vec3d normal = Vec3d::UnitY();
    double gap = 0.0;
    double push = 0.0;              // the impulse along the normal
    Vec3d rub = Vec3d::Zero();      // and across it
    Vec3d surface = Vec3d::Zero();  // how the collider moves
    double bounce = 0.0, friction = 0.0;
    double weight_a = 0.0, weight_b = 0.0;  // inverse masses; 0 for what does not give way
};

// What a contact carried when both sides fell asleep, in newtons: where one of them wakes, the load is there at once.
// Without it a pile that is touched would sink until its loads are found anew, and wake all that it sinks into.
struct SleepingLoad {
    uint32_t a = 0, b = 0;
    double push = 0.0;
    Vec3d rub = Vec3d::Zero();
};

struct SphereStepReport {
    int moves = 0;               // small steps, with those that fast spheres asked for
    double lost_seconds = 0.0;   // not simulated because fast spheres met too often; 0 but for absurd speeds
    double worst_overlap = 0.0;  // metres, at the end
};

class SphereWorld {
public:
    std::vector<Sphere> spheres;
    std::vector<SphereString> strings;
    std::vector<Collider> colliders;
    Vec3d gravity = Vec3d(0, -9.81, 0);
    int substeps = 4;
    int iterations = 10;  // of the load sharing, per small step
    bool sleep = true;    // what has come to rest stays as it is until something moves it

    // Advances by `seconds`; colliders move along. After the first steps, nothing is allocated.
    SphereStepReport step(double seconds);

    Vec3d momentum() const;
    double energy() const;  // of motion, spin and height
    size_t sleeping() const;

private:
    bool is_sphere(uint32_t id) const { return id < spheres.size(); }
    void prepare();
    double time_to_contact(double seconds);
    double advance(double seconds);
    void find_contacts(double seconds);
    void add_contact(uint32_t a, uint32_t b, const Vec3d& normal, double gap, const Vec3d& surface);
    void keep_impulses(double seconds);
    void keep_sleeping_loads(double seconds);
    bool at_rest(uint32_t id) const { return !is_sphere(id) || asleep_[id]; }
    void collide(double seconds);
    void share_load(double seconds);
    void move(double seconds);
    void order_upwards(const Vec3d& up);
    void push_apart();
    void apply(const SphereContact& contact, const Vec3d& impulse);
    Vec3d approach(const SphereContact& contact) const;
    void hold_strings();
    void rest(double seconds);
    void wake_touched();

    SphereGrid grid_;
    std::vector<SphereContact> contacts_, last_contacts_;  // by a, then b; so are the loads
    std::vector<SleepingLoad> sleeping_loads_, last_loads_;
    std::vector<Vec3d> before_;          // positions before a small step
    std::vector<double> energy_before_;  // of spheres on strings
    std::vector<double> calm_;           // how long each has been at rest, seconds
    std::vector<uint8_t> asleep_;
    std::vector<int> struck_;    // the last round of collisions that each took part in, from 1
    double last_seconds_ = 0.0;  // of the move before
    std::vector<uint32_t> fast_;
    std::vector<uint32_t> upwards_, layer_first_;  // contacts from the ground up
    std::vector<uint8_t> restless_;
    double largest_radius_ = 0.0, least_radius_ = 0.0;
};

}  // namespace sinew
