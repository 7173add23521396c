// Clean-up: filters against their closed forms, damage put on clean motions and taken out again.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/sets/clean/calm_together.h>
#include <sinew/sets/clean/clean_clip.h>
#include <sinew/sets/clean/filters.h>
#include <sinew/sets/clean/find_damage.h>
#include <sinew/sets/clean/smooth_curve.h>
#include <sinew/skeleton/pose.h>
#include <support/data_case.h>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

double normal(Random& random) {
    return std::sqrt(-2.0 * std::log(1.0 - random.uniform())) * std::cos(2.0 * std::numbers::pi * random.uniform());
}

// The amplitude of a sine after a filter, away from the ends.
template <class Filter>
double gain(double hertz, double fps, const Filter& filter) {
    std::vector<double> wave(4096);
    for (size_t i = 0; i < wave.size(); ++i)
        wave[i] = std::sin(2.0 * std::numbers::pi * hertz * static_cast<double>(i) / fps);
    filter(wave);
    double most = 0;
    for (size_t i = 1500; i < 2500; ++i) most = std::max(most, std::abs(wave[i]));
    return most;
}

std::vector<std::vector<Vec3d>> places(const Skeleton& skeleton, const Clip& clip, size_t frames, double fps) {
    std::vector<std::vector<Vec3d>> all;
    std::vector<AffineD> world(skeleton.size());
    for (size_t f = 0; f < frames; ++f) {
        Pose pose{skeleton.rest(), {}};
        sample(clip, static_cast<float>(static_cast<double>(f) / fps), pose);
        local_to_world(skeleton.parents(), pose.local, world);
        all.emplace_back();
        for (const AffineD& joint : world) all.back().push_back(joint.translation());
    }
    return all;
}

// Root mean square of all joints' distances, in the skeleton's units.
double rms_between(const std::vector<std::vector<Vec3d>>& a, const std::vector<std::vector<Vec3d>>& b) {
    double sum = 0;
    size_t count = 0;
    for (size_t f = 0; f < a.size(); ++f)
        for (size_t j = 0; j < a[f].size(); ++j, ++count) sum += (a[f][j] - b[f][j]).squaredNorm();
    return std::sqrt(sum / static_cast<double>(count));
}
double most_between(const std::vector<std::vector<Vec3d>>& a, const std::vector<std::vector<Vec3d>>& b) {
    double most = 0;
    for (size_t f = 0; f < a.size(); ++f)
        for (size_t j = 0; j < a[f].size(); ++j) most = std::max(most, (a[f][j] - b[f][j]).norm());
    return most;
}

// A capture without its first frame, a T-pose; metres by the length of its legs.
struct Capture {
    Skeleton skeleton;
    Clip clip;
    double fps = 120, metres = 1;
    size_t frames = 0;
};
Capture load_capture(const std::filesystem::path& file) {
    const auto character = read_character(file);
    REQUIRE(character);
    const auto without_t_pose = clean_clip(character->skeleton, character->clips.at(0),
                                           {.spikes = false, .gaps = false, .filter = CleanFilter::off, .feet = false});
    REQUIRE(without_t_pose);
    Capture capture{character->skeleton, without_t_pose->clip};
    const Track& track = capture.clip.tracks.at(1);
    capture.frames = without_t_pose->times.size();
    capture.fps = static_cast<double>(capture.frames - 1) / duration(capture.clip);
    CHECK(track.times.size() <= capture.frames);
    const std::vector<AffineD> rest = rest_world(capture.skeleton);
    const auto at = [&](const char* name) {
        return Vec3d(rest[static_cast<size_t>(capture.skeleton.find(name))].translation());
    };
    capture.metres = 0.8 / ((at("LeftUpLeg") - at("LeftLeg")).norm() + (at("LeftLeg") - at("LeftFoot")).norm());
    return capture;
}

Quat turned(const float* values, double angle, const Vec3d& axis) {
    Quat q;
    std::copy_n(values, 4, q.coeffs().data());
    return (Quatd(q.cast<double>()) * Quatd(Eigen::AngleAxisd(angle, axis))).normalized().cast<float>();
}
void turn_key(Track& track, size_t key, double angle, const Vec3d& axis) {
    const Quat q = turned(&track.values[4 * key], angle, axis);
    std::copy_n(q.coeffs().data(), 4, &track.values[4 * key]);
}

