#include <sinew/weights/surface/surface.h>

#include <sinew/weights/surface/surface_steps.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Four times the mean distance from the middle is about the diagonal of a standing figure, and unlike the diagonal it
// does not depend on the orientation.
constexpr double size_of_mean = 4.0;
constexpr float beyond_numbers = 1e30f;  // chosen: no file means such a coordinate, and its square is no float

// The middle of the surface and its size. If there are no faces, the vertices count.
void measure(std::span<const Vec3> points, std::span<const uint32_t> triangles, Vec3d& center, double& size) {
    double mass = 0.0;
    Vec3d sum = Vec3d::Zero();
    const auto each = [&](const auto& visit) {
        for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
            const Vec3d a = points[triangles[i]].cast<double>(), b = points[triangles[i + 1]].cast<double>(),
                        c = points[triangles[i + 2]].cast<double>();
            visit(0.5 * (b - a).cross(c - a).norm(), Vec3d((a + b + c) / 3.0));
        }
    };
    const auto each_point = [&](const auto& visit) {
        for (const Vec3& p : points) visit(1.0, p.cast<double>());
    };
    const auto add = [&](double weight, const Vec3d& p) {
        mass += weight;
        sum += weight * p;
    };
    each(add);
    const bool faces = mass > 0.0;
    if (!faces) each_point(add);
    center = mass > 0.0 ? Vec3d(sum / mass) : Vec3d(Vec3d::Zero());
    double spread = 0.0;
    const auto widen = [&](double weight, const Vec3d& p) { spread += weight * (p - center).norm(); };
    if (faces)
        each(widen);
    else
        each_point(widen);
    size = mass > 0.0 ? size_of_mean * spread / mass : 0.0;
    if (!(size > 0.0) || !std::isfinite(size)) size = 1.0;
}

struct Input {
    std::vector<Vec3> points;
    std::vector<uint32_t> faces;
    std::vector<uint8_t> broken;  // per point: not finite, or far too large
};

// All meshes in one list, without the faces that name a missing vertex.
Input join(std::span<const WeightMesh> meshes, std::vector<size_t>& mesh_begin) {
    Input input;
    mesh_begin = {0};
    for (const WeightMesh& mesh : meshes) {
        const auto base = static_cast<uint32_t>(input.points.size());
        input.points.insert(input.points.end(), mesh.positions.begin(), mesh.positions.end());
        for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
            const uint32_t* t = &mesh.triangles[i];
            if (std::max({t[0], t[1], t[2]}) >= mesh.positions.size()) continue;
            for (int k = 0; k < 3; ++k) input.faces.push_back(base + t[k]);
        }
        mesh_begin.push_back(input.points.size());
    }
    return input;
}

// Moves broken points to the origin and drops their faces. Returns how many points are broken.
size_t leave_out_broken(Input& input) {
    input.broken.assign(input.points.size(), 0);
    size_t count = 0;
    for (size_t v = 0; v < input.points.size(); ++v) {
        if (input.points[v].allFinite() && input.points[v].cwiseAbs().maxCoeff() < beyond_numbers) continue;
        input.broken[v] = 1;
        input.points[v] = Vec3::Zero();
        ++count;
    }
    std::vector<uint32_t>& faces = input.faces;
    size_t kept = 0;
    for (size_t i = 0; count > 0 && i < faces.size(); i += 3) {
        if (input.broken[faces[i]] || input.broken[faces[i + 1]] || input.broken[faces[i + 2]]) continue;
        for (size_t k = 0; k < 3; ++k) faces[kept + k] = faces[i + k];
        kept += 3;
    }
    if (count > 0) faces.resize(kept);
    return count;
}

}  // namespace

Surface make_surface(std::span<const WeightMesh> meshes) {
    Surface surface;
    Input input = join(meshes, surface.mesh_begin);
    surface.broken_positions = leave_out_broken(input);
    measure(input.points, input.faces, surface.center, surface.size);
    std::vector<Vec3d> unit(input.points.size());
    for (size_t v = 0; v < unit.size(); ++v)
        unit[v] = input.broken[v] ? Vec3d(Vec3d::Zero()) : surface.to_surface(input.points[v].cast<double>());
    Welded welded = weld(unit);
    surface.vertex_of = std::move(welded.vertex_of);
    surface.positions = std::move(welded.positions);
    for (size_t i = 0; i < input.faces.size(); i += 3) {
        const uint32_t a = surface.vertex_of[input.faces[i]], b = surface.vertex_of[input.faces[i + 1]],
                       c = surface.vertex_of[input.faces[i + 2]];
        if (a != b && b != c && c != a) surface.triangles.insert(surface.triangles.end(), {a, b, c});
    }
    drop_doubles(surface.triangles, surface.vertex_count());
    connect_faces(surface);
    surface.mended = mend_cracks(surface);
    if (surface.mended > 0) {
        drop_doubles(surface.triangles, surface.vertex_count());
        connect_faces(surface);
    }
    make_normals(surface);
    return surface;
}

}  // namespace sinew
