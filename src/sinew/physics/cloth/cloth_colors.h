// Colours: constraints sorted so that no two of a colour share a vertex, and eight of one can be solved side by side.
// Data flow: constraints of a mesh → *here* → blocks of eight.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// A constraint finds its colour among this many; what finds none waits for the next round of as many.
constexpr int colors_at_once = 64;

// The numbers of the constraints, colour after colour. Greedy: each takes the first colour that none of its vertices
// has. `vertices_of(constraint)` is an array of them, each below `points`.
template <class Constraint, class VerticesOf>
std::vector<std::vector<uint32_t>> color_constraints(std::span<const Constraint> constraints, size_t points,
                                                     const VerticesOf& vertices_of) {
    std::vector<uint32_t> waiting(constraints.size());
    for (uint32_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    std::vector<std::vector<uint32_t>> colors;
    while (!waiting.empty()) {
        const size_t base = colors.size();
        std::vector<uint64_t> used(points, 0);
        std::vector<uint32_t> later;
        for (const uint32_t i : waiting) {
            const auto vertices = vertices_of(constraints[i]);
            uint64_t taken = 0;
            for (const uint32_t v : vertices) taken |= used[v];
            const int color = std::countr_one(taken);
            if (color >= colors_at_once) {
                later.push_back(i);
                continue;
            }
            for (const uint32_t v : vertices) used[v] |= uint64_t{1} << color;
            if (colors.size() <= base + static_cast<size_t>(color))
                colors.resize(base + static_cast<size_t>(color) + 1);
            colors[base + static_cast<size_t>(color)].push_back(i);
        }
        waiting = std::move(later);
    }
    return colors;
}

}  // namespace sinew
