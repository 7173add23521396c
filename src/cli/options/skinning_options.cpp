#include "options/skinning_options.h"

#include <fmt/format.h>

namespace sinew::cli {

void add_skinning_options(Verb& verb, Skinning& skinning, int32_t& delta_mush) {
    constexpr int32_t most_iterations = 1000;
    const auto set = [&skinning](const std::string& name) {
        const auto found = find_skinning(name);
        if (found) skinning = *found;
        return found ? std::string() : to_string(found.error());
    };
    verb.add_text("--skinning", set,
                  fmt::format("how the skin follows the joints: {}; default: lbs", fmt::join(skinning_names(), ", ")))
        .called("NAME");
    verb.add("--delta-mush", delta_mush, "then smooth the skin N times and put its detail back")
        .between(0, most_iterations)
        .called("N");
}

}  // namespace sinew::cli
