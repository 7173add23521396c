#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/runtime/blend.h>
#include <sinew/clip/runtime/crowd.h>
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/math/interpolate.h>
#include <sinew/skeleton/pose.h>

using namespace sinew;

namespace {

constexpr size_t joint_count = 13;

Quat turn_about(const Vec3& axis, float angle) {
    return Quat(Eigen::AngleAxisf(angle, axis.normalized()));
}

Skeleton chain() {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest(joint_count);
    for (size_t j = 0; j < joint_count; ++j) {
        names.push_back("j" + std::to_string(j));
        parents.push_back(j == 0 ? -1 : static_cast<int32_t>(j / 2));
        rest[j].translation = {0.1f, 0.2f, 0.05f * static_cast<float>(j)};
    }
    return *Skeleton::create(names, parents, rest);
}

Clip waving(float speed, float size, bool scaled) {
    Clip clip{.name = "waving", .tracks = {}};
    for (int32_t j = 0; j < static_cast<int32_t>(joint_count); j += 1 + (scaled ? 1 : 0)) {
        Track rotation{.target = j,
                       .path = TrackPath::rotation,
                       .interpolation = Interpolation::linear,
                       .width = 4,
                       .times = {},
                       .values = {}};
        Track moved{.target = j,
                    .path = j == 4 && scaled ? TrackPath::scale : TrackPath::translation,
                    .interpolation = Interpolation::linear,
                    .width = 3,
                    .times = {},
                    .values = {}};
        for (int k = 0; k <= 60; ++k) {
            const float t = static_cast<float>(k) / 30.0f;
            const Quat q =
                turn_about({1, 0.3f * static_cast<float>(j), 2}, size * std::sin(speed * t + static_cast<float>(j)));
            rotation.times.push_back(t), moved.times.push_back(t);
            rotation.values.insert(rotation.values.end(), {q.x(), q.y(), q.z(), q.w()});
            const float v = moved.path == TrackPath::scale ? 1.0f + 0.2f * std::sin(t) : 0.3f * std::cos(speed * t);
            moved.values.insert(moved.values.end(), {v, v, v});
        }
        clip.tracks.push_back(rotation);
        if (j % 4 == 0) clip.tracks.push_back(moved);
    }
    return clip;
}

double farthest(const Pose& a, const Pose& b) {
    double worst = 0.0;
    for (size_t j = 0; j < a.local.size(); ++j) {
        worst = std::max<double>(worst, angle_between(a.local[j].rotation, b.local[j].rotation));
        worst = std::max<double>(worst, (a.local[j].translation - b.local[j].translation).norm());
    }
    return worst;
}

}  // namespace

TEST_CASE(
    "Crowd: palettes are those of sampling, blending and forward kinematics one by one, for any number of threads") {
    const Skeleton skeleton = chain();
    for (const bool scaled : {false, true}) {
        const auto a = compile_clip(waving(3, 0.5f, scaled), skeleton),
                   b = compile_clip(waving(7, 1.5f, false), skeleton);
        REQUIRE((a && b));
        const std::vector<const CompiledClip*> clips = {&*a, &*b};
        const std::vector<int32_t> skin = {12, 3, 7};
        std::vector<Affine> bind;
        for (int i = 0; i < 3; ++i)
            bind.push_back(to_affine(Transform{.translation = {0.5f, static_cast<float>(i), -1},
                                               .rotation = turn_about({1, 2, 3}, static_cast<float>(i))}));
        const Crowd crowd(skeleton, clips, skin, bind);
        Random random(1);
        constexpr size_t count = 21;
        std::vector<CrowdLayer> layers;
        for (size_t c = 0; c < count; ++c) {
            const auto weight = static_cast<float>(c % 5 == 0 ? 0.0 : c % 5 == 1 ? 1.0 : random.uniform());
            layers.push_back({.clip = static_cast<uint32_t>(c % 2),
                              .time = static_cast<float>(random.uniform(-0.5, 2.5)),
                              .weight = weight});
            layers.push_back({.clip = 1, .time = static_cast<float>(random.uniform(0, 2)), .weight = 1.0f - weight});
        }
        std::vector<Affine> palettes(count * skin.size()), again(palettes.size());
        crowd.palettes(layers, 2, palettes);
        set_thread_count(1);
        crowd.palettes(layers, 2, again);
        set_thread_count(0);
        Pose first{.local = skeleton.rest(), .morphs = {}}, second = first, mixed = first;
        const Pose rest = first;
        std::vector<AffineD> world(joint_count);
        for (size_t c = 0; c < count; ++c) {
            sample(*clips[layers[2 * c].clip], layers[2 * c].time, first);
            sample(*clips[1], layers[2 * c + 1].time, second);
            const BlendLayer both[] = {{.pose = &first, .weight = layers[2 * c].weight},
                                       {.pose = &second, .weight = layers[2 * c + 1].weight}};
            blend_poses(both, rest, mixed);
            local_to_world(skeleton.parents(), mixed.local, world);
            for (size_t s = 0; s < skin.size(); ++s) {
                const Eigen::Matrix<float, 3, 4> wanted =
                    (world[static_cast<size_t>(skin[s])] * bind[s].cast<double>()).matrix().topRows(3).cast<float>();
                const size_t at = c * skin.size() + s;
                CHECK((palettes[at].matrix() - wanted).cwiseAbs().maxCoeff() < 2e-5f);
                CHECK(palettes[at].matrix() == again[at].matrix());
            }
        }
    }
}

