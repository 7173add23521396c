#include <assimp/anim.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <sinew/io/assimp/scene.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Ticks per second where a file does not say, as assimp's documentation has it.
constexpr double default_rate = 25.0;

// Keys in order of time, each later than the one before: of several at one time the last one counts.
struct KeyList {
    int32_t width;
    std::vector<std::pair<float, std::array<float, 4>>> keys;

    void add(double time, std::initializer_list<float> value) {
        std::array<float, 4> values{};
        std::copy(value.begin(), value.end(), values.begin());
        const bool finite = std::all_of(value.begin(), value.end(), [](float x) { return std::isfinite(x); });
        if (finite && std::isfinite(float(time))) keys.emplace_back(float(time), values);
    }

    void store(Track& track) {
        std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        track.width = width;
        for (const auto& [time, value] : keys) {
            if (track.times.empty() || track.times.back() < time) {
                track.times.push_back(time);
                track.values.resize(track.values.size() + size_t(width));
            }
            std::copy_n(value.begin(), width, track.values.end() - width);
        }
    }
};

void keep_hemisphere(Track& track) {
    for (size_t k = 4; k + 3 < track.values.size(); k += 4) {
        float* q = &track.values[k];
        float dot = 0;
        for (int i = 0; i < 4; ++i) dot += q[i] * q[i - 4];
        if (dot < 0)
            for (int i = 0; i < 4; ++i) q[i] = -q[i];
    }
}

// assimp gives every animated node all three channels; those that only repeat the rest pose say nothing.
bool repeats(const Track& track, const float* rest) {
    for (size_t i = 0; i < track.values.size(); ++i) {
        const float expected = rest[i % size_t(track.width)];
        if (std::abs(track.values[i] - expected) > 1e-7f * std::max(1.0f, std::abs(expected))) return false;
    }
    return true;
}

class ClipReader {
public:
    explicit ClipReader(AssimpScene& scene) : scene_(scene) {}

    Result<void> read(const aiAnimation& animation) {
        Clip clip;
        clip.name = animation.mName.C_Str();
        rate_ = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : default_rate;
        for (unsigned i = 0; i < animation.mNumChannels; ++i)
            if (animation.mChannels[i] != nullptr) SINEW_TRY_VOID(read_joint(*animation.mChannels[i], clip));
        for (unsigned i = 0; i < animation.mNumMorphMeshChannels; ++i)
            if (animation.mMorphMeshChannels[i] != nullptr)
                SINEW_TRY_VOID(read_morphs(*animation.mMorphMeshChannels[i], clip));
        if (clip.tracks.empty()) return {};
        start_at_zero(clip);
        scene_.character.clips.push_back(std::move(clip));
        return {};
    }

private:
    Result<void> count(size_t keys) {
        keys_ += keys;
        if (keys_ > scene_.options.limits.max_keys)
            return fail(ErrorCode::limit_exceeded, "the file has too many animation keys; shorten its motions");
        return {};
    }

    void add_track(Clip& clip, int32_t joint, TrackPath path, KeyList&& list, const float* rest) const {
        Track track;
        track.target = joint;
        track.path = path;
        list.store(track);
        if (path == TrackPath::rotation) keep_hemisphere(track);
        if (!track.times.empty() && !repeats(track, rest)) clip.tracks.push_back(std::move(track));
    }

