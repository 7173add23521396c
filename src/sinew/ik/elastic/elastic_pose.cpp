#include <sinew/ik/elastic/elastic_pose.h>

#include <sinew/core/check.h>
#include <sinew/ik/elastic/elastic_steps.h>
#include <sinew/skeleton/pose.h>
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// The springs of handles, in the energy's own unit (a share of the surface) per square of the body's size. Posing a
// limb takes some thousandths; so stiff a spring then gives way by some thousandths of the body, which `tighten` makes
// good. Stiffer springs would leave a narrow, winding way to go down.
constexpr double spring_stiffness = 100.0;
// Springs that gave way by less than this share of the body's size are tightened; others are out of reach.
constexpr double tightened_within = 0.02;
constexpr int tightenings = 3;        // at most
constexpr double tight_enough = 0.2;  // of what counts as reached
// A handle that is a radian off pulls as one that is this share of the body's size off its place.
constexpr double radian_of_body = 0.1;
constexpr double largest_turn = 0.6;  // of a joint in one step: the quadratic form is true for small turns
// Levenberg–Marquardt damping, of each unknown's own curvature, and of the largest for unknowns that have none.
constexpr double first_damping = 1e-4, least_damping = 1e-7, most_damping = 1e6;
constexpr double damping_change = 10.0;
constexpr double flat = 1e-9;
// Near the targets a factorised curvature serves some more steps, while they gain about what it promises.
constexpr int most_reuses = 4;
constexpr double kept_promise = 0.5;
constexpr int longest_wait = 7;  // steps of Gauss–Newton's after Newton's have failed again and again

std::vector<AffineD> world_of(const Skeleton& skeleton, std::span<const Transform> pose) {
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), pose, world);
    return world;
}

Result<void> check_input(const Skeleton& skeleton, std::span<const Transform> reference,
                         std::span<const ElasticMesh> meshes, const ElasticOptions& options) {
    if (reference.size() != skeleton.size())
        return fail(ErrorCode::invalid_argument, "the reference pose does not have one transform per joint");
    for (const ElasticMesh& mesh : meshes) {
        if (!mesh.influences || !mesh.skin || mesh.influences->vertex_count() != mesh.positions.size())
            return fail(ErrorCode::invalid_argument, "a mesh has no skin; elastic posing needs skinned meshes");
        for (const int32_t joint : mesh.skin->joints)
            if (joint < 0 || static_cast<size_t>(joint) >= skeleton.size())
                return fail(ErrorCode::invalid_argument, "a skin names a joint that the skeleton does not have");
        for (const uint32_t v : mesh.triangles)
            if (v >= mesh.positions.size())
                return fail(ErrorCode::invalid_argument, "a triangle names a vertex that its mesh does not have");
    }
    for (const int32_t joint : options.locked)
        if (joint < 0 || static_cast<size_t>(joint) >= skeleton.size())
            return fail(ErrorCode::invalid_argument, "a locked joint is not of the skeleton");
    return {};
}

ElasticJoints find_joints(const Skeleton& skeleton, std::span<const ElasticMesh> meshes) {
    std::vector<bool> in_skin(skeleton.size(), false), weighted(skeleton.size(), false);
    for (const ElasticMesh& mesh : meshes) {
        for (const int32_t joint : mesh.skin->joints) in_skin[static_cast<size_t>(joint)] = true;
        for (size_t v = 0; v < mesh.positions.size(); ++v)
            for (const Influence& influence : mesh.influences->of(v))
                weighted[static_cast<size_t>(mesh.skin->joints[influence.joint])] = true;
    }
    return choose_elastic_joints(skeleton, in_skin, weighted);
}

std::vector<JointChain> cluster_chains(const ElasticJoints& joints, const ReducedEnergy& energy) {
    std::vector<JointChain> chains;
    for (const ReducedEnergy::Cluster& cluster : energy.clusters) {
        std::vector<int32_t> terms;
        for (uint32_t t = 0; t < cluster.terms; ++t) terms.push_back(energy.terms[cluster.first_term + t].joint);
        chains.push_back(chain_above(joints, terms));
    }
    return chains;
}

bool is_finite(const ElasticHandle& handle) {
    return handle.target.allFinite() && std::isfinite(handle.weight) && handle.weight >= 0.0 &&
           (!handle.rotation || (handle.rotation->coeffs().allFinite() && handle.rotation->norm() > 0.0));
}

}  // namespace

