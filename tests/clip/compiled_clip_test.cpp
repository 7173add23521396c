#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/clip_bytes.h>
#include <sinew/clip/compiled/clip_format.h>
#include <sinew/clip/compiled/compiled_clip.h>
#include <sinew/clip/compiled/shell_error.h>
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/skeleton/pose.h>
#include <support/count_allocations.h>

using namespace sinew;

namespace {

Skeleton random_skeleton(Random& random, size_t joints) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest(joints);
    for (size_t j = 0; j < joints; ++j) {
        names.push_back("joint" + std::to_string(j));
        parents.push_back(j == 0 ? -1 : static_cast<int32_t>(j - 1 - random.below(std::min<uint64_t>(j, 3))));
        rest[j].translation = Vec3(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(0.05, 0.2));
    }
    return *Skeleton::create(names, parents, rest);
}

Quat random_turn(Random& random, double angle) {
    const Vec3d axis = Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)).normalized();
    return Quat(Eigen::AngleAxisf(static_cast<float>(random.uniform(-angle, angle)), axis.cast<float>()));
}

// Rotations that wander, some translations, scales and floats; uneven keys.
Clip random_clip(Random& random, size_t joints, size_t keys, size_t floats, double wildness) {
    Clip clip{.name = "random", .tracks = {}};
    std::vector<float> times = {0.0f};
    while (times.size() < keys) times.push_back(times.back() + static_cast<float>(random.uniform(0.01, 0.06)));
    const auto add = [&](TrackPath path, size_t target, int width) -> Track& {
        clip.tracks.push_back({.target = static_cast<int32_t>(target),
                               .path = path,
                               .interpolation = Interpolation::linear,
                               .width = width,
                               .times = times,
                               .values = {}});
        return clip.tracks.back();
    };
    for (size_t j = 0; j < joints; ++j) {
        Quat q = random_turn(random, 1.0);
        const bool still = j % 4 == 3;
        Track& track = add(TrackPath::rotation, j, 4);
        for (size_t k = 0; k < keys; ++k) {
            track.values.insert(track.values.end(), {q.x(), q.y(), q.z(), q.w()});
            if (!still) q = (q * random_turn(random, wildness)).normalized();
        }
        if (j % 5 != 0) continue;
        for (const auto path : {TrackPath::translation, TrackPath::scale}) {
            Vec3 v = path == TrackPath::scale ? Vec3::Ones() : Vec3(0.1f, 0.2f, 0.3f);
            Track& moved = add(path, j, 3);
            for (size_t k = 0; k < keys; ++k) {
                moved.values.insert(moved.values.end(), {v.x(), v.y(), v.z()});
                v += Vec3::Constant(static_cast<float>(random.uniform(-0.002, 0.002)));
            }
        }
    }
    if (floats > 0) {
        Track& track = add(TrackPath::morphs, 0, static_cast<int>(floats));
        for (size_t i = 0; i < keys * floats; ++i)
            track.values.push_back(i % floats == 0 ? 0.5f : static_cast<float>(random.uniform(0, 1)));
    }
    return clip;
}

// The sanitizers make the encoder ten times slower: under them, clips are shorter. The reader is what they are for.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t many_keys = 2000, most_joints = 30;
#else
constexpr size_t many_keys = 100'000, most_joints = 500;
#endif

// The largest error at keys and between them, by the SIMD kernel, in model space.
double measured(const Clip& clip, const CompiledClip& compiled, const Skeleton& skeleton) {
    Pose wanted{.local = skeleton.rest(), .morphs = std::vector<float>(compiled.float_count())}, got = wanted;
    std::vector<AffineD> model(skeleton.size()), decoded(skeleton.size());
    double worst = 0.0;
    const auto& keys = clip.tracks[0].times;
    const size_t stride = 1 + keys.size() / 4000;
    for (size_t k = 0; k < keys.size(); k += stride)
        for (const float part : {0.0f, 0.3f, 0.55f}) {
            const float time = keys[k] + (k + 1 < keys.size() ? part * (keys[k + 1] - keys[k]) : 0.0f);
            sample(clip, time, wanted);
            sample(compiled, time, got);
            local_to_world(skeleton.parents(), wanted.local, model);
            local_to_world(skeleton.parents(), got.local, decoded);
            for (size_t j = 0; j < model.size(); ++j)
                worst = std::max(worst, shell_error(model[j], decoded[j], compiled.shell()));
            for (size_t f = 0; f < wanted.morphs.size(); ++f)
                CHECK(std::abs(wanted.morphs[f] - got.morphs[f]) <= 1e-3f);
        }
    return worst;
}

}  // namespace

