#include "motion_options.h"

namespace sinew::cli {

void add_motion_options(Verb& verb, MotionOptions& options) {
    verb.add("--clip", options.clip, "which clip of the motion file: number or name; default: the first");
    verb.add("--map", options.joint_map,
             "a JSON file {\"motion's joint\": \"character's joint\"}; default: joints are matched by role and name");
    verb.add_choice("--feet", options.lock_feet, "lock", "free", "lock: planted feet stand still; free: leave them");
    verb.add("--fps", options.fps, "keys per second of the new clip").between(1.0f, 1000.0f);
    verb.add_flag("--in-place-root", options.in_place_root, "keep the character over its starting point");
}

}  // namespace sinew::cli
