// Beasts, figurines and people with four arms, made of cones that blend: bodies of kinds for which there are no files.
#pragma once

#include <mesh/shapes.h>
#include <sinew/sample/remesh.h>
#include <sinew/sample/surface_nets.h>
#include <string>

namespace sinew::test {

using Vec4d = Eigen::Vector4d;

struct Beast {
    std::string name;
    Mesh mesh;
};

// A body that mirrors itself at x = 0, part by part; +Y up, +Z ahead. Metres.
class BeastBuilder {
public:
    explicit BeastBuilder(double blend = 0.05) : blend_(blend) {}

    // Cones from point to point; a point's fourth number is its radius.
    void middle(const std::vector<Vec4d>& points) { parts_.push_back(part(points)); }
    // The same on the left (x > 0), with its image on the right.
    void pair(const std::vector<Vec4d>& points) {
        parts_.push_back(part(points));
        parts_.push_back(shape::mirrored(parts_.back()));
    }
    void add(const shape::Shape& shape, double blend = 0.02) { parts_.push_back({0, 0, blend, {{shape}}}); }
    // On the left, with its image.
    void add_pair(const shape::Shape& shape, double blend = 0.02) {
        add(shape, blend);
        parts_.push_back(shape::mirrored(parts_.back()));
    }
    // A round plate that stands on y = `low`.
    void plate(double low, double high, double radius, double z = 0.0) {
        shape::Part plate{0, 0, 0.01, {}};
        const double round = 0.2 * radius;  // the rim of an ellipsoid that the two planes cut
        plate.steps.push_back({shape::Ellipsoid{{0, 0.5 * (low + high), z}, {radius, radius + round, radius}}});
        plate.steps.push_back({shape::HalfSpace{Vec3d::UnitY(), high}, 0.0, shape::Op::intersect});
        plate.steps.push_back({shape::HalfSpace{-Vec3d::UnitY(), -low}, 0.0, shape::Op::intersect});
        parts_.push_back(plate);
        for (const double side : {-1.0, 1.0}) reach({side * radius, low, z + side * radius});
    }

    Mesh mesh(double cell) const {
        const shape::Field field(parts_);
        Box box;
        for (const Vec4d& p : points_)
            for (const double side : {-1.0, 1.0})
                box.add((p.head<3>() + Vec3d::Constant(side * (p.w() + 0.1))).cast<float>());
        box.min.x() = 0.0f;
        Mesh mesh = shape::mirror_halves(field, shape::surface_nets(field, box, cell));
        mesh.normals.clear();  // append() joins positions and triangles alone
        return mesh;
    }
    // For what is no cone.
    void reach(const Vec3d& p) { points_.push_back({p.x(), p.y(), p.z(), 0.0}); }

private:
    shape::Part part(const std::vector<Vec4d>& points) {
        shape::Part part{0, 0, blend_, {}};
        for (size_t i = 0; i + 1 < points.size(); ++i)
            part.steps.push_back(
                {shape::RoundCone{points[i].head<3>(), points[i + 1].head<3>(), points[i].w(), points[i + 1].w()},
                 blend_});
        points_.insert(points_.end(), points.begin(), points.end());
        return part;
    }

