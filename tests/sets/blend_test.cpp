// Parametric motion and walks along paths, seen from outside: speed, turn, slope, feet that stand, no pops.
#include <doctest/doctest.h>

#include <sinew/clip/runtime/blend.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/sets/one_body.h>
#include <sinew/sets/blend/cycle_weights.h>
#include <sinew/sets/blend/parametric_motion.h>
#include <sinew/sets/blend/registration.h>
#include <sinew/sets/blend/sloped_ground.h>
#include <sinew/sets/graph/path_walk.h>
#include <support/data_case.h>

#include "walk_measures.h"

using namespace sinew;
using namespace sinew::walk_measures;

namespace {

struct BuiltinWalks {
    Skeleton skeleton;
    std::vector<Clip> clips;
};

// Walk and run as they are made: whole rounds.
BuiltinWalks builtin_walks() {
    auto walk = builtin_motion("walk"), run = builtin_motion("run");
    REQUIRE(walk);
    REQUIRE(run);
    return {walk->skeleton, {walk->clip, run->clip}};
}

size_t joint(const Skeleton& skeleton, const char* name) {
    const int32_t found = skeleton.find(name);
    REQUIRE(found >= 0);
    return static_cast<size_t>(found);
}

// The hips' yaw from the first frame to the last, over all frames, in radians.
double yaw_turned(const Skeleton& skeleton, const Clip& clip, size_t hips) {
    double yaw = 0, before = 0;
    Pose pose{skeleton.rest(), {}};
    for (int f = 0; f <= static_cast<int>(duration(clip) * 30.0f + 0.01f); ++f) {
        sample(clip, static_cast<float>(f) / 30.0f, pose);
        const Vec3 ahead = pose.local[hips].rotation * Vec3::UnitZ();
        const double now = std::atan2(ahead.x(), ahead.z());
        if (f > 0) yaw += std::remainder(now - before, 2.0 * 3.14159265358979);
        before = now;
    }
    return yaw;
}

}  // namespace

TEST_CASE("ParametricMotion: asked speeds and turns are met within 5%, feet stand, nothing pops") {
    const auto [skeleton, clips] = builtin_walks();
    const auto motion = ParametricMotion::create(skeleton, clips);
    REQUIRE(motion);
    REQUIRE(motion->cycles().size() == 2);
    for (size_t c = 0; c < 2; ++c) {
        const double rounds = static_cast<double>(duration(clips[c]) / motion->cycles()[c].seconds);
        CHECK(rounds == doctest::Approx(std::round(rounds)).epsilon(0.04));
    }
    const float slow = motion->cycles()[0].pace.speed, fast = motion->cycles()[1].pace.speed;
    CHECK(slow < fast);
    CHECK(std::abs(motion->cycles()[0].pace.turn) < 0.02f);
    const size_t hips = joint(skeleton, "hips");
    double usual = 0;
    for (const Clip& clip : clips) usual = std::max(usual, worst_acceleration(joint_paths(skeleton, clip)));
    constexpr float seconds = 8.0f;
    for (const float speed : {0.8f * slow, slow, 0.5f * (slow + fast), fast})
        for (const float turn : {0.0f, 0.35f, -0.7f}) {
            CAPTURE(speed);
            CAPTURE(turn);
            const auto made = motion->at({speed, turn, 0.0f}, seconds);
            REQUIRE(made);
            CHECK(duration(made->clip) == doctest::Approx(seconds));
            const std::vector<Path> paths = joint_paths(skeleton, made->clip);
            CHECK(mean_speed(paths[hips]) == doctest::Approx(speed).epsilon(0.05));
            CHECK(made->met.speed == doctest::Approx(speed).epsilon(0.05));
            // The hips sway by a few degrees.
            CHECK(std::abs(yaw_turned(skeleton, made->clip, hips) - turn * seconds) <
                  0.05 * std::abs(turn) * seconds + 0.1);
            for (const char* toes : {"leftToes", "rightToes"}) {
                const Standing stands = find_standing(paths[joint(skeleton, toes)]);
                CHECK(100.0 * stands.worst_drift < 0.5);
                CHECK(stands.share > 0.1);  // a running foot stands for a sixth of the time
            }
            CHECK(worst_acceleration(paths) < 1.5 * usual);
        }
    CHECK(!motion->at({NAN, 0, 0}, 1.0f));
    CHECK(!motion->at({-1, 0, 0}, 1.0f));
    CHECK(!motion->at({1, 0, 2.0f}, 1.0f));
    CHECK(!motion->at(Pace{}, 0.0f));
    CHECK(!motion->at(std::span<const PaceKey>{}, 1.0f));
    CHECK(!ParametricMotion::create(skeleton, {}));
}

