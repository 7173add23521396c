// One body: motions of files, folders and built-in names, all on one skeleton.
// Data flow: names → load_motions → *here* (retarget) → clips of one character → graph_file.h, blend_file.h.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/pipeline/retarget_character.h>

namespace sinew {

struct OneBody {
    Character character;  // without clips
    std::vector<Clip> clips;
    std::vector<std::string> motions;  // as they were asked for, one per clip
};
// `onto`: whose body; empty: that of the first motion. Motions that do not fit are told, added to `warnings` and left
// out; fails where none is left.
Result<OneBody> gather_motions(const std::vector<std::string>& motions, const std::filesystem::path& onto,
                               const Listener& listener, std::vector<std::string>& warnings);

}  // namespace sinew
