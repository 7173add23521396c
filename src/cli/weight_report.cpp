#include "weight_report.h"

#include <sinew/skeleton/joint_label.h>
#include <nlohmann/json.hpp>

namespace sinew::cli {

nlohmann::ordered_json weights_json(const WeightReport& report, const Skeleton& skeleton) {
    using Json = nlohmann::ordered_json;
    const auto name = [&](int32_t joint) { return joint_label(skeleton, joint); };
    Json bones = Json::array(), joints = Json::array(), pieces = Json::array(), leaks = Json::array(), seconds;
    for (const JointUse& use : report.bones)
        bones.push_back({{"joint", name(use.joint)}, {"segments", use.segments}, {"why", use.why}});
    for (const JointWeight& joint : report.joints) {
        if (joint.vertices > 0)
            joints.push_back(
                {{"name", name(joint.joint)}, {"vertices", joint.vertices}, {"total_weight", joint.total}});
    }
    for (const PieceReport& piece : report.pieces)
        pieces.push_back({{"vertices", piece.vertices}, {"bound", piece.how}});
    for (const LeakSuspect& leak : report.leaks) {
        leaks.push_back({{"joint", name(leak.joint)},
                         {"vertices", leak.vertices},
                         {"total_weight", leak.total},
                         {"place", {leak.place.x(), leak.place.y(), leak.place.z()}}});
    }
    for (const auto& [stage, time] : report.seconds) seconds[stage] = time;
    return {{"method", report.method},
            {"max_influences", report.max_influences},
            {"unweighted_vertices", report.unweighted_vertices},
            {"largest_sum_error", report.largest_sum_error},
            {"vertices", report.vertices},
            {"welded_vertices", report.welded_vertices},
            {"triangles", report.triangles},
            {"piece_count", report.piece_count},
            {"pieces", pieces},
            {"bone_axis", report.bone_axis},
            {"bones", bones},
            {"joints", joints},
            {"leak_suspects", leaks},
            {"seconds", seconds}};
}

}  // namespace sinew::cli
