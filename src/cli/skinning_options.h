// The options that say how a skin follows its joints, shared by bake, preview and animate.
#pragma once

#include <sinew/character/character_deformer.h>

#include "cli.h"

namespace sinew::cli {

// --skinning NAME and --delta-mush N, into the fields of `options`. Unknown names are refused with the closest known
// ones.
void add_skinning_options(CLI::App& verb, DeformOptions& options);

}  // namespace sinew::cli
