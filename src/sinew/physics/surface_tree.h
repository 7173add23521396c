// SurfaceTree: a triangle mesh that moves, and which of its points is nearest to yours, on which side.
// Data flow: a body's deformed vertices, frame after frame → *here* → collisions of cloth and particles.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct SurfaceHit {
    uint32_t triangle = 0xffffffffu;  // none within reach
    Vec3 place = Vec3::Zero();
    Vec3 share = Vec3::Zero();    // of the triangle's corners
    Vec3 normal = Vec3::UnitY();  // unit; smooth across edges
    float distance = INFINITY;    // negative behind the surface

    bool found() const { return triangle != 0xffffffffu; }
};

// Boxes around triangles, around boxes. The mesh's triangles stay, its vertices move.
class SurfaceTree {
public:
    SurfaceTree() = default;
    // Sorts the triangles by where they are at first. Triangles without area are left out.
    SurfaceTree(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

    // New places for the vertices: boxes and normals follow. No allocation, O(triangles).
    void move(std::span<const Vec3> positions);

    // The nearest point within `reach`. `guess` is a triangle that was near, or none: it only makes the search shorter.
    SurfaceHit nearest(const Vec3& from, float reach, uint32_t guess = 0xffffffffu) const;

    // The point of a triangle nearest to `from`, with the vertices as they are.
    SurfaceHit nearest_on(uint32_t triangle, const Vec3& from) const;

    // The nearest point that one comes to from a triangle by going to neighbours as long as that brings one nearer: a
    // point that got into a body is near the side it came in by, though another side may be nearer.
    SurfaceHit nearest_around(uint32_t triangle, const Vec3& from) const;
    // The triangle across the edge opposite to a corner (0, 1, 2); none at a border.
    uint32_t across(uint32_t triangle, int corner) const {
        return across_[3 * triangle + static_cast<uint32_t>(corner)];
    }

    bool empty() const { return triangles_.empty(); }
    std::span<const Vec3> positions() const { return positions_; }
    std::span<const Vec3> normals() const { return normals_; }  // of vertices, unit
    std::span<const uint32_t> triangles() const { return triangles_; }
    Box bounds() const;

private:
    struct Node {
        Box box;
        uint32_t first = 0, count = 0;  // a leaf's triangles in order_; an inner node: count 0, its second child
    };
    uint32_t build(uint32_t first, uint32_t count, std::vector<Vec3>& centers);
    void join();
    void refit();

    std::vector<Vec3> positions_, normals_;
    std::vector<uint32_t> triangles_, order_, across_;
    std::vector<Node> nodes_;  // parents before children; a first child stands behind its parent
};

// The shares of the corners at the point of the triangle nearest to p. [Ericson2005]
Vec3 nearest_shares(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace sinew
