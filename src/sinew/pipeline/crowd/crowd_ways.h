// CrowdWays: where every body of a crowd is at every frame. Data flow: a scene and a body's measures → flock/ → *here*
// → crowd_build.cpp.
#pragma once

#include <sinew/pipeline/crowd/crowd_file.h>
#include <sinew/pipeline/crowd/crowd_scene.h>

namespace sinew {

// Of the character, at rest.
struct CrowdBody {
    float height = 1.75f, length = 0.3f;  // along up and along the way it goes
    float walk_speed = 1.3f;
};

struct CrowdPlace {
    Vec3 position = Vec3::Zero();
    Quat rotation = Quat::Identity();  // from looking along +Z
    float heading = 0.0f;
};

// frames · count places, frame after frame.
struct CrowdWays {
    size_t count = 0, frames = 0;
    std::vector<CrowdPlace> places;
    std::vector<float> speeds;  // per body, at the first frame
    const CrowdPlace& at(size_t frame, size_t body) const { return places[frame * count + body]; }
};

// Goals and groups that the scene leaves out are those of an open place.
Result<CrowdWays> walk_ways(CrowdScene scene, const CrowdBody& body, const CrowdOptions& options);
Result<CrowdWays> flock_ways(const CrowdScene& scene, const CrowdBody& body, const CrowdOptions& options);

}  // namespace sinew
