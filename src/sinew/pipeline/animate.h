// Animate: the main job as one call — put a motion on a character.
// Data flow: Character + motion (a file's or a built-in) → motion/retarget.h → *here* → Character with a new first
// clip.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <sinew/motion/retarget.h>
#include <string>
#include <string_view>

namespace sinew {

// A motion file (its first clip, or the one named), or the name of a built-in motion where no such file exists.
struct MotionSource {
    Skeleton skeleton;
    Clip clip;
    std::vector<Transform> stance;  // how its body stands, where that is known and is not its rest
    std::vector<std::string> warnings;
};
Result<MotionSource> load_motion(const std::string& file_or_name, const std::string& clip, const Progress& progress);

// Retargets the motion and puts it in front of the character's clips, so that a viewer that plays the first one shows
// it; a clip of the same name that stood there before is replaced.
Result<RetargetResult> add_motion(Character& character, const MotionSource& motion, const RetargetOptions& options);

// A clip by its number or name; an empty text is the first clip, or none when there is none. Unknown: the closest
// names.
Result<const Clip*> find_clip(const Character& character, std::string_view number_or_name);

}  // namespace sinew