TEST_CASE("ParametricMotion: on a slope the body rises and each foot stands at the height of its place") {
    const auto [skeleton, clips] = builtin_walks();
    const auto motion = ParametricMotion::create(skeleton, clips);
    REQUIRE(motion);
    const size_t hips = joint(skeleton, "hips");
    const Vec3d level = joint_paths(skeleton, motion->at({1.4f, 0, 0}, 1.0f)->clip)[joint(skeleton, "leftToes")][0];
    for (const float slope : {0.1f, -0.15f, 0.3f}) {
        CAPTURE(slope);
        const auto made = motion->at({1.4f, 0.0f, slope}, 8.0f);
        REQUIRE(made);
        CHECK(made->met.slope == doctest::Approx(slope).epsilon(0.05));
        const std::vector<Path> paths = joint_paths(skeleton, made->clip);
        const Vec3d gone = paths[hips].back() - paths[hips].front();
        CHECK(gone.y() / std::hypot(gone.x(), gone.z()) == doctest::Approx(slope).epsilon(0.05));
        for (const char* toes : {"leftToes", "rightToes"}) {
            const Standing stands = find_standing(paths[joint(skeleton, toes)]);
            CHECK(100.0 * stands.worst_drift < 0.5);
            REQUIRE(stands.places.size() > 4);
            // Where it stands lies on the ramp, a toe's height above it.
            const Vec3d first = stands.places[1];
            for (size_t i = 2; i + 1 < stands.places.size(); ++i) {
                const Vec3d off = stands.places[i] - first;
                CHECK(std::abs(off.y() - slope * std::hypot(off.x(), off.z())) < 0.02);
            }
            CHECK(first.y() - slope * first.z() == doctest::Approx(level.y()).epsilon(0.0).scale(1.0).epsilon(0.06));
        }
    }
    // A walk that climbs is seen to climb, and mixed with a level one it climbs half as steeply.
    const auto climb = motion->at({1.4f, 0.0f, 0.2f}, 8.0f);
    const auto level_walk = motion->at({1.4f, 0.0f, 0.0f}, 8.0f);
    const auto both = ParametricMotion::create(skeleton, {level_walk->clip, climb->clip});
    REQUIRE(both);
    REQUIRE(both->cycles().size() == 2);
    CHECK(both->cycles()[0].pace.slope == 0.0f);
    CHECK(both->cycles()[1].pace.slope == doctest::Approx(0.2).epsilon(0.05));
    const auto half = both->at({1.4f, 0.0f, 0.1f}, 6.0f);
    REQUIRE(half);
    CHECK(half->weights[0] == doctest::Approx(0.5).epsilon(0.1));
    const std::vector<Path> paths = joint_paths(skeleton, half->clip);
    const Vec3d gone = paths[hips].back() - paths[hips].front();
    CHECK(gone.y() / std::hypot(gone.x(), gone.z()) == doctest::Approx(0.1).epsilon(0.05));
}

TEST_CASE("ParametricMotion: a pace that changes is followed without a pop") {
    const auto [skeleton, clips] = builtin_walks();
    const auto motion = ParametricMotion::create(skeleton, clips);
    REQUIRE(motion);
    const std::vector<PaceKey> keys = {
        {0.0f, {1.2f, 0.0f, 0.0f}}, {5.0f, {1.2f, 0.4f, 0.0f}}, {10.0f, {2.8f, 0.0f, 0.1f}}};
    const auto made = motion->at(keys, 10.0f);
    REQUIRE(made);
    const std::vector<Path> paths = joint_paths(skeleton, made->clip);
    CHECK(mean_speed(paths[joint(skeleton, "hips")]) == doctest::Approx(1.6).epsilon(0.05));
    double usual = 0;
    for (const Clip& clip : clips) usual = std::max(usual, worst_acceleration(joint_paths(skeleton, clip)));
    CHECK(worst_acceleration(paths) < 1.5 * usual);
    CHECK(made->met.turn == doctest::Approx(0.2).epsilon(0.05));
}

