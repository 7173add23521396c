#include <sinew/pipeline/simulate/cloth_measures.h>

#include <sinew/physics/cloth/creases.h>
#include <sinew/physics/cloth/crossings.h>
#include <algorithm>

namespace sinew {
namespace {

// A vertex farther from the skin than this is not in it, in metres.
constexpr float deepest_asked = 0.1f;

void note(float& worst, double now) {
    worst = std::max(worst, static_cast<float>(now));
}

}  // namespace

void note_moment(const ClothMoment& m, ClothReport& report) {
    note(report.crossing_mm, 1000.0 * deepest_crossing(m.positions, m.triangles));
    const Creases creases = measure_creases(m.hinges, m.positions);
    note(report.folded, creases.folded);
    note(report.creased, creases.creased);
    note(report.mean_bend_deg, creases.mean_deg);
    for (size_t e = 0; m.cloth && e < m.cloth->edges().size(); ++e) note(report.worst_stretch, m.cloth->stretch(e));
    for (uint32_t v = 0; m.skin && v < m.positions.size(); ++v) {
        if (std::ranges::binary_search(m.held, v)) continue;
        const SurfaceHit at = m.skin->nearest(m.positions[v], deepest_asked);
        if (at.found()) note(report.deepest_mm, -1000.0 * at.distance);
    }
}

}  // namespace sinew
