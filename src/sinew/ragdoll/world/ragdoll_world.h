// RagdollWorld: bodies that fall, collide and are pushed, step by step; Bullet does the work, on one thread.
// Data flow: RagdollBody, where its parts are → *here*, torques of ragdoll/control → where its parts are.
#pragma once

#include <sinew/ragdoll/body/ragdoll_body.h>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

struct RagdollWorldOptions {
    Vec3d gravity = Vec3d(0, -9.81, 0);
    double step = 1.0 / 480.0;  // seconds
    int iterations = 50;        // of the solver
};

struct RagdollLimpness {
    double joint_friction = 0.15;  // torque that a joint resists with, in weights of what it carries times its length
    double friction = 0.7;         // of skin on the ground
    double damping = 0.04;         // of all motion, a second; more of it when it hardly moves. 0: none at all
};

// The same calls give the same bits on every run.
class RagdollWorld {
public:
    explicit RagdollWorld(const RagdollWorldOptions& options = {});
    ~RagdollWorld();
    RagdollWorld(RagdollWorld&&) noexcept;

    // What does not move. A plane is solid below; a box is solid inside, `size` from side to side.
    void add_plane(const Vec3d& at, const Vec3d& normal, double friction = 0.9);
    void add_ball(const Vec3d& at, double radius, double friction = 0.9);
    void add_capsule(const Vec3d& from, const Vec3d& to, double radius, double friction = 0.9);
    void add_box(const Vec3d& at, const Vec3d& size, double friction = 0.9);

    // Returns the body's number. Parts that begin inside each other never collide. The body is copied.
    size_t add(const RagdollBody& body, std::span<const PartState> start, const RagdollLimpness& limpness = {});
    // From now on: a walker that gives up, say.
    void set_limpness(size_t body, const RagdollLimpness& limpness);

    void step();
    double time() const;
    double step_seconds() const;

    size_t size() const;
    const RagdollBody& body(size_t body) const;
    const std::vector<PartState>& parts(size_t body) const;  // after the last step

    // Until the next step. Points are in world space.
    void push(size_t body, size_t part, const Vec3d& force, const Vec3d& at);
    void turn(size_t body, size_t part, const Vec3d& torque);

    // Until driven again or made limp: the joint turns at these rates of its three angles, with up to so much torque.
    // The solver finds the torques, so that no stiffness is too much.
    void drive(size_t body, size_t part, const Vec3d& rates, double torque);

    // What presses on a part from outside of its body in the last step, in newtons, along the contacts' normals.
    double load(size_t body, size_t part) const;
    // The angles of a part's joint, and by how much the worst of them is beyond its limit, in radians.
    Vec3d angles(size_t body, size_t part) const;
    double worst_excess(size_t body) const;
    double fastest(size_t body) const;  // part, in metres per second
    bool at_rest(size_t body) const;    // slower than 5 cm/s and 0.5 rad/s, for a quarter of a second
    // Along `up` from the origin: how high what is solid stands below `at`; `otherwise` where nothing is.
    double ground_below(const Vec3d& at, const Vec3d& up, double otherwise) const;
    // How deep the deepest end of a part is below y = `floor`.
    double deepest(size_t body, double floor = 0.0) const;

private:
    struct Bullet;
    std::unique_ptr<Bullet> bullet_;
};

}  // namespace sinew
