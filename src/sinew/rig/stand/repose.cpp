#include <sinew/rig/stand/repose.h>

#include <sinew/rig/embed/similarity.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us.
// Iterations until points that match stop moving; points of a piece that are moved, and those they are matched with.
constexpr int match_rounds = 12;
constexpr size_t moved_points = 120, matched_points = 2000;
// Turns about a piece's long axis to start from: every 30 degrees.
constexpr int start_turns = 12;
// A limb is seen best 30 degrees below the level (sine). It is looked for on the motion between the two poses, and this
// many radians beyond both ends, in this many steps.
constexpr double wanted_sine = -0.5, beyond_ends = 1.0;
constexpr int motion_steps = 60;
// A turn with a smaller tangent of its half angle is a shift.
constexpr double no_turn = 1e-6;
// Pieces are congruent when their points are this near to each other in the mean, as a share of the piece's length: 3.5
// standard deviations, as of a rod.
constexpr double alike = 0.03, length_per_deviation = 3.5;
// Poses that differ by less than 20 degrees (radians) are one.
constexpr double two_poses = 0.35;
// A joint within this share of the height of a moved piece moves with it.
constexpr double near_piece = 0.1;

using Points = std::vector<Vec3d>;

Points sample(const Points& points, size_t most) {
    const size_t step = std::max<size_t>(1, points.size() / most);
    Points out;
    for (size_t i = 0; i < points.size(); i += step) out.push_back(points[i]);
    return out;
}

const Vec3d& nearest_to(const Points& points, const Vec3d& p) {
    return *std::min_element(points.begin(), points.end(), [&](const Vec3d& a, const Vec3d& b) {
        return (a - p).squaredNorm() < (b - p).squaredNorm();
    });
}

double mean_gap(const AffineD& move, const Points& from, const Points& to) {
    double sum = 0.0;
    for (const Vec3d& p : from) sum += (nearest_to(to, move * p) - move * p).norm();
    return sum / static_cast<double>(from.size());
}

AffineD rigid(const Mat3d& turn, const Vec3d& from, const Vec3d& to) {
    AffineD move = AffineD::Identity();
    move.linear() = turn;
    move.translation() = to - turn * from;
    return move;
}

// Improves a motion: matches each point with the nearest one, a few times over [BeslMcKay1992].
AffineD settle(AffineD move, const Points& from, const Points& to) {
    for (int round = 0; round < match_rounds; ++round) {
        std::vector<PointPair> pairs;
        Vec3d a = Vec3d::Zero(), b = Vec3d::Zero();
        for (const Vec3d& p : from) {
            pairs.emplace_back(p, nearest_to(to, move * p));
            a += p / static_cast<double>(from.size()), b += pairs.back().second / static_cast<double>(from.size());
        }
        move = rigid(fit_similarity(pairs).turn, a, b);
    }
    return move;
}

// A right-handed frame with its first axis along the piece.
Mat3d frame_of(const Vec3d& axis, double sign) {
    Mat3d frame;
    frame.col(0) = sign * axis;
    frame.col(1) = frame.col(0).unitOrthogonal();
    frame.col(2) = frame.col(0).cross(frame.col(1));
    return frame;
}

struct Solid {
    Points points;
    Vec3d axis, centre;
};

struct Alignment {
    AffineD move = AffineD::Identity();
    double gap = INFINITY;  // mean
};

// The rigid motion that takes one piece to another of the same shape. Starts from both ways along the axis and from
// turns about it.
Alignment align(const Solid& from, const Solid& to) {
    const Points few = sample(from.points, moved_points), others = sample(to.points, matched_points);
    Alignment best;
    for (int k = 0; k < 2 * start_turns; ++k) {
        const Eigen::AngleAxisd about(k / 2 * (2.0 * EIGEN_PI / start_turns), Vec3d::UnitX());
        const Mat3d turn = frame_of(to.axis, k % 2 == 0 ? 1.0 : -1.0) * about.toRotationMatrix() *
                           frame_of(from.axis, 1.0).transpose();
        const AffineD move = rigid(turn, from.centre, to.centre);
        if (const double gap = mean_gap(move, few, others); gap < best.gap) best = {move, gap};
    }
    best.move = settle(best.move, few, others);
    best.gap = mean_gap(best.move, few, others);
    return best;
}

// A rigid motion as a turn about an axis and a shift along it.
struct Screw {
    Eigen::AngleAxisd turn;
    Vec3d fixed = Vec3d::Zero();  // a point of the axis, nearest to `near`
    Vec3d way = Vec3d::Zero();

    AffineD part(double share) const {
        AffineD move = rigid(Eigen::AngleAxisd(share * turn.angle(), turn.axis()).toRotationMatrix(), fixed, fixed);
        move.translation() += share * way;
        return move;
    }
};

Screw screw_of(const AffineD& move, const Vec3d& near) {
    Screw screw{.turn = Eigen::AngleAxisd(Mat3d(move.linear()))};
    const Vec3d axis = screw.turn.axis(), from_near = move * near - near;
    screw.way = axis.dot(from_near) * axis;
    const double tangent = std::tan(0.5 * screw.turn.angle());
    if (std::abs(tangent) < no_turn) {
        screw.way = from_near;
        return screw;
    }
    const Vec3d across = from_near - screw.way;
    screw.fixed = near + 0.5 * (across + axis.cross(across) / tangent);
    return screw;
}

