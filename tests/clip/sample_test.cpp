#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/core/random.h>
#include <sinew/math/interpolate.h>

using namespace sinew;

namespace {

Track translation_track(Interpolation interpolation, std::vector<float> times, std::vector<float> values) {
    return {.target = 0,
            .path = TrackPath::translation,
            .interpolation = interpolation,
            .width = 3,
            .times = std::move(times),
            .values = std::move(values)};
}

Vec3 at(const Track& track, float time) {
    Vec3 value;
    sample_track(track, time, value.data());
    return value;
}

}  // namespace

TEST_CASE("sample_track: holds outside, steps, and interpolates linearly") {
    const Track linear = translation_track(Interpolation::linear, {1, 2, 4}, {0, 0, 0, 10, 20, 30, 10, 0, 30});
    CHECK(at(linear, 0.0f) == Vec3(0, 0, 0));
    CHECK(at(linear, 1.25f).isApprox(Vec3(2.5f, 5, 7.5f)));
    CHECK(at(linear, 2.0f) == Vec3(10, 20, 30));
    CHECK(at(linear, 3.0f).isApprox(Vec3(10, 10, 30)));
    CHECK(at(linear, 9.0f) == Vec3(10, 0, 30));
    CHECK(at(linear, NAN) == Vec3(0, 0, 0));
    Track step = linear;
    step.interpolation = Interpolation::step;
    CHECK(at(step, 1.999f) == Vec3(0, 0, 0));
    CHECK(at(step, 2.0f) == Vec3(10, 20, 30));
}

// A Hermite spline through samples of a cubic, with its true derivatives, is that cubic: also between the keys.
TEST_CASE("sample_track: a cubic spline reproduces a cubic polynomial on uneven keys") {
    const auto p = [](double t) { return 2.0 - t + 0.5 * t * t - 0.25 * t * t * t; };
    const auto dp = [](double t) { return -1.0 + t - 0.75 * t * t; };
    std::vector<float> times = {0.0f, 0.5f, 2.0f, 2.25f}, values;
    for (float t : times) {
        for (double v : {dp(t), p(t), dp(t)})
            values.insert(values.end(), {static_cast<float>(v), 0.0f, static_cast<float>(-v)});
    }
    const Track track = translation_track(Interpolation::cubic, times, values);
    for (float t = 0.0f; t <= 2.25f; t += 0.05f) {
        CHECK(at(track, t).x() == doctest::Approx(p(t)).epsilon(1e-5));
        CHECK(at(track, t).z() == doctest::Approx(-p(t)).epsilon(1e-5));
    }
}

TEST_CASE("sample_track: rotations are slerped, come out unit, and survive bad keys") {
    const Quat a(Eigen::AngleAxisf(0.0f, Vec3::UnitX())), b(Eigen::AngleAxisf(2.0f, Vec3::UnitX()));
    Track track{.target = 0,
                .path = TrackPath::rotation,
                .interpolation = Interpolation::linear,
                .width = 4,
                .times = {0, 1},
                .values = {}};
    for (const Quat& q : {a, b}) track.values.insert(track.values.end(), {3 * q.x(), 3 * q.y(), 3 * q.z(), 3 * q.w()});
    Quat out;
    sample_track(track, 0.25f, out.coeffs().data());
    CHECK(out.norm() == doctest::Approx(1.0));
    CHECK(angle_between(a, out) == doctest::Approx(0.5).epsilon(1e-5));
    track.values = {0, 0, 0, 0, 0, 0, 0, 0};
    sample_track(track, 0.5f, out.coeffs().data());
    CHECK(out.coeffs() == Quat::Identity().coeffs());
}

TEST_CASE("sample: writes only what the clip animates, morph weights at their offset") {
    Clip clip;
    clip.tracks.push_back(translation_track(Interpolation::linear, {0}, {1, 2, 3}));
    clip.tracks[0].target = 1;
    clip.tracks.push_back({.target = 2,
                           .path = TrackPath::morphs,
                           .interpolation = Interpolation::linear,
                           .width = 2,
                           .times = {0, 1},
                           .values = {0, 0, 1, 2}});
    Pose pose;
    pose.local.resize(2);
    pose.local[0].translation = {7, 7, 7};
    pose.morphs = {9, 9, 9, 9, 9};
    REQUIRE(validate(clip, 2, 5));
    sample(clip, 0.5f, pose);
    CHECK(pose.local[0].translation == Vec3(7, 7, 7));
    CHECK(pose.local[1].translation == Vec3(1, 2, 3));
    CHECK(pose.morphs == std::vector<float>{9, 9, 0.5f, 1, 9});
    CHECK(duration(clip) == 1.0f);
}

TEST_CASE("validate: names what would break sampling") {
    const auto broken = [](auto change) {
        Clip clip;
        clip.tracks.push_back(translation_track(Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 1}));
        change(clip.tracks[0]);
        return !validate(clip, 1, 0).has_value();
    };
    CHECK_FALSE(broken([](Track&) {}));
    CHECK(broken([](Track& t) { t.target = 1; }));
    CHECK(broken([](Track& t) { t.target = -1; }));
    CHECK(broken([](Track& t) { t.width = 4; }));
    CHECK(broken([](Track& t) {
        t.times = {};
        t.values = {};
    }));
    CHECK(broken([](Track& t) { t.times[1] = 0.0f; }));
    CHECK(broken([](Track& t) { t.times[1] = NAN; }));
    CHECK(broken([](Track& t) { t.values.pop_back(); }));
    CHECK(broken([](Track& t) { t.values[4] = INFINITY; }));
    CHECK(broken([](Track& t) { t.interpolation = Interpolation::cubic; }));
    CHECK(broken([](Track& t) { t.path = TrackPath::morphs; }));
}
