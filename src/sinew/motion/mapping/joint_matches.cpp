#include <sinew/motion/mapping/joint_matches.h>

#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/skeleton/creature/creature_words.h>
#include <algorithm>

namespace sinew {
namespace {

bool tells(const std::string& name) {
    const CreaturePart part = parse_creature_name(name).part;
    return parse_joint_name(name).part != BodyPart::none ||
           (part != CreaturePart::none && part != CreaturePart::helper);
}

JointMatch match_of(const Skeleton& source, const Skeleton& target, int32_t from, int32_t to) {
    const std::string &a = source.names()[static_cast<size_t>(from)], &b = target.names()[static_cast<size_t>(to)];
    MatchedBy by = MatchedBy::structure;
    if (tells(a) && tells(b))
        by = MatchedBy::role;
    else if (!a.empty() && same_plain_name(a, b))
        by = MatchedBy::name;
    return {from, to, by};
}

}  // namespace

std::string_view to_string(MatchedBy by) {
    constexpr std::string_view names[] = {"role", "name", "structure", "map", "same rig"};
    return names[static_cast<size_t>(by)];
}

std::vector<JointMatch> list_matches(const Skeleton& source, const Skeleton& target, const std::vector<Drive>& drives) {
    std::vector<JointMatch> matches;
    for (const Drive& drive : drives)
        matches.push_back(match_of(source, target, drive.blend > 0.5 ? drive.source_b : drive.source_a, drive.target));
    return matches;
}

std::vector<JointMatch> list_matches(const Skeleton& source, const Skeleton& target,
                                     const std::vector<std::pair<int32_t, int32_t>>& pairs) {
    std::vector<JointMatch> matches;
    for (const auto& [from, to] : pairs) matches.push_back(match_of(source, target, from, to));
    std::ranges::stable_sort(matches, {}, &JointMatch::target);
    return matches;
}

}  // namespace sinew