Clip with_noise(Clip clip, double degrees_each, Random& random) {
    for (Track& track : clip.tracks)
        for (size_t k = 0; track.path == TrackPath::rotation && track.times.size() > 2 && k < track.times.size(); ++k)
            for (int axis = 0; axis < 3; ++axis)
                turn_key(track, k, normal(random) * degrees_each / 57.3, Vec3d::Unit(axis));
    return clip;
}
Clip with_spikes(Clip clip, Random& random) {
    for (Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation || track.times.size() < 40) continue;
        for (int i = 0; i < 2; ++i) {
            const size_t key = 10 + random.below(track.times.size() - 20);
            turn_key(track, key, 0.4 + 0.6 * random.uniform(), Vec3d::Unit(static_cast<int>(random.below(3))));
        }
    }
    return clip;
}

// Takes a joint from the capture for 0.3 s from `start`, held or set to zero: how far all joints are off then, root
// mean square, in metres.
double lost_and_filled(const Capture& capture, const char* joint, size_t start, bool zero,
                       const std::vector<std::vector<Vec3d>>& truth) {
    const auto length = static_cast<size_t>(0.3 * capture.fps);
    Clip lost = capture.clip;
    for (Track& track : lost.tracks) {
        if (track.target != capture.skeleton.find(joint) || track.path != TrackPath::rotation) continue;
        REQUIRE(track.times.size() > start + length);
        const Quat rest = Quat::Identity();
        for (size_t k = start; k < start + length; ++k)
            std::copy_n(zero ? rest.coeffs().data() : &track.values[4 * (start - 1)], 4, &track.values[4 * k]);
    }
    const auto filled = clean_clip(capture.skeleton, lost, {.filter = CleanFilter::off, .feet = false});
    const auto part = [&](const std::vector<std::vector<Vec3d>>& all) {
        return std::vector(all.begin() + static_cast<std::ptrdiff_t>(start),
                           all.begin() + static_cast<std::ptrdiff_t>(start + length));
    };
    return capture.metres *
           rms_between(part(places(capture.skeleton, filled->clip, capture.frames, capture.fps)), part(truth));
}

}  // namespace

TEST_CASE("butterworth: its gain is that of the fourth order without delay") {
    for (const double hertz : {1.0, 3.0, 6.0, 12.0, 20.0}) {
        const double got = gain(hertz, 120, [](std::vector<double>& x) { butterworth(x, 6.0, 120); });
        // The bilinear transform bends the frequency axis; the gain of one pass, twice.
        const double warped = std::tan(std::numbers::pi * hertz / 120) / std::tan(std::numbers::pi * 6.0 / 120);
        CHECK(got == doctest::Approx(1.0 / (1.0 + std::pow(warped, 4))).epsilon(0.01));
    }
    std::vector<double> line = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, still(30, 2.5), few = {1};
    const std::vector<double> before = still;
    butterworth(still, 6.0, 120);
    CHECK(still == before);
    butterworth(line, 6.0, 30);
    for (size_t i = 0; i < line.size(); ++i) CHECK(std::abs(line[i] - static_cast<double>(i)) < 0.05);
    butterworth(few, 6.0, 30);
    CHECK(few[0] == 1);
}

TEST_CASE("one_euro: at rest it is an exponential, and it follows fast moves sooner") {
    std::vector<double> step(240, 1.0);
    step[0] = 0;
    one_euro(step, {.cutoff = 2.0, .beta = 0.0}, 120);
    const double r = 2.0 * std::numbers::pi * 2.0 / 120, share = r / (r + 1.0);
    CHECK(step[10] == doctest::Approx(1.0 - std::pow(1.0 - share, 10)));
    std::vector<double> fast(240, 1.0);
    fast[0] = 0;
    one_euro(fast, {.cutoff = 2.0, .beta = 1.0}, 120);
    CHECK(fast[5] > step[5]);
}

