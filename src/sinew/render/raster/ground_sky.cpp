#include <sinew/render/raster/ground_sky.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

constexpr size_t batches = 8, directions_per_batch = 7;
constexpr size_t direction_count = batches * directions_per_batch;
constexpr float cell_per_spacing = 1.7f;  // points thrown at a slant lie farther apart
constexpr int32_t most_cells = 256;       // across the grid
constexpr float full_weight = 255.0f;
constexpr float low_height = 0.12f;  // of the figure's radius
// A cell is the sum of all its shadows, then what the present direction has added so far, then which direction that is.
constexpr uint32_t sum_bits = 16, added_bits = 8, sum_mask = 0xffffu, added_mask = 0xffu;

// Directions into the upper half of the sphere, dense where the ground faces them, so that each counts the same.
const std::array<Vec3, direction_count>& sky_directions() {
    static const auto table = [] {
        constexpr float golden_angle = 2.39996323f;
        std::array<Vec3, direction_count> directions;
        for (size_t i = 0; i < direction_count; ++i) {
            const float sine2 = (static_cast<float>(i) + 0.5f) / static_cast<float>(direction_count);
            const float r = std::sqrt(sine2), turn = golden_angle * static_cast<float>(i);
            // Batches take every eighth, so that each has directions of all kinds.
            directions[i % batches * directions_per_batch + i / batches] = {r * std::cos(turn), std::sqrt(1.0f - sine2),
                                                                            r * std::sin(turn)};
        }
        return directions;
    }();
    return table;
}

}  // namespace

void GroundSky::draw(const SurfacePoints& fine, const SurfacePoints& sparse, const Bounds& bounds, float height) {
    low_.points.clear();
    high_.points.clear();
    const float border = height + low_height * bounds.radius;
    for (const Vec3& p : fine.positions())
        if (p.y() < border) low_.points.push_back(p);
    for (const Vec3& p : sparse.positions())
        if (p.y() >= border) high_.points.push_back(p);
    low_.draw(fine.spacing(), bounds, height);
    high_.draw(sparse.spacing(), bounds, height);
    high_.blur();
}

void GroundSky::Grid::draw(float spacing, const Bounds& bounds, float height) {
    const float half = bounds.radius + SkyMaps::reach;
    const float cell = std::max(spacing * cell_per_spacing, 2.0f * half / static_cast<float>(most_cells));
    side = std::clamp(static_cast<int32_t>(2.0f * half / cell), 2, most_cells);
    cells_per_unit = static_cast<float>(side) / (2.0f * half);
    corner = Vec3(bounds.center.x() - half, height, bounds.center.z() - half);
    const size_t size = static_cast<size_t>(side) * static_cast<size_t>(side);
    sums.assign(size * batches, 0);
    const auto& directions = sky_directions();
    parallel_for(batches, 1, [&](size_t batch, size_t) {
        for (size_t i = 0; i < directions_per_batch; ++i)
            throw_shadow(directions[batch * directions_per_batch + i], static_cast<uint32_t>(i + 1),
                         &sums[batch * size]);
    });
    hidden.resize(size);
    for (size_t i = 0; i < size; ++i) {
        uint32_t sum = 0;
        for (size_t batch = 0; batch < batches; ++batch) sum += sums[batch * size + i] & sum_mask;
        hidden[i] = static_cast<float>(sum) / (full_weight * static_cast<float>(direction_count));
    }
}

// Only the strongest shadow of a direction counts. `number` names it, and is not 0.
void GroundSky::Grid::throw_shadow(const Vec3& direction, uint32_t number, uint32_t* to) const {
    const float per_height = 1.0f / direction.y();
    const float slant_x = direction.x() * per_height, slant_z = direction.z() * per_height;
    const auto limit = static_cast<float>(side);
    for (const Vec3& point : points) {
        const float above = point.y() - corner.y();
        const float distance = above * per_height;
        if (!(distance < SkyMaps::fades_out * SkyMaps::reach)) continue;
        const float u = (point.x() - above * slant_x - corner.x()) * cells_per_unit;
        const float v = (point.z() - above * slant_z - corner.z()) * cells_per_unit;
        if (!(u >= 0.0f && v >= 0.0f && u < limit && v < limit)) continue;
        const auto weight = static_cast<uint32_t>(full_weight * SkyMaps::nearness_weight(distance));
        uint32_t& cell = to[static_cast<size_t>(static_cast<int32_t>(v) * side + static_cast<int32_t>(u))];
        const bool again = cell >> (sum_bits + added_bits) == number;
        const uint32_t before = again ? cell >> sum_bits & added_mask : 0;
        if (weight > before)
            cell = number << (sum_bits + added_bits) | weight << sum_bits | ((cell & sum_mask) + weight - before);
    }
}

// Twice the mean of a cell and its neighbours, weighted 1 2 1 in both directions.
void GroundSky::Grid::blur() {
    std::vector<float> other(hidden.size());
    const auto pass = [&](const std::vector<float>& from, std::vector<float>& to, size_t step) {
        for (size_t i = 0; i < from.size(); ++i) {
            const float before = i >= step ? from[i - step] : 0.0f,
                        after = i + step < from.size() ? from[i + step] : 0.0f;
            to[i] = 0.25f * before + 0.5f * from[i] + 0.25f * after;
        }
    };
    for (int i = 0; i < 2; ++i) {
        pass(hidden, other, 1);
        pass(other, hidden, static_cast<size_t>(side));
    }
}

float GroundSky::Grid::at(const Vec3& point) const {
    const float u = (point.x() - corner.x()) * cells_per_unit - 0.5f;
    const float v = (point.z() - corner.z()) * cells_per_unit - 0.5f;
    const auto last = static_cast<float>(side - 1);
    if (!(u >= 0.0f && v >= 0.0f && u < last && v < last)) return 0.0f;
    const auto column = static_cast<size_t>(u), row = static_cast<size_t>(v), below = static_cast<size_t>(side);
    const float fu = u - static_cast<float>(column), fv = v - static_cast<float>(row);
    const float* near = &hidden[row * below + column];
    return (1.0f - fv) * ((1.0f - fu) * near[0] + fu * near[1]) +
           fv * ((1.0f - fu) * near[below] + fu * near[below + 1]);
}

float GroundSky::open(const Vec3& point) const {
    return (1.0f - low_.at(point)) * (1.0f - high_.at(point));
}

}  // namespace sinew
