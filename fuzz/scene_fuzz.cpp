// Scenes as JSON; what is read keeps its promises.
#include <sinew/core/check.h>
#include <sinew/physics/scene/scene.h>

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const SceneLimits limits;
    const auto scene = parse_scene(fuzz::span(data, size), limits);
    if (!scene) {
        SINEW_CHECK(!scene.error().message.empty());
        return 0;
    }
    size_t spheres = 0;
    for (const SceneSpheres& group : scene->spheres) {
        spheres += group.spheres.size();
        for (const Sphere& s : group.spheres) SINEW_CHECK(s.radius > 0.0 && s.mass > 0.0 && s.position.allFinite());
        for (const SphereString& s : group.strings) SINEW_CHECK(s.sphere < group.spheres.size() && s.length > 0.0);
    }
    SINEW_CHECK(spheres <= limits.spheres);
    for (const SceneEmitter& e : scene->emitters) SINEW_CHECK(e.emitter.most <= limits.particles);
    for (const SceneCloth& c : scene->cloths) SINEW_CHECK(c.edge > 0.0f && c.options.density > 0.0f);
    return 0;
}