TEST_CASE("smoothed_curve: the gain it promises; noise_level: the noise that was put in") {
    for (const double cutoff : {0.02, 0.05, 0.2})
        for (const double f : {0.01, 0.05, 0.1, 0.3}) {
            Signal wave(2000, 1);
            for (Eigen::Index i = 0; i < wave.rows(); ++i)
                wave(i, 0) = std::sin(2.0 * std::numbers::pi * f * static_cast<double>(i));
            const Signal smooth = smoothed_curve(wave, std::vector<char>(2000, 1), cutoff);
            const double ratio = std::sin(std::numbers::pi * f) / std::sin(std::numbers::pi * cutoff);
            CHECK(smooth.block(800, 0, 400, 1).cwiseAbs().maxCoeff() ==
                  doctest::Approx(wave.block(800, 0, 400, 1).cwiseAbs().maxCoeff() / (1.0 + std::pow(ratio, 6)))
                      .epsilon(0.02));
        }
    Random random(5);
    Signal noisy(3000, 3);
    for (Eigen::Index i = 0; i < noisy.rows(); ++i)
        for (Eigen::Index c = 0; c < 3; ++c)
            noisy(i, c) = std::sin(0.05 * static_cast<double>(i) + static_cast<double>(c)) + 0.01 * normal(random);
    const std::vector<char> known(3000, 1);
    CHECK(noise_level(noisy, known) == doctest::Approx(0.01 * std::sqrt(3.0)).epsilon(0.15));
}

TEST_CASE("calm_together: what all curves do stays, what each does by itself goes") {
    // Twenty curves that follow one movement, each as much as it likes; noise as smoothing at 0.05 leaves it.
    constexpr Eigen::Index frames = 600;
    constexpr double noise = 0.02, cutoff = 0.05;
    Random random(8);
    std::vector<Signal> truth, noisy;
    for (int c = 0; c < 20; ++c) {
        Signal curve(frames, 4), own(frames, 4);
        for (Eigen::Index k = 0; k < 4; ++k) {
            const double size = random.uniform(-0.2, 0.2);
            for (Eigen::Index f = 0; f < frames; ++f) {
                curve(f, k) = size * std::sin(0.04 * static_cast<double>(f));
                own(f, k) = curve(f, k) + normal(random) * noise / 2.0;
            }
        }
        truth.push_back(curve);
        noisy.push_back(smoothed_curve(own, std::vector<char>(frames, 1), cutoff));
    }
    const auto off = [&](const std::vector<Signal>& curves) {
        double sum = 0;
        for (size_t c = 0; c < curves.size(); ++c) sum += (curves[c] - truth[c]).squaredNorm();
        return std::sqrt(sum);
    };
    std::vector<Signal> calm = noisy, clean = truth;
    std::vector<SmoothedCurve> curves, quiet;
    for (Signal& curve : calm) curves.push_back({&curve, noise, cutoff});
    for (Signal& curve : clean) quiet.push_back({&curve, 1e-6, cutoff});
    calm_together(curves);
    CHECK(off(calm) < 0.5 * off(noisy));
    calm_together(quiet);
    CHECK(off(clean) < 1e-3 * off(noisy));
}

TEST_CASE("fill_unknown: a cubic goes on through its gap") {
    Signal curve(60, 1);
    for (Eigen::Index i = 0; i < 60; ++i) curve(i, 0) = 1e-4 * std::pow(static_cast<double>(i) - 20, 3);
    Signal filled = curve;
    std::vector<char> known(60, 1);
    for (size_t i = 25; i < 35; ++i) known[i] = 0, filled(static_cast<Eigen::Index>(i), 0) = 1e3;
    fill_unknown(filled, known);
    CHECK((filled - curve).cwiseAbs().maxCoeff() < 0.02);
}

TEST_CASE("find_held: a knee that is cut off when it is straight was not lost, one that stops in mid-swing was") {
    // A knee by its half angle: it would overstretch by a little, and is stopped there.
    Signal knee(240, 1);
    for (Eigen::Index i = 0; i < 240; ++i)
        knee(i, 0) = std::max(0.0, 0.3 + 0.45 * std::sin(2.0 * std::numbers::pi * static_cast<double>(i) / 120.0));
    CHECK(find_held(knee, 120, 0.05).empty());
    for (const double at : {knee(39, 0), 0.0}) {  // held where it was, or set to zero
        Signal lost = knee;
        lost.block(40, 0, 20, 1).setConstant(at);
        const std::vector<FrameRun> held = find_held(lost, 120, 0.05);
        REQUIRE(held.size() == 1);
        CHECK(held[0].first == 40);
        CHECK(held[0].last == 59);
    }
}

