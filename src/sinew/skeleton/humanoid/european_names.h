// European names: the words of French, German, Spanish, Italian and Portuguese joints in English, so that one parser
// reads all names. Data flow: Skeleton::names → *here* → joint_name.cpp.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

// "Tête" → "head", "BrasDroit" → "arm right", "Oberschenkel.L" → "thigh.L". Other words stay as they are. A word that
// is also an English one ("main") is translated only beside a side in the same languages ("main droite").
std::string from_european(std::string_view name);

}  // namespace sinew
