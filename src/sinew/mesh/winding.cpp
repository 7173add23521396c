#include <sinew/mesh/winding.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr uint32_t leaf_size = 8;
constexpr double far_factor = 2.5;  // a group counts as one dipole beyond this many of its radii

double solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double numerator = a.dot(b.cross(c));
    const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return numerator == 0.0 ? 0.0 : 2.0 * std::atan2(numerator, denominator);
}

}  // namespace

WindingTree::WindingTree(std::vector<Vec3d> corners) : corners_(std::move(corners)) {
    corners_.resize(corners_.size() / 3 * 3);
    if (corners_.empty()) return;
    nodes_.reserve(corners_.size() / 3);
    build(0, static_cast<uint32_t>(corners_.size() / 3));
}

int32_t WindingTree::build(uint32_t first, uint32_t count) {
    const auto id = static_cast<int32_t>(nodes_.size());
    Node node{.first = first, .count = count};
    double area = 0.0;
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY), plain = Vec3d::Zero();
    for (size_t t = first; t < first + count; ++t) {
        const Vec3d &a = corners_[3 * t], &b = corners_[3 * t + 1], &c = corners_[3 * t + 2];
        const Vec3d normal = 0.5 * (b - a).cross(c - a), middle = (a + b + c) / 3.0;
        node.area_normal += normal;
        node.centre += normal.norm() * middle;
        area += normal.norm();
        plain += middle;
        low = low.cwiseMin(middle);
        high = high.cwiseMax(middle);
    }
    node.centre = area > 0.0 ? Vec3d(node.centre / area) : Vec3d(plain / count);
    for (size_t v = 3 * size_t{first}; v < 3 * (size_t{first} + count); ++v)
        node.radius = std::max(node.radius, (corners_[v] - node.centre).norm());
    nodes_.push_back(node);
    int axis = 0;
    (high - low).maxCoeff(&axis);
    if (count <= leaf_size || !(high[axis] > low[axis])) return id;

    // Halves by the middle triangle along the longest side; order within a half does not matter to the sums' meaning
    // and is the same on every run.
    std::vector<std::array<Vec3d, 3>> items(count);
    for (size_t t = 0; t < count; ++t)
        for (size_t k = 0; k < 3; ++k) items[t][k] = corners_[3 * (first + t) + k];
    const auto key = [axis](const std::array<Vec3d, 3>& t) { return t[0][axis] + t[1][axis] + t[2][axis]; };
    std::nth_element(items.begin(), items.begin() + count / 2, items.end(),
                     [&](const auto& s, const auto& t) { return key(s) < key(t); });
    for (size_t t = 0; t < count; ++t)
        for (size_t k = 0; k < 3; ++k) corners_[3 * (first + t) + k] = items[t][k];
    items = {};
    const int32_t left = build(first, count / 2);
    const int32_t right = build(first + count / 2, count - count / 2);
    nodes_[static_cast<size_t>(id)].left = left;
    nodes_[static_cast<size_t>(id)].right = right;
    return id;
}

double WindingTree::at(const Vec3d& point) const {
    if (nodes_.empty()) return 0.0;
    double angle = 0.0;
    int32_t stack[128];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const Node& node = nodes_[static_cast<size_t>(stack[--depth])];
        const Vec3d to = node.centre - point;
        const double distance = to.norm();
        if (distance > far_factor * node.radius) {
            angle += to.dot(node.area_normal) / (distance * distance * distance);
        } else if (node.left < 0) {
            for (size_t t = node.first; t < size_t{node.first} + node.count; ++t)
                angle += solid_angle(corners_[3 * t] - point, corners_[3 * t + 1] - point, corners_[3 * t + 2] - point);
        } else {
            stack[depth++] = node.right;
            stack[depth++] = node.left;
        }
    }
    return angle / (4.0 * 3.14159265358979323846);
}

}  // namespace sinew
