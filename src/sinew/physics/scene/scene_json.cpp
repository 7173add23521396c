#include <sinew/physics/scene/fields.h>
#include <sinew/physics/scene/scene.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

using Json = Fields::Json;

constexpr int deepest_json = 32;
constexpr Range any_seconds{0.01, 600.0}, any_fps{1.0, 240.0}, any_substeps{1.0, 200.0}, any_radius{1e-4, 100.0},
    any_count{1.0, 1e9};

// How deep brackets go: the parser and its tree are not asked to go deeper.
bool too_deep(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{') && ++depth > deepest_json)
            return true;
        else if (!quoted && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

std::string line_of(std::string_view text, size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    return fmt::format("line {}", 1 + std::count(text.begin(), end, '\n'));
}

void read_wind(Fields& f, Scene& scene) {
    Wind wind;
    f.vector("velocity", wind.velocity, {-200.0, 200.0});
    f.number("gusts", wind.gusts, {0.0, 10.0});
    f.number("gust_length", wind.gust_length, {0.01, 1e4});
    f.number("turbulence", wind.turbulence, {0.0, 10.0});
    f.number("eddy_length", wind.eddy_length, {0.01, 1e4});
    wind.seed = scene.seed;
    scene.wind = wind;
}

void read_character(Fields& f, Scene& scene) {
    SceneCharacter c;
    f.text("file", c.file);
    f.text("sample", c.sample);
    f.text("motion", c.motion);
    f.flag("in_place", c.in_place);
    if (c.file.empty() == c.sample.empty())
        f.mistake("", "needs either a \"file\" or a \"sample\", such as \"humanoid-rigged\"");
    scene.character = c;
}

void read_collider(Fields& f, Scene& scene) {
    SceneCollider c;
    int shape = -1;
    f.choice("shape", shape, {"plane", "sphere", "capsule", "box"});
    if (shape < 0) f.mistake("shape", "is missing; write \"plane\", \"sphere\", \"capsule\" or \"box\"");
    f.text("name", c.name);
    c.collider.shape = shape == 1 ? ColliderShape::sphere : shape == 2 ? ColliderShape::capsule : ColliderShape::plane;
    if (shape == 2) {
        f.vector("from", c.collider.a), f.vector("to", c.collider.b);
    } else {
        f.vector("at", c.collider.a);
    }
    if (shape == 0) f.direction("normal", c.collider.normal);
    if (shape == 1 || shape == 2) {
        c.collider.radius = 0.5;
        f.number("radius", c.collider.radius, any_radius);
        f.flag("hollow", c.collider.hollow);
    }
    if (shape == 3) f.vector("size", c.size, any_radius);
    c.box = shape == 3, c.at = c.collider.a;
    Vec3d velocity = Vec3d::Zero();
    f.vector("velocity", velocity, {-100.0, 100.0});
    c.collider.velocity_a = c.collider.velocity_b = velocity;
    f.number("bounce", c.collider.bounce, any_share);
    f.number("friction", c.collider.friction, {0.0, 10.0});
    scene.colliders.push_back(c);
}

// One ball, a block of them, a pyramid, or a row on strings.
void read_spheres(Fields& f, Scene& scene, const SceneLimits& limits, size_t& total) {
    SceneSpheres s;
    s.name = "sphere";
    Sphere one;
    Vec3d count = Vec3d::Ones();
    double layers = 0.0, spacing = 1.0, jitter = 0.0, length = 0.0;
    f.text("name", s.name);
    f.vector("at", one.position);
    f.vector("velocity", one.velocity, {-1e4, 1e4});
    f.vector("spin", one.spin, {-1e4, 1e4});
    f.number("radius", one.radius, any_radius);
    f.number("mass", one.mass, any_positive);
    f.number("bounce", one.bounce, any_share);
    f.number("friction", one.friction, {0.0, 10.0});
    f.vector("count", count, any_count);
    f.number("pyramid", layers, {1.0, 30.0});
    f.number("spacing", spacing, {1.0, 100.0});
    f.number("jitter", jitter, any_share);
    f.number("string", length, any_radius);
    if (f.failed()) return;
    const double made = layers > 0.0 ? layers * (layers + 1.0) * (2.0 * layers + 1.0) / 6.0
                                     : std::floor(count.x()) * std::floor(count.y()) * std::floor(count.z());
    total += static_cast<size_t>(std::min(made, 1e12));
    if (total > limits.spheres)
        return f.mistake(layers > 0.0 ? "pyramid" : "count",
                         fmt::format("makes more than {} spheres in all; write less", limits.spheres),
                         ErrorCode::limit_exceeded);
    Random random(scene.seed + scene.spheres.size());
    const double step = 2.0 * one.radius * spacing;
    const auto add = [&](const Vec3d& offset) {
        Sphere sphere = one;
        sphere.position += offset;
        const double j = jitter * one.radius;
        if (j > 0.0) sphere.position += Vec3d(random.uniform(-j, j), random.uniform(-j, j), random.uniform(-j, j));
        if (length > 0.0)
            s.strings.push_back(
                {static_cast<uint32_t>(s.spheres.size()), one.position + offset + Vec3d(0, length, 0), length});
        s.spheres.push_back(sphere);
    };
    const auto n = static_cast<int>(layers);
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n - k; ++i)
            for (int j = 0; j < n - k; ++j)
                add(0.5 * step * Vec3d(2 * i + k - n + 1, std::sqrt(2.0) * k, 2 * j + k - n + 1));
    if (n == 0)
        for (int y = 0; y < static_cast<int>(count.y()); ++y)
            for (int z = 0; z < static_cast<int>(count.z()); ++z)
                for (int x = 0; x < static_cast<int>(count.x()); ++x)
                    add(step * Vec3d(x - 0.5 * (std::floor(count.x()) - 1), y, z - 0.5 * (std::floor(count.z()) - 1)));
    double raised = 0.0;
    f.number("raise", raised, {-170.0, 170.0});
    if (raised != 0.0 && s.strings.empty())
        return f.mistake("raise", "is for spheres on a \"string\": how far the first is pulled aside, in degrees");
    if (raised != 0.0) {
        const double angle = raised * M_PI / 180.0;
        s.spheres[0].position = s.strings[0].anchor + length * Vec3d(-std::sin(angle), -std::cos(angle), 0.0);
    }
    scene.spheres.push_back(std::move(s));
}

void read_cloth(Fields& f, Scene& scene, const SceneLimits& limits, double& total) {
    SceneCloth c;
    c.name = "cloth";
    f.text("name", c.name);
    f.choice("shape", c.shape, {"sheet", "skirt", "cape"});
    const bool worn = c.shape != ClothShape::sheet;
    if (worn && !scene.character)
        f.mistake("shape", "is worn by a character, and the scene has none; add \"character\"");
    if (worn) c.height = c.shape == ClothShape::skirt ? 0.5f : 0.9f, c.width = 0.8f;
    if (!worn) {
        f.vector("at", c.at);
        f.flag("upright", c.upright);
        f.texts("pins", c.pins, {"top", "corners", "left", "right", "none"});
    }
    if (c.shape != ClothShape::skirt) f.number("width", c.width, any_radius);
    f.number(worn ? "length" : "height", c.height, any_radius);
    if (c.shape == ClothShape::skirt) f.number("flare", c.flare, {1.0, 6.0});
    f.number("edge", c.edge, {1e-3, 10.0});
    f.choice("solver", c.solver, {"xpbd", "implicit"});
    f.choice("bending", c.options.bending, {"hinges", "springs"});
    f.number("density", c.options.density, {1e-3, 100.0});
    f.number("stretch", c.options.stretch, any_amount);
    float bend = -1.0f;
    f.number("bend", bend, any_amount);
    if (bend >= 0.0f) c.options.bend = bend;
    f.number("stiffness", c.stiffness, {1e-3, 1e8});
    f.number("damping", c.options.damping, any_share);
    f.number("air", c.options.air, any_share);
    f.number("friction", c.options.friction, {0.0, 10.0});
    f.number("thickness", c.options.thickness, {0.0, 1.0});
    f.number("substeps", c.options.substeps, any_substeps);
    f.number("iterations", c.options.iterations, any_substeps);
    f.number("joints", c.joints, {1.0, 2000.0});
    f.flag("tethers", c.options.tethers);
    f.flag("self_collision", c.options.self_collision);
    f.vector("color", c.color, any_share);
    if (f.failed()) return;
    total += (c.width / c.edge + 1.0) * (c.height / c.edge + 1.0) * (c.shape == ClothShape::skirt ? 3.0 : 1.0);
    if (total > static_cast<double>(limits.vertices))
        return f.mistake(
            "edge", fmt::format("makes more than {} vertices of cloth in all; write longer edges", limits.vertices),
            ErrorCode::limit_exceeded);
    scene.cloths.push_back(std::move(c));
}

void read_emitter(Fields& f, Scene& scene, const SceneLimits& limits, double& total) {
    SceneEmitter e;
    e.name = "particle";
    float spread_deg = 15.0f;
    double most = 500.0;
    f.text("name", e.name);
    f.choice("shape", e.emitter.shape, {"point", "disc", "surface"});
    if (e.emitter.shape == EmitterShape::surface && !scene.character)
        f.mistake("shape", "is the skin of a character, and the scene has none; add \"character\"");
    if (e.emitter.shape != EmitterShape::surface)
        f.vector("at", e.emitter.at), f.direction("direction", e.emitter.direction);
    if (e.emitter.shape == EmitterShape::disc)
        e.emitter.radius = 0.5f, f.number("radius", e.emitter.radius, any_radius);
    f.number("speed", e.emitter.speed, {0.0, 1000.0});
    f.number("spread", spread_deg, {0.0, 180.0});
    e.emitter.spread = radians(spread_deg);
    f.number("rate", e.emitter.rate, {0.0, 1e9});
    f.number("from", e.emitter.from, {0.0, 600.0});
    f.number("until", e.emitter.until, {0.0, 600.0});
    f.number("life", e.emitter.life, {1e-3, 600.0});
    f.number("drag", e.emitter.drag, {0.0, 1000.0});
    f.number("bounce", e.emitter.bounce, any_share);
    f.number("friction", e.emitter.friction, {0.0, 10.0});
    f.flag("stick", e.emitter.stick);
    f.number("eddies", e.emitter.eddies, {0.0, 100.0});
    f.number("eddy_length", e.emitter.eddy_length, {0.01, 1e4});
    f.number("most", most, any_count);
    f.number("size", e.size, any_radius);
    f.vector("color", e.color, any_share);
    if (f.failed()) return;
    total += most;
    if (total > static_cast<double>(limits.particles))
        return f.mistake(
            "most",
            fmt::format("allows more than {} particles in all; write less: each becomes a node of the file",
                        limits.particles),
            ErrorCode::limit_exceeded);
    e.emitter.most = static_cast<size_t>(most);
    scene.emitters.push_back(std::move(e));
}

void read_scene(Fields& f, Scene& scene, const SceneLimits& limits) {
    size_t spheres = 0;
    double vertices = 0.0, particles = 0.0;
    f.number("seconds", scene.seconds, any_seconds);
    f.number("fps", scene.fps, any_fps);
    f.number("seed", scene.seed, {0.0, 9e15});
    f.number("substeps", scene.sphere_substeps, any_substeps);
    f.vector("gravity", scene.gravity, {-1000.0, 1000.0});
    f.object("wind", [&](Fields& w) { read_wind(w, scene); });
    f.object("character", [&](Fields& c) { read_character(c, scene); });
    f.list("colliders", [&](Fields& c) { read_collider(c, scene); });
    f.list("spheres", [&](Fields& s) { read_spheres(s, scene, limits, spheres); });
    f.list("cloths", [&](Fields& c) { read_cloth(c, scene, limits, vertices); });
    f.list("emitters", [&](Fields& e) { read_emitter(e, scene, limits, particles); });
    f.list("ragdolls", [&](Fields& b) { read_scene_body(b, scene, limits, false); });
    f.list("walkers", [&](Fields& b) { read_scene_body(b, scene, limits, true); });
    f.list("attractors", [&](Fields& a) {
        Attractor attractor;
        a.vector("at", attractor.at);
        a.number("strength", attractor.strength, {-1e4, 1e4});
        a.number("radius", attractor.radius, any_radius);
        scene.attractors.push_back(attractor);
    });
    f.finish();
    if (f.failed()) return;
    if (scene.spheres.empty() && scene.cloths.empty() && scene.emitters.empty() && scene.bodies.empty())
        return f.mistake("", "has nothing that moves; add \"spheres\", \"cloths\", \"emitters\" or \"ragdolls\"");
    const double keys = (static_cast<double>(spheres) + particles) * scene.seconds * scene.fps;
    if (keys > static_cast<double>(limits.keys))
        f.mistake("seconds",
                  fmt::format("times \"fps\" makes more than {} keys; write less, or fewer spheres and particles",
                              limits.keys),
                  ErrorCode::limit_exceeded);
}

}  // namespace

Result<Scene> parse_scene(ByteSpan bytes, const SceneLimits& limits) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.size() > limits.bytes)
        return fail(ErrorCode::limit_exceeded, "is larger than any scene; give a scene file");
    if (too_deep(text)) return fail(ErrorCode::limit_exceeded, "has brackets in brackets deeper than any scene");
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& problem) {
        return fail(ErrorCode::invalid_data, "is not JSON from here on; check commas, quotes and brackets",
                    line_of(text, problem.byte));
    } catch (const Json::exception&) {
        return fail(ErrorCode::invalid_data, "is not JSON; check its numbers", line_of(text, 0));
    }
    Scene scene;
    std::optional<Error> error;
    Fields fields(json, "", error);
    read_scene(fields, scene, limits);
    if (error) return fail(*error);
    return scene;
}

}  // namespace sinew
