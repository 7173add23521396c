#include <sinew/clip/runtime/blend.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

float weight_of(const BlendLayer& layer, size_t j) {
    return layer.mask.empty() ? layer.weight : layer.weight * layer.mask[j];
}

// Towards q from no rotation, as nlerp: exact at 0 and 1.
Quat part_of(const Quat& q, float share) {
    if (share == 1.0f) return q;
    const float side = q.w() < 0 ? -share : share;
    Quat part(1.0f - share + side * q.w(), side * q.x(), side * q.y(), side * q.z());
    return part.normalized();
}

void add_difference(const Transform& difference, float share, Transform& to) {
    if (share == 0.0f) return;
    to.translation += share * difference.translation;
    to.rotation = to.rotation * part_of(difference.rotation, share);
    to.scale = to.scale.cwiseProduct(Vec3::Ones() + share * (difference.scale - Vec3::Ones()));
}

Transform mix_joint(std::span<const BlendLayer> layers, const Pose& rest, size_t j) {
    const Transform* only = nullptr;
    Vec3 translation = Vec3::Zero(), scale = Vec3::Zero();
    Eigen::Vector4f rotation = Eigen::Vector4f::Zero();
    float sum = 0.0f;
    int counted = 0;
    for (const BlendLayer& layer : layers) {
        const float weight = layer.additive ? 0.0f : weight_of(layer, j);
        if (!(weight > 0.0f)) continue;
        const Transform& t = layer.pose->local[j];
        if (counted++ == 0) only = &t;
        const float side = only->rotation.dot(t.rotation) < 0.0f ? -weight : weight;
        rotation += side * t.rotation.coeffs();
        translation += weight * t.translation, scale += weight * t.scale, sum += weight;
    }
    if (counted == 0) return rest.local[j];
    if (counted == 1) return *only;
    Transform mixed{.translation = translation / sum, .rotation = only->rotation, .scale = scale / sum};
    const float length = rotation.norm();
    if (length > 0.0f) mixed.rotation.coeffs() = rotation / length;
    return mixed;
}

void mix_morphs(std::span<const BlendLayer> layers, const Pose& rest, Pose& out) {
    for (size_t m = 0; m < rest.morphs.size(); ++m) {
        float sum = 0.0f, value = 0.0f, added = 0.0f, single = 0.0f;
        int counted = 0;
        for (const BlendLayer& layer : layers) {
            if (layer.additive) {
                added += layer.weight * layer.pose->morphs[m];
            } else if (layer.weight > 0.0f) {
                single = layer.pose->morphs[m], value += layer.weight * single, sum += layer.weight, ++counted;
            }
        }
        out.morphs[m] = added + (counted == 0 ? rest.morphs[m] : counted == 1 ? single : value / sum);
    }
}

Vec3 turn_of(Quat q) {
    if (q.w() < 0.0f) q.coeffs() *= -1.0f;
    const float sine = q.vec().norm();
    if (sine < 1e-12f) return Vec3::Zero();
    return q.vec() * (2.0f * std::atan2(sine, q.w()) / sine);
}

Quat quat_of(const Vec3& turn) {
    const float angle = turn.norm();
    if (angle < 1e-12f) return Quat::Identity();
    return Quat(Eigen::AngleAxisf(angle, turn / angle));
}

// x(t) of a critically damped spring from x0 with speed v0; the fade is four of its times, when 9 % is left.
constexpr float spring_times = 4.0f;
Vec3 spring(const Vec3& x0, const Vec3& v0, float t, float fade) {
    const float rate = spring_times / std::max(fade, 1e-6f);
    return (x0 + (v0 + rate * x0) * t) * std::exp(-rate * t);
}

}  // namespace

void blend_poses(std::span<const BlendLayer> layers, const Pose& rest, Pose& out) {
    out.local.resize(rest.local.size()), out.morphs.resize(rest.morphs.size());
    for (const BlendLayer& layer : layers) {
        SINEW_CHECK(layer.pose && layer.pose->local.size() == rest.local.size());
        SINEW_CHECK(layer.pose->morphs.size() == rest.morphs.size());
        SINEW_CHECK(layer.mask.empty() || layer.mask.size() == rest.local.size());
    }
    for (size_t j = 0; j < rest.local.size(); ++j) {
        Transform mixed = mix_joint(layers, rest, j);
        for (const BlendLayer& layer : layers)
            if (layer.additive) add_difference(layer.pose->local[j], weight_of(layer, j), mixed);
        out.local[j] = mixed;
    }
    mix_morphs(layers, rest, out);
}

