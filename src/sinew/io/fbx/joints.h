// Models: the nodes of an FBX file, and the joints that stand for them.
// Data flow: Graph → *here* → Skeleton at rest; with animated values → the keys of clips.
#pragma once

#include <sinew/core/file.h>
#include <sinew/io/fbx/transform_chain.h>
#include <sinew/skeleton/skeleton.h>
#include <functional>
#include <string>
#include <vector>

namespace sinew::fbx {

// How a node takes over its parent's scale. R, S: the parent's; r, s: its own.
enum class Inherit : uint8_t {
    componentwise,  // R r S s
    normal,         // R S r s
    no_scale,       // R r s
};

struct Model {
    int32_t object = 0;
    int32_t parent = -1;  // a model
    TransformChain chain;
    LocalValues rest;
    AffineD geometric = AffineD::Identity();
    Inherit inherit = Inherit::normal;
    int32_t scale_from = -1;    // the model whose scale multiplies this one's, if it is not `normal`
    bool scale_apart = false;   // its scale is a joint of its own, because a child does not inherit it
    int32_t joint = -1;         // where it stands
    int32_t scaled_joint = -1;  // what is attached to it: the same, unless `scale_apart`
};

struct Models {
    Space space;
    std::vector<Model> all;          // parents before their children
    std::vector<int32_t> of_object;  // the model of an object, or −1

    const Model* find(int32_t object) const {
        const int32_t model = object >= 0 ? of_object[size_t(object)] : -1;
        return model >= 0 ? &all[size_t(model)] : nullptr;
    }
};

using ValuesOf = std::function<LocalValues(int32_t model)>;

Models find_models(const Graph& graph);

// Numbers the joints and makes the skeleton. `scale_moves`: whether some clip animates a model's scale.
Result<Skeleton> make_skeleton(Models& models, const Graph& graph, const std::vector<bool>& scale_moves,
                               const Limits& limits, std::vector<std::string>& warnings);

// A model's joint, and its scaled joint where that is another, in Sinew's space.
Placement joint_placement(const Models& models, int32_t model, const ValuesOf& values);
Placement scaled_joint_placement(const Models& models, int32_t model, const ValuesOf& values);

// Calls use(m) for the models whose scale the model's own placement depends on.
void each_scale_source(const Models& models, int32_t model, const std::function<void(int32_t)>& use);

}  // namespace sinew::fbx
