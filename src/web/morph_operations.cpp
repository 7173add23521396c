// Morph targets: what there is, and weights that follow a dragged face.
#include <sinew/morph/direct_manipulation.h>

#include <fmt/format.h>

#include "choices.h"

namespace sinew::web {
namespace {

std::vector<std::string> target_names(const MeshGroup& mesh) {
    std::vector<std::string> names;
    for (size_t t = 0; t < morph_count(mesh); ++t) {
        const std::string& name = mesh.primitives.front().morphs[t].name;
        names.push_back(name.empty() ? fmt::format("target {}", t) : name);
    }
    return names;
}

Result<Json> morphs(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const Character& character = document->character;
    const Pose rest = rest_pose(character);
    Json list = Json::array();
    for (size_t i = 0; i < character.instances.size(); ++i) {
        const MeshInstance& instance = character.instances[i];
        const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
        const size_t count = morph_count(mesh);
        if (!instance.in_scene || count == 0) continue;
        const auto first = rest.morphs.begin() + instance.first_morph;
        list.push_back({{"instance", i},
                        {"mesh", mesh.name},
                        {"first", instance.first_morph},
                        {"names", target_names(mesh)},
                        {"weights", std::vector<float>(first, first + static_cast<std::ptrdiff_t>(count))}});
    }
    return Json{{"instances", list}};
}

Result<Json> drag(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const Character& character = document->character;
    int32_t instance = 0, primitive = 0;
    std::vector<DragHandle> handles;
    std::vector<float> current;
    DirectManipulationOptions options;
    call.args.need("instance", instance);
    call.args.need("primitive", primitive);
    call.args.each("handles", [&](Arguments& args) {
        DragHandle& handle = handles.emplace_back();
        int32_t vertex = 0;
        args.need("vertex", vertex);
        args.need("position", handle.position);
        args.read("importance", handle.importance);
        handle.vertex = static_cast<uint32_t>(std::max(vertex, 0));
    });
    call.args.read("current", current);
    call.args.read("stay", options.stay);
    SINEW_TRY_VOID(call.args.check());
    const auto i = static_cast<size_t>(instance), p = static_cast<size_t>(primitive);
    if (instance < 0 || primitive < 0 || i >= character.instances.size() ||
        p >= character.meshes[static_cast<size_t>(character.instances[i].mesh)].primitives.size())
        return fail(ErrorCode::not_found, fmt::format("there is no primitive {} of instance {}", primitive, instance));
    const Primitive& shape = character.meshes[static_cast<size_t>(character.instances[i].mesh)].primitives[p];
    const DirectManipulation found = solve_weights(shape.mesh.positions, shape.morphs, current, handles, options);
    return Json{{"weights", call.array(found.weights)},
                {"residual", found.report.residual},
                {"converged", found.report.converged}};
}

}  // namespace

void add_morph_operations(Operations& operations) {
    operations.push_back({"morphs", {"id"}, morphs});
    operations.push_back({"morph_drag", {"id", "instance", "primitive", "handles", "current", "stay"}, drag});
}

}  // namespace sinew::web