// Twenty thousand characters, whose palettes go past the caches, against the same a few at a time.
TEST_CASE("Crowd: a palette does not depend on how many others are made with it, nor on who stood there before") {
    const Skeleton skeleton = chain();
    const auto a = compile_clip(waving(3, 0.5f, true), skeleton), b = compile_clip(waving(7, 1.5f, false), skeleton);
    REQUIRE((a && b));
    const std::vector<const CompiledClip*> clips = {&*a, &*b};
    const std::vector<int32_t> skin = {12, 3, 7, 7, 0};
    const std::vector<Affine> bind(skin.size(), to_affine(Transform{.translation = {0.5f, 1, -1}}));
    const Crowd crowd(skeleton, clips, skin, bind);
    Random random(2);
    constexpr size_t count = 20'003;
    std::vector<CrowdLayer> layers;
    for (size_t c = 0; c < count; ++c)
        layers.push_back({.clip = static_cast<uint32_t>(random.below(2)),
                          .time = static_cast<float>(random.uniform(0, 2)),
                          .weight = 1.0f});
    std::vector<Affine> all(count * skin.size() + 1), few(7 * skin.size());
    const auto palettes = std::span(all).subspan(1);  // not where a cache line begins
    REQUIRE(palettes.size_bytes() > 4u << 20);
    crowd.palettes(layers, 1, palettes);
    for (size_t first = 0; first + 7 <= count; first += 7 * 13) {
        crowd.palettes(std::span(layers).subspan(first, 7), 1, few);
        for (size_t i = 0; i < few.size(); ++i) CHECK(few[i].matrix() == palettes[first * skin.size() + i].matrix());
    }
    crowd.palettes(std::span(layers).last(7), 1, few);
    CHECK(few.back().matrix() == all.back().matrix());
}

TEST_CASE("blend_poses: weights 0 and 1 give the inputs to the last bit; masks and differences do as they say") {
    const Skeleton skeleton = chain();
    const Clip one = waving(3, 0.5f, false), two = waving(7, 1.5f, false);
    const Pose rest{.local = skeleton.rest(), .morphs = {0.25f}};
    Pose a = rest, b = rest, out = rest;
    sample(one, 0.4f, a), sample(two, 0.9f, b);
    a.morphs = {0.5f}, b.morphs = {1.0f};
    const auto blended = [&](float wa, float wb) {
        const BlendLayer layers[] = {{.pose = &a, .weight = wa}, {.pose = &b, .weight = wb}};
        blend_poses(layers, rest, out);
        return out;
    };
    CHECK(blended(1, 0).local == a.local);
    CHECK(blended(0, 1).local == b.local);
    CHECK(blended(0, 0.3f).local == b.local);
    CHECK(blended(0, 0).local == rest.local);
    CHECK(blended(1, 1).morphs[0] == 0.75f);
    std::vector<float> mask(joint_count, 0.0f);
    mask[5] = 1.0f;
    const BlendLayer masked[] = {{.pose = &a}, {.pose = &b, .weight = 1e6f, .mask = mask}};
    blend_poses(masked, rest, out);
    CHECK(out.local[4] == a.local[4]);
    CHECK(angle_between(out.local[5].rotation, b.local[5].rotation) < 1e-4f);
    const Pose difference = pose_difference(b, a);
    const BlendLayer added[] = {{.pose = &a}, {.pose = &difference, .additive = true}};
    blend_poses(added, rest, out);
    CHECK(farthest(out, b) < 1e-5);
    CHECK(out.morphs[0] == doctest::Approx(1.0));
    const BlendLayer nothing[] = {{.pose = &a}, {.pose = &difference, .weight = 0.0f, .additive = true}};
    blend_poses(nothing, rest, out);
    CHECK(out.local == a.local);
}

