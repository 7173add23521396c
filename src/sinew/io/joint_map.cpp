#include <sinew/io/joint_map.h>

#include <sinew/core/closest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

Result<int32_t> find_joint(const Skeleton& skeleton, const std::string& name, const char* whose,
                           const std::string& where) {
    if (const int32_t joint = skeleton.find(name); joint >= 0) return joint;
    const std::vector<std::string_view> known(skeleton.names().begin(), skeleton.names().end());
    return fail(ErrorCode::not_found, unknown_name(fmt::format("joint of the {}", whose), name, known), where);
}

}  // namespace

Result<std::vector<std::pair<int32_t, int32_t>>> parse_joint_map(ByteSpan json, const Skeleton& source,
                                                                 const Skeleton& target) {
    const auto document = nlohmann::ordered_json::parse(as_text(json), nullptr, false);
    if (!document.is_object()) {
        return fail(ErrorCode::invalid_data,
                    "a joint map is a JSON object; write {\"motion's joint\": \"character's joint\", …}");
    }
    std::vector<std::pair<int32_t, int32_t>> map;
    for (const auto& [from, to] : document.items()) {
        const std::string where = "/" + from;
        if (!to.is_string())
            return fail(ErrorCode::invalid_data, "the value is not a text; write the name of a joint of the character",
                        where);
        SINEW_TRY(const int32_t source_joint, find_joint(source, from, "motion", where));
        SINEW_TRY(const int32_t target_joint, find_joint(target, to.get<std::string>(), "character", where));
        map.emplace_back(source_joint, target_joint);
    }
    return map;
}

}  // namespace sinew
