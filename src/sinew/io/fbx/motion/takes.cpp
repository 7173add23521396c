// Takes: the animation of versions before 7000. A take names models, and for each has channels within channels.
#include <sinew/io/fbx/motion/animation.h>
#include <unordered_map>

namespace sinew::fbx {
namespace {

class TakeReader {
public:
    TakeReader(const Graph& graph, double ticks_per_second, Animation& animation)
        : graph_(graph), ticks_(ticks_per_second), animation_(animation) {
        for (size_t o = 1; o < graph.objects.size(); ++o)
            if (graph.objects[o].kind == "Model") by_name_.try_emplace(graph.objects[o].name, int32_t(o));
    }

    void read(const Node& take) {
        AnimationStack stack;
        stack.name = as_utf8(take.text(0));
        if (const Node* span = take.find("LocalTime")) {
            const double begin = span->real(0) / ticks_, end = span->real(1) / ticks_;
            if (end > begin) stack.span = {begin, end};
        }
        AnimationLayer& layer = stack.layers.emplace_back();
        for (const Node& node : take.children) {
            if (node.name != "Model") continue;
            const auto found = by_name_.find(name_of(node.text(0)));
            if (found != by_name_.end()) read_model(node, found->second, layer);
        }
        animation_.stacks.push_back(std::move(stack));
    }

private:
    void read_model(const Node& model, int32_t object, AnimationLayer& layer) {
        for (const Node& channel : model.children) {
            if (channel.name != "Channel") continue;
            if (channel.text(0) == "Transform") {
                add(channel, "T", object, "Lcl Translation", layer);
                add(channel, "R", object, "Lcl Rotation", layer);
                add(channel, "S", object, "Lcl Scaling", layer);
            } else if (channel.find("Channel") == nullptr) {
                AnimatedProperty& property = layer.properties[{object, channel_name(channel.text(0))}];
                set(channel, 0, property);
            }
        }
    }

    void add(const Node& transform, std::string_view name, int32_t object, std::string_view target,
             AnimationLayer& layer) {
        for (const Node& channel : transform.children) {
            if (channel.name != "Channel" || channel.text(0) != name) continue;
            AnimatedProperty property;
            bool any = false;
            for (const Node& part : channel.children) {
                if (part.name != "Channel") continue;
                const std::string_view axis = part.text(0);
                if (axis == "X" || axis == "Y" || axis == "Z") set(part, size_t(axis[0] - 'X'), property), any = true;
            }
            if (any) layer.properties[{object, target}] = property;
        }
    }

    void set(const Node& channel, size_t component, AnimatedProperty& property) {
        if (const Node* value = channel.find("Default")) property.constant[Eigen::Index(component)] = value->real(0);
        if (channel.find("Key") != nullptr)
            property.curves[component] = &animation_.curves.emplace_back(read_old_curve(channel, ticks_));
    }

    const Graph& graph_;
    double ticks_;
    Animation& animation_;
    std::unordered_map<std::string, int32_t> by_name_;
};

}  // namespace

void read_takes(const Graph& graph, double ticks_per_second, Animation& animation) {
    const Node* takes = graph.document->root.find("Takes");
    if (takes == nullptr) return;
    TakeReader reader(graph, ticks_per_second, animation);
    for (const Node& take : takes->children)
        if (take.name == "Take") reader.read(take);
}

}  // namespace sinew::fbx
