#include <sinew/sets/graph/window_distance.h>

#include <sinew/sets/graph/motion_graph.h>
#include <sinew/sets/own_feet.h>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array cloud_roles = {Role::hips,           Role::head,
                                    Role::left_upper_arm, Role::right_upper_arm,
                                    Role::left_lower_arm, Role::right_lower_arm,
                                    Role::left_hand,      Role::right_hand,
                                    Role::left_lower_leg, Role::right_lower_leg,
                                    Role::left_foot,      Role::right_foot,
                                    Role::left_toes,      Role::right_toes};
constexpr int32_t window_step = 2;  // frames between the poses of a window

}  // namespace

WindowClouds make_clouds(const Body& body, std::span<const Pose> poses) {
    std::vector<size_t> joints;
    for (const Role role : cloud_roles)
        if (body.map[role] >= 0) joints.push_back(static_cast<size_t>(body.map[role]));
    const auto frames = static_cast<Eigen::Index>(poses.size());
    const auto each = static_cast<Eigen::Index>(joints.size());
    const double metres = metres_per_unit(body);
    // All joints in the body's axes: left, up, ahead.
    std::array<Eigen::MatrixXf, 3> at;
    for (auto& axis : at) axis.resize(each, frames);
    for (Eigen::Index f = 0; f < frames; ++f) {
        const WorldPose world = world_pose(body.skeleton, poses[static_cast<size_t>(f)].local);
        for (Eigen::Index j = 0; j < each; ++j) {
            const Vec3d p = metres * body.frame.transpose() * world.position[joints[static_cast<size_t>(j)]];
            for (size_t c = 0; c < 3; ++c) at[c](j, f) = static_cast<float>(p[static_cast<Eigen::Index>(c)]);
        }
    }
    constexpr Eigen::Index parts = 2 * (graph_reach / window_step) + 1;
    const Eigen::Index windows = std::max<Eigen::Index>(0, frames - 2 * graph_reach), size = parts * each;
    WindowClouds clouds{Eigen::MatrixXf(size, windows), Eigen::MatrixXf(size, windows), Eigen::MatrixXf(size, windows),
                        Eigen::RowVectorXf(windows)};
    for (Eigen::Index w = 0; w < windows; ++w) {
        for (Eigen::Index k = 0; k < parts; ++k) {
            const Eigen::Index f = w + graph_reach + (k - parts / 2) * window_step;
            clouds.x.col(w).segment(k * each, each) = at[0].col(f);
            clouds.y.col(w).segment(k * each, each) = at[1].col(f);
            clouds.z.col(w).segment(k * each, each) = at[2].col(f);
        }
        clouds.x.col(w).array() -= clouds.x.col(w).mean();
        clouds.z.col(w).array() -= clouds.z.col(w).mean();
        clouds.power[w] =
            (clouds.x.col(w).squaredNorm() + clouds.y.col(w).squaredNorm() + clouds.z.col(w).squaredNorm()) /
            static_cast<float>(size);
    }
    return clouds;
}

Eigen::MatrixXf cloud_distances(const WindowClouds& a, const WindowClouds& b) {
    const auto count = static_cast<float>(std::max<Eigen::Index>(a.x.rows(), 1));
    const Eigen::MatrixXf along = a.x.transpose() * b.x + a.z.transpose() * b.z;
    const Eigen::MatrixXf across = a.x.transpose() * b.z - a.z.transpose() * b.x;
    Eigen::MatrixXf squares = -2.0f / count * (a.y.transpose() * b.y);
    squares.array() -= 2.0f / count * (along.array().square() + across.array().square()).sqrt();
    squares.colwise() += a.power.transpose();
    squares.rowwise() += b.power;
    return squares.cwiseMax(0.0f).cwiseSqrt();
}

}  // namespace sinew
