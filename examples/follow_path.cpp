// Follow a path: a character that chooses its own frames. A path is drawn, motion matching follows it.
//   follow_path [MOTION.bvh …]      without files: the built-in walk and run
#include <sinew/sets/match/motion_matching.h>
#include <sinew/sinew.h>

#include <cmath>

#include "example.h"

int main(int argc, char** argv) {
    sinew::Skeleton skeleton = sinew::humanoid_reference_skeleton();
    std::vector<sinew::Clip> clips;
    if (argc > 1) {
        sinew::Character body;
        for (int i = 1; i < argc; ++i) {
            const sinew::MotionSource source = or_exit(sinew::load_motion(argv[i]));
            if (i == 1) body.skeleton = skeleton = source.skeleton;
            clips.push_back(or_exit(sinew::retarget(source, body)).clip);
        }
    } else {
        // Ten rounds of each: a frame is of use where a second follows it.
        for (const char* name : {"walk", "run"}) {
            sinew::Clip clip = or_exit(sinew::builtin_motion(name)).clip;
            const float length = sinew::duration(clip);
            for (sinew::Track& track : clip.tracks) {
                const size_t keys = track.times.size(), width = static_cast<size_t>(track.width);
                const bool travels = track.path == sinew::TrackPath::translation;
                for (int round = 1; round < 10 && keys > 1; ++round)
                    for (size_t k = 1; k < keys; ++k) {
                        track.times.push_back(track.times[k] + length * static_cast<float>(round));
                        for (size_t c = 0; c < width; ++c) {
                            const float way =
                                travels && c != 1 ? track.values[(keys - 1) * width + c] - track.values[c] : 0.0f;
                            track.values.push_back(track.values[k * width + c] + static_cast<float>(round) * way);
                        }
                    }
            }
            clips.push_back(std::move(clip));
        }
    }
    const sinew::MotionMatcher matcher = or_exit(sinew::MotionMatcher::create(skeleton, clips));

    // The path: a circle of six metres' radius that begins at the origin and leads ahead.
    const float radius = 6.0f, speed = 1.3f;
    const auto at = [&](float along) {
        return sinew::Vec2(radius - radius * std::cos(along / radius), radius * std::sin(along / radius));
    };
    sinew::MatchState state = matcher.start();
    sinew::Pose pose;
    float along = 0.0f, worst = 0.0f;
    for (int frame = 0; frame < 30 * 30; ++frame) {
        const sinew::Vec2 here(state.x, state.z);
        while ((at(along + 0.02f) - here).norm() < (at(along) - here).norm()) along += 0.02f;
        worst = std::max(worst, (at(along) - here).norm());
        sinew::MatchGoal goal;
        for (int k = 0; k < 3; ++k)
            goal.ahead[static_cast<size_t>(k)] = at(along + speed * static_cast<float>(k + 1) / 3.0f);
        matcher.advance(goal, state, pose);
    }
    std::printf("within half a metre of the path: %s\n", worst < 0.5f ? "yes" : "no");
    std::printf("a character's state fits into a kilobyte: %s\n", state.bytes() <= 1024 ? "yes" : "no");
}
// Prints:
// within half a metre of the path: yes
// a character's state fits into a kilobyte: yes
