#include "options/motion_options.h"

namespace sinew::cli {

void add_motion_options(Verb& verb, MotionOptions& options) {
    verb.add("--clip", options.clip, "which clip of a motion file: number or name, or all; default: the first");
    verb.add("--character", options.character,
             "which of several characters in the file moves, by the name of its topmost joint; default: the first");
    verb.add("--map", options.joint_map,
             "a JSON file {\"motion's joint\": \"character's joint\"}; default: by role, name, structure");
    verb.add_choice("--feet", options.lock_feet, "lock", "free", "lock: planted feet stand still; free: leave them");
    verb.add("--fps", options.fps, "keys per second of the new clip").between(1.0f, 1000.0f);
    verb.add_flag("--mirror", options.mirror, "swap left and right");
    verb.add("--only", options.only, "move only a part: upper, lower, or joints (A,B,…) with all that is below them");
    verb.add_flag("--onto-animal", options.onto_animal,
                  "put a person's motion on a body with four legs; the arms move the front legs");
    verb.add_flag("--in-place-root", options.in_place_root, "keep the character over its starting point");
}

}  // namespace sinew::cli
