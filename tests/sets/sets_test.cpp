// Motion sets: searching, graphs and matching, against slow twins and invariants.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/sets/find_motions.h>
#include <sinew/sets/graph/path_walk.h>
#include <sinew/sets/graph/window_distance.h>
#include <sinew/sets/index/motion_index.h>
#include <sinew/sets/index/motion_summary.h>
#include <sinew/sets/match/motion_matching.h>
#include <sinew/sets/match/nearest_row.h>
#include <sinew/sets/own_feet.h>
#include <support/data_case.h>
#include <fstream>

using namespace sinew;
namespace fs = std::filesystem;

namespace {

Motion builtin(const char* name) {
    auto motion = builtin_motion(name);
    REQUIRE(motion);
    return *std::move(motion);
}

MotionIndex small_index() {
    MotionIndex index;
    for (const char* name : {"idle", "run", "walk"}) {
        const Motion motion = builtin(name);
        index.files.push_back(
            {std::string(name) + ".bvh", 10, 20, 30, "", {{name, describe_motion(motion.skeleton, motion.clip)}}});
    }
    index.files.push_back({"broken.bvh", 1, 2, 3, "is empty", {}});
    return index;
}

// A walk that goes on for some rounds.
Clip rounds_of(const Motion& motion, int rounds) {
    Clip clip = motion.clip;
    const float length = duration(clip);
    for (Track& track : clip.tracks) {
        const size_t keys = track.times.size();
        const auto width = static_cast<size_t>(track.width);
        for (int round = 1; round < rounds && keys > 1; ++round)
            for (size_t k = 1; k < keys; ++k) {
                track.times.push_back(track.times[k] + length * static_cast<float>(round));
                for (size_t c = 0; c < width; ++c) {
                    const float way = track.path == TrackPath::translation && c != 1
                                          ? track.values[(keys - 1) * width + c] - track.values[c]
                                          : 0.0f;
                    track.values.push_back(track.values[k * width + c] + static_cast<float>(round) * way);
                }
            }
    }
    return clip;
}

// The same without its way over the ground.
Clip on_the_spot(const Motion& motion) {
    Clip clip = motion.clip;
    for (Track& track : clip.tracks)
        for (size_t k = 0; track.path == TrackPath::translation && k < track.times.size(); ++k)
            track.values[3 * k] = track.values[0], track.values[3 * k + 2] = track.values[2];
    return clip;
}

}  // namespace

TEST_CASE("describe_motion: mirroring twice is nothing, and a body that is none has no rows") {
    const Motion walk = builtin("walk");
    const MotionDescription motion = describe_motion(walk.skeleton, walk.clip);
    REQUIRE(motion.rows.size() > 5);
    CHECK(mirrored_row(mirrored_row(motion.rows[3])) == motion.rows[3]);
    CHECK(mirrored_row(motion.rows[3]) != motion.rows[3]);
    const auto box = Skeleton::create({"box"}, {-1}, {Transform{}});
    CHECK(describe_motion(*box, Clip{"", {}, -1}).rows.empty());
}

TEST_CASE("summaries: of one moment, of two motions, and of a walk on the spot") {
    const Motion walk = builtin("walk"), idle = builtin("idle");
    const std::vector<MotionRow> rows = describe_motion(walk.skeleton, walk.clip).rows,
                                 still = describe_motion(idle.skeleton, idle.clip).rows;
    // One moment again and again has no spread, and all its values are its mean.
    const MotionSummary one = summarise_motion(std::vector<MotionRow>(7, rows[2]));
    for (Eigen::Index i = 0; i < one.size(); i += 4) {
        CHECK(one[i + 1] < 1e-5f);
        CHECK(one[i + 2] == one[i + 3]);
        CHECK(one[i] == doctest::Approx(one[i + 2]).epsilon(1e-3));
    }
    // Of two motions each number lies one spread from the mean, two from the other.
    const MotionSummary a = summarise_motion(rows), b = summarise_motion(still), weights = summary_weights({a, b});
    CHECK(summary_distance(a, a, weights) == 0.0f);
    CHECK(summary_distance(a, b, weights) < 2.0f / 1.13f);
    CHECK(summary_distance(a, b, weights) > 1.0f);
    // On the spot the feet tell the speed: it stays nearer to the walk than standing is.
    const std::vector<MotionRow> spot = describe_motion(walk.skeleton, on_the_spot(walk)).rows;
    CHECK(summary_distance(a, summarise_motion(spot), weights) < 0.5f * summary_distance(a, b, weights));
}

