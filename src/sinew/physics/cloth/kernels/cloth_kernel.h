// The inner loops of cloth: moving, distance constraints, velocities. Each has a scalar twin that does the same.
// Data flow: Cloth's arrays → *here* → Cloth's arrays.
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

constexpr size_t block_constraints = 8;

// Eight distance constraints of one colour: no two of a colour share a vertex. Places left over in a block join the
// spare vertex (mass ∞) with itself.
struct DistanceBlock {
    alignas(32) uint32_t a[block_constraints];
    uint32_t b[block_constraints];
    float rest[block_constraints];
    float compliance[block_constraints];  // metres per newton
    float pull[block_constraints];        // Lagrange multiplier; only where there are several iterations
};

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

// One Gauss–Seidel pass of XPBD [Macklin2016] over blocks of one colour. `keep_pull`: multipliers are carried from one
// iteration to the next; without it they start at 0.
void solve_distances(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x);
void solve_distances_scalar(std::span<DistanceBlock> blocks, float seconds, bool keep_pull, Float4* x);

}  // namespace sinew
