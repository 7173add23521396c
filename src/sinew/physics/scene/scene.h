// Scene: what falls, hangs, flows and is pushed, as plain data; and reading it from JSON (docs/simulate.md).
// Data flow: SCENE.json → *here* → pipeline/simulate.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/curve/noise.h>
#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/particles/particles.h>
#include <sinew/physics/spheres/sphere_world.h>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct SceneCharacter {
    std::string file;    // beside the scene, or
    std::string sample;  // one of Sinew's own
    std::string motion;  // built in, or a file beside the scene; empty: it stands
    bool in_place = false;
};

struct SceneCollider {
    std::string name;
    Collider collider;  // of a box: its floor
    bool box = false;   // solid outside of `size` around `at`: walls, no lid
    Vec3d at = Vec3d::Zero(), size = Vec3d::Ones();
};

struct SceneSpheres {
    std::string name;
    std::vector<Sphere> spheres;  // all alike but for their places
    std::vector<SphereString> strings;
};

enum class ClothShape : uint8_t { sheet, skirt, cape };
enum class ClothSolver : uint8_t { xpbd, implicit };

struct SceneCloth {
    std::string name;
    ClothShape shape = ClothShape::sheet;
    Vec3 at = Vec3::Zero();  // a sheet's middle
    bool upright = true;     // a sheet hangs; else it lies flat
    float width = 1.0f, height = 1.0f;
    float edge = 0.025f;            // metres between vertices
    std::vector<std::string> pins;  // top, corners, left, right, none
    float flare = 1.8f;             // skirts: the hem's girth to the waist's
    ClothSolver solver = ClothSolver::xpbd;
    ClothOptions options;
    double stiffness = 2000.0;  // of implicit springs, newtons per metre
    Vec4 color = Vec4(0.6f, 0.1f, 0.12f, 1.0f);
    int joints = 0;  // that the result may have; 0: as many as keep it within a hundredth of its size
};

struct SceneEmitter {
    std::string name;
    Emitter emitter;
    float size = 0.02f;
    Vec4 color = Vec4(0.9f, 0.75f, 0.3f, 1.0f);
};

struct ScenePush {
    double at = 1.0, seconds = 0.2;
    Vec3d force = Vec3d::Zero();  // newtons
    std::string part = "chest";   // a joint's name, or chest, pelvis, head
};

// A body of the scene's character that has mass. Until `limp` it follows the character's motion, or walks by itself.
struct SceneBody {
    Vec3d at = Vec3d::Zero();
    double turn_deg = 0.0;
    bool walks = false;
    double limp = 0.0;             // seconds; walkers go limp when they fall
    std::optional<double> get_up;  // from then on, as soon as it lies still
    std::optional<uint64_t> pose;  // it begins in this seeded pose instead of the motion's
    std::vector<ScenePush> pushes;
};

struct Scene {
    double seconds = 4.0, fps = 30.0;
    Vec3d gravity = Vec3d(0, -9.81, 0);
    uint64_t seed = 1;
    std::optional<Wind> wind;
    std::optional<SceneCharacter> character;
    std::vector<SceneCollider> colliders;
    std::vector<SceneSpheres> spheres;
    std::vector<SceneCloth> cloths;
    std::vector<SceneEmitter> emitters;
    std::vector<SceneBody> bodies;
    std::vector<Attractor> attractors;
    int sphere_substeps = 4;
};

// What a scene may hold: beyond, it is a mistake, or nothing that a file of nodes and keys can show.
struct SceneLimits {
    size_t bytes = 4u << 20, spheres = 20'000, vertices = 100'000, particles = 20'000, keys = 20'000'000, bodies = 64;
};

class Fields;
// One of "ragdolls" or "walkers".
void read_scene_body(Fields& fields, Scene& scene, const SceneLimits& limits, bool walks);

// Says which field is wrong, and what to write. `where` is a line where the text is no JSON, else the field's path.
Result<Scene> parse_scene(ByteSpan text, const SceneLimits& limits = {});

}  // namespace sinew
