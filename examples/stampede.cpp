// Stampede: thousands of characters of one skeleton, each between a walk and a run of its own, every frame a palette
// for each.
//   stampede [COUNT]
#include <sinew/clip/runtime/crowd.h>
#include <sinew/sinew.h>

#include <cmath>
#include <cstdlib>

#include "example.h"

int main(int argc, char** argv) {
    const size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
    const std::vector<std::string> motions = {"walk", "run"};
    const sinew::Character hero = or_exit(sinew::animate(sinew::make_rigged_humanoid(), motions)).character;
    const sinew::Skin& skin = hero.skins.at(0);

    // Once: clips in the form made for play-back, nothing farther off than a millimetre.
    const sinew::CompiledClip walk = or_exit(sinew::compile_clip(hero.clips[0], hero.skeleton));
    const sinew::CompiledClip run = or_exit(sinew::compile_clip(hero.clips[1], hero.skeleton));
    const sinew::CompiledClip* const clips[] = {&walk, &run};
    const sinew::Crowd crowd(hero.skeleton, clips, skin.joints, skin.inverse_bind);
    std::printf("both clips keep their bound of %.0f mm: %s\n", 1000.0 * walk.bound(),
                std::max(walk.worst_error(), run.worst_error()) <= walk.bound() ? "yes" : "no");

    // Every frame: what each plays, as twelve bytes a clip. Walk and run are at the same phase, so that feet agree.
    std::vector<sinew::CrowdLayer> layers;
    for (size_t c = 0; c < count; ++c) {
        const float phase = std::fmod(0.137f * static_cast<float>(c), 1.0f);
        const float haste = static_cast<float>(c % 11) / 10.0f;
        layers.push_back({.clip = 0, .time = phase * walk.end(), .weight = 1.0f - haste});
        layers.push_back({.clip = 1, .time = phase * run.end(), .weight = haste});
    }
    std::vector<sinew::Affine> palettes(count * crowd.skin_size());
    crowd.palettes(layers, 2, palettes);
    std::printf("%zu characters of %zu joints: %.0f MB of palettes a frame\n", count, crowd.skin_size(),
                static_cast<double>(palettes.size() * sizeof(sinew::Affine)) / 1e6);
}
// Prints:
// both clips keep their bound of 1 mm: yes
// 10000 characters of 53 joints: 25 MB of palettes a frame
