// Edits of clips: what each promises, on the sample humanoid's walk and on clips with a closed form.
#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/clip/clip.h>
#include <sinew/core/random.h>
#include <sinew/curve/rotation_curve.h>
#include <sinew/edit/join.h>
#include <sinew/edit/layers.h>
#include <sinew/edit/principles.h>
#include <sinew/edit/reduce.h>
#include <sinew/edit/root_motion.h>
#include <sinew/edit/timing.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/edit/edit_clips.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <cmath>

using namespace sinew;

namespace {

struct Walker {
    Character character;
    ClipBody body;
    Clip walk;
};

Walker walker(const char* motion = "walk") {
    Walker made{make_rigged_humanoid(), {}, {}};
    made.character.clips.clear();
    REQUIRE(add_motion(made.character, *load_motion(motion)));
    made.body = {made.character.skeleton, rest_pose(made.character)};
    made.walk = made.character.clips.front();
    return made;
}

Pose pose_of(const Clip& clip, const ClipBody& body, float time) {
    Pose pose = body.rest;
    sample(clip, time, pose);
    return pose;
}

// The largest distance of a joint between two poses, metres.
double distance(const Pose& a, const Pose& b, const ClipBody& body) {
    std::vector<AffineD> wa(a.local.size()), wb(b.local.size());
    local_to_world(body.skeleton.parents(), a.local, wa);
    local_to_world(body.skeleton.parents(), b.local, wb);
    double worst = 0.0;
    for (size_t j = 0; j < wa.size(); ++j) worst = std::max(worst, (wa[j].translation() - wb[j].translation()).norm());
    return worst;
}

// A chain of joints, each turning about z by angle(t) at 60 keys a second.
struct Chain {
    ClipBody body;
    Clip clip;
};
Chain chain(size_t joints, double length, const std::function<double(size_t, double)>& angle) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest(joints);
    Chain made;
    for (size_t j = 0; j < joints; ++j) {
        names.push_back("j" + std::to_string(j));
        parents.push_back(static_cast<int32_t>(j) - 1);
        rest[j].translation = {0, j == 0 ? 1.0f : 0.2f, 0};
    }
    made.body = make_clip_body(*Skeleton::create(names, parents, rest));
    made.clip.name = "chain";
    for (size_t j = 0; j < joints; ++j) {
        Track track{static_cast<int32_t>(j), TrackPath::rotation, Interpolation::linear, 4, {}, {}};
        for (int k = 0; k <= static_cast<int>(length * 60); ++k) {
            const double t = k / 60.0;
            const Quatd q = exp_map({0, 0, angle(j, t)});
            track.times.push_back(static_cast<float>(t));
            for (int c = 0; c < 4; ++c) track.values.push_back(static_cast<float>(q.coeffs()[c]));
        }
        made.clip.tracks.push_back(track);
    }
    return made;
}

double angle_about_z(const Clip& clip, const ClipBody& body, size_t joint, float time) {
    const Quat q = pose_of(clip, body, time).local[joint].rotation;
    return 2.0 * std::atan2(q.z(), q.w());
}

// Still, then a quarter turn within half a second, then still.
double swing(double t) {
    const double u = std::clamp((t - 1.0) / 0.5, 0.0, 1.0);
    return 1.5 * u * u * (3 - 2 * u);
}

bool same(const Clip& a, const Clip& b) {
    return a.name == b.name && a.tracks == b.tracks;
}

}  // namespace