struct ElasticPoser::Prepared {
    Skeleton skeleton;
    ElasticJoints joints;
    ElasticOptions options;
    ReducedEnergy energy;
    std::vector<JointChain> chains;                  // of the energy's clusters
    std::vector<std::vector<VertexTerms>> vertices;  // of each mesh
    std::vector<Eigen::Index> held;                  // unknowns that stay 0
    double size = 1.0;

    std::optional<ElasticSpring> spring(const ElasticHandle& handle, std::span<const AffineD> world) const;
};

// The handle as a spring on the joints that move it; nothing where no joint does or it makes no sense.
std::optional<ElasticSpring> ElasticPoser::Prepared::spring(const ElasticHandle& handle,
                                                            std::span<const AffineD> world) const {
    ElasticSpring result;
    const auto joint = static_cast<size_t>(handle.joint), mesh = static_cast<size_t>(handle.mesh);
    const auto vertex = static_cast<size_t>(handle.vertex);
    if (!is_finite(handle)) return {};
    if (handle.joint >= 0) {
        if (joint >= skeleton.size() || joints.holder[joint] < 0) return {};
        // Joints below the last one that turns stand as they do now, seen from it.
        const int32_t holder = joints.holder[joint];
        const AffineD& from = world[static_cast<size_t>(joints.joint[static_cast<size_t>(holder)])];
        if (!(std::abs(from.linear().determinant()) > 0.0)) return {};
        const AffineD seen = from.inverse() * world[joint];
        result.terms = {{holder, seen.translation().homogeneous()}};
        if (handle.rotation) {
            const Mat3d holder_axes = from.linear().colwise().normalized(),
                        axes = world[joint].linear().colwise().normalized();
            const Quatd holder_now(holder_axes), now(axes);
            result.rotation = handle.rotation->normalized() * now.normalized().conjugate() * holder_now.normalized();
        }
    } else {
        if (handle.mesh < 0 || mesh >= vertices.size() || handle.vertex < 0 || vertex >= vertices[mesh].size())
            return {};
        result.terms = vertices[mesh][vertex];
        if (result.terms.empty()) return {};
    }
    std::vector<int32_t> movers;
    for (const VertexTerm& t : result.terms) movers.push_back(t.joint);
    result.chain = chain_above(joints, movers);
    result.target = handle.target;
    result.stiffness = spring_stiffness * handle.weight / (size * size);
    if (result.rotation) result.turning_stiffness = spring_stiffness * handle.weight * radian_of_body * radian_of_body;
    return result;
}

namespace {

// Goes down the energy by Newton's steps where that works, and otherwise by Gauss–Newton's, both with damping away from
// the targets: a step is taken when it lowers the energy, and tried again with more damping when not.
class Descent {
public:
    Descent(const ElasticJoints& joints, const ElasticFrame& frame, const ReducedEnergy& energy,
            std::span<const JointChain> chains, std::vector<ElasticSpring> springs, std::span<const Eigen::Index> held,
            double near, ElasticState start)
        : joints_(joints),
          frame_(frame),
          energy_(energy),
          springs_(std::move(springs)),
          held_(held),
          near_(near),
          linearizer_(joints, energy, chains),
          state_(std::move(start)),
          rotations_(energy.clusters.size()),
          tried_rotations_(energy.clusters.size()) {
        for (const ElasticSpring& spring : springs_) targets_.push_back(spring.target);
        to_world(joints_, frame_, state_);
        tried_ = state_;
        value_ = value_of(state_, rotations_);
    }

    // False when no step gains more than this share any more.
    bool step(double tolerance) {
        const double before = value_;
        if (reuses_ > 0) {
            const double promised = promised_gain();
            if (promised <= tolerance * before) return false;
            if (take()) {
                reuses_ = before - value_ < kept_promise * promised ? 0 : reuses_ - 1;
                return true;
            }
        }
        reuses_ = 0;
        if (!newton_step() && !damped_step()) return false;
        return before - value_ > tolerance * before;
    }

    // Moves the springs' ends beyond their targets by as much as they gave way, so that the handles reach them. False
    // where none gave way by more than `enough`.
    bool tighten(double enough) {
        bool tightened = false;
        for (size_t s = 0; s < springs_.size(); ++s) {
            const Vec3d left = targets_[s] - place_of(springs_[s].terms, state_.world);
            if (left.norm() > near_) continue;
            springs_[s].target += left;
            tightened = tightened || left.norm() > enough;
        }
        value_ = value_of(state_, rotations_);
        if (factorised_near_) reuses_ = most_reuses;
        return tightened;
    }

    double error(size_t spring) const {
        return (place_of(springs_[spring].terms, state_.world) - targets_[spring]).norm();
    }
    const ElasticState& state() const { return state_; }

private:
    bool is_near() const {
        for (size_t s = 0; s < springs_.size(); ++s)
            if (error(s) > near_) return false;
        return true;
    }

