#include <sinew/ragdoll/creatures/creature.h>

#include <sinew/ragdoll/control/evolve.h>
#include <sinew/ragdoll/control/tracking.h>
#include <sinew/ragdoll/creatures/creature_body.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double settle_seconds = 1.0, ramp_seconds = 0.5;
constexpr double water_density = 1000.0, drag_across = 1.0, drag_along = 0.1;
constexpr double too_fast = 20.0;  // m/s: it flies apart, or has found a mistake of the solver
constexpr std::array<CreaturePlan, 4> land_plans = {{{1, 2, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 1}}};
constexpr std::array<CreaturePlan, 3> water_plans = {{{0, 1, 3}, {1, 1, 2}, {2, 1, 2}}};

// One creature at work.
class CreatureTrial {
public:
    CreatureTrial(const CreatureGenes& genes, CreatureMedium medium)
        : grown_(grow_creature(genes)),
          medium_(medium),
          world_({.gravity = medium == CreatureMedium::water ? Vec3d(0, 0, 0) : Vec3d(0, -9.81, 0),
                  .step = 1.0 / 500.0,
                  .iterations = 15}),
          tracker_(grown_.body, {.frequency = 6.0, .root = 0.0}) {
        std::vector<PartState> start = parts_of_pose(grown_.body, {grown_.body.skeleton.rest(), {}});
        double lowest = 0.0;
        for (size_t i = 0; i < start.size(); ++i)
            lowest = std::min(lowest, start[i].position.y() - grown_.body.parts[i].half - grown_.body.parts[i].radius);
        for (PartState& p : start) p.position.y() -= lowest;
        if (medium == CreatureMedium::ground) world_.add_plane(Vec3d::Zero(), Vec3d::UnitY(), 1.0);
        me_ = world_.add(grown_.body, start, {.joint_friction = 0.0, .friction = 0.9, .damping = 0.0});
    }

    void step() {
        const double strength = std::min(1.0, world_.time() / ramp_seconds);
        for (size_t i = 1; i < grown_.body.parts.size(); ++i) {
            const RagdollPart& part = grown_.body.parts[i];
            tracker_.hold(world_, me_, i,
                          rotation_for_angles(part, Quatd::Identity(), grown_.angles_at(i, world_.time())),
                          Vec3d::Zero(), strength);
        }
        if (medium_ == CreatureMedium::water) drag();
        world_.step();
    }
    double time() const { return world_.time(); }
    bool sound() const { return world_.fastest(me_) < too_fast; }
    Vec3d place() const { return world_.parts(me_)[0].position; }
    const std::vector<PartState>& parts() const { return world_.parts(me_); }
    const GrownCreature& grown() const { return grown_; }

private:
    // Water pushes against each half of a capsule, hard across and little along it.
    void drag() {
        for (size_t i = 0; i < grown_.body.parts.size(); ++i) {
            const RagdollPart& part = grown_.body.parts[i];
            const PartState& state = world_.parts(me_)[i];
            const Vec3d axis = state.rotation * (part.turn * Vec3d::UnitY());
            const double length = part.half + part.radius;
            for (const double end : {-0.5, 0.5}) {
                const Vec3d arm = end * length * axis, v = state.velocity + state.spin.cross(arm);
                const Vec3d along = v.dot(axis) * axis, across = v - along;
                Vec3d force = -0.5 * water_density *
                              (drag_across * 2.0 * part.radius * length * across.norm() * across +
                               drag_along * part.radius * part.radius * along.norm() * along);
                const double most = 0.25 * part.mass * v.norm() / world_.step_seconds();  // it may stop it, not turn it
                if (force.norm() > most) force *= most / force.norm();
                world_.push(me_, i, force, state.position + arm);
            }
        }
    }

    GrownCreature grown_;
    CreatureMedium medium_;
    RagdollWorld world_;
    PoseTracker tracker_;
    size_t me_ = 0;
};

}  // namespace

double creature_distance(const CreatureGenes& genes, CreatureMedium medium, double seconds) {
    CreatureTrial trial(genes, medium);
    Vec3d start = trial.place();
    bool settled = false;
    while (trial.time() < settle_seconds + seconds) {
        trial.step();
        if (!trial.sound()) return 0.0;
        if (!settled && trial.time() >= settle_seconds) settled = true, start = trial.place();
    }
    Vec3d way = trial.place() - start;
    if (medium == CreatureMedium::ground) way.y() = 0.0;
    return std::isfinite(way.norm()) ? way.norm() : 0.0;
}

