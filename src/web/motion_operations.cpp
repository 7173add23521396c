// Motions put on documents, and what is known of clips: contacts.
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/report_json.h>

#include "choices.h"

namespace sinew::web {
namespace {

Result<Json> motions(Call& call) {
    std::vector<BuiltinMotions> builtin = builtin_motions_by_kind();
    Json clips = Json::array(), list = Json::array();
    std::string kind;
    if (call.args.has("id")) {
        SINEW_TRY(const DocumentPtr document, document_of(call));
        builtin = {builtin_motions_of(document->character.skeleton)};
        kind = builtin.front().kind;
        if (kind.empty()) builtin.clear();
        clips = parsed(encode_json(describe(document->character)))["clips"];
    }
    for (const BuiltinMotions& each : builtin) list.push_back({{"kind", each.kind}, {"motions", each.names}});
    return Json{{"kind", kind}, {"clips", clips}, {"builtin", list}};
}

Result<Json> retarget_document(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    std::vector<std::string> names;
    call.args.need("motions", names);
    SINEW_TRY(const MotionOptions options, motion_options(call));
    SINEW_TRY(const std::vector<MotionSource> sources, load_motions(names, options.clip, call.progress));
    Document changed = *document;
    SINEW_TRY(const std::vector<MotionReport> reports,
              add_motions(changed.character, sources, options, {.progress = call.progress}));
    return finish(call, std::move(changed), {{"motions", motions_json(reports)}});
}

}  // namespace

void add_motion_operations(Operations& operations) {
    operations.push_back({"motions", {"id"}, motions});
    operations.push_back({"retarget", {"id", "motions", "motion"}, retarget_document});
}

}  // namespace sinew::web