TEST_CASE("trim: shows what the clip showed, for all interpolations; cut cubics are the same cubics") {
    Random random(4);
    for (const Interpolation interpolation : {Interpolation::step, Interpolation::linear, Interpolation::cubic}) {
        Track track{0, TrackPath::translation, interpolation, 3, {0.1f, 0.5f, 1.3f, 2.0f}, {}};
        for (size_t i = 0; i < 4 * track.values_per_key(); ++i)
            track.values.push_back(static_cast<float>(random.uniform(-1, 1)));
        const Clip clip{"c", {track}, -1};
        for (const auto& [from, to] : {std::pair{0.3f, 1.5f}, {0.0f, 2.0f}, {0.5f, 1.3f}, {0.6f, 0.7f}}) {
            const auto cut = trim(clip, from, to);
            REQUIRE(cut);
            REQUIRE(validate(*cut, 1, 0));
            for (float t = 0.001f; t < to - from; t += 0.013f) {
                Vec3 a, b;
                sample_track(clip.tracks[0], from + t, a.data());
                sample_track(cut->tracks[0], t, b.data());
                CHECK((a - b).norm() < 2e-6f);
            }
        }
        CHECK(duration(*trim(clip, 0.3f, 1.5f)) == doctest::Approx(1.2f));
        CHECK_FALSE(trim(clip, 3.0f, 4.0f));
        CHECK_FALSE(trim(clip, 1.0f, 1.0f));
        // Twice backwards is forwards; twice as fast and half as fast is as fast.
        const Clip again = reverse(reverse(clip)), faster = change_speed(clip, 2.0f), back = change_speed(faster, 0.5f);
        REQUIRE(validate(reverse(clip), 1, 0));
        for (float t = 0.11f; t < 2.0f; t += 0.017f) {
            Vec3 a, b, c, d, e;
            sample_track(clip.tracks[0], t, a.data());
            sample_track(again.tracks[0], t, b.data());
            sample_track(reverse(clip).tracks[0], 2.0f - t, c.data());
            sample_track(faster.tracks[0], t / 2, d.data());
            sample_track(back.tracks[0], t, e.data());
            CHECK((a - b).norm() < 2e-6f);
            CHECK((a - c).norm() < 2e-5f);
            CHECK((a - d).norm() < 2e-5f);
            CHECK((a - e).norm() < 2e-6f);
        }
    }
}

TEST_CASE("blend and add: weights 0 and 1 give back the inputs; masks hold") {
    const Walker w = walker(), r = walker("run");
    CHECK(same(blend_clips(w.walk, r.walk, w.body, 0.0), w.walk));
    const Clip all = blend_clips(w.walk, r.walk, w.body, 1.0);
    for (float u : {0.0f, 0.3f, 0.77f, 1.0f})
        CHECK(distance(pose_of(all, w.body, u * duration(all)), pose_of(r.walk, w.body, u * duration(r.walk)), w.body) <
              0.01);
    JointMask mask(w.body.skeleton.size(), 0.0f);
    const auto joint = static_cast<size_t>(w.body.skeleton.find("leftUpperArm"));
    REQUIRE(joint < mask.size());
    mask[joint] = 1.0f;
    const Clip arm = blend_clips(w.walk, r.walk, w.body, 1.0, mask);
    const Pose a = pose_of(arm, w.body, 0.2f), b = pose_of(w.walk, w.body, 0.2f);
    for (size_t j = 0; j < mask.size(); ++j)
        if (j != joint) CHECK(a.local[j].rotation.angularDistance(b.local[j].rotation) < 1e-3f);
    CHECK(a.local[joint].rotation.angularDistance(b.local[joint].rotation) > 0.05f);
    // A clip on top of a still one, which stands as the clip begins, is the clip.
    Clip still = w.walk;
    for (Track& track : still.tracks) {
        track.values.resize(track.values_per_key());
        const float end = track.times.back();
        track.values.insert(track.values.end(), track.values.begin(), track.values.end());
        track.times = {0.0f, end};
    }
    const Clip summed = add_layer(still, w.walk, w.body, 1.0);
    for (float t : {0.0f, 0.2f, 0.5f})
        CHECK(distance(pose_of(summed, w.body, t), pose_of(w.walk, w.body, t), w.body) < 1e-3);
}

