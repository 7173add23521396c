#include <fmt/format.h>

#include <sinew/io/fbx/motion/animation.h>
#include <sinew/io/fbx/motion/clips.h>
#include <sinew/io/fbx/motion/sampling.h>
#include <sinew/io/fbx/scene_size.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sinew::fbx {
namespace {

constexpr double turn_tolerance = 5e-5;      // radians
constexpr double relative_tolerance = 1e-5;  // of the scene's size for translations, of 1 for scales
constexpr double weight_tolerance = 1e-4;    // of a morph target
constexpr size_t keys_for_free = 4'000'000;  // and below it sixteen for every key of the file
constexpr size_t keys_per_source_key = 16;
constexpr size_t most_corners = 1'000'000;  // of one track
constexpr size_t row_width = 10;            // translation, rotation, scale

Quatd quat_at(const double* row) {
    return Quatd(row[6], row[3], row[4], row[5]);
}

void put(const Placement& placement, double* row) {
    const Quatd rotation = placement.rotation.normalized();
    for (int i = 0; i < 3; ++i) row[i] = placement.translation[i], row[7 + i] = placement.scale[i];
    for (int i = 0; i < 4; ++i) row[3 + i] = rotation.coeffs()[i];
}

// Distance from the straight way, in tolerances: the largest of the three parts.
double placement_error(const double* a, const double* b, double share, const double* c, double size) {
    double error = 0;
    for (int i = 0; i < 3; ++i) {
        const double move = c[i] - (a[i] + share * (b[i] - a[i]));
        const double grow = c[7 + i] - (a[7 + i] + share * (b[7 + i] - a[7 + i]));
        error = std::max({error, std::abs(move) / (relative_tolerance * size), std::abs(grow) / relative_tolerance});
    }
    const Quatd way = slerp(quat_at(a), quat_at(b), share);
    const double sine = std::sqrt(std::max(0.0, 1 - std::pow(way.dot(quat_at(c)), 2)));
    const double near = (way.coeffs() - (way.dot(quat_at(c)) < 0 ? -1 : 1) * quat_at(c).coeffs()).norm();
    return std::max(error, 2 * (sine < 0.1 ? near : 1.0) / turn_tolerance);
}

class ClipMaker {
public:
    ClipMaker(Scene& scene, const Animation& animation, const AnimationStack& stack, size_t& budget)
        : scene_(scene), stack_(stack), budget_(budget), size_(scene_size(scene.character)) {
        (void)animation;
        for (const Model& model : scene.models.all) {
            translation_.emplace_back(stack, model.object, "Lcl Translation");
            rotation_.emplace_back(stack, model.object, "Lcl Rotation");
            scaling_.emplace_back(stack, model.object, "Lcl Scaling");
        }
    }

    Clip make() {
        Clip clip;
        clip.name = stack_.name;
        find_span();
        for (size_t m = 0; m < scene_.models.all.size(); ++m) add_model(int32_t(m), clip);
        for (size_t i = 0; i < scene_.character.instances.size(); ++i) add_morphs(i, clip);
        return clip;
    }

private:
    void find_span() {
        double first = INFINITY, last = -INFINITY;
        for (const AnimationLayer& layer : stack_.layers)
            for (const auto& [key, property] : layer.properties)
                for (const Curve* curve : property.curves)
                    if (curve != nullptr && !curve->keys.empty()) {
                        first = std::min(first, curve->keys.front().time);
                        last = std::max(last, curve->keys.back().time);
                    }
        begin_ = stack_.span ? stack_.span->first : first <= last ? first : 0;
        end_ = stack_.span ? stack_.span->second : first <= last ? last : 0;
    }

    LocalValues values_at(int32_t m, double time) const {
        const Model& model = scene_.models.all[size_t(m)];
        LocalValues values = model.rest;
        if (translation_[size_t(m)].moves())
            values.translation = translation_[size_t(m)].at(time, model.rest.translation);
        if (rotation_[size_t(m)].moves())
            values.rotation = rotation_[size_t(m)].at(time, model.rest.rotation, model.chain.order);
        if (scaling_[size_t(m)].moves()) values.scaling = scaling_[size_t(m)].at(time, model.rest.scaling);
        return values;
    }

    void add_corners(const PropertyMotion& motion, std::vector<double>& corners) const {
        motion.each_curve([&](const Curve& curve) { curve.add_corners(begin_, end_, most_corners, corners); });
    }