TEST_CASE("compile_clip: random clips of 1 to 500 joints and 1 to 1000 keys keep their bound, at keys and between") {
    Random random(3);
    struct Size {
        size_t joints, keys;
    };
    for (const Size size :
         {Size{1, 1}, Size{1, 2}, Size{2, 40}, Size{30, 3}, Size{20, 60}, Size{1, 1000}, Size{300, 12}, Size{500, 2}}) {
        if (size.joints > most_joints) continue;
        const Skeleton skeleton = random_skeleton(random, size.joints);
        const Clip clip = random_clip(random, size.joints, size.keys, size.joints % 5, 0.05);
        for (const double bound : {1e-4, 1e-3, 1e-2}) {
            const auto compiled = compile_clip(clip, skeleton, size.joints % 5, {.bound = bound});
            REQUIRE(compiled);
            CHECK(compiled->worst_error() <= bound);
            CHECK(measured(clip, *compiled, skeleton) <= bound);
        }
    }
}

TEST_CASE("compile_clip: a hundred thousand keys") {
    Random random(4);
    const Skeleton skeleton = random_skeleton(random, 1);
    const Clip clip = random_clip(random, 1, many_keys, 0, 0.02);
    const auto compiled = compile_clip(clip, skeleton);
    REQUIRE(compiled);
    CHECK(measured(clip, *compiled, skeleton) <= 1e-3);
}

TEST_CASE("compile_clip: jumps, spins, half turns and steps keep the bound too") {
    const Skeleton skeleton =
        *Skeleton::create({"root", "tip"}, {-1, 0}, {Transform(), Transform{.translation = {0, 1, 0}}});
    for (const auto interpolation : {Interpolation::linear, Interpolation::step}) {
        Track track{.target = 0,
                    .path = TrackPath::rotation,
                    .interpolation = interpolation,
                    .width = 4,
                    .times = {},
                    .values = {}};
        for (int k = 0; k < 90; ++k) {
            track.times.push_back(static_cast<float>(k) / 30.0f);
            const float angle = k < 30 ? 0.7f * static_cast<float>(k) : k < 60 ? (k % 7 == 0 ? 3.1f : 0.0f) : 0.1f;
            const Quat q(Eigen::AngleAxisf(angle, Vec3(1, 2, 3).normalized()));
            track.values.insert(track.values.end(), {q.x(), q.y(), q.z(), q.w()});
        }
        const Clip clip{.name = "spin", .tracks = {track}};
        const auto compiled = compile_clip(clip, skeleton);
        REQUIRE(compiled);
        CHECK(measured(clip, *compiled, skeleton) <= 1e-3);
    }
}

TEST_CASE("compile_clip: what does not move costs nothing") {
    Random random(5);
    const Skeleton skeleton = random_skeleton(random, 200);
    Clip clip{.name = "still", .tracks = {}};
    for (int32_t j = 0; j < 200; ++j)
        clip.tracks.push_back({.target = j,
                               .path = TrackPath::rotation,
                               .interpolation = Interpolation::linear,
                               .width = 4,
                               .times = {0, 1, 2},
                               .values = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}});
    const auto compiled = compile_clip(clip, skeleton);
    REQUIRE(compiled);
    CHECK(compiled->bytes().size() < 128);
    // Elsewhere than at rest: once for the clip, not once for each segment.
    for (Track& track : clip.tracks) {
        const Quat q = random_turn(random, 3.0);
        for (size_t k = 0; k < 3; ++k) std::copy_n(q.coeffs().data(), 4, &track.values[4 * k]);
    }
    const auto posed = compile_clip(clip, skeleton, 0, {.bound = 1e-2});
    REQUIRE(posed);
    CHECK(posed->stills().empty());
    CHECK(posed->groups().empty());
    CHECK(posed->bytes().size() < 128 + 200 * 7);
}

