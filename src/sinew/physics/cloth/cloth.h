// Cloth: a triangle mesh that hangs, drapes and flutters, by XPBD with small steps [Macklin2016] [Macklin2019].
// Data flow: a mesh, pins, options → *here*, step after step, among colliders and bodies → positions.
//
//   Cloth cloth(positions, triangles, {.density = 0.2f});
//   cloth.pin(0), cloth.pin(1);
//   for (int frame = 0; frame < 240; ++frame) cloth.step(1.0f / 60.0f, {.colliders = {&ball, 1}});
//
// A step is cut into small ones. Each moves all points by their velocities, then takes every constraint once: edges
// keep their lengths, hinges resist bending, tethers keep points from going farther from a pin than the cloth is long;
// then points leave what they are inside of. The velocity is what the points did.
#pragma once

#include <sinew/curve/noise.h>
#include <sinew/physics/cloth/cloth_grid.h>
#include <sinew/physics/cloth/hinge.h>
#include <sinew/physics/cloth/kernels/cloth_kernel.h>
#include <sinew/physics/colliders.h>
#include <sinew/physics/surface_tree.h>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

enum class Bending : uint8_t { hinges, springs };

struct ClothOptions {
    float density = 0.2f;  // kilograms per square metre
    float stretch = 0.0f;  // compliance of edges, metres per newton; 0: as stiff as the steps allow
    // Hinges: stiffness, newton metres; unless told, such that folds are some edges wide. Springs: compliance, metres
    // per newton; unless told, 1.
    std::optional<float> bend = {};
    Bending bending = Bending::hinges;
    bool tethers = true;
    float damping = 0.1f;  // share of the velocity lost in a second to the air, at rest
    float air = 0.5f;      // how much the wind catches, 0 to 1
    float friction = 0.3f;
    float thickness = 0.005f;  // metres kept between the cloth and what it lies on
    bool self_collision = true;
    float self_distance = 0.0f;  // metres kept between layers; 0: by the mesh's edges
    float most_speed = 50.0f;    // metres a second: what is faster is a mistake of the input
    int substeps = 20;
    int iterations = 1;
};

// A body whose skin the cloth lies on: where it is at the end of the step. Where it was at the start is what it was at
// the end of the last.
struct ClothBody {
    const SurfaceTree* surface = nullptr;
    std::span<const Vec3> before = {};  // its vertices at the start of the step
};

struct ClothWorld {
    Vec3 gravity = Vec3(0, -9.81f, 0);
    std::span<const Collider> colliders = {};  // where they are at the start of the step; they move along
    std::span<const ClothBody> bodies = {};
    const Wind* wind = nullptr;
    double time = 0.0;  // for the wind
};

class Cloth {
public:
    // Triangles of valid indices. Vertices at one place in the mesh (seams) should have been welded.
    Cloth(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const ClothOptions& options = {});

    // Holds a vertex where it is, from now on; set_pin moves it during the next step. Before the first step.
    size_t pin(uint32_t vertex);
    void set_pin(size_t pin, const Vec3& place);
    size_t pin_count() const { return pins_.size(); }

    // Advances by `seconds`. After the first step nothing is allocated, but where more points come near each other than
    // ever before.
    void step(float seconds, const ClothWorld& world);

    size_t size() const { return place_.size(); }
    Vec3 position(size_t vertex) const { return at(place_[vertex]); }
    Vec3 velocity(size_t vertex) const { return speed(place_[vertex]); }
    void set_position(size_t vertex, const Vec3& place);
    void set_velocity(size_t vertex, const Vec3& velocity);
    void copy_positions(std::span<Vec3> out) const;
    bool finite() const;

