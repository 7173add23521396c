#include <sinew/weights/heat/heat_sources.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/bones/piece_bones.h>
#include <sinew/weights/surface/shreds.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double least_facing = 0.02;     // chosen: a bone straight in front of the surface costs at most 50 times more
constexpr double most_leak = 0.02;        // of the solid; chosen: beyond it nobody knows what is outside
constexpr int resolution = 128;           // of the solid; found on the 16 glTFs: it tells fingers apart, and is fast
constexpr double most_steps = 4096.0;     // of a ray through the solid: longer than any diagonal of it
constexpr double no_distance = 1e-9;      // a vertex on a bone must not cost nothing
constexpr double quarter_of_skin = 0.25;  // chosen: the nearest quarter of a neck's skin is neck, not chin
constexpr size_t source_grain = 512;      // vertices per task: few enough to be neighbours in space
// Bounding spheres must hold their bones in spite of rounding.
constexpr double sphere_half = 0.5000001, sphere_slack = 1e-9;

// The share of the way from a bone to the skin that runs outside the solid. The last voxel before the skin is not
// counted.
double share_outside(const Solid& solid, const Vec3d& from, const Vec3d& to) {
    const Vec3d way = to - from;
    const int steps = static_cast<int>(std::min(way.norm() / solid.grid.cell, most_steps));
    int outside = 0;
    for (int i = 0; i + 1 < steps; ++i) {
        const Vec3d p = from + way * ((i + 0.5) / steps);
        outside += !solid.filled(solid.grid.index(solid.grid.locate(p)));
    }
    return steps > 1 ? static_cast<double>(outside) / steps : 0.0;
}

Vec3d nearest_point(const Bone& bone, const Vec3d& p) {
    return bone.head + nearest_on(bone, p) * (bone.tail - bone.head);
}

struct Sphere {
    Vec3d centre = Vec3d::Zero();
    double radius = 0.0;
};

std::vector<Sphere> bounding_spheres(std::span<const Bone> bones) {
    std::vector<Sphere> spheres;
    for (const Bone& bone : bones)
        spheres.push_back({0.5 * (bone.head + bone.tail), sphere_half * (bone.tail - bone.head).norm() + sphere_slack});
    return spheres;
}

// Finds the sources of one vertex after another.
struct SourceFinder {
    const Surface& surface;
    const Solid& solid;
    std::span<const Bone> bones;
    const HeatOptions& options;
    bool ask_solid = false;
    Shreds shreds;
    PieceBones foreign;
    std::vector<Sphere> spheres;
    std::vector<double> reach;  // per bone: beyond it the bone costs more

    // Working memory for a run of vertices that are neighbours in memory, and so in space.
    struct Room {
        // The least that a bone can cost in this run, and the bone; nearest first.
        std::vector<std::pair<double, uint32_t>> near;
        std::vector<double> cost, distance;  // of bones
        std::vector<uint32_t> measured;      // bones that have a cost
        uint32_t nearest_before = 0;         // the last vertex's nearest bone is most often this one's too
    };

    // No bone costs less than its distance.
    Room room_for(size_t begin, size_t end) const {
        Eigen::AlignedBox3d box;
        for (size_t v = begin; v < end; ++v) box.extend(surface.positions[v]);
        Room room{.near = {},
                  .cost = std::vector<double>(bones.size()),
                  .distance = std::vector<double>(bones.size()),
                  .measured = {}};
        for (uint32_t b = 0; b < bones.size(); ++b)
            room.near.emplace_back(box.exteriorDistance(spheres[b].centre) - spheres[b].radius, b);
        std::sort(room.near.begin(), room.near.end());
        return room;
    }

    double cost_of(size_t v, size_t b, double distance, const Vec3d& to) const {
        double cosine = distance > 0.0 ? to.dot(surface.normals[v]) / distance : 0.0;
        if (surface.piece[v] >= 0 && shreds.of_piece[static_cast<size_t>(surface.piece[v])]) cosine = std::abs(cosine);
        double cost = std::max(distance, no_distance) / std::max(0.5 * (cosine + 1.0), least_facing);
        if (distance > reach[b]) cost *= (distance / reach[b]) * (distance / reach[b]);
        if (foreign.is_foreign(surface.piece[v], b)) cost *= 1.0 + options.foreign_cost;
        return cost;
    }

