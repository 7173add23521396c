#include <sinew/skeleton/humanoid/humanoid_limbs.h>
#include <algorithm>
#include <map>

namespace sinew {
namespace {

bool is_finger(BodyPart part) {
    return part >= BodyPart::thumb && part <= BodyPart::finger;
}

// Numbered fingers ("finger2-1", "Finger0"): the number tells which finger it is. Counting starts at 0 where there is a
// finger 0, else at 1; the first is the thumb.
BodyPart numbered_finger(int32_t number, int32_t lowest) {
    const int32_t place = number - std::clamp(lowest, 0, 1);
    if (place < 0 || place > 4) return BodyPart::none;
    return static_cast<BodyPart>(static_cast<int>(BodyPart::thumb) + place);
}

}  // namespace

void find_fingers(const BodyTree& tree, Side side, int32_t hand, HumanoidMap& map) {
    const auto counts = [&](int32_t j) {
        const JointName& name = tree.name(j);
        return is_finger(name.part) && !name.helper && (!name.metacarpal || name.part == BodyPart::thumb);
    };
    // A chain starts at each finger joint whose parent is not a joint of the same finger.
    std::map<int32_t, std::vector<int32_t>> chains;  // first joint → joints in order of depth
    std::vector<int32_t> first_of(tree.names.size(), -1);
    for (size_t i = static_cast<size_t>(hand) + 1; i < tree.names.size(); ++i) {
        const auto j = static_cast<int32_t>(i);
        if (!counts(j) || !is_ancestor_or_self(tree, hand, j)) continue;
        int32_t above = tree.parent(j);
        while (above != hand && !counts(above)) above = tree.parent(above);
        const bool continues = above != hand && tree.name(above).part == tree.name(j).part;
        first_of[i] = continues ? first_of[static_cast<size_t>(above)] : j;
        chains[first_of[i]].push_back(j);
    }
    int32_t lowest = 1;
    for (const auto& [first, chain] : chains)
        if (tree.name(first).part == BodyPart::finger && tree.name(first).numbers[0] == 0) lowest = 0;

    const auto base =
        static_cast<size_t>(side == Side::left ? Role::left_thumb_metacarpal : Role::right_thumb_metacarpal);
    for (const auto& [first, chain] : chains) {
        BodyPart part = tree.name(first).part;
        if (part == BodyPart::finger) part = numbered_finger(tree.name(first).numbers[0], lowest);
        if (part < BodyPart::thumb || part > BodyPart::little_finger) continue;
        const size_t role = base + 3 * (static_cast<size_t>(part) - static_cast<size_t>(BodyPart::thumb));
        if (map.joint[role] >= 0) continue;
        for (size_t k = 0; k < std::min<size_t>(3, chain.size()); ++k) map.joint[role + k] = chain[k];
    }
}

}  // namespace sinew
