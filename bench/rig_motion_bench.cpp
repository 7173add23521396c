// From bare meshes to moving characters: rigged, bound and moved by a walk, a run and captured motions, as `animate`
// does it. Prints, for each character and motion,
//   stretch   the worst ratio of an edge's length to its length at rest, and how many edges exceed 3 in any frame
//   ground    the lowest point of the skin in each frame, in % of height: the deepest, and the middle value
//   slide     of planted feet, cm/s for a body of 1.7 m
//   hands     mean share of the hands' vertices inside a leg, and the same in frames where the source's own hand is
//             farther from its leg than leg and hand are thick together
//   bench_rig_motion [--only NAME] [--motion FILE|NAME]... [--verbose]
#include <rig/load.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/rig_character.h>

#include "support.h"

namespace {

using namespace sinew;
using namespace sinew::test;

double to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b, double* along = nullptr) {
    const Vec3d d = b - a;
    const double t = d.squaredNorm() > 0.0 ? std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    if (along) *along = t;
    return (p - a - t * d).norm();
}

struct Leg {
    int upper = -1, lower = -1;
    std::vector<double> radius;  // along it, ten places: the median of the vertices that follow it, at rest
};

struct Body {
    std::vector<std::array<uint32_t, 2>> edges;
    std::vector<Vec3> rest;
    std::vector<int> bone;
    std::vector<size_t> hands;
    std::vector<Leg> legs;
    double height = 0.0, hand_radius = 0.0;
};

std::vector<Vec3> points_at(CharacterDeformer& deformer, const Pose& pose) {
    std::vector<DeformedPrimitive> parts;
    deformer.deform(pose, parts);
    std::vector<Vec3> out;
    for (const DeformedPrimitive& p : parts) out.insert(out.end(), p.positions.begin(), p.positions.end());
    return out;
}

std::vector<AffineD> world_of(const Skeleton& skeleton, const Pose& pose) {
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), pose.local, world);
    return world;
}

bool hangs_on(const Skeleton& skeleton, int joint, int on) {
    for (; joint >= 0; joint = skeleton.parents()[static_cast<size_t>(joint)])
        if (joint == on) return true;
    return false;
}

Body measure_body(const Character& c, CharacterDeformer& deformer, const HumanoidMap& map) {
    Body body;
    const Pose pose = rest_pose(c);
    body.rest = points_at(deformer, pose);
    uint32_t base = 0;
    std::vector<DeformedPrimitive> parts;
    deformer.deform(pose, parts);
    for (const DeformedPrimitive& part : parts) {
        const MeshInstance& instance = c.instances[static_cast<size_t>(part.instance)];
        const Primitive& primitive =
            c.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)];
        for (size_t t = 0; t < primitive.mesh.triangles.size(); t += 3)
            for (size_t k = 0; k < 3; ++k)
                body.edges.push_back(
                    {base + primitive.mesh.triangles[t + k], base + primitive.mesh.triangles[t + (k + 1) % 3]});
        for (size_t v = 0; v < part.positions.size(); ++v) {
            int bone = -1;
            if (instance.skin >= 0 && !primitive.influences.empty()) {
                const auto list = primitive.influences.of(v);
                if (!list.empty()) bone = c.skins[static_cast<size_t>(instance.skin)].joints[list.front().joint];
            }
            body.bone.push_back(bone);
        }
        base += static_cast<uint32_t>(part.positions.size());
    }
    Box box;
    for (const auto& [a, b] : body.edges) box.add(body.rest[a]);
    body.height = static_cast<double>(box.size().y());
    const std::vector<AffineD> world = world_of(c.skeleton, pose);
    const auto at = [&](int j) { return Vec3d(world[static_cast<size_t>(j)].translation()); };
    for (const auto& [upper, lower] : {std::pair(Role::left_upper_leg, Role::left_lower_leg),
                                       {Role::left_lower_leg, Role::left_foot},
                                       {Role::right_upper_leg, Role::right_lower_leg},
                                       {Role::right_lower_leg, Role::right_foot}}) {
        Leg leg{map[upper], map[lower], {}};
        if (leg.upper < 0 || leg.lower < 0) continue;
        std::vector<std::vector<double>> bins(10);
        for (size_t v = 0; v < body.rest.size(); ++v) {
            if (body.bone[v] != leg.upper) continue;
            double t = 0.0;
            const double r = to_segment(body.rest[v].cast<double>(), at(leg.upper), at(leg.lower), &t);
            bins[std::min<size_t>(9, static_cast<size_t>(t * 10.0))].push_back(r);
        }
        for (auto& bin : bins) {
            std::sort(bin.begin(), bin.end());
            leg.radius.push_back(bin.empty() ? 0.0 : bin[bin.size() / 2]);
        }
        body.legs.push_back(leg);
    }
    std::vector<double> thick;
    for (size_t v = 0; v < body.rest.size(); ++v)
        for (Role hand : {Role::left_hand, Role::right_hand})
            if (map[hand] >= 0 && body.bone[v] >= 0 && hangs_on(c.skeleton, body.bone[v], map[hand])) {
                body.hands.push_back(v);
                thick.push_back((body.rest[v].cast<double>() - at(map[hand])).norm());
            }
    std::sort(thick.begin(), thick.end());
    if (!thick.empty()) body.hand_radius = 0.5 * thick[thick.size() / 2];
    return body;
}

