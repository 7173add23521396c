#include <sinew/pipeline/simulate/run_scene.h>

#include <sinew/physics/cloth/spring_net.h>
#include <sinew/pipeline/simulate/cloth_measures.h>
#include <sinew/pipeline/simulate/garments.h>
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double tick_rate = 60.0;
// Up to here spheres push cloth.
constexpr size_t most_pushing_spheres = 256;
// Joints stand for cloth within this share of its size.
constexpr double fit_share = 0.005;

// Cloth as Baraff and Witkin simulate it; contacts are resolved after each step.
struct NetCloth {
    SpringNet net;
    std::unique_ptr<Integrator> step;
    MotionState state;

    NetCloth(const Garment& g, const SceneCloth& cloth) {
        net = make_net(g.positions, g.triangles,
                       {.density = cloth.options.density,
                        .structural = cloth.stiffness,
                        .bending = cloth.options.bending == Bending::hinges ? cloth.options.bend.value_or(0.0f) : 0.0});
        for (const uint32_t pin : g.pins) net.fixed[pin] = 1;
        for (const Vec3& p : g.positions) state.x.insert(state.x.end(), {p.x(), p.y(), p.z()});
        state.v.assign(state.x.size(), 0.0);
        step = std::make_unique<Integrator>(Method::implicit_euler, coordinate_masses(net),
                                            ImplicitOptions{.newton_steps = 1});
    }
};

struct RunningCloth {
    const SceneCloth* scene = nullptr;
    Garment garment;
    std::vector<Hinge> hinges;
    std::vector<SkinBinding> bindings;  // of the pins, where a body wears it
    std::unique_ptr<Cloth> cloth;
    std::unique_ptr<NetCloth> net;
    ClothReport report;

    Vec3 position(size_t v) const {
        if (cloth) return cloth->position(v);
        return Vec3(static_cast<float>(net->state.x[3 * v]), static_cast<float>(net->state.x[3 * v + 1]),
                    static_cast<float>(net->state.x[3 * v + 2]));
    }
};

struct Run {
    const Scene& scene;
    Actor* actor;
    SphereWorld spheres;
    std::vector<RunningCloth> cloths;
    std::vector<Particles> particles;
    std::vector<std::vector<uint32_t>> generations;  // per emitter and slot, at the last frame
    std::vector<Collider> colliders;                 // for cloth: those of the scene, of the body, and spheres
    double time = 0.0;

    Run(const Scene& s, Actor* a) : scene(s), actor(a) {}

    void add_colliders() {
        for (const SceneCollider& c : scene.colliders) {
            if (!c.box) {
                spheres.colliders.push_back(c.collider);
                continue;
            }
            for (int k = 0; k < 3; ++k)
                for (const double side : {-1.0, 1.0}) {
                    if (k == 1 && side > 0.0) continue;  // no lid
                    Collider wall = c.collider;
                    wall.a = c.at + 0.5 * side * c.size[k] * Vec3d::Unit(k);
                    wall.normal = -side * Vec3d::Unit(k);
                    spheres.colliders.push_back(wall);
                }
        }
    }

    void add_spheres() {
        for (const SceneSpheres& group : scene.spheres) {
            const auto first = static_cast<uint32_t>(spheres.spheres.size());
            spheres.spheres.insert(spheres.spheres.end(), group.spheres.begin(), group.spheres.end());
            for (SphereString string : group.strings) string.sphere += first, spheres.strings.push_back(string);
        }
        spheres.gravity = scene.gravity;
        spheres.substeps = scene.sphere_substeps;
    }