// A thing that is carried moves by its translation alone: what it is off by is its own fault, not its parent's.
TEST_CASE("compile_clip: what moves by translation alone is fitted, not kept key by key") {
    Random random(21);
    const size_t joints = 24;
    std::vector<std::string> names = {"root"};
    std::vector<int32_t> parents = {-1};
    while (names.size() < joints) names.push_back("prop" + std::to_string(names.size())), parents.push_back(0);
    const Skeleton skeleton = *Skeleton::create(names, parents, std::vector<Transform>(joints));
    Clip clip{.name = "carried", .tracks = {}};
    for (size_t j = 1; j < joints; ++j) {
        Track track{.target = static_cast<int32_t>(j),
                    .path = TrackPath::translation,
                    .interpolation = Interpolation::linear,
                    .width = 3,
                    .times = {},
                    .values = {}};
        const double wave = random.uniform(0.05, 0.8), noise = random.uniform(0, 0.003);
        for (int k = 0; k < 90; ++k) {
            track.times.push_back(static_cast<float>(k) / 30.0f);
            for (int c = 0; c < 3; ++c)
                track.values.push_back(
                    static_cast<float>(0.2 * std::sin(wave * k + c) + noise * random.uniform(-1, 1)));
        }
        clip.tracks.push_back(track);
    }
    for (const double bound : {1e-4, 1e-3, 1e-2}) {
        const auto compiled = compile_clip(clip, skeleton, 0, {.bound = bound});
        REQUIRE(compiled);
        CHECK(compiled->raw_tracks().empty());
        CHECK(compiled->segments().size() == 1);
        CHECK(measured(clip, *compiled, skeleton) <= bound);
    }
}

TEST_CASE("sample: the kernel is its scalar twin, chosen joints are those of the whole, and nothing is allocated") {
    Random random(6);
    const Skeleton skeleton = random_skeleton(random, 40);
    const Clip clip = random_clip(random, 40, 60, 7, 0.1);
    const auto compiled = compile_clip(clip, skeleton, 7);
    REQUIRE(compiled);
    Pose a{.local = skeleton.rest(), .morphs = std::vector<float>(7)}, b = a;
    const std::vector<int32_t> joints = {39, 3, 0, 12};
    std::vector<Transform> some(joints.size());
    for (float time = -0.1f; time < 3.0f; time += 0.037f) {
        const size_t before = test::allocations;
        sample(*compiled, time, a);
        CHECK(test::allocations == before);
        sample_scalar(*compiled, time, b);
        sample_joints(*compiled, time, joints, some);
        for (size_t j = 0; j < a.local.size(); ++j) {
            CHECK((a.local[j].rotation.coeffs() - b.local[j].rotation.coeffs()).norm() < 3e-6f);
            CHECK((a.local[j].translation - b.local[j].translation).norm() < 1e-6f);
            CHECK((a.local[j].scale - b.local[j].scale).norm() < 1e-6f);
        }
        for (size_t f = 0; f < 7; ++f) CHECK(std::abs(a.morphs[f] - b.morphs[f]) < 1e-6f);
        for (size_t i = 0; i < joints.size(); ++i) CHECK(some[i] == b.local[static_cast<size_t>(joints[i])]);
    }
    sample(*compiled, NAN, a);
    sample(*compiled, 0.0f, b);
    CHECK(a.local[1] == b.local[1]);
}

TEST_CASE("compile_clip: the same bytes for any number of threads, and bytes read back are the clip") {
    Random random(7);
    const Skeleton skeleton = random_skeleton(random, 6);
    const Clip clip = random_clip(random, 6, 300, 2, 0.05);
    set_thread_count(1);
    const auto one = compile_clip(clip, skeleton, 2);
    set_thread_count(0);
    const auto many = compile_clip(clip, skeleton, 2);
    REQUIRE((one && many));
    CHECK(one->segments().size() > 2);  // what threads share out
    CHECK(std::ranges::equal(one->bytes(), many->bytes()));
    const auto again = read_compiled_clip(one->bytes(), skeleton);
    REQUIRE(again);
    CHECK(again->name() == "random");
    Pose a{.local = skeleton.rest(), .morphs = std::vector<float>(2)}, b = a;
    sample(*one, 0.7f, a), sample(*again, 0.7f, b);
    CHECK(a.local == b.local);
}

