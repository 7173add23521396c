#include <sinew/motion/touch/arm_solve.h>

#include <sinew/math/angle.h>
#include <sinew/math/interpolate.h>
#include <sinew/motion/plant/banded.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Metres of a usual person by which skin gives way: at the wrist and the hand, and more at the elbow, which lies
// against the body of a fat person.
constexpr double pressed = 0.004, pressed_at_elbow = 0.015;
constexpr double pressed_slack = 5e-4;  // by which it may give way a little more or less
constexpr double near_skin = 0.04;      // points this near may come to touch within a step
constexpr double widest_forearm = 0.2;  // metres of a usual person: a fat elbow is half as wide
constexpr double most_arm_turn = 0.4;   // radians that one step may change an arm by
constexpr double noticed = 0.002;       // deeper than pressed by this: an arm that was free begins to move
constexpr double smooth_time = 0.12;    // seconds over which a move spreads
// Weights against that of the move itself, which is 1.
constexpr double goal_weight = 5e3, clear_weight = 2e4, bound_weight = 1e5, end_weight = 1e7;
constexpr double twist_weight = 3, straight_twist_weight = 100, bent = 1.2;  // bent: radians in the elbow
constexpr size_t arm_unknowns = 4;

using Row = Eigen::Vector4d;
using Jacobian = Eigen::Matrix<double, 6, 4>;  // of elbow and wrist

// Calls see(height, way out, share of the wrist) for each point of the arm that may be inside.
template <class See>
void see_points(const BodyMotion& body, size_t side, const Obstacles& obstacles, const ArmPlace& place,
                const Quatd& hand_turn, const See& see) {
    const double near = near_skin * body.size, hand_reach = body.shape.hand_reach[side];
    const Mat3d hand = hand_turn.toRotationMatrix();
    for (const PosedPart& part : obstacles) {
        if (!part.part) continue;
        const double wrist = height_bound(part, place.wrist);
        const double forearm = (place.wrist - place.elbow).norm();
        if (wrist > std::max(forearm + body.size * widest_forearm, hand_reach) + near) continue;
        const bool hand_near = wrist <= hand_reach + near;
        for (const ArmPoint& point : body.shape.arm[side]) {
            if (point.bone == ArmBone::hand && !hand_near) continue;
            const Vec3d at = arm_point(point, place.elbow, place.wrist, hand);
            if (const auto over = height_within(part, at, point.radius + near))
                see(over->height - point.radius, over->out, point.bone == ArmBone::hand ? 1.0 : point.offset.x());
        }
    }
    const double wrist_height = place.wrist.dot(body.up) - body.floor;
    if (wrist_height < body.shape.held_reach[side] + near)
        for (const Vec3d& held : body.shape.held[side]) see(wrist_height + (hand * held).dot(body.up), body.up, 1.0);
    if (std::min(place.elbow.dot(body.up) - body.floor, wrist_height) > body.size * 0.3) return;
    for (const ArmPoint& point : body.shape.arm[side]) {
        const Vec3d at = arm_point(point, place.elbow, place.wrist, hand);
        see(at.dot(body.up) - body.floor - point.radius, body.up, point.bone == ArmBone::hand ? 1.0 : point.offset.x());
    }
}

double least_height(const BodyMotion& body, double share) {
    return -body.size * (share * pressed + (1 - share) * pressed_at_elbow);
}

