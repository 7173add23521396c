#include <sinew/ragdoll/world/ragdoll_world.h>

#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <btBulletDynamicsCommon.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double rest_speed = 0.05, rest_spin = 0.5, rest_seconds = 0.25;
constexpr btScalar limit_erp = 0.8f, pivot_erp = 0.5f;  // share of an error that one step mends
constexpr double least_inertia_radius = 0.04;           // metres: no part turns more easily than a ring of this radius
// A body sleeps when its parts, by mass, and each of them have been slower than this for so long.
constexpr double sleepy_speed = 0.08, sleepy_part_speed = 0.4, sleepy_seconds = 0.4;
constexpr double settling_speed = 0.5, settling_spin = 5.0, settled_damping = 0.998;
constexpr btScalar least_inertia_share = 0.1f;  // of the carrying part's
constexpr double begins_inside = 0.3;           // of the thinner part's radius

btVector3 bt(const Vec3d& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}
btQuaternion bt(const Quatd& q) {
    return {static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()), static_cast<btScalar>(q.z()),
            static_cast<btScalar>(q.w())};
}
Vec3d from_bt(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}
Quatd from_bt(const btQuaternion& q) {
    return Quatd(q.w(), q.x(), q.y(), q.z()).normalized();
}

// The distance between two segments a + s·u and b + t·v, s and t in [−1, 1].
double segment_distance(const Vec3d& a, const Vec3d& u, const Vec3d& b, const Vec3d& v) {
    double s = 0.0, t = 0.0;
    for (int i = 0; i < 20; ++i) {  // alternate projections: good enough to tell what touches
        s = u.squaredNorm() > 0.0 ? std::clamp((b + t * v - a).dot(u) / u.squaredNorm(), -1.0, 1.0) : 0.0;
        t = v.squaredNorm() > 0.0 ? std::clamp((a + s * u - b).dot(v) / v.squaredNorm(), -1.0, 1.0) : 0.0;
    }
    return (a + s * u - b - t * v).norm();
}

struct InWorld {
    RagdollBody body;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> rigid;
    std::vector<std::unique_ptr<btGeneric6DofSpring2Constraint>> joints;  // null for the root
    std::vector<PartState> parts;
    std::vector<double> load;
    std::vector<btScalar> inertia;  // the largest of each part
    double damping = 0.0;
    double quiet = 0.0, sleepy = 0.0;  // seconds
};

// Solvers never quite come to an end: what hardly moves is put to sleep until something that moves touches it. A body
// that something works on (damping 0) stays awake.
void fall_asleep(InWorld& in, double seconds) {
    double energy = 0.0, fastest = 0.0;
    for (size_t i = 0; i < in.parts.size(); ++i) {
        energy += in.body.parts[i].mass / in.body.mass * in.parts[i].velocity.squaredNorm();
        fastest = std::max(fastest, in.parts[i].velocity.norm());
    }
    const bool slow = energy < sleepy_speed * sleepy_speed && fastest < sleepy_part_speed;
    in.sleepy = slow ? in.sleepy + seconds : 0.0;
    for (size_t i = 0; i < in.parts.size(); ++i) {
        if (in.sleepy < sleepy_seconds) {
            in.rigid[i]->forceActivationState(DISABLE_DEACTIVATION);
            continue;
        }
        in.parts[i].velocity = in.parts[i].spin = Vec3d::Zero();
        in.rigid[i]->setLinearVelocity(btVector3(0, 0, 0)), in.rigid[i]->setAngularVelocity(btVector3(0, 0, 0));
        in.rigid[i]->forceActivationState(ISLAND_SLEEPING);
    }
}

void wake(InWorld& in) {
    if (in.sleepy < sleepy_seconds) return;
    in.sleepy = 0.0;
    for (auto& rigid : in.rigid) rigid->forceActivationState(DISABLE_DEACTIVATION);
}

// Nearly at rest, flesh takes up what motion is left.
void settle(InWorld& in) {
    double speed = 0.0;
    for (const PartState& p : in.parts)
        speed = std::max({speed, p.velocity.norm() / settling_speed, p.spin.norm() / settling_spin});
    const double damping = in.damping + (settled_damping - in.damping) * std::max(0.0, 1.0 - speed);
    for (auto& rigid : in.rigid) rigid->setDamping(static_cast<btScalar>(damping), static_cast<btScalar>(damping));
}

}  // namespace

