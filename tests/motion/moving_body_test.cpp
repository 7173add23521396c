// Motions whose files say less than they could: no names, a rest pose that is a frame of the motion, all bones along
// +X. What is recognised and what comes out is compared with the same motion undisguised.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/mapping/moving_body.h>
#include <sinew/motion/retarget.h>
#include <sinew/skeleton/pose.h>
#include <iostream>

#include "motion/motion_disguise.h"
#include "motion/world_at.h"
#include "skeleton/disguise.h"
#include "support/data_case.h"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr auto last_core = static_cast<size_t>(Role::right_hand);

bool is_core(size_t role) {
    const auto r = static_cast<Role>(role);
    return role <= last_core && r != Role::left_eye && r != Role::right_eye && r != Role::jaw;
}

SeenMotion nameless(const SeenMotion& motion) {
    return {without_names(motion.skeleton), motion.clip};
}

struct Disguise {
    const char* title;
    SeenMotion (*make)(const SeenMotion&, float time);
};
const Disguise disguises[] = {
    {"names", [](const SeenMotion& m, float) { return nameless(m); }},
    {"frame", [](const SeenMotion& m, float time) { return resting_at(m, time); }},
    {"along X", [](const SeenMotion& m, float) { return along_x(m); }},
    {"names, frame", [](const SeenMotion& m, float time) { return nameless(resting_at(m, time)); }},
    {"names, along X", [](const SeenMotion& m, float) { return nameless(along_x(m)); }},
};

struct Recognised {
    size_t right = 0, all = 0;
    bool swapped = false;
};

Recognised compare(const HumanoidMap& truth, const HumanoidMap& seen, const Skeleton& skeleton) {
    Recognised found;
    const std::vector<Role> roles = truth.roles(skeleton.size());
    for (size_t r = 0; r < role_count; ++r) {
        if (!is_core(r)) continue;
        if (truth.joint[r] >= 0) {
            ++found.all;
            found.right += seen.joint[r] == truth.joint[r];
        }
        if (seen.joint[r] < 0) continue;
        const std::string_view own = to_string(static_cast<Role>(r));
        const std::string_view other = to_string(roles[static_cast<size_t>(seen.joint[r])]);
        found.swapped |= (own.starts_with("left") && other.starts_with("right")) ||
                         (own.starts_with("right") && other.starts_with("left"));
    }
    return found;
}

// The mean distance of a body's joints in two clips, over its height. Where its way begins on the floor does not count:
// without a true rest pose no file says it.
double mean_distance(const Skeleton& body, const Clip& a, const Clip& b) {
    const HumanoidMap map = recognise_humanoid(body);
    const double height = rest_world(body)[static_cast<size_t>(map[Role::head])].translation().y();
    std::vector<Vec3d> apart;
    Vec3d start = Vec3d::Zero();
    for (int i = 1; i <= 20; ++i) {
        const float time = duration(a) * static_cast<float>(i) / 20.0f;
        const auto one = world_at(body, a, time), other = world_at(body, b, time);
        for (size_t r = 0; r < role_count; ++r) {
            if (!is_core(r) || map.joint[r] < 0) continue;
            const auto j = static_cast<size_t>(map.joint[r]);
            apart.push_back(one[j].translation() - other[j].translation());
            start += apart.back();
        }
    }
    start /= static_cast<double>(apart.size());
    start.y() = 0;
    double sum = 0;
    for (const Vec3d& d : apart) sum += (d - start).norm();
    return sum / static_cast<double>(apart.size()) / height;
}

// CMU's clips begin with a T-pose, which would make it easy.
Clip without_first_key(Clip clip) {
    for (Track& track : clip.tracks) {
        if (track.times.size() < 3) continue;
        track.times.pop_back();  // what was the second key comes first
        track.values.erase(track.values.begin(),
                           track.values.begin() + static_cast<std::ptrdiff_t>(track.values_per_key()));
    }
    return clip;
}

// Motions of people whose names and rest poses say all.
std::vector<std::pair<std::string, SeenMotion>> read_motions(const std::filesystem::path& data) {
    std::vector<std::filesystem::path> files;
    for (const char* folder :
         {"bvh-cmu", "bvh-other", "fbx", "ufbx-ref", "gltf-khronos", "gltf-other", "rigged-gt", "vrm", "asf-amc"})
        for (const auto& entry : std::filesystem::directory_iterator(data / folder)) files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<std::pair<std::string, SeenMotion>> motions;
    for (const auto& file : files) {
        const std::string type = file.extension().string();
        if (type != ".bvh" && type != ".fbx" && type != ".glb" && type != ".vrma" && type != ".amc") continue;
        const auto read = read_character(file);
        if (!read || read->clips.empty() || duration(read->clips[0]) < 0.5f) continue;
        SeenMotion motion{read->skeleton, read->clips[0]};
        std::erase_if(motion.clip.tracks, [](const Track& t) { return t.path == TrackPath::morphs; });
        const HumanoidMap map = recognise_humanoid(motion.skeleton);
        if (!map.is_body() || motion.clip.tracks.size() < 10) continue;
        if (see_moving_body(motion.skeleton, motion.clip).reference_time) continue;
        if (file.parent_path().filename() == "bvh-cmu") motion.clip = without_first_key(motion.clip);
        motions.emplace_back(file.filename().string(), std::move(motion));
    }
    return motions;
}

}  // namespace