// Speeds on both sides of the switch, by finite differences, against the speed of a motion that just jumps.
TEST_CASE(
    "inertialisation and dead blending: no jump at the switch, in value and in speed; in the end the new motion") {
    const Skeleton skeleton = chain();
    const Clip one = waving(3, 0.5f, false), two = waving(5, 0.9f, false);
    const Pose rest{.local = skeleton.rest(), .morphs = {}};
    const auto at = [&](const Clip& clip, float t) {
        Pose pose = rest;
        sample(clip, t, pose);
        return pose;
    };
    constexpr float h = 1.0f / 120.0f, when = 0.75f, fade = 0.3f;
    Inertialization inertia;
    inertia.start(at(one, when - h), at(one, when), at(two, when - h), at(two, when), h);
    DeadBlend dead;
    dead.start(at(one, when - h), at(one, when), h);
    const double jump = farthest(at(one, when), at(two, when));
    REQUIRE(jump > 0.2);
    for (const bool use_dead : {false, true}) {
        const auto shown = [&](float since) {
            Pose pose = at(two, when + since);
            if (use_dead)
                dead.apply(since, fade, pose);
            else
                inertia.apply(since, fade, pose);
            return pose;
        };
        CHECK(farthest(shown(0.0f), at(one, when)) < 1e-5);
        for (size_t j = 0; j < joint_count; ++j) {
            const Vec3 speed_before = (at(one, when).local[j].translation - at(one, when - h).local[j].translation) / h;
            const Vec3 speed_after = (shown(h / 8).local[j].translation - shown(0.0f).local[j].translation) / (h / 8);
            CHECK((speed_after - speed_before).norm() < 0.15f);  // a jump would be at 100
            const float turn_before =
                angle_between(at(one, when - h).local[j].rotation, at(one, when).local[j].rotation) / h;
            const float turn_after =
                angle_between(shown(0.0f).local[j].rotation, shown(h / 8).local[j].rotation) / (h / 8);
            CHECK(std::abs(turn_after - turn_before) < 0.35f);
        }
        CHECK(farthest(shown(4 * fade), at(two, when + 4 * fade)) < 1e-3);
    }
}

TEST_CASE("crossfade by weights: no pop; speeds stay within the inputs' and what the fade adds") {
    const Skeleton skeleton = chain();
    const Clip one = waving(3, 0.5f, false), two = waving(5, 0.9f, false);
    const Pose rest{.local = skeleton.rest(), .morphs = {}};
    const auto shown = [&](float t) {
        Pose a = rest, b = rest, out = rest;
        sample(one, t, a), sample(two, t, b);
        const float w = smoothstep((t - 0.5f) / 0.4f);
        const BlendLayer layers[] = {{.pose = &a, .weight = 1.0f - w}, {.pose = &b, .weight = w}};
        blend_poses(layers, rest, out);
        return out;
    };
    constexpr float h = 1.0f / 240.0f;
    double most_apart = 0.0, fastest = 0.0, inputs = 0.0;
    for (float t = 0.3f; t < 1.2f; t += h) {
        Pose a = rest, b = rest, a1 = rest, b1 = rest;
        sample(one, t, a), sample(two, t, b), sample(one, t + h, a1), sample(two, t + h, b1);
        most_apart = std::max(most_apart, farthest(a, b));
        inputs = std::max({inputs, farthest(a, a1) / h, farthest(b, b1) / h});
        fastest = std::max(fastest, farthest(shown(t), shown(t + h)) / h);
    }
    CHECK(fastest <= 1.15 * (inputs + most_apart * 1.5 / 0.4));  // smoothstep's steepest is 1.5
}