    double blend_;
    std::vector<shape::Part> parts_;
    std::vector<Vec4d> points_;
};

// Level trunk, heavy tail, two legs with knee and high ankle, small arms.
inline Mesh t_rex(bool arms = true) {
    BeastBuilder b;
    b.middle({{0, 1.02, -0.10, 0.30}, {0, 1.10, 0.35, 0.33}, {0, 1.15, 0.75, 0.26}});
    b.middle({{0, 1.18, 0.80, 0.22}, {0, 1.50, 1.15, 0.17}, {0, 1.55, 1.25, 0.20}});
    b.middle({{0, 1.57, 1.25, 0.20}, {0, 1.50, 1.75, 0.10}});
    b.middle({{0, 1.02, -0.15, 0.28}, {0, 1.00, -0.80, 0.17}, {0, 0.95, -1.40, 0.09}, {0, 0.95, -2.0, 0.03}});
    b.pair({{0.20, 0.95, -0.05, 0.22}, {0.27, 0.62, 0.20, 0.14}, {0.27, 0.33, -0.12, 0.07}, {0.27, 0.08, 0.04, 0.06}});
    b.pair({{0.27, 0.06, 0.00, 0.05}, {0.27, 0.045, 0.28, 0.045}});
    if (arms) b.pair({{0.20, 0.98, 0.80, 0.08}, {0.28, 0.78, 0.88, 0.05}, {0.26, 0.70, 1.06, 0.035}});
    return b.mesh(0.025);
}

// A kaiju: upright, with arms, a tail on the ground behind it.
inline Mesh kaiju() {
    BeastBuilder b;
    b.middle({{0, 0.95, -0.05, 0.34}, {0, 1.35, 0.02, 0.30}, {0, 1.70, 0.08, 0.24}});
    b.middle({{0, 1.75, 0.10, 0.16}, {0, 2.00, 0.18, 0.17}, {0, 2.02, 0.42, 0.11}});
    b.middle({{0, 0.85, -0.20, 0.28}, {0, 0.45, -0.80, 0.18}, {0, 0.20, -1.40, 0.11}, {0, 0.12, -1.90, 0.05}});
    b.pair({{0.24, 0.85, -0.02, 0.22}, {0.30, 0.45, 0.08, 0.16}, {0.30, 0.12, 0.00, 0.12}});
    b.pair({{0.30, 0.08, -0.02, 0.09}, {0.32, 0.06, 0.26, 0.08}});
    b.pair({{0.26, 1.55, 0.06, 0.12}, {0.46, 1.25, 0.16, 0.09}, {0.50, 1.05, 0.40, 0.07}});
    return b.mesh(0.025);
}

// Four legs, a neck, a tail, and wings of bones with a skin between them.
inline Mesh dragon(double raised = 0.35) {
    BeastBuilder b(0.04);
    b.middle({{0, 0.80, -0.55, 0.20}, {0, 0.85, 0.00, 0.25}, {0, 0.85, 0.45, 0.21}});
    b.middle({{0, 0.92, 0.50, 0.16}, {0, 1.25, 0.80, 0.11}, {0, 1.45, 0.98, 0.11}});
    b.middle({{0, 1.46, 0.98, 0.12}, {0, 1.40, 1.32, 0.06}});
    b.middle({{0, 0.80, -0.60, 0.16}, {0, 0.70, -1.10, 0.09}, {0, 0.60, -1.60, 0.04}, {0, 0.60, -1.95, 0.02}});
    b.pair({{0.17, 0.75, 0.42, 0.13}, {0.20, 0.42, 0.36, 0.08}, {0.20, 0.08, 0.42, 0.06}, {0.20, 0.05, 0.54, 0.05}});
    b.pair({{0.16, 0.72, -0.52, 0.15},
            {0.20, 0.48, -0.38, 0.09},
            {0.20, 0.28, -0.62, 0.05},
            {0.20, 0.06, -0.54, 0.05},
            {0.20, 0.05, -0.42, 0.05}});
    const Vec3d shoulder(0.12, 1.00, 0.25), elbow = shoulder + Vec3d(0.50, 0.6 * raised + 0.1, -0.05),
                                            wrist = elbow + Vec3d(0.60, raised, 0.15),
                                            tip = wrist + Vec3d(0.75, -0.3 * raised, -0.35);
    const auto with = [](const Vec3d& p, double r) { return Vec4d(p.x(), p.y(), p.z(), r); };
    b.pair({with(shoulder, 0.06), with(elbow, 0.045), with(wrist, 0.035), with(tip, 0.02)});
    const Vec3d out = (wrist - shoulder).normalized(), back(0, 0, -1);
    Mat3d axes;
    axes.col(0) = out, axes.col(1) = back.cross(out).normalized(), axes.col(2) = axes.col(0).cross(axes.col(1));
    b.add_pair(shape::Ellipsoid{0.5 * (shoulder + wrist) + Vec3d(0.1, 0, -0.28), {0.75, 0.025, 0.42}, axes});
    return b.mesh(0.018);
}

// A person of cones who stands; arms out and down. `low`: where the soles are.
inline BeastBuilder plain_person(double low = 0.0, double head = 0.13) {
    BeastBuilder b(0.03);
    const auto up = [&](double x, double y, double z, double r) { return Vec4d(x, y + low, z, r); };
    b.middle({up(0, 0.95, 0, 0.15), up(0, 1.15, 0, 0.13), up(0, 1.38, 0, 0.15)});
    b.middle({up(0, 1.42, 0, 0.06), up(0, 1.55, 0.01, 0.055)});
    b.middle({up(0, 1.55 + 0.75 * head, 0.02, head), up(0, 1.55 + 1.1 * head, 0.02, 0.9 * head)});
    b.pair({up(0.10, 0.90, 0, 0.10), up(0.12, 0.50, 0.02, 0.065), up(0.12, 0.09, 0, 0.05)});
    b.pair({up(0.12, 0.05, -0.03, 0.045), up(0.13, 0.04, 0.16, 0.04)});
    b.pair({up(0.17, 1.38, 0, 0.07), up(0.42, 1.18, 0, 0.05), up(0.62, 1.00, 0.04, 0.04), up(0.72, 0.92, 0.05, 0.045)});
    return b;
}

// A second pair of arms below the first.
inline Mesh four_armed() {
    BeastBuilder b = plain_person();
    b.pair({{0.13, 1.16, 0, 0.065}, {0.38, 0.92, 0.02, 0.045}, {0.52, 0.70, 0.08, 0.04}, {0.58, 0.62, 0.10, 0.04}});
    return b.mesh(0.016);
}

// More head than all the rest.
inline Mesh huge_head() {
    return plain_person(0.0, 0.75).mesh(0.022);
}

enum class Plinth : uint8_t { none, fused, separate };
constexpr double plinth_height = 0.12;

// A person on a round base.
inline Mesh figurine(Plinth plinth) {
    BeastBuilder b = plain_person(plinth_height);
    if (plinth == Plinth::fused) b.plate(0.0, plinth_height + 0.01, 0.42, 0.03);
    Mesh mesh = b.mesh(0.016);
    if (plinth == Plinth::separate) {
        BeastBuilder base;
        base.reach({0.5, 0.3, 0.5});
        base.reach({-0.5, -0.1, -0.5});
        base.plate(0.0, plinth_height, 0.42, 0.03);
        append(mesh, base.mesh(0.016));
    }
    return mesh;
}

}  // namespace sinew::test
