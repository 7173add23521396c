// Playing: poses of clips, mixed, as matrices and as deformed vertices; the library's skinning as GLSL.
#include <sinew/character/character_deformer.h>
#include <sinew/clip/runtime/blend.h>
#include <sinew/motion/mapping/body_part.h>
#include <sinew/pipeline/info.h>
#include <sinew/skin/deform.h>
#include <sinew/skin/gpu/gpu_skinning.h>

#include "choices.h"

namespace sinew::web {
namespace {

// One page frame after another of one document. Nothing is allocated twice that keeps its size.
struct Player : Prepared {
    static constexpr PreparedKind own_kind = PreparedKind::player;
    explicit Player(DocumentPtr shown) : Prepared(own_kind), document(std::move(shown)) {}

    DocumentPtr document;
    Pose rest, mixed;
    std::vector<Pose> layers;
    std::vector<AffineD> world;
};

Result<Json> begin_playing(Call& call) {
    SINEW_TRY(DocumentPtr document, document_of(call));
    SINEW_TRY_VOID(skinning_of(call));
    auto player = std::make_unique<Player>(std::move(document));
    player->rest = rest_pose(player->document->character);
    player->mixed = player->rest;
    player->world.resize(player->rest.local.size());
    return Json{{"player", call.documents.keep(std::move(player))}};
}

Result<Player*> player_of(Call& call) {
    int32_t id = 0;
    call.args.need("player", id);
    SINEW_TRY_VOID(call.args.check());
    return call.documents.prepared<Player>(id);
}

struct Layer {
    std::string clip, only;
    float time = 0.0f, weight = 1.0f;
    bool additive = false;
    std::vector<float> mask;
};

std::vector<Layer> layers_of(Call& call) {
    std::vector<Layer> layers;
    call.args.each("layers", [&](Arguments& args) {
        Layer& layer = layers.emplace_back();
        args.need("clip", layer.clip);
        args.need("time", layer.time);
        args.read("weight", layer.weight);
        args.read("additive", layer.additive);
        args.read("only", layer.only);
    });
    return layers;
}

// The moments of all layers, mixed.
Result<void> mix(std::vector<Layer>& layers, Player& player) {
    const Character& character = player.document->character;
    player.layers.resize(layers.size());
    std::vector<BlendLayer> blend;
    for (size_t i = 0; i < layers.size(); ++i) {
        Layer& layer = layers[i];
        SINEW_TRY(const Clip* clip, find_clip(character, layer.clip));
        sample_pose(character, clip, layer.time, player.layers[i]);
        if (layer.additive) player.layers[i] = pose_difference(player.layers[i], pose_at(character, clip, 0.0f));
        if (!layer.only.empty()) {
            SINEW_TRY(const std::vector<int32_t> joints, find_part(character.skeleton, layer.only));
            layer.mask.assign(character.skeleton.size(), 0.0f);
            for (int32_t joint : joints) layer.mask[static_cast<size_t>(joint)] = 1.0f;
        }
        blend.push_back({&player.layers[i], layer.weight, layer.mask, layer.additive});
    }
    blend_poses(blend, player.rest, player.mixed);
    return {};
}

std::vector<float> matrix_numbers(std::span<const AffineD> world) {
    std::vector<float> numbers;
    numbers.reserve(world.size() * 16);
    for (const AffineD& matrix : world)
        for (int column = 0; column < 4; ++column) {
            for (int row = 0; row < 3; ++row) numbers.push_back(static_cast<float>(matrix.matrix()(row, column)));
            numbers.push_back(column == 3 ? 1.0f : 0.0f);
        }
    return numbers;
}

Result<Json> frame(Call& call) {
    SINEW_TRY(Player * player, player_of(call));
    std::vector<Layer> layers = layers_of(call);
    std::vector<float> pose;
    call.args.read("pose", pose);
    SINEW_TRY_VOID(call.args.check());
    SINEW_TRY_VOID(mix(layers, *player));
    if (!pose.empty()) {
        SINEW_TRY(player->mixed.local, pose_of_numbers(pose, player->rest.local.size()));
    }
    local_to_world(player->document->character.skeleton.parents(), player->mixed.local, player->world);
    return Json{{"pose", call.array(pose_numbers(player->mixed.local))},
                {"world", call.array(matrix_numbers(player->world))},
                {"morphs", call.array(std::span<const float>(player->mixed.morphs))}};
}

Result<GpuPalette> palette_kind(const std::string& name) {
    if (name == "matrices") return GpuPalette::matrices;
    if (name == "dual_quaternions") return GpuPalette::dual_quaternions;
    if (name == "stretched_dual_quaternions") return GpuPalette::stretched_dual_quaternions;
    return fail(ErrorCode::invalid_argument, "the palette is of no kind that the shaders read", "kind");
}

Result<Json> palette(Call& call) {
    SINEW_TRY(const Player* player, player_of(call));
    const Character& character = player->document->character;
    int32_t instance = 0;
    std::string kind_name;
    call.args.need("instance", instance);
    call.args.need("kind", kind_name);
    SINEW_TRY_VOID(call.args.check());
    SINEW_TRY(const GpuPalette kind, palette_kind(kind_name));
    if (instance < 0 || static_cast<size_t>(instance) >= character.instances.size() ||
        character.instances[static_cast<size_t>(instance)].skin < 0)
        return fail(ErrorCode::not_found, "there is no skinned instance of that number", "instance");
    const auto skin = static_cast<size_t>(character.instances[static_cast<size_t>(instance)].skin);
    std::vector<Affine> matrices(character.skins[skin].joints.size());
    make_palette(character.skins[skin], player->world, matrices);
    const GpuTextureSize size = gpu_texture_size(kind, matrices.size());
    std::vector<float> rows(size.floats(), 0.0f);
    write_gpu_palette(kind, matrices, rows);
    return Json{{"rows", call.array(rows)}, {"width", size.width}, {"height", size.height}};
}

Result<Json> end_playing(Call& call) {
    int32_t id = 0;
    call.args.need("player", id);
    SINEW_TRY_VOID(player_of(call));
    call.documents.drop(id);
    return Json::object();
}

Result<Json> sample_clip(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(const Clip* clip, clip_of(call, document->character));
    std::vector<float> times, poses, morphs;
    call.args.need("times", times);
    SINEW_TRY_VOID(call.args.check());
    Pose pose;
    for (float time : times) {
        sample_pose(document->character, clip, time, pose);
        const std::vector<float> numbers = pose_numbers(pose.local);
        poses.insert(poses.end(), numbers.begin(), numbers.end());
        morphs.insert(morphs.end(), pose.morphs.begin(), pose.morphs.end());
    }
    return Json{{"pose", call.array(poses)}, {"morphs", call.array(morphs)}};
}

Result<Json> deform_document(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const Character& character = document->character;
    SINEW_TRY(const Clip* clip, clip_of(call, character));
    float time = 0.0f;
    std::vector<float> numbers, morphs;
    DeformOptions options;
    SINEW_TRY(options.skinning, skinning_of(call));
    call.args.read("time", time);
    call.args.read("pose", numbers);
    call.args.read("morphs", morphs);
    call.args.read("delta_mush", options.delta_mush);
    SINEW_TRY_VOID(call.args.check());
    Pose pose = pose_at(character, clip, time);
    if (!numbers.empty()) {
        SINEW_TRY(pose.local, pose_of_numbers(numbers, pose.local.size()));
    }
    if (!morphs.empty() && morphs.size() != pose.morphs.size())
        return fail(ErrorCode::invalid_argument, "there are not as many morph weights as targets", "morphs");
    if (!morphs.empty()) pose.morphs = std::move(morphs);
    std::vector<DeformedPrimitive> shown;
    deform(character, pose, options, shown);
    Json parts = Json::array();
    for (const DeformedPrimitive& part : shown)
        parts.push_back({{"instance", part.instance},
                         {"primitive", part.primitive},
                         {"positions", call.array(flat(part.positions))},
                         {"normals", call.array(flat(part.normals))}});
    return Json{{"parts", parts}};
}

Result<Json> glsl(Call& call) {
    std::string method = "lbs", palette = "texture";
    int32_t rows = 256;
    call.args.need("method", method);
    call.args.read("palette", palette);
    call.args.read("rows", rows);
    SINEW_TRY_VOID(call.args.check());
    Json result;
    result["palette"] =
        palette == "uniform" ? glsl_palette_uniform(static_cast<size_t>(std::max(rows, 1))) : glsl_palette_texture();
    if (method == "lbs")
        result["method"] = glsl_linear_blend();
    else if (method == "dqs")
        result["method"] = glsl_dual_quaternion();
    else if (method == "stretched-dqs")
        result["method"] = glsl_stretched_dual_quaternion();
    else
        return fail(ErrorCode::invalid_argument, "there are shaders for lbs, dqs and stretched-dqs", "method");
    return result;
}

}  // namespace

void add_play_operations(Operations& operations) {
    operations.push_back({"sample_clip", {"id", "clip", "times"}, sample_clip});
    operations.push_back({"player_begin", {"id", "skinning"}, begin_playing});
    operations.push_back({"player_frame", {"player", "layers", "pose"}, frame});
    operations.push_back({"player_palette", {"player", "instance", "kind"}, palette});
    operations.push_back({"player_end", {"player"}, end_playing});
    operations.push_back(
        {"deform", {"id", "clip", "time", "pose", "morphs", "skinning", "delta_mush"}, deform_document});
    operations.push_back({"glsl", {"method", "palette", "rows"}, glsl});
}

}  // namespace sinew::web
