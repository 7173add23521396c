#include <sinew/rig/joint_names.h>

#include <sinew/rig/template/template_json.h>
#include <array>
#include <cctype>

namespace sinew {
namespace {

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

// What a template says the joint is called; empty when none does.
std::string_view told_name(std::string_view name, NameScheme scheme) {
    for (const RigKind kind : rig_kinds) {
        const RigTemplate& t = builtin_template(kind);
        if (const int j = t.find(name); j >= 0) {
            const std::string& told = t.joints[static_cast<size_t>(j)].scheme_names[static_cast<size_t>(scheme)];
            if (!told.empty()) return told;
        }
    }
    return {};
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
    if (scheme == NameScheme::vrm) return std::string(name);
    if (const std::string_view told = told_name(name, scheme); !told.empty()) return std::string(told);
    // A twist joint is called after its bone: "LeftArmTwist1", "upperarm_twist_01_l".
    if (const size_t at = name.find("Twist"); at != std::string_view::npos) {
        std::string bone = scheme_name(name.substr(0, at), scheme);
        const std::string number(name.substr(at + std::string_view("Twist").size()));
        if (scheme != NameScheme::unreal) return bone + "Twist" + number;
        const std::string side = bone.ends_with("_l") ? "_l" : bone.ends_with("_r") ? "_r" : "";
        return bone.substr(0, bone.size() - side.size()) + "_twist_0" + number + side;
    }
    const Sided sided = split_side(name);
    if (scheme == NameScheme::unreal)
        return snake(sided.rest) + (sided.side.empty() ? "" : sided.side == "left" ? "_l" : "_r");
    const std::string plain = upper_first(sided.side) + upper_first(sided.rest);
    return scheme == NameScheme::mixamo ? "mixamorig:" + plain : plain;
}

std::string sinew_name(std::string_view any_name) {
    const std::string wanted = squash(any_name);
    for (const RigKind kind : rig_kinds)
        for (const TemplateJoint& joint : builtin_template(kind).joints)
            for (NameScheme scheme : {NameScheme::vrm, NameScheme::mixamo, NameScheme::unreal, NameScheme::humanik})
                if (squash(scheme_name(joint.name, scheme)) == wanted) return joint.name;
    return {};
}

}  // namespace sinew