    HeatSource find(size_t v, Room& room) const {
        const Vec3d& p = surface.positions[v];
        const double beyond = (1.0 + options.outside_cost) * (1.0 + options.tie);
        double best = INFINITY;
        room.measured.clear();
        const auto measure = [&](uint32_t b) {
            const Vec3d to = p - nearest_point(bones[b], p);
            room.distance[b] = to.norm();
            room.cost[b] = cost_of(v, b, room.distance[b], to);
            room.measured.push_back(b);
            if (room.cost[b] < best) best = room.cost[b], room.nearest_before = b;
        };
        const uint32_t before = room.nearest_before;
        if (!bones.empty()) measure(before);
        for (const auto& [least, b] : room.near) {
            if (least > best * beyond) break;
            const double most = best * beyond + spheres[b].radius;
            if (b != before && (p - spheres[b].centre).squaredNorm() <= most * most) measure(b);
        }
        if (ask_solid) {
            const double most = best * (1.0 + options.outside_cost);
            best = INFINITY;
            for (uint32_t b : room.measured) {
                if (room.cost[b] > most) continue;
                room.cost[b] *= 1.0 + options.outside_cost * share_outside(solid, nearest_point(bones[b], p), p);
                best = std::min(best, room.cost[b]);
            }
        }
        std::erase_if(room.measured, [&](uint32_t b) { return room.cost[b] > best * (1.0 + options.tie); });
        std::sort(room.measured.begin(), room.measured.end());
        HeatSource source;
        double nearest = INFINITY;
        for (uint32_t b : room.measured) {
            if (source.count == source.bones.size()) break;
            source.bones[source.count++] = b;
            nearest = std::min(nearest, room.distance[b]);
        }
        source.distance = std::max(nearest, options.least_distance);
        return source;
    }
};

// How thick the flesh on a joint's bones is: the distance within which a quarter of its skin lies, by area.
double thickness(const Surface& surface, std::span<const HeatSource> sources, std::span<const Bone> bones,
                 int32_t joint) {
    std::vector<std::pair<double, double>> skin;  // distance, area
    double all = 0.0, sum = 0.0;
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const uint32_t* corner = surface.triangles.data() + i;
        const Vec3d& a = surface.positions[corner[0]];
        const double area = (surface.positions[corner[1]] - a).cross(surface.positions[corner[2]] - a).norm();
        for (int k = 0; k < 3; ++k) {
            const HeatSource& source = sources[corner[k]];
            for (uint32_t s = 0; s < source.count; ++s) {
                if (bones[source.bones[s]].joint != joint) continue;
                skin.emplace_back(source.distance, area);
                all += area;
                break;
            }
        }
    }
    std::sort(skin.begin(), skin.end());
    for (const auto& [distance, area] : skin)
        if ((sum += area) >= quarter_of_skin * all) return distance;
    return INFINITY;
}

}  // namespace

Solid heat_solid(const Surface& surface) {
    std::vector<Vec3> points(surface.vertex_count());
    for (size_t v = 0; v < points.size(); ++v) points[v] = surface.positions[v].cast<float>();
    return make_solid(points, surface.triangles, {.resolution = resolution});
}

std::vector<HeatSource> heat_sources(const Surface& surface, const Solid& solid, std::span<const Bone> bones,
                                     const HeatOptions& options) {
    SourceFinder finder{.surface = surface,
                        .solid = solid,
                        .bones = bones,
                        .options = options,
                        .ask_solid = !solid.empty() && solid.leak < most_leak && options.outside_cost > 0.0,
                        .shreds = find_shreds(surface),
                        .foreign = piece_bones(surface, bones),
                        .spheres = bounding_spheres(bones),
                        .reach = {}};
    for (const Bone& bone : bones) finder.reach.push_back(std::max(bone.reach, options.least_distance));
    std::vector<HeatSource> sources(surface.vertex_count());
    const auto find_where = [&](const auto& wanted) {
        parallel_for(surface.vertex_count(), source_grain, [&](size_t begin, size_t end) {
            SourceFinder::Room room = finder.room_for(begin, end);
            for (size_t v = begin; v < end; ++v)
                if (wanted(sources[v])) sources[v] = finder.find(v, room);
        });
    };
    find_where([](const HeatSource&) { return true; });

    bool slender = false;
    for (size_t b = 0; b < bones.size(); ++b) {
        if (!bones[b].neck && !bones[b].clavicle) continue;
        const double thick = thickness(surface, sources, bones, bones[b].joint);
        finder.reach[b] =
            std::min(finder.reach[b], (bones[b].neck ? options.neck_reach : options.clavicle_reach) * thick);
        slender = true;
    }
    // Only the skin of these bones is asked again: they became dearer, so no other vertex can change.
    if (slender)
        find_where([&](const HeatSource& source) {
            for (uint32_t s = 0; s < source.count; ++s)
                if (source.distance > finder.reach[source.bones[s]]) return true;
            return false;
        });
    return sources;
}

}  // namespace sinew