// Built-in walk and run on the same joints, mixed at run time at one phase: each foot lands once a cycle, and no more.
TEST_CASE("synchronised cycles: a blend of walk and run has as many foot contacts as cycles") {
    const auto [skeleton, clips] = builtin_walks();
    const std::array<size_t, 2> toes = {joint(skeleton, "leftToes"), joint(skeleton, "rightToes")};
    std::vector<AffineD> world(skeleton.size());
    const auto heights = [&](const Pose& pose) {
        local_to_world(skeleton.parents(), pose.local, world);
        return std::array{world[toes[0]].translation().y(), world[toes[1]].translation().y()};
    };
    // The walk is two rounds, the run three. A foot lands where its toes have come down to their lowest.
    constexpr double landed = 0.02, lifted = 0.05;
    std::vector<SyncedCycle> marked;
    for (const Clip& clip : clips) {
        constexpr int steps = 400;
        const float round = &clip == clips.data() ? 0.5f * duration(clip) : duration(clip) / 3.0f;
        std::array<std::vector<double>, 2> height;
        Pose pose{skeleton.rest(), {}};
        for (int i = 0; i < steps; ++i) {
            sample(clip, round * static_cast<float>(i) / steps, pose);
            for (size_t side = 0; side < 2; ++side) height[side].push_back(heights(pose)[side]);
        }
        SyncedCycle cycle{.start = 0.0f, .end = round, .marks = {}};
        for (size_t side = 0; side < 2; ++side) {
            const double lowest = *std::ranges::min_element(height[side]);
            for (int i = 0; i < steps; ++i)
                if (height[side][static_cast<size_t>(i)] < lowest + landed &&
                    height[side][static_cast<size_t>((i + steps - 1) % steps)] >= lowest + landed)
                    cycle.marks.push_back(round * static_cast<float>(i) / steps);
        }
        REQUIRE(cycle.marks.size() == 2);
        marked.push_back(cycle);
    }
    // Both begin with the same foot, whichever it is.
    if (marked[0].marks[0] > marked[0].marks[1])
        for (SyncedCycle& cycle : marked) std::swap(cycle.marks[0], cycle.marks[1]);
    for (const SyncedCycle& cycle : marked) REQUIRE(cycle.marks[0] < cycle.marks[1]);
    const auto count_landings = [&](const std::vector<SyncedCycle>& cycles, float share) {
        const std::vector<float> weights = {1.0f - share, share};
        std::array<int, 2> landings = {0, 0};
        std::array<double, 2> lowest = {INFINITY, INFINITY};
        std::vector<std::array<double, 2>> seen;
        for (float phase = 0.25f; phase < 10.25f; phase += phase_step(cycles, weights, 0.004f)) {
            Pose a{skeleton.rest(), {}}, b = a, out = a;
            sample(clips[0], time_at_phase(cycles[0], phase), a);
            sample(clips[1], time_at_phase(cycles[1], phase), b);
            const BlendLayer layers[] = {{.pose = &a, .weight = weights[0]}, {.pose = &b, .weight = weights[1]}};
            blend_poses(layers, a, out);
            seen.push_back(heights(out));
            for (size_t side = 0; side < 2; ++side) lowest[side] = std::min(lowest[side], seen.back()[side]);
        }
        // Landed below one height, up again above another: a foot that rolls does not land twice.
        std::array<bool, 2> down = {false, false};
        for (size_t side = 0; side < 2; ++side) down[side] = seen.front()[side] < lowest[side] + lifted;
        for (const auto& now : seen)
            for (size_t side = 0; side < 2; ++side) {
                if (!down[side] && now[side] < lowest[side] + landed) down[side] = true, ++landings[side];
                if (now[side] > lowest[side] + lifted) down[side] = false;
            }
        return landings;
    };
    for (const float share : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
        CAPTURE(share);
        const auto [left, right] = count_landings(marked, share);
        CHECK(left == 10);
        CHECK(right == 10);
    }
}

TEST_CASE("find_cycle: the period of a walk, whatever its length; none where nothing repeats") {
    const auto [skeleton, clips] = builtin_walks();
    auto graph = make_graph_body(skeleton, clips, 4);
    REQUIRE(graph);
    for (size_t c = 0; c < 2; ++c) {
        const CycleFrames found = find_cycle(make_clouds(*(*graph)->body, (*graph)->clips[c].poses));
        REQUIRE(found.frames > 0);
        const double rounds = 30.0 * static_cast<double>(duration(clips[c])) / static_cast<double>(found.frames);
        CHECK(rounds == doctest::Approx(std::round(rounds)).epsilon(0.04));
        CHECK(rounds < 4.0);
    }
    auto once = make_graph_body(skeleton, {clips[0]});
    REQUIRE(once);
    CHECK((*once)->clips[0].poses.size() < (*graph)->clips[0].poses.size() / 3);
    // Less than a round.
    const auto part = std::span<const Pose>((*once)->clips[0].poses).first(32);
    CHECK(find_cycle(make_clouds(*(*once)->body, part)).frames == 0);
}

