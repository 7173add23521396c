#include <sinew/ik/elastic/elastic_steps.h>

#include <Eigen/Cholesky>
#include <algorithm>

namespace sinew {
namespace {

using Mat34 = Eigen::Matrix<double, 3, 4>;

// What a cluster resists turning with at least, of its spread: a line of edges does not know its own twist.
constexpr double least_inertia = 1e-9;

Mat3d cross_matrix(const Vec3d& v) {
    return (Mat3d() << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0).finished();
}

// Σ u × v of Σ u vᵀ.
Vec3d cross_sum(const Mat3d& uv) {
    return {uv(1, 2) - uv(2, 1), uv(2, 0) - uv(0, 2), uv(0, 1) - uv(1, 0)};
}

// (e × u)·(f × v) = eᵀ (u·v I − v uᵀ) f: the matrix in the middle, from Σ u vᵀ.
Mat3d turn_product(const Mat3d& uv) {
    return uv.trace() * Mat3d::Identity() - uv.transpose();
}

// Takes homogeneous sums to sums of what lies around a joint.
Mat34 around(const AffineD& joint) {
    Mat34 p = Mat34::Identity();
    p.col(3) = -joint.translation();
    return p;
}

// A joint's matrix with a last row of (0 0 0 1).
Eigen::Matrix4d whole(const AffineD& joint) {
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.topRows<3>() = joint.matrix();
    return m;
}

// What a cluster resists turning with, inverted: H of what it couples is H⁻¹ = half · halfᵀ.
Mat3d half_inverse(const Mat3d& spread) {
    const Mat3d even = 0.5 * (spread + spread.transpose());
    const Mat3d inertia = turn_product(even) + least_inertia * even.trace() * Mat3d::Identity();
    const Eigen::LLT<Mat3d> root(inertia);
    if (root.info() != Eigen::Success) return Mat3d::Zero();  // turned inside out: it stays as it is for this step
    const Mat3d lower = root.matrixL();
    return lower.inverse().transpose();
}

}  // namespace

JointChain chain_above(const ElasticJoints& joints, std::span<const int32_t> terms) {
    JointChain chain;
    for (int32_t j : terms)
        for (; j >= 0; j = joints.parent[static_cast<size_t>(j)]) chain.joints.push_back(j);
    std::sort(chain.joints.begin(), chain.joints.end());
    chain.joints.erase(std::unique(chain.joints.begin(), chain.joints.end()), chain.joints.end());
    const auto find = [&](int32_t j) {
        return static_cast<int32_t>(std::lower_bound(chain.joints.begin(), chain.joints.end(), j) -
                                    chain.joints.begin());
    };
    for (const int32_t j : chain.joints) {
        const int32_t parent = joints.parent[static_cast<size_t>(j)];
        chain.parent.push_back(parent < 0 ? -1 : find(parent));
    }
    for (const int32_t j : terms) chain.place.push_back(find(j));
    std::vector<size_t> carried(chain.joints.size(), 0);
    for (const int32_t place : chain.place) ++carried[static_cast<size_t>(place)];
    for (size_t c = carried.size(); c-- > 0;)
        if (chain.parent[c] >= 0) carried[static_cast<size_t>(chain.parent[c])] += carried[c];
    while (chain.common < carried.size() && carried[chain.common] == terms.size()) ++chain.common;
    return chain;
}

Vec3d spring_turn(const ElasticSpring& spring, std::span<const AffineD> world) {
    if (!spring.rotation) return Vec3d::Zero();
    const Mat3d now = world[static_cast<size_t>(spring.chain.joints.back())].linear().colwise().normalized();
    const Eigen::AngleAxisd turn(Quatd(*spring.rotation * Quatd(now).normalized().conjugate()).normalized());
    return turn.angle() * turn.axis();
}

double spring_energy(std::span<const ElasticSpring> springs, std::span<const AffineD> world) {
    double sum = 0.0;
    for (const ElasticSpring& s : springs)
        sum += 0.5 * s.stiffness * (place_of(s.terms, world) - s.target).squaredNorm() +
               0.5 * s.turning_stiffness * spring_turn(s, world).squaredNorm();
    return sum;
}

ElasticLinearizer::ElasticLinearizer(const ElasticJoints& joints, const ReducedEnergy& energy,
                                     std::span<const JointChain> chains)
    : joints_(joints), energy_(energy), chains_(chains), pairs_(joints.size() * joints.size()) {
    auto next = static_cast<Eigen::Index>(3 * joints.size());
    for (const int32_t parent : joints.parent) {
        moves_.push_back(parent < 0 ? next : -1);
        if (parent < 0) next += 3;
    }
}

void ElasticLinearizer::linearize(std::span<const AffineD> world, std::span<const Mat3d> rotations,
                                  std::span<const ElasticSpring> springs, Curvature curvature, ElasticStep& step) {
    const size_t tops = static_cast<size_t>(std::count(joints_.parent.begin(), joints_.parent.end(), -1));
    const auto unknowns = static_cast<Eigen::Index>(3 * (joints_.size() + tops));
    if (curvature != Curvature::none) step.h.setZero(unknowns, unknowns);
    step.g.setZero(unknowns);
    pull_.assign(joints_.size(), Mat3d::Zero());
    sum_pairs(world);
    add_surface(world, curvature, step);
    for (size_t k = 0; k < energy_.clusters.size(); ++k) add_cluster(k, world, rotations[k], curvature, step);
    for (const ElasticSpring& spring : springs) add_spring(spring, world, curvature, step);
    add_pull(curvature, step);
}

// pairs_[a, b] = Σ c q qᵀ in world space, over the joints below a and those below b.
void ElasticLinearizer::sum_pairs(std::span<const AffineD> world) {
    const size_t n = joints_.size();
    std::fill(pairs_.begin(), pairs_.end(), Eigen::Matrix4d::Zero());
    for (const ReducedEnergy::Pair& pair : energy_.pairs) {
        const auto i = static_cast<size_t>(pair.i), j = static_cast<size_t>(pair.j);
        const Eigen::Matrix4d sum = whole(world[i]) * pair.sum * whole(world[j]).transpose();
        pairs_[i * n + j] += sum;
        if (i != j) pairs_[j * n + i] += sum.transpose();
    }
    for (size_t a = n; a-- > 0;) {
        if (joints_.parent[a] < 0) continue;
        const auto p = static_cast<size_t>(joints_.parent[a]);
        for (size_t b = 0; b < n; ++b) pairs_[p * n + b] += pairs_[a * n + b];
    }
    for (size_t a = 0; a < n; ++a)
        for (size_t b = n; b-- > 0;)
            if (joints_.parent[b] >= 0) pairs_[a * n + static_cast<size_t>(joints_.parent[b])] += pairs_[a * n + b];
}

// What the edges themselves say, the skin's rotations held.
void ElasticLinearizer::add_surface(std::span<const AffineD> world, Curvature curvature, ElasticStep& step) {
    const size_t n = joints_.size();
    for (size_t a = 0; a < n; ++a) {
        const auto row = static_cast<Eigen::Index>(3 * a);
        const Mat34 p = around(world[a]);
        Eigen::Matrix4d all = Eigen::Matrix4d::Zero();
        for (size_t b = 0; b < n; ++b) {
            const Eigen::Matrix4d& pair = pairs_[a * n + b];
            if (b <= a && curvature != Curvature::none)
                step.h.block<3, 3>(row, static_cast<Eigen::Index>(3 * b)) +=
                    turn_product(p * pair * around(world[b]).transpose());
            if (moves_[b] < 0) continue;
            all += pair;
            if (curvature == Curvature::none) continue;
            step.h.block<3, 3>(moves_[b], row) += cross_matrix(p * pair.col(3)).transpose();
            if (moves_[a] >= moves_[b]) step.h.block<3, 3>(moves_[a], moves_[b]) += pair(3, 3) * Mat3d::Identity();
        }
        pull_[a] += p * all.leftCols<3>();
        if (moves_[a] >= 0) step.g.segment<3>(moves_[a]) += all.row(3).head<3>().transpose();
    }
}

// What changes because the cluster's rotation R follows: the Schur complement of its own three unknowns.
void ElasticLinearizer::add_cluster(size_t k, std::span<const AffineD> world, const Mat3d& rotation,
                                    Curvature curvature, ElasticStep& step) {
    const ReducedEnergy::Cluster& cluster = energy_.clusters[k];
    const JointChain& chain = chains_[k];
    below_.assign(chain.joints.size(), Eigen::Matrix<double, 4, 3>::Zero());
    for (uint32_t t = 0; t < cluster.terms; ++t) {
        const ReducedEnergy::Term& term = energy_.terms[cluster.first_term + t];
        below_[static_cast<size_t>(chain.place[t])].noalias() +=
            whole(world[static_cast<size_t>(term.joint)]) * term.sum;
    }
    Mat3d all = Mat3d::Zero();  // Σ c e dᵀ
    for (size_t c = chain.joints.size(); c-- > 0;) {
        if (chain.parent[c] >= 0)
            below_[static_cast<size_t>(chain.parent[c])] += below_[c];
        else
            all += below_[c].topRows<3>();
    }

    Mat3d spread = rotation * cluster.spread * rotation.transpose();
    if (curvature == Curvature::exact) spread = all * rotation.transpose();
    const bool curved = curvature != Curvature::none;
    const Mat3d half = curved ? half_inverse(spread) : Mat3d(Mat3d::Zero());
    coupling_.clear();
    unknown_.clear();
    Mat3d turned;  // Σ c y (R d)ᵀ; where a joint carries the whole cluster, its place does not count
    for (size_t c = 0; c < chain.joints.size(); ++c) {
        const auto a = static_cast<size_t>(chain.joints[c]);
        const bool same = c > 0 && c < chain.common;
        if (!same) turned.noalias() = around(world[a]) * (below_[c] * rotation.transpose());
        pull_[a] -= turned;
        if (!curved) continue;
        unknown_.push_back(static_cast<Eigen::Index>(3 * a));
        coupling_.push_back(same ? coupling_[0] : Mat3d(turn_product(turned) * half));
    }
    for (size_t c = 0; c < chain.joints.size(); ++c) {
        const Eigen::Index move = moves_[static_cast<size_t>(chain.joints[c])];
        if (move < 0 || chain.common > 0) continue;                   // moving the whole cluster turns nothing
        const Vec3d moved = rotation * below_[c].row(3).transpose();  // Σ c s R d
        step.g.segment<3>(move) -= moved;
        if (!curved) continue;
        unknown_.push_back(move);
        coupling_.push_back(-cross_matrix(moved) * half);
    }
    add_couplings(chain, step.h);
}

void ElasticLinearizer::add_couplings(const JointChain& chain, Eigen::MatrixXd& h) const {
    for (size_t p = 0; p < unknown_.size(); ++p) {
        Mat3d product;
        for (size_t q = 0; q <= p; ++q) {
            if (q == 0 || q >= chain.common) product.noalias() = coupling_[p] * coupling_[q].transpose();
            h.block<3, 3>(unknown_[p], unknown_[q]) -= product;
        }
    }
}

void ElasticLinearizer::add_spring(const ElasticSpring& spring, std::span<const AffineD> world, Curvature curvature,
                                   ElasticStep& step) {
    const JointChain& chain = spring.chain;
    place_below_.assign(chain.joints.size(), Eigen::Vector4d::Zero());
    for (size_t t = 0; t < spring.terms.size(); ++t)
        place_below_[static_cast<size_t>(chain.place[t])] +=
            whole(world[static_cast<size_t>(spring.terms[t].joint)]) * spring.terms[t].q;
    for (size_t c = chain.joints.size(); c-- > 0;)
        if (chain.parent[c] >= 0) place_below_[static_cast<size_t>(chain.parent[c])] += place_below_[c];

    const Vec3d off = spring.stiffness * (place_of(spring.terms, world) - spring.target);
    const Vec3d turn = spring.turning_stiffness * spring_turn(spring, world);
    coupling_.clear();
    unknown_.clear();
    for (size_t c = 0; c < chain.joints.size(); ++c) {
        const auto a = static_cast<size_t>(chain.joints[c]);
        unknown_.push_back(static_cast<Eigen::Index>(3 * a));
        const Vec3d from_joint = around(world[a]) * place_below_[c];
        coupling_.push_back(-cross_matrix(from_joint));
        pull_[a] += from_joint * off.transpose();
        step.g.segment<3>(unknown_.back()) -= turn;
    }
    for (size_t c = 0; c < chain.joints.size(); ++c) {
        const Eigen::Index move = moves_[static_cast<size_t>(chain.joints[c])];
        if (move < 0) continue;
        unknown_.push_back(move);
        coupling_.push_back(place_below_[c][3] * Mat3d::Identity());
    }
    const size_t turns = chain.joints.size();
    for (size_t p = 0; p < unknown_.size(); ++p) {
        if (p >= turns) step.g.segment<3>(unknown_[p]) += coupling_[p].transpose() * off;
        for (size_t q = 0; q <= p && curvature != Curvature::none; ++q) {
            auto block = step.h.block<3, 3>(unknown_[p], unknown_[q]);
            block += spring.stiffness * coupling_[p].transpose() * coupling_[q];
            if (p < turns && q < turns) block += spring.turning_stiffness * Mat3d::Identity();
        }
    }
}

// The joints' gradients. Turning joint b, then a joint a above it, moves what b carries by a × (b × y) beyond what both
// do alone: with a force f this bends the energy by aᵀ (Σ y fᵀ − Σ y·f) b.
void ElasticLinearizer::add_pull(Curvature curvature, ElasticStep& step) const {
    for (size_t b = 0; b < joints_.size(); ++b) {
        const auto row = static_cast<Eigen::Index>(3 * b);
        step.g.segment<3>(row) += cross_sum(pull_[b]);
        if (curvature != Curvature::exact) continue;
        const Mat3d bend = pull_[b].transpose() - pull_[b].trace() * Mat3d::Identity();
        step.h.block<3, 3>(row, row) += 0.5 * (bend + bend.transpose());
        for (int32_t a = joints_.parent[b]; a >= 0; a = joints_.parent[static_cast<size_t>(a)])
            step.h.block<3, 3>(row, static_cast<Eigen::Index>(3 * a)) += bend;
    }
}

}  // namespace sinew
