#include <sinew/curve/euler.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

// The axes i, j, k of an order (k: the one that stands in no other place) and the sign of their permutation.
struct Axes {
    int i, j, k;
    double sign;
    bool twice;  // the third axis is the first again
    explicit Axes(const EulerOrder& order) {
        i = order.axis[0];
        j = order.axis[1];
        k = 3 - i - j;
        sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
        twice = order.axis[2] == i;
    }
};

double nearest_turn(double angle, double previous) {
    return angle + turn * std::round((previous - angle) / turn);
}

Vec3d nearest_turns(const Vec3d& angles, const Vec3d& previous) {
    return {nearest_turn(angles[0], previous[0]), nearest_turn(angles[1], previous[1]),
            nearest_turn(angles[2], previous[2])};
}

// The sine and cosine of the middle angle for which the other two are one: the third axis lies on the first.
constexpr double locked = 1e-7;

// Only a ± c is known: move both from where they were by half of what is missing.
Vec3d locked_angles(const Mat3d& r, const Axes& x, double middle, const Vec3d& previous) {
    double sum_sign = 0.0;
    if (x.twice)
        sum_sign = std::cos(middle) > 0.0 ? 1.0 : -1.0;
    else
        sum_sign = x.sign * std::sin(middle) > 0.0 ? 1.0 : -1.0;
    const double a_alone = std::atan2(x.sign * r(x.k, x.j), r(x.j, x.j));  // a where c is 0
    const double missing = nearest_turn(a_alone - (previous[0] + sum_sign * previous[2]), 0.0);
    return {previous[0] + 0.5 * missing, middle, previous[2] + 0.5 * sum_sign * missing};
}

double middle_angle(const Mat3d& r, const Axes& x) {
    // From both sine and cosine: exact also near the ends of their range.
    if (x.twice) return std::atan2(std::hypot(r(x.j, x.i), r(x.k, x.i)), r(x.i, x.i));
    return std::atan2(x.sign * r(x.i, x.k), std::hypot(r(x.i, x.i), r(x.i, x.j)));
}

}  // namespace

Result<EulerOrder> parse_euler_order(std::string_view text) {
    EulerOrder order;
    bool good = text.size() == 3;
    for (size_t i = 0; good && i < 3; ++i) {
        order.axis[i] = std::tolower(static_cast<unsigned char>(text[i])) - 'x';
        good = order.axis[i] >= 0 && order.axis[i] < 3 && (i == 0 || order.axis[i] != order.axis[i - 1]);
    }
    if (!good)
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("\"{}\" is not an order of axes; write three letters such as zxy, no two alike in a row",
                        text));
    return order;
}

std::vector<EulerOrder> euler_orders() {
    std::vector<EulerOrder> orders;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int c = 0; c < 3; ++c)
                if (a != b && b != c) orders.push_back({{a, b, c}});
    return orders;
}

Quatd from_euler(const Vec3d& angles, const EulerOrder& order) {
    Quatd rotation = Quatd::Identity();
    for (int i = 0; i < 3; ++i)
        rotation = rotation * Quatd(Eigen::AngleAxisd(angles[i], Vec3d::Unit(order.axis[static_cast<size_t>(i)])));
    return rotation;
}

Vec3d to_euler(const Quatd& rotation, const EulerOrder& order, const Vec3d& previous) {
    const Axes x(order);
    const Mat3d r = rotation.normalized().toRotationMatrix();
    const double b = middle_angle(r, x);
    if (std::abs(x.twice ? std::sin(b) : std::cos(b)) < locked)
        return locked_angles(r, x, nearest_turn(b, previous[1]), previous);
    Vec3d one, other;  // the two sets of angles that mean the same
    if (x.twice) {
        one = {std::atan2(r(x.j, x.i), -x.sign * r(x.k, x.i)), b, std::atan2(r(x.i, x.j), x.sign * r(x.i, x.k))};
        other = {one[0] + std::numbers::pi, -one[1], one[2] + std::numbers::pi};
    } else {
        one = {std::atan2(-x.sign * r(x.j, x.k), r(x.k, x.k)), b, std::atan2(-x.sign * r(x.i, x.j), r(x.i, x.i))};
        other = {one[0] + std::numbers::pi, std::numbers::pi - one[1], one[2] + std::numbers::pi};
    }
    one = nearest_turns(one, previous);
    other = nearest_turns(other, previous);
    return (one - previous).squaredNorm() <= (other - previous).squaredNorm() ? one : other;
}

std::vector<Vec3d> to_euler_channels(std::span<const Quatd> rotations, const EulerOrder& order) {
    std::vector<Vec3d> channels;
    Vec3d previous = Vec3d::Zero();
    for (const Quatd& rotation : rotations) channels.push_back(previous = to_euler(rotation, order, previous));
    return channels;
}

double gimbal_distance(const Quatd& rotation, const EulerOrder& order) {
    const Axes x(order);
    const double b = middle_angle(rotation.normalized().toRotationMatrix(), x);
    return x.twice ? std::min(b, std::numbers::pi - b) : 0.5 * std::numbers::pi - std::abs(b);
}

}  // namespace sinew
