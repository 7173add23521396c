#include <sinew/motion/creatures/creature_pose.h>

#include <sinew/motion/clip_writer.h>
#include <sinew/skeleton/pose.h>
#include <cmath>

namespace sinew {
namespace {

// A joint whose turn stays below this (radians) does not move.
constexpr double still = 1e-7;

// The rotation nearest to a matrix that is one but for scale.
Quatd rotation_of(const Mat3d& m) {
    const Eigen::JacobiSVD<Mat3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3d r = svd.matrixU() * svd.matrixV().transpose();
    if (r.determinant() < 0) r = svd.matrixU() * Vec3d(1, 1, -1).asDiagonal() * svd.matrixV().transpose();
    return Quatd(r);
}

// Turns of the body's space seen from inside a joint's parent: local = parent⁻¹ · turn · parent · rest.
struct ParentFrame {
    Mat3d body_from_parent, parent_from_body;
    bool plain = true;  // a rotation, and perhaps a scale: conjugating by it leaves a rotation

    Quatd inside(const Quatd& turn) const {
        const Mat3d m = parent_from_body * turn.toRotationMatrix() * body_from_parent;
        return plain ? Quatd(Quatd(m).normalized()) : rotation_of(m);
    }
};

ParentFrame parent_frame(const CreatureBody& body, const std::vector<AffineD>& world, int32_t parent) {
    Mat3d linear = body.world_from_body.transpose();
    if (parent >= 0) linear = body.world_from_body.transpose() * world[static_cast<size_t>(parent)].linear();
    const double size = linear.norm();
    constexpr double singular = 1e-12;
    if (!(std::abs(linear.determinant()) > singular * size * size * size))
        linear = body.world_from_body.transpose();  // squashed flat: nothing below it shows anyway
    ParentFrame frame{linear, linear.inverse()};
    const double scale2 = linear.squaredNorm() / 3.0;
    constexpr double skewed = 1e-9;
    frame.plain =
        linear.determinant() > 0 && (linear.transpose() * linear - scale2 * Mat3d::Identity()).norm() < skewed * scale2;
    return frame;
}

}  // namespace

Quatd pitch(double angle) {
    return Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitX()));
}
Quatd yaw(double angle) {
    return Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitY()));
}
Quatd roll(double angle) {
    return Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitZ()));
}

void place(const CreatureBody& body, const CreaturePose& pose, PlacedCreature& out) {
    const auto& parents = body.skeleton->parents();
    out.position.resize(parents.size());
    out.turn.resize(parents.size());
    for (size_t j = 0; j < parents.size(); ++j) {
        const bool has_parent = parents[j] >= 0;
        const auto p = static_cast<size_t>(has_parent ? parents[j] : 0);
        const Quatd above = has_parent ? out.turn[p] : Quatd(Quatd::Identity());
        const JointTurn& joint = pose.joints[j];
        out.turn[j] = joint.how == JointTurn::How::body ? joint.turn : above;
        if (joint.how == JointTurn::How::bend) out.turn[j] = above * joint.turn;
        out.position[j] = has_parent ? Vec3d(out.position[p] + above * (body.rest[j] - body.rest[p])) : body.rest[j];
        if (static_cast<int32_t>(j) == body.map.root) out.position[j] += pose.shift;
    }
}

Clip bake_creature(const CreatureBody& body, std::span<const CreaturePose> poses, double step, std::string name) {
    const Skeleton& skeleton = *body.skeleton;
    const size_t count = skeleton.size();
    const std::vector<AffineD> world = rest_world(skeleton);
    std::vector<float> times;
    std::vector<std::vector<Quatd>> turns(count);  // per joint and key: against its parent, in body space
    std::vector<double> largest(count, 0.0);
    std::vector<Vec3d> path;
    PlacedCreature placed;
    const auto root = static_cast<size_t>(body.map.root);
    for (size_t i = 0; i < poses.size(); ++i) {
        times.push_back(static_cast<float>(static_cast<double>(i) * step));
        place(body, poses[i], placed);
        for (size_t j = 0; j < count; ++j) {
            const int32_t p = skeleton.parents()[j];
            Quatd turn = placed.turn[j];
            if (p >= 0) turn = placed.turn[static_cast<size_t>(p)].conjugate() * turn;
            turns[j].push_back(turn);
            largest[j] = std::max(largest[j], turn.vec().norm());
        }
        path.push_back(placed.position[root]);
    }
    Clip clip;
    clip.name = std::move(name);
    const int32_t above = skeleton.parents()[root];
    const AffineD parent_from_world =
        above < 0 ? AffineD(AffineD::Identity()) : AffineD(world[static_cast<size_t>(above)].inverse());
    for (Vec3d& p : path) p = parent_from_world * (body.world_from_body * (p + Vec3d(0, body.map.ground, 0)));
    clip.tracks.push_back(translation_track(body.map.root, times, path));
    for (size_t j = 0; j < count; ++j) {
        if (largest[j] <= still && j != root) continue;
        const ParentFrame frame = parent_frame(body, world, skeleton.parents()[j]);
        const Quatd rest = skeleton.rest()[j].rotation.cast<double>();
        for (Quatd& turn : turns[j]) turn = frame.inside(turn) * rest;
        clip.tracks.push_back(rotation_track(static_cast<int32_t>(j), times, turns[j]));
    }
    return clip;
}

}  // namespace sinew
