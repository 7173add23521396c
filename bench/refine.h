// A mesh of any size and the same shape: for benchmarks that compare sizes.
#pragma once

#include <sinew/mesh/mesh.h>
#include <algorithm>
#include <map>
#include <vector>

namespace sinew::bench {

struct Edge {
    uint32_t a, b;
    float length;
};

// Halves the longest edges until the mesh has that many vertices: any size, the same shape.
inline void refine(std::vector<Vec3>& positions, std::vector<uint32_t>& triangles, size_t target) {
    while (positions.size() < target) {
        std::vector<Edge> edges;
        for (size_t i = 0; i < triangles.size(); i += 3)
            for (size_t k = 0; k < 3; ++k) {
                const uint32_t a = triangles[i + k], b = triangles[i + (k + 1) % 3];
                if (a < b) edges.push_back({a, b, (positions[a] - positions[b]).norm()});
            }
        std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) { return x.length > y.length; });
        edges.resize(std::min({edges.size(), target - positions.size(), edges.size() / 3 + 1}));
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> middle;
        for (const Edge& e : edges) {
            middle[{e.a, e.b}] = static_cast<uint32_t>(positions.size());
            positions.push_back(0.5f * (positions[e.a] + positions[e.b]));
        }
        // A triangle with a halved edge is cut from that edge's middle, again and again until none is left.
        std::vector<uint32_t> todo = std::move(triangles), done;
        while (!todo.empty()) {
            const uint32_t c[3] = {todo[todo.size() - 3], todo[todo.size() - 2], todo[todo.size() - 1]};
            todo.resize(todo.size() - 3);
            bool cut = false;
            for (int k = 0; k < 3 && !cut; ++k) {
                const uint32_t a = c[k], b = c[(k + 1) % 3], o = c[(k + 2) % 3];
                const auto found = middle.find({std::min(a, b), std::max(a, b)});
                if (found == middle.end()) continue;
                todo.insert(todo.end(), {a, found->second, o, found->second, b, o});
                cut = true;
            }
            if (!cut) done.insert(done.end(), {c[0], c[1], c[2]});
        }
        triangles = std::move(done);
    }
}

}  // namespace sinew::bench
