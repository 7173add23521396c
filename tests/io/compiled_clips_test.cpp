// Compiled clips of real files: the bound holds at keys and between them, by the kernel that plays them.
#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/compiled_clip.h>
#include <sinew/clip/compiled/shell_error.h>
#include <sinew/io/read.h>
#include <sinew/skeleton/pose.h>
#include <support/data_case.h>
#include <set>

using namespace sinew;

namespace {

// A thousandth of a body of 1.7 m, in the file's own units.
double millimetre_of(const Skeleton& skeleton) {
    Box box;
    for (const AffineD& m : rest_world(skeleton)) box.add(Vec3(m.translation().cast<float>()));
    const double size = box.size().maxCoeff();
    return size > 0.0 ? size / 1700.0 : 1e-3;
}

double worst_of(const Clip& clip, const CompiledClip& compiled, const Skeleton& skeleton, const Pose& rest) {
    std::set<float> keys;
    for (const Track& track : clip.tracks) keys.insert(track.times.begin(), track.times.end());
    Pose wanted = rest, got = rest;
    std::vector<AffineD> model(skeleton.size()), decoded(skeleton.size());
    double worst = 0.0;
    float before = *keys.begin();
    for (const float key : keys) {
        for (const float part : {0.29f, 0.58f, 1.0f}) {
            const float time = before + part * (key - before);
            sample(clip, time, wanted);
            sample(compiled, time, got);
            local_to_world(skeleton.parents(), wanted.local, model);
            local_to_world(skeleton.parents(), got.local, decoded);
            for (size_t j = 0; j < model.size(); ++j)
                worst = std::max(worst, shell_error(model[j], decoded[j], compiled.shell()));
            for (size_t m = 0; m < wanted.morphs.size(); ++m)
                CHECK(std::abs(wanted.morphs[m] - got.morphs[m]) <= 1e-3f);
        }
        before = key;
    }
    return worst;
}

}  // namespace

DATA_TEST_CASE("compiled clips: bounds of 0.1, 1 and 10 mm hold on motion capture and on clips that people made") {
    for (const char* file : {"bvh-cmu/02_01.bvh", "bvh-cmu/09_06.bvh", "bvh-cmu/88_06.bvh", "gltf-khronos/Fox.glb",
                             "gltf-khronos/CesiumMan.glb", "gltf-khronos/AnimatedMorphCube.glb",
                             "gltf-khronos/BoxAnimated.glb", "rigged-gt/m2m_shark-animations.glb"}) {
        CAPTURE(file);
        const auto character = read_character(data / file);
        REQUIRE(character);
        const double mm = millimetre_of(character->skeleton);
        const Pose rest{.local = character->skeleton.rest(), .morphs = std::vector<float>(morph_count(*character))};
        for (const Clip& clip : character->clips)
            for (const double bound : {0.1 * mm, mm, 10 * mm}) {
                CAPTURE(clip.name);
                CAPTURE(bound / mm);
                const auto compiled =
                    compile_clip(clip, character->skeleton, rest.morphs.size(), {.bound = bound, .shell = 100 * mm});
                REQUIRE(compiled);
                CHECK(compiled->worst_error() <= bound);
                CHECK(worst_of(clip, *compiled, character->skeleton, rest) <= bound);
            }
    }
}

// His joints for IK move by translation alone, beside a body that turns: each must be blamed for its own error only.
DATA_TEST_CASE("compiled clips: a body with props is fitted whole, without keys that are kept as they are") {
    const auto character = read_character(data / "rigged-gt/kaykit_Knight.glb");
    REQUIRE(character);
    const double mm = millimetre_of(character->skeleton);
    int found = 0;
    for (const Clip& clip : character->clips) {
        if (clip.name != "Sit_Chair_Down" && clip.name != "Death_B") continue;
        CAPTURE(clip.name);
        ++found;
        const auto compiled =
            compile_clip(clip, character->skeleton, morph_count(*character), {.bound = mm, .shell = 100 * mm});
        REQUIRE(compiled);
        CHECK(compiled->raw_tracks().empty());
        CHECK(compiled->segments().size() <= 3);
    }
    CHECK(found == 2);
}
