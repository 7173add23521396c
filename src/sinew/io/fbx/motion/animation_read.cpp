#include <sinew/io/fbx/motion/animation.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr double classic_ticks = 46186158000.0, later_ticks = 141120000.0;  // per second
constexpr int64_t first_header_with_choice = 1004;
constexpr int64_t classic_choice = 127;
constexpr uint32_t first_version_with_later_ticks = 8000;

// Later files may count time in other ticks; their header says so.
double ticks_per_second(const Document& document) {
    bool classic = document.version < first_version_with_later_ticks;
    if (const Node* header = document.root.find("FBXHeaderExtension")) {
        const Node* version = header->find("FBXHeaderVersion");
        const Node* flags = header->find("OtherFlags");
        const Node* choice = flags != nullptr ? flags->find("TCDefinition") : nullptr;
        if (version != nullptr && version->integer(0) >= first_header_with_choice && choice != nullptr)
            classic = choice->integer(0) == classic_choice;
    }
    return classic ? classic_ticks : later_ticks;
}

AnimationLayer::Blend blend_of(const Object& layer) {
    using Blend = AnimationLayer::Blend;
    switch (layer.integer("BlendMode", 0)) {
        case 0:
            return Blend::add;
        case 2:
            return Blend::mix;
        default:
            return Blend::replace;
    }
}

// Which of a property's numbers a curve feeds: "d|Y" is the second.
size_t component_of(std::string_view property) {
    if (property.ends_with("|Y")) return 1;
    return property.ends_with("|Z") ? 2 : 0;
}

class AnimationReader {
public:
    AnimationReader(const Graph& graph, Animation& animation)
        : graph_(graph),
          animation_(animation),
          ticks_(ticks_per_second(*graph.document)),
          curve_of_object_(graph.objects.size(), nullptr) {}

    void read() {
        for (size_t o = 1; o < graph_.objects.size(); ++o)
            if (graph_.objects[o].kind == "AnimationStack") read_stack(int32_t(o));
        if (graph_.document->version < first_version_with_ids || animation_.stacks.empty())
            read_takes(graph_, ticks_, animation_);
        for (const Curve& curve : animation_.curves) animation_.key_count += curve.keys.size();
    }

private:
    void read_stack(int32_t object) {
        const Object& source = graph_.objects[size_t(object)];
        AnimationStack stack;
        stack.name = source.name;
        const double begin = double(source.integer("LocalStart", 0)) / ticks_;
        const double end = double(source.integer("LocalStop", 0)) / ticks_;
        if (end > begin) stack.span = {begin, end};
        for (const int32_t layer : graph_.children_of(object, "AnimationLayer")) read_layer(layer, stack);
        // The layers do not move any more: now their weights can be pointed at.
        size_t number = 0;
        for (const int32_t layer : graph_.children_of(object, "AnimationLayer")) {
            for (const AnimationLayer& other : stack.layers)
                if (const auto found = other.properties.find({layer, "Weight"}); found != other.properties.end())
                    stack.layers[number].moving_weight = &found->second;
            ++number;
        }
        animation_.stacks.push_back(std::move(stack));
    }

    void read_layer(int32_t object, AnimationStack& stack) {
        const Object& source = graph_.objects[size_t(object)];
        AnimationLayer& layer = stack.layers.emplace_back();
        layer.blend = blend_of(source);
        layer.weight = std::clamp(source.real("Weight", 100.0) * 0.01, 0.0, 1.0);
        layer.by_rotation = source.integer("RotationAccumulationMode", 0) == 0;
        layer.by_product = source.integer("ScaleAccumulationMode", 0) == 0;
        for (const int32_t node : graph_.children_of(object, "AnimationCurveNode")) read_property(node, layer);
    }

    void read_property(int32_t node, AnimationLayer& layer) {
        const Object& source = graph_.objects[size_t(node)];
        AnimatedProperty property;
        const double first = source.real("d|X", first_number(source));
        property.constant = Vec3d(first, source.real("d|Y", 0), source.real("d|Z", 0));
        for (const Link& link : graph_.children[size_t(node)])
            if (graph_.objects[size_t(link.object)].kind == "AnimationCurve")
                property.curves[component_of(link.property)] = curve_of(link.object);
        for (const Link& link : graph_.parents[size_t(node)])
            if (!link.property.empty()) layer.properties[{link.object, link.property}] = property;
    }

    // Of a property with one number only, whatever its name: "d|DeformPercent".
    static double first_number(const Object& source) {
        const Node* list = source.node->find("Properties70");
        if (list == nullptr) return 0;
        for (const Node& p : list->children)
            if (p.text(0).starts_with("d|") && std::isfinite(p.real(first_value_of(p))))
                return p.real(first_value_of(p));
        return 0;
    }

    const Curve* curve_of(int32_t object) {
        const Curve*& known = curve_of_object_[size_t(object)];
        if (known == nullptr)
            known = &animation_.curves.emplace_back(read_curve(*graph_.objects[size_t(object)].node, ticks_));
        return known;
    }

    const Graph& graph_;
    Animation& animation_;
    double ticks_;
    std::vector<const Curve*> curve_of_object_;
};

}  // namespace

Animation read_animation(const Graph& graph) {
    Animation animation;
    AnimationReader(graph, animation).read();
    return animation;
}

}  // namespace sinew::fbx