// Each joint turns about one axis, so that its angle is a number and its acceleration a second difference.
TEST_CASE("crossfade by weights: accelerations stay within the inputs' and what the fade adds") {
    const Skeleton skeleton = chain();
    const Pose rest{.local = skeleton.rest(), .morphs = {}};
    const auto swinging = [&](float t, float speed, float size, float from) {
        Pose pose = rest;
        for (size_t j = 0; j < joint_count; ++j)
            pose.local[j].rotation = turn_about({0, 0, 1}, from + size * std::sin(speed * t + static_cast<float>(j)));
        return pose;
    };
    const auto one = [&](float t) { return swinging(t, 4.0f, 0.4f, 0.0f); };
    const auto two = [&](float t) { return swinging(t, 6.0f, 0.3f, 0.5f); };
    constexpr float begin = 0.5f, fade = 0.4f, h = 1.0f / 120.0f;
    const auto shown = [&](float t, bool cut) {
        const Pose a = one(t), b = two(t);
        Pose out = rest;
        const float u = (t - begin) / fade, w = cut ? (u < 0.5f ? 0.0f : 1.0f) : smoothstep(std::clamp(u, 0.0f, 1.0f));
        const BlendLayer layers[] = {{.pose = &a, .weight = 1.0f - w}, {.pose = &b, .weight = w}};
        blend_poses(layers, rest, out);
        return out;
    };
    const auto angle = [](const Pose& pose, size_t j) {
        const Quat& q = pose.local[j].rotation;
        return 2.0 * std::atan2(static_cast<double>(q.z()), static_cast<double>(q.w()));
    };
    double own = 0, apart = 0, speeds = 0, faded = 0, cut = 0;
    for (float t = 0.3f; t < 1.2f; t += h)
        for (size_t j = 0; j < joint_count; ++j) {
            const auto second = [&](const auto& at) {
                return std::abs(angle(at(t - h), j) - 2 * angle(at(t), j) + angle(at(t + h), j)) / (h * h);
            };
            own = std::max({own, second(one), second(two)});
            apart = std::max(apart, std::abs(angle(one(t), j) - angle(two(t), j)));
            speeds = std::max(
                speeds,
                std::abs((angle(one(t + h), j) - angle(one(t), j)) - (angle(two(t + h), j) - angle(two(t), j))) / h);
            faded = std::max(faded, second([&](float at) { return shown(at, false); }));
            cut = std::max(cut, second([&](float at) { return shown(at, true); }));
        }
    // (w a + (1 − w) b)'' with |w'| ≤ 1.5 / fade and |w''| ≤ 6 / fade².
    const double bound = own + 2.0 * speeds * 1.5 / fade + apart * 6.0 / (fade * fade);
    CHECK(faded <= 1.05 * bound);
    CHECK(cut > 3.0 * bound);  // what a pop looks like
}

// A foot is down for a share of the cycle that differs between walk and run; marks are where each foot lands.
TEST_CASE("synchronised cycles: a blend of walk and run lands each foot once a cycle, when both do") {
    struct Gait {
        float length, left, right;  // seconds: the cycle, and when each foot lands
    };
    const Gait walk{1.1f, 0.1f, 0.68f}, run{0.7f, 0.3f, 0.61f};
    const auto cycle = [](const Gait& g) {
        return SyncedCycle{.start = 0.0f, .end = g.length, .marks = {g.left, g.right}};
    };
    const std::vector<SyncedCycle> cycles = {cycle(walk), cycle(run)};
    // Heights of the feet: 0 when they land.
    const auto height = [](const Gait& g, float landing, float t) {
        return 1.0f - std::cos((t - landing) / g.length * 2.0f * pi);
    };
    for (const float w : {0.0f, 0.3f, 0.5f, 0.8f, 1.0f}) {
        const std::vector<float> weights = {1.0f - w, w};
        int left = 0, right = 0;
        float phase = 0.1f, before_left = 1.0f, before_right = 1.0f;
        float seconds = 0.0f;
        while (phase < 10.1f) {
            const float tw = time_at_phase(cycles[0], phase), tr = time_at_phase(cycles[1], phase);
            const float l = (1 - w) * height(walk, walk.left, tw) + w * height(run, run.left, tr);
            const float r = (1 - w) * height(walk, walk.right, tw) + w * height(run, run.right, tr);
            left += l < 0.02f && before_left >= 0.02f, right += r < 0.02f && before_right >= 0.02f;
            before_left = l, before_right = r;
            phase += phase_step(cycles, weights, 0.002f), seconds += 0.002f;
        }
        CHECK(left == 10);
        CHECK(right == 10);
        CHECK(seconds == doctest::Approx(10 * ((1 - w) * walk.length + w * run.length)).epsilon(0.01));
    }
    CHECK(time_at_phase(cycles[0], 0.0f) == walk.left);
    CHECK(time_at_phase(cycles[0], 0.5f) == doctest::Approx(walk.right));
    CHECK(time_at_phase(cycles[1], 1.0f) == run.left);
}
