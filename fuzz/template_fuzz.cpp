// Rig templates as JSON; what is read keeps its promises.
#include <sinew/core/check.h>
#include <sinew/rig/template/template_json.h>

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const auto parsed = parse_template(fuzz::span(data, size));
    if (!parsed) return 0;
    for (size_t j = 0; j < parsed->size(); ++j) {
        SINEW_CHECK(parsed->joints[j].parent < static_cast<int>(j));
        SINEW_CHECK(parsed->joints[j].mirror < static_cast<int>(parsed->size()));
        SINEW_CHECK(parsed->joints[j].position.allFinite());
    }
    return 0;
}
