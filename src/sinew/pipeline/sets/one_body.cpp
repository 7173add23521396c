#include <sinew/pipeline/sets/one_body.h>

#include <sinew/pipeline/job/file_job.h>

namespace sinew {
namespace {

bool is_same_body(const MotionSource& source, const Skeleton& skeleton) {
    return !source.builtin && source.skeleton.parents() == skeleton.parents() &&
           source.skeleton.names() == skeleton.names() && source.skeleton.rest() == skeleton.rest();
}

}  // namespace

Result<OneBody> gather_motions(const std::vector<std::string>& motions, const std::filesystem::path& onto,
                               const Listener& listener, std::vector<std::string>& warnings) {
    SINEW_TRY(const std::vector<MotionSource> sources, load_motions(motions, {}, listener.progress));
    OneBody one;
    if (onto.empty()) {
        one.character.skeleton = sources.front().skeleton;
        one.character.name = sources.front().name;
    } else {
        SINEW_TRY(one.character, read_input(onto, listener));
    }
    for (const MotionSource& source : sources) {
        Clip clip = source.clip;
        if (!is_same_body(source, one.character.skeleton)) {
            auto moved = retarget(source, one.character);
            if (!moved) {
                warn(listener, source.name, {to_string(moved.error()) + "; left out"}, warnings);
                continue;
            }
            clip = std::move(moved->clip);
        }
        std::erase_if(clip.tracks, [](const Track& track) { return track.path == TrackPath::morphs; });
        clip.source = -1;
        one.clips.push_back(std::move(clip));
        one.motions.push_back(source.name);
    }
    if (one.clips.empty()) return fail(ErrorCode::not_found, "none of the motions fits the body; give others");
    return one;
}

}  // namespace sinew