struct RagdollWorld::Bullet {
    RagdollWorldOptions options;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> solid_shapes;
    std::vector<std::unique_ptr<btRigidBody>> solids;
    std::vector<InWorld> bodies;
    double time = 0.0;

    explicit Bullet(const RagdollWorldOptions& o) : options(o) {
        world.setGravity(bt(o.gravity));
        btContactSolverInfo& info = world.getSolverInfo();
        info.m_numIterations = o.iterations;
        info.m_splitImpulse = true;  // what is inside another is moved out without speed
        info.m_splitImpulsePenetrationThreshold = 0.0f;
        world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    }
    ~Bullet() {
        for (InWorld& b : bodies)
            for (auto& joint : b.joints)
                if (joint) world.removeConstraint(joint.get());
        for (InWorld& b : bodies)
            for (auto& rigid : b.rigid) world.removeRigidBody(rigid.get());
        for (auto& solid : solids) world.removeRigidBody(solid.get());
    }

    void add_solid(std::unique_ptr<btCollisionShape> shape, const Vec3d& at, const Quatd& turn, double friction) {
        btRigidBody::btRigidBodyConstructionInfo info(0.0f, nullptr, shape.get());
        info.m_startWorldTransform = btTransform(bt(turn), bt(at));
        info.m_friction = static_cast<btScalar>(friction);
        auto solid = std::make_unique<btRigidBody>(info);
        world.addRigidBody(solid.get());
        solid_shapes.push_back(std::move(shape)), solids.push_back(std::move(solid));
    }