TEST_CASE("registration_curve: a cycle that is turned and slowed in part is found back") {
    const auto [skeleton, clips] = builtin_walks();
    auto graph = make_graph_body(skeleton, clips, 4);
    REQUIRE(graph);
    const std::vector<Pose>& poses = (*graph)->clips[0].poses;
    const WindowClouds clouds = make_clouds(*(*graph)->body, poses);
    const CycleFrames found = find_cycle(clouds);
    const auto round = static_cast<double>(found.frames);
    // The same cycle, four frames later: each phase is found four frames earlier.
    const WindowClouds reference = cut_clouds(clouds, found.first - graph_reach, found.frames);
    const WindowClouds later = cut_clouds(clouds, found.first - graph_reach + 4, found.frames);
    const std::vector<double> same = registration_curve(reference, reference, 64);
    const std::vector<double> shifted = registration_curve(reference, later, 64);
    REQUIRE(shifted.size() == 65);
    for (size_t k = 0; k <= 64; ++k) {
        CHECK(std::abs(same[k] - round * static_cast<double>(k) / 64.0) < 0.3);
        CHECK(std::abs(shifted[k] + 4.0 - round * static_cast<double>(k) / 64.0) < 0.7);
        if (k > 0) CHECK(shifted[k] - shifted[k - 1] > 0.3 * round / 64.0);
    }
    CHECK(shifted.back() - shifted.front() == doctest::Approx(round));
}

TEST_CASE("cycle_weights: the wish is met, no weight is below 0, near loops are preferred") {
    std::vector<MotionLoop> loops;
    for (const auto& [frames, way, yaw, slope] : {std::tuple{36, 1.2, 0.0, 0.0},
                                                  {30, 1.4, 0.0, 0.0},
                                                  {24, 2.4, 0.0, 0.0},
                                                  {32, 1.3, 0.8, 0.0},
                                                  {33, 1.1, 0.0, 0.2}}) {
        MotionLoop loop;
        loop.in_place.resize(static_cast<size_t>(frames));
        loop.way = way, loop.yaw = yaw, loop.slope = slope;
        loops.push_back(loop);
    }
    for (const LoopWish& wish : {LoopWish{1.2, 0, 0}, {2.0, 0.1, 0}, {1.4, 0.5, 0.02}, {1.2, 0.0, 0.15}}) {
        const Eigen::VectorXd w = cycle_weights(loops, wish);
        CHECK(w.sum() == doctest::Approx(1.0));
        CHECK(w.minCoeff() >= 0.0);
        double time = 0, way = 0, yaw = 0, rise = 0;
        for (size_t i = 0; i < loops.size(); ++i) {
            const double share = w[static_cast<Eigen::Index>(i)];
            time += share * static_cast<double>(loops[i].frames()) / 30.0;
            way += share * loops[i].way;
            yaw += share * loops[i].yaw;
            rise += share * loops[i].way * loops[i].slope;
        }
        CHECK(way / time == doctest::Approx(wish.speed).epsilon(0.01));
        CHECK(yaw / time == doctest::Approx(wish.turn).epsilon(0.01).scale(0.1));
        CHECK(rise / way == doctest::Approx(wish.slope).epsilon(0.01).scale(0.1));
    }
    Eigen::Index most = 0;
    cycle_weights(loops, {1.0, 0, 0}).maxCoeff(&most);
    CHECK(most == 0);
    cycle_weights(loops, {3.0, 0, 0}).maxCoeff(&most);
    CHECK(most == 2);
    // Beyond all of them.
    CHECK(cycle_weights(loops, {9.0, 0, 0}).sum() == doctest::Approx(1.0));
}

TEST_CASE("SmoothWay: along a circle a point's distance is its arc") {
    std::vector<GroundPlace> places;
    constexpr double radius = 3.0, step = 0.05;
    for (int f = 0; f < 200; ++f) {
        const double angle = step * f / radius;
        places.push_back({radius * (1.0 - std::cos(angle)), radius * std::sin(angle), angle});
    }
    const SmoothWay way(places, 4, Vec3d::UnitZ());
    CHECK(way.length() == doctest::Approx(199 * step).epsilon(0.002));
    for (const double ahead : {-0.5, 0.0, 0.6}) {
        const double arc = 100 * step + ahead, angle = arc / radius, r = radius - 0.1;
        CHECK(way.along({radius - r * std::cos(angle), r * std::sin(angle)}, 100) ==
              doctest::Approx(arc).epsilon(0.004));
    }
}

