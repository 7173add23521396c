// Choose body: one of several characters in a file. A motion moves one; the others stay as they are.
// Data flow: Character → *here* → retarget_character.cpp.
#pragma once

#include <sinew/character/character.h>
#include <sinew/motion/retarget.h>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct BodyInFile {
    std::string name;   // of the topmost joint that belongs to it alone
    int32_t root = -1;  // that joint
};
// All bodies of people that a skeleton holds, in its order. One or none: there is nothing to choose.
std::vector<BodyInFile> find_bodies(const Skeleton& skeleton);

// A body of a file as a character of its own: its joints and those above them, what is bound to them, no clips.
struct ChosenBody {
    Character character;
    std::vector<int32_t> joint;  // of the file, per joint of the character
    std::string warning;         // where nobody chose: which one it is, and which there are
};
// Nothing where the file has one body, or none. `name`: which one; empty: the first, with a warning. Fails on a name
// that no body has.
Result<std::optional<ChosenBody>> choose_body(const Character& character, const std::string& name);

// The clip with the joints of the file.
void back_to_file(const ChosenBody& body, Clip& clip);

}  // namespace sinew