TEST_CASE("find_like: the motion itself comes first, its part too, names choose") {
    const MotionIndex index = small_index();
    for (size_t f = 0; f < 3; ++f) {
        const std::vector<MotionRow>& rows = index.files[f].clips[0].motion.rows;
        const auto found = find_like(index, rows, false);
        REQUIRE(found.size() == 3);
        CHECK(found[0].file == f);
        CHECK(found[0].distance < 1e-3f);
        CHECK(found[1].distance > 0.05f);
        CHECK(find_like(index, {rows.begin(), rows.begin() + 4}, true)[0].file == f);
    }
    CHECK(find_named(index, "WAL").size() == 1);
    CHECK(find_named(index, "nobody").empty());
    CHECK(find_like(index, {}, false).empty());
}

TEST_CASE("the index comes back from its bytes, and no cut of them does harm") {
    const MotionIndex index = small_index();
    const Bytes bytes = encode_index(index);
    const auto back = decode_index(bytes);
    REQUIRE(back);
    CHECK(encode_index(*back) == bytes);
    CHECK(back->files[3].problem == "is empty");
    for (size_t cut = 0; cut < bytes.size(); cut += cut < 400 ? 1 : 97)
        CHECK(!decode_index(ByteSpan(bytes).first(cut)));
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        Bytes changed = bytes;
        changed[random.below(std::min<size_t>(changed.size(), 600))] = static_cast<std::byte>(random.next());
        (void)decode_index(changed);  // may be an index or not; it must not crash
    }
}

TEST_CASE("update_index: a second run touches nothing, a broken file is told and left out") {
    const fs::path folder = fs::temp_directory_path() / "sinew_sets_test";
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "broken.bvh") << "HIERARCHY\nnothing";
    std::ofstream(folder / "notes.txt") << "no motion";
    IndexUpdate first, second, third;
    REQUIRE(update_index(folder, first));
    CHECK(first.files == 1);
    CHECK(first.described == 1);
    CHECK(first.problems.size() == 1);
    REQUIRE(update_index(folder, second));
    CHECK(second.described == 0);
    CHECK(second.problems.size() == 1);
    fs::remove(folder / "broken.bvh");
    REQUIRE(update_index(folder, third));
    CHECK(third.removed == 1);
    fs::remove_all(folder);
    fs::remove(index_path(folder));
    IndexUpdate none;
    CHECK(!update_index(folder, none));
}

TEST_CASE("cloud_distances: a turn and a shift over the ground change nothing; else as the slow way says") {
    const Motion walk = builtin("walk");
    const Clip clip = rounds_of(walk, 3);
    const auto body = find_own_body(walk.skeleton, clip);
    REQUIRE(body);
    std::vector<Pose> here, there;
    const Quat turn(Eigen::AngleAxisf(0.7f, Vec3::UnitY()));
    for (int f = 0; f < 40; ++f) {
        Pose pose{walk.skeleton.rest(), {}};
        sample(clip, static_cast<float>(f) / 30.0f, pose);
        here.push_back(pose);
        Transform& root = pose.local[static_cast<size_t>(body->map[Role::hips])];
        root.translation = turn * root.translation + Vec3(3, 0, -2);
        root.rotation = turn * root.rotation;
        there.push_back(pose);
    }
    const WindowClouds a = make_clouds(*body, here), b = make_clouds(*body, there);
    const Eigen::MatrixXf apart = cloud_distances(a, b), own = cloud_distances(a, a);
    CHECK(apart.diagonal().maxCoeff() < 2e-3f);
    CHECK((apart - own).cwiseAbs().maxCoeff() < 2e-3f);
    // The slow way: the least over many turns.
    for (const auto& [i, j] : {std::pair{2, 9}, {0, 20}, {15, 29}}) {
        double least = 1e9;
        for (int k = 0; k < 3600; ++k) {
            const auto angle = static_cast<float>(k) * 2.0f * pi / 3600.0f;
            const float c = std::cos(angle), s = std::sin(angle);
            const Eigen::VectorXf x = c * b.x.col(j) + s * b.z.col(j), z = c * b.z.col(j) - s * b.x.col(j);
            least = std::min<double>(least, ((a.x.col(i) - x).squaredNorm() + (a.y.col(i) - b.y.col(j)).squaredNorm() +
                                             (a.z.col(i) - z).squaredNorm()) /
                                                static_cast<double>(a.x.rows()));
        }
        CHECK(apart(i, j) == doctest::Approx(std::sqrt(least)).epsilon(1e-3));
    }
}

