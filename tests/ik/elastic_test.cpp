#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/ik/elastic/elastic_pose.h>
#include <sinew/ik/elastic/elastic_steps.h>
#include <sinew/skeleton/pose.h>
#include <Eigen/SVD>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

constexpr int rings = 25, sides = 10, bones = 4;
constexpr double tube_length = 2.0, tube_radius = 0.15;

// A tube along +X with five joints, the skin of each fading into the next one's over half a bone; and a leaf without
// skin at its end.
struct Tube {
    Skeleton skeleton;
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    Influences influences;
    Skin skin;

    ElasticMesh mesh() const { return {positions, triangles, &influences, &skin}; }
    ElasticPoser poser(const ElasticOptions& options = {}) const {
        const ElasticMesh one = mesh();
        auto made = ElasticPoser::create(skeleton, skeleton.rest(), {&one, 1}, options);
        REQUIRE(made.has_value());
        return *std::move(made);
    }
    std::vector<AffineD> world(std::span<const Transform> pose) const {
        std::vector<AffineD> result(skeleton.size());
        local_to_world(skeleton.parents(), pose, result);
        return result;
    }
};

Tube make_tube() {
    Tube tube;
    std::vector<Transform> rest(bones + 2);
    for (size_t j = 1; j < rest.size(); ++j) rest[j].translation = Vec3(float(tube_length / bones), 0, 0);
    tube.skeleton = *Skeleton::create({"a", "b", "c", "d", "e", "leaf"}, {-1, 0, 1, 2, 3, 4}, rest);
    const auto world = rest_world(tube.skeleton);
    for (int32_t j = 0; j < bones + 1; ++j) {
        tube.skin.joints.push_back(j);
        tube.skin.inverse_bind.push_back(world[size_t(j)].inverse().cast<float>());
    }
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (int r = 0; r < rings; ++r) {
        const double x = tube_length * r / (rings - 1), at = x / (tube_length / bones);
        const int bone = std::min(int(at), bones - 1);
        const double next = std::clamp((at - bone - 0.75) * 2 + 0.5, 0.0, 1.0);
        for (int s = 0; s < sides; ++s) {
            const double angle = 2 * M_PI * s / sides;
            tube.positions.push_back(
                Vec3d(x, tube_radius * std::cos(angle), tube_radius * std::sin(angle)).cast<float>());
            raw.push_back({uint32_t(bone), float(1 - next)});
            raw.push_back({uint32_t(bone + 1), float(next)});
            first.push_back(uint32_t(raw.size()));
        }
    }
    for (uint32_t r = 0; r + 1 < rings; ++r)
        for (uint32_t s = 0; s < sides; ++s) {
            const uint32_t a = r * sides + s, b = r * sides + (s + 1) % sides, c = a + sides, d = b + sides;
            for (const uint32_t v : {a, c, b, b, c, d}) tube.triangles.push_back(v);
        }
    tube.influences = *Influences::create(first, raw, tube.skin.joints.size());
    return tube;
}

// Linear blend skinning, by its definition.
std::vector<Vec3d> skinned(const Tube& tube, std::span<const Transform> pose) {
    const auto world = tube.world(pose);
    std::vector<Vec3d> out;
    for (size_t v = 0; v < tube.positions.size(); ++v) {
        Vec3d sum = Vec3d::Zero();
        for (const Influence& i : tube.influences.of(v))
            sum += double(i.weight) *
                   (world[size_t(tube.skin.joints[i.joint])] *
                    (tube.skin.inverse_bind[i.joint].cast<double>() * tube.positions[v].cast<double>()));
        out.push_back(sum);
    }
    return out;
}

