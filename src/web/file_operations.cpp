// Files in memory, and what the core is.
#include <sinew/core/memory_files.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/pose_character.h>
#include <sinew/sample/sample.h>

#include "choices.h"

namespace sinew::web {
namespace {

Json kinds_json(const std::vector<BuiltinMotions>& kinds) {
    Json list = Json::array();
    for (const BuiltinMotions& kind : kinds) list.push_back({{"kind", kind.kind}, {"motions", kind.names}});
    return list;
}

Result<Json> version(Call&) {
    return Json{{"version", SINEW_VERSION},
                {"reads", {"glb", "gltf", "vrm", "vrma", "obj", "fbx", "bvh", "asf", "amc"}},
                {"writes", {"glb", "gltf", "vrm", "fbx", "obj", "bvh"}},
                {"skinnings", skinning_names()},
                {"weight_methods", weight_method_names()},
                {"solvers", pose_solver_names()},
                {"samples", sample_names()},
                {"names", name_scheme_names()},
                {"templates", {"auto", "biped", "quadruped", "bird", "dinosaur", "dragon", "generic"}},
                {"motions", kinds_json(builtin_motions_by_kind())}};
}

// The same work as a real job, on a small body.
Result<Json> warm_up(Call&) {
    SINEW_TRY(Character bare, make_sample("humanoid"));
    SINEW_TRY(const AnimateResult done, animate(std::move(bare), std::vector<std::string>{"walk"}));
    SINEW_TRY_VOID(encode_character(done.character, "warm.glb", done.write));
    return Json::object();
}

Result<Json> put_file(Call& call) {
    std::string name;
    ByteSpan bytes;
    call.args.need("name", name);
    call.args.need("bytes", bytes);
    SINEW_TRY_VOID(call.args.check());
    memory_files()[memory_name(name)] = Bytes(bytes.begin(), bytes.end());
    return Json::object();
}

Result<Json> get_file(Call& call) {
    std::string name;
    call.args.need("name", name);
    SINEW_TRY_VOID(call.args.check());
    const auto found = memory_files().find(memory_name(name));
    if (found == memory_files().end()) return fail(ErrorCode::not_found, "there is no such file in memory", name);
    return Json{{"bytes", call.array(ByteSpan(found->second))}};
}

Result<Json> list_files(Call&) {
    Json files = Json::array();
    for (const auto& [name, bytes] : memory_files()) files.push_back({{"name", name}, {"size", bytes.size()}});
    return Json{{"files", files}};
}

Result<Json> remove_file(Call& call) {
    std::optional<std::string> name;
    call.args.read("name", name);
    SINEW_TRY_VOID(call.args.check());
    if (!name)
        memory_files().clear();
    else
        memory_files().erase(memory_name(*name));
    return Json::object();
}

}  // namespace

void add_file_operations(Operations& operations) {
    operations.push_back({"version", {}, version});
    operations.push_back({"warm_up", {}, warm_up});
    operations.push_back({"put_file", {"name", "bytes"}, put_file});
    operations.push_back({"get_file", {"name"}, get_file});
    operations.push_back({"list_files", {}, list_files});
    operations.push_back({"remove_file", {"name"}, remove_file});
}

}  // namespace sinew::web
