#include <sinew/physics/cloth/creases.h>

#include <cmath>

namespace sinew {
namespace {

constexpr double folded_deg = 150.0, creased_deg = 60.0;

}  // namespace

Creases measure_creases(std::span<const Hinge> hinges, std::span<const Vec3> positions) {
    Creases out;
    if (hinges.empty()) return out;
    const auto at = [&](uint32_t vertex) { return Vec3d(positions[vertex].cast<double>()); };
    for (const Hinge& h : hinges) {
        const double angle = hinge_angle(at(h.a), at(h.b), at(h.c), at(h.d));
        const double turned_deg = std::abs(std::remainder(angle - h.rest_angle, 2.0 * M_PI)) * 180.0 / M_PI;
        if (std::abs(angle) * 180.0 / M_PI > folded_deg) out.folded += 1.0;
        if (turned_deg > creased_deg) out.creased += 1.0;
        out.mean_deg += turned_deg;
    }
    const auto count = static_cast<double>(hinges.size());
    return {out.folded / count, out.creased / count, out.mean_deg / count};
}

}  // namespace sinew
