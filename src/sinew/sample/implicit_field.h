// Implicit shapes: describes a body by parts that blend into each other, each a signed distance (negative inside).
// Data flow: humanoid_shape, quadruped_shape → *here* → surface_nets.h, remesh.h (surface), paint.h (which part is
// where).
#pragma once

#include <sinew/math/interpolate.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

namespace sinew::shape {

// The convex hull of two balls.
struct RoundCone {
    Vec3d a, b;
    double radius_a, radius_b;
};

struct Ellipsoid {
    Vec3d center;
    Vec3d radii;
    Mat3d axes = Mat3d::Identity();  // columns: the directions of the radii
};

// A ring around `center`, in the plane of the first two columns of `axes`: an ellipse with these radii, `thickness`
// thick.
struct Ring {
    Vec3d center;
    double radius_u, radius_v, thickness;
    Mat3d axes = Mat3d::Identity();
};

// Everything below the plane: dot(normal, p) ≤ offset.
struct HalfSpace {
    Vec3d normal;
    double offset;
};

// A cross-section of a Loft at height t: four half-widths, towards ±u and ±v, around a centre.
struct Station {
    double t;
    double center_u, center_v;
    double right, left;  // +u, −u
    double front, back;  // +v, −v
};

// A tube with a straight axis whose cross-sections run smoothly through its stations. The columns of `axes` are u, v
// and the axis; cap lengths round its two ends. `power` 2 gives ellipses, more gives squarer sections.
struct Loft {
    Vec3d origin = Vec3d::Zero();
    Mat3d axes = Mat3d::Identity();
    std::vector<Station> stations;  // increasing t
    double cap_low = 0.01, cap_high = 0.01;
    double power = 2.0;
};

using Shape = std::variant<RoundCone, Ellipsoid, Ring, HalfSpace, Loft>;

enum class Op { unite, subtract, intersect };

struct Step {
    Shape shape;
    double blend = 0.0;  // metres over which the step blends into the steps before it
    Op op = Op::unite;
};

// The steps apply in order; the result blends into the parts before it over `blend` metres.
struct Part {
    int region = 0;  // what it is made of: skin, shirt, …; for painting
    int limb = 0;    // which limb it belongs to; for skinning and charts
    double blend = 0.0;
    std::vector<Step> steps;
};

struct Ball {
    Vec3d center;
    double radius;
    double outside(const Vec3d& p) const { return (p - center).norm() - radius; }
};

class Field {
public:
    explicit Field(std::vector<Part> parts);

    double distance(const Vec3d& p) const { return distance(p, all_); }
    // Only the given parts count. Exact where the other parts are farther away than they blend.
    double distance(const Vec3d& p, std::span<const int> parts) const;
    // Not unit: its length is 1 only where the field is a true distance.
    Vec3d gradient(const Vec3d& p, std::span<const int> parts) const;

    // Those of the given parts that can matter within `radius` of `center`.
    std::vector<int> near(const Vec3d& center, double radius, std::span<const int> parts) const;
    std::span<const int> all() const { return all_; }

    double part_distance(size_t part, const Vec3d& p) const;
    // The one of the given parts whose own surface is nearest.
    int owner(const Vec3d& p, std::span<const int> parts) const;
    const std::vector<Part>& parts() const { return parts_; }

private:
    std::vector<Part> parts_;
    std::vector<int> all_;
    std::vector<Ball> balls_;                    // around each part
    std::vector<std::vector<Ball>> step_balls_;  // around each step of each part
    double max_blend_ = 0.0;
};

// A field for many questions near its surface: it remembers which parts matter where.
class LocalField {
public:
    explicit LocalField(const Field& field) : field_(field) {}

    double distance(const Vec3d& p) { return field_.distance(p, parts_at(p)); }
    Vec3d gradient(const Vec3d& p) { return field_.gradient(p, parts_at(p)); }
    int owner(const Vec3d& p) { return field_.owner(p, parts_at(p)); }

private:
    std::span<const int> parts_at(const Vec3d& p);

    const Field& field_;
    std::unordered_map<uint64_t, std::vector<int>> cells_;
};

double distance(const Shape& shape, const Vec3d& p);
double smooth_min(double a, double b, double k);

// 0 before `low`, 1 after `high`, smooth between.
inline double ramp(double x, double low, double high) {
    return smoothstep((x - low) / (high - low));
}

// Columns u, v, axis: the axis as given, u as near to `side` as possible.
Mat3d frame_along(const Vec3d& axis, const Vec3d& side);

// The same part, larger or smaller as seen from `center`.
Part scaled(const Part& part, const Vec3d& center, double factor);
// The same part on the other side of the x = 0 plane.
Part mirrored(const Part& part);

}  // namespace sinew::shape