DATA_TEST_CASE("captured walks along a figure eight: a minute within 0.5 m, toes stand, no pops through transitions") {
    std::vector<std::string> motions;
    for (const char* name : {"16_12", "02_01", "07_05", "133_24", "09_06"})
        motions.push_back((data / "bvh-cmu" / (std::string(name) + ".bvh")).string());
    std::vector<std::string> warnings;
    const auto one = gather_motions(motions, {}, {}, warnings);
    REQUIRE(one);
    REQUIRE(one->clips.size() == motions.size());
    const Skeleton& skeleton = one->character.skeleton;
    const auto graph = build_motion_graph(skeleton, one->clips);
    REQUIRE(graph);
    for (const GraphTransition& t : graph->transitions) CHECK(t.distance <= 1.5 * graph->frame_distance);
    constexpr float radius = 3.0f;
    const auto walk = walk_path(skeleton, one->clips, *graph, figure_eight(radius), 60.0);
    REQUIRE(walk);
    CHECK(walk->used.size() > 5);
    const auto body = find_own_body(skeleton, one->clips.front());
    REQUIRE(body);
    const double metres = metres_per_unit(*body);
    const std::vector<Path> paths = joint_paths(skeleton, walk->clip, metres);
    // The eight is two circles: how far the hips are from the nearer of them.
    double off = 0;
    for (const Vec3d& p : paths[static_cast<size_t>(body->map[Role::hips])])
        off = std::max(off, std::min(std::abs(std::hypot(p.x() - radius, p.z()) - radius),
                                     std::abs(std::hypot(p.x() + radius, p.z()) - radius)));
    CHECK(off < 0.5);
    for (const Role role : {Role::left_toes, Role::right_toes}) {
        const Standing stands = find_standing(paths[static_cast<size_t>(body->map[role])]);
        CHECK(100.0 * stands.worst_drift < 0.5);
        CHECK(stands.share > 0.3);
    }
    // Frames around transitions are no rougher than the captures themselves.
    double usual = 0, seams = 0;
    constexpr size_t after_t_pose = 5;  // captures jump out of it
    for (const Clip& clip : one->clips)
        usual = std::max(usual, worst_acceleration(joint_paths(skeleton, clip, metres), after_t_pose));
    for (const auto& [time, transition] : walk->used) {
        const auto first = static_cast<size_t>(time * 30.0f);
        seams = std::max(seams, worst_acceleration(paths, first, first + 2 * graph_reach));
    }
    MESSAGE("accelerations: captures ", usual, ", through transitions ", seams, ", all ", worst_acceleration(paths));
    CHECK(seams < 1.2 * usual);
}

DATA_TEST_CASE("captured walks blended: speeds and turns within 5%, toes stand") {
    std::vector<std::string> motions = {"run"};
    for (const char* name : {"02_01", "07_05", "16_12"})
        motions.insert(motions.begin(), (data / "bvh-cmu" / (std::string(name) + ".bvh")).string());
    std::vector<std::string> warnings;
    const auto one = gather_motions(motions, {}, {}, warnings);
    REQUIRE(one);
    const Skeleton& skeleton = one->character.skeleton;
    const auto motion = ParametricMotion::create(skeleton, one->clips);
    REQUIRE(motion);
    for (const MotionCycle& cycle : motion->cycles())
        MESSAGE(cycle.clip, " ", cycle.seconds, " s ", cycle.pace.speed, " m/s ", cycle.pace.turn, " rad/s");
    REQUIRE(motion->cycles().size() >= 3);
    const auto body = find_own_body(skeleton, one->clips.front());
    REQUIRE(body);
    for (const float speed : {0.9f, 1.4f, 2.0f})
        for (const float turn : {0.0f, 0.4f}) {
            CAPTURE(speed);
            CAPTURE(turn);
            const auto made = motion->at({speed, turn, 0.0f}, 8.0f);
            REQUIRE(made);
            const std::vector<Path> paths = joint_paths(skeleton, made->clip, metres_per_unit(*body));
            CHECK(mean_speed(paths[static_cast<size_t>(body->map[Role::hips])]) ==
                  doctest::Approx(speed).epsilon(0.05));
            CHECK(std::abs(made->met.turn - turn) < 0.05f * std::abs(turn) + 0.005f);
            for (const Role role : {Role::left_toes, Role::right_toes}) {
                const Standing stands = find_standing(paths[static_cast<size_t>(body->map[role])]);
                CHECK(100.0 * stands.worst_drift < 0.5);
                CHECK(stands.share > (speed < 1.6f ? 0.3 : 0.1));
            }
        }
}
