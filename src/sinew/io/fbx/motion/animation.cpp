#include <sinew/io/fbx/motion/animation.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

// Scales of either sign: the power of the size, with the sign.
Vec3d signed_power(const Vec3d& scale, double exponent) {
    Vec3d result;
    for (int i = 0; i < 3; ++i) result[i] = std::copysign(std::pow(std::abs(scale[i]), exponent), scale[i]);
    return result;
}

// The given share of the way from a to b.
Quatd part_way(const Quatd& a, const Quatd& b, double share) {
    return slerp(a, b, std::clamp(share, 0.0, 1.0));
}

}  // namespace

Vec3d AnimatedProperty::at(double time) const {
    Vec3d value = constant;
    for (int i = 0; i < 3; ++i)
        if (curves[size_t(i)] != nullptr && !curves[size_t(i)]->keys.empty()) value[i] = curves[size_t(i)]->at(time);
    return value;
}

double AnimationLayer::weight_at(double time) const {
    constexpr double percent = 0.01;
    return moving_weight == nullptr ? weight : std::clamp(moving_weight->at(time).x() * percent, 0.0, 1.0);
}

PropertyMotion::PropertyMotion(const AnimationStack& stack, int32_t object, std::string_view property) {
    if (property == "Lcl Rotation") kind_ = Kind::rotation;
    if (property == "Lcl Scaling") kind_ = Kind::scaling;
    for (const AnimationLayer& layer : stack.layers)
        if (const auto found = layer.properties.find({object, property}); found != layer.properties.end())
            tracks_.push_back({&layer, &found->second, &layer == stack.layers.data()});
}

Vec3d PropertyMotion::at(double time, const Vec3d& rest, RotationOrder order) const {
    Vec3d value = rest;
    for (const LayerTrack& track : tracks_) {
        if (track.is_first)
            value = track.property->at(time);
        else
            mix(track, time, order, value);
    }
    return value.allFinite() ? value : rest;
}

void PropertyMotion::mix(const LayerTrack& track, double time, RotationOrder order, Vec3d& value) const {
    using Blend = AnimationLayer::Blend;
    const AnimationLayer& layer = *track.layer;
    const Vec3d own = track.property->at(time);
    const double weight = layer.weight_at(time);
    if (layer.blend == Blend::replace) {
        value = own;
    } else if (kind_ == Kind::rotation && layer.by_rotation) {
        const Quatd below = rotation_from_degrees(value, order), above = rotation_from_degrees(own, order);
        const Quatd mixed = layer.blend == Blend::add ? Quatd(below * part_way(Quatd::Identity(), above, weight))
                                                      : part_way(below, above, weight);
        value = degrees_from_rotation(mixed, order);
    } else if (kind_ == Kind::scaling && layer.by_product) {
        const Vec3d below = layer.blend == Blend::add ? value : signed_power(value, 1 - weight);
        value = below.cwiseProduct(signed_power(own, weight));
    } else if (layer.blend == Blend::add) {
        value += weight * own;
    } else {
        value += weight * (own - value);
    }
}

void PropertyMotion::each_curve(const std::function<void(const Curve&)>& use) const {
    const auto each = [&use](const AnimatedProperty* property) {
        for (const Curve* curve : property->curves)
            if (curve != nullptr) use(*curve);
    };
    for (const LayerTrack& track : tracks_) {
        each(track.property);
        if (track.layer->moving_weight != nullptr && !track.is_first) each(track.layer->moving_weight);
    }
}

}  // namespace sinew::fbx
