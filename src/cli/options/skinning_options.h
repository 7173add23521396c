// The options that say how a skin follows its joints, shared by bake, preview and animate.
#pragma once

#include <sinew/skin/skinning.h>

#include "cli.h"

namespace sinew::cli {

// --skinning NAME and --delta-mush N. An unknown name is refused with the closest known ones.
void add_skinning_options(Verb& verb, Skinning& skinning, int32_t& delta_mush);

}  // namespace sinew::cli
