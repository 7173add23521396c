// A WeightReport as the JSON of `--report`: shared by the verbs that bind.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <sinew/weights/report.h>
#include <nlohmann/json_fwd.hpp>

namespace sinew::cli {

nlohmann::ordered_json weights_json(const WeightReport& report, const Skeleton& skeleton);

}  // namespace sinew::cli