Mat3d cross_matrix(const Vec3d& v) {
    Mat3d m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

// To first order in the turn; the residuals are exact, so that the steps still end in the right place.
Jacobian find_jacobian(const ArmPath& arm, size_t frame) {
    const ArmPlace& now = arm.now[frame];
    const Vec3d& shoulder = arm.base[frame].shoulder;
    Jacobian jacobian = Jacobian::Zero();
    jacobian.topLeftCorner<3, 3>() = -cross_matrix(now.elbow - shoulder);
    jacobian.bottomLeftCorner<3, 3>() = -cross_matrix(now.wrist - shoulder);
    jacobian.bottomRightCorner<3, 1>() = now.hinge.cross(now.wrist - now.elbow);
    return jacobian / arm.forearm;
}

// The equations of one run of frames.
struct Equations {
    BandedSystem system;
    std::vector<double> right;
    explicit Equations(size_t frames)
        : system(frames * arm_unknowns, 3 * arm_unknowns - 1), right(frames * arm_unknowns, 0.0) {}

    // Adds weight·(row·x − wanted)² for the arm_unknowns of one frame.
    void add(size_t frame, const Row& row, double wanted, double weight) {
        for (size_t i = 0; i < arm_unknowns; ++i) {
            const auto ri = row[static_cast<Eigen::Index>(i)];
            right[frame * arm_unknowns + i] += weight * ri * wanted;
            for (size_t j = 0; j <= i; ++j)
                system.add(frame * arm_unknowns + i, frame * arm_unknowns + j,
                           weight * ri * row[static_cast<Eigen::Index>(j)]);
        }
    }
    // The same for one unknown of a frame alone.
    void add_single(size_t frame, size_t i, double wanted, double weight) {
        const size_t at = frame * arm_unknowns + i;
        right[at] += weight * wanted;
        system.add(at, at, weight);
    }
    // Adds weight·(Σ c_k x[frame + k, i] − wanted)² for one unknown i over consecutive frames.
    void add_over_time(size_t frame, size_t i, std::span<const double> c, double wanted, double weight) {
        for (size_t a = 0; a < c.size(); ++a) {
            right[(frame + a) * arm_unknowns + i] += weight * c[a] * wanted;
            for (size_t b = 0; b <= a; ++b)
                system.add((frame + a) * arm_unknowns + i, (frame + b) * arm_unknowns + i, weight * c[a] * c[b]);
        }
    }
};

void add_goals(std::span<const std::vector<WristGoal>> goals, const ArmPath& arm, size_t frame, size_t local,
               const Jacobian& jacobian, Equations& equations) {
    for (const std::vector<WristGoal>& list : goals) {
        const WristGoal& goal = list[frame];
        if (goal.weight <= 0) continue;
        const Vec3d lack = goal.place - arm.now[frame].wrist;
        const auto pull = [&](const Vec3d& way, double weight) {
            const Row row = jacobian.bottomRows<3>().transpose() * way;
            equations.add(local, row, row.dot(arm.move[frame]) + lack.dot(way), goal_weight * weight);
        };
        pull(goal.out, goal.weight);
        if (goal.across <= 0) continue;
        const Vec3d aside = goal.out.unitOrthogonal();
        pull(aside, goal.weight * goal.across);
        pull(goal.out.cross(aside), goal.weight * goal.across);
    }
}

// A point that is inside, or near enough to come inside: row·x ≥ wanted keeps it out, to first order.
struct Clearance {
    size_t local;
    Row row;
    double wanted;
    bool active;
};

void find_clearances(const BodyMotion& body, const Obstacles& obstacles, const ArmPath& arm, size_t frame, size_t local,
                     const Jacobian& jacobian, std::vector<Clearance>& list) {
    see_points(
        body, arm.side, obstacles, arm.now[frame], arm.hand[frame], [&](double height, const Vec3d& out, double share) {
            const double least = least_height(body, share);
            if (height >= least + near_skin * body.size) return;
            const Row row = (share * jacobian.bottomRows<3>() + (1 - share) * jacobian.topRows<3>()).transpose() * out;
            list.push_back({local, row, row.dot(arm.move[frame]) + least - height, height < least});
        });
}

// An elbow that would bend too far, or backwards, is held at its limit.
void add_bounds(const ArmPath& arm, size_t frame, size_t local, Equations& equations) {
    const double bend = arm.move[frame][3] / arm.forearm;
    const double within = std::clamp(bend, arm.base[frame].least_bend, arm.base[frame].most_bend);
    if (bend != within) equations.add_single(local, 3, within * arm.forearm, bound_weight);
}

// Turning a straight arm about itself brings nothing and looks odd.
void add_twist(const ArmPath& arm, size_t frame, size_t local, Equations& equations) {
    const ArmBase& base = arm.base[frame];
    const Vec3d upper = base.elbow - base.shoulder, lower = base.wrist - base.elbow, line = base.wrist - base.shoulder;
    if (!(line.norm() > 0)) return;
    const double bend = angle_between(upper, lower);
    Row row = Row::Zero();
    row.head<3>() = line.normalized();
    equations.add(local, row, 0.0, twist_weight + (1 - smoothstep(bend / bent)) * straight_twist_weight);
}

void add_smoothness(double fps, size_t first, size_t end, const ArmPath& arm, Equations& equations) {
    const size_t n = end - first;
    const double bend = std::pow(smooth_time * fps, 4);
    constexpr std::array<double, 3> second = {1, -2, 1};
    for (size_t f = 0; f < n; ++f) {
        const bool start = first > 0 && f < 2, stop = end < arm.base.size() && f + 2 >= n;
        for (size_t i = 0; i < arm_unknowns; ++i) {
            equations.add_single(f, i, 0.0, 1.0);
            if (start || stop)
                equations.add_single(f, i, arm.move[first + f][static_cast<Eigen::Index>(i)], end_weight);
            if (f >= 2) equations.add_over_time(f - 2, i, second, 0.0, bend);
        }
    }
}

// Which clearances push is found by turns: those that the last solution violates, until none changes by more than
// `slack`. Empty where there is no solution.
std::vector<double> solve_one_sided(const Equations& base, double slack, std::vector<Clearance>& clearances) {
    constexpr int turns = 6;
    std::vector<double> x;
    Equations equations = base;
    for (int turn = 0; turn < turns; ++turn) {
        if (turn > 0) equations = base;
        for (const Clearance& clearance : clearances)
            if (clearance.active) equations.add(clearance.local, clearance.row, clearance.wanted, clear_weight);
        if (!equations.system.factor()) return {};
        equations.system.solve(equations.right);
        if (!std::ranges::all_of(equations.right, [](double v) { return std::isfinite(v); })) return {};
        x = equations.right;
        bool same = true;
        for (Clearance& clearance : clearances) {
            const Row here = Eigen::Map<const Row>(&x[clearance.local * arm_unknowns]);
            const double lack = clearance.wanted - clearance.row.dot(here);
            same = same && ((lack > 0) == clearance.active || std::abs(lack) < slack);
            clearance.active = lack > 0;
        }
        if (same) break;
    }
    return x;
}

}  // namespace

