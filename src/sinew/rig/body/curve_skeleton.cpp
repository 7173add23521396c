#include <sinew/rig/body/curve_skeleton.h>

#include <sinew/core/union_find.h>
#include <sinew/mesh/geodesic.h>
#include <sinew/rig/body/neighbours.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace sinew {
namespace {

// All of these are chosen by us. The width of a band, as a share of the body's diagonal and in voxels at least.
constexpr double band_width = 0.02, least_band = 2.0;
// A branch that hardly leaves the ball around its fork counts as no longer than this share of the shortest allowed.
constexpr double within_ball = 0.5;
// Steps along a line in voxels, to see whether it leaves the body.
constexpr double line_step = 0.7;
// Ways through the thick of the body, at most: each costs a march through it. A way is thickness squared times as fast,
// at least `slowest` at the surface; every third voxel of it becomes a node.
constexpr int most_ways = 64;
constexpr float slowest = 0.25f;
constexpr size_t way_step = 3;

struct Bands {
    std::vector<int32_t> node;  // per voxel, −1 outside
    std::vector<Vec3d> centre;
    std::vector<double> radius;
    std::vector<std::array<int, 3>> links;  // two nodes a < b, and how many voxel faces they share
};

Bands cut_bands(const VoxelBody& body, const std::vector<float>& distance, double width) {
    Bands bands;
    bands.node.assign(body.mask.size(), -1);
    const auto band_of = [&](size_t v) { return static_cast<int>(static_cast<double>(distance[v]) / width); };
    std::vector<uint32_t> open;
    for (uint32_t seed : body.voxels) {
        if (bands.node[seed] >= 0 || !(distance[seed] < INFINITY)) continue;
        const auto id = static_cast<int32_t>(bands.centre.size());
        Vec3d sum = Vec3d::Zero();
        double count = 0.0, thick = 0.0;
        open.assign(1, seed);
        bands.node[seed] = id;
        for (size_t i = 0; i < open.size(); ++i) {
            const VoxelIndex at = body.grid.voxel(open[i]);
            sum += body.at(open[i]);
            count += 1.0;
            thick = std::max(thick, static_cast<double>(body.radius[open[i]]));
            for (int k = 0; k < cube_size; ++k) {
                const VoxelIndex n = in_cube(at, k);
                if (!body.grid.contains(n)) continue;
                const size_t v = body.grid.index(n);
                if (!body.mask[v] || bands.node[v] >= 0 || !(distance[v] < INFINITY) || band_of(v) != band_of(seed))
                    continue;
                bands.node[v] = id;
                open.push_back(static_cast<uint32_t>(v));
            }
        }
        // The mean of a bent band lies beside it: take the nearest voxel of the band instead.
        Vec3d centre = sum / count;
        if (!body.inside(centre)) {
            const Vec3d mean = centre;
            const auto away = [&](uint32_t v) { return (body.at(v) - mean).squaredNorm(); };
            centre = body.at(
                *std::min_element(open.begin(), open.end(), [&](uint32_t a, uint32_t b) { return away(a) < away(b); }));
        }
        bands.centre.push_back(centre);
        bands.radius.push_back(thick * body.grid.cell);
    }
    std::map<std::pair<int, int>, int> contacts;
    for (uint32_t v : body.voxels) {
        const VoxelIndex at = body.grid.voxel(v);
        for (size_t axis = 0; axis < 3; ++axis) {
            VoxelIndex n = at;
            if (++n[axis] >= body.grid.dims[axis]) continue;
            const int a = bands.node[v], b = bands.node[body.grid.index(n)];
            if (a >= 0 && b >= 0 && a != b) ++contacts[{std::min(a, b), std::max(a, b)}];
        }
    }
    for (const auto& [pair, count] : contacts) bands.links.push_back({pair.first, pair.second, count});
    return bands;
}

// Takes the strongest links first and none that closes a ring, so that rings are cut at their weakest place.
std::vector<std::vector<int>> span_tree(Bands& bands) {
    std::stable_sort(bands.links.begin(), bands.links.end(), [](const auto& a, const auto& b) { return a[2] > b[2]; });
    UnionFind linked(bands.centre.size());
    std::vector<std::vector<int>> next(bands.centre.size());
    for (const auto& [a, b, count] : bands.links) {
        if (!linked.join(static_cast<uint32_t>(a), static_cast<uint32_t>(b))) continue;
        next[static_cast<size_t>(a)].push_back(b);
        next[static_cast<size_t>(b)].push_back(a);
    }
    for (auto& list : next) std::sort(list.begin(), list.end());
    return next;
}

// Removes branches that lead nowhere, the shortest first, as long as there is one shorter than `least`.
void prune(CurveSkeleton& tree, double least) {
    while (true) {
        std::vector<int> children(tree.parent.size(), 0);
        for (int j = 1; j < tree.size(); ++j) ++children[static_cast<size_t>(tree.parent[static_cast<size_t>(j)])];
        int worst = -1;
        double shortest = least;
        for (int j = 1; j < tree.size(); ++j) {
            if (children[static_cast<size_t>(j)] > 0) continue;
            double length = 0.0;
            int at = j;
            do {
                length += tree.length(at);
                at = tree.parent[static_cast<size_t>(at)];
            } while (at > 0 && children[static_cast<size_t>(at)] == 1);
            // What hardly leaves the ball around its fork is no branch, either.
            const auto fork = static_cast<size_t>(at);
            const double out = (tree.position[static_cast<size_t>(j)] - tree.position[fork]).norm() - tree.radius[fork];
            length = std::min(length, std::max(0.0, out) + within_ball * least);
            if (length < shortest) shortest = length, worst = j;
        }
        if (worst < 0) return;
        // Remove the branch up to where it forks.
        std::vector<char> gone(tree.parent.size(), 0);
        int at = worst;
        do {
            gone[static_cast<size_t>(at)] = 1;
            at = tree.parent[static_cast<size_t>(at)];
        } while (at > 0 && children[static_cast<size_t>(at)] == 1);
        CurveSkeleton kept;
        std::vector<int> number(tree.parent.size(), -1);
        for (int j = 0; j < tree.size(); ++j) {
            const auto i = static_cast<size_t>(j);
            if (gone[i]) continue;
            number[i] = kept.size();
            kept.position.push_back(tree.position[i]);
            kept.radius.push_back(tree.radius[i]);
            kept.parent.push_back(tree.parent[i] < 0 ? -1 : number[static_cast<size_t>(tree.parent[i])]);
        }
        tree = std::move(kept);
        if (tree.size() <= 1) return;
    }
}

// Whether a straight line leaves the body.
bool leaves(const VoxelBody& body, const Vec3d& from, const Vec3d& to) {
    const int steps = 1 + static_cast<int>((to - from).norm() / (line_step * body.grid.cell));
    for (int k = 0; k <= steps; ++k)
        if (!body.inside(from + (to - from) * (static_cast<double>(k) / steps))) return true;
    return false;
}

}  // namespace