    // A long turn written as two keys has more than one way; corners in between make it go the right one.
    void add_turns(const PropertyMotion& motion, std::vector<double>& corners) const {
        constexpr double most_degrees = 60, most_pieces = 4096;
        motion.each_curve([&](const Curve& curve) {
            for (size_t k = 0; k + 1 < curve.keys.size(); ++k) {
                const Key &a = curve.keys[k], &b = curve.keys[k + 1];
                const double steepest = std::max({std::abs(a.right_slope), std::abs(b.left_slope)});
                const double turn = std::max(std::abs(b.value - a.value), steepest * (b.time - a.time) / 3);
                const double pieces = std::min(std::ceil(turn / most_degrees), most_pieces);
                for (double i = 1; i < pieces && corners.size() < most_corners && corners.size() < budget_; ++i) {
                    const double time = a.time + (b.time - a.time) * i / pieces;
                    if (time > begin_ && time < end_) corners.push_back(time);
                }
            }
        });
    }

    void add_model(int32_t m, Clip& clip) {
        const Model& model = scene_.models.all[size_t(m)];
        std::vector<double> corners;
        bool moves = false;
        for (const PropertyMotion* motion : {&translation_[size_t(m)], &rotation_[size_t(m)], &scaling_[size_t(m)]}) {
            moves = moves || motion->moves();
            add_corners(*motion, corners);
        }
        add_turns(rotation_[size_t(m)], corners);
        each_scale_source(scene_.models, m, [&](int32_t above) {
            moves = moves || scaling_[size_t(above)].moves();
            add_corners(scaling_[size_t(above)], corners);
        });
        if (!moves) return;
        add_joint(model.joint, corners, clip, [&](double time) {
            return joint_placement(scene_.models, m, [&](int32_t i) { return values_at(i, time); });
        });
        if (model.scaled_joint != model.joint)
            add_joint(model.scaled_joint, corners, clip, [&](double time) {
                return scaled_joint_placement(scene_.models, m, [&](int32_t i) { return values_at(i, time); });
            });
    }

    void add_joint(int32_t joint, const std::vector<double>& corners, Clip& clip,
                   const std::function<Placement(double)>& placement) {
        Sampled what;
        what.width = row_width;
        what.at = [&](double time, double* row) {
            put(placement(time), row);
            for (size_t i = 0; i < row_width; ++i)
                if (!std::isfinite(float(row[i]))) return put(Placement{}, row);
        };
        what.error = [this](const double* a, const double* b, double share, const double* c) {
            return placement_error(a, b, share, c, size_);
        };
        const Samples samples = sample_adaptively(what, corners, begin_, end_, budget_);
        const Transform& rest = scene_.character.skeleton.rest()[size_t(joint)];
        add_track(joint, TrackPath::translation, 3, 0, samples, rest.translation.data(), clip);
        add_track(joint, TrackPath::rotation, 4, 3, samples, rest.rotation.coeffs().data(), clip);
        add_track(joint, TrackPath::scale, 3, 7, samples, rest.scale.data(), clip);
    }

    // Nothing where all keys only repeat the rest pose; one key where they are all the same.
    void add_track(int32_t target, TrackPath path, int32_t width, size_t offset, const Samples& samples,
                   const float* rest, Clip& clip) const {
        Track track;
        track.target = target;
        track.path = path;
        track.width = width;
        const size_t row = samples.rows.size() / samples.times.size();
        for (size_t k = 0; k < samples.times.size(); ++k) {
            const double* from = &samples.rows[k * row + offset];
            double sign = 1;
            if (path == TrackPath::rotation && k > 0) {
                double dot = 0;
                for (size_t i = 0; i < 4; ++i) dot += from[i] * double(*(track.values.end() - 4 + std::ptrdiff_t(i)));
                if (dot < 0) sign = -1;
                for (size_t i = 0; i < 4; ++i) track.values.push_back(float(sign * from[i]));
                continue;
            }
            for (int32_t i = 0; i < width; ++i) track.values.push_back(float(from[i]));
        }
        track.times = samples.times;
        const size_t w = size_t(width);
        if (repeats(track, track.values.data())) {
            if (repeats(track, rest)) return;
            track.times.resize(1);
            track.values.resize(w);
        }
        clip.tracks.push_back(std::move(track));
    }

    static bool repeats(const Track& track, const float* value) {
        constexpr float same = 1e-7f;
        for (size_t i = 0; i < track.values.size(); ++i) {
            const float expected = value[i % size_t(track.width)];
            if (std::abs(track.values[i] - expected) > same * std::max(1.0f, std::abs(expected))) return false;
        }
        return true;
    }