std::vector<Obstacles> pose_obstacles(const BodyMotion& body) {
    std::vector<Obstacles> posed(body.poses.size());
    for (size_t f = 0; f < posed.size(); ++f)
        for (size_t i = 0; i < obstacle_names.size(); ++i)
            if (const BodySegment& part = body.shape[obstacle_names[i]]; part.exists())
                posed[f][i] = pose_part(part, body.poses[f]);
    return posed;
}

void improve_arm(const ArmTask& task, size_t first, size_t end, double damping, ArmPath& arm) {
    Equations equations(end - first);
    std::vector<Clearance> clearances;
    for (size_t f = first; f < end; ++f) {
        const Jacobian jacobian = find_jacobian(arm, f);
        add_goals(task.goals, arm, f, f - first, jacobian, equations);
        find_clearances(task.body, task.obstacles[f], arm, f, f - first, jacobian, clearances);
        add_bounds(arm, f, f - first, equations);
        add_twist(arm, f, f - first, equations);
        for (size_t i = 0; damping > 0 && i < arm_unknowns; ++i)
            equations.add_single(f - first, i, arm.move[f][static_cast<Eigen::Index>(i)], damping);
    }
    add_smoothness(task.fps, first, end, arm, equations);
    const std::vector<double> next = solve_one_sided(equations, pressed_slack * task.body.size, clearances);
    for (size_t f = first; f < end; ++f) {
        arm.change[f] = 0;
        if (next.empty()) continue;
        const double longest = most_arm_turn * arm.forearm;
        ArmMove step = Eigen::Map<const ArmMove>(&next[(f - first) * arm_unknowns]) - arm.move[f];
        if (step.norm() > longest) step *= longest / step.norm();
        arm.change[f] = step.norm() / arm.forearm;
        arm.move[f] += step;
        arm.now[f] = move_arm(arm.base[f], arm.move[f], arm.forearm);
    }
}

std::vector<bool> frames_inside(const BodyMotion& body, std::span<const Obstacles> obstacles, const ArmPath& arm) {
    std::vector<bool> inside(arm.base.size(), false);
    for (size_t f = 0; f < inside.size(); ++f)
        see_points(body, arm.side, obstacles[f], arm.now[f], arm.hand[f],
                   [&](double height, const Vec3d&, double share) {
                       if (height < least_height(body, share) - noticed * body.size) inside[f] = true;
                   });
    return inside;
}

}  // namespace sinew