struct Moved {
    double stretch = 0.0, deepest = 0.0, slide = 0.0, inside = 0.0, unexplained = 0.0;
    size_t over = 0;
    std::vector<double> lowest;
    std::string worst;
};

double hands_inside(const Body& body, const std::vector<Vec3>& points, const std::vector<AffineD>& world) {
    if (body.hands.empty()) return 0.0;
    double in = 0.0;
    for (size_t v : body.hands)
        for (const Leg& leg : body.legs) {
            double t = 0.0;
            const double d = to_segment(points[v].cast<double>(), world[static_cast<size_t>(leg.upper)].translation(),
                                        world[static_cast<size_t>(leg.lower)].translation(), &t);
            if (t <= 0.0 || t >= 1.0 || d > 0.85 * leg.radius[std::min<size_t>(9, static_cast<size_t>(t * 10.0))])
                continue;
            in += 1.0;
            break;
        }
    return in / static_cast<double>(body.hands.size());
}

// The source's own hand is within leg and hand thickness of its leg, scaled to the body.
bool source_touches(const Body& body, const HumanoidMap& map, const std::vector<AffineD>& world, double scale) {
    double thick = body.hand_radius;
    for (const Leg& leg : body.legs)
        thick = std::max(thick, body.hand_radius + *std::max_element(leg.radius.begin(), leg.radius.end()));
    for (Role hand : {Role::left_hand, Role::right_hand})
        for (const auto& [upper, lower] : {std::pair(Role::left_upper_leg, Role::left_lower_leg),
                                           {Role::left_lower_leg, Role::left_foot},
                                           {Role::right_upper_leg, Role::right_lower_leg},
                                           {Role::right_lower_leg, Role::right_foot}}) {
            if (map[hand] < 0 || map[upper] < 0 || map[lower] < 0) continue;
            const auto at = [&](Role r) { return Vec3d(world[static_cast<size_t>(map[r])].translation()); };
            if (scale * to_segment(at(hand), at(upper), at(lower)) < thick) return true;
        }
    return false;
}

