// Creature words: what a joint's name says about an animal's body. Internal to creature.cpp.
// Data flow: Skeleton::names → *here* → creature.cpp, creature_pairs.h.
#pragma once

#include <sinew/skeleton/joint_name.h>
#include <string>
#include <string_view>

namespace sinew {

enum class CreaturePart : uint8_t { none, helper, trunk, neck, head, face, jaw, tail, leg, arm, wing, fin };
enum class LegPlace : uint8_t { none, front, hind };

struct CreatureName {
    CreaturePart part = CreaturePart::none;
    LegPlace place = LegPlace::none;
    Side side = Side::none;
    std::string plain;  // lower case, without side, namespace and punctuation: equal for the two joints of a pair
};

// Words are found anywhere in a name, so that "Vorderbein_links", "foreleg.L" and "FrontLeg01_l" are all front legs.
CreatureName parse_creature_name(std::string_view name);

// True for "Fish_Armature", "ClownFish", "whale01": what lives in water and swims with its tail. A fishing rod is none.
bool names_a_fish(std::string_view name);

}  // namespace sinew
