#include <sinew/rig/reading.h>

#include <sinew/mesh/geodesic.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

struct Pair {
    int left, right;  // extremities on the plane's positive and negative side
};

// What stands on which side of one mirror plane.
struct Layout {
    std::vector<Pair> pairs;
    std::vector<int> singles;  // on the plane
};

Layout pair_up(const Extremities& ends, const MirrorPlane& plane, double size) {
    const size_t count = ends.list.size();
    std::vector<char> used(count, 0);
    Layout layout;
    const auto pair_best = [&](const auto& cost, double most) {
        std::vector<std::pair<double, Pair>> options;
        for (size_t i = 0; i < count; ++i) {
            for (size_t j = 0; j < count; ++j) {
                if (used[i] || used[j] || plane.side(ends.list[i].position) <= 0.0 ||
                    plane.side(ends.list[j].position) >= 0.0)
                    continue;
                const double c = cost(ends.list[i], ends.list[j]);
                if (c < most) options.push_back({c, {static_cast<int>(i), static_cast<int>(j)}});
            }
        }
        std::stable_sort(options.begin(), options.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [c, pair] : options) {
            if (used[static_cast<size_t>(pair.left)] || used[static_cast<size_t>(pair.right)]) continue;
            used[static_cast<size_t>(pair.left)] = used[static_cast<size_t>(pair.right)] = 1;
            layout.pairs.push_back(pair);
        }
    };
    // Close to the plane and without a partner farther out: on it.
    for (size_t i = 0; i < count; ++i) {
        const double side = std::abs(plane.side(ends.list[i].position));
        bool partner = false;
        for (size_t j = 0; j < count; ++j)
            partner |= j != i && plane.side(ends.list[i].position) * plane.side(ends.list[j].position) < 0.0 &&
                       (plane.mirror(ends.list[i].position) - ends.list[j].position).norm() < 1.2 * side + 0.015 * size;
        if (side < 0.045 * size && !partner) {
            used[i] = 1;
            layout.singles.push_back(static_cast<int>(i));
        }
    }
    pair_best([&](const Extremity& a, const Extremity& b) { return (plane.mirror(a.position) - b.position).norm(); },
              0.08 * size);
    // A raised arm is no mirror image of the other; but it is as long.
    pair_best(
        [&](const Extremity& a, const Extremity& b) {
            return std::abs(a.distance - b.distance) + 0.15 * (plane.mirror(a.position) - b.position).norm();
        },
        0.2 * size);
    for (size_t i = 0; i < count; ++i)
        if (!used[i]) layout.singles.push_back(static_cast<int>(i));
    return layout;
}

