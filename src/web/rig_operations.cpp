// Rigging and binding.
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/bind_character.h>
#include <sinew/pipeline/job/file_says.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/pipeline/job/shown_triangles.h>

#include "choices.h"

namespace sinew::web {
namespace {

Result<Json> animate_document(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    std::vector<std::string> motions;
    call.args.need("motions", motions);
    AnimateOptions options;
    SINEW_TRY(options.rig, rig_options(call));
    SINEW_TRY(options.motion, motion_options(call));
    call.args.read("cloth", options.cloth);
    SINEW_TRY_VOID(call.args.check());
    options.listener.progress = call.progress;
    SINEW_TRY(AnimateResult done, animate(document->character, motions, options));
    done.report.input = document->file;
    Document changed{std::move(done.character), document->write, document->file};
    if (done.write.humanoid) changed.write.humanoid = done.write.humanoid;
    return finish(call, std::move(changed),
                  {{"report", parsed(encode_json(done.report))}, {"motions", motions_json(done.report.motions)}});
}

Result<Json> rig(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(RigCharacterOptions options, rig_options(call));
    options.upright = true;
    call.args.read("upright", options.upright);
    SINEW_TRY_VOID(call.args.check());
    Document changed = *document;
    RigReport report{.input = document->file};
    SINEW_TRY(report.rig, rig_character(changed.character, options));
    report.warnings = report.rig.rig.warnings;
    report.warnings.insert(report.warnings.end(), report.rig.weights.warnings.begin(),
                           report.rig.weights.warnings.end());
    report.seconds = {{"rig", report.rig.rig_seconds}, {"bind", report.rig.bind_seconds}};
    changed.write.humanoid = report.rig.humanoid;
    return finish(call, std::move(changed), {{"report", parsed(encode_json(report))}});
}

Result<Json> fit(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const RigCharacterOptions options, rig_options(call));
    report(call.progress, "rigging", 0.0);
    const ShownTriangles shown = shown_triangles(document->character);
    RigReport report;
    SINEW_TRY(report.rig.rig,
              fit_skeleton(shown.positions, shown.triangles, as_file_says(document->character, options.rig)));
    Json all = parsed(encode_json(report));
    return Json{{"template", all["template"]},
                {"confidence", all["confidence"]},
                {"up", all["up"]},
                {"facing", all["facing"]},
                {"joints", all["joints"]},
                {"cues", all["cues"]},
                {"warnings", report.rig.rig.warnings}};
}

Result<Json> bind(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    WeightOptions options{.progress = call.progress};
    std::string method = "auto";
    call.args.read("weights", method);
    call.args.read("influences", options.influences);
    call.args.read("bones", options.bones.choose);
    SINEW_TRY_VOID(call.args.check());
    SINEW_TRY(options.method, parse_weight_method(method));
    Document changed = *document;
    BindReport report{.input = document->file};
    if (call.args.has("skeleton")) {
        SINEW_TRY(const DocumentPtr skeleton, document_of(call, "skeleton"));
        SINEW_TRY(report.weights, bind_character(changed.character, skeleton->character, options));
        changed.write.humanoid.reset();
    } else {
        SINEW_TRY(report.weights, rebind_skin(changed.character, options));
    }
    report.joint_names = changed.character.skeleton.names();
    report.warnings = report.weights.warnings;
    return finish(call, std::move(changed), {{"report", parsed(encode_json(report))}});
}

}  // namespace

void add_rig_operations(Operations& operations) {
    operations.push_back({"animate", {"id", "motions", "motion", "rig", "cloth"}, animate_document});
    operations.push_back({"rig", {"id", "rig", "upright"}, rig});
    operations.push_back({"fit", {"id", "rig"}, fit});
    operations.push_back({"bind", {"id", "skeleton", "weights", "influences", "bones"}, bind});
}

}  // namespace sinew::web
