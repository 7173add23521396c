#include "call.h"

#include <sinew/core/closest.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew::web {
namespace {

const char* code_name(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_data:
            return "invalid_data";
        case ErrorCode::unsupported:
            return "unsupported";
        case ErrorCode::limit_exceeded:
            return "limit_exceeded";
        case ErrorCode::not_found:
            return "not_found";
        case ErrorCode::io:
            return "io";
        case ErrorCode::invalid_argument:
            break;
    }
    return "invalid_argument";
}

// Names that are not UTF-8 must not lose the whole answer.
std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Json> list_operations(Call&) {
    Json list = Json::array();
    for (const Operation& operation : operations())
        list.push_back({{"name", operation.name}, {"args", operation.arguments}});
    return Json{{"operations", list}};
}

Result<const Operation*> find_operation(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Operation& operation : operations()) {
        if (operation.name == name) return &operation;
        names.push_back(operation.name);
    }
    return fail(ErrorCode::not_found, unknown_name("operation", name, names));
}

Result<void> check_names(const Operation& operation, const Json& json) {
    for (const auto& [name, value] : json.items()) {
        const auto known = std::ranges::find(operation.arguments, std::string_view(name),
                                             [](const char* text) { return std::string_view(text); });
        if (known == operation.arguments.end())
            return fail(ErrorCode::invalid_argument,
                        fmt::format("the operation {} has no argument {}", operation.name, name));
    }
    return {};
}

Result<Json> run(std::string_view name, std::string_view text, std::span<const ByteSpan> blobs, Documents& documents,
                 const Progress& progress, Reply& reply) {
    SINEW_TRY(const Operation* operation, find_operation(name));
    const Json json = Json::parse(text.empty() ? "{}" : text, nullptr, false);
    if (!json.is_object()) return fail(ErrorCode::invalid_argument, "the arguments are not a JSON object");
    SINEW_TRY_VOID(check_names(*operation, json));
    Call call(json, blobs, documents, progress);
    SINEW_TRY(Json result, operation->run(call));
    reply.blobs = std::move(call.blobs);
    return result;
}

}  // namespace

Json Call::add(ByteSpan bytes, const char* type) {
    blobs.emplace_back(bytes.begin(), bytes.end());
    return {{"$blob", blobs.size() - 1}, {"type", type}};
}

Json Call::array(Bytes values) {
    blobs.push_back(std::move(values));
    return {{"$blob", blobs.size() - 1}, {"type", "u8"}};
}

const Operations& operations() {
    static const Operations all = [] {
        Operations list = {{"operations", {}, list_operations}};
        add_file_operations(list);
        add_document_operations(list);
        add_rig_operations(list);
        add_motion_operations(list);
        add_skin_operations(list);
        add_paint_operations(list);
        add_pose_operations(list);
        add_play_operations(list);
        add_clip_operations(list);
        add_curve_operations(list);
        add_morph_operations(list);
        return list;
    }();
    return all;
}

Reply call(std::string_view operation, std::string_view json, std::span<const ByteSpan> blobs, Documents& documents,
           const Progress& progress) {
    Reply reply;
    const auto result = run(operation, json, blobs, documents, progress, reply);
    reply.ok = result.has_value();
    if (result) {
        reply.json = to_text(*result);
        return reply;
    }
    const Error& error = result.error();
    reply.json = to_text({{"code", code_name(error.code)},
                          {"message", error.message},
                          {"where", error.where},
                          {"text", to_string(error)}});
    return reply;
}

}  // namespace sinew::web
