// Playing clips: sampling compiled ones beside the plain clip, blending, forward kinematics in batches of eight, and
// the stampede: 10,000 characters, each two clips, blended, down the tree, to its palette. script/bench clip [--json
// FILE]
#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/compiled_clip.h>
#include <sinew/clip/runtime/blend.h>
#include <sinew/clip/runtime/crowd.h>
#include <sinew/clip/runtime/kernels/crowd_kernel.h>
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/pipeline/animate.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <ctime>
#include <numeric>

#include "support.h"

namespace {

using namespace sinew;

constexpr size_t stampede_size = 10000;
constexpr size_t times_each = 256;
constexpr int batches = 200;

std::vector<float> times_of(float end, bool shuffled) {
    Random random(1);
    std::vector<float> times;
    for (size_t i = 0; i < times_each; ++i)
        times.push_back(end * static_cast<float>(shuffled ? random.uniform() : static_cast<double>(i) / times_each));
    return times;
}

// Eight characters' local transforms as the crowd kernel has them, and one after another.
struct EightPoses {
    std::vector<float> buffer;
    std::vector<uint8_t> placed;
    std::vector<Pose> poses;
    CrowdJob job;

    EightPoses(const Skeleton& skeleton, const CompiledClip& clip)
        : buffer(skeleton.size() * (2 * joint_floats + model_floats) + 16),
          placed(skeleton.size(), 1),
          poses(crowd_lanes, Pose{.local = skeleton.rest(), .morphs = std::vector<float>(clip.float_count())}) {
        auto* rotations = reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(buffer.data()) + 63) / 64 * 64);
        float* translations = rotations + skeleton.size() * joint_floats;
        for (size_t c = 0; c < crowd_lanes; ++c) {
            sample(clip, clip.end() * static_cast<float>(c) / 8.0f, poses[c]);
            for (size_t j = 0; j < skeleton.size(); ++j) {
                const size_t at = j * joint_floats + 4 * place_of(c);
                std::memcpy(rotations + at, poses[c].local[j].rotation.coeffs().data(), 16);
                std::memcpy(translations + at, poses[c].local[j].translation.data(), 12);
            }
        }
        job.parents = skeleton.parents(), job.rest = skeleton.rest(), job.placed = placed;
        job.rotations[0] = rotations, job.translations[0] = translations;
        job.model = translations + skeleton.size() * joint_floats;
        std::fill_n(job.weights[0], crowd_lanes, 1.0f);
    }
};

std::vector<CrowdLayer> layers_for(size_t characters, const CompiledClip& a, const CompiledClip& b) {
    Random random(2);
    std::vector<CrowdLayer> layers;
    for (size_t c = 0; c < characters; ++c) {
        const auto weight = static_cast<float>(random.uniform(0.05, 0.95));
        layers.push_back({.clip = 0, .time = a.end() * static_cast<float>(random.uniform()), .weight = weight});
        layers.push_back({.clip = 1, .time = b.end() * static_cast<float>(random.uniform()), .weight = 1.0f - weight});
    }
    return layers;
}

}  // namespace

