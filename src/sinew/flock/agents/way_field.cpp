#include <sinew/flock/agents/way_field.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cmath>
#include <queue>

namespace sinew {
namespace {

constexpr float finest_cell = 0.2f;  // metres: a door is several of them wide
constexpr float most_cells_along = 400;
constexpr float keep_off = 0.4f;       // metres from an obstacle at which a walker feels free
constexpr float slowest_ease = 0.25f;  // of walking right beside one

}  // namespace

WayField::WayField(std::span<const GroundObstacle> obstacles, const Vec2& goal, float radius, const Vec2& low,
                   const Vec2& high)
    : goal_(goal), low_(low) {
    const Vec2 extent = (high - low).cwiseMax(Vec2::Constant(finest_cell));
    size_ = std::max(finest_cell, extent.maxCoeff() / most_cells_along);
    columns_ = static_cast<int>(std::ceil(extent.x() / size_)), rows_ = static_cast<int>(std::ceil(extent.y() / size_));
    cells_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
    parallel_for(static_cast<size_t>(rows_), 8, [&](size_t begin, size_t end) {
        for (int z = static_cast<int>(begin); z < static_cast<int>(end); ++z)
            for (int x = 0; x < columns_; ++x) {
                Cell& cell = cells_[cell_at(x, z)];
                float room = INFINITY;
                for (const GroundObstacle& obstacle : obstacles)
                    room = std::min(room, distance_to(obstacle, middle_of(x, z)).distance - radius);
                cell.ease = room < 0.0f ? 0.0f : std::clamp(room / keep_off, slowest_ease, 1.0f);
                cell.sees_goal = room >= 0.0f && free_between(obstacles, middle_of(x, z), goal, radius);
            }
    });
    march();
    point_downhill();
}

// The eikonal equation's upwind solution at a cell, from the neighbours that are known.
float WayField::arrival(int x, int z) const {
    const float a = std::min(time_at(x - 1, z), time_at(x + 1, z)), b = std::min(time_at(x, z - 1), time_at(x, z + 1));
    const float cost = size_ / cells_[cell_at(x, z)].ease;
    const float nearer = std::min(a, b), difference = std::abs(a - b);
    if (!(difference < cost)) return nearer + cost;
    return 0.5f * (a + b + std::sqrt(2.0f * cost * cost - difference * difference));
}

void WayField::march() {
    using Front = std::pair<float, uint32_t>;
    std::priority_queue<Front, std::vector<Front>, std::greater<>> front;
    std::vector<uint8_t> done(cells_.size());
    // Starts from all that see the goal: there the distance is exact.
    for (int z = 0; z < rows_; ++z)
        for (int x = 0; x < columns_; ++x)
            if (Cell& cell = cells_[cell_at(x, z)]; cell.sees_goal) {
                cell.time = (middle_of(x, z) - goal_).norm();
                front.emplace(cell.time, static_cast<uint32_t>(cell_at(x, z)));
            }
    while (!front.empty()) {
        const auto [time, index] = front.top();
        front.pop();
        if (done[index]) continue;
        done[index] = 1;
        const int x = static_cast<int>(index) % columns_, z = static_cast<int>(index) / columns_;
        for (const auto& [dx, dz] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            if (!is_cell(x + dx, z + dz)) continue;
            Cell& next = cells_[cell_at(x + dx, z + dz)];
            if (next.ease == 0.0f || next.sees_goal || done[cell_at(x + dx, z + dz)]) continue;
            const float arrives = arrival(x + dx, z + dz);
            if (arrives >= next.time) continue;
            next.time = arrives;
            front.emplace(arrives, static_cast<uint32_t>(cell_at(x + dx, z + dz)));
        }
    }
}

void WayField::point_downhill() {
    for (int z = 0; z < rows_; ++z)
        for (int x = 0; x < columns_; ++x) {
            Cell& cell = cells_[cell_at(x, z)];
            // From inside what is blocked, towards the nearest way.
            const float here = cell.time;
            const auto slope = [&](float before, float after) {
                const float back = std::isfinite(before) ? before : here, ahead = std::isfinite(after) ? after : here;
                if (!std::isfinite(here)) return std::isfinite(before) ? -1.0f : std::isfinite(after) ? 1.0f : 0.0f;
                return std::min(back, ahead) < here ? (back < ahead ? -(here - back) : here - ahead) : 0.0f;
            };
            const Vec2 down(slope(time_at(x - 1, z), time_at(x + 1, z)), slope(time_at(x, z - 1), time_at(x, z + 1)));
            const float length = down.norm();
            if (length > 0.0f) cell.direction = down / length;
        }
}

Vec2 WayField::towards_goal(const Vec2& place) const {
    const Vec2 straight = goal_ - place;
    const float length = straight.norm();
    if (!(length > 0.0f)) return Vec2::Zero();
    const Vec2 cells = (place - low_) / size_;
    if (!(cells.minCoeff() >= 0.0f) || !(cells.x() < static_cast<float>(columns_)) ||
        !(cells.y() < static_cast<float>(rows_)))
        return straight / length;
    const int x = static_cast<int>(cells.x()), z = static_cast<int>(cells.y());
    const Cell& cell = cells_[cell_at(x, z)];
    if (cell.sees_goal) return straight / length;
    // Between the four cells around the place, so that nobody turns by steps.
    const int left = static_cast<int>(std::floor(cells.x() - 0.5f)),
              back = static_cast<int>(std::floor(cells.y() - 0.5f));
    const float u = cells.x() - 0.5f - static_cast<float>(left), v = cells.y() - 0.5f - static_cast<float>(back);
    Vec2 sum = Vec2::Zero();
    for (int k = 0; k < 4; ++k) {
        const int cx = left + k % 2, cz = back + k / 2;
        if (!is_cell(cx, cz)) continue;
        const Cell& near = cells_[cell_at(cx, cz)];
        const float weight = (k % 2 ? u : 1.0f - u) * (k / 2 ? v : 1.0f - v);
        sum += weight * (near.sees_goal ? Vec2((goal_ - place) / length) : near.direction);
    }
    const float strength = sum.norm();
    constexpr float undecided = 0.1f;  // directions that cancel out: the cell's own
    if (strength > undecided) return sum / strength;
    return cell.direction.squaredNorm() > 0.0f ? cell.direction : Vec2(straight / length);
}

bool WayField::reaches(const Vec2& place) const {
    const Vec2 cells = (place - low_) / size_;
    const int x = static_cast<int>(std::floor(cells.x())), z = static_cast<int>(std::floor(cells.y()));
    return is_cell(x, z) && std::isfinite(cells_[cell_at(x, z)].time);
}

}  // namespace sinew