    void add_morphs(size_t number, Clip& clip) {
        const MeshInstance& instance = scene_.character.instances[number];
        const std::vector<ShapeChannel>& channels = scene_.channels[size_t(instance.mesh)];
        const MeshGroup& mesh = scene_.character.meshes[size_t(instance.mesh)];
        std::vector<PropertyMotion> motions;
        std::vector<double> corners;
        bool moves = false;
        for (const ShapeChannel& channel : channels) {
            motions.emplace_back(stack_, channel.object, channel.property);
            moves = moves || motions.back().moves();
            add_corners(motions.back(), corners);
        }
        if (!moves) return;
        std::vector<float> weights(mesh.morph_weights.size());
        Sampled what;
        what.width = weights.size();
        what.at = [&](double time, double* row) {
            weights = mesh.morph_weights;
            for (size_t c = 0; c < channels.size(); ++c)
                if (motions[c].moves()) {
                    const double percent = motions[c].at(time, Vec3d::Constant(channels[c].percent)).x();
                    channels[c].weights_at(percent, &weights[channels[c].first_target]);
                }
            std::copy(weights.begin(), weights.end(), row);
        };
        what.error = [&](const double* a, const double* b, double share, const double* c) {
            double error = 0;
            for (size_t i = 0; i < what.width; ++i)
                error = std::max(error, std::abs(c[i] - (a[i] + share * (b[i] - a[i]))) / weight_tolerance);
            return error;
        };
        const Samples samples = sample_adaptively(what, corners, begin_, end_, budget_);
        add_track(instance.first_morph, TrackPath::morphs, int32_t(what.width), 0, samples, mesh.morph_weights.data(),
                  clip);
    }

    Scene& scene_;
    const AnimationStack& stack_;
    size_t& budget_;
    double size_, begin_ = 0, end_ = 0;
    std::vector<PropertyMotion> translation_, rotation_, scaling_;  // by model
};

}  // namespace

std::vector<bool> moving_scales(const Models& models, const Animation& animation) {
    std::vector<bool> result(models.all.size(), false);
    for (const AnimationStack& stack : animation.stacks)
        for (const AnimationLayer& layer : stack.layers)
            for (const auto& [key, property] : layer.properties) {
                const Model* model = key.second == "Lcl Scaling" ? models.find(key.first) : nullptr;
                if (model == nullptr) continue;
                const bool has_curve =
                    std::any_of(property.curves.begin(), property.curves.end(), [](const Curve* c) { return c; });
                if (has_curve || property.constant != model->rest.scaling)
                    result[size_t(model - models.all.data())] = true;
            }
    return result;
}

namespace {

// Nodes that a curve hides or shows: glTF has no word for that.
void warn_of_blinking(Scene& scene, const Animation& animation) {
    std::set<int32_t> blinking;
    const auto differs = [](const Curve* curve) {
        return curve != nullptr &&
               std::ranges::any_of(curve->keys, [&](const Key& key) { return key.value != curve->keys[0].value; });
    };
    for (const AnimationStack& stack : animation.stacks)
        for (const AnimationLayer& layer : stack.layers)
            for (const auto& [key, property] : layer.properties)
                if (key.second == "Visibility" && std::ranges::any_of(property.curves, differs))
                    blinking.insert(key.first);
    if (!blinking.empty())
        scene.character.warnings.push_back(fmt::format(
            "{} nodes appear and disappear during the motion, which glTF cannot say; they keep the look that "
            "they have at rest",
            blinking.size()));
}

}  // namespace

Result<void> add_clips(Scene& scene, const Animation& animation) {
    warn_of_blinking(scene, animation);
    size_t budget = std::max(keys_for_free, animation.key_count * keys_per_source_key);
    size_t keys = 0;
    for (const AnimationStack& stack : animation.stacks) {
        Clip clip = ClipMaker(scene, animation, stack, budget).make();
        if (clip.tracks.empty()) continue;
        for (const Track& track : clip.tracks) keys += track.times.size() * size_t(std::max(track.width / 4, 1));
        if (keys > scene.options.limits.max_keys)
            return fail(ErrorCode::limit_exceeded, "the file has too many animation keys; shorten its motions");
        scene.character.clips.push_back(std::move(clip));
    }
    return {};
}

}  // namespace sinew::fbx
