#include <sinew/io/fbx/space.h>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr double centimetre = 0.01;
constexpr double smallest_unit = 1e-6, largest_unit = 1e6;  // centimetres; beyond this the number is damage

// The file's axis that `name` speaks of ("UpAxis" and "UpAxisSign"), as a row; `otherwise` where it does not say.
Eigen::RowVector3d axis_row(const Object& settings, std::string_view name, int otherwise) {
    const int64_t axis = settings.integer(name, otherwise);
    const int64_t sign = settings.integer(std::string(name) + "Sign", 1);
    return (sign < 0 ? -1.0 : 1.0) * Eigen::RowVector3d::Unit(axis >= 0 && axis <= 2 ? axis : otherwise);
}

}  // namespace

AffineD Placement::matrix() const {
    AffineD result = AffineD::Identity();
    result.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
    result.translation() = translation;
    return result;
}

Placement Space::placement(const Placement& local, bool is_root) const {
    Placement result = local;
    result.translation = point(local.translation);
    if (mirrored) {
        result.rotation.y() = -result.rotation.y();
        result.rotation.z() = -result.rotation.z();
    }
    if (is_root) {
        result.translation = upright * result.translation;
        result.rotation = upright * result.rotation;
    }
    return result;
}

AffineD Space::matrix(const AffineD& m) const {
    AffineD result = m;
    result.translation() = point(m.translation());
    if (mirrored) {
        result.linear().row(0) *= -1;
        result.linear().col(0) *= -1;
    }
    return result;
}

Space space_of(const Graph& graph) {
    Space space;
    Mat3d axes;
    axes.row(0) = axis_row(graph.settings, "CoordAxis", 0);
    axes.row(1) = axis_row(graph.settings, "UpAxis", 1);
    axes.row(2) = axis_row(graph.settings, "FrontAxis", 2);
    const double handed = axes.determinant();
    if (std::abs(handed) < 0.5) axes.setIdentity();  // two of the three are the same: it says nothing
    space.mirrored = handed < -0.5;
    if (space.mirrored) axes.col(0) *= -1;
    space.upright = Quatd(axes);
    const double unit = graph.settings.real("UnitScaleFactor", 1.0);
    space.metres = unit > smallest_unit && unit < largest_unit ? unit * centimetre : centimetre;
    return space;
}

}  // namespace sinew::fbx
