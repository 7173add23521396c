// The skin's weights: out, in, and edited as `sinew weights` does.
#include <sinew/pipeline/edit_weights.h>
#include <sinew/pipeline/job/report_json.h>

#include <fmt/format.h>

#include "choices.h"
#include "skin_parts.h"

namespace sinew::web {
namespace {

Result<Json> weights(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const Character& character = document->character;
    Json parts = Json::array();
    for (const SkinnedPart& part : skinned_parts(character)) {
        const Influences& influences = part.primitive_of(character).influences;
        const std::vector<int32_t>& joints = character.skins[static_cast<size_t>(part.skin)].joints;
        const WeightArrays arrays = weight_arrays(influences, all_vertices(influences));
        const std::vector<uint32_t> numbers(joints.begin(), joints.end());
        parts.push_back({{"instance", part.instance},
                         {"primitive", part.primitive},
                         {"skin", part.skin},
                         {"joints", call.array(numbers)},
                         {"first", call.array(arrays.first)},
                         {"joint", call.array(arrays.joint)},
                         {"weight", call.array(arrays.weight)}});
    }
    return Json{{"parts", parts}};
}

Result<Json> set_weights(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    int32_t id = 0, instance = 0, primitive = 0;
    std::vector<uint32_t> vertices;
    WeightArrays arrays;
    call.args.read("id", id);
    call.args.need("instance", instance);
    call.args.need("primitive", primitive);
    call.args.need("vertices", vertices);
    call.args.need("first", arrays.first);
    call.args.need("joint", arrays.joint);
    call.args.need("weight", arrays.weight);
    SINEW_TRY_VOID(call.args.check());
    Document changed = *document;
    for (const SkinnedPart& part : skinned_parts(changed.character)) {
        if (part.instance != instance || part.primitive != primitive) continue;
        Primitive& own = part.primitive_of(changed.character);
        const size_t joints = changed.character.skins[static_cast<size_t>(part.skin)].joints.size();
        SINEW_TRY(own.influences, with_weights(own.influences, vertices, arrays, joints));
        call.documents.set(id, std::make_shared<const Document>(std::move(changed)));
        return Json::object();
    }
    return fail(ErrorCode::not_found, fmt::format("instance {} has no skinned primitive {}", instance, primitive));
}

Result<Json> edit_skin(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    EditWeightsOptions options;
    std::string mirror;
    call.args.read("mirror", mirror);
    call.args.read("smooth", options.smooth);
    call.args.read("prune", options.prune);
    call.args.read("influences", options.influences);
    SINEW_TRY_VOID(call.args.check());
    constexpr std::string_view axes = "xyz";
    if (!mirror.empty()) {
        const size_t axis = mirror.size() == 1 ? axes.find(mirror[0]) : axes.npos;
        if (axis == axes.npos)
            return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" is not x, y or z", mirror), "mirror");
        options.mirror = static_cast<int>(axis);
    }
    DocumentPtr from;
    if (call.args.has("transfer_from")) {
        SINEW_TRY(from, document_of(call, "transfer_from"));
        options.transfer_from = &from->character;
    }
    Document changed = *document;
    EditWeightsFileReport report{.input = document->file};
    SINEW_TRY(report.edit, edit_weights(changed.character, options));
    report.warnings = report.edit.warnings;
    return finish(call, std::move(changed), {{"report", parsed(encode_json(report))}});
}

}  // namespace

void add_skin_operations(Operations& operations) {
    operations.push_back({"weights", {"id"}, weights});
    operations.push_back(
        {"set_weights", {"id", "instance", "primitive", "vertices", "first", "joint", "weight"}, set_weights});
    operations.push_back(
        {"edit_weights", {"id", "transfer_from", "mirror", "smooth", "prune", "influences"}, edit_skin});
}

}  // namespace sinew::web
