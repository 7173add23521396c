#include <sinew/skeleton/humanoid/european_names.h>
#include <sinew/skeleton/humanoid/japanese_names.h>
#include <sinew/skeleton/joint_name.h>
#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <vector>

namespace sinew {
namespace {

// Every word that the parser knows; anything else in a name is noise. The grouping is only for readers.
constexpr std::string_view vocabulary[] = {
    "left",       "right",    "l",        "r",       "up",         "upper",   "low",      "lower",        "lo",
    "fore",       "in",       "hip",      "hips",    "pelvis",     "spine",   "torso",    "back",         "waist",
    "abdomen",    "chest",    "thorax",   "ribcage", "neck",       "head",    "eye",      "jaw",          "joint",
    "leg",        "thigh",    "femur",    "knee",    "shin",       "calf",    "tibia",    "ankle",        "foot",
    "feet",       "heel",     "toe",      "toes",    "ball",       "base",    "clavicle", "collar",       "collarbone",
    "scapula",    "shoulder", "shldr",    "arm",     "humerus",    "bicep",   "elbow",    "radius",       "ulna",
    "wrist",      "hand",     "palm",     "thumb",   "index",      "middle",  "mid",      "ring",         "little",
    "pinky",      "pinkie",   "finger",   "fingers", "metacarpal", "carpal",  "proximal", "intermediate", "distal",
    "ik",         "fk",       "pole",     "ctrl",    "ctl",        "control", "target",   "twist",        "roll",
    "tip",        "end",      "leaf",     "nub",     "site",       "top",     "helper",   "slot",         "socket",
    "attach",     "weapon",   "effector", "locator", "mch",        "wgt",     "vis",      "prop",         "null",
    "hair",       "skirt",    "breast",   "bust",    "boob",       "cloth",   "cape",     "tail",         "ear",
    "tongue",     "teeth",    "brow",     "lid",     "lip",        "cheek",   "nose",     "sec",          "adj",
    "corrective", "muscle",   "share",    "half",    "stretch",    "tweak",   "pad",      "pouch",        "front",
    "hind",       "rear",     "wing",     "feather", "fin",        "flipper", "paw",      "hoof",         "beak",
    "tentacle",   "big",      "def",      "org",     "mesh",       "geo",     "lower",    "bone",         "bend",
    "rig",        "digit",    "platform", "jnt",     "bnd",        "extra"};

constexpr std::string_view helper_words[] = {
    "ik",       "fk",      "pole",  "ctrl", "ctl",     "control",    "target", "twist",  "roll",   "tip",
    "end",      "leaf",    "nub",   "site", "top",     "helper",     "slot",   "socket", "attach", "weapon",
    "effector", "locator", "mch",   "wgt",  "vis",     "prop",       "null",   "hair",   "skirt",  "breast",
    "bust",     "boob",    "cloth", "cape", "tail",    "ear",        "tongue", "teeth",  "brow",   "lid",
    "lip",      "cheek",   "nose",  "sec",  "adj",     "corrective", "muscle", "share",  "half",   "platform",
    "tweak",    "pad",     "pouch", "heel", "scapula", "mesh",       "geo",    "extra"};

bool is_word(std::string_view text) {
    return std::ranges::find(vocabulary, text) != std::end(vocabulary);
}

// "LHipJoint_01" → L, Hip, Joint, 01. The last of several capitals belongs to the lower-case letters after it.
std::vector<std::string> split(std::string_view name) {
    std::vector<std::string> tokens;
    std::string current;
    auto flush = [&] {
        if (!current.empty()) tokens.push_back(std::move(current));
        current.clear();
    };
    auto at = [&](size_t i) { return i < name.size() ? static_cast<unsigned char>(name[i]) : 0; };
    for (size_t i = 0; i < name.size(); ++i) {
        const int c = at(i), previous = i > 0 ? at(i - 1) : 0, next = at(i + 1);
        if (!std::isalnum(c)) {
            flush();
            continue;
        }
        const bool digit_edge = (std::isdigit(c) != 0) != (std::isdigit(previous) != 0);
        const bool camel_edge =
            std::isupper(c) && (std::islower(previous) || (std::isupper(previous) && std::islower(next)));
        if (digit_edge || camel_edge) flush();
        current.push_back(static_cast<char>(std::tolower(c)));
    }
    flush();
    return tokens;
}

// Splits a token into the fewest known words ("leftupleg" → left up leg). Single letters count only as the first or
// last word. Unknown text stays whole.
std::vector<std::string> segment(const std::string& token) {
    if (is_word(token) || token.size() > 40) return {token};
    const size_t n = token.size();
    std::vector<int> count(n + 1, 1000), from(n + 1, -1);
    count[0] = 0;
    for (size_t end = 1; end <= n; ++end) {
        for (size_t start = end > 12 ? end - 12 : 0; start < end; ++start) {
            if (count[start] >= 1000 || !is_word(std::string_view(token).substr(start, end - start))) continue;
            if (end - start == 1 && start != 0 && end != n) continue;
            if (count[start] + 1 < count[end]) {
                count[end] = count[start] + 1;
                from[end] = static_cast<int>(start);
            }
        }
    }
    if (count[n] >= 1000) return {token};
    std::vector<std::string> words;
    for (size_t end = n; end > 0; end = static_cast<size_t>(from[end])) {
        words.insert(words.begin(), token.substr(static_cast<size_t>(from[end]), end - static_cast<size_t>(from[end])));
    }
    return words;
}

struct Words {
    std::vector<std::string> all;
    bool has(std::string_view word) const { return std::ranges::find(all, word) != all.end(); }
    bool any(std::initializer_list<std::string_view> words) const {
        return std::ranges::any_of(words, [&](std::string_view word) { return has(word); });
    }
};

BodyPart finger_part(const Words& words) {
    if (words.has("thumb")) return BodyPart::thumb;
    if (words.has("index")) return BodyPart::index_finger;
    if (words.any({"middle", "mid"}) && !words.any({"spine", "torso", "back", "tail", "neck"}))
        return BodyPart::middle_finger;
    if (words.has("ring")) return BodyPart::ring_finger;
    if (words.any({"pinky", "pinkie", "little"})) return BodyPart::little_finger;
    if (words.any({"finger", "fingers", "digit"})) return BodyPart::finger;
    return BodyPart::none;
}

BodyPart leg_part(const Words& words, Side side) {
    const bool up = words.any({"up", "upper"}), low = words.any({"low", "lower", "lo"});
    if (words.any({"toe", "toes", "ball"})) return BodyPart::toes;
    if (words.any({"foot", "feet"})) return BodyPart::foot;
    if (words.has("ankle")) return BodyPart::ankle;
    if (words.any({"thigh", "femur"})) return BodyPart::upper_leg;
    if (words.any({"shin", "calf", "tibia"})) return BodyPart::lower_leg;
    if (words.has("knee")) return BodyPart::knee;
    if (words.has("leg")) return up ? BodyPart::upper_leg : low ? BodyPart::lower_leg : BodyPart::leg;
    if (side != Side::none && words.any({"hip", "hips", "pelvis"})) return BodyPart::hip_socket;
    return BodyPart::none;
}

BodyPart arm_part(const Words& words) {
    const bool up = words.any({"up", "upper"}), low = words.any({"low", "lower", "lo", "fore"});
    if (words.any({"hand", "palm"})) return BodyPart::hand;
    if (words.has("wrist")) return BodyPart::wrist;
    if (words.any({"humerus", "bicep"})) return BodyPart::upper_arm;
    if (words.any({"radius", "ulna"})) return BodyPart::lower_arm;
    if (words.has("elbow")) return BodyPart::elbow;
    if (words.any({"clavicle", "collar", "collarbone"})) return BodyPart::clavicle;
    if (words.has("arm")) return up ? BodyPart::upper_arm : low ? BodyPart::lower_arm : BodyPart::arm;
    if (words.any({"shoulder", "shldr"})) return BodyPart::shoulder;
    return BodyPart::none;
}

BodyPart trunk_part(const Words& words) {
    if (words.has("eye")) return BodyPart::eye;
    if (words.has("jaw")) return BodyPart::jaw;
    if (words.has("head")) return BodyPart::head;
    if (words.has("neck")) return BodyPart::neck;
    if (words.any({"chest", "thorax", "ribcage"})) return BodyPart::chest;
    if (words.any({"spine", "torso", "back", "waist", "abdomen"})) return BodyPart::spine;
    if (words.any({"hip", "hips", "pelvis"})) return BodyPart::hips;
    return BodyPart::none;
}

Words read_words(std::string_view name, std::array<int32_t, 2>& numbers) {
    // A namespace ends at the last colon or bar: "mixamorig:Hips", "group|Hips".
    if (const size_t colon = name.find_last_of(":|"); colon != std::string_view::npos && colon + 1 < name.size())
        name.remove_prefix(colon + 1);
    Words words;
    size_t number = 0;
    bool said_something = false;  // numbers before the first known word belong to a prefix: "Bip01"
    for (const std::string& token : split(name)) {
        if (std::isdigit(static_cast<unsigned char>(token[0]))) {
            if (said_something && number < 2) numbers[number++] = static_cast<int32_t>(std::stol(token.substr(0, 8)));
            continue;
        }
        for (std::string& word : segment(token)) {
            said_something |= word.size() > 1 && is_word(word);
            words.all.push_back(std::move(word));
        }
    }
    return words;
}

}  // namespace

JointName parse_joint_name(std::string_view name) {
    JointName result;
    const std::string english = from_european(from_japanese(name));
    name = english;
    const Words words = read_words(name, result.numbers);
    const bool left = words.any({"left", "l"}), right = words.any({"right", "r"});
    if (left != right) result.side = left ? Side::left : Side::right;
    result.deform = words.has("def");
    result.helper = std::ranges::any_of(helper_words, [&](std::string_view word) { return words.has(word); });
    result.helper |= name.starts_with("__");  // MakeHuman: "__Clavicle_L" places "Clavicle_L"
    // Rigify numbers its palms, one per finger; CAT's one palm is the hand.
    const bool one_of_palms = words.has("palm") && (result.numbers[0] >= 0 || finger_part(words) != BodyPart::none);
    result.metacarpal = words.any({"metacarpal", "carpal"}) || one_of_palms || (words.has("in") && words.has("hand"));
    result.animal_leg =
        words.any({"front", "fore", "hind", "rear", "back"}) && words.any({"leg", "foot", "thigh", "toe"});
    result.animal_limb = words.any({"wing", "feather", "fin", "flipper", "paw", "hoof", "beak"});
    if (result.animal_leg || result.animal_limb) return result;

    result.part = finger_part(words);
    if (result.part != BodyPart::none && words.any({"toe", "toes", "foot", "leg"})) result.part = BodyPart::toes;
    if (words.has("digit") && result.numbers[0] > 10)  // CAT: finger 1, joint 2 is "Digit12"
        result.numbers = {result.numbers[0] / 10, result.numbers[0] % 10};
    if (result.part == BodyPart::none) result.part = leg_part(words, result.side);
    if (result.part == BodyPart::none) result.part = arm_part(words);
    if (result.part == BodyPart::none) result.part = trunk_part(words);
    return result;
}

}  // namespace sinew
