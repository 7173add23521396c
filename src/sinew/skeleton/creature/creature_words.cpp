#include <sinew/skeleton/creature/creature_words.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <vector>

namespace sinew {
namespace {

// "FrontLeg01_L" → front, leg, 01, l. Bytes above ASCII (umlauts) stay in their words.
std::vector<std::string> split_words(std::string_view name) {
    std::vector<std::string> words(1);
    unsigned char previous = 0;
    for (const char byte : name) {
        const auto c = static_cast<unsigned char>(byte);
        const bool letter = std::isalpha(c) || c >= 0x80, digit = std::isdigit(c) != 0;
        const bool edge = (std::isupper(c) && std::islower(previous)) || (digit != (std::isdigit(previous) != 0));
        if (!letter && !digit) {
            words.emplace_back();
        } else {
            if (edge) words.emplace_back();
            words.back() += static_cast<char>(std::tolower(c));
        }
        previous = c;
    }
    std::erase_if(words, [](const std::string& word) { return word.empty(); });
    return words;
}

struct CreatureWords {
    std::vector<std::string> all;
    std::string plain;

    // Whole words: short ones would turn up inside others.
    bool word(std::initializer_list<std::string_view> any) const {
        return std::ranges::any_of(any, [&](std::string_view w) { return std::ranges::find(all, w) != all.end(); });
    }
    bool part(std::initializer_list<std::string_view> any) const {
        return std::ranges::any_of(any, [&](std::string_view w) { return plain.find(w) != std::string::npos; });
    }
};

Side side_of(std::string_view name, CreatureWords& words) {
    const auto take = [&](std::initializer_list<std::string_view> any) {
        return std::erase_if(words.all, [&](const std::string& word) {
                   return std::ranges::find(any, std::string_view(word)) != any.end();
               }) > 0;
    };
    const bool left = take({"l", "left", "links", "lft", "linke", "linker", "linkes"});
    const bool right = take({"r", "right", "rechts", "rgt", "rechte", "rechter", "rechtes"});
    if (left != right) return left ? Side::left : Side::right;
    const Side run_together = parse_joint_name(name).side;  // "leftfrontleg", "lfoot"
    if (run_together == Side::none) return Side::none;
    for (std::string& word : words.all) {
        const std::string_view full = run_together == Side::left ? "left" : "right";
        if (const size_t at = word.find(full); at != std::string::npos) {
            word.erase(at, full.size());
            return run_together;
        }
    }
    for (std::string& word : words.all) {
        const char letter = run_together == Side::left ? 'l' : 'r';
        if (word.size() > 3 && (word.front() == letter || word.back() == letter)) {
            word.erase(word.front() == letter ? 0 : word.size() - 1, 1);
            break;
        }
    }
    return run_together;
}

bool is_helper(const CreatureWords& words) {
    return words.word({"ik", "fk", "pole", "ctrl", "ctl", "control", "controller", "target", "mch", "wgt", "vis",
                       "twist", "helper", "effector", "locator", "null", "driver", "pt"});
}

CreaturePart creature_limb_part(const CreatureWords& words) {
    if (words.part({"wing", "feather", "fluegel", "flügel", "plume", "pinion"})) return CreaturePart::wing;
    if (words.word({"fin", "fins", "flosse"}) || words.part({"flipper", "flosse", "pectoral", "dorsalfin", "fluke"}))
        return CreaturePart::fin;
    if (words.word(
            {"leg", "toe", "toes", "foot", "feet", "bein", "fuss", "huf", "knee", "paw", "paws", "hip", "ball"}) &&
        !words.part({"hips"}))
        return words.word({"hip"}) && !words.word({"leg"}) ? CreaturePart::trunk : CreaturePart::leg;
    if (words.part({"foreleg",    "frontleg",   "hindleg", "backleg",  "rearleg",  "thigh",     "shin",
                    "calf",       "femur",      "tibia",   "hock",     "fetlock",  "pastern",   "cannon",
                    "stifle",     "hoof",       "ankle",   "upleg",    "upperleg", "lowerleg",  "metatars",
                    "vorderbein", "hinterbein", "pfote",   "schenkel", "oberbein", "unterbein", "hoove",
                    "footl",      "legl",       "lleg",    "rleg",     "legr"}))
        return CreaturePart::leg;
    if (words.word({"arm", "hand", "elbow", "wrist"}) ||
        words.part({"forearm", "upperarm", "lowerarm", "clavicle", "finger", "thumb", "humerus", "shoulder", "scapula",
                    "collar", "radius"}))
        return CreaturePart::arm;
    return CreaturePart::none;
}

CreaturePart creature_trunk_part(const CreatureWords& words) {
    if (words.part({"jaw", "chin", "kiefer", "mandible", "mouthlower", "lowermouth", "lowerbeak"}) ||
        words.word({"mouth", "maul"}))
        return CreaturePart::jaw;
    if (words.word({"ear", "ears", "eye", "eyes", "lip", "ohr", "auge", "horn", "mane"}) ||
        words.part({"beak", "nose", "snout", "muzzle", "tongue", "antler", "eyelid", "whisker", "tooth", "teeth",
                    "schnauze", "schnabel", "zunge", "cheek", "crest", "nostril", "mouth", "brow"}))
        return CreaturePart::face;
    if (words.part({"tail", "schwanz", "schweif", "caudal"})) return CreaturePart::tail;
    if (words.part({"head", "kopf", "skull", "cranium"})) return CreaturePart::head;
    if (words.part({"neck", "hals", "cervical"})) return CreaturePart::neck;
    if (words.part({"spine", "chest", "pelvis", "hips", "thorax", "rib", "abdomen", "torso", "belly", "stomach",
                    "becken", "wirbel", "brust", "rumpf", "body", "waist", "lumbar"}) ||
        words.word({"back"}))
        return CreaturePart::trunk;
    return CreaturePart::none;
}

}  // namespace

CreatureName parse_creature_name(std::string_view name) {
    if (const size_t colon = name.find_last_of(":|"); colon != std::string_view::npos && colon + 1 < name.size())
        name.remove_prefix(colon + 1);
    CreatureName result;
    CreatureWords words{split_words(name), {}};
    result.side = side_of(name, words);
    for (const std::string& word : words.all) words.plain += word;
    result.plain = words.plain;
    if (is_helper(words)) {
        result.part = CreaturePart::helper;
        return result;
    }
    result.part = creature_limb_part(words);
    if (result.part == CreaturePart::none) result.part = creature_trunk_part(words);
    if (result.part == CreaturePart::leg || result.part == CreaturePart::arm || result.part == CreaturePart::fin) {
        if (words.word({"front", "fore"}) || words.part({"front", "foreleg", "forefoot", "vorder", "pectoral"}))
            result.place = LegPlace::front;
        if (words.word({"hind", "rear", "back"}) || words.part({"hind", "rear", "backleg", "hinter", "pelvicfin"}))
            result.place = LegPlace::hind;
    }
    return result;
}

bool names_a_fish(std::string_view name) {
    CreatureWords words{split_words(name), {}};
    for (const std::string& word : words.all) words.plain += word;
    if (words.part({"fishing", "fisher", "starfish", "jellyfish", "crayfish", "cuttlefish"})) return false;
    return words.part({"fish", "fisch", "shark", "whale", "dolphin", "delphin", "stingray"}) ||
           words.word({"orca", "koi", "carp", "tuna", "salmon", "trout", "pike", "ray", "manta", "hai", "wal"});
}

}  // namespace sinew