int main(int argc, char** argv) {
    Character character = make_rigged_humanoid();
    for (const char* name : {"walk", "run"}) {
        const auto motion = load_motion(name);
        if (!motion || !add_motion(character, *motion)) return std::fprintf(stderr, "no motion for the sample\n"), 1;
    }
    const Skeleton& skeleton = character.skeleton;
    const Clip *walk = &character.clips[0], *run = &character.clips[1];
    const auto a = compile_clip(*walk, skeleton, morph_count(character)),
               b = compile_clip(*run, skeleton, morph_count(character));
    if (!a || !b) return std::fprintf(stderr, "cannot compile the motions\n"), 1;
    const auto joints = static_cast<double>(skeleton.size());
    set_thread_count(1);
    bench::Table table;
    Pose pose{.local = skeleton.rest(), .morphs = std::vector<float>(morph_count(character))}, other = pose,
                                                                                               mixed = pose;
    const Pose rest = pose;

    const std::vector<float> forward = times_of(a->end(), false), random = times_of(a->end(), true);
    const auto each = [&](const std::vector<float>& times, const auto& work) {
        return [&, work] {
            for (const float t : times) work(t);
        };
    };
    const std::vector<double> sampled = bench::race(
        1.0, {each(forward, [&](float t) { sample(*a, t, pose); }), each(random, [&](float t) { sample(*a, t, pose); }),
              each(forward, [&](float t) { sample(*walk, t, pose); }),
              each(random, [&](float t) { sample(*walk, t, pose); })});
    const auto ns = [&](double seconds) { return seconds * 1e9 / times_each / joints; };
    table.add(fmt::format("sample, forward, {} joints", skeleton.size()), ns(sampled[0]), "ns", 3.5);
    table.add("sample, random times", ns(sampled[1]), "ns", 3.5);
    table.add("random times to forward", sampled[1] / sampled[0], "x", 1.2);
    table.add("plain clip to compiled, forward", sampled[2] / sampled[0], "x", 4.0);
    table.add("plain clip to compiled, random", sampled[3] / sampled[1], "x", 4.0);
    table.add("state an instance and clip", sizeof(CrowdLayer), "B", 32.0);

    // One by one in three passes (sample, sample, blend) and forward kinematics, beside the crowd's fused pass.
    EightPoses eight(skeleton, *a);
    std::vector<AffineD> world(skeleton.size());
    const std::vector<double> tree = bench::race(0.5, {[&] {
                                                           for (const Pose& p : eight.poses)
                                                               local_to_world(skeleton.parents(), p.local, world);
                                                       },
                                                       [&] { crowd_kernel(eight.job); }});
    table.add("local to model, one by one", tree[0] * 1e9 / 8 / joints, "ns");
    table.add("local to model, eight at once", tree[1] * 1e9 / 8 / joints, "ns");
    table.add("one by one to eight at once", tree[0] / tree[1], "x", 3.0);

    std::vector<int32_t> skin(skeleton.size());
    std::iota(skin.begin(), skin.end(), 0);
    const std::vector<Affine> bind(skin.size(), Affine::Identity());
    const std::vector<const CompiledClip*> clips = {&*a, &*b};
    const Crowd crowd(skeleton, clips, skin, bind);
    const std::vector<CrowdLayer> few = layers_for(64, *a, *b), many = layers_for(stampede_size, *a, *b);
    std::vector<Affine> few_palettes(64 * skin.size()), palettes(stampede_size * skin.size());
    // By the processor's time: a frame of 10,000 is so long that other programs always come between.
    const auto processor_seconds = [](int runs, const auto& work) {
        double best = 1e300;
        for (int i = 0; i < runs; ++i) {
            const std::clock_t before = std::clock();
            work();
            best = std::min(best, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        }
        return best;
    };
    const double eight_seconds = processor_seconds(20, [&] {
        for (int i = 0; i < batches; ++i)
            crowd.palettes(std::span(few).first(16), 2, std::span(few_palettes).first(8 * skin.size()));
    });
    const double many_seconds = processor_seconds(20, [&] { crowd.palettes(many, 2, palettes); });
    const double passes_seconds = processor_seconds(20, [&] {
        for (size_t c = 0; c < stampede_size; ++c) {
            const CrowdLayer *first = &many[2 * c], *second = first + 1;
            sample(*a, first->time, pose), sample(*b, second->time, other);
            const BlendLayer both[] = {{.pose = &pose, .weight = first->weight},
                                       {.pose = &other, .weight = second->weight}};
            blend_poses(both, rest, mixed);
            local_to_world(skeleton.parents(), mixed.local, world);
            for (size_t s = 0; s < skin.size(); ++s)
                palettes[c * skin.size() + s] = Affine(world[s].cast<float>()) * bind[s];
        }
    });
    const double batch = eight_seconds * 1e9 / 8 / batches / joints, all = many_seconds * 1e9 / stampede_size / joints;
    table.add("two samples, blend, model, palette: a batch of eight", batch, "ns");
    table.add("the same for 10,000 characters", all, "ns", 10.0);
    table.add("10,000 characters to a batch of eight, per joint", all / batch, "x", 1.25);
    table.add("in passes, one by one, to the same fused", passes_seconds / many_seconds, "x", 2.0);
    set_thread_count(0);
    const double frame = bench::best_seconds(5, [&] { crowd.palettes(many, 2, palettes); });
    table.add(fmt::format("stampede: a frame of 10,000 characters, {} threads", thread_count()), frame * 1e3, "ms");
    return table.finish(argc, argv);
}