// The slow twin of the energy: each vertex has its own rotation, by singular values; edges one by one.
double dense_energy(const Tube& tube, std::span<const Transform> pose) {
    const std::vector<Vec3d> before = skinned(tube, tube.skeleton.rest()), after = skinned(tube, pose);
    struct Edge {
        Vec3d from, to;
        double c;
    };
    std::vector<std::vector<Edge>> edges(before.size());
    double whole = 0;
    for (size_t t = 0; t < tube.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t i = tube.triangles[t + k], j = tube.triangles[t + (k + 1) % 3],
                           o = tube.triangles[t + (k + 2) % 3];
            const Vec3d u = before[i] - before[o], v = before[j] - before[o];
            const Edge edge{before[j] - before[i], after[j] - after[i], 0.5 * u.dot(v) / u.cross(v).norm()};
            for (const uint32_t corner : {i, j, o}) {
                edges[corner].push_back(edge);
                whole += edge.c * edge.from.squaredNorm();
            }
        }
    double energy = 0;
    for (const auto& around : edges) {
        Mat3d s = Mat3d::Zero();
        for (const Edge& e : around) s += e.c * e.to * e.from.transpose();
        const Eigen::JacobiSVD<Mat3d> svd(s, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Mat3d flip = Mat3d::Identity();
        flip(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant();
        const Mat3d rotation = svd.matrixU() * flip * svd.matrixV().transpose();
        for (const Edge& e : around) energy += 0.5 * e.c * (e.to - rotation * e.from).squaredNorm();
    }
    return energy / whole;
}

Quatd random_rotation(Random& random, double angle) {
    const Vec3d axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    return Quatd(Eigen::AngleAxisd(random.uniform(-angle, angle), axis.normalized()));
}

std::vector<Transform> random_pose(const Tube& tube, Random& random, double angle) {
    std::vector<Transform> pose = tube.skeleton.rest();
    for (Transform& t : pose) t.rotation = random_rotation(random, angle).cast<float>();
    return pose;
}

double turned(const Transform& a, const Transform& b) {
    return double(a.rotation.angularDistance(b.rotation));
}

// What holds for every result: only rotations and the root's place changed, and all of it is finite.
void check_legal(const Tube& tube, const std::vector<Transform>& pose) {
    const auto world = tube.world(pose);
    for (size_t j = 0; j < pose.size(); ++j) {
        CHECK(world[j].matrix().allFinite());
        CHECK(std::abs(double(pose[j].rotation.norm()) - 1) < 1e-5);
        CHECK(pose[j].scale == tube.skeleton.rest()[j].scale);
        if (j == 0) continue;
        CHECK(pose[j].translation == tube.skeleton.rest()[j].translation);
        CHECK(std::abs((world[j].translation() - world[j - 1].translation()).norm() - tube_length / bones) < 1e-6);
    }
}

// The slow twin of the solve: quasi-Newton on the dense energy and stiff springs, by differences, over the same
// unknowns.
class SlowSolve {
public:
    SlowSolve(const Tube& tube, std::vector<ElasticHandle> handles) : tube_(tube), handles_(std::move(handles)) {}

    double minimise(std::vector<Transform> start) {
        start_ = std::move(start);
        Eigen::VectorXd x = Eigen::VectorXd::Zero(unknowns), g = gradient(x);
        Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(unknowns, unknowns) * 1e-2;
        double value = objective(x);
        for (int round = 0; round < 150; ++round) {
            Eigen::VectorXd step = -inverse * g;
            if (step.dot(g) >= 0) step = -1e-2 * g, inverse.setIdentity(), inverse *= 1e-2;
            double length = 1.0, next = objective(x + step);
            while (next > value + 1e-4 * length * step.dot(g) && length > 1e-8)
                next = objective(x + (length *= 0.5) * step);
            if (value - next < 1e-9 * value) break;
            const Eigen::VectorXd s = length * step, old = g;
            x += s, value = next, g = gradient(x);
            const Eigen::VectorXd y = g - old;
            const double rho = s.dot(y);
            if (rho <= 1e-14) continue;
            const Eigen::MatrixXd a = Eigen::MatrixXd::Identity(unknowns, unknowns) - s * y.transpose() / rho;
            inverse = a * inverse * a.transpose() + s * s.transpose() / rho;
        }
        return dense_energy(tube_, posed(x));
    }

private:
    static constexpr int unknowns = 3 * (bones + 1) + 3;
    std::vector<Transform> posed(const Eigen::VectorXd& x) const {
        std::vector<Transform> pose = start_;
        for (int j = 0; j < bones + 1; ++j) {
            const Vec3d turn = x.segment<3>(3 * j);
            if (turn.norm() > 0)
                pose[size_t(j)].rotation =
                    (pose[size_t(j)].rotation.cast<double>() * Quatd(Eigen::AngleAxisd(turn.norm(), turn.normalized())))
                        .cast<float>();
        }
        pose[0].translation += x.tail<3>().cast<float>();
        return pose;
    }
    double objective(const Eigen::VectorXd& x) const {
        const auto pose = posed(x);
        const auto world = tube_.world(pose);
        const auto places = skinned(tube_, pose);
        double sum = dense_energy(tube_, pose);
        for (const ElasticHandle& h : handles_) {
            const Vec3d at = h.joint >= 0 ? Vec3d(world[size_t(h.joint)].translation()) : places[size_t(h.vertex)];
            sum += 50.0 * (at - h.target).squaredNorm();
            if (h.rotation)
                sum += 5.0 * std::pow(Quatd(world[size_t(h.joint)].linear()).angularDistance(*h.rotation), 2);
        }
        return sum;
    }
    Eigen::VectorXd gradient(const Eigen::VectorXd& x) const {
        constexpr double h = 1e-3;  // poses are floats
        Eigen::VectorXd g(unknowns);
        for (int i = 0; i < unknowns; ++i) {
            Eigen::VectorXd up = x, down = x;
            up[i] += h, down[i] -= h;
            g[i] = (objective(up) - objective(down)) / (2 * h);
        }
        return g;
    }
    const Tube& tube_;
    std::vector<ElasticHandle> handles_;
    std::vector<Transform> start_;
};

}  // namespace

TEST_CASE("elastic posing: the energy with one rotation per vertex is that of its definition") {
    const Tube tube = make_tube();
    const ElasticPoser poser = tube.poser({.rotations_per_blend = 0});
    Random random(1);
    CHECK(poser.energy(tube.skeleton.rest()) < 1e-12);
    for (int i = 0; i < 10; ++i) {
        const auto pose = random_pose(tube, random, 1.5);
        const double expected = dense_energy(tube, pose);
        CHECK(expected > 1e-3);
        CHECK(std::abs(poser.energy(pose) - expected) < 1e-6 * expected + 1e-9);
    }
}

TEST_CASE("elastic posing: few rotations cost at least as much as many, and not much more") {
    const Tube tube = make_tube();
    const ElasticPoser few = tube.poser(), many = tube.poser({.rotations_per_blend = 0});
    CHECK(few.rotation_count() < many.rotation_count() / 10);
    Random random(2);
    for (int i = 0; i < 10; ++i) {
        const auto pose = random_pose(tube, random, 0.5);
        CHECK(few.energy(pose) >= many.energy(pose));
        CHECK(few.energy(pose) < 1.5 * many.energy(pose));
    }
}

TEST_CASE("elastic posing: dragging nothing gives the reference pose, from any start") {
    const Tube tube = make_tube();
    const ElasticPoser poser = tube.poser({.iterations = 100, .tolerance = 1e-9});
    std::vector<Transform> pose = tube.skeleton.rest();
    CHECK(poser.solve({}, pose).reached);
    CHECK(pose == tube.skeleton.rest());
    // Handles that are where they shall be change nothing either.
    const ElasticHandle stay[] = {{.joint = 4, .target = {tube_length, 0, 0}},
                                  {.vertex = 3, .target = tube.positions[3].cast<double>()}};
    poser.solve(stay, pose);
    for (size_t j = 0; j < pose.size(); ++j) CHECK(turned(pose[j], tube.skeleton.rest()[j]) < 1e-4);

    Random random(3);
    pose = random_pose(tube, random, 0.8);
    pose[0].rotation.setIdentity();
    poser.solve({}, pose);
    for (size_t j = 1; j < bones + 1; ++j) CHECK(turned(pose[j], tube.skeleton.rest()[j]) < 0.01);
}

TEST_CASE("elastic posing: handles that move rigidly move everything rigidly") {
    const Tube tube = make_tube();
    const ElasticPoser poser = tube.poser({.iterations = 100, .tolerance = 1e-9});
    Random random(4);
    for (int i = 0; i < 8; ++i) {
        AffineD motion = AffineD::Identity();
        motion.linear() = random_rotation(random, 2.5).toRotationMatrix();
        motion.translation() = Vec3d(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
        std::vector<ElasticHandle> handles;
        for (const int32_t v : {0, 5, 118, 244, 249})
            handles.push_back({.vertex = v, .target = motion * tube.positions[size_t(v)].cast<double>()});
        std::vector<Transform> pose = tube.skeleton.rest();
        const ElasticResult result = poser.solve(handles, pose);
        CHECK(result.reached);
        CHECK(result.energy < 1e-6);
        check_legal(tube, pose);
        const auto places = skinned(tube, pose);
        for (size_t v = 0; v < places.size(); ++v)
            CHECK((places[v] - motion * tube.positions[v].cast<double>()).norm() < 5e-3);
    }
}

TEST_CASE("elastic posing: within 5 % of the energy of a slow solve that knows no shortcut") {
    const Tube tube = make_tube();
    const ElasticPoser poser = tube.poser();
    const ElasticHandle root{.joint = 0, .rotation = Quatd::Identity()};
    const std::vector<std::vector<ElasticHandle>> cases = {
        {root, {.joint = 4, .target = {1.3, 0.9, 0.2}}},
        {root, {.joint = 5, .target = {1.9, -1.0, 0.6}}},
        {root, {.joint = 4, .target = {1.6, 0.3, -0.8}}, {.joint = 2, .target = {0.85, 0.35, -0.2}}},
        {root, {.vertex = 243, .target = {1.4, 0.8, 0.5}}},
    };
    for (const auto& handles : cases) {
        std::vector<Transform> pose = tube.skeleton.rest();
        const ElasticResult result = poser.solve(handles, pose);
        INFO("drag ", &handles - cases.data(), ": errors ", result.errors.front(), ", ", result.errors.back());
        CHECK(result.reached);
        check_legal(tube, pose);
        const double energy = dense_energy(tube, pose);
        SlowSolve slow(tube, handles);
        const double best = std::min(slow.minimise(tube.skeleton.rest()), slow.minimise(pose));
        INFO("energy ", energy, ", slow ", best);
        CHECK(best > 1e-5);
        CHECK(energy < 1.05 * best);
    }
}

// The gradient is compared with differences of the energy itself, along every unknown.
TEST_CASE("elastic posing: a step's gradient, with its curvature and alone, is how the energy changes") {
    const Tube tube = make_tube();
    const ElasticMesh mesh = tube.mesh();
    const std::vector<bool> carries = {true, true, true, true, true, false};
    const ElasticJoints joints = choose_elastic_joints(tube.skeleton, carries, carries);
    std::vector<std::vector<VertexTerms>> vertices(1);
    for (size_t v = 0; v < tube.positions.size(); ++v) vertices[0].push_back(vertex_terms(joints, mesh, v));
    std::vector<AffineD> rest = tube.world(tube.skeleton.rest());
    rest.resize(joints.size());
    const ReducedEnergy energy = reduce_energy(joints, rest, {&mesh, 1}, vertices, 3);
    std::vector<JointChain> chains;
    for (const auto& cluster : energy.clusters) {
        std::vector<int32_t> terms;
        for (uint32_t t = 0; t < cluster.terms; ++t) terms.push_back(energy.terms[cluster.first_term + t].joint);
        chains.push_back(chain_above(joints, terms));
    }
    ElasticSpring spring;
    spring.terms = vertices[0][243];
    std::vector<int32_t> movers;
    for (const VertexTerm& term : spring.terms) movers.push_back(term.joint);
    spring.chain = chain_above(joints, movers);
    spring.target = {1.4, 0.8, 0.5};
    spring.stiffness = 3.0;

    Random random(6);
    const std::vector<Transform> pose = random_pose(tube, random, 0.6);
    const ElasticFrame frame = take_frame(joints, tube.skeleton, pose, tube.world(pose));
    ElasticState state = take_state(joints, pose);
    to_world(joints, frame, state);
    std::vector<Mat3d> rotations(energy.clusters.size()), others = rotations;
    fit_rotations(energy, state.world, rotations);
    ElasticLinearizer linearizer(joints, energy, chains);
    ElasticStep whole, alone;
    linearizer.linearize(state.world, rotations, {&spring, 1}, Curvature::exact, whole);
    linearizer.linearize(state.world, rotations, {&spring, 1}, Curvature::none, alone);
    const auto value = [&](Eigen::Index i, double by) {
        Eigen::VectorXd x = Eigen::VectorXd::Zero(whole.g.size());
        x[i] = by;
        ElasticState moved = state;
        apply_step(joints, frame, state, {x.data(), static_cast<size_t>(x.size())}, moved);
        return fit_rotations(energy, moved.world, others) + spring_energy({&spring, 1}, moved.world);
    };
    REQUIRE(alone.g.size() == whole.g.size());
    for (Eigen::Index i = 0; i < whole.g.size(); ++i) {
        constexpr double h = 1e-5;
        const double slope = (value(i, h) - value(i, -h)) / (2 * h);
        INFO("unknown ", i);
        CHECK(std::abs(whole.g[i] - slope) < 1e-6 * whole.g.norm());
        CHECK(std::abs(alone.g[i] - whole.g[i]) < 1e-12 * whole.g.norm());
    }
}

TEST_CASE("elastic posing: a joint that is locked keeps its rotation, and a root that may not move stays") {
    const Tube tube = make_tube();
    const ElasticPoser poser = tube.poser({.move_root = false, .locked = {2}});
    std::vector<Transform> pose = tube.skeleton.rest();
    const ElasticHandle drag[] = {{.joint = 4, .target = {1.2, 1.0, 0.0}}};
    CHECK(poser.solve(drag, pose).reached);
    CHECK(turned(pose[2], tube.skeleton.rest()[2]) < 1e-6);
    CHECK(turned(pose[1], tube.skeleton.rest()[1]) > 0.05);
    CHECK(pose[0].translation == tube.skeleton.rest()[0].translation);
}

TEST_CASE("elastic posing: far, contradicting and senseless handles leave a legal pose") {
    const Tube tube = make_tube();
    const ElasticPoser poser = tube.poser();
    Random random(5);
    for (int i = 0; i < 20; ++i) {
        std::vector<ElasticHandle> handles;
        for (int k = 0; k < 4; ++k) {
            const double far = k == 0 ? 1e6 : 3.0;
            handles.push_back(
                {.joint = k % 2 ? int32_t(random.below(6)) : -1,
                 .vertex = int32_t(random.below(250)),
                 .target = far * Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)),
                 .weight = random.uniform(0, 2)});
        }
        std::vector<Transform> pose = random_pose(tube, random, 3.0);
        const ElasticResult result = poser.solve(handles, pose);
        check_legal(tube, pose);
        CHECK(!result.reached);
        for (const double error : result.errors) CHECK(std::isfinite(error));
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const ElasticHandle bad[] = {
        {.joint = 99}, {.vertex = 100000}, {.vertex = 0, .mesh = 7}, {.joint = 1, .target = {nan, 0, 0}}, {}};
    std::vector<Transform> pose = tube.skeleton.rest();
    const ElasticResult result = poser.solve(bad, pose);
    CHECK(pose == tube.skeleton.rest());
    for (const double error : result.errors) CHECK(std::isinf(error));
}

TEST_CASE("elastic posing: mirrored and scaled parents, and a turned body, give the same bend") {
    const Tube tube = make_tube();
    const ElasticHandle root{.joint = 0, .rotation = Quatd::Identity()};
    std::vector<Transform> plain = tube.skeleton.rest();
    const ElasticHandle drag[] = {root, {.joint = 4, .target = {1.3, 0.9, 0.2}}};
    tube.poser().solve(drag, plain);

    // The same tube below a joint that mirrors x, scales by 0.01 and moves; the skin is bound in the old place.
    Tube other = make_tube();
    std::vector<Transform> rest = other.skeleton.rest();
    std::vector<std::string> names = {"above"};
    std::vector<int32_t> parents = {-1};
    Transform above;
    above.scale = Vec3(-0.01f, 0.01f, 0.01f);
    above.translation = Vec3(1, 2, 3);
    std::vector<Transform> all = {above};
    for (size_t j = 0; j < rest.size(); ++j) {
        names.push_back(other.skeleton.names()[j]), parents.push_back(int32_t(j)), all.push_back(rest[j]);
        all.back().translation *= 100.0f;
    }
    other.skeleton = *Skeleton::create(names, parents, all);
    for (int32_t& j : other.skin.joints) ++j;
    for (Affine& m : other.skin.inverse_bind) m = Eigen::Scaling(100.0f) * m;
    const auto seen = [](const Vec3d& p) { return Vec3d(1 - p.x(), 2 + p.y(), 3 + p.z()); };
    const AffineD start = other.world(all)[1];
    const Mat3d axes = start.linear().colwise().normalized();
    std::vector<Transform> pose = all;
    const ElasticHandle mirrored[] = {{.joint = 1, .target = seen({0, 0, 0})},
                                      {.joint = 2, .target = seen(tube.world(plain)[1].translation())},
                                      {.joint = 5, .target = seen({1.3, 0.9, 0.2})}};
    CHECK(axes.determinant() < 0);
    const ElasticResult result = other.poser().solve(mirrored, pose);
    CHECK(result.reached);
    const auto a = tube.world(plain), b = other.world(pose);
    for (size_t j = 0; j < plain.size(); ++j) CHECK((seen(a[j].translation()) - b[j + 1].translation()).norm() < 0.02);
}

TEST_CASE("elastic posing: what makes no sense is refused") {
    const Tube tube = make_tube();
    ElasticMesh mesh = tube.mesh();
    CHECK(!ElasticPoser::create(tube.skeleton, std::span(tube.skeleton.rest()).first(2), {&mesh, 1}));
    CHECK(!ElasticPoser::create(tube.skeleton, tube.skeleton.rest(), {}));
    CHECK(!ElasticPoser::create(tube.skeleton, tube.skeleton.rest(), {&mesh, 1}, {.locked = {77}}));
    mesh.influences = nullptr;
    CHECK(!ElasticPoser::create(tube.skeleton, tube.skeleton.rest(), {&mesh, 1}));
    mesh = tube.mesh();
    const std::vector<uint32_t> wrong = {0, 1, 5000};
    mesh.triangles = wrong;
    CHECK(!ElasticPoser::create(tube.skeleton, tube.skeleton.rest(), {&mesh, 1}));
}
