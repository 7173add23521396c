#include <sinew/edit/controls/face.h>
#include <algorithm>
#include <array>
#include <cctype>

namespace sinew {
namespace {

// ARKit's blend shape locations.
constexpr std::array<std::string_view, 52> arkit_names = {
    "eyeBlinkLeft",      "eyeLookDownLeft",    "eyeLookInLeft",
    "eyeLookOutLeft",    "eyeLookUpLeft",      "eyeSquintLeft",
    "eyeWideLeft",       "eyeBlinkRight",      "eyeLookDownRight",
    "eyeLookInRight",    "eyeLookOutRight",    "eyeLookUpRight",
    "eyeSquintRight",    "eyeWideRight",       "jawForward",
    "jawLeft",           "jawRight",           "jawOpen",
    "mouthClose",        "mouthFunnel",        "mouthPucker",
    "mouthLeft",         "mouthRight",         "mouthSmileLeft",
    "mouthSmileRight",   "mouthFrownLeft",     "mouthFrownRight",
    "mouthDimpleLeft",   "mouthDimpleRight",   "mouthStretchLeft",
    "mouthStretchRight", "mouthRollLower",     "mouthRollUpper",
    "mouthShrugLower",   "mouthShrugUpper",    "mouthPressLeft",
    "mouthPressRight",   "mouthLowerDownLeft", "mouthLowerDownRight",
    "mouthUpperUpLeft",  "mouthUpperUpRight",  "browDownLeft",
    "browDownRight",     "browInnerUp",        "browOuterUpLeft",
    "browOuterUpRight",  "cheekPuff",          "cheekSquintLeft",
    "cheekSquintRight",  "noseSneerLeft",      "noseSneerRight",
    "tongueOut"};

// VRM 1.0's expression presets.
constexpr std::array<std::string_view, 18> vrm_names = {
    "happy", "angry", "sad",       "relaxed",    "surprised", "aa",       "ih",       "ou",        "ee",
    "oh",    "blink", "blinkLeft", "blinkRight", "lookUp",    "lookDown", "lookLeft", "lookRight", "neutral"};

struct Alias {
    std::string_view other, standard;  // `other` as plain_name() makes it
};
// VRM 0's presets, VRoid's morphs, and what people call them in English.
constexpr std::array aliases = {Alias{"joy", "happy"},
                                Alias{"sorrow", "sad"},
                                Alias{"fun", "relaxed"},
                                Alias{"a", "aa"},
                                Alias{"i", "ih"},
                                Alias{"u", "ou"},
                                Alias{"e", "ee"},
                                Alias{"o", "oh"},
                                Alias{"fclalljoy", "happy"},
                                Alias{"fclallangry", "angry"},
                                Alias{"fclallsorrow", "sad"},
                                Alias{"fclallfun", "relaxed"},
                                Alias{"fclallsurprised", "surprised"},
                                Alias{"fclmtha", "aa"},
                                Alias{"fclmthi", "ih"},
                                Alias{"fclmthu", "ou"},
                                Alias{"fclmthe", "ee"},
                                Alias{"fclmtho", "oh"},
                                Alias{"fcleyeclose", "blink"},
                                Alias{"fcleyecloseleft", "blinkLeft"},
                                Alias{"fcleyecloseright", "blinkRight"},
                                Alias{"smile", "happy"},
                                Alias{"mouthsmile", "happy"},
                                Alias{"happiness", "happy"},
                                Alias{"anger", "angry"},
                                Alias{"mad", "angry"},
                                Alias{"sadness", "sad"},
                                Alias{"frown", "sad"},
                                Alias{"surprise", "surprised"},
                                Alias{"shocked", "surprised"},
                                Alias{"eyesclosed", "blink"},
                                Alias{"eyeclosed", "blink"},
                                Alias{"eyesclose", "blink"},
                                Alias{"eyeclose", "blink"},
                                Alias{"eyeblink", "blink"},
                                Alias{"eyeclosedleft", "eyeBlinkLeft"},
                                Alias{"eyeclosedright", "eyeBlinkRight"},
                                Alias{"eyecloseleft", "eyeBlinkLeft"},
                                Alias{"eyecloseright", "eyeBlinkRight"},
                                Alias{"winkleft", "eyeBlinkLeft"},
                                Alias{"winkright", "eyeBlinkRight"},
                                Alias{"mouthopen", "jawOpen"},
                                Alias{"openmouth", "jawOpen"},
                                Alias{"jawdrop", "jawOpen"},
                                Alias{"pucker", "mouthPucker"},
                                Alias{"kiss", "mouthPucker"},
                                Alias{"puff", "cheekPuff"},
                                Alias{"browup", "browInnerUp"},
                                Alias{"browsup", "browInnerUp"},
                                Alias{"eyebrowsup", "browInnerUp"},
                                Alias{"lookingup", "lookUp"},
                                Alias{"lookingdown", "lookDown"},
                                Alias{"lookingleft", "lookLeft"},
                                Alias{"lookingright", "lookRight"}};

// Lower case, without what stands before the last dot or colon, and without marks between words; "_L" is "left".
std::string plain_name(std::string_view name) {
    if (const size_t dot = name.find_last_of(".:|"); dot != std::string_view::npos && dot + 1 < name.size())
        name.remove_prefix(dot + 1);
    std::string side;
    if (name.size() > 2 &&
        (name[name.size() - 2] == '_' || name[name.size() - 2] == '-' || name[name.size() - 2] == ' ')) {
        const char last = static_cast<char>(std::tolower(static_cast<unsigned char>(name.back())));
        if (last == 'l') side = "left";
        if (last == 'r') side = "right";
        if (!side.empty()) name.remove_suffix(2);
    }
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain + side;
}

bool ends_with_name(std::string_view text, std::string_view end) {
    return text.size() > end.size() && text.ends_with(end);
}

// Names this short end many words: only whole names count.
constexpr size_t least_length = 6;

}  // namespace

std::vector<std::string> standard_face_names() {
    std::vector<std::string> names(arkit_names.begin(), arkit_names.end());
    names.insert(names.end(), vrm_names.begin(), vrm_names.end());
    return names;
}

std::string standard_face_name(std::string_view morph) {
    const std::string plain = plain_name(morph);
    std::vector<std::pair<std::string, std::string_view>> known;
    for (const std::string_view name : arkit_names) known.emplace_back(plain_name(name), name);
    for (const std::string_view name : vrm_names) known.emplace_back(plain_name(name), name);
    for (const Alias& alias : aliases) known.emplace_back(std::string(alias.other), alias.standard);
    for (const auto& [other, standard] : known)
        if (plain == other) return std::string(standard);
    // "head_eyeBlinkLeft", "Face_M_F00_000_00_Fcl_EYE_Close_L": the longest name that ends it.
    std::string_view best;
    size_t longest = 0;
    for (const auto& [other, standard] : known)
        if (other.size() >= least_length && other.size() > longest && ends_with_name(plain, other)) {
            best = standard;
            longest = other.size();
        }
    return std::string(best);
}

}  // namespace sinew