TEST_CASE("root motion: taken out and put back is the clip; taken out, the body stays") {
    const Walker w = walker();
    const InPlaceClip in_place = extract_root_motion(w.walk, w.body);
    const Clip back = apply_root_motion(in_place.clip, w.body, in_place.motion);
    const double length = duration(w.walk);
    for (double t = 0.0; t <= length; t += 0.1) {
        const auto time = static_cast<float>(t);
        CHECK(distance(pose_of(back, w.body, time), pose_of(w.walk, w.body, time), w.body) < 1e-3);
        const GroundPlace place = ground_place(pose_of(in_place.clip, w.body, time), w.body, in_place.motion.carriers);
        CHECK(std::hypot(place.x, place.z) < 1e-3);
        CHECK(std::abs(place.yaw) < 1e-2);
    }
    Random random(8);
    for (int i = 0; i < 50; ++i) {
        const GroundPlace p{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
        const GroundPlace none = compose(p, inverse(p));
        CHECK(std::abs(none.x) + std::abs(none.z) + std::abs(none.yaw) < 1e-12);
    }
}

// A joint before all others in the file that goes along with keys of its own, and one that stays where it is.
TEST_CASE("root motion: what travels beside the body goes along, what does not stays") {
    const Walker w = walker();
    const std::vector<int32_t>& old = w.body.skeleton.parents();
    std::vector<std::string> names = {"Sword", "Mill"};
    std::vector<int32_t> parents = {-1, -1};
    std::vector<Transform> rest(2);
    for (size_t j = 0; j < old.size(); ++j) {
        names.push_back(w.body.skeleton.names()[j]);
        parents.push_back(old[j] < 0 ? -1 : old[j] + 2);
        rest.push_back(w.body.skeleton.rest()[j]);
    }
    const ClipBody body = make_clip_body(*Skeleton::create(names, parents, rest));
    Clip clip = w.walk;
    for (Track& track : clip.tracks) track.target += 2;
    const int32_t hips = find_carrier(w.walk, w.body) + 2;
    Track sword{.target = 0, .path = TrackPath::translation, .width = 3}, mill = sword;
    mill.target = 1;
    for (int i = 0; i <= 20; ++i) {
        const float time = duration(w.walk) * static_cast<float>(i) / 20.0f;
        Pose pose = body.rest;
        sample(clip, time, pose);
        std::vector<AffineD> world(body.rest.local.size());
        local_to_world(body.skeleton.parents(), pose.local, world);
        const Vec3 at = world[static_cast<size_t>(hips)].translation().cast<float>() + Vec3(0.3f, 0.1f, 0.0f);
        const Vec3 turning(std::sin(static_cast<float>(i)), 1.0f, 5.0f);
        for (auto [track, point] : {std::pair(&sword, at), std::pair(&mill, turning)}) {
            track->times.push_back(time);
            track->values.insert(track->values.end(), point.data(), point.data() + 3);
        }
    }
    clip.tracks.insert(clip.tracks.begin(), {sword, mill});
    CHECK(find_carrier(clip, body) == hips);
    CHECK(find_carriers(clip, body) == std::vector<int32_t>{hips, 0});
    const InPlaceClip in_place = extract_root_motion(clip, body);
    const Vec3 first = pose_of(in_place.clip, body, 0.0f).local[0].translation;
    const Vec3 last = pose_of(in_place.clip, body, duration(clip)).local[0].translation;
    CHECK((last - first).norm() < 0.1f);
    CHECK((pose_of(in_place.clip, body, 0.0f).local[1].translation - Vec3(0, 1, 5)).norm() < 1e-4f);
}

TEST_CASE("loop: ends as it begins, one round further; concatenate: no jump where the clips meet") {
    const Walker w = walker(), r = walker("run");
    const Clip cut = *trim(w.walk, 0.0f, 0.8f * duration(w.walk));
    for (const Clip& clip : {w.walk, cut}) {
        const Clip cycle = loop_clip(clip, w.body, 0.2f);
        const std::vector<int32_t> carriers = find_carriers(clip, w.body);
        Pose first = pose_of(cycle, w.body, 0.0f), last = pose_of(cycle, w.body, duration(cycle));
        const GroundPlace to = ground_place(first, w.body, carriers), from = ground_place(last, w.body, carriers);
        move_pose(compose(to, inverse(from)), w.body, carriers, last);
        CHECK(distance(first, last, w.body) < 1e-3);
    }
    const Clip both = concatenate(w.walk, r.walk, w.body, 0.2f);
    CHECK(duration(both) == doctest::Approx(duration(w.walk) + duration(r.walk) - 0.2f).epsilon(1e-3));
    const auto fastest = [&](const Clip& clip) {
        double most = 0.0;
        for (float t = 0.0f; t + 1.0f / 60 < duration(clip); t += 1.0f / 60)
            most = std::max(most, distance(pose_of(clip, w.body, t), pose_of(clip, w.body, t + 1.0f / 60), w.body));
        return most;
    };
    CHECK(fastest(both) < 1.5 * std::max(fastest(w.walk), fastest(r.walk)));
}

TEST_CASE("principles: strength 0 is the identity, strength 1 is not, and nothing is NaN") {
    const Walker w = walker("jump");
    using Principle = Clip (*)(const Clip&, const ClipBody&, double);
    const std::vector<Principle> all = {
        [](const Clip& c, const ClipBody& b, double s) { return squash_and_stretch(c, b, s); },
        [](const Clip& c, const ClipBody& b, double s) { return anticipate(c, b, s); },
        [](const Clip& c, const ClipBody& b, double s) { return follow_through(c, b, s); },
        [](const Clip& c, const ClipBody& b, double s) { return slow_in_and_out(c, b, s); },
        [](const Clip& c, const ClipBody& b, double s) { return arcs(c, b, s); },
        [](const Clip& c, const ClipBody& b, double s) { return exaggerate(c, b, s); },
        [](const Clip& c, const ClipBody& b, double s) { return secondary_action(c, b, s); },
    };
    for (const Principle principle : all) {
        CHECK(same(principle(w.walk, w.body, 0.0), w.walk));
        for (const double strength : {1.0, 5.0}) {
            const Clip changed = principle(w.walk, w.body, strength);
            REQUIRE(validate(changed, w.body.skeleton.size(), w.body.rest.morphs.size()));
            CHECK(duration(changed) == doctest::Approx(duration(w.walk)));
            CHECK_FALSE(same(changed, w.walk));
        }
    }
}

TEST_CASE("squash and stretch: the mesh keeps its volume to 1 %, and changes its shape") {
    Walker w = walker("jump");
    const Clip squashed = squash_and_stretch(w.walk, w.body, 0.6);
    const auto volume_and_height = [&](const Clip& clip, float time) {
        std::vector<DeformedPrimitive> parts;
        deform(w.character, pose_of(clip, w.body, time), {.normals = false}, parts);
        double volume = 0.0;
        Box box;
        for (const DeformedPrimitive& part : parts) {
            const MeshInstance& instance = w.character.instances[static_cast<size_t>(part.instance)];
            const Mesh& mesh = w.character.meshes[static_cast<size_t>(instance.mesh)]
                                   .primitives[static_cast<size_t>(part.primitive)]
                                   .mesh;
            for (const Vec3& p : part.positions) box.add(p);
            for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
                const auto at = [&](size_t k) { return Vec3d(part.positions[mesh.triangles[i + k]].cast<double>()); };
                volume += at(0).dot(at(1).cross(at(2))) / 6.0;
            }
        }
        return std::pair{volume, static_cast<double>(box.size().y())};
    };
    double most = 0.0;
    for (float t = 0.0f; t < duration(w.walk); t += 0.1f) {
        const auto before = volume_and_height(w.walk, t), after = volume_and_height(squashed, t);
        CHECK(after.first == doctest::Approx(before.first).epsilon(0.01));
        most = std::max(most, std::abs(after.second / before.second - 1.0));
    }
    CHECK(most > 0.05);
}