TEST_CASE("walk_path: built-in walks make a graph, and the walk stays on its path with planted feet") {
    const Motion walk = builtin("walk");
    const std::vector<Clip> clips = {rounds_of(walk, 4)};
    const auto graph = build_motion_graph(walk.skeleton, clips);
    REQUIRE(graph);
    CHECK(!graph->transitions.empty());
    for (const GraphTransition& t : graph->transitions) CHECK(t.distance <= 1.5 * graph->frame_distance);
    const auto way = walk_path(walk.skeleton, clips, *graph, figure_eight(3.0f), 20.0);
    REQUIRE(way);
    CHECK(duration(way->clip) == doctest::Approx(20.0));
    CHECK(way->travelled > 15.0f);
    CHECK(way->worst_off_path < 0.5f);
    CHECK(way->toe_drift_cm < 0.5f);
    CHECK(!walk_path(walk.skeleton, clips, *graph, {{{0, 0}}, false}, 5.0));
    CHECK(!walk_path(walk.skeleton, clips, *graph, figure_eight(3.0f), -1.0));
    CHECK(!build_motion_graph(walk.skeleton, {}));
}

TEST_CASE("NearestRow: the same as looking at every row") {
    Random random(9);
    for (const size_t dimensions : {size_t{1}, size_t{5}, size_t{27}, size_t{32}})
        for (const size_t count : {size_t{1}, size_t{17}, size_t{3000}}) {
            std::vector<float> rows(count * dimensions);
            for (size_t i = 0; i < rows.size(); ++i)
                rows[i] = static_cast<float>(random.uniform(-1, 1) * static_cast<double>(1 + i % dimensions));
            const NearestRow nearest(rows, count, dimensions);
            for (int q = 0; q < 60; ++q) {
                std::vector<float> query(dimensions);
                for (float& value : query) value = static_cast<float>(random.uniform(-2, 2));
                const auto fast = nearest.find(query, static_cast<uint32_t>(random.below(count)));
                const auto slow = nearest.find_by_scan(query);
                CHECK(fast.distance == slow.distance);
                double own = 0;
                for (size_t c = 0; c < dimensions; ++c) own += std::pow(rows[fast.row * dimensions + c] - query[c], 2);
                CHECK(fast.distance == doctest::Approx(own).epsilon(1e-4));
            }
        }
}

