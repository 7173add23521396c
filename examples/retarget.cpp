// Retarget: a motion that was made for one body, on another body.
//   retarget [MOTION CHARACTER]
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    // A MotionSource is a skeleton and a clip that moves it: from a file, or built in.
    const sinew::MotionSource motion = or_exit(sinew::load_motion(argc > 1 ? argv[1] : "walk"));
    sinew::Character character = argc > 2 ? or_exit(sinew::read_character(argv[2])) : sinew::make_rigged_humanoid();

    // Joints are matched by their role in the body, whatever the files call them; the path is scaled to the legs.
    for (const bool lock_feet : {false, true}) {
        const sinew::RetargetResult moved = or_exit(sinew::retarget(motion, character, {.lock_feet = lock_feet}));
        std::printf("feet %s: %d joints follow for %.2f s; legs %.2f times as long; planted feet slide at %.1f cm/s\n",
                    lock_feet ? "locked" : "free", moved.mapped_joints, duration(moved.clip), moved.scale,
                    moved.foot_skate_cm_per_s);
    }

    // add_motion() does the same and puts the new clip in front of those that the character has.
    or_exit(sinew::add_motion(character, motion));
    std::printf("the character's first clip is \"%s\"\n", character.clips.front().name.c_str());
}
// Prints:
// feet free: 52 joints follow for 2.00 s; legs 1.00 times as long; planted feet slide at 2.1 cm/s
// feet locked: 52 joints follow for 2.00 s; legs 1.00 times as long; planted feet slide at 0.0 cm/s
// the character's first clip is "walk"