TEST_CASE("anticipation: against the motion before it; the first and the last pose stay") {
    const Chain c = chain(3, 3.0, [](size_t j, double t) { return j == 1 ? swing(t) : 0.0; });
    const Clip changed = anticipate(c.clip, c.body, 1.0);
    double lowest = 0.0, highest = 0.0;
    for (float t = 0.0f; t <= 3.0f; t += 1.0f / 60) {
        const double angle = angle_about_z(changed, c.body, 1, t);
        if (t < 1.1f) lowest = std::min(lowest, angle);
        highest = std::max(highest, angle);
    }
    CHECK(lowest < -0.05);               // wound up
    CHECK(highest < swing(3.0) + 0.01);  // and did not overshoot
    for (size_t j = 0; j < 3; ++j) {
        CHECK(angle_about_z(changed, c.body, j, 0.0f) == angle_about_z(c.clip, c.body, j, 0.0f));
        CHECK(angle_about_z(changed, c.body, j, 3.0f) == angle_about_z(c.clip, c.body, j, 3.0f));
    }
}

TEST_CASE("follow-through: joints reach half of a swing later, the farther they are down the chain") {
    const Chain c = chain(5, 3.0, [](size_t, double t) { return swing(t); });
    const Clip changed = follow_through(c.clip, c.body, 1.0);
    double before = 0.0;
    for (size_t j = 0; j < 5; ++j) {
        float half = 0.0f;
        while (half < 3.0f && angle_about_z(changed, c.body, j, half) < 0.75) half += 0.005f;
        CHECK(half > before + (j == 0 ? 0.0 : 0.03));
        before = half;
        CHECK(angle_about_z(changed, c.body, j, 3.0f) == doctest::Approx(1.5).epsilon(1e-4));
    }
}