    Result<void> add_cloths() {
        for (const SceneCloth& c : scene.cloths) {
            RunningCloth running{.scene = &c};
            auto made = make_garment(c, actor);
            if (!made) {
                Error error = made.error();
                error.where = fmt::format("/cloths/{}", cloths.size());
                return fail(std::move(error));
            }
            running.garment = *std::move(made);
            const Garment& g = running.garment;
            if (c.solver == ClothSolver::implicit) {
                running.net = std::make_unique<NetCloth>(g, c);
                running.net->net.gravity = scene.gravity;
            } else {
                running.cloth = std::make_unique<Cloth>(g.positions, g.triangles, c.options);
            }
            for (const uint32_t pin : g.pins) {
                if (running.cloth) running.cloth->pin(pin);
                if (c.shape != ClothShape::sheet)
                    running.bindings.push_back(bind_to_skin(actor->skin(), g.positions[pin]));
            }
            running.hinges = find_hinges(g.positions, g.triangles);
            running.report = {.name = c.name, .vertices = g.positions.size()};
            cloths.push_back(std::move(running));
        }
        return {};
    }

    void step_net(RunningCloth& c, double seconds, std::span<const Collider> solid) {
        NetCloth& n = *c.net;
        for (size_t k = 0; k < c.bindings.size(); ++k) {
            const Vec3 to = bound_place(actor->skin(), c.bindings[k]);
            for (size_t i = 0; i < 3; ++i) n.state.x[3 * c.garment.pins[k] + i] = to[static_cast<int>(i)];
        }
        (*n.step)(net_forces(n.net), seconds, n.state);
        for (size_t v = 0; v < c.garment.positions.size(); ++v) {
            if (n.net.fixed[v]) continue;
            Eigen::Map<Vec3d> x(&n.state.x[3 * v]), w(&n.state.v[3 * v]);
            const auto leave = [&](const Vec3d& normal, double depth, const Vec3d& carried) {
                if (!(depth > 0.0)) return;
                x += depth * normal;
                w -= carried;
                const double in = std::min(w.dot(normal), 0.0);
                w -= in * normal;
                const Vec3d along = w - w.dot(normal) * normal;
                w += carried - std::min(1.0, c.scene->options.friction * -in / std::max(along.norm(), 1e-12)) * along;
            };
            for (const Collider& s : solid) {
                const ColliderContact at = touch(s, x);
                leave(at.normal, c.scene->options.thickness - at.distance, at.velocity);
            }
            if (!actor) continue;
            const SurfaceHit at = actor->skin().nearest(x.cast<float>(), 0.3f);
            if (at.found()) leave(at.normal.cast<double>(), c.scene->options.thickness - at.distance, Vec3d::Zero());
        }
    }

    void step_cloths(double seconds) {
        colliders = spheres.colliders;
        if (actor) colliders.insert(colliders.end(), actor->capsules().begin(), actor->capsules().end());
        if (spheres.spheres.size() <= most_pushing_spheres)
            for (const Sphere& s : spheres.spheres)
                colliders.push_back({.shape = ColliderShape::sphere,
                                     .a = s.position,
                                     .radius = s.radius,
                                     .velocity_a = s.velocity,
                                     .friction = s.friction});
        const ClothBody body = actor ? actor->body() : ClothBody{};
        for (RunningCloth& c : cloths) {
            if (c.net) {
                step_net(c, seconds, colliders);
                continue;
            }
            for (size_t k = 0; k < c.bindings.size(); ++k)
                c.cloth->set_pin(k, bound_place(actor->skin(), c.bindings[k]));
            c.cloth->step(static_cast<float>(seconds),
                          {.gravity = scene.gravity.cast<float>(),
                           .colliders = colliders,
                           .bodies = actor ? std::span(&body, 1) : std::span<const ClothBody>(),
                           .wind = scene.wind ? &*scene.wind : nullptr,
                           .time = time});
        }
    }

    // What the body wears is carried along by it.
    void start_worn(const Vec3& velocity) {
        for (RunningCloth& c : cloths) {
            if (c.bindings.empty()) continue;
            for (size_t v = 0; v < c.garment.positions.size(); ++v)
                if (c.cloth)
                    c.cloth->set_velocity(v, c.cloth->velocity(v) + velocity);
                else
                    Eigen::Map<Vec3d>(&c.net->state.v[3 * v]) += velocity.cast<double>();
        }
    }