    void add_part(InWorld& in, size_t i, const PartState& start, const RagdollLimpness& limp) {
        const RagdollPart& part = in.body.parts[i];
        auto capsule = std::make_unique<btCapsuleShape>(static_cast<btScalar>(part.radius),
                                                        static_cast<btScalar>(2.0 * part.half));
        capsule->setMargin(static_cast<btScalar>(part.radius));
        btVector3 inertia;
        capsule->calculateLocalInertia(static_cast<btScalar>(part.mass), inertia);
        // A small part on a large one is hard to solve for: none turns much more easily than the one that carries it.
        auto least = static_cast<btScalar>(part.mass * least_inertia_radius * least_inertia_radius);
        if (part.parent >= 0)
            least = std::max(least, least_inertia_share * in.inertia[static_cast<size_t>(part.parent)]);
        inertia.setMax(btVector3(least, least, least));
        in.inertia.push_back(inertia[inertia.maxAxis()]);
        btCollisionShape* shape = capsule.get();
        in.shapes.push_back(std::move(capsule));
        if (!part.balls.empty()) {
            auto ball = std::make_unique<btSphereShape>(static_cast<btScalar>(part.ball_radius));
            auto sole = std::make_unique<btCompoundShape>(false);
            for (const Vec3d& at : part.balls)
                sole->addChildShape(btTransform(btQuaternion::getIdentity(), bt(Vec3d(part.turn.conjugate() * at))),
                                    ball.get());
            shape = sole.get();
            in.shapes.push_back(std::move(ball)), in.shapes.push_back(std::move(sole));
        }
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(part.mass), nullptr, shape, inertia);
        info.m_startWorldTransform = btTransform(bt(Quatd(start.rotation * part.turn)), bt(start.position));
        info.m_friction = static_cast<btScalar>(limp.friction);
        info.m_linearDamping = info.m_angularDamping = static_cast<btScalar>(limp.damping);
        auto rigid = std::make_unique<btRigidBody>(info);
        rigid->setLinearVelocity(bt(start.velocity));
        rigid->setAngularVelocity(bt(start.spin));
        rigid->setActivationState(DISABLE_DEACTIVATION);
        rigid->setUserIndex(static_cast<int>(bodies.size()));
        rigid->setUserIndex2(static_cast<int>(i));
        world.addRigidBody(rigid.get());
        in.rigid.push_back(std::move(rigid));
    }

    // A frame in a part's rigid body, which lies along its capsule.
    static btTransform in_part(const RagdollPart& part, const Quatd& frame, const Vec3d& from_centre) {
        return btTransform(bt(Quatd(part.turn.conjugate() * frame)), bt(Vec3d(part.turn.conjugate() * from_centre)));
    }

    // Bullet reads the angles of a frame A in a frame B as Rx Ry Rz from B to A: the child comes first.
    void add_joint(InWorld& in, size_t i, std::span<const PartState> start, double friction) {
        const RagdollPart& part = in.body.parts[i];
        const auto p = static_cast<size_t>(part.parent);
        const RagdollPart& parent = in.body.parts[p];
        const Vec3d pivot = start[i].position - start[i].rotation * part.centre;
        auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(
            *in.rigid[i], *in.rigid[p], in_part(part, part.frame, -part.centre),
            in_part(parent, part.parent_frame, start[p].rotation.conjugate() * Vec3d(pivot - start[p].position)),
            RO_XYZ);
        joint->setLinearLowerLimit(btVector3(0, 0, 0)), joint->setLinearUpperLimit(btVector3(0, 0, 0));
        joint->setAngularLowerLimit(bt(part.low)), joint->setAngularUpperLimit(bt(part.high));
        for (int k = 0; k < 3; ++k) joint->setParam(BT_CONSTRAINT_STOP_ERP, pivot_erp, k);
        for (int k = 3; k < 6; ++k) {
            joint->setParam(BT_CONSTRAINT_STOP_ERP, limit_erp, k);
            joint->enableMotor(k, friction > 0.0);
            joint->setTargetVelocity(k, 0.0f);
            joint->setMaxMotorForce(k, static_cast<btScalar>(friction));
        }
        world.addConstraint(joint.get(), true);
        in.joints[i] = std::move(joint);
    }

    // Parts that overlap at rest, as thighs do, and those that begin deep inside each other do not collide.
    void add_exceptions(InWorld& in, std::span<const PartState> start) {
        const auto& parts = in.body.parts;
        const std::vector<PartState> rest = parts_of_pose(in.body, {in.body.skeleton.rest(), {}});
        const auto gap = [&](std::span<const PartState> at, size_t i, size_t k) {
            const auto along = [&](size_t p) {
                return Vec3d(at[p].rotation * (parts[p].turn * Vec3d(0, parts[p].half, 0)));
            };
            return segment_distance(at[i].position, along(i), at[k].position, along(k)) - parts[i].radius -
                   parts[k].radius;
        };
        for (size_t i = 0; i < parts.size(); ++i)
            for (size_t k = i + 1; k < parts.size(); ++k) {
                const double deep = -begins_inside * std::min(parts[i].radius, parts[k].radius);
                if (gap(rest, i, k) > 0.0 && gap(start, i, k) > deep) continue;
                in.rigid[i]->setIgnoreCollisionCheck(in.rigid[k].get(), true);
                in.rigid[k]->setIgnoreCollisionCheck(in.rigid[i].get(), true);
            }
    }

    // What hangs on each part, itself included: mass, and how far its middle is from the joint.
    static double carried_torque(const RagdollBody& body, std::span<const PartState> start, size_t part,
                                 const Vec3d& gravity) {
        std::vector<bool> below(body.parts.size(), false);
        const Vec3d pivot = start[part].position - start[part].rotation * body.parts[part].centre;
        double mass = 0.0;
        Vec3d middle = Vec3d::Zero();
        for (size_t i = part; i < body.parts.size(); ++i) {
            below[i] = i == part || (body.parts[i].parent >= 0 && below[static_cast<size_t>(body.parts[i].parent)]);
            if (below[i]) mass += body.parts[i].mass, middle += body.parts[i].mass * start[i].position;
        }
        return gravity.norm() * mass * (middle / mass - pivot).norm();
    }

    void read_back() {
        for (InWorld& in : bodies)
            for (size_t i = 0; i < in.parts.size(); ++i) {
                const btTransform& t = in.rigid[i]->getWorldTransform();
                in.parts[i] = {from_bt(t.getOrigin()),
                               (from_bt(t.getRotation()) * in.body.parts[i].turn.conjugate()).normalized(),
                               from_bt(in.rigid[i]->getLinearVelocity()), from_bt(in.rigid[i]->getAngularVelocity())};
            }
    }

    void read_loads() {
        for (InWorld& in : bodies) std::ranges::fill(in.load, 0.0);
        for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
            double impulse = 0.0;
            for (int c = 0; c < manifold.getNumContacts(); ++c)
                impulse += static_cast<double>(manifold.getContactPoint(c).getAppliedImpulse());
            const int a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
            if (a == b) continue;
            for (const btCollisionObject* object : {manifold.getBody0(), manifold.getBody1()})
                if (object->getUserIndex() >= 0)
                    bodies[static_cast<size_t>(object->getUserIndex())]
                        .load[static_cast<size_t>(object->getUserIndex2())] += impulse / options.step;
        }
    }
};

