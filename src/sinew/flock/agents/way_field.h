// WayField: from any place of the ground the direction in which to walk to a goal, round all obstacles.
// Data flow: obstacles, a goal → distances by fast marching [Sethian1996] → *here*, towards_goal() → walkers.h.
#pragma once

#include <sinew/flock/agents/ground.h>
#include <cstdint>

namespace sinew {

class WayField {
public:
    // For discs of this radius within the box from `low` to `high`. Cells are as large as the smallest gap asks for, or
    // larger where there would be too many. O(cells · log cells + cells · obstacles), once.
    WayField(std::span<const GroundObstacle> obstacles, const Vec2& goal, float radius, const Vec2& low,
             const Vec2& high);

    // Unit, or zero at the goal. Straight at it where nothing is in between; outside the box and where no way leads to
    // the goal too.
    Vec2 towards_goal(const Vec2& place) const;
    // Whether a way leads from there to the goal.
    bool reaches(const Vec2& place) const;

private:
    struct Cell {
        float time = INFINITY;  // to the goal; infinite: blocked or cut off
        float ease = 1.0f;      // speed there, less near obstacles; 0: blocked
        Vec2 direction = Vec2::Zero();
        bool sees_goal = false;
    };
    size_t cell_at(int x, int z) const {
        return static_cast<size_t>(z) * static_cast<size_t>(columns_) + static_cast<size_t>(x);
    }
    bool is_cell(int x, int z) const { return x >= 0 && z >= 0 && x < columns_ && z < rows_; }
    Vec2 middle_of(int x, int z) const {
        return low_ + size_ * Vec2(static_cast<float>(x) + 0.5f, static_cast<float>(z) + 0.5f);
    }
    float time_at(int x, int z) const { return is_cell(x, z) ? cells_[cell_at(x, z)].time : INFINITY; }
    float arrival(int x, int z) const;
    void march();
    void point_downhill();

    Vec2 goal_, low_;
    float size_ = 0.25f;
    int columns_ = 0, rows_ = 0;
    std::vector<Cell> cells_;
};

}  // namespace sinew
