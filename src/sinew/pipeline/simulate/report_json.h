// What became of garments, as JSON. Data flow: ClothReport → *here* → the reports of `simulate` and `animate`.
#pragma once

#include <sinew/pipeline/simulate/simulate.h>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace sinew {

nlohmann::ordered_json cloths_json(const std::vector<ClothReport>& cloths);

}  // namespace sinew