    // Edges of the triangles; how much longer each is than at rest, as a share; 0 between two pins.
    struct Edge {
        uint32_t a, b;
        float rest;
    };
    std::span<const Edge> edges() const { return edges_; }
    float stretch(size_t edge) const;
    size_t constraint_count() const;
    const ClothOptions& options() const { return options_; }

private:
    // Inside, vertices stand in an order of their own, neighbours near each other: eight in a row make an octet.
    struct Pin {
        uint32_t vertex;
        Vec3 from, to;
    };
    struct Near {  // a vertex and the triangle of a body that it may touch
        uint32_t vertex, triangle, body;
    };
    struct Pair {
        uint32_t a, b;
        float distance;
    };

    struct Crossing {  // an edge, and the triangle that it pierces
        uint32_t a, b, triangle;
    };

    Vec3 at(size_t i) const { return {points_[i].x, points_[i].y, points_[i].z}; }
    Vec3 speed(size_t i) const { return {velocity_[i].x, velocity_[i].y, velocity_[i].z}; }
    void sort_vertices(std::span<const Vec3> positions, std::span<const uint32_t> triangles);
    void make_constraints();
    void make_bends();
    std::vector<DistanceBlock> distance_blocks(std::span<const Edge> constraints) const;
    void find_corners();
    void make_tethers();
    void prepare_frame(float seconds, const ClothWorld& world);
    void reserve_lists(size_t bodies);
    void catch_wind(const ClothWorld& world);
    void find_colliders(float seconds, const ClothWorld& world);
    void find_bodies(float seconds, const ClothWorld& world);
    float fastest_against_mean() const;
    int steps_per_search(float seconds) const;
    void search_self(float seconds);
    void find_self_pairs(float margin);
    void find_crossings();
    void untangle(float seconds);
    Vec3 shortening(uint32_t p, uint32_t q, const Vec3& normal) const;
    void rub_within(float seconds);
    void move_pins(float share);
    bool limit_edges(float times);
    void end_step(const ClothWorld& world);
    void move_colliders(float seconds, float elapsed, const ClothWorld& world);
    bool leave_bodies(float share, float thickness, const ClothWorld& world);
    bool leave_nearest(float thickness, const ClothWorld& world);
    void leave_self();
    void push_out(uint32_t vertex, const Vec3& normal, float depth, const Vec3& carried, float friction);
    bool joined(uint32_t a, uint32_t b) const;

    ClothOptions options_;
    std::vector<uint32_t> place_;  // where each vertex of the mesh stands inside
    std::vector<Vec3> rest_;
    std::vector<uint32_t> triangles_;
    std::vector<Float4> points_, previous_, velocity_, acceleration_;  // whole octets; the last holds spare points
    std::vector<float> inverse_mass_;
    std::vector<Edge> edges_;  // with the mesh's numbers
    std::vector<uint32_t> neighbour_first_, neighbours_;
    std::vector<Hinge> hinges_;
    std::vector<DistanceBlock> stretches_, bend_springs_;  // colour after colour
    std::vector<BendBlock> bends_;
    std::vector<float> stretch_pulls_, bend_pulls_;
    std::vector<Pin> pins_;
    std::vector<uint32_t> anchors_, own_anchor_;  // of tethers
    std::vector<float> tethers_, own_tether_;
    size_t tether_count_ = 0;
    std::vector<OctetSolid> near_solids_;
    std::vector<ClothSolid> solids_;
    std::vector<Box> solid_boxes_;
    std::vector<Near> near_;
    std::vector<std::vector<uint32_t>> last_triangle_;  // per body, per vertex
    std::vector<Pair> pairs_, layers_;  // that are near each other; those of them that no few edges join
    std::vector<Crossing> crossings_;
    std::vector<uint8_t> tangled_;
    std::vector<uint32_t> corner_first_, corners_;  // the triangles of each vertex
    ClothGrid grid_;
    float bend_ = 0.0f;  // the option, or what stands for it
    float mean_edge_ = 0.0f, longest_edge_ = 0.0f, self_distance_ = 0.0f;
    bool started_ = false;
};

}  // namespace sinew