Moved measure(const Character& c, const Body& body, CharacterDeformer& deformer, const MotionSource& motion,
              const RetargetResult& moved) {
    Moved out;
    out.slide = static_cast<double>(moved.foot_skate_cm_per_s);
    const Clip& clip = c.clips.front();
    std::vector<float> times = frame_times(clip, 12.0f);
    if (times.size() > 120) {
        std::vector<float> some;
        for (size_t k = 0; k < 120; ++k) some.push_back(times[k * times.size() / 120]);
        times = some;
    }
    const HumanoidMap source = recognise_humanoid(motion.skeleton);
    Character carrier;
    carrier.skeleton = motion.skeleton;
    std::vector<char> over(body.edges.size(), 0);
    const double floor = 1e-4 * body.height;
    int free_frames = 0;
    for (const float time : times) {
        const Pose pose = pose_at(c, &clip, time);
        const std::vector<Vec3> points = points_at(deformer, pose);
        const std::vector<AffineD> world = world_of(c.skeleton, pose);
        double low = INFINITY;
        for (const auto& [a, b] : body.edges) low = std::min(low, static_cast<double>(points[a].y()));
        out.lowest.push_back(100.0 * low / body.height);
        for (size_t e = 0; e < body.edges.size(); ++e) {
            const auto [a, b] = body.edges[e];
            const double before = static_cast<double>((body.rest[a] - body.rest[b]).norm()),
                         after = static_cast<double>((points[a] - points[b]).norm());
            if (before < floor) continue;
            const double ratio = after / before;
            over[e] |= ratio > 3.0;
            if (ratio <= out.stretch) continue;
            out.stretch = ratio;
            const auto name = [&](uint32_t v) {
                return body.bone[v] < 0 ? "-" : c.skeleton.names()[static_cast<size_t>(body.bone[v])];
            };
            out.worst =
                fmt::format("{}–{} {:.2f}% at {:.2f} s ({:.2f} {:.2f} {:.2f})", name(a), name(b),
                            100.0 * before / body.height, time, body.rest[a].x(), body.rest[a].y(), body.rest[a].z());
        }
        const double inside = hands_inside(body, points, world);
        out.inside += inside / static_cast<double>(times.size());
        const std::vector<AffineD> source_world = world_of(motion.skeleton, pose_at(carrier, &motion.clip, time));
        if (!source_touches(body, source, source_world, static_cast<double>(moved.scale))) {
            out.unexplained += inside;
            ++free_frames;
        }
    }
    if (free_frames > 0) out.unexplained /= free_frames;
    out.over = static_cast<size_t>(std::count(over.begin(), over.end(), 1));
    out.deepest = *std::min_element(out.lowest.begin(), out.lowest.end());
    std::sort(out.lowest.begin(), out.lowest.end());
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    std::string only;
    bool verbose = false;
    std::vector<std::string> motions;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--only" && i + 1 < argc) only = argv[i + 1];
        if (std::string(argv[i]) == "--motion" && i + 1 < argc) motions.push_back(argv[i + 1]);
        verbose |= std::string(argv[i]) == "--verbose";
    }
    if (!data_dir()) return 0;
    if (motions.empty())
        motions = {"walk", "run", (*data_dir() / "bvh-cmu/05_13.bvh").string(),
                   (*data_dir() / "bvh-cmu/09_06.bvh").string()};
    bench::Table table;
    double worst_stretch = 0.0, deepest = 0.0, unexplained = 0.0, off = 0.0;
    for (const CharacterFile& file : character_files()) {
        if (std::string(file.kind) != "biped" || (!only.empty() && only != file.name)) continue;
        const BareCharacter bare = load_bare(file);
        Character c;
        c.skeleton = Skeleton::create({"mesh"}, {-1}, {Transform{}}).value();
        Primitive primitive;
        primitive.mesh.positions = bare.positions;
        primitive.mesh.triangles = bare.triangles;
        MeshGroup group;
        group.name = file.name;
        group.primitives.push_back(std::move(primitive));
        c.meshes.push_back(std::move(group));
        MeshInstance instance;
        instance.joint = 0;
        instance.mesh = 0;
        c.instances.push_back(instance);
        const auto rigged = rig_character(c, {.upright = true});
        if (!rigged || !rigged->humanoid) {
            fmt::print("{:10} is not rigged as a biped\n", file.name);
            continue;
        }
        for (const std::string& name : motions) {
            const auto motion = load_motion(name, "", {});
            if (!motion) continue;
            c.clips.clear();
            const auto moved = add_motion(c, *motion, {});
            if (!moved) continue;
            CharacterDeformer deformer(c, {.normals = false});
            const Body body = measure_body(c, deformer, *rigged->humanoid);
            const Moved r = measure(c, body, deformer, *motion, *moved);
            const double middle = r.lowest[r.lowest.size() / 2];
            fmt::print(
                "{:10} {:8} stretch {:5.2f} ({:3} edges over 3) ground {:5.2f}% … {:5.2f}% slide {:4.1f} hands "
                "{:5.2f}% free {:5.2f}%{}\n",
                file.name, std::filesystem::path(name).stem().string(), r.stretch, r.over, r.deepest, middle,
                r.slide * 1.7 / body.height, 100.0 * r.inside, 100.0 * r.unexplained, verbose ? "  " + r.worst : "");
            worst_stretch = std::max(worst_stretch, r.stretch);
            deepest = std::min(deepest, r.deepest);
            off = std::max(off, std::abs(middle));
            unexplained = std::max(unexplained, 100.0 * r.unexplained);
        }
    }
    table.add("worst edge stretch", worst_stretch, "x", 3.0);
    table.add("deepest point below the ground, % of height", -deepest, "%");
    table.add("middle of the lowest points, worst, % of height", off, "%");
    table.add("hand inside a leg where the source's is not, worst", unexplained, "%");
    return table.finish(argc, argv);
}
