// Surface: makes a textured mesh of an implicit body in one call: polygonise, remesh, unwrap, paint.
// Data flow: implicit_field.h → *here* → humanoid.cpp, quadruped.cpp.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/sample/charts.h>
#include <sinew/sample/remesh.h>
#include <functional>

namespace sinew::shape {

struct SurfaceOptions {
    Box box;  // of the half x ≥ 0
    double cell = 0.004;
    RemeshOptions remesh;
    int texture_size = 512;
    std::vector<Chart> charts;
    // The chart of a triangle that lies on the given part of the field, and the colour (sRGB, 0..1) of a point on it.
    std::function<int(const Part&, const Vec3d& center, const Vec3d& normal)> chart_of;
    std::function<Vec3(const Part&, const Vec3d&)> color_of;
};

struct Surface {
    Mesh closed;     // one vertex per point
    Unwrapped skin;  // with UVs, split along the charts' borders
    Bytes texture;   // PNG
};
Surface make_surface(const Field& field, const SurfaceOptions& options);

}  // namespace sinew::shape