    // The energy may be no bowl here, far from the targets or near a saddle. Then this is tried again only some steps
    // later.
    bool newton_step() {
        const bool near = is_near();
        if (wait_-- > 0) return false;
        linearize(Curvature::exact);
        if (try_step(near ? 0.0 : damping_)) {
            waited_ = wait_ = 0;
            factorised_near_ = near;
            reuses_ = near ? most_reuses : 0;
            return true;
        }
        factorised_near_ = false;
        wait_ = waited_ = std::min(2 * waited_ + 1, longest_wait);
        return false;
    }

    bool damped_step() {
        factorised_near_ = false;
        linearize(Curvature::gauss_newton);
        for (; damping_ <= most_damping; damping_ *= damping_change) {
            if (!try_step(damping_)) continue;
            damping_ = std::max(damping_ / damping_change, least_damping);
            return true;
        }
        damping_ = first_damping;
        return false;
    }

    void linearize(Curvature curvature) {
        linearizer_.linearize(state_.world, rotations_, springs_, curvature, step_);
        for (const Eigen::Index i : held_) {
            step_.g[i] = 0.0;
            if (curvature == Curvature::none) continue;
            step_.h.row(i).setZero();
            step_.h.col(i).setZero();
        }
    }

    // What a step with the last factorised curvature would gain, if that were still the curvature; the step is in x_.
    double promised_gain() {
        linearize(Curvature::none);
        x_ = -step_.g;
        solver_.solveInPlace(x_);
        if (!x_.allFinite()) return 0.0;
        const double gain = -0.5 * step_.g.dot(x_);
        if (const double turn = longest_turn(); turn > largest_turn) x_ *= largest_turn / turn;
        return gain;
    }

    // Solves for the step and takes it if that lowers the energy.
    bool try_step(double damping) {
        const double largest = step_.h.diagonal().maxCoeff();
        if (!(largest > 0.0)) return false;
        damped_ = step_.h;
        damped_.diagonal() += damping * step_.h.diagonal().cwiseAbs();
        damped_.diagonal().array() += flat * largest;
        solver_.compute(damped_);
        if (solver_.info() != Eigen::Success) return false;
        x_ = -step_.g;
        solver_.solveInPlace(x_);
        if (!x_.allFinite()) return false;
        if (const double turn = longest_turn(); turn > largest_turn) x_ *= largest_turn / turn;
        return take();
    }

    bool take() {
        apply_step(joints_, frame_, state_, {x_.data(), static_cast<size_t>(x_.size())}, tried_);
        const double value = value_of(tried_, tried_rotations_);
        if (!(value < value_)) return false;
        std::swap(state_, tried_);
        std::swap(rotations_, tried_rotations_);
        value_ = value;
        return true;
    }

    double value_of(const ElasticState& state, std::span<Mat3d> rotations) const {
        return fit_rotations(energy_, state.world, rotations) + spring_energy(springs_, state.world);
    }

    double longest_turn() const {
        double most = 0.0;
        for (size_t a = 0; a < joints_.size(); ++a)
            most = std::max(most, x_.segment<3>(static_cast<Eigen::Index>(3 * a)).norm());
        return most;
    }

    const ElasticJoints& joints_;
    const ElasticFrame& frame_;
    const ReducedEnergy& energy_;
    std::vector<ElasticSpring> springs_;
    std::vector<Vec3d> targets_;  // of the springs, before they were tightened
    std::span<const Eigen::Index> held_;
    double near_;
    ElasticLinearizer linearizer_;
    ElasticState state_, tried_;
    std::vector<Mat3d> rotations_, tried_rotations_;
    double value_ = 0.0, damping_ = first_damping;
    bool factorised_near_ = false;  // solver_ holds the exact curvature of a place near the targets
    int reuses_ = 0;                // steps that it may still serve
    int wait_ = 0, waited_ = 0;     // steps until Newton's is tried again, and after the last failure
    ElasticStep step_;
    Eigen::MatrixXd damped_;
    Eigen::VectorXd x_;
    Eigen::LLT<Eigen::MatrixXd> solver_;
};

}  // namespace

ElasticPoser::ElasticPoser(std::unique_ptr<const Prepared> prepared) : prepared_(std::move(prepared)) {}
ElasticPoser::~ElasticPoser() = default;
ElasticPoser::ElasticPoser(ElasticPoser&&) noexcept = default;
ElasticPoser& ElasticPoser::operator=(ElasticPoser&&) noexcept = default;

