// Generalised winding number: how often a surface, closed or not, goes around a point [Jacobson2013].
// Data flow: triangles → *here* → solid.h, weights/bones.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// At one point, triangle by triangle: O(n), exact. Corners are index triples into positions.
double winding_number(std::span<const Vec3d> positions, std::span<const uint32_t> triangles, const Vec3d& point);

// For many points: a tree over the triangles. Far groups count as one dipole [Barill2018], near triangles by their
// solid angle [Oosterom1983]. Within 0.02 of the exact value. Building takes O(n log n). A query takes O(log n) on a
// surface, and at worst, where long triangles cross each other, O(n).
class WindingTree {
public:
    // Corners of triangles, three each; finite.
    explicit WindingTree(std::vector<Vec3d> corners);

    // 1 inside a closed surface whose faces look outward, 0 outside; in between where it is open.
    double at(const Vec3d& point) const;
    // How many triangles `at` looks at one by one: a few dozen on a surface, but all of them among long needles.
    size_t near(const Vec3d& point) const;

private:
    struct Node {
        Vec3d centre = Vec3d::Zero();       // area-weighted
        Vec3d area_normal = Vec3d::Zero();  // sum of the faces' normals times their areas
        double radius = 0.0;
        uint32_t first = 0, count = 0;  // triangles; leaves only
        int32_t left = -1, right = -1;
    };
    int32_t build(uint32_t first, uint32_t count);
    template <class Far, class Near>
    void walk(const Vec3d& point, const Far& far, const Near& near) const;

    std::vector<Vec3d> corners_;
    std::vector<Node> nodes_;
};

}  // namespace sinew
