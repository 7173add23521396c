#include <sinew/pipeline/simulate/simulate.h>

#include <nlohmann/json.hpp>

namespace sinew {

std::string encode_json(const SimulateReport& report) {
    nlohmann::ordered_json json = {{"scene", report.scene},     {"output", report.output},
                                   {"seconds", report.seconds}, {"frames", report.frames},
                                   {"spheres", report.spheres}, {"particles", report.particles},
                                   {"joints", report.joints},   {"keys", report.keys}};
    if (report.spheres > 0) json["worst_overlap"] = report.worst_overlap;
    json["cloths"] = nlohmann::ordered_json::array();
    for (const ClothReport& c : report.cloths)
        json["cloths"].push_back({{"name", c.name},
                                  {"vertices", c.vertices},
                                  {"joints", c.joints},
                                  {"worst_stretch", c.worst_stretch},
                                  {"deepest_mm", c.deepest_mm},
                                  {"fit_error_mm", c.fit_error_mm},
                                  {"fit_mean_mm", c.fit_mean_mm}});
    json["stage_seconds"] = nlohmann::ordered_json::object();
    for (const auto& [name, seconds] : report.stage_seconds) json["stage_seconds"][name] = seconds;
    json["warnings"] = report.warnings;
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace sinew