TEST_CASE("MotionMatcher: follows a bend without a jump in its pose") {
    const Motion walk = builtin("walk"), run = builtin("run");
    const auto matcher = MotionMatcher::create(walk.skeleton, {rounds_of(walk, 6), rounds_of(run, 6)});
    REQUIRE(matcher);
    MatchState state = matcher->start();
    CHECK(state.bytes() <= 1024);
    Pose pose, before;
    float along = 0.0f, worst = 0.0f, fastest = 0.0f;
    const auto at = [](float s) { return Vec2(5.0f - 5.0f * std::cos(s / 5.0f), 5.0f * std::sin(s / 5.0f)); };
    for (int f = 0; f < 600; ++f) {
        const Vec2 here(state.x, state.z);
        while ((at(along + 0.02f) - here).norm() < (at(along) - here).norm()) along += 0.02f;
        worst = std::max(worst, (at(along) - here).norm());
        MatchGoal goal;
        for (size_t k = 0; k < 3; ++k) goal.ahead[k] = at(along + 1.3f * static_cast<float>(k + 1) / 3.0f);
        matcher->advance(goal, state, pose);
        for (size_t j = 1; f > 0 && j < pose.local.size(); ++j)
            fastest = std::max(fastest, pose.local[j].rotation.angularDistance(before.local[j].rotation));
        before = pose;
    }
    CHECK(along > 10.0f);
    CHECK(worst < 0.5f);
    CHECK(fastest < 0.7f);  // radians a frame; a running knee turns by half of that
    CHECK(!MotionMatcher::create(walk.skeleton, {}));
}

DATA_TEST_CASE("find: a built-in walk finds captured walks on another skeleton") {
    IndexUpdate update;
    const fs::path folder = fs::temp_directory_path() / "sinew_find_data";
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const char* name : {"02_01", "07_05", "16_12", "133_24", "75_20", "143_35", "80_10", "111_37", "124_03"})
        fs::copy_file(data / "bvh-cmu" / (std::string(name) + ".bvh"), folder / (std::string(name) + ".bvh"));
    const auto index = update_index(folder, update);
    REQUIRE(index);
    CHECK(update.described == 9);
    const Motion walk = builtin("walk");
    const auto found = find_like(*index, describe_motion(walk.skeleton, walk.clip).rows, false);
    REQUIRE(found.size() == 9);
    for (size_t i = 0; i < 3; ++i) {
        const std::string file = index->files[found[i].file].path;
        CAPTURE(file);
        CHECK((file == "02_01.bvh" || file == "07_05.bvh" || file == "16_12.bvh" || file == "133_24.bvh"));
    }
    fs::remove_all(folder);
    fs::remove(index_path(folder));
}

// What a file shows, by the words of its description in the data's manifest.
DATA_TEST_CASE("find: most of the first five show the same action, on the clips of the data") {
    const std::vector<std::pair<const char*, std::vector<const char*>>> actions = {
        {"walk", {"02_01", "07_05", "16_12", "133_24", "03_01", "136_11", "makehuman_walk1"}},
        {"jump", {"91_41", "118_27", "131_04", "75_02", "88_06"}},
        {"dance", {"143_35", "05_13", "90_31", "20_01"}}};
    const fs::path folder = fs::temp_directory_path() / "sinew_precision_data";
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const char* from : {"bvh-cmu", "bvh-other"})
        for (const auto& entry : fs::directory_iterator(data / from))
            if (entry.path().extension() == ".bvh") fs::copy_file(entry.path(), folder / entry.path().filename());
    IndexUpdate update;
    const auto index = update_index(folder, update);
    REQUIRE(index);
    for (const auto& [action, takes] : actions) {
        const auto shows = [&](const std::string& path) {
            return std::ranges::any_of(takes, [&](const char* take) { return path == std::string(take) + ".bvh"; });
        };
        double hits = 0, asked = 0;
        for (size_t f = 0; f < index->files.size(); ++f) {
            if (!shows(index->files[f].path) || index->files[f].clips.empty()) continue;
            size_t seen = 0;
            for (const FoundMotion& found : find_like(*index, index->files[f].clips[0].motion.rows, false)) {
                if (found.file == f) continue;
                hits += shows(index->files[found.file].path);
                asked += 1;
                // No more than there are others of its kind.
                if (++seen >= std::min<size_t>(5, takes.size() - 1)) break;
            }
        }
        MESSAGE(std::string(action), ": ", hits / asked, " of the first five, ", takes.size(), " takes");
        // Seven walks, one of them backwards in a crouch; jumps and dances are few and unlike each other.
        if (std::string_view(action) == "walk") CHECK(hits / asked >= 0.7);
    }
    fs::remove_all(folder);
    fs::remove(index_path(folder));
}