TEST_CASE("find_spikes: a bad frame and a flip of some frames, with its flanks; no blow and no landing") {
    Signal arm(240, 1);
    for (Eigen::Index i = 0; i < 240; ++i) arm(i, 0) = 0.2 * std::sin(0.05 * static_cast<double>(i));
    // A blow: out and back within 0.1 s, as fast as a fist, but never from one frame to the next.
    Signal blow = arm;
    for (Eigen::Index i = 0; i <= 12; ++i)
        blow(100 + i, 0) += 0.25 * (1.0 - std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / 12.0));
    CHECK(find_spikes(blow, 120, 0.05).empty());
    Signal bad = arm;
    bad(60, 0) += 0.3;
    for (const auto& [f, off] : {std::pair{150, 0.15}, {151, 0.3}, {152, 0.45}, {153, 0.25}}) bad(f, 0) += off;
    const std::vector<FrameRun> spikes = find_spikes(bad, 120, 0.05);
    REQUIRE(spikes.size() == 2);
    CHECK((spikes[0].first == 60 && spikes[0].last == 60));
    CHECK((spikes[1].first == 150 && spikes[1].last == 153));
}

TEST_CASE("clean_clip: made motions come back as they are, odd clips too") {
    const Skeleton skeleton = humanoid_reference_skeleton();
    for (const char* name : {"walk", "idle", "jump"}) {
        const auto motion = builtin_motion(name);
        const auto cleaned = clean_clip(motion->skeleton, motion->clip, {.feet = false});
        REQUIRE(cleaned);
        const size_t frames = cleaned->times.size();
        const double fps = static_cast<double>(frames - 1) / duration(motion->clip);
        CHECK(most_between(places(motion->skeleton, motion->clip, frames, fps),
                           places(motion->skeleton, cleaned->clip, frames, fps)) < 0.002);
    }
    CHECK(clean_clip(skeleton, Clip{"empty", {}, -1}));
    Clip one{"one key", {Track{0, TrackPath::translation, Interpolation::linear, 3, {0.0f}, {1, 2, 3}}}, -1};
    CHECK(clean_clip(skeleton, one));
    CHECK(!clean_clip(skeleton, one, {.cutoff = 0.0}));
    one.tracks[0].target = 1000;
    CHECK(!clean_clip(skeleton, one));
}

DATA_TEST_CASE("clean_clip: noise, spikes and gaps put on captures are taken out") {
    constexpr CleanOptions no_feet{.feet = false};
    for (const char* name : {"02_01", "16_12", "131_04", "133_24"}) {
        CAPTURE(name);
        const Capture capture = load_capture(data / "bvh-cmu" / (std::string(name) + ".bvh"));
        const auto all = [&](const Clip& clip) { return places(capture.skeleton, clip, capture.frames, capture.fps); };
        const auto truth = all(capture.clip);
        const auto clean = clean_clip(capture.skeleton, capture.clip, no_feet);
        // Captures have real glitches of their own in single frames; all else stays.
        CHECK(rms_between(all(clean->clip), truth) * capture.metres < 0.002);

        Random random(11);
        const Clip spiked = with_spikes(capture.clip, random);
        const auto unspiked = clean_clip(capture.skeleton, spiked, no_feet);
        CHECK(rms_between(all(unspiked->clip), truth) < 0.15 * rms_between(all(spiked), truth));

        const Clip noisy = with_noise(capture.clip, 1.0, random);
        const auto quiet = clean_clip(capture.skeleton, noisy, no_feet);
        const double left = rms_between(all(quiet->clip), truth) / rms_between(all(noisy), truth);
        MESSAGE(std::string(name), ": of noise alone ", left, " is left");
        CHECK(left < 0.34);

        const Clip dirty = with_spikes(noisy, random);
        const auto cleaned = clean_clip(capture.skeleton, dirty, no_feet);
        CHECK(rms_between(all(cleaned->clip), truth) < 0.3 * rms_between(all(dirty), truth));
    }
}

// Captures have bad frames of their own, mostly of toes and fingers; those are told as spikes. All else stays.
DATA_TEST_CASE("clean_clip: captures change by less than 2 mm, but for frames that are told as spikes") {
    size_t spikes = 0, untouched = 0, files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data / "bvh-cmu")) {
        CAPTURE(entry.path().string());
        const auto file = read_character(entry.path());
        REQUIRE(file);
        const auto clean = clean_clip(file->skeleton, file->clips.at(0), {.feet = false});
        REQUIRE(clean);
        std::vector<char> told(clean->times.size(), 0);
        bool damaged = false;
        for (const CleanChange& change : clean->changes) {
            CHECK(change.kind != CleanKind::gap);  // knees that are cut off when they are straight are none
            if (change.kind != CleanKind::spike) continue;
            ++spikes, damaged = true;
            for (size_t f = 0; f < told.size(); ++f)
                if (clean->times[f] >= change.from && clean->times[f] <= change.to) told[f] = 1;
        }
        for (size_t f = 0; f < told.size(); ++f)
            if (!told[f]) CHECK(clean->changed_mm[f] < 2.0f);
        untouched += !damaged;
        ++files;
    }
    MESSAGE(files, " captures, ", untouched, " without a spike, ", spikes, " spikes in the others");
    CHECK(untouched * 3 > files);
}

