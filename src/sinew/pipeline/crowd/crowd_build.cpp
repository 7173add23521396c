#include <sinew/pipeline/crowd/crowd_build.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/pipeline/job/add_instances.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr size_t coarse_step = 3;    // legs have a key per frame, all else one in three: nobody sees the difference
constexpr float same_turn = 1e-4f;   // of a quaternion's parts: less does not move
constexpr float same_place = 1e-5f;  // metres

// One body's keys, frame after frame.
struct BodyKeys {
    std::vector<Transform> root;
    std::vector<std::vector<Transform>> joints;  // per joint
    double drift_sum = 0.0, worst_drift = 0.0;
    size_t contacts = 0;
};

// How far each planted foot goes over the ground until it is lifted.
struct DriftMeter {
    std::array<Vec3d, most_gait_legs> held;
    std::array<double, most_gait_legs> moved;
    DriftMeter() { moved.fill(-1.0); }

    void look(size_t leg, bool down, Vec3d ball, BodyKeys& keys) {
        ball.y() = 0.0;
        if (down) {
            if (moved[leg] < 0.0) held[leg] = ball, moved[leg] = 0.0;
            moved[leg] = std::max(moved[leg], (ball - held[leg]).norm());
        } else if (moved[leg] >= 0.0) {
            keys.drift_sum += moved[leg], keys.worst_drift = std::max(keys.worst_drift, moved[leg]);
            ++keys.contacts;
            moved[leg] = -1.0;
        }
    }
};

struct Body {
    const GroundGait& gait;
    const CrowdWays& ways;
    const Vec3& middle;
    bool walks = true;
    float tick = 1.0f / 30.0f;
    uint64_t seed = 1;
    const Skeleton& skeleton;
};

// Where a body that flies or swims is: its middle at its place.
Affine flown(const CrowdPlace& place, const Affine& in_place, const Vec3& middle) {
    Affine root = Affine::Identity();
    root.translate(place.position);
    root.rotate(place.rotation);
    root.translate(-middle);
    return root * in_place;
}

BodyKeys move_body(const Body& body, size_t number) {
    BodyKeys keys;
    const size_t joints = body.skeleton.size(), frames = body.ways.frames;
    keys.joints.assign(joints, {});
    Random random(body.seed * 0x9e3779b97f4a7c15ull + number);
    const CrowdPlace& first = body.ways.at(0, number);
    const Vec2 start = body.walks ? Vec2(first.position.x(), first.position.z()) : Vec2(Vec2::Zero());
    GaitState state = body.gait.begin(start, body.walks ? first.heading : 0.0f, static_cast<float>(random.uniform()));
    state.speed = body.ways.speeds[number];
    GroundGait::Scratch scratch;
    Pose pose;
    std::vector<AffineD> world(joints);
    DriftMeter meter;
    for (size_t f = 0; f < frames; ++f) {
        const CrowdPlace& at = body.ways.at(f, number);
        Affine root;
        if (body.walks) {
            body.gait.advance(state, Vec2(at.position.x(), at.position.z()), at.heading, body.tick);
            root = body.gait.pose(state, body.tick, pose, scratch);
            local_to_world(body.skeleton.parents(), pose.local, world);
            for (size_t l = 0; l < body.gait.legs().size(); ++l)
                meter.look(l, state.feet[l].down && !state.feet[l].on_heel,
                           root.cast<double>() * world[static_cast<size_t>(body.gait.legs()[l].ball)].translation(),
                           keys);
        } else {
            // Its phase goes by the way; the gait sees a straight one.
            const float gone = f > 0 ? (at.position - body.ways.at(f - 1, number).position).norm() : 0.0f;
            body.gait.advance(state, state.place + Vec2(0.0f, gone), 0.0f, body.tick);
            GaitState here = state;
            here.place.setZero();
            here.feet = {};
            root = flown(at, body.gait.pose_free(here, pose, scratch), body.middle);
        }
        // The way within the clip is taken from the joints below: it jumps where the clip begins again, and between two
        // keys of a root that turns such a jump would throw the body aside.
        const Vec3 travel = body.gait.travel(state);
        root.translate(travel);
        for (size_t j = 0; j < joints; ++j)
            if (body.skeleton.parents()[j] < 0) pose.local[j].translation -= travel;
        keys.root.push_back({root.translation(), Quat(root.linear()).normalized(), Vec3::Ones()});
        for (size_t j = 0; j < joints; ++j) keys.joints[j].push_back(pose.local[j]);
    }
    return keys;
}

std::vector<float> key_times(size_t frames, size_t step, float tick) {
    std::vector<float> times;
    for (size_t f = 0; f < frames; f += step) times.push_back(static_cast<float>(f) * tick);
    if ((frames - 1) % step != 0) times.push_back(static_cast<float>(frames - 1) * tick);
    return times;
}

bool turns(std::span<const Transform> keys) {
    return std::ranges::any_of(keys, [&](const Transform& t) {
        return (t.rotation.coeffs() - keys[0].rotation.coeffs()).cwiseAbs().maxCoeff() > same_turn;
    });
}
bool moves(std::span<const Transform> keys) {
    return std::ranges::any_of(keys, [&](const Transform& t) {
        return (t.translation - keys[0].translation).cwiseAbs().maxCoeff() > same_place;
    });
}

