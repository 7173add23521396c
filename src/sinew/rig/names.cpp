#include <sinew/rig/names.h>

#include <array>
#include <cctype>

namespace sinew {
namespace {

// Where a scheme's word for a role is not VRM's own: the side is left out, "%" stands where Unreal's number does.
struct Word {
    std::string_view vrm, mixamo, unreal;
};
constexpr Word words[] = {
    {"root", "Root", "root"},
    {"hips", "Hips", "pelvis"},
    {"spine", "Spine", "spine_01"},
    {"chest", "Spine1", "spine_02"},
    {"upperChest", "Spine2", "spine_03"},
    {"neck", "Neck", "neck_01"},
    {"head", "Head", "head"},
    {"Shoulder", "Shoulder", "clavicle"},
    {"UpperArm", "Arm", "upperarm"},
    {"LowerArm", "ForeArm", "lowerarm"},
    {"Hand", "Hand", "hand"},
    {"UpperLeg", "UpLeg", "thigh"},
    {"LowerLeg", "Leg", "calf"},
    {"Foot", "Foot", "foot"},
    {"Toes", "ToeBase", "ball"},
    {"ThumbMetacarpal", "HandThumb1", "thumb_01"},
    {"ThumbProximal", "HandThumb2", "thumb_02"},
    {"ThumbDistal", "HandThumb3", "thumb_03"},
    {"IndexProximal", "HandIndex1", "index_01"},
    {"IndexIntermediate", "HandIndex2", "index_02"},
    {"IndexDistal", "HandIndex3", "index_03"},
    {"MiddleProximal", "HandMiddle1", "middle_01"},
    {"MiddleIntermediate", "HandMiddle2", "middle_02"},
    {"MiddleDistal", "HandMiddle3", "middle_03"},
    {"RingProximal", "HandRing1", "ring_01"},
    {"RingIntermediate", "HandRing2", "ring_02"},
    {"RingDistal", "HandRing3", "ring_03"},
    {"LittleProximal", "HandPinky1", "pinky_01"},
    {"LittleIntermediate", "HandPinky2", "pinky_02"},
    {"LittleDistal", "HandPinky3", "pinky_03"},
};

struct Sided {
    std::string_view side;  // "", "left", "right"
    std::string_view rest;
};

Sided split_side(std::string_view name) {
    for (std::string_view side : {"left", "right"})
        if (name.substr(0, side.size()) == side && name.size() > side.size()) return {side, name.substr(side.size())};
    return {"", name};
}

std::string upper_first(std::string_view text) {
    std::string result(text);
    if (!result.empty()) result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
    return result;
}

// "FrontUpperLeg2" → "front_upper_leg_2".
std::string snake(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool starts =
            std::isupper(c) || (std::isdigit(c) && i > 0 && !std::isdigit(static_cast<unsigned char>(text[i - 1])));
        if (starts && !result.empty() && result.back() != '_') result += '_';
        result += static_cast<char>(std::tolower(c));
    }
    return result;
}

const Word* find_word(std::string_view rest) {
    for (const Word& word : words)
        if (word.vrm == rest) return &word;
    return nullptr;
}

std::string squash(std::string_view text) {
    std::string result;
    for (char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

constexpr std::array<std::string_view, 4> schemes = {"vrm", "mixamo", "unreal", "humanik"};

}  // namespace

std::optional<NameScheme> find_name_scheme(std::string_view name) {
    for (size_t i = 0; i < schemes.size(); ++i)
        if (schemes[i] == name) return static_cast<NameScheme>(i);
    return std::nullopt;
}

std::vector<std::string_view> name_scheme_names() {
    return {schemes.begin(), schemes.end()};
}

std::string scheme_name(std::string_view name, NameScheme scheme) {
    const Sided sided = split_side(name);
    const Word* word = find_word(sided.rest);
    switch (scheme) {
        case NameScheme::vrm:
            return std::string(name);
        case NameScheme::unreal: {
            std::string result = word ? std::string(word->unreal) : snake(sided.rest);
            if (!sided.side.empty()) result += sided.side == "left" ? "_l" : "_r";
            return result;
        }
        case NameScheme::mixamo:
        case NameScheme::humanik: {
            const std::string plain =
                upper_first(sided.side) + (word ? std::string(word->mixamo) : upper_first(sided.rest));
            if (scheme == NameScheme::mixamo) return "mixamorig:" + plain;
            return plain == "Root" ? "Reference" : plain;
        }
    }
    return std::string(name);
}

std::string sinew_name(std::string_view any_name) {
    const std::string wanted = squash(any_name);
    for (const Word& word : words) {
        const bool sided = std::isupper(static_cast<unsigned char>(word.vrm[0])) != 0;
        for (std::string_view side : {"", "left", "right"}) {
            if (sided == side.empty()) continue;
            const std::string name = std::string(side) + std::string(word.vrm);
            for (NameScheme scheme : {NameScheme::vrm, NameScheme::mixamo, NameScheme::unreal, NameScheme::humanik})
                if (squash(scheme_name(name, scheme)) == wanted) return name;
        }
    }
    return {};
}

}  // namespace sinew
