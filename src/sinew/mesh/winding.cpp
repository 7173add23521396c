#include <sinew/mesh/winding.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr uint32_t leaf_size = 8;
constexpr double far_factor = 2.5;  // a group counts as one dipole beyond this many of its radii

// A sum of angles without an arctangent for each: it multiplies complex numbers with these angles and counts full
// turns. An arctangent would cost more than all the rest of a solid angle.
class AngleSum {
public:
    // The angle of (x, y), in (−π, π).
    void add(double x, double y) {
        if (y == 0.0) return;
        const double next = x_ * y + y_ * x;
        x_ = x_ * x - y_ * y;
        turns_ += (y > 0.0 && y_ >= 0.0 && next < 0.0) - (y < 0.0 && y_ < 0.0 && next >= 0.0);
        y_ = next;
        const double size = std::abs(x_) + std::abs(y_);
        if (size > 1e100 || size < 1e-100) x_ /= size, y_ /= size;
    }
    double total() const { return std::atan2(y_, x_) + 2.0 * pi * turns_; }

private:
    double x_ = 1.0, y_ = 0.0;
    int turns_ = 0;
};

// Half the solid angle of a triangle [Oosterom1983], corners seen from the point.
void add_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, double la, double lb, double lc, AngleSum& sum) {
    sum.add(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb, a.dot(b.cross(c)));
}

// Puts the lower half of the triangles along an axis first. Each half keeps its order, and of equal triangles the first
// is the lower one: whichever standard library finds the middle, sums over a half have the same last bit.
void halve(std::span<Vec3d> corners, int axis) {
    const size_t count = corners.size() / 3;
    std::vector<std::pair<double, size_t>> along(count);
    for (size_t t = 0; t < count; ++t)
        along[t] = {corners[3 * t][axis] + corners[3 * t + 1][axis] + corners[3 * t + 2][axis], t};
    std::nth_element(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(count / 2), along.end());
    std::vector<char> lower(count, 0);
    for (size_t i = 0; i < count / 2; ++i) lower[along[i].second] = 1;
    const std::vector<Vec3d> before(corners.begin(), corners.end());
    size_t low = 0, high = count / 2;
    for (size_t t = 0; t < count; ++t) {
        const size_t to = lower[t] ? low++ : high++;
        for (size_t k = 0; k < 3; ++k) corners[3 * to + k] = before[3 * t + k];
    }
}

}  // namespace

double winding_number(std::span<const Vec3d> positions, std::span<const uint32_t> triangles, const Vec3d& point) {
    constexpr size_t grain = size_t{1} << 15;
    std::vector<Vec3d> to(positions.size());
    std::vector<double> length(positions.size());
    parallel_for(positions.size(), grain, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
            to[v] = positions[v] - point;
            length[v] = to[v].norm();
        }
    });
    const size_t count = triangles.size() / 3;
    std::vector<double> sums((count + grain - 1) / grain, 0.0);
    parallel_for(count, grain, [&](size_t begin, size_t end) {
        AngleSum halves;
        for (size_t t = begin; t < end; ++t) {
            const uint32_t a = triangles[3 * t], b = triangles[3 * t + 1], c = triangles[3 * t + 2];
            add_triangle(to[a], to[b], to[c], length[a], length[b], length[c], halves);
        }
        sums[begin / grain] = halves.total();
    });
    double sum = 0.0;
    for (const double s : sums) sum += s;
    return 2.0 * sum / (4.0 * pi);
}

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

    halve(std::span(corners_).subspan(3 * size_t{first}, 3 * size_t{count}), axis);
    const int32_t left = build(first, count / 2);
    const int32_t right = build(first + count / 2, count - count / 2);
    nodes_[static_cast<size_t>(id)].left = left;
    nodes_[static_cast<size_t>(id)].right = right;
    return id;
}

// Calls far(group, way to it) for groups that count as one and near(leaf) for triangles that count one by one.
template <class Far, class Near>
void WindingTree::walk(const Vec3d& point, const Far& far, const Near& near) const {
    if (nodes_.empty()) return;
    int32_t stack[128];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const Node& node = nodes_[static_cast<size_t>(stack[--depth])];
        const Vec3d to = node.centre - point;
        if (to.squaredNorm() > far_factor * far_factor * node.radius * node.radius) {
            far(node, to);
        } else if (node.left < 0) {
            near(node);
        } else {
            stack[depth++] = node.right;
            stack[depth++] = node.left;
        }
    }
}

double WindingTree::at(const Vec3d& point) const {
    double angle = 0.0;
    AngleSum halves;
    walk(
        point,
        [&](const Node& group, const Vec3d& to) {
            const double distance = to.norm();
            angle += to.dot(group.area_normal) / (distance * distance * distance);
        },
        [&](const Node& leaf) {
            for (size_t t = leaf.first; t < size_t{leaf.first} + leaf.count; ++t) {
                const Vec3d a = corners_[3 * t] - point, b = corners_[3 * t + 1] - point,
                            c = corners_[3 * t + 2] - point;
                add_triangle(a, b, c, a.norm(), b.norm(), c.norm(), halves);
            }
        });
    return (angle + 2.0 * halves.total()) / (4.0 * pi);
}

size_t WindingTree::near(const Vec3d& point) const {
    size_t count = 0;
    walk(
        point, [](const Node&, const Vec3d&) {}, [&](const Node& leaf) { count += leaf.count; });
    return count;
}

}  // namespace sinew
