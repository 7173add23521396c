#include <sinew/sample/charts.h>

#include <array>
#include <cmath>
#include <map>

namespace sinew::shape {

namespace {

using Vec2d = Eigen::Vector2d;

struct Frame {
    Vec3d across, ahead, up;
    double length;
};

Frame frame_of(const Chart& chart) {
    Frame f;
    f.up = (chart.high - chart.low).normalized();
    f.ahead = (chart.front - f.up * chart.front.dot(f.up)).normalized();
    f.across = f.up.cross(f.ahead);
    f.length = (chart.high - chart.low).norm();
    return f;
}

Vec2d project(const Chart& chart, const Frame& f, const Vec3d& p) {
    Vec3d d = p - chart.low;
    double across = d.dot(f.across), ahead = d.dot(f.ahead), along = d.dot(f.up);
    if (chart.kind == Chart::flat) return {across, along};
    double radius = std::hypot(across, ahead), beyond = 0, base = along;
    if (along > f.length) {
        beyond = along - f.length;
        base = f.length;
    } else if (along < 0) {
        beyond = along;
        base = 0;
    }
    double reach = std::hypot(radius, beyond);
    double angle = std::atan2(across, ahead);
    return {angle + chart.front_gain * std::sin(angle), base + reach * std::atan2(beyond, std::max(radius, 1e-9))};
}

}  // namespace

Unwrapped unwrap(const Mesh& mesh, std::span<const int> chart_of_triangle, std::span<const Chart> charts) {
    std::vector<Frame> frames;
    for (const Chart& chart : charts) frames.push_back(frame_of(chart));
    std::vector<Eigen::AlignedBox2d> extent(charts.size());
    std::vector<Vec2d> raw;
    std::vector<int> chart_of_vertex;
    Unwrapped out;
    std::map<std::array<int, 3>, uint32_t> made;  // (vertex, chart, turns around) → output vertex

    for (size_t t = 0; t < mesh.triangle_count(); ++t) {
        int c = chart_of_triangle[t];
        Vec3d center = Vec3d::Zero();
        for (int i = 0; i < 3; ++i) center += mesh.positions[mesh.triangles[3 * t + i]].cast<double>() / 3;
        double middle = project(charts[c], frames[c], center).x();
        for (int i = 0; i < 3; ++i) {
            uint32_t v = mesh.triangles[3 * t + i];
            Vec2d uv = project(charts[c], frames[c], mesh.positions[v].cast<double>());
            int turns = 0;
            if (charts[c].kind == Chart::unrolled) turns = static_cast<int>(std::lround((middle - uv.x()) / (2 * pi)));
            auto [place, fresh] =
                made.try_emplace({static_cast<int>(v), c, turns}, static_cast<uint32_t>(out.source.size()));
            if (fresh) {
                uv.x() += turns * 2 * static_cast<double>(pi);
                extent[c].extend(uv);
                raw.push_back(uv);
                chart_of_vertex.push_back(c);
                out.source.push_back(v);
                out.mesh.positions.push_back(mesh.positions[v]);
                out.mesh.normals.push_back(mesh.normals[v]);
            }
            out.mesh.triangles.push_back(place->second);
        }
    }
    for (size_t v = 0; v < raw.size(); ++v) {
        const Chart& chart = charts[chart_of_vertex[v]];
        Vec2d u = (raw[v] - extent[chart_of_vertex[v]].min())
                      .cwiseQuotient(extent[chart_of_vertex[v]].sizes().cwiseMax(1e-9));
        out.mesh.uvs.emplace_back(static_cast<float>(chart.left + u.x() * (chart.right - chart.left)),
                                  static_cast<float>(chart.bottom + u.y() * (chart.top - chart.bottom)));
    }
    return out;
}

}  // namespace sinew::shape
