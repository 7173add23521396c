#include <sinew/pipeline/animate.h>

#include <sinew/core/closest.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/pipeline/bind_stance.h>
#include <sinew/pipeline/carry.h>
#include <sinew/skeleton/humanoid.h>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

namespace sinew {

Result<const Clip*> find_clip(const Character& character, std::string_view number_or_name) {
    const std::vector<Clip>& clips = character.clips;
    if (number_or_name.empty()) return clips.empty() ? nullptr : &clips.front();
    std::vector<std::string_view> names;
    for (const Clip& clip : clips) {
        if (clip.name == number_or_name) return &clip;
        names.push_back(clip.name);
    }
    size_t number = 0;
    const char* end = number_or_name.data() + number_or_name.size();
    if (const auto parsed = std::from_chars(number_or_name.data(), end, number);
        parsed.ec == std::errc{} && parsed.ptr == end) {
        if (number < clips.size()) return &clips[number];
        return fail(ErrorCode::not_found, fmt::format("has no clip {}; it has {}", number, clips.size()));
    }
    return fail(ErrorCode::not_found, unknown_name("clip", number_or_name, names));
}

Result<MotionSource> load_motion(const std::string& file_or_name, const std::string& clip, const Progress& progress) {
    if (file_or_name != "-" && !std::filesystem::exists(file_or_name) &&
        std::filesystem::path(file_or_name).extension().empty()) {
        SINEW_TRY(Motion motion, builtin_motion(file_or_name));
        return MotionSource{
            .skeleton = std::move(motion.skeleton), .clip = std::move(motion.clip), .stance = {}, .warnings = {}};
    }
    SINEW_TRY(Character file, read_character(file_or_name, {.progress = progress}));
    SINEW_TRY(const Clip* found, find_clip(file, clip));
    if (!found)
        return fail(ErrorCode::not_found,
                    "holds no motion; give a file with an animation, or a built-in one such as walk");
    MotionSource source{.skeleton = file.skeleton, .clip = *found, .stance = {}, .warnings = std::move(file.warnings)};
    if (const auto stance = bind_stance(file)) source.stance = stance->rest();
    if (source.clip.name.empty()) source.clip.name = std::filesystem::path(file_or_name).stem().string();
    return source;
}

Result<RetargetResult> add_motion(Character& character, const MotionSource& motion, const RetargetOptions& options) {
    // A motion of the very same rig is taken as it is; any other needs to know how the body stands.
    const bool same_rig = copy_to_twin(motion.skeleton, motion.clip, character.skeleton).has_value();
    const std::optional<Skeleton> stance = same_rig ? std::nullopt : bind_stance(character);
    const Skeleton& body = stance ? *stance : character.skeleton;
    RetargetOptions how = options;
    if (how.source_stance.empty()) how.source_stance = motion.stance;
    auto retargeted = retarget(motion.skeleton, motion.clip, body, how);
    if (!retargeted && character.skins.empty() && !recognise_humanoid(character.skeleton).is_body()) {
        return fail(ErrorCode::unsupported,
                    "cannot move a character that is not rigged; give one with a skeleton and a skin");
    }
    SINEW_TRY(RetargetResult result, std::move(retargeted));
    if (stance) hold_stance(character.skeleton, *stance, result.clip);
    if (!same_rig) carry_along(character, body, result.clip);
    result.clip.name = motion.clip.name;
    result.clip.source = -1;
    std::erase_if(character.clips, [&](const Clip& clip) { return clip.name == result.clip.name; });
    character.clips.insert(character.clips.begin(), result.clip);
    return result;
}

}  // namespace sinew