    void step_particles(double seconds) {
        const SurfaceTree* skin = actor ? &actor->skin() : nullptr;
        for (Particles& p : particles)
            p.step(static_cast<float>(seconds),
                   {.gravity = scene.gravity.cast<float>(),
                    .wind = scene.wind ? &*scene.wind : nullptr,
                    .colliders = spheres.colliders,
                    .attractors = scene.attractors,
                    .bodies = skin ? std::span(&skin, 1) : std::span<const SurfaceTree* const>(),
                    .emitting = skin});
    }

    void tick(double seconds) {
        if (actor) actor->move_to(time + seconds, seconds);
        step_cloths(seconds);
        time += seconds;
    }

    Result<void> check() const {
        const auto lost = [&](const std::string& name) {
            return fail(
                ErrorCode::invalid_data,
                fmt::format("\"{}\" flew apart after {:.2f} s; give it more \"substeps\", or less stiffness and speed",
                            name, time));
        };
        for (const RunningCloth& c : cloths)
            for (size_t v = 0; v < c.garment.positions.size(); ++v)
                if (!(c.position(v).cwiseAbs().maxCoeff() < end_of_world)) return lost(c.scene->name);
        for (const Sphere& s : spheres.spheres)
            if (!(s.position.cwiseAbs().maxCoeff() < end_of_world)) return lost("spheres");
        for (size_t e = 0; e < particles.size(); ++e)
            for (size_t i = 0; i < particles[e].slots(); ++i)
                if (particles[e].alive(i) && !(particles[e].position(i).cwiseAbs().maxCoeff() < end_of_world))
                    return lost(scene.emitters[e].name);
        return {};
    }
};

void record(Run& run, Recording& out, size_t frame) {
    if (run.actor) out.poses.push_back(run.actor->pose());
    for (size_t c = 0; c < run.cloths.size(); ++c) {
        RunningCloth& cloth = run.cloths[c];
        const size_t count = cloth.garment.positions.size();
        auto& positions = out.cloths[c].moved.positions;
        for (size_t v = 0; v < count; ++v) positions.push_back(cloth.position(v));
        note_moment({.positions = std::span(positions).last(count),
                     .triangles = cloth.garment.triangles,
                     .hinges = cloth.hinges,
                     .cloth = cloth.cloth.get(),
                     .skin = run.actor ? &run.actor->skin() : nullptr},
                    cloth.report);
    }
    size_t group = 0, next = 0;
    for (; group < run.scene.spheres.size(); ++group)
        for (RecordedNode& node : out.nodes[group].nodes) {
            const Sphere& s = run.spheres.spheres[next++];
            node.frames.push_back(
                {s.position.cast<float>(), s.turn.cast<float>(), Vec3::Constant(static_cast<float>(s.radius))});
        }
    for (size_t e = 0; e < run.particles.size(); ++e, ++group) {
        const Particles& p = run.particles[e];
        for (size_t i = 0; i < p.slots(); ++i) {
            RecordedNode& node = out.nodes[group].nodes[i];
            const bool alive = p.alive(i);
            // What is not there waits where it went out. Between two particles that take turns in a slot, nothing is
            // seen: the way from the one to the other is not theirs.
            const Vec3 at = alive       ? p.position(i)
                            : frame > 0 ? node.frames.back().translation
                                        : run.scene.emitters[e].emitter.at;
            uint32_t& seen = run.generations[e][i];
            if (frame > 0 && seen != p.generation(i)) node.frames.back().scale.setZero();
            seen = p.generation(i);
            node.frames.push_back({at, Quat::Identity(), Vec3::Constant(alive ? run.scene.emitters[e].size : 0.0f)});
        }
    }
}

// The joint that moves the skin nearest to a point.
int32_t carrier_of(const Actor& actor, const Vec3& point) {
    const SkinBinding at = bind_to_skin(actor.skin(), point);
    int most = 0;
    at.share.maxCoeff(&most);
    return actor.owner(actor.skin().triangles()[3 * at.triangle + static_cast<uint32_t>(most)]);
}