    Result<void> read_joint(const aiNodeAnim& channel, Clip& clip) {
        const auto found = scene_.joint_of_name.find(channel.mNodeName.C_Str());
        if (found == scene_.joint_of_name.end()) return {};
        SINEW_TRY_VOID(count(size_t(channel.mNumPositionKeys) + channel.mNumRotationKeys + channel.mNumScalingKeys));
        const int32_t joint = found->second;
        const Transform& rest = scene_.character.skeleton.rest()[size_t(joint)];
        KeyList positions{3, {}}, rotations{4, {}}, scales{3, {}};
        for (unsigned k = 0; k < channel.mNumPositionKeys; ++k) {
            const aiVectorKey& key = channel.mPositionKeys[k];
            positions.add(key.mTime / rate_, {key.mValue.x, key.mValue.y, key.mValue.z});
        }
        for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
            const aiQuatKey& key = channel.mRotationKeys[k];
            rotations.add(key.mTime / rate_, {key.mValue.x, key.mValue.y, key.mValue.z, key.mValue.w});
        }
        for (unsigned k = 0; k < channel.mNumScalingKeys; ++k) {
            const aiVectorKey& key = channel.mScalingKeys[k];
            scales.add(key.mTime / rate_, {key.mValue.x, key.mValue.y, key.mValue.z});
        }
        add_track(clip, joint, TrackPath::translation, std::move(positions), rest.translation.data());
        add_track(clip, joint, TrackPath::rotation, std::move(rotations), rest.rotation.coeffs().data());
        add_track(clip, joint, TrackPath::scale, std::move(scales), rest.scale.data());
        return {};
    }

    // A morph channel names a mesh or a node, with "*number" behind it where FBX has several.
    std::vector<int32_t> instances_called(std::string name) const {
        name = name.substr(0, name.rfind('*'));
        std::vector<int32_t> found;
        for (unsigned m = 0; m < scene_.scene.mNumMeshes; ++m) {
            const aiMesh* mesh = scene_.scene.mMeshes[m];
            if (mesh == nullptr || mesh->mNumAnimMeshes == 0) continue;
            for (const int32_t i : scene_.instances_of_mesh[m]) {
                const int32_t joint = scene_.character.instances[size_t(i)].joint;
                if (name == mesh->mName.C_Str() || name == scene_.character.skeleton.names()[size_t(joint)])
                    found.push_back(i);
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    Result<void> read_morphs(const aiMeshMorphAnim& channel, Clip& clip) {
        for (const int32_t i : instances_called(channel.mName.C_Str())) {
            const MeshInstance& instance = scene_.character.instances[size_t(i)];
            const size_t width = morph_count(scene_.character.meshes[size_t(instance.mesh)]);
            SINEW_TRY_VOID(count(size_t(channel.mNumKeys) * std::max<size_t>(width, 1)));
            Track track;
            track.target = instance.first_morph;
            track.path = TrackPath::morphs;
            track.width = int32_t(width);
            for (unsigned k = 0; k < channel.mNumKeys; ++k) add_morph_key(channel.mKeys[k], track);
            const auto same = [&track](const Track& other) {
                return other.path == TrackPath::morphs && other.target == track.target;
            };
            if (!track.times.empty() && width > 0 && std::none_of(clip.tracks.begin(), clip.tracks.end(), same))
                clip.tracks.push_back(std::move(track));
        }
        return {};
    }

    void add_morph_key(const aiMeshMorphKey& key, Track& track) const {
        const float time = float(key.mTime / rate_);
        if (!std::isfinite(time) || (!track.times.empty() && time <= track.times.back())) return;
        track.times.push_back(time);
        track.values.resize(track.values.size() + size_t(track.width), 0.0f);
        for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i) {
            const float weight = float(key.mWeights[i]);
            if (key.mValues[i] < unsigned(track.width) && std::isfinite(weight))
                *(track.values.end() - track.width + key.mValues[i]) = weight;
        }
    }

    // Times before zero do not exist in a clip.
    static void start_at_zero(Clip& clip) {
        float start = 0;
        for (const Track& track : clip.tracks) start = std::min(start, track.times.front());
        if (start == 0) return;
        for (Track& track : clip.tracks) {
            for (float& time : track.times) time -= start;
            for (size_t k = 1; k < track.times.size(); ++k)
                track.times[k] = std::max(track.times[k], std::nextafter(track.times[k - 1], INFINITY));
        }
    }

    AssimpScene& scene_;
    double rate_ = default_rate;
    size_t keys_ = 0;
};

}  // namespace

Result<void> add_clips(AssimpScene& scene) {
    ClipReader reader(scene);
    for (unsigned i = 0; i < scene.scene.mNumAnimations; ++i)
        if (scene.scene.mAnimations[i] != nullptr) SINEW_TRY_VOID(reader.read(*scene.scene.mAnimations[i]));
    return {};
}

}  // namespace sinew
