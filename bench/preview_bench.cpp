// What a preview costs: processor time per frame of a moving picture of 480×480, all threads together, as a multiple of
// the work that it shows, which is deforming the character once per frame and encoding the pictures.
#include <sinew/character/character_deformer.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/pipeline/bake.h>
#include <sinew/render/preview.h>
#include <sinew/sample/sample.h>
#include <support/places.h>
#include <ctime>

#include "support.h"

namespace {

using namespace sinew;

constexpr int32_t side = 480;
constexpr float fps = 24.0f;
constexpr int rounds = 3;  // the least of these counts

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double least_seconds(const Work& work) {
    double best = 1e300;
    for (int i = 0; i < rounds; ++i) {
        const double start = processor_seconds();
        work();
        best = std::min(best, processor_seconds() - start);
    }
    return best;
}

void measure(const std::string& name, const Character& character, const Clip& clip, bench::Table& table) {
    PreviewOptions options{.width = side, .height = side, .samples = 3, .clip = &clip, .times = loop_times(clip, fps)};
    const auto frames = static_cast<double>(options.times.size());
    std::vector<Picture> pictures;
    const double draw = least_seconds([&] { pictures = render_preview(character, options).value(); });
    const double encode = least_seconds([&] { (void)encode_pictures(pictures, fps, "webp").value(); });
    CharacterDeformer deformer(character, {.surface_normals = true});
    std::vector<DeformedPrimitive> deformed;
    const double deform = least_seconds([&] {
        for (float time : options.times) deformer.deform(pose_at(character, &clip, time), deformed);
    });
    table.add(name + ", drawing", 1e3 * draw / frames, "ms");
    table.add(name + ", deforming", 1e3 * deform / frames, "ms");
    table.add(name + ", encoding as WebP", 1e3 * encode / frames, "ms");
    table.add(name + ", all / deforming and encoding", (draw + encode) / (deform + encode), "x");
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    Character sample = make_rigged_humanoid();
    const Motion walk = builtin_motion("walk").value();
    const auto clip = retarget(walk.skeleton, walk.clip, sample.skeleton);
    if (clip) measure("sample", sample, clip->clip, table);
    const auto knight = read_character(test::data_folder() / "rigged-gt/kaykit_Knight.glb");
    if (knight)
        for (const Clip& motion : knight->clips)
            if (motion.name == "Walking_A") measure("Knight", *knight, motion, table);
    return table.finish(argc, argv);
}