TEST_CASE("see_moving_body: built-in motions in disguise, and what comes of them") {
    for (const char* name : {"walk", "run", "wave", "jump"}) {
        INFO(std::string(name));
        const auto made = builtin_motion(name);
        REQUIRE(made);
        const SeenMotion motion{made->skeleton, made->clip};
        const Skeleton& body = motion.skeleton;
        const HumanoidMap truth = recognise_humanoid(body);
        CHECK_FALSE(see_moving_body(body, motion.clip).reference_time);
        const auto plain = retarget(body, motion.clip, rerolled(body, 3));
        REQUIRE(plain);
        for (const Disguise& disguise : disguises) {
            INFO(std::string(disguise.title));
            const SeenMotion hidden = disguise.make(motion, 0.37f * duration(motion.clip));
            const MovingBody seen = see_moving_body(hidden.skeleton, hidden.clip);
            const Recognised found = compare(truth, seen.map, hidden.skeleton);
            CHECK_FALSE(found.swapped);
            CHECK(10 * found.right >= 9 * found.all);
            const auto result = retarget(hidden.skeleton, hidden.clip, rerolled(body, 3));
            REQUIRE(result);
            CHECK(mean_distance(rerolled(body, 3), plain->clip, result->clip) < 0.04);
            CHECK(result->reference_time == seen.reference_time);
        }
    }
}

TEST_CASE("see_moving_body: the mirror image of a motion whose bones lie along one axis") {
    const auto made = builtin_motion("wave");
    const SeenMotion motion{made->skeleton, made->clip}, hidden = nameless(along_x(motion));
    const Skeleton target = rerolled(made->skeleton, 5);
    const auto plain = retarget(motion.skeleton, motion.clip, target, {.mirror = true});
    const auto result = retarget(hidden.skeleton, hidden.clip, target, {.mirror = true});
    REQUIRE(plain);
    REQUIRE(result);
    CHECK(mean_distance(target, plain->clip, result->clip) < 0.04);
}

DATA_TEST_CASE("see_moving_body: motions of people in disguise") {
    const Skeleton body = builtin_motion("walk")->skeleton;
    Random random(14);
    size_t right = 0, all = 0;
    std::cout << fmt::format("{:<44}", "core roles right, distance of joints in % of height");
    for (const Disguise& disguise : disguises) std::cout << fmt::format("{:>20}", disguise.title);
    std::cout << "\n";
    for (const auto& [name, motion] : read_motions(data)) {
        INFO(name);
        const HumanoidMap truth = recognise_humanoid(motion.skeleton);
        const auto plain = retarget(motion.skeleton, motion.clip, body);
        REQUIRE(plain);
        const float time = duration(motion.clip) * static_cast<float>(random.uniform());
        std::cout << fmt::format("{:<44}", name);
        for (const Disguise& disguise : disguises) {
            INFO(std::string(disguise.title));
            const SeenMotion hidden = disguise.make(motion, time);
            const Recognised found = compare(truth, see_moving_body(hidden.skeleton, hidden.clip).map, hidden.skeleton);
            right += found.right;
            all += found.all;
            CHECK_FALSE(found.swapped);
            // Someone who neither stands nor sits up is not recognised without names: that is told, never guessed.
            if (found.right == 0) {
                std::cout << fmt::format("{:>20}", "not recognised");
                continue;
            }
            // A wrist may have two joints: which of them is the hand, only its name says.
            CHECK(found.right + 2 >= found.all);
            const auto result = retarget(hidden.skeleton, hidden.clip, body);
            CHECK(result);
            const double off = result ? mean_distance(body, plain->clip, result->clip) : 1.0;
            CHECK(off < 0.05);
            std::cout << fmt::format("{:>20}", fmt::format("{}{}/{} {:.1f}%", found.swapped ? "swapped " : "",
                                                           found.right, found.all, 100 * off));
        }
        std::cout << std::endl;
    }
    CHECK(100 * right >= 97 * all);
}