EvolvedCreature evolve_creature(const CreatureOptions& options) {
    EvolvedCreature best;
    const auto plans = options.medium == CreatureMedium::ground ? std::span<const CreaturePlan>(land_plans)
                                                                : std::span<const CreaturePlan>(water_plans);
    for (const CreaturePlan& plan : plans) {
        const std::vector<double> plain(creature_gene_count(plan), 0.0), scale(plain.size(), 1.0);
        const auto cost = [&](const std::vector<double>& numbers) {
            return -creature_distance({plan, numbers}, options.medium, options.seconds);
        };
        const Evolved found = evolve(plain, scale, cost,
                                     {.population = 12,
                                      .most_evaluations = options.evaluations,
                                      .spread = 0.6,
                                      .seed = options.seed + best.evaluations});
        best.evaluations += found.evaluations;
        if (-found.cost <= best.distance) continue;
        best.distance = -found.cost, best.genes = {plan, found.best};
        best.first_distance = creature_distance({plan, plain}, options.medium, options.seconds);
    }
    return best;
}

namespace {

// A ball pulled apart along y: `half` from its middle to the middle of either end.
Mesh capsule_mesh(double half, double radius, const Quatd& turn, const Vec3d& centre) {
    constexpr int rings = 8, around = 16;
    Mesh mesh;
    for (int r = 0; r <= 2 * rings + 1; ++r) {
        const int ring = r <= rings ? r : r - 1;  // the middle ring stands twice
        const double latitude = std::numbers::pi * (0.5 - static_cast<double>(ring) / (2.0 * rings));
        const double lift = r <= rings ? half : -half;
        for (int k = 0; k < around; ++k) {
            const double angle = 2.0 * std::numbers::pi * k / around;
            const Vec3d n(std::cos(latitude) * std::cos(angle), std::sin(latitude),
                          -std::cos(latitude) * std::sin(angle));
            mesh.positions.push_back((centre + turn * Vec3d(radius * n + Vec3d(0, lift, 0))).cast<float>());
            mesh.normals.push_back((turn * n).cast<float>());
        }
    }
    for (uint32_t r = 0; r <= 2 * rings; ++r)
        for (uint32_t k = 0; k < around; ++k) {
            const uint32_t a = r * around + k, b = r * around + (k + 1) % around, c = a + around, d = b + around;
            mesh.triangles.insert(mesh.triangles.end(), {a, c, b, b, c, d});
        }
    return mesh;
}

}  // namespace

Character creature_character(const CreatureGenes& genes, CreatureMedium medium, double seconds, double fps) {
    CreatureTrial trial(genes, medium);
    const RagdollBody& body = trial.grown().body;
    Character character;
    character.name = "creature";
    character.skeleton = body.skeleton;
    character.materials.push_back({.name = "trunk", .base_color = Vec4(0.75f, 0.35f, 0.2f, 1.0f)});
    character.materials.push_back({.name = "limbs", .base_color = Vec4(0.85f, 0.65f, 0.35f, 1.0f)});
    for (size_t i = 0; i < body.parts.size(); ++i) {
        const RagdollPart& part = body.parts[i];
        MeshGroup group{.name = body.skeleton.names()[i]};
        group.primitives.push_back(
            {.mesh = capsule_mesh(part.half, part.radius, part.turn, part.centre), .material = i == 0 ? 0 : 1});
        character.meshes.push_back(std::move(group));
        character.instances.push_back({.joint = part.joint, .mesh = static_cast<int32_t>(i)});
    }
    Clip clip{.name = medium == CreatureMedium::ground ? "crawl" : "swim"};
    Track place{.target = 0, .path = TrackPath::translation, .width = 3};
    std::vector<Track> turns(body.parts.size(), Track{.path = TrackPath::rotation, .width = 4});
    Pose pose{body.skeleton.rest(), {}}, last = pose;
    const auto frames = static_cast<size_t>(seconds * fps);
    for (size_t f = 0; f <= frames; ++f) {
        const double at = static_cast<double>(f) / fps;
        while (trial.time() < settle_seconds + at) trial.step();
        pose_of_parts(body, trial.parts(), pose);
        place.times.push_back(static_cast<float>(at));
        place.values.insert(place.values.end(), pose.local[0].translation.data(), pose.local[0].translation.data() + 3);
        for (size_t i = 0; i < turns.size(); ++i) {
            Quat& q = pose.local[i].rotation;
            if (f > 0 && q.dot(last.local[i].rotation) < 0.0f) q.coeffs() *= -1.0f;
            turns[i].target = static_cast<int32_t>(i);
            turns[i].times.push_back(static_cast<float>(at));
            turns[i].values.insert(turns[i].values.end(), q.coeffs().data(), q.coeffs().data() + 4);
        }
        last = pose;
    }
    clip.tracks.push_back(std::move(place));
    for (Track& track : turns) clip.tracks.push_back(std::move(track));
    character.clips.push_back(std::move(clip));
    return character;
}

}  // namespace sinew
