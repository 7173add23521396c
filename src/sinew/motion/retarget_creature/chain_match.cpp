#include <sinew/motion/retarget_creature/chain_match.h>

#include <sinew/skeleton/pose.h>
#include <algorithm>

namespace sinew {
namespace {

using Positions = std::vector<AffineD>;

// Where each joint lies along its chain: 0 at the first, 1 at the last.
std::vector<double> shares(const Positions& world, std::span<const int32_t> chain) {
    std::vector<double> share(chain.size(), 0.0);
    for (size_t i = 1; i < chain.size(); ++i)
        share[i] = share[i - 1] + (world[static_cast<size_t>(chain[i])].translation() -
                                   world[static_cast<size_t>(chain[i - 1])].translation())
                                      .norm();
    const double total = share.empty() ? 0.0 : share.back();
    for (size_t i = 0; i < share.size(); ++i)
        share[i] = total > 0 ? share[i] / total : static_cast<double>(i) / std::max<double>(1, share.size() - 1.0);
    return share;
}

// Drives `target` by `source`; the two chains' first and last joints are the same places of the body.
void drive_span(const Positions& source_world, std::span<const int32_t> source, const Positions& target_world,
                std::span<const int32_t> target, std::vector<JointDrive>& drives) {
    if (source.empty() || target.empty()) return;
    if (source.size() == target.size()) {
        for (size_t i = 0; i < target.size(); ++i) drives.push_back({target[i], source[i], source[i], 0});
        return;
    }
    const std::vector<double> knots = shares(source_world, source), at = shares(target_world, target);
    for (size_t i = 0; i < target.size(); ++i) {
        size_t low = 0;
        while (low + 2 < knots.size() && knots[low + 1] <= at[i]) ++low;
        const size_t high = std::min(low + 1, knots.size() - 1);
        const double span = knots[high] - knots[low];
        const double blend = span > 0 ? std::clamp((at[i] - knots[low]) / span, 0.0, 1.0) : 0.0;
        drives.push_back({target[i], source[low], source[high], blend});
    }
}

struct Matcher {
    Positions source_world, target_world;
    std::vector<ChainMatch> matches;

    void chain(std::string part, const JointChain& source, const JointChain& target) {
        if (source.empty() || target.empty()) return;
        ChainMatch match{std::move(part), source, target, {}, false, false, 0, 0};
        drive_span(source_world, source, target_world, target, match.drives);
        matches.push_back(std::move(match));
    }

    // Necks lie between chest and head, which are matched by themselves.
    void neck(const CreatureMap& source, const CreatureMap& target) {
        if (target.neck.empty() || target.head.empty() || source.head.empty()) {
            chain("neck", source.neck, target.neck);
            return;
        }
        const auto with_ends = [](const CreatureMap& map) {
            JointChain all = {map.spine.back()};
            all.insert(all.end(), map.neck.begin(), map.neck.end());
            all.push_back(map.head.front());
            return all;
        };
        ChainMatch match{"neck", source.neck, target.neck, {}, false, false, 0, 0};
        drive_span(source_world, with_ends(source), target_world, with_ends(target), match.drives);
        match.drives.erase(match.drives.begin());
        match.drives.pop_back();
        matches.push_back(std::move(match));
    }

    void leg(std::string part, const CreatureLimb& source, const CreatureLimb& target) {
        const bool alike = source.joints.size() == target.joints.size() && source.foot == target.foot;
        const size_t from_s = alike ? 0 : source.socket, from_t = alike ? 0 : target.socket;
        ChainMatch match{std::move(part), {}, {}, {}, false, true, source.foot - from_s, target.foot - from_t};
        match.source.assign(source.joints.begin() + static_cast<std::ptrdiff_t>(from_s), source.joints.end());
        match.target.assign(target.joints.begin() + static_cast<std::ptrdiff_t>(from_t), target.joints.end());
        const std::span<const int32_t> s = match.source, t = match.target;
        drive_span(source_world, s.first(match.source_foot + 1), target_world, t.first(match.target_foot + 1),
                   match.drives);
        match.drives.pop_back();
        drive_span(source_world, s.subspan(match.source_foot), target_world, t.subspan(match.target_foot),
                   match.drives);
        matches.push_back(std::move(match));
    }
};

std::string limb_name(const CreatureLimb& limb, const char* what, size_t pair, size_t pairs) {
    std::string name = limb.side == Side::left ? "left " : "right ";
    if (pairs == 2) name += pair == 0 ? "front " : "hind ";
    return name + what;
}

}  // namespace

std::vector<ChainMatch> match_chains(const Skeleton& source_skeleton, const CreatureMap& source,
                                     const Skeleton& target_skeleton, const CreatureMap& target) {
    Matcher matcher{rest_world(source_skeleton), rest_world(target_skeleton), {}};
    matcher.chain("spine", source.spine, target.spine);
    matcher.neck(source, target);
    matcher.chain("head", source.head, target.head);
    matcher.chain("jaw", source.jaw, target.jaw);
    matcher.chain("tail", source.tail, target.tail);
    const auto limbs = [&](const char* what, const std::vector<CreatureLimb>& s, const std::vector<CreatureLimb>& t) {
        const size_t before = matcher.matches.size();
        for (size_t i = 0; i < std::min(s.size(), t.size()); ++i)
            matcher.chain(limb_name(t[i], what, i / 2, t.size() / 2), s[i].joints, t[i].joints);
        for (size_t i = before; i < matcher.matches.size(); ++i) matcher.matches[i].shaped = true;
    };
    if (source.legs.size() == target.legs.size())
        for (size_t i = 0; i < target.legs.size(); ++i)
            matcher.leg(limb_name(target.legs[i], "leg", i / 2, target.legs.size() / 2), source.legs[i],
                        target.legs[i]);
    limbs("arm", source.arms, target.arms);
    limbs("wing", source.wings, target.wings);
    limbs("fin", source.fins, target.fins);
    return matcher.matches;
}

}  // namespace sinew