Recording prepare(const Run& run) {
    Recording out;
    for (const RunningCloth& c : run.cloths) {
        const Box box = bounds(c.garment.positions);
        MovedCloth moved{.name = c.scene->name,
                         .rest = c.garment.positions,
                         .triangles = c.garment.triangles,
                         .positions = c.garment.positions,
                         .fit = {.joints = static_cast<size_t>(c.scene->joints), .error = fit_share * box.diagonal()}};
        for (size_t v = 0; c.scene->shape != ClothShape::sheet && v < c.garment.positions.size(); ++v)
            moved.owners.push_back(carrier_of(*run.actor, c.garment.positions[v]));
        out.cloths.push_back({std::move(moved), c.scene->color});
    }
    constexpr std::array<std::array<float, 3>, 4> shades = {
        {{0.1f, 0.35f, 0.65f}, {0.75f, 0.35f, 0.1f}, {0.15f, 0.5f, 0.25f}, {0.6f, 0.55f, 0.5f}}};
    for (size_t g = 0; g < run.scene.spheres.size(); ++g) {
        const SceneSpheres& s = run.scene.spheres[g];
        const auto& shade = shades[g % shades.size()];
        RecordedNodes nodes{
            .name = s.name, .color = Vec4(shade[0], shade[1], shade[2], 1), .detail = s.spheres.size() > 500 ? 6 : 12};
        for (size_t i = 0; i < s.spheres.size(); ++i) nodes.nodes.push_back({.name = fmt::format("{}_{}", s.name, i)});
        out.nodes.push_back(std::move(nodes));
    }
    for (size_t e = 0; e < run.particles.size(); ++e) {
        const SceneEmitter& emitter = run.scene.emitters[e];
        RecordedNodes nodes{.name = emitter.name, .color = emitter.color, .detail = 3};
        for (size_t i = 0; i < run.particles[e].slots(); ++i)
            nodes.nodes.push_back({.name = fmt::format("{}_{}", emitter.name, i), .steps = true});
        out.nodes.push_back(std::move(nodes));
    }
    return out;
}

}  // namespace

Result<Recording> run_scene(const Scene& scene, Actor* actor, SimulateReport& report, const Progress& progress) {
    Run run(scene, actor);
    run.add_colliders();
    run.add_spheres();
    SINEW_TRY_VOID(run.add_cloths());
    for (size_t e = 0; e < scene.emitters.size(); ++e) {
        run.particles.emplace_back(scene.emitters[e].emitter, scene.seed + 101 * e);
        run.generations.emplace_back(run.particles.back().slots(), 0u);
    }
    Recording out = prepare(run);
    const auto ticks = static_cast<int>(std::max(1.0, std::round(tick_rate / scene.fps)));
    const double seconds = 1.0 / (scene.fps * ticks);
    if (actor && !scene.cloths.empty()) {  // the body takes its first pose, and what it wears settles
        run.time = -Actor::lead;
        while (run.time < -0.5 * seconds) run.tick(seconds);
    }
    run.time = 0.0;
    if (actor) actor->move_to(0.0, seconds), run.start_worn(actor->first_velocity());
    const auto frames = static_cast<size_t>(std::lround(scene.seconds * scene.fps)) + 1;
    for (size_t f = 0; f < frames; ++f) {
        sinew::report(progress, "simulating", static_cast<double>(f) / static_cast<double>(frames));
        for (int t = 0; f > 0 && t < ticks; ++t) {
            run.tick(seconds);
            run.spheres.step(seconds);
            run.step_particles(seconds);
        }
        SINEW_TRY_VOID(run.check());
        out.times.push_back(static_cast<float>(static_cast<double>(f) / scene.fps));
        record(run, out, f);
    }
    report.seconds = scene.seconds, report.frames = frames, report.spheres = run.spheres.spheres.size();
    for (const Particles& p : run.particles) report.particles += p.slots();
    for (const RunningCloth& c : run.cloths) report.cloths.push_back(c.report);
    if (!run.spheres.spheres.empty())
        report.worst_overlap = run.spheres.step(0.0).worst_overlap / run.spheres.spheres.front().radius;
    return out;
}

}  // namespace sinew