Result<ElasticPoser> ElasticPoser::create(const Skeleton& skeleton, std::span<const Transform> reference,
                                          std::span<const ElasticMesh> meshes, const ElasticOptions& options) {
    SINEW_TRY_VOID(check_input(skeleton, reference, meshes, options));
    auto made = std::make_unique<Prepared>();
    made->skeleton = skeleton;
    made->options = options;
    made->joints = find_joints(skeleton, meshes);
    if (made->joints.size() == 0)
        return fail(ErrorCode::invalid_argument, "no joint carries skin; bind the character first (sinew bind)");
    const std::vector<AffineD> world = world_of(skeleton, reference);
    std::vector<AffineD> elastic_world;
    for (const int32_t j : made->joints.joint) elastic_world.push_back(world[static_cast<size_t>(j)]);

    Box box;
    for (const ElasticMesh& mesh : meshes) {
        auto& terms = made->vertices.emplace_back();
        for (size_t v = 0; v < mesh.positions.size(); ++v) {
            terms.push_back(vertex_terms(made->joints, mesh, v));
            if (terms.back().empty()) continue;
            box.add(place_of(terms.back(), elastic_world).cast<float>());
        }
    }
    if (box.diagonal() > 0.0f) made->size = static_cast<double>(box.diagonal());
    made->energy = reduce_energy(made->joints, elastic_world, meshes, made->vertices, options.rotations_per_blend);
    made->chains = cluster_chains(made->joints, made->energy);

    Eigen::Index next = static_cast<Eigen::Index>(3 * made->joints.size());
    for (size_t a = 0; a < made->joints.size(); ++a) {
        const bool locked =
            std::find(options.locked.begin(), options.locked.end(), made->joints.joint[a]) != options.locked.end();
        const auto turn = static_cast<Eigen::Index>(3 * a);
        if (locked) made->held.insert(made->held.end(), {turn, turn + 1, turn + 2});
        if (made->joints.parent[a] >= 0) continue;
        if (!options.move_root) made->held.insert(made->held.end(), {next, next + 1, next + 2});
        next += 3;
    }
    return ElasticPoser(std::move(made));
}

ElasticResult ElasticPoser::solve(std::span<const ElasticHandle> handles, std::span<Transform> pose) const {
    const Prepared& p = *prepared_;
    SINEW_CHECK(pose.size() == p.skeleton.size());
    const std::vector<AffineD> world = world_of(p.skeleton, pose);
    std::vector<ElasticSpring> springs;
    std::vector<size_t> handle_of;
    for (size_t h = 0; h < handles.size(); ++h)
        if (auto spring = p.spring(handles[h], world)) {
            springs.push_back(*std::move(spring));
            handle_of.push_back(h);
        }
    const ElasticFrame frame = take_frame(p.joints, p.skeleton, pose, world);
    Descent descent(p.joints, frame, p.energy, p.chains, std::move(springs), p.held, tightened_within * p.size,
                    take_state(p.joints, pose));
    ElasticResult result;
    for (int round = 0; round <= tightenings; ++round) {
        if (round > 0 && !descent.tighten(tight_enough * p.options.reached_within * p.size)) break;
        while (result.iterations < p.options.iterations && descent.step(p.options.tolerance)) ++result.iterations;
    }
    put_state(p.joints, descent.state(), pose);
    std::vector<Mat3d> rotations(p.energy.clusters.size());
    result.energy = fit_rotations(p.energy, descent.state().world, rotations);
    result.errors.assign(handles.size(), std::numeric_limits<double>::infinity());
    for (size_t s = 0; s < handle_of.size(); ++s) result.errors[handle_of[s]] = descent.error(s);
    result.reached = std::all_of(result.errors.begin(), result.errors.end(),
                                 [&](double error) { return error <= p.options.reached_within * p.size; });
    return result;
}

double ElasticPoser::energy(std::span<const Transform> pose) const {
    const Prepared& p = *prepared_;
    SINEW_CHECK(pose.size() == p.skeleton.size());
    const ElasticFrame frame = take_frame(p.joints, p.skeleton, pose, world_of(p.skeleton, pose));
    ElasticState state = take_state(p.joints, pose);
    to_world(p.joints, frame, state);
    std::vector<Mat3d> rotations(p.energy.clusters.size());
    return fit_rotations(p.energy, state.world, rotations);
}

size_t ElasticPoser::rotation_count() const {
    return prepared_->energy.clusters.size();
}
size_t ElasticPoser::joint_count() const {
    return prepared_->joints.size();
}
double ElasticPoser::body_size() const {
    return prepared_->size;
}

}  // namespace sinew