Pose pose_difference(const Pose& pose, const Pose& reference) {
    SINEW_CHECK(pose.local.size() == reference.local.size() && pose.morphs.size() == reference.morphs.size());
    Pose difference = pose;
    for (size_t j = 0; j < pose.local.size(); ++j) {
        const Transform &a = pose.local[j], &b = reference.local[j];
        difference.local[j].translation = a.translation - b.translation;
        difference.local[j].rotation = b.rotation.conjugate() * a.rotation;
        for (int c = 0; c < 3; ++c) difference.local[j].scale[c] = b.scale[c] != 0.0f ? a.scale[c] / b.scale[c] : 1.0f;
    }
    for (size_t m = 0; m < pose.morphs.size(); ++m) difference.morphs[m] = pose.morphs[m] - reference.morphs[m];
    return difference;
}

void Inertialization::start(const Pose& before, const Pose& shown, const Pose& next_before, const Pose& next,
                            float seconds) {
    const size_t joints = next.local.size();
    SINEW_CHECK(before.local.size() == joints && shown.local.size() == joints && next_before.local.size() == joints);
    offsets_.resize(joints);
    const float rate = seconds > 0.0f ? 1.0f / seconds : 0.0f;
    for (size_t j = 0; j < joints; ++j) {
        const Transform &a = shown.local[j], &b = next.local[j], &a0 = before.local[j], &b0 = next_before.local[j];
        const Vec3 turn = turn_of(a.rotation * b.rotation.conjugate());
        const Vec3 turn_before = turn_of(a0.rotation * b0.rotation.conjugate());
        offsets_[j] = {turn,
                       (turn - turn_before) * rate,
                       a.translation - b.translation,
                       ((a.translation - b.translation) - (a0.translation - b0.translation)) * rate,
                       a.scale - b.scale,
                       ((a.scale - b.scale) - (a0.scale - b0.scale)) * rate};
    }
}

void Inertialization::apply(float since, float fade, Pose& pose) const {
    SINEW_CHECK(pose.local.size() == offsets_.size());
    for (size_t j = 0; j < offsets_.size(); ++j) {
        const Offset& o = offsets_[j];
        Transform& t = pose.local[j];
        t.rotation = (quat_of(spring(o.turn, o.turn_speed, since, fade)) * t.rotation).normalized();
        t.translation += spring(o.move, o.move_speed, since, fade);
        t.scale += spring(o.size, o.size_speed, since, fade);
    }
}

void DeadBlend::start(const Pose& before, const Pose& shown, float seconds) {
    SINEW_CHECK(before.local.size() == shown.local.size());
    carried_.resize(shown.local.size());
    const float rate = seconds > 0.0f ? 1.0f / seconds : 0.0f;
    for (size_t j = 0; j < carried_.size(); ++j) {
        const Transform &a = shown.local[j], &b = before.local[j];
        carried_[j] = {a, turn_of(a.rotation * b.rotation.conjugate()) * rate, (a.translation - b.translation) * rate};
    }
}

void DeadBlend::apply(float since, float fade, Pose& pose) const {
    SINEW_CHECK(pose.local.size() == carried_.size());
    const float decay = spring_times / std::max(fade, 1e-6f);
    const float far = (1.0f - std::exp(-decay * since)) / decay;  // how far speed 1 has come
    const float u = std::clamp(since / std::max(fade, 1e-6f), 0.0f, 1.0f);
    const float share = u * u * (3.0f - 2.0f * u);
    if (share >= 1.0f) return;
    for (size_t j = 0; j < carried_.size(); ++j) {
        const Carried& c = carried_[j];
        Transform& t = pose.local[j];
        const Quat old = quat_of(c.turn_speed * far) * c.at.rotation;
        t.rotation = (old * part_of(old.conjugate() * t.rotation, share)).normalized();
        t.translation = (1.0f - share) * (c.at.translation + c.move_speed * far) + share * t.translation;
        t.scale = (1.0f - share) * c.at.scale + share * t.scale;
    }
}

float time_at_phase(const SyncedCycle& cycle, float phase) {
    const float length = cycle.end - cycle.start;
    phase -= std::floor(phase);
    if (!(phase >= 0.0f)) phase = 0.0f;
    if (cycle.marks.empty()) return cycle.start + phase * length;
    const size_t n = cycle.marks.size();
    const float place = phase * static_cast<float>(n);
    const size_t k = std::min(static_cast<size_t>(place), n - 1);
    const float from = cycle.marks[k], to = k + 1 < n ? cycle.marks[k + 1] : cycle.marks[0] + length;
    const float time = from + (place - static_cast<float>(k)) * (to - from);
    return time > cycle.end ? time - length : time;
}

float phase_step(std::span<const SyncedCycle> cycles, std::span<const float> weights, float seconds) {
    SINEW_CHECK(cycles.size() == weights.size());
    float length = 0.0f, sum = 0.0f;
    for (size_t i = 0; i < cycles.size(); ++i)
        length += weights[i] * (cycles[i].end - cycles[i].start), sum += weights[i];
    return length > 0.0f ? seconds * sum / length : 0.0f;
}

}  // namespace sinew
