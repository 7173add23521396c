// The inner loops of cloth: moving, distances, tethers, leaving colliders, velocities. Each has a scalar twin that
// gives the same bits. Data flow: Cloth's arrays → *here* → Cloth's arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

// A point with its inverse mass, or a vector, in one load.
struct Float4 {
    alignas(16) float x = 0;
    float y = 0, z = 0, w = 0;
};

// Constraints and vertices are taken eight at a time. Cloth's arrays of points are a multiple of eight long; an octet
// is eight points one behind the other.
constexpr size_t octet_size = 8;

// v += h (gravity + acceleration[i]), damped; previous = x; x += h v, for all with an inverse mass.
struct ClothMove {
    float seconds = 0;
    Float4 gravity;
    float keep = 1;                        // what damping leaves of a velocity
    const Float4* acceleration = nullptr;  // per vertex; null: none
};
void move_points(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v);
void move_points_scalar(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v);

// v = (x − previous) / h, no faster than `most`.
void set_velocities(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                    std::span<Float4> v);
void set_velocities_scalar(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                           std::span<Float4> v);

// Eight distance constraints of one colour: no two of a colour share a vertex. Places left over in a block join a spare
// vertex (mass ∞) with itself.
struct DistanceBlock {
    alignas(32) uint32_t a[octet_size];
    uint32_t b[octet_size];
    float rest[octet_size];
};

// One Gauss–Seidel pass of XPBD [Macklin2016]. `soft`: compliance / h². `pulls`: Lagrange multipliers, eight for each
// block, carried from one iteration to the next; null where there is one iteration: they are 0 then.
void solve_distances(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x);
void solve_distances_scalar(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x);

// Distances longer than `times` what they are at rest become so long. Returns how many blocks had one.
size_t limit_distances(std::span<const DistanceBlock> blocks, float times, Float4* x);
size_t limit_distances_scalar(std::span<const DistanceBlock> blocks, float times, Float4* x);

// Eight hinges of one colour, each between the triangles a b c and b a d. What they are bent by is a vector across the
// cloth, share_b (b − a) + share_c (c − a) + share_d (d − a): linear in the points, and 2 sin(angle / 2) long as long
// as edges keep their lengths [Bergou2006]. It is 0 where the cloth is flat, so that small wrinkles are smoothed out,
// which a spring from c to d does not feel.
struct BendBlock {
    alignas(32) uint32_t a[octet_size];
    uint32_t b[octet_size], c[octet_size], d[octet_size];
    float share_b[octet_size], share_c[octet_size], share_d[octet_size];
    float rest[octet_size];  // how long the vector is at rest; positive along the triangles' normals
    float soft[octet_size];  // compliance for a stiffness of 1
};

// One Gauss–Seidel pass. `soft`: 1 / (stiffness h²).
void solve_bends(std::span<const BendBlock> blocks, float soft, Float4* x);
void solve_bends_scalar(std::span<const BendBlock> blocks, float soft, Float4* x);

// Points held within a distance of others that nothing here moves: of a few for all, and of one of its own for each.
// A length of ∞ holds nothing.
struct ClothTethers {
    std::span<const uint32_t> anchors;
    const float* lengths = nullptr;  // for each anchor, one for each point
    const uint32_t* own = nullptr;   // per point; null: there are none
    const float* own_lengths = nullptr;
};
void hold_tethers(const ClothTethers& tethers, std::span<Float4> x);
void hold_tethers_scalar(const ClothTethers& tethers, std::span<Float4> x);

// A collider where it is in this small step. A sphere is a capsule without length.
struct ClothSolid {
    Float4 a, along;                  // along.w: 1 / |along|², or 0
    Float4 carried_a, carried_along;  // how far a goes in the small step, and how much farther the other end
    Float4 normal;                    // of a plane
    float radius = 0, friction = 0;
    bool plane = false, hollow = false;
};
struct OctetSolid {
    uint32_t octet, solid;
};
// Points nearer to a solid than `thickness` are put there, and what they slid against it is taken back up to Coulomb's
// limit. Being put outside gives no speed: `previous` goes along. `near` is sorted by octet.
void leave_solids(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
                  Float4* previous);
void leave_solids_scalar(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
                         Float4* previous);

}  // namespace sinew