DATA_TEST_CASE("clean_clip: a joint that is lost for 0.3 s comes back within 2 cm") {
    const Capture capture = load_capture(data / "bvh-cmu" / "02_01.bvh");
    const auto truth = places(capture.skeleton, capture.clip, capture.frames, capture.fps);
    double squares = 0, cases = 0, worst = 0;
    for (const char* joint : {"LeftLeg", "RightLeg", "LeftArm", "RightForeArm", "Spine", "Head"})
        for (const size_t start : {size_t{50}, size_t{130}, size_t{180}})
            for (const bool zero : {false, true}) {
                const double off = lost_and_filled(capture, joint, start, zero, truth);
                squares += off * off;
                cases += 1;
                worst = std::max(worst, off);
            }
    // A knee that is lost from straight to straight looks like one that stayed straight: no such stretch is among them.
    CHECK(std::sqrt(squares / cases) < 0.01);
    MESSAGE("worst ", worst);
    CHECK(worst < 0.02);
}

// Anywhere in other captures, blindly drawn: hips of legs that jump and dance are the worst.
DATA_TEST_CASE("clean_clip: lost joints of other captures come back within 2 cm, nine of ten") {
    Random random(29);
    std::vector<double> off;
    for (const char* name : {"07_05", "16_12", "131_04", "133_24", "91_41", "80_10", "143_35", "26_09"}) {
        const Capture capture = load_capture(data / "bvh-cmu" / (std::string(name) + ".bvh"));
        const auto truth = places(capture.skeleton, capture.clip, capture.frames, capture.fps);
        for (const char* joint : {"LeftUpLeg", "RightLeg", "LeftArm", "RightForeArm", "Spine", "Head"}) {
            const size_t start = 40 + random.below(capture.frames - 120);
            off.push_back(lost_and_filled(capture, joint, start, false, truth));
        }
    }
    std::ranges::sort(off);
    MESSAGE("median ", off[off.size() / 2], " m, nine of ten ", off[off.size() * 9 / 10], ", worst ", off.back());
    CHECK(off[off.size() / 2] < 0.006);
    CHECK(off[off.size() * 9 / 10] < 0.02);
    CHECK(off.back() < 0.04);
}

DATA_TEST_CASE("clean_clip: holding feet leaves the hips at their height") {
    for (const char* name : {"02_01", "07_05", "16_12", "91_41"}) {
        CAPTURE(std::string(name));
        const auto file = read_character(data / "bvh-cmu" / (std::string(name) + ".bvh"));
        REQUIRE(file);
        const Clip& clip = file->clips.at(0);
        const auto clean = clean_clip(file->skeleton, clip, {.filter = CleanFilter::off});
        REQUIRE(clean);
        CHECK(clean->skate_after_mm < 2.0f);
        constexpr double metres = 0.054;  // in one of these files' units
        double squares = 0, worst = 0;
        Pose before{file->skeleton.rest(), {}}, after = before;
        for (const float time : clean->times) {
            sample(clip, time, before);
            sample(clean->clip, time - clean->times.front(), after);
            const double sunk = metres * (after.local[0].translation.y() - before.local[0].translation.y());
            squares += sunk * sunk;
            worst = std::max(worst, std::abs(sunk));
        }
        CHECK(std::sqrt(squares / static_cast<double>(clean->times.size())) < 0.011);
        CHECK(worst < 0.02);
    }
}

DATA_TEST_CASE("clean_clip: planted feet stand still on the source's own skeleton, and a T-pose frame goes") {
    for (const char* name : {"02_01", "16_12", "136_11", "91_41"}) {
        CAPTURE(name);
        const auto file = read_character(data / "bvh-cmu" / (std::string(name) + ".bvh"));
        const auto cleaned = clean_clip(file->skeleton, file->clips.at(0));
        REQUIRE(cleaned);
        CHECK(cleaned->dropped_start > 0.0f);
        CHECK(cleaned->contacts > 4);
        CHECK(cleaned->skate_before_mm > 5.0f);
        CHECK(cleaned->skate_after_mm < 2.0f);
    }
}
