// Disguised motions: the same places in the world at all times, in a file that says less. For tests of recognition.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/skeleton.h>
#include <algorithm>
#include <vector>

namespace sinew::test {

struct SeenMotion {
    Skeleton skeleton;
    Clip clip;
};

// The rest pose becomes a moment of the clip.
inline SeenMotion resting_at(const SeenMotion& motion, float time) {
    Pose pose{motion.skeleton.rest(), {}};
    sample(motion.clip, time, pose);
    return {*Skeleton::create(motion.skeleton.names(), motion.skeleton.parents(), pose.local), motion.clip};
}

// The turn of each joint's frame that lays the bone to its first child with an offset along +X.
inline std::vector<Quat> frames_along_x(const Skeleton& skeleton) {
    std::vector<Quat> frame(skeleton.size(), Quat::Identity());
    std::vector<char> done(skeleton.size(), 0);
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        const Vec3& offset = skeleton.rest()[j].translation;
        if (parent < 0 || done[static_cast<size_t>(parent)] || offset.norm() < 1e-6f) continue;
        done[static_cast<size_t>(parent)] = 1;
        frame[static_cast<size_t>(parent)] = Quat::FromTwoVectors(Vec3::UnitX(), offset);
    }
    return frame;
}

// Every bone that is the first of its joint lies along +X at rest, and no joint is turned. The rotations of the clip
// are such that all places in the world stay. For skeletons without scales that differ by axis.
inline SeenMotion along_x(const SeenMotion& motion) {
    const Skeleton& skeleton = motion.skeleton;
    const std::vector<Quat> frame = frames_along_x(skeleton);
    const auto above = [&](size_t j) {
        const int32_t parent = skeleton.parents()[j];
        return parent < 0 ? Quat(Quat::Identity()) : Quat(frame[static_cast<size_t>(parent)].conjugate());
    };
    std::vector<Transform> rest = skeleton.rest();
    SeenMotion made{{}, motion.clip};
    std::vector<char> turned(skeleton.size(), 0);
    for (Track& track : made.clip.tracks) {
        if (track.path != TrackPath::rotation && track.path != TrackPath::translation) continue;
        const auto j = static_cast<size_t>(track.target);
        const size_t width = static_cast<size_t>(track.width);
        turned[j] |= track.path == TrackPath::rotation;
        for (size_t i = 0; i + width <= track.values.size(); i += width) {
            float* v = &track.values[i];
            if (track.path == TrackPath::translation) {
                const Vec3 t = above(j) * Vec3(v[0], v[1], v[2]);
                std::copy(t.data(), t.data() + 3, v);
            } else {
                const Quat q = above(j) * Quat(v[3], v[0], v[1], v[2]) * frame[j];
                std::copy(q.coeffs().data(), q.coeffs().data() + 4, v);
            }
        }
    }
    for (size_t j = 0; j < rest.size(); ++j) {
        rest[j].translation = above(j) * rest[j].translation;
        const Quat held = (above(j) * rest[j].rotation * frame[j]).normalized();
        rest[j].rotation = Quat::Identity();
        if (turned[j]) continue;
        const auto& q = held.coeffs();
        made.clip.tracks.push_back(
            {static_cast<int32_t>(j), TrackPath::rotation, Interpolation::linear, 4, {0.0f}, {q[0], q[1], q[2], q[3]}});
    }
    made.skeleton = *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
    return made;
}

}  // namespace sinew::test