// The share of the motion from one pose to the other that brings a limb nearest to where it is seen best; a little
// below 0 or above 1 is allowed.
double best_share(const Screw& screw, const Vec3d& centre, const Vec3d& up) {
    const double extra = beyond_ends / screw.turn.angle();
    double best = 0.0, least = INFINITY;
    for (int k = 0; k <= motion_steps; ++k) {
        const double share = -extra + (1.0 + 2.0 * extra) * k / motion_steps;
        const Vec3d arm = (screw.part(share) * centre - screw.fixed).normalized();
        if (const double off = std::abs(arm.dot(up) - wanted_sine); off < least) least = off, best = share;
    }
    return best;
}

using PiecePairs = std::vector<std::pair<uint32_t, uint32_t>>;

// The vertices of each piece that is in a pair; empty for the others.
std::vector<std::vector<uint32_t>> vertices_of(std::span<const uint32_t> triangles, const Pieces& pieces,
                                               const PiecePairs& pairs) {
    std::vector<char> wanted(pieces.list.size(), 0);
    for (const auto& [left, right] : pairs) wanted[left] = wanted[right] = 1;
    std::vector<std::vector<uint32_t>> vertices(pieces.list.size());
    for (size_t t = 0; t < pieces.of_triangle.size(); ++t)
        if (const uint32_t piece = pieces.of_triangle[t]; piece != UINT32_MAX && wanted[piece])
            vertices[piece].insert(vertices[piece].end(), &triangles[3 * t], &triangles[3 * t] + 3);
    for (std::vector<uint32_t>& list : vertices) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return vertices;
}

Points points_of(std::span<const Vec3> positions, const std::vector<uint32_t>& vertices) {
    Points out;
    for (uint32_t v : vertices) out.push_back(positions[v].cast<double>());
    return out;
}

double distance_to(const MovedPiece& piece, std::span<const Vec3> positions, const Vec3d& p) {
    double least = INFINITY;
    for (uint32_t v : piece.vertices) least = std::min(least, (positions[v].cast<double>() - p).squaredNorm());
    return std::sqrt(least);
}

}  // namespace

Reposed take_common_pose(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Pieces& pieces,
                         const MirrorPlane& plane, const Vec3d& up) {
    Reposed result{.positions = {positions.begin(), positions.end()}, .moved = {}};
    AffineD mirror = AffineD::Identity();
    mirror.linear() -= 2.0 * plane.normal * plane.normal.transpose();
    mirror.translation() = 2.0 * plane.offset * plane.normal;
    const auto move = [&](MovedPiece piece) {
        const AffineD there = piece.back.inverse(Eigen::Isometry);
        for (uint32_t v : piece.vertices) result.positions[v] = (there * positions[v].cast<double>()).cast<float>();
        result.moved.push_back(std::move(piece));
    };
    const PiecePairs pairs = pairs_in_two_poses(pieces, plane);
    std::vector<std::vector<uint32_t>> vertices = vertices_of(triangles, pieces, pairs);
    for (const auto& [left, right] : pairs) {
        const Piece &a = pieces.list[left], &b = pieces.list[right];
        std::vector<uint32_t>&of_left = vertices[left], &of_right = vertices[right];
        Points image = points_of(positions, of_right);
        for (Vec3d& p : image) p = mirror * p;
        const Alignment found = align({image, mirror.linear() * b.axis, mirror * b.centre},
                                      {points_of(positions, of_left), a.axis, a.centre});
        if (found.gap > alike * length_per_deviation * a.extent[2]) continue;
        const Vec3d centre = mirror * b.centre;
        const Screw screw = screw_of(found.move, centre);
        if (screw.turn.angle() < two_poses) continue;
        const AffineD common = screw.part(best_share(screw, centre, up));  // from the mirror image of the right piece
        move({std::move(of_left), found.move * common.inverse(Eigen::Isometry)});
        move({std::move(of_right), mirror * common.inverse(Eigen::Isometry) * mirror});
    }
    return result;
}

double move_back(const Reposed& reposed, const Reading& reading, double height, Fit& fit) {
    const double near = near_piece * height;
    double worst = 0.0;
    const auto back = [&](const Vec3d& canonical) -> Vec3d {
        const Vec3d p = reading.axes.transpose() * canonical + reading.origin;
        const MovedPiece* best = nullptr;
        double least = near;
        for (const MovedPiece& piece : reposed.moved)
            if (const double d = distance_to(piece, reposed.positions, p); d < least) least = d, best = &piece;
        return best ? Vec3d(reading.axes * (best->back * p - reading.origin)) : canonical;
    };
    for (FitJoint& joint : fit.joints) {
        switch (joint.role) {
            case Role::left_upper_arm:
            case Role::right_upper_arm:
            case Role::left_upper_leg:
            case Role::right_upper_leg:
                worst = std::max(worst, (back(joint.position) - joint.position).norm() / height);
                break;
            case Role::left_lower_arm:
            case Role::right_lower_arm:
            case Role::left_hand:
            case Role::right_hand:
            case Role::left_lower_leg:
            case Role::right_lower_leg:
            case Role::left_foot:
            case Role::right_foot:
            case Role::left_toes:
            case Role::right_toes:
                joint.position = back(joint.position);
                if (joint.tip) joint.tip = back(*joint.tip);
                break;
            default:
                break;
        }
    }
    return worst;
}

}  // namespace sinew