void add_rotation(std::vector<Track>& tracks, size_t joint, std::span<const Transform> keys, size_t step, float tick) {
    Track track{.target = static_cast<int32_t>(joint), .path = TrackPath::rotation, .width = 4};
    track.times = key_times(keys.size(), step, tick);
    Eigen::Vector4f before = keys[0].rotation.coeffs();
    for (size_t k = 0; k < track.times.size(); ++k) {
        Eigen::Vector4f q = keys[std::min(k * step, keys.size() - 1)].rotation.coeffs();
        if (q.dot(before) < 0.0f) q = -q;
        before = q;
        track.values.insert(track.values.end(), q.data(), q.data() + 4);
    }
    tracks.push_back(std::move(track));
}

void add_translation(std::vector<Track>& tracks, size_t joint, std::span<const Transform> keys, size_t step,
                     float tick) {
    Track track{.target = static_cast<int32_t>(joint), .path = TrackPath::translation, .width = 3};
    track.times = key_times(keys.size(), step, tick);
    for (size_t k = 0; k < track.times.size(); ++k) {
        const Vec3& t = keys[std::min(k * step, keys.size() - 1)].translation;
        track.values.insert(track.values.end(), t.data(), t.data() + 3);
    }
    tracks.push_back(std::move(track));
}

// Joints that carry or are part of a leg: their keys hold the feet.
std::vector<bool> fine_joints(const Skeleton& skeleton, std::span<const GaitLeg> legs) {
    std::vector<bool> fine(skeleton.size(), false);
    for (const GaitLeg& leg : legs)
        for (int32_t j = leg.ball; j >= 0; j = skeleton.parents()[static_cast<size_t>(j)])
            fine[static_cast<size_t>(j)] = true;
    return fine;
}

// What a body does not move stays where the clips put it, which need not be the rest pose.
void set_rest(std::span<const BodyKeys> all, const std::vector<Transform>& rest, std::vector<Transform>& out) {
    for (const BodyKeys& keys : all) {
        out.push_back(keys.root[0]);
        for (size_t j = 0; j < rest.size(); ++j) out.push_back(keys.joints[j][0]);
    }
}

Result<Skeleton> many_skeletons(const Skeleton& one, std::span<const BodyKeys> all) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    set_rest(all, one.rest(), rest);
    for (size_t i = 0; i < all.size(); ++i) {
        const auto root = static_cast<int32_t>(names.size());
        names.push_back(fmt::format("body_{}", i));
        parents.push_back(-1);
        for (size_t j = 0; j < one.size(); ++j) {
            names.push_back(one.names()[j]);
            parents.push_back(root + 1 + (one.parents()[j] < 0 ? -1 : one.parents()[j]));
        }
    }
    return Skeleton::create(std::move(names), std::move(parents), std::move(rest));
}

}  // namespace

BuiltCrowd build_crowd(const Character& one, const GroundGait& gait, const CrowdWays& ways, const Vec3& middle,
                       const CrowdOptions& options) {
    BuiltCrowd built;
    const Body body{gait,         ways,        middle, options.kind == CrowdKind::walkers, 1.0f / options.fps,
                    options.seed, one.skeleton};
    std::vector<BodyKeys> all(ways.count);
    parallel_for(ways.count, 4, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) all[i] = move_body(body, i);
    });
    Character& crowd = built.character;
    crowd.name = one.name;
    crowd.meshes = one.meshes, crowd.materials = one.materials, crowd.images = one.images;
    crowd.source = one.source, crowd.format = one.format;
    crowd.skeleton = *many_skeletons(one.skeleton, all);
    crowd.joint_source.assign(crowd.skeleton.size(), -1);
    Clip clip{.name = options.motion};
    const std::vector<bool> fine = fine_joints(one.skeleton, gait.legs());
    for (size_t i = 0; i < all.size(); ++i) {
        const size_t root = i * (one.skeleton.size() + 1);
        add_instances(one, root + 1, crowd);
        const float tick = body.tick;
        if (moves(all[i].root)) add_translation(clip.tracks, root, all[i].root, 1, tick);
        if (turns(all[i].root)) add_rotation(clip.tracks, root, all[i].root, 1, tick);
        for (size_t j = 0; j < one.skeleton.size(); ++j) {
            const size_t step = fine[j] || !body.walks ? 1 : coarse_step;
            if (turns(all[i].joints[j])) add_rotation(clip.tracks, root + 1 + j, all[i].joints[j], step, tick);
            if (moves(all[i].joints[j])) add_translation(clip.tracks, root + 1 + j, all[i].joints[j], step, tick);
        }
        built.drift_sum += all[i].drift_sum, built.contacts += all[i].contacts;
        built.worst_drift = std::max(built.worst_drift, all[i].worst_drift);
    }
    crowd.clips.push_back(std::move(clip));
    layout_morphs(crowd);
    return built;
}

}  // namespace sinew
