// A character as controls and faces see it: its joints, the names of its morphs, and what its file says of its face.
// Data flow: Character → *here* → edit/controls.
#pragma once

#include <sinew/character/character.h>
#include <sinew/edit/controls/controls.h>
#include <sinew/edit/controls/face.h>
#include <filesystem>

namespace sinew {

// Names of morphs in the order of Pose::morphs; those without one are empty.
std::vector<std::string> morph_names(const Character& character);

ControlBody control_body(const Character& character);
Face face_of(const Character& character);

// The built-in controls that suit the character and, on top of them, those of a JSON file (none where the path is
// empty).
Result<ControlSet> controls_for(const Character& character, const std::filesystem::path& file);

// A motion's expressions as morph tracks of this character, by name. Puts them into `clip` in place of the morph tracks
// it has, which count another face's morphs. Returns a warning where some of them find nothing here, else nothing.
std::string carry_expressions(const Clip& motion, std::span<const std::string> motion_morphs,
                              const Character& character, Clip& clip);

}  // namespace sinew
