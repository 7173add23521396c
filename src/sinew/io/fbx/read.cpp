#include <fmt/format.h>

#include <sinew/io/fbx/fbx.h>
#include <sinew/io/fbx/motion/clips.h>
#include <sinew/io/fbx/scene.h>

namespace sinew {
namespace {

Result<Character> assemble(const fbx::Graph& graph, const ReadOptions& options) {
    fbx::Scene scene{graph, options, fbx::find_models(graph), {}, {}, {}};
    scene.character.format = "fbx";
    const fbx::Animation animation = fbx::read_animation(graph);
    const std::vector<bool> scale_moves = fbx::moving_scales(scene.models, animation);
    SINEW_TRY(scene.character.skeleton,
              fbx::make_skeleton(scene.models, graph, scale_moves, options.limits, scene.character.warnings));
    add_materials(scene);
    SINEW_TRY_VOID(add_meshes(scene));
    SINEW_TRY_VOID(add_clips(scene, animation));
    SINEW_TRY_VOID(validate(scene.character));
    return std::move(scene.character);
}

}  // namespace

Result<Character> read_fbx(SharedBytes file, const ReadOptions& options) {
    if (file.view.empty()) return fail(ErrorCode::invalid_data, "the file is empty; export or copy it again");
    SINEW_TRY(const fbx::Document document, fbx::parse_document(std::move(file), options.limits));
    return assemble(fbx::make_graph(document), options);
}

}  // namespace sinew
