// Animation: the stacks of an FBX file; each has layers, each layer curves for properties of objects.
// Data flow: Graph → animation_read.cpp, takes.cpp → *here* → clips.cpp.
#pragma once

#include <sinew/io/fbx/document/objects.h>
#include <sinew/io/fbx/motion/curve.h>
#include <sinew/io/fbx/transform_chain.h>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace sinew::fbx {

// One property over time on one layer: up to three numbers, each a curve or a constant.
struct AnimatedProperty {
    std::array<const Curve*, 3> curves{};
    Vec3d constant = Vec3d::Zero();

    Vec3d at(double time) const;
};

struct AnimationLayer {
    enum class Blend : uint8_t { add, replace, mix };
    Blend blend = Blend::replace;
    double weight = 1;
    const AnimatedProperty* moving_weight = nullptr;
    bool by_rotation = true;  // rotations are put together as such, not angle by angle
    bool by_product = true;   // scales are multiplied
    std::map<std::pair<int32_t, std::string_view>, AnimatedProperty> properties;  // by object and name

    double weight_at(double time) const;
};

struct AnimationStack {
    std::string name;
    std::optional<std::pair<double, double>> span;  // what the file says it lasts, in seconds
    std::vector<AnimationLayer> layers;
};

struct Animation {
    std::deque<Curve> curves;
    std::vector<AnimationStack> stacks;
    size_t key_count = 0;
};

// One property through all layers of a stack.
class PropertyMotion {
public:
    PropertyMotion(const AnimationStack& stack, int32_t object, std::string_view property);

    bool moves() const { return !tracks_.empty(); }
    // `rest` is the value where no layer has one; `order` matters for rotations alone.
    Vec3d at(double time, const Vec3d& rest, RotationOrder order = RotationOrder::xyz) const;
    void each_curve(const std::function<void(const Curve&)>& use) const;

private:
    enum class Kind : uint8_t { plain, rotation, scaling };
    struct LayerTrack {
        const AnimationLayer* layer = nullptr;
        const AnimatedProperty* property = nullptr;
        bool is_first = false;  // of the stack
    };
    void mix(const LayerTrack& track, double time, RotationOrder order, Vec3d& value) const;

    Kind kind_ = Kind::plain;
    std::vector<LayerTrack> tracks_;
};

Animation read_animation(const Graph& graph);

// For read_animation: versions before 7000 keep their animation apart from the objects.
void read_takes(const Graph& graph, double ticks_per_second, Animation& animation);

}  // namespace sinew::fbx