RagdollWorld::RagdollWorld(const RagdollWorldOptions& options) : bullet_(std::make_unique<Bullet>(options)) {}
RagdollWorld::~RagdollWorld() = default;
RagdollWorld::RagdollWorld(RagdollWorld&&) noexcept = default;

void RagdollWorld::add_plane(const Vec3d& at, const Vec3d& normal, double friction) {
    auto plane = std::make_unique<btStaticPlaneShape>(bt(normal), static_cast<btScalar>(normal.dot(at)));
    bullet_->add_solid(std::move(plane), Vec3d::Zero(), Quatd::Identity(), friction);
}
void RagdollWorld::add_ball(const Vec3d& at, double radius, double friction) {
    bullet_->add_solid(std::make_unique<btSphereShape>(static_cast<btScalar>(radius)), at, Quatd::Identity(), friction);
}
void RagdollWorld::add_capsule(const Vec3d& from, const Vec3d& to, double radius, double friction) {
    bullet_->add_solid(
        std::make_unique<btCapsuleShape>(static_cast<btScalar>(radius), static_cast<btScalar>((to - from).norm())),
        0.5 * (from + to), Quatd::FromTwoVectors(Vec3d::UnitY(), to - from), friction);
}
void RagdollWorld::add_box(const Vec3d& at, const Vec3d& size, double friction) {
    bullet_->add_solid(std::make_unique<btBoxShape>(bt(Vec3d(0.5 * size))), at, Quatd::Identity(), friction);
}

size_t RagdollWorld::add(const RagdollBody& body, std::span<const PartState> start, const RagdollLimpness& limpness) {
    Bullet& b = *bullet_;
    InWorld in;
    in.body = body;
    in.parts.assign(start.begin(), start.end());
    in.load.assign(start.size(), 0.0);
    in.damping = limpness.damping;
    in.joints.resize(start.size());
    for (size_t i = 0; i < start.size(); ++i) b.add_part(in, i, start[i], limpness);
    for (size_t i = 0; i < start.size(); ++i)
        if (body.parts[i].parent >= 0)
            b.add_joint(in, i, start,
                        limpness.joint_friction * Bullet::carried_torque(body, start, i, b.options.gravity));
    b.add_exceptions(in, start);
    b.bodies.push_back(std::move(in));
    return b.bodies.size() - 1;
}

void RagdollWorld::set_limpness(size_t body, const RagdollLimpness& limpness) {
    InWorld& in = bullet_->bodies[body];
    in.damping = limpness.damping;
    for (size_t i = 0; i < in.parts.size(); ++i) {
        in.rigid[i]->setFriction(static_cast<btScalar>(limpness.friction));
        in.rigid[i]->setDamping(static_cast<btScalar>(limpness.damping), static_cast<btScalar>(limpness.damping));
        if (!in.joints[i]) continue;
        const double torque =
            limpness.joint_friction * Bullet::carried_torque(in.body, in.parts, i, bullet_->options.gravity);
        for (int k = 3; k < 6; ++k) {
            in.joints[i]->enableMotor(k, torque > 0.0);
            in.joints[i]->setTargetVelocity(k, 0.0f);
            in.joints[i]->setMaxMotorForce(k, static_cast<btScalar>(torque));
        }
    }
}

void RagdollWorld::step() {
    Bullet& b = *bullet_;
    b.world.stepSimulation(static_cast<btScalar>(b.options.step), 0);
    b.world.clearForces();
    b.time += b.options.step;
    b.read_back();
    b.read_loads();
    for (InWorld& in : b.bodies) {
        const bool quiet = std::ranges::all_of(
            in.parts, [](const PartState& p) { return p.velocity.norm() < rest_speed && p.spin.norm() < rest_spin; });
        in.quiet = quiet ? in.quiet + b.options.step : 0.0;
        if (in.damping > 0.0) settle(in), fall_asleep(in, b.options.step);
    }
}

