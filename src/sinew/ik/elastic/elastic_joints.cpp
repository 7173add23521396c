#include <sinew/ik/elastic/elastic_joints.h>

#include <sinew/ik/elastic/nearest_rotation.h>
#include <cmath>

namespace sinew {
namespace {

constexpr double smallest_scale = 1e-12;  // below it a parent has lost its directions
constexpr double even_scale = 1e-6;       // how far from orthogonal a matrix is that only turns and scales evenly

// The turn about a world axis as its parent sees it; a mirroring parent sees it the other way round.
Vec3d turn_in_parent(const AffineD& world_from_parent, const Vec3d& turn) {
    const Mat3d m = world_from_parent.linear();
    const double det = m.determinant();
    const double scale = std::cbrt(std::abs(det));
    if (!(scale > smallest_scale)) return turn;
    Mat3d rotation = m / std::copysign(scale, det);
    if (!(rotation * rotation.transpose()).isIdentity(even_scale)) rotation = nearest_rotation(rotation);
    return rotation.transpose() * turn;
}

Quatd turned_by(const Vec3d& turn) {
    const double angle = turn.norm();
    return angle > 0.0 ? Quatd(Eigen::AngleAxisd(angle, turn / angle)) : Quatd(Quatd::Identity());
}

AffineD local_matrix(const Quatd& rotation, const Vec3d& translation, const Vec3d& scale) {
    AffineD m;
    m.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
    m.translation() = translation;
    return m;
}

}  // namespace

ElasticJoints choose_elastic_joints(const Skeleton& skeleton, const std::vector<bool>& in_skin,
                                    const std::vector<bool>& weighted) {
    const size_t n = skeleton.size();
    const std::vector<int32_t>& parents = skeleton.parents();
    std::vector<bool> carries = weighted;
    for (size_t j = n; j-- > 0;)
        if (carries[j] && parents[j] >= 0) carries[static_cast<size_t>(parents[j])] = true;

    ElasticJoints result;
    result.holder.assign(n, -1);
    for (size_t j = 0; j < n; ++j) {
        const int32_t above = parents[j] >= 0 ? result.holder[static_cast<size_t>(parents[j])] : -1;
        result.holder[j] = above;
        if (!carries[j] || !(in_skin[j] || above >= 0)) continue;
        result.holder[j] = static_cast<int32_t>(result.size());
        result.joint.push_back(static_cast<int32_t>(j));
        result.parent.push_back(above);
    }
    return result;
}

ElasticFrame take_frame(const ElasticJoints& joints, const Skeleton& skeleton, std::span<const Transform> pose,
                        std::span<const AffineD> world_from_joint) {
    ElasticFrame frame{{}, std::vector<AffineD>(joints.size(), AffineD::Identity())};
    for (size_t a = 0; a < joints.size(); ++a) {
        const auto j = static_cast<size_t>(joints.joint[a]);
        frame.scale.push_back(pose[j].scale.cast<double>());
        const int32_t parent = skeleton.parents()[j];
        if (joints.parent[a] < 0 && parent >= 0) frame.above[a] = world_from_joint[static_cast<size_t>(parent)];
    }
    return frame;
}

ElasticState take_state(const ElasticJoints& joints, std::span<const Transform> pose) {
    ElasticState state;
    for (const int32_t j : joints.joint) {
        state.rotation.push_back(pose[static_cast<size_t>(j)].rotation.cast<double>().normalized());
        state.translation.push_back(pose[static_cast<size_t>(j)].translation.cast<double>());
    }
    state.world.assign(joints.size(), AffineD::Identity());
    return state;
}

void put_state(const ElasticJoints& joints, const ElasticState& state, std::span<Transform> pose) {
    for (size_t a = 0; a < joints.size(); ++a) {
        Transform& to = pose[static_cast<size_t>(joints.joint[a])];
        to.rotation = state.rotation[a].cast<float>().normalized();
        if (joints.parent[a] < 0) to.translation = state.translation[a].cast<float>();
    }
}

void to_world(const ElasticJoints& joints, const ElasticFrame& frame, ElasticState& state) {
    for (size_t a = 0; a < joints.size(); ++a) {
        const AffineD& parent =
            joints.parent[a] < 0 ? frame.above[a] : state.world[static_cast<size_t>(joints.parent[a])];
        state.world[a] = parent * local_matrix(state.rotation[a], state.translation[a], frame.scale[a]);
    }
}

void apply_step(const ElasticJoints& joints, const ElasticFrame& frame, const ElasticState& from,
                std::span<const double> step, ElasticState& to) {
    size_t top = 3 * joints.size();
    for (size_t a = 0; a < joints.size(); ++a) {
        const bool topmost = joints.parent[a] < 0;
        const AffineD& parent = topmost ? frame.above[a] : from.world[static_cast<size_t>(joints.parent[a])];
        const Vec3d turn(step[3 * a], step[3 * a + 1], step[3 * a + 2]);
        to.rotation[a] = (turned_by(turn_in_parent(parent, turn)) * from.rotation[a]).normalized();
        to.translation[a] = from.translation[a];
        if (!topmost) continue;
        const Vec3d move(step[top], step[top + 1], step[top + 2]);
        if (std::abs(parent.linear().determinant()) > smallest_scale)
            to.translation[a] += parent.linear().inverse() * move;
        top += 3;
    }
    to_world(joints, frame, to);
}

}  // namespace sinew
