// Creature motions by name: which kinds of body have which, and the clip of one on a skeleton of its own.
// Data flow: Skeleton, CreatureMap, a name → *here* (the other files of this room) → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/motion/creatures/creature_body.h>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The motions of a kind of body, in the order in which they are listed. A biped's here are those of a beast on two
// legs; a person's are in motion/builtin.h. With `legs`, those of a body of kind `other` that stands on some.
std::vector<std::string_view> creature_motion_names(CreatureKind kind, bool legs);

// The same as far as the parts of a body allow: a cast of three legs cannot trot, a dragon can flap.
std::vector<std::string_view> creature_motions_of(const CreatureBody& body);

// What a body with the motions `known` does when it is asked for `name`: that, or what comes nearest to it (a fish
// asked to walk swims), or nothing.
std::string_view nearest_motion(std::string_view name, const std::vector<std::string_view>& known);

struct CreatureMotionOptions {
    float fps = 30.0f;      // the fewest keys per second
    bool in_place = false;  // the body stays over its place
};
struct CreatureMotion {
    Clip clip;          // called by the motion's own name
    int32_t moved = 0;  // joints that it turns
    std::vector<std::string> warnings;
};

// Makes the motion for this body. Fails with not_found when it has none like it; the message lists what it has.
Result<CreatureMotion> creature_motion(const Skeleton& skeleton, const CreatureMap& map, std::string_view name,
                                       const CreatureMotionOptions& options = {});

}  // namespace sinew