double RagdollWorld::time() const {
    return bullet_->time;
}
double RagdollWorld::step_seconds() const {
    return bullet_->options.step;
}
size_t RagdollWorld::size() const {
    return bullet_->bodies.size();
}
const RagdollBody& RagdollWorld::body(size_t body) const {
    return bullet_->bodies[body].body;
}
const std::vector<PartState>& RagdollWorld::parts(size_t body) const {
    return bullet_->bodies[body].parts;
}

void RagdollWorld::push(size_t body, size_t part, const Vec3d& force, const Vec3d& at) {
    InWorld& in = bullet_->bodies[body];
    btRigidBody& rigid = *in.rigid[part];
    wake(in);
    rigid.applyForce(bt(force), bt(at) - rigid.getWorldTransform().getOrigin());
}
void RagdollWorld::turn(size_t body, size_t part, const Vec3d& torque) {
    wake(bullet_->bodies[body]);
    bullet_->bodies[body].rigid[part]->applyTorque(bt(torque));
}

void RagdollWorld::drive(size_t body, size_t part, const Vec3d& rates, double torque) {
    InWorld& in = bullet_->bodies[body];
    wake(in);
    if (!in.joints[part]) return;
    for (int k = 0; k < 3; ++k) {
        in.joints[part]->enableMotor(3 + k, true);
        in.joints[part]->setTargetVelocity(3 + k, static_cast<btScalar>(rates[k]));
        in.joints[part]->setMaxMotorForce(3 + k, static_cast<btScalar>(torque));
    }
}

double RagdollWorld::load(size_t body, size_t part) const {
    return bullet_->bodies[body].load[part];
}

Vec3d RagdollWorld::angles(size_t body, size_t part) const {
    const InWorld& in = bullet_->bodies[body];
    const RagdollPart& p = in.body.parts[part];
    if (p.parent < 0) return Vec3d::Zero();
    return joint_angles(p, in.parts[static_cast<size_t>(p.parent)].rotation, in.parts[part].rotation);
}
double RagdollWorld::worst_excess(size_t body) const {
    const InWorld& in = bullet_->bodies[body];
    double worst = 0.0;
    for (size_t i = 0; i < in.parts.size(); ++i) {
        if (in.body.parts[i].parent < 0) continue;
        const Vec3d a = angles(body, i);
        worst = std::max({worst, (a - in.body.parts[i].high).maxCoeff(), (in.body.parts[i].low - a).maxCoeff()});
    }
    return worst;
}
double RagdollWorld::fastest(size_t body) const {
    double fastest = 0.0;
    for (const PartState& p : parts(body)) fastest = std::max(fastest, p.velocity.norm());
    return fastest;
}
bool RagdollWorld::at_rest(size_t body) const {
    return bullet_->bodies[body].quiet >= rest_seconds;
}
double RagdollWorld::ground_below(const Vec3d& at, const Vec3d& up, double otherwise) const {
    constexpr double furthest = 100.0;  // metres
    struct Solids : btCollisionWorld::ClosestRayResultCallback {
        using ClosestRayResultCallback::ClosestRayResultCallback;
        bool needsCollision(btBroadphaseProxy* proxy) const override {
            return static_cast<const btCollisionObject*>(proxy->m_clientObject)->isStaticObject();
        }
    };
    const btVector3 from = bt(at), to = bt(Vec3d(at - furthest * up));
    Solids met(from, to);
    bullet_->world.rayTest(from, to, met);
    return met.hasHit() ? from_bt(met.m_hitPointWorld).dot(up) : otherwise;
}

double RagdollWorld::deepest(size_t body, double floor) const {
    const InWorld& in = bullet_->bodies[body];
    double lowest = INFINITY;
    for (size_t i = 0; i < in.parts.size(); ++i) {
        const RagdollPart& p = in.body.parts[i];
        if (p.balls.empty()) {
            const double end = std::abs((in.parts[i].rotation * (p.turn * Vec3d(0, p.half, 0))).y());
            lowest = std::min(lowest, in.parts[i].position.y() - end - p.radius);
        }
        for (const Vec3d& ball : p.balls)
            lowest = std::min(lowest, (in.parts[i].position + in.parts[i].rotation * ball).y() - p.ball_radius);
    }
    return floor - lowest;
}

}  // namespace sinew
