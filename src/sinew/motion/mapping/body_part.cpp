#include <sinew/motion/mapping/body_part.h>

#include <sinew/core/closest.h>
#include <sinew/skeleton/creature.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

// `top` and everything below it, marked.
void mark_below(const Skeleton& skeleton, int32_t top, std::vector<char>& marked) {
    if (top < 0) return;
    std::vector<char> below(skeleton.size(), 0);
    below[static_cast<size_t>(top)] = 1;
    for (size_t j = static_cast<size_t>(top); j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0 && below[static_cast<size_t>(parent)]) below[j] = 1;
        if (below[j]) marked[j] = 1;
    }
}

Result<std::vector<char>> mark_half(const Skeleton& skeleton, bool upper) {
    const CreatureMap body = recognise_creature(skeleton);
    const bool halves =
        body.kind == CreatureKind::biped || body.kind == CreatureKind::bird || body.kind == CreatureKind::quadruped;
    if (!halves || body.spine.size() < 2)
        return fail(ErrorCode::unsupported,
                    "the character's upper and lower half cannot be told apart; name the joints that shall move");
    // What hangs on the spine above the hips, in the order from the hips.
    std::vector<char> above(skeleton.size(), 0);
    const bool hips_first = skeleton.parents()[static_cast<size_t>(body.spine[1])] == body.spine[0];
    if (hips_first)
        mark_below(skeleton, body.spine[1], above);
    else
        return fail(ErrorCode::unsupported,
                    "the character's hips hang below its chest; name the joints that shall move instead of a half");
    if (upper) return above;
    std::vector<char> lower(skeleton.size(), 0);
    mark_below(skeleton, body.root, lower);
    for (size_t j = 0; j < lower.size(); ++j) lower[j] = lower[j] && !above[j];
    return lower;
}

}  // namespace

Result<std::vector<int32_t>> find_part(const Skeleton& skeleton, std::string_view part) {
    std::vector<char> marked(skeleton.size(), 0);
    if (part == "upper" || part == "lower") {
        SINEW_TRY(marked, mark_half(skeleton, part == "upper"));
    } else {
        for (size_t at = 0; at <= part.size();) {
            const size_t comma = std::min(part.find(',', at), part.size());
            const std::string name(part.substr(at, comma - at));
            at = comma + 1;
            const int32_t joint = skeleton.find(name);
            if (joint < 0) {
                std::vector<std::string_view> known(skeleton.names().begin(), skeleton.names().end());
                known.insert(known.end(), {"upper", "lower"});
                return fail(ErrorCode::not_found, unknown_name("joint of the character", name, known));
            }
            mark_below(skeleton, joint, marked);
        }
    }
    std::vector<int32_t> joints;
    for (size_t j = 0; j < marked.size(); ++j)
        if (marked[j]) joints.push_back(static_cast<int32_t>(j));
    return joints;
}

void keep_only(const std::vector<int32_t>& joints, Clip& clip) {
    std::erase_if(clip.tracks, [&](const Track& track) {
        return track.path == TrackPath::morphs || !std::ranges::binary_search(joints, track.target);
    });
}

}  // namespace sinew
