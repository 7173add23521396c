// The options that say how a motion is put on a character, shared by animate and retarget.
#pragma once

#include <sinew/pipeline/retarget_character.h>

#include "cli.h"

namespace sinew::cli {

void add_motion_options(Verb& verb, MotionOptions& options);

}  // namespace sinew::cli
