#include <sinew/pipeline/simulate/report_json.h>

#include <nlohmann/json.hpp>

namespace sinew {

nlohmann::ordered_json cloths_json(const std::vector<ClothReport>& cloths) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const ClothReport& c : cloths)
        json.push_back({{"name", c.name},
                        {"vertices", c.vertices},
                        {"pins", c.pins},
                        {"joints", c.joints},
                        {"worst_stretch", c.worst_stretch},
                        {"deepest_mm", c.deepest_mm},
                        {"crossing_mm", c.crossing_mm},
                        {"folded", c.folded},
                        {"creased", c.creased},
                        {"mean_bend_deg", c.mean_bend_deg},
                        {"fit_error_mm", c.fit_error_mm},
                        {"fit_mean_mm", c.fit_mean_mm}});
    return json;
}

std::string encode_json(const SimulateReport& report) {
    nlohmann::ordered_json json = {{"scene", report.scene},     {"output", report.output},
                                   {"seconds", report.seconds}, {"frames", report.frames},
                                   {"spheres", report.spheres}, {"particles", report.particles},
                                   {"joints", report.joints},   {"keys", report.keys}};
    if (report.bodies > 0) json["bodies"] = report.bodies;
    if (report.spheres > 0) json["worst_overlap"] = report.worst_overlap;
    json["cloths"] = cloths_json(report.cloths);
    json["stage_seconds"] = nlohmann::ordered_json::object();
    for (const auto& [name, seconds] : report.stage_seconds) json["stage_seconds"][name] = seconds;
    json["warnings"] = report.warnings;
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace sinew
