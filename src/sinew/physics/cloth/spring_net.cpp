#include <sinew/physics/cloth/spring_net.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Vec3d point_at(std::span<const double> x, uint32_t i) {
    return {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

void add_to(std::span<double> f, uint32_t i, const Vec3d& value) {
    for (uint32_t k = 0; k < 3; ++k) f[3 * i + k] += value[static_cast<int>(k)];
}

void hold_fixed(const SpringNet& net, std::span<double> f) {
    for (uint32_t i = 0; i < net.fixed.size(); ++i)
        if (net.fixed[i]) f[3 * i] = f[3 * i + 1] = f[3 * i + 2] = 0.0;
}

double turned(const Hinge& h, double angle) {
    return std::remainder(angle - h.rest_angle, 2.0 * M_PI);
}

void net_force(const SpringNet& net, std::span<const double> x, std::span<const double> v, std::span<double> f) {
    for (uint32_t i = 0; i < net.masses.size(); ++i) {
        const Vec3d force = net.masses[i] * net.gravity - net.air * point_at(v, i);
        for (uint32_t k = 0; k < 3; ++k) f[3 * i + k] = force[static_cast<int>(k)];
    }
    for (const Spring& s : net.springs) {
        const Vec3d between = point_at(x, s.b) - point_at(x, s.a);
        const double length = between.norm();
        if (!(length > 0.0)) continue;
        const Vec3d along = between / length;
        const double closing = along.dot(point_at(v, s.b) - point_at(v, s.a));
        const Vec3d pull = (s.stiffness * (length - s.rest) + s.damping * closing) * along;
        add_to(f, s.a, pull);
        add_to(f, s.b, -pull);
    }
    std::array<Vec3d, 4> gradient;
    for (const Hinge& h : net.hinges) {
        const double angle =
            hinge_angle(point_at(x, h.a), point_at(x, h.b), point_at(x, h.c), point_at(x, h.d), gradient);
        const double push = -net.bending * h.shape * turned(h, angle);
        for (size_t k = 0; k < 4; ++k) add_to(f, std::array{h.a, h.b, h.c, h.d}[k], push * gradient[k]);
    }
    hold_fixed(net, f);
}

// −(stiffness of the net) dx − (its damping) dv, without the parts that are not positive.
void net_change(const SpringNet& net, std::span<const double> x, std::span<const double> dx, std::span<const double> dv,
                std::span<double> df) {
    for (uint32_t i = 0; i < net.masses.size(); ++i)
        for (uint32_t k = 0; k < 3; ++k) df[3 * i + k] = -net.air * dv[3 * i + k];
    for (const Spring& s : net.springs) {
        const Vec3d between = point_at(x, s.b) - point_at(x, s.a);
        const double length = between.norm();
        if (!(length > 0.0)) continue;
        const Vec3d along = between / length, d = point_at(dx, s.b) - point_at(dx, s.a);
        const double stretch = along.dot(d), across = std::max(0.0, 1.0 - s.rest / length);
        const double damp = s.damping * along.dot(point_at(dv, s.b) - point_at(dv, s.a));
        const Vec3d pull = (s.stiffness * stretch + damp) * along + s.stiffness * across * (d - stretch * along);
        add_to(df, s.a, pull);
        add_to(df, s.b, -pull);
    }
    std::array<Vec3d, 4> gradient;
    for (const Hinge& h : net.hinges) {
        const std::array ids = {h.a, h.b, h.c, h.d};
        hinge_angle(point_at(x, h.a), point_at(x, h.b), point_at(x, h.c), point_at(x, h.d), gradient);
        double turn = 0.0;
        for (size_t k = 0; k < 4; ++k) turn += gradient[k].dot(point_at(dx, ids[k]));
        for (size_t k = 0; k < 4; ++k) add_to(df, ids[k], -net.bending * h.shape * turn * gradient[k]);
    }
    hold_fixed(net, df);
}

}  // namespace

SpringNet make_net(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const NetOptions& options) {
    SpringNet net;
    net.masses.assign(positions.size(), 0.0);
    net.fixed.assign(positions.size(), 0);
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = positions[triangles[t]].cast<double>(), b = positions[triangles[t + 1]].cast<double>(),
                    c = positions[triangles[t + 2]].cast<double>();
        for (size_t k = 0; k < 3; ++k) {
            net.masses[triangles[t + k]] += options.density * (b - a).cross(c - a).norm() / 6.0;
            edges.push_back(std::minmax(triangles[t + k], triangles[t + (k + 1) % 3]));
        }
    }
    const double mean = options.density > 0.0 ? 1e-9 : 0.0;  // vertices of no triangle weigh next to nothing
    for (double& mass : net.masses) mass = std::max(mass, mean);
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    const auto distance = [&](uint32_t a, uint32_t b) { return (positions[a] - positions[b]).cast<double>().norm(); };
    for (const auto& [a, b] : edges) net.springs.push_back({a, b, distance(a, b), options.structural, options.damping});
    std::vector<Hinge> hinges = find_hinges(positions, triangles);
    if (options.bend_spring > 0.0)
        for (const Hinge& h : hinges)
            net.springs.push_back({h.c, h.d, distance(h.c, h.d), options.bend_spring, options.damping});
    net.bending = options.bending;
    if (options.bending > 0.0) net.hinges = std::move(hinges);
    return net;
}

Forces net_forces(const SpringNet& net) {
    return {.force = [&net](double, auto x, auto v, auto f) { net_force(net, x, v, f); },
            .change = [&net](double, auto x, auto, auto dx, auto dv, auto df) { net_change(net, x, dx, dv, df); }};
}

std::vector<double> coordinate_masses(const SpringNet& net) {
    std::vector<double> all;
    for (const double mass : net.masses) all.insert(all.end(), 3, mass);
    return all;
}

double net_energy(const SpringNet& net, const MotionState& state) {
    double sum = 0.0;
    for (uint32_t i = 0; i < net.masses.size(); ++i)
        sum += net.masses[i] * (0.5 * point_at(state.v, i).squaredNorm() - net.gravity.dot(point_at(state.x, i)));
    for (const Spring& s : net.springs) {
        const double stretch = (point_at(state.x, s.a) - point_at(state.x, s.b)).norm() - s.rest;
        sum += 0.5 * s.stiffness * stretch * stretch;
    }
    for (const Hinge& h : net.hinges) {
        const double turn = turned(h, hinge_angle(point_at(state.x, h.a), point_at(state.x, h.b),
                                                  point_at(state.x, h.c), point_at(state.x, h.d)));
        sum += 0.5 * net.bending * h.shape * turn * turn;
    }
    return sum;
}

}  // namespace sinew
