// Documents: opened, copied, described, exported.
#include <sinew/character/character_deformer.h>
#include <sinew/io/read.h>
#include <sinew/pipeline/check/check_character.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>

#include "choices.h"

namespace sinew::web {
namespace {

Json opened(Call& call, Document document) {
    auto kept = std::make_shared<const Document>(std::move(document));
    const int32_t id = call.documents.add(kept);
    return {{"id", id}, {"state", state_json(id, *kept)}};
}

Result<Json> open(Call& call) {
    std::string file, skeleton;
    bool humanoid = false;
    call.args.need("file", file);
    call.args.read("skeleton", skeleton);
    call.args.read("humanoid", humanoid);
    SINEW_TRY_VOID(call.args.check());
    report(call.progress, "reading", 0.0);
    SINEW_TRY(Character character,
              in_file(read_character(file, {.progress = call.progress, .skeleton = skeleton}), file));
    Document document{.character = std::move(character), .file = file};
    if (humanoid) document.write.humanoid = recognise_humanoid(document.character.skeleton);
    return opened(call, std::move(document));
}

Result<Json> open_sample(Call& call) {
    std::string name;
    call.args.need("name", name);
    SINEW_TRY_VOID(call.args.check());
    SINEW_TRY(Character character, make_sample(name));
    return opened(call, {.character = std::move(character)});
}

Result<Json> copy(Call& call) {
    SINEW_TRY(DocumentPtr document, document_of(call));
    return Json{{"id", call.documents.add(std::move(document))}};
}

Result<Json> assign(Call& call) {
    int32_t id = 0;
    call.args.need("id", id);
    SINEW_TRY_VOID(document_of(call));
    SINEW_TRY(const DocumentPtr from, document_of(call, "from"));
    call.documents.set(id, from);
    return Json{{"state", state_json(id, *from)}};
}

Result<Json> close(Call& call) {
    int32_t id = 0;
    call.args.need("id", id);
    SINEW_TRY_VOID(call.args.check());
    call.documents.close(id);
    return Json::object();
}

Result<Json> state(Call& call) {
    int32_t id = 0;
    call.args.need("id", id);
    SINEW_TRY(const DocumentPtr document, document_of(call));
    return Json{{"state", state_json(id, *document)}};
}

Result<Json> info(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    std::string name;
    std::optional<float> time;
    call.args.read("clip", name);
    call.args.read("time", time);
    SINEW_TRY_VOID(call.args.check());
    const Clip* clip = nullptr;
    if (!name.empty() || time) {
        SINEW_TRY(clip, find_clip(document->character, name));
    }
    CharacterInfo info = describe(document->character, clip, time.value_or(0.0f));
    info.file = document->file;
    return Json{{"info", parsed(encode_json(info))}};
}

Result<Json> export_files(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    std::string name;
    call.args.need("name", name);
    SINEW_TRY(const Clip* clip, clip_of(call, document->character));
    WriteOptions how = document->write;
    if (clip) how.clip = static_cast<int32_t>(clip - document->character.clips.data());
    report(call.progress, "writing", 0.0);
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(document->character, name, how), name));
    Json list = Json::array();
    for (OutputFile& file : files)
        list.push_back({{"name", file.path.string()}, {"bytes", call.array(std::move(file.bytes))}});
    return Json{{"files", list}};
}

Result<Json> geometry(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const Character& character = document->character;
    std::vector<DeformedPrimitive> shown;
    deform(character, rest_pose(character), {}, shown);
    Json parts = Json::array();
    for (const DeformedPrimitive& part : shown) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
        const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
        const Primitive& primitive = mesh.primitives[static_cast<size_t>(part.primitive)];
        parts.push_back({{"instance", part.instance},
                         {"primitive", part.primitive},
                         {"mesh", mesh.name},
                         {"skin", instance.skin},
                         {"material", primitive.material},
                         {"positions", call.array(flat(part.positions))},
                         {"normals", call.array(flat(part.normals))},
                         {"triangles", call.array(std::span<const uint32_t>(primitive.mesh.triangles))}});
    }
    return Json{{"parts", parts}};
}

Result<Json> check_document(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(CheckReport card, check(document->character, {}, call.progress));
    card.file = document->file;
    return Json{{"report", parsed(encode_json(card))}};
}

}  // namespace

void add_document_operations(Operations& operations) {
    operations.push_back({"open", {"file", "skeleton", "humanoid"}, open});
    operations.push_back({"sample", {"name"}, open_sample});
    operations.push_back({"copy", {"id"}, copy});
    operations.push_back({"assign", {"id", "from"}, assign});
    operations.push_back({"close", {"id"}, close});
    operations.push_back({"state", {"id"}, state});
    operations.push_back({"info", {"id", "clip", "time"}, info});
    operations.push_back({"export", {"id", "name", "clip"}, export_files});
    operations.push_back({"geometry", {"id"}, geometry});
    operations.push_back({"check", {"id"}, check_document});
}

}  // namespace sinew::web
