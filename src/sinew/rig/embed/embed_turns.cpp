#include <sinew/rig/embed/embed_turns.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr double quarter_turn = 1.5707963267948966;
// Turns about the left: every 30 degrees.
constexpr int turn_steps = 12;
constexpr double turn_step = 0.5235987755982988;
// A template whose left is within 26 degrees (cosine) of +Y has +Z for up.
constexpr double along_y = 0.9;
// What a turn by 90 degrees or more costs, as a share; chosen on the templates of bench/rig_template_bench.cpp.
constexpr double price_of_turning = 0.2;
constexpr double no_sum = 1e-9;

// The template's left, from its partners; none when it has no partners.
std::optional<Vec3d> lateral_axis(const std::vector<EmbedBone>& bones, const RigTemplate& t) {
    Vec3d sum = Vec3d::Zero();
    double size = 0.0;
    for (size_t i = 0; i < bones.size(); ++i) {
        if (bones[i].mirror <= static_cast<int>(i)) continue;
        Vec3d d = bones[i].position - bones[static_cast<size_t>(bones[i].mirror)].position;
        if (d.dot(sum) < 0.0) d = -d;
        sum += d;
        size = std::max(size, d.norm());
    }
    if (!(sum.norm() > no_sum) || t.joints.empty()) return std::nullopt;
    return sum.normalized();
}

}  // namespace

std::vector<Mat3d> candidate_turns(const std::vector<EmbedBone>& bones, const RigTemplate& t) {
    std::vector<Mat3d> turns;
    if (const auto left = lateral_axis(bones, t)) {
        Mat3d frame;  // rows: the template's left, up and ahead, as it stands in its file
        const Vec3d x = left->x() < 0.0 ? Vec3d(-*left) : *left;
        Vec3d up = std::abs(x.y()) < along_y ? Vec3d::UnitY() : Vec3d::UnitZ();
        up = (up - up.dot(x) * x).normalized();
        frame.row(0) = x;
        frame.row(1) = up;
        frame.row(2) = x.cross(up);
        for (int flip = 0; flip < 2; ++flip)
            for (int step = 0; step < turn_steps; ++step) {
                Mat3d turn = Eigen::AngleAxisd(step * turn_step, Vec3d::UnitX()).toRotationMatrix();
                if (flip) turn = turn * Vec3d(-1.0, 1.0, -1.0).asDiagonal();
                turns.push_back(turn * frame);
            }
        return turns;
    }
    for (int axis = 0; axis < 3; ++axis)
        for (int sign = 0; sign < 2; ++sign)
            for (int quarter = 0; quarter < 4; ++quarter) {
                Mat3d base;
                base.row(0) = Vec3d::Unit(axis) * (sign ? -1.0 : 1.0);
                base.row(1) = Vec3d::Unit((axis + 1) % 3);
                base.row(2) = base.row(0).cross(base.row(1));
                turns.push_back(Eigen::AngleAxisd(quarter * quarter_turn, Vec3d::UnitX()).toRotationMatrix() * base);
            }
    return turns;
}

double turn_doubt(const Mat3d& turn) {
    const double angle = std::acos(std::clamp(0.5 * (turn.trace() - 1.0), -1.0, 1.0));
    return 1.0 + price_of_turning * std::min(1.0, angle / quarter_turn);
}

double angle_between(const Mat3d& a, const Mat3d& b) {
    return std::acos(std::clamp(0.5 * ((a * b.transpose()).trace() - 1.0), -1.0, 1.0));
}

}  // namespace sinew
