#include "skinning_options.h"

#include <fmt/format.h>

namespace sinew::cli {

void add_skinning_options(CLI::App& verb, DeformOptions& options) {
    constexpr int32_t most_iterations = 1000;
    const auto set = [&options](const std::string& name) {
        const auto found = find_skinning(name);
        if (!found) throw CLI::ValidationError("--skinning", to_string(found.error()));
        options.skinning = *found;
    };
    verb.add_option_function<std::string>(
            "--skinning", set,
            fmt::format("how the skin follows the joints: {}; default lbs", fmt::join(skinning_names(), ", ")))
        ->type_name("NAME");
    verb.add_option("--delta-mush", options.delta_mush, "then smooth it N times and put its detail back")
        ->check(CLI::Range(0, most_iterations))
        ->type_name("N");
}

}  // namespace sinew::cli
