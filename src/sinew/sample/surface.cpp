#include <sinew/sample/surface.h>

#include <sinew/core/check.h>
#include <sinew/image/encode_png.h>
#include <sinew/sample/paint.h>
#include <sinew/sample/surface_nets.h>

namespace sinew::shape {

namespace {

Bytes to_png(const Picture& picture) {
    std::vector<uint8_t> rgba;
    for (const auto& pixel : picture.pixels) rgba.insert(rgba.end(), {pixel[0], pixel[1], pixel[2], 255});
    auto png = encode_png(picture.size, picture.size, rgba);
    SINEW_CHECK(png.has_value());
    return *std::move(png);
}

}  // namespace

Surface make_surface(const Field& field, const SurfaceOptions& options) {
    Surface surface;
    HalfMesh half = remesh(field, surface_nets(field, options.box, options.cell), options.remesh);
    surface.closed = mirror_halves(field, half);

    LocalField local(field);
    const Mesh& mesh = surface.closed;
    std::vector<int> chart;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        Vec3d p[3];
        for (int i = 0; i < 3; ++i) p[i] = mesh.positions[mesh.triangles[t + i]].cast<double>();
        Vec3d center = (p[0] + p[1] + p[2]) / 3;
        Vec3d normal = (p[1] - p[0]).cross(p[2] - p[0]);
        chart.push_back(options.chart_of(field.parts()[local.owner(center)], center, normal));
    }
    surface.skin = unwrap(mesh, chart, options.charts);
    Picture picture = paint(surface.skin.mesh, options.texture_size,
                            [&](const Vec3d& p) { return options.color_of(field.parts()[local.owner(p)], p); });
    surface.texture = to_png(picture);
    return surface;
}

}  // namespace sinew::shape
