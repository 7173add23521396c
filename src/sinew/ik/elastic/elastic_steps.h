// One step of elastic posing: the energy and the handles around a pose as a quadratic form in the joints' turns.
// Data flow: ReducedEnergy, handles, ElasticState → *here* → elastic_pose.cpp, which solves for the step.
#pragma once

#include <sinew/ik/elastic/reduced_energy.h>

namespace sinew {

// The joints that move something, and all above them, within ElasticJoints: in order, so that parents stand first.
struct JointChain {
    std::vector<int32_t> joints;
    std::vector<int32_t> parent;  // within this chain, or −1
    std::vector<int32_t> place;   // of each term: which of `joints` it hangs on
    size_t common = 0;            // so many, from the first on, carry all terms: they turn the whole alike
};
JointChain chain_above(const ElasticJoints& joints, std::span<const int32_t> terms);

// A handle as a sum over joints, and the springs that pull it.
struct ElasticSpring {
    VertexTerms terms;
    JointChain chain;
    Vec3d target = Vec3d::Zero();
    std::optional<Quatd> rotation;   // of the last joint of the chain: where it shall come
    double stiffness = 0.0;          // energy per square of distance, twice
    double turning_stiffness = 0.0;  // likewise, per square of angle
};
// What turns the last joint of the chain to where it shall be, as a vector in world space; zero without a rotation.
Vec3d spring_turn(const ElasticSpring& spring, std::span<const AffineD> world);
double spring_energy(std::span<const ElasticSpring> springs, std::span<const AffineD> world);

// ½ xᵀ H x + gᵀ x: what a step x (as apply_step has it) adds to the energy, while the skin's rotations follow the
// joints. H's lower half is filled. Gauss–Newton's H is positive semidefinite and right where little is left to gain;
// the exact one is right to second order, and may be indefinite far from the solution. With `none` only g is made,
// which takes a third of the time.
enum class Curvature : uint8_t { none, gauss_newton, exact };
struct ElasticStep {
    Eigen::MatrixXd h;
    Eigen::VectorXd g;
};

// Makes such steps; keeps the memory that this needs.
class ElasticLinearizer {
public:
    ElasticLinearizer(const ElasticJoints& joints, const ReducedEnergy& energy, std::span<const JointChain> chains);
    // `rotations` are those of fit_rotations for these joints.
    void linearize(std::span<const AffineD> world, std::span<const Mat3d> rotations,
                   std::span<const ElasticSpring> springs, Curvature curvature, ElasticStep& step);

private:
    void sum_pairs(std::span<const AffineD> world);
    void add_surface(std::span<const AffineD> world, Curvature curvature, ElasticStep& step);
    void add_cluster(size_t k, std::span<const AffineD> world, const Mat3d& rotation, Curvature curvature,
                     ElasticStep& step);
    void add_spring(const ElasticSpring& spring, std::span<const AffineD> world, Curvature curvature,
                    ElasticStep& step);
    void add_couplings(const JointChain& chain, Eigen::MatrixXd& h) const;
    void add_pull(Curvature curvature, ElasticStep& step) const;

    const ElasticJoints& joints_;
    const ReducedEnergy& energy_;
    std::span<const JointChain> chains_;
    std::vector<Eigen::Index> moves_;     // of a topmost joint: where its move stands among the unknowns
    std::vector<Mat3d> pull_;             // of each joint: Σ y fᵀ over all that it carries, y from it, f the force
    std::vector<Eigen::Matrix4d> pairs_;  // joints × joints: sums over both subtrees
    std::vector<Eigen::Matrix<double, 4, 3>> below_;
    std::vector<Eigen::Vector4d> place_below_;
    std::vector<Mat3d> coupling_;        // of a cluster: how its rotation follows each unknown
    std::vector<Eigen::Index> unknown_;  // and where that unknown stands
};

}  // namespace sinew
