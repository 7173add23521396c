// SpringNet: masses joined by springs and hinges, as forces that any integrator steps: chains, ropes, jelly, and cloth
// as [BaraffWitkin1998] simulate it. Data flow: a mesh → *here* → integrate/integrator.h.
#pragma once

#include <sinew/physics/cloth/hinge.h>
#include <sinew/physics/integrate/integrator.h>
#include <span>
#include <vector>

namespace sinew {

struct Spring {
    uint32_t a = 0, b = 0;
    double rest = 0.0;
    double stiffness = 0.0;  // newtons per metre
    double damping = 0.0;    // newtons per metre a second, along the spring
};

// Coordinates are x y z of one point after another. A fixed point does not move.
struct SpringNet {
    std::vector<double> masses;  // one per point
    std::vector<Spring> springs;
    std::vector<Hinge> hinges;
    double bending = 0.0;  // stiffness of all hinges, newton metres
    Vec3d gravity = Vec3d(0, -9.81, 0);
    double air = 0.0;  // drag: newtons per (metre a second), on each point
    std::vector<uint8_t> fixed;
};

struct NetOptions {
    double density = 0.2;      // kilograms per square metre
    double structural = 500;   // newtons per metre, of a spring along each edge
    double bend_spring = 0.0;  // of a spring across each inner edge, between the vertices opposite to it
    double bending = 0.0;      // newton metres, of hinges
    double damping = 0.01;
};
// Springs along the edges of a mesh, masses by area.
SpringNet make_net(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const NetOptions& options);

// The net as forces. It must outlive them. Implicit steps stay stable: a spring that is compressed counts as one that
// is not across its direction, and hinges without the turning of their gradients.
Forces net_forces(const SpringNet& net);

// One mass per coordinate, for an Integrator.
std::vector<double> coordinate_masses(const SpringNet& net);

double net_energy(const SpringNet& net, const MotionState& state);

}  // namespace sinew