TEST_CASE("exaggeration goes farther from the mean; arcs go through the keys; holds move") {
    const Chain wave = chain(2, 4.0, [](size_t j, double t) { return j == 1 ? 0.4 * std::sin(3.14159265 * t) : 0.0; });
    const Clip larger = exaggerate(wave.clip, wave.body, 1.0);
    CHECK(angle_about_z(larger, wave.body, 1, 0.5f) == doctest::Approx(0.6).epsilon(0.01));
    CHECK(angle_about_z(larger, wave.body, 1, 1.5f) == doctest::Approx(-0.6).epsilon(0.01));

    // Sparse keys: a straight way between them becomes a smooth one, and the keys stay.
    Chain sparse = chain(2, 3.0, [](size_t, double) { return 0.0; });
    sparse.clip.tracks[1].times.clear();
    sparse.clip.tracks[1].values.clear();
    for (int k = 0; k <= 3; ++k) {
        const Quatd q = exp_map({0, 0, k % 2 ? 0.8 : 0.0});
        sparse.clip.tracks[1].times.push_back(static_cast<float>(k));
        for (int c = 0; c < 4; ++c) sparse.clip.tracks[1].values.push_back(static_cast<float>(q.coeffs()[c]));
    }
    const Clip rounded = arcs(sparse.clip, sparse.body, 1.0);
    CHECK(angle_about_z(rounded, sparse.body, 1, 1.0f) == doctest::Approx(0.8).epsilon(0.01));
    const auto jump = [&](const Clip& clip) {
        const auto a = [&](float t) { return angle_about_z(clip, sparse.body, 1, t); };
        return std::abs((a(1.05f) - a(1.0f)) - (a(1.0f) - a(0.95f)));
    };
    CHECK(jump(rounded) < 0.2 * jump(sparse.clip));

    const Chain c = chain(2, 3.0, [](size_t j, double t) { return j == 1 ? swing(t) : 0.0; });
    const Clip held = moving_holds(c.clip, c.body, 1.0);
    CHECK(same(moving_holds(c.clip, c.body, 0.0), c.clip));
    CHECK(std::abs(angle_about_z(held, c.body, 1, 2.2f) - 1.5) > 0.02);
    CHECK(angle_about_z(held, c.body, 1, 3.0f) == doctest::Approx(1.5).epsilon(1e-4));
}

TEST_CASE("reduce: the bound holds at all keys and between, with far fewer keys on a smooth motion") {
    const Chain c = chain(6, 10.0, [](size_t j, double t) {
        return 0.5 * std::sin((1.0 + 0.3 * static_cast<double>(j)) * t + static_cast<double>(j));
    });
    std::vector<float> times;
    for (float t = 0.0f; t <= 10.0f; t += 1.0f / 170) times.push_back(t);
    for (const double bound : {1e-4, 5e-4, 5e-3}) {
        const ReducedClip reduced = reduce_clip(c.clip, c.body, {.bound = bound});
        REQUIRE(validate(reduced.clip, 6, 0));
        CHECK(model_space_error(c.clip, reduced.clip, c.body, times, 0.1) <= 1.02 * bound);
        CHECK(reduced.worst_error <= bound);
        CHECK(reduced.keys_after < reduced.keys_before / (bound < 2e-4 ? 4 : 10));
        CHECK(duration(reduced.clip) == duration(c.clip));
    }
    // Random keys, steps and a clip of one key come out valid, and never longer.
    Random random(3);
    Chain noise = chain(4, 2.0, [&](size_t, double) { return random.uniform(-1, 1); });
    noise.clip.tracks[2].interpolation = Interpolation::step;
    const ReducedClip kept = reduce_clip(noise.clip, noise.body, {.bound = 1e-4});
    CHECK(kept.keys_after <= kept.keys_before);
    CHECK(model_space_error(noise.clip, kept.clip, noise.body, times, 0.1) <= 1e-4);
    CHECK(reduce_clip({}, noise.body).clip.tracks.empty());
}

TEST_CASE("edit_clips: mirror twice is the clip; errors say what to do") {
    Walker w = walker();
    REQUIRE(edit_clips(w.character, {.mirror = true}));
    CHECK(distance(pose_of(w.character.clips[0], w.body, 0.3f), pose_of(w.walk, w.body, 0.3f), w.body) > 0.05);
    REQUIRE(edit_clips(w.character, {.mirror = true}));
    for (float t : {0.0f, 0.3f, 0.6f})
        CHECK(distance(pose_of(w.character.clips[0], w.body, t), pose_of(w.walk, w.body, t), w.body) < 0.01);
    CHECK(edit_clips(w.character, {.clip = "wlak"}).error().message.find("walk") != std::string::npos);
    CHECK_FALSE(edit_clips(w.character, {.trim_from = 50.0f}));
    CHECK_FALSE(edit_clips(w.character, {.speed = 0.0f}));
    CHECK_FALSE(edit_clips(w.character, {.only = "elbow"}));
    w.character.clips.clear();
    CHECK(edit_clips(w.character, {}).error().message.find("no animation") != std::string::npos);
}
