#include <sinew/sample/sample.h>

#include <algorithm>
#include <cmath>

#include <sinew/sample/implicit_field.h>
#include <sinew/sample/sample_rig.h>

namespace sinew {

namespace {

using namespace shape;

// Along +X from the shoulder at 0: upper arm, elbow, lower arm, hand.
constexpr double elbow = 0.30, wrist = 0.56, tip = 0.72, start = -0.06;
constexpr int rings = 96, segments = 32;

// Half height and half depth of the cross-section at x, both rounding to nothing at the two ends.
Vec2 section(double x) {
    double round = 1;
    if (x < 0) round = std::sqrt(std::max(0.0, 1 - std::pow(x / start, 2)));
    double fist = tip - 0.055;
    if (x > fist) round = std::sqrt(std::max(0.0, 1 - std::pow((x - fist) / (tip - fist), 2)));
    double muscle =
        0.052 + 0.008 * std::exp(-std::pow((x - 0.12) / 0.09, 2)) + 0.006 * std::exp(-std::pow((x - 0.37) / 0.07, 2));
    double taper = ramp(x, 0.36, wrist);
    double hand = ramp(x, wrist - 0.01, wrist + 0.07);
    double height = muscle + taper * (0.030 - muscle) + hand * (0.024 - 0.030);
    double depth = muscle + taper * (0.034 - muscle) + hand * (0.050 - 0.034);
    return Vec2(static_cast<float>(round * height), static_cast<float>(round * depth));
}

// Places the rings closer together where the ends round off.
double ring_x(int ring) {
    double u = static_cast<double>(ring) / rings;
    double ease = 0.5 - 0.5 * std::cos(pi * u);
    return start + (tip - start) * (0.35 * ease + 0.65 * u);
}

Mesh arm_mesh() {
    Mesh mesh;
    // One more column of vertices than segments: the last repeats the first with u = 1.
    for (int r = 0; r <= rings; ++r) {
        double x = ring_x(r);
        Vec2 half = section(x);
        for (int s = 0; s <= segments; ++s) {
            double angle = 2 * pi * (s % segments) / segments;
            auto y = static_cast<float>(half.x() * std::cos(angle)), z = static_cast<float>(half.y() * std::sin(angle));
            if (r == 0 || r == rings) y = z = 0;
            mesh.positions.emplace_back(static_cast<float>(x), y, z);
            mesh.uvs.emplace_back(static_cast<float>(r) / rings, static_cast<float>(s) / segments);
        }
    }
    auto at = [](int r, int s) { return static_cast<uint32_t>(r * (segments + 1) + s); };
    for (int r = 0; r < rings; ++r) {
        for (int s = 0; s < segments; ++s) {
            if (r > 0) mesh.triangles.insert(mesh.triangles.end(), {at(r, s), at(r, s + 1), at(r + 1, s)});
            if (r + 1 < rings)
                mesh.triangles.insert(mesh.triangles.end(), {at(r + 1, s), at(r, s + 1), at(r + 1, s + 1)});
        }
    }
    return mesh;
}

// Computes normals over welded columns and poles, so that neither the seam nor the tips show.
void add_normals(Mesh& mesh) {
    std::vector<uint32_t> weld(mesh.positions.size());
    for (int r = 0; r <= rings; ++r) {
        for (int s = 0; s <= segments; ++s) {
            int to = r == 0 || r == rings ? 0 : s % segments;
            weld[r * (segments + 1) + s] = static_cast<uint32_t>(r * (segments + 1) + to);
        }
    }
    std::vector<uint32_t> welded;
    for (uint32_t v : mesh.triangles) welded.push_back(weld[v]);
    std::vector<Vec3> normals = compute_normals(mesh.positions, welded);
    for (uint32_t v : weld) mesh.normals.push_back(normals[v]);
}

}  // namespace

Character make_arm() {
    Mesh mesh = arm_mesh();
    add_normals(mesh);
    JointList joints;
    int32_t upper = joints.add("upperArm", -1, {0, 0, 0});
    int32_t lower = joints.add("lowerArm", upper, {elbow, 0, 0});
    joints.add("hand", lower, {wrist, 0, 0});
    std::vector<double> weights;
    std::vector<uint32_t> same;
    auto line = [](double x, double middle, double half) {
        return std::clamp((x - middle + half) / (2 * half), 0.0, 1.0);
    };
    for (const Vec3& p : mesh.positions) {
        std::vector<double> w = split_down(joints, {1.0, line(p.x(), elbow, 0.08), line(p.x(), wrist, 0.05)});
        weights.insert(weights.end(), w.begin(), w.end());
        same.push_back(static_cast<uint32_t>(same.size()));
    }
    Influences influences = make_influences(weights, joints.size(), same);
    Look look{.name = "arm", .base_color = Vec4(0.78f, 0.44f, 0.28f, 1.0f), .roughness = 0.7f};
    return assemble(std::move(mesh), std::move(influences), joints, look);
}

}  // namespace sinew