// Directions in the plane that could be up: the mesh's own axes, and the sides that the body could rest on.
std::vector<Vec3d> up_candidates(const VoxelBody& body, const MirrorPlane& plane) {
    std::vector<Vec3d> ups;
    const auto add = [&](const Vec3d& direction) {
        const Vec3d flat = direction - direction.dot(plane.normal) * plane.normal;
        if (flat.norm() < 0.2) return;
        for (const double sign : {1.0, -1.0}) {
            const Vec3d up = sign * flat.normalized();
            bool near = false;
            for (const Vec3d& other : ups) near |= other.dot(up) > 0.9994;
            if (!near) ups.push_back(up);
        }
    };
    const Vec3d n = plane.normal;
    const bool aligned = n.cwiseAbs().maxCoeff() > 0.9999;
    for (int axis : {1, 2, 0})
        if (std::abs(n[axis]) < (aligned ? 0.5 : 0.2)) add(Vec3d::Unit(axis));
    if (aligned) return ups;

    // The outline in the plane; an edge of its convex hull that has the centre above it is a side to rest on.
    const Vec3d u = n.unitOrthogonal(), v = n.cross(u);
    std::vector<std::array<double, 2>> points;
    Vec3d centre = Vec3d::Zero();
    for (uint32_t voxel : body.voxels) {
        const Vec3d p = body.at(voxel);
        centre += p;
        points.push_back({u.dot(p), v.dot(p)});
    }
    centre /= static_cast<double>(body.voxels.size());
    std::sort(points.begin(), points.end());
    const auto cross = [](const auto& o, const auto& a, const auto& b) {
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    };
    std::vector<std::array<double, 2>> hull;
    for (int pass = 0; pass < 2; ++pass) {
        const size_t start = hull.size();
        for (const auto& p : points) {
            while (hull.size() >= start + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0.0) hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    // Voxels make many short edges of one foot: hull corners are asked in pairs that are a few voxels apart.
    const double least = 5.0 * body.grid.cell;
    const double cu = u.dot(centre), cv = v.dot(centre);
    for (size_t i = 0; i < hull.size(); ++i) {
        for (size_t k = 1; k <= 3 && k < hull.size(); ++k) {
            const auto &a = hull[i], &b = hull[(i + k) % hull.size()];
            const double eu = b[0] - a[0], ev = b[1] - a[1], length = std::hypot(eu, ev);
            if (length < least) continue;
            const double along = ((cu - a[0]) * eu + (cv - a[1]) * ev) / (length * length);
            if (along > -0.2 && along < 1.2) {
                const Vec3d up = (-ev * u + eu * v) / length;  // the hull runs counter-clockwise: inside is to the left
                bool near = false;
                for (const Vec3d& other : ups) near |= other.dot(up) > 0.9994;
                if (!near) ups.push_back(up);
            }
        }
    }
    return ups;
}

// The way from each tip to the middle, for measuring it at any distance behind the tip.
struct Paths {
    std::vector<std::vector<uint32_t>> path;
    Vec3d behind(const VoxelBody& body, const Extremities& ends, int e, double share) const {
        const auto& p = path[static_cast<size_t>(e)];
        const double want = (1.0 - share) * static_cast<double>(ends.distance[p[0]]);
        size_t k = 0;
        while (k + 1 < p.size() && static_cast<double>(ends.distance[p[k]]) > want) ++k;
        return body.at(p[k]);
    }
};

struct Judge {
    const VoxelBody& body;
    const Extremities& ends;
    const Paths& paths;
    double size;

    const Extremity& end(int e) const { return ends.list[static_cast<size_t>(e)]; }

    // How much a pair looks like legs that stand on the ground of `up`.
    double leg_strength(const Pair& pair, const Vec3d& up, double ground, double height) const {
        double rise = 1.0, prominence = INFINITY, level = 0.0;
        for (int e : {pair.left, pair.right}) {
            const double h = up.dot(end(e).position) - ground;
            level = std::max(level, h / height);
            const double to_middle = (up.dot(body.at(ends.middle)) - ground - h) / end(e).distance;
            rise = std::min(rise, std::max(to_middle, 0.75 * up.dot(end(e).inward)));
            prominence = std::min(prominence, end(e).prominence);
        }
        if (rise <= 0.15 || level > 0.2) return 0.0;
        const double touch = std::clamp((0.2 - level) / 0.1, 0.0, 1.0);
        return touch * std::min(1.0, prominence / (0.15 * size)) * std::min(1.0, rise / 0.6) *
               std::min(1.0, rise / 0.6);
    }
};

}  // namespace

std::string_view to_string(RigKind kind) {
    constexpr std::string_view names[] = {"biped", "quadruped", "bird", "generic"};
    return names[static_cast<size_t>(kind)];
}

namespace {

// Which way the toes point, −1…1 along `forward`.
double toes_forward(const Judge& judge, const Vec3d& up, const Vec3d& forward, int e) {
    const Vec3d toe = judge.end(e).position - judge.paths.behind(judge.body, judge.ends, e, 0.12);
    const Vec3d flat = toe - toe.dot(up) * up;
    const double length = flat.norm();
    return length > 0.0 ? std::min(1.0, length / (0.04 * judge.size)) * flat.dot(forward) / length : 0.0;
}

// Where the head is: the end on the plane that is higher and thicker.
double head_forward(const Judge& judge, const Layout& layout, const MirrorPlane& plane, const Vec3d& up,
                    const Vec3d& forward, double height) {
    int front = -1, back = -1;
    const Vec3d middle = judge.body.at(judge.ends.middle);
    for (int e : layout.singles) {
        if (std::abs(plane.side(judge.end(e).position)) > 0.06 * judge.size)
            continue;  // half of a pair whose other half was lost
        const double at = forward.dot(judge.end(e).position - middle);
        if (at > 0.0 && (front < 0 || judge.end(e).distance > judge.end(front).distance)) front = e;
        if (at < 0.0 && (back < 0 || judge.end(e).distance > judge.end(back).distance)) back = e;
    }
    double cue = 0.0;
    if (front >= 0 && back >= 0) {
        const double lift = up.dot(judge.end(front).position - judge.end(back).position) / (0.25 * height);
        const auto mass = [&](int e) {
            return judge.end(e).prominence * judge.end(e).thickness * judge.end(e).thickness;
        };
        const double bulk = 0.5 * std::log(std::max(1e-30, mass(front)) / std::max(1e-30, mass(back)));
        cue = 0.6 * std::clamp(lift, -1.0, 1.0) + 0.6 * std::clamp(bulk, -1.0, 1.0);
    } else if (front >= 0 || back >= 0) {
        cue = front >= 0 ? 0.5 : -0.5;
    }
    for (const Pair& pair : layout.pairs) {  // ears
        const double h = up.dot(judge.end(pair.left).position - middle);
        if (h > 0.25 * height)
            cue += std::clamp(forward.dot(judge.end(pair.left).position - middle) / (0.2 * judge.size), -0.4, 0.4);
    }
    return cue;
}

// Reads the body with one plane, one up and one facing.
Reading read(const Judge& judge, const Layout& layout, const MirrorPlane& plane, const Vec3d& up, const Vec3d& forward,
             std::optional<RigKind> wanted) {
    double ground = INFINITY, top = -INFINITY;
    for (uint32_t v : judge.body.voxels) {
        const double h = up.dot(judge.body.at(v));
        ground = std::min(ground, h);
        top = std::max(top, h);
    }
    const double height = std::max(top - ground, judge.body.grid.cell);
    const Vec3d left = up.cross(forward), middle = judge.body.at(judge.ends.middle);
    Reading reading;
    reading.axes.row(0) = left;
    reading.axes.row(1) = up;
    reading.axes.row(2) = forward;
    reading.overlap = plane.overlap;
    reading.origin = middle - plane.side(middle) * plane.normal;
    reading.origin += (ground - up.dot(reading.origin)) * up;

    std::vector<std::pair<double, Pair>> legs;
    for (const Pair& pair : layout.pairs)
        if (const double s = judge.leg_strength(pair, up, ground, height); s > 0.05) legs.push_back({s, pair});
    std::stable_sort(legs.begin(), legs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    const auto own = [&](const Pair& pair) {
        return std::array<Vec3d, 2>{judge.end(pair.left).position, judge.end(pair.right).position};
    };
    const auto z_of = [&](const Pair& pair) {
        return 0.5 * forward.dot(judge.end(pair.left).position + judge.end(pair.right).position);
    };

    // The second pair of legs must be a body apart from the first.
    int second = -1;
    for (size_t k = 1; k < legs.size(); ++k)
        if (second < 0 && std::abs(z_of(legs[k].second) - z_of(legs[0].second)) > 0.25 * height)
            second = static_cast<int>(k);
    // Arms: the most prominent pair that does not stand.
    const Pair* arms = nullptr;
    double arm_strength = 0.0;
    for (const Pair& pair : layout.pairs) {
        bool stands = false;
        for (const auto& leg : legs) stands |= leg.second.left == pair.left;
        if (stands) continue;
        const double prominence = std::min(judge.end(pair.left).prominence, judge.end(pair.right).prominence);
        const double spread = std::min(std::abs(plane.side(judge.end(pair.left).position)),
                                       std::abs(plane.side(judge.end(pair.right).position)));
        const double strength =
            std::min(1.0, prominence / (0.1 * judge.size)) * std::min(1.0, 0.3 + spread / (0.15 * height));
        if (strength > arm_strength) arm_strength = strength, arms = &pair;
    }
    const double span = arms ? std::abs(plane.side(judge.end(arms->left).position)) +
                                   std::abs(plane.side(judge.end(arms->right).position))
                             : 0.0;
    double depth_low = INFINITY, depth_high = -INFINITY;
    for (uint32_t v : judge.body.voxels) {
        const double z = forward.dot(judge.body.at(v));
        depth_low = std::min(depth_low, z), depth_high = std::max(depth_high, z);
    }
    const bool upright = height > 1.2 * (depth_high - depth_low);

    double toes = 0.0;
    int toe_count = 0;
    for (const auto& leg : legs)
        for (int e : {leg.second.left, leg.second.right}) toes += toes_forward(judge, up, forward, e), ++toe_count;
    if (toe_count > 0) toes /= toe_count;
    const double head = head_forward(judge, layout, plane, up, forward, height);

    double kind_score = 0.15;
    if (!legs.empty()) {
        const double first = legs[0].first;
        if (second >= 0) {
            reading.kind = RigKind::quadruped;
            kind_score = 0.5 * (first + legs[static_cast<size_t>(second)].first) + 0.25;
            const Pair &a = legs[0].second, &b = legs[static_cast<size_t>(second)].second;
            reading.leg_tips = own(z_of(a) > z_of(b) ? a : b);
            reading.hind_tips = own(z_of(a) > z_of(b) ? b : a);
        } else if (arms && span > 2.0 * height) {
            reading.kind = RigKind::bird;
            kind_score = 0.6 * first + 0.4 * arm_strength;
        } else if (arms && arm_strength > 0.3) {
            reading.kind = RigKind::biped;
            kind_score = 0.6 * first + 0.4 * arm_strength;
        } else if (upright) {
            reading.kind = RigKind::biped;
            kind_score = 0.5 * first;
        }
        if (reading.kind == RigKind::biped || reading.kind == RigKind::bird) {
            reading.leg_tips = own(legs[0].second);
            if (arms) reading.arm_tips = own(*arms);
        }
    }
    if (wanted && *wanted != reading.kind) {
        reading.kind = *wanted;
        kind_score *= 0.5;
        if (!legs.empty()) reading.leg_tips = own(legs[0].second);
        if (arms) reading.arm_tips = own(*arms);
    }
    reading.facing_score = reading.kind == RigKind::biped ? toes + 0.25 * head : 0.7 * toes + 0.7 * head;
    reading.up_score = kind_score;
    // Equal otherwise: as most files are, +Y up and facing +Z.
    const double habit = 0.02 * up.y() + 0.01 * forward.z();
    reading.score = kind_score * (0.4 + 0.6 * plane.overlap) +
                    (reading.kind == RigKind::generic ? 0.01 : 0.1) * std::clamp(reading.facing_score, -1.0, 1.0) +
                    habit;
    return reading;
}

}  // namespace

std::vector<Reading> find_readings(const VoxelBody& body, const Extremities& ends, const ReadingOptions& options) {
    std::vector<Reading> readings;
    Paths paths;
    for (const Extremity& e : ends.list) paths.path.push_back(descend(body.grid, ends.distance, e.voxel));
    const Judge judge{body, ends, paths, (body.high - body.low).maxCoeff()};
    std::vector<MirrorPlane> planes = find_mirror_planes(body);
    if (options.up && options.facing) {  // the caller knows: the plane is across
        const Vec3d n = options.up->cross(*options.facing);
        if (n.norm() > 0.1) {
            MirrorPlane best = planes.front();
            for (const MirrorPlane& plane : planes)
                if (std::abs(plane.normal.dot(n.normalized())) > std::abs(best.normal.dot(n.normalized())))
                    best = plane;
            if (std::abs(best.normal.dot(n.normalized())) < 0.95)
                best = {.normal = n.normalized(),
                        .offset = n.normalized().dot(0.5 * (body.low + body.high)),
                        .overlap = 0.5};
            planes = {best};
        }
    }
    for (const MirrorPlane& plane : planes) {
        const Layout layout = pair_up(ends, plane, judge.size);
        std::vector<Vec3d> ups = up_candidates(body, plane);
        if (options.up) {
            const Vec3d flat = *options.up - options.up->dot(plane.normal) * plane.normal;
            ups.clear();
            if (flat.norm() > 0.3 * options.up->norm()) ups.push_back(flat.normalized());
        }
        for (const Vec3d& up : ups) {
            const Vec3d across = plane.normal.cross(up);
            for (const double sign : {1.0, -1.0}) {
                const Vec3d forward = sign * across;
                if (options.facing && forward.dot(*options.facing) < 0.0) continue;
                readings.push_back(read(judge, layout, plane, up, forward, options.kind));
            }
        }
    }
    if (readings.empty()) readings.push_back(Reading{.origin = 0.5 * (body.low + body.high)});
    std::stable_sort(readings.begin(), readings.end(),
                     [](const Reading& a, const Reading& b) { return a.score > b.score; });
    return readings;
}

}  // namespace sinew