double CurveSkeleton::length(int node) const {
    const int p = parent[static_cast<size_t>(node)];
    return p < 0 ? 0.0 : (position[static_cast<size_t>(node)] - position[static_cast<size_t>(p)]).norm();
}

CurveSkeleton find_curve_skeleton(const VoxelBody& body, const Extremities& ends, double least) {
    CurveSkeleton tree;
    if (body.empty()) return tree;
    const uint32_t tip = ends.list.empty() ? ends.middle : ends.list.front().voxel;
    const std::vector<float> distance = geodesic_distance(body.grid, body.mask, std::span(&tip, 1));
    const double width = std::max(least_band, band_width * (body.high - body.low).norm() / body.grid.cell);
    Bands bands = cut_bands(body, distance, width);
    const std::vector<std::vector<int>> next = span_tree(bands);
    std::vector<int> number(bands.centre.size(), -1);
    std::vector<int> open = {bands.node[ends.middle]};
    if (open[0] < 0) return tree;
    number[static_cast<size_t>(open[0])] = 0;
    tree.parent.push_back(-1);
    for (size_t i = 0; i < open.size(); ++i) {
        const auto at = static_cast<size_t>(open[i]);
        tree.position.push_back(bands.centre[at]);
        tree.radius.push_back(bands.radius[at]);
        for (int n : next[at]) {
            if (number[static_cast<size_t>(n)] >= 0) continue;
            number[static_cast<size_t>(n)] = static_cast<int>(open.size());
            open.push_back(n);
            tree.parent.push_back(static_cast<int>(i));
        }
    }
    prune(tree, least);
    return tree;
}

void keep_inside(const VoxelBody& body, CurveSkeleton& tree) {
    int ways = most_ways;
    std::vector<float> speed;
    CurveSkeleton kept;
    std::vector<int> number(tree.parent.size(), -1);
    const auto add = [&](const Vec3d& at, double radius, int parent) {
        kept.position.push_back(at);
        kept.radius.push_back(radius);
        kept.parent.push_back(parent);
        return kept.size() - 1;
    };
    for (size_t j = 0; j < tree.parent.size(); ++j) {
        int parent = tree.parent[j] < 0 ? -1 : number[static_cast<size_t>(tree.parent[j])];
        const Vec3d to = tree.position[j];
        if (parent >= 0 && ways > 0 && leaves(body, kept.position[static_cast<size_t>(parent)], to)) {
            --ways;
            if (speed.empty()) {
                speed.assign(body.radius.begin(), body.radius.end());
                for (float& v : speed) v = std::max(v * v, slowest);
            }
            const auto seed = static_cast<uint32_t>(body.grid.index(body.grid.locate(to)));
            const auto from =
                static_cast<uint32_t>(body.grid.index(body.grid.locate(kept.position[static_cast<size_t>(parent)])));
            const std::vector<float> away =
                geodesic_distance(body.grid, body.mask, std::span(&seed, 1), {.speed = speed, .until = from});
            const std::vector<uint32_t> way = descend(body.grid, away, from);
            for (size_t k = way_step; k + way_step < way.size(); k += way_step)
                parent = add(body.at(way[k]), body.grid.cell * static_cast<double>(body.radius[way[k]]), parent);
        }
        number[j] = add(to, tree.radius[j], parent);
    }
    tree = std::move(kept);
}

}  // namespace sinew