TEST_CASE(
    "compile_clip: events and the user's own numbers come along as they were; without them there is no byte more") {
    Random random(17);
    const Skeleton skeleton = random_skeleton(random, 6);
    const Clip plain = random_clip(random, 6, 40, 0, 0.05);
    Clip marked = plain;
    marked.events = {{0.0f, "start"}, {0.25f, "left foot"}, {0.25f, ""}, {0.5f, "hit"}};
    marked.floats = {{"glow", {0.0f, 0.4f, 1.0f}, {0.0f, 1.0f, 0.25f}}};
    const auto a = compile_clip(plain, skeleton), b = compile_clip(marked, skeleton);
    REQUIRE((a && b));
    CHECK(b->bytes().size() == a->bytes().size() + 4 * 6 + 5 + 9 + 3 + 2 + 4 + 4 + 6 * 4);
    const auto again = read_compiled_clip(b->bytes(), skeleton);
    REQUIRE(again);
    CHECK(std::ranges::equal(again->events(), marked.events));
    CHECK(std::ranges::equal(again->numbers(), marked.floats));
    CHECK(a->events().empty());
    for (const auto& [from, to] : {std::pair{0.0f, 0.25f}, {0.25f, 0.5f}, {0.2f, 9.0f}, {0.6f, 0.7f}, {0.5f, 0.1f}})
        CHECK(std::ranges::equal(events_between(*again, from, to), events_between(marked, from, to)));
    marked.events[1].name = std::string(70'000, 'x');
    CHECK_FALSE(compile_clip(marked, skeleton));
}

TEST_CASE("read_compiled_clip: damaged bytes are refused, even with a checksum that fits") {
    Random random(8);
    const Skeleton skeleton = random_skeleton(random, 12);
    Clip clip = random_clip(random, 12, 30, 2, 0.05);
    clip.tracks[0].interpolation = Interpolation::step;  // raw keys
    clip.events = {{0.1f, "step"}, {0.3f, "hit"}};
    clip.floats = {{"glow", {0.0f, 0.4f}, {0.0f, 1.0f}}};
    const auto compiled = compile_clip(clip, skeleton, 2);
    REQUIRE(compiled);
    const Bytes whole(compiled->bytes().begin(), compiled->bytes().end());
    for (size_t size = 0; size < whole.size(); ++size)
        CHECK_FALSE(read_compiled_clip(ByteSpan(whole).first(size), skeleton));
    for (size_t i = 0; i < whole.size(); ++i) {
        Bytes changed = whole;
        changed[i] ^= static_cast<std::byte>(1 + random.below(255));
        if (i >= checked_from) CHECK_FALSE(read_compiled_clip(changed, skeleton));
        const uint32_t mark = mark_bytes(ByteSpan(changed).subspan(checked_from));
        std::memcpy(changed.data() + offsetof(ClipHead, checksum), &mark, sizeof(mark));
        // With the checksum mended it may be another clip; reading and sampling it must stay within bounds.
        if (const auto other = read_compiled_clip(changed, skeleton)) {
            Pose pose{.local = skeleton.rest(), .morphs = std::vector<float>(other->float_count())};
            for (const float time : {-1.0f, 0.2f, 0.9f, 1e30f})
                sample(*other, time, pose), sample_scalar(*other, time, pose);
        }
    }
    const Skeleton other = random_skeleton(random, 12);
    const auto refused = read_compiled_clip(whole, other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("another skeleton") != std::string::npos);
}

TEST_CASE("compile_clip: refuses what validate() refuses, by the track's number, and senseless options") {
    Random random(9);
    const Skeleton skeleton = random_skeleton(random, 3);
    Clip clip = random_clip(random, 3, 5, 0, 0.1);
    CHECK_FALSE(compile_clip(clip, skeleton, 0, {.bound = 0.0}));
    CHECK_FALSE(compile_clip(clip, skeleton, 0, {.shell = NAN}));
    Clip unsorted = clip, hole = clip;
    std::swap(unsorted.tracks[1].times[1], unsorted.tracks[1].times[2]);
    hole.tracks[2].values[3] = NAN;
    for (const auto& [broken, where] : {std::pair(unsorted, "track 1"), std::pair(hole, "track 2")}) {
        const auto compiled = compile_clip(broken, skeleton);
        REQUIRE_FALSE(compiled);
        CHECK(compiled.error().where == where);
    }
}

TEST_CASE("shell_error: the farthest point of a shell, against many points of it") {
    Random random(10);
    for (int i = 0; i < 50; ++i) {
        Transform a{.translation = {1, 2, 3}, .rotation = random_turn(random, 3.0)}, b = a;
        b.rotation = (b.rotation * random_turn(random, 0.01)).normalized();
        b.translation += Vec3(0.001f, 0, static_cast<float>(random.uniform(-0.001, 0.001)));
        if (i % 2 == 0) b.scale = {1.01f, 1.0f, 0.995f};
        const AffineD ma = to_affine_d(a), mb = to_affine_d(b);
        double most = 0.0;
        for (int k = 0; k < 2000; ++k) {
            const Vec3d p =
                0.1 * Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
            most = std::max(most, (ma * p - mb * p).norm());
        }
        CHECK(shell_error(ma, mb, 0.1) >= most);
        CHECK(shell_error(ma, mb, 0.1) <= 1.35 * most);
        CHECK(shell_error_may_reach(ma, mb, 0.1, shell_error(ma, mb, 0.1)));
        CHECK_FALSE(shell_error_may_reach(ma, mb, 0.1, 1.8 * shell_error(ma, mb, 0.1)));
    }
}
