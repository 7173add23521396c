// Ragdolls and walkers of a scene, from JSON.
#include <sinew/physics/scene/fields.h>
#include <sinew/physics/scene/scene.h>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr Range any_moment{0.0, 600.0}, any_newtons{-1e5, 1e5}, any_seed{0.0, 9e15}, any_turn{-360.0, 360.0};

}  // namespace

void read_scene_body(Fields& f, Scene& scene, const SceneLimits& limits, bool walks) {
    SceneBody body;
    body.walks = walks;
    f.vector("at", body.at);
    f.number("turn", body.turn_deg, any_turn);
    if (!scene.character)
        f.mistake("", "is a body of the scene's character, and the scene has none; add \"character\"");
    if (!walks) f.number("limp", body.limp, any_moment);
    double moment = -1.0, seed = -1.0;
    f.number("get_up", moment, any_moment);
    if (moment >= 0.0) body.get_up = moment;
    if (!walks) f.number("pose", seed, any_seed);
    if (seed >= 0.0) body.pose = static_cast<uint64_t>(seed);
    f.list("pushes", [&](Fields& p) {
        ScenePush push;
        p.number("at", push.at, any_moment);
        p.number("seconds", push.seconds, {1e-3, 600.0});
        p.vector("force", push.force, any_newtons);
        p.text("part", push.part);
        if (!p.has("force")) p.mistake("force", "is missing; write three numbers, in newtons");
        body.pushes.push_back(push);
    });
    if (f.failed()) return;
    if (scene.bodies.size() >= limits.bodies)
        return f.mistake("", fmt::format("is one more than the {} bodies that a scene may have", limits.bodies),
                         ErrorCode::limit_exceeded);
    scene.bodies.push_back(std::move(body));
}

}  // namespace sinew
