#include <sinew/core/closest.h>
#include <sinew/edit/controls/controls.h>
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sinew {
namespace {

using ControlJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> axis_names = {"x", "y", "z", "curl", "spread"};
constexpr std::array<std::string_view, 3> shape_names = {"linear", "smooth", "step"};

tl::unexpected<Error> bad_control(const std::string& path, std::string message) {
    return fail(ErrorCode::invalid_data, std::move(message), path);
}

Result<void> check_fields(const ControlJson& json, const std::string& path,
                          std::initializer_list<std::string_view> known) {
    if (!json.is_object()) return bad_control(path, "is not an object; write {…}");
    const std::vector<std::string_view> names(known);
    for (const auto& [name, value] : json.items())
        if (std::ranges::find(names, std::string_view(name)) == names.end())
            return bad_control(path, unknown_name("field", name, names));
    return {};
}

Result<double> finite_number(const ControlJson& json, const std::string& path) {
    if (!json.is_number() || !std::isfinite(json.get<double>())) return bad_control(path, "is not a number");
    return json.get<double>();
}

Result<std::string> control_text(const ControlJson& json, const std::string& path) {
    if (!json.is_string() || json.get<std::string>().empty()) return bad_control(path, "is not a name; write \"…\"");
    return json.get<std::string>();
}

// One of some words, as its number.
Result<size_t> word_at(const ControlJson& json, const std::string& path, std::span<const std::string_view> words) {
    SINEW_TRY(const std::string text, control_text(json, path));
    const auto at = std::ranges::find(words, std::string_view(text));
    if (at == words.end()) return bad_control(path, unknown_name("word", text, words));
    return static_cast<size_t>(at - words.begin());
}

Result<std::vector<std::string>> parse_targets(const ControlJson& json, const std::string& path) {
    std::vector<std::string> targets;
    if (!json.is_array()) {
        SINEW_TRY(std::string name, control_text(json, path));
        return std::vector<std::string>{std::move(name)};
    }
    for (size_t i = 0; i < json.size(); ++i) {
        SINEW_TRY(std::string name, control_text(json[i], fmt::format("{}/{}", path, i)));
        targets.push_back(std::move(name));
    }
    if (targets.empty()) return bad_control(path, "is an empty list; name at least one");
    return targets;
}

Result<std::vector<std::pair<double, double>>> parse_keys(const ControlJson& json, const std::string& path) {
    std::vector<std::pair<double, double>> keys;
    if (!json.is_array() || json.size() < 2)
        return bad_control(path, "needs two keys at least; write [[0, 0], [1, 1]]");
    for (size_t i = 0; i < json.size(); ++i) {
        const std::string at = fmt::format("{}/{}", path, i);
        if (!json[i].is_array() || json[i].size() != 2) return bad_control(at, "is not a key; write [value, amount]");
        SINEW_TRY(const double x, finite_number(json[i][0], at));
        SINEW_TRY(const double y, finite_number(json[i][1], at));
        if (i > 0 && !(x > keys.back().first)) return bad_control(at, "is not beyond the key before; sort the keys");
        keys.emplace_back(x, y);
    }
    return keys;
}

Result<void> parse_amount(const ControlJson& json, const std::string& path, ControlDrive& drive) {
    const int ways = json.contains("amount") + json.contains("keys") + json.contains("formula");
    if (ways > 1) return bad_control(path, "has several of amount, keys and formula; keep one");
    if (json.contains("amount")) {
        SINEW_TRY(drive.keys[1].second, finite_number(json["amount"], path + "/amount"));
    }
    if (json.contains("keys")) {
        SINEW_TRY(drive.keys, parse_keys(json["keys"], path + "/keys"));
    }
    if (json.contains("formula")) {
        SINEW_TRY(drive.formula, control_text(json["formula"], path + "/formula"));
    }
    if (json.contains("curve")) {
        SINEW_TRY(const size_t shape, word_at(json["curve"], path + "/curve", shape_names));
        drive.shape = static_cast<ControlShape>(shape);
    }
    return {};
}

Result<ControlAxis> parse_axis(const ControlJson& json, const std::string& path) {
    SINEW_TRY(const size_t axis, word_at(json, path, axis_names));
    return static_cast<ControlAxis>(axis);
}

// What a joint does: one of turn, move, size.
Result<void> parse_joint_drive(const ControlJson& json, const std::string& path, ControlDrive& drive) {
    const int ways = json.contains("turn") + json.contains("move") + json.contains("size");
    if (ways != 1) return bad_control(path, "a joint needs one of turn, move and size, with an axis: \"turn\": \"x\"");
    const char* what = json.contains("turn") ? "turn" : json.contains("move") ? "move" : "size";
    drive.what = json.contains("turn") ? Driven::turn : json.contains("move") ? Driven::move : Driven::size;
    SINEW_TRY(drive.axis, parse_axis(json[what], path + "/" + what));
    return {};
}

Result<ControlDrive> parse_drive(const ControlJson& json, const std::string& path, bool driven_key) {
    SINEW_TRY_VOID(check_fields(json, path,
                                {"morph", "joint", "pose", "control", "turn", "move", "size", "amount", "keys",
                                 "formula", "curve", "optional", driven_key ? "by" : "optional"}));
    ControlDrive drive;
    constexpr std::array<std::pair<const char*, Driven>, 4> kinds = {
        {{"morph", Driven::morph}, {"joint", Driven::turn}, {"pose", Driven::pose}, {"control", Driven::control}}};
    int found = 0;
    for (const auto& [name, kind] : kinds) {
        if (!json.contains(name)) continue;
        ++found;
        drive.what = kind;
        SINEW_TRY(drive.targets, parse_targets(json[name], path + "/" + name));
    }
    if (found != 1) return bad_control(path, "needs one of joint, morph, pose and control");
    if (drive.what == Driven::turn) {
        SINEW_TRY_VOID(parse_joint_drive(json, path, drive));
    } else if (json.contains("turn") || json.contains("move") || json.contains("size")) {
        return bad_control(path, "turn, move and size are for joints");
    }
    if (driven_key && drive.what == Driven::control)
        return bad_control(path,
                           "a joint drives no control; controls come first. ControlDrive joints, morphs or a pose");
    SINEW_TRY_VOID(parse_amount(json, path, drive));
    if (json.contains("optional")) {
        if (!json["optional"].is_boolean()) return bad_control(path + "/optional", "is true or false");
        drive.optional = json["optional"].get<bool>();
    }
    return drive;
}

Result<Control> parse_control(const ControlJson& json, const std::string& name, const std::string& path) {
    SINEW_TRY_VOID(check_fields(json, path, {"range", "rest", "drives"}));
    Control control{.name = name, .drives = {}};
    if (json.contains("range")) {
        const ControlJson& range = json["range"];
        if (!range.is_array() || range.size() != 2) return bad_control(path + "/range", "is not [lowest, highest]");
        SINEW_TRY(control.low, finite_number(range[0], path + "/range/0"));
        SINEW_TRY(control.high, finite_number(range[1], path + "/range/1"));
        if (!(control.low < control.high)) return bad_control(path + "/range", "begins where it ends, or later");
    }
    control.rest = std::clamp(0.0, control.low, control.high);
    if (json.contains("rest")) {
        SINEW_TRY(control.rest, finite_number(json["rest"], path + "/rest"));
        if (control.rest < control.low || control.rest > control.high)
            return bad_control(path + "/rest", "is outside the range");
    }
    if (!json.contains("drives") || !json["drives"].is_array())
        return bad_control(path, "has no drives; write \"drives\": [{…}]");
    for (size_t i = 0; i < json["drives"].size(); ++i) {
        SINEW_TRY(ControlDrive drive, parse_drive(json["drives"][i], fmt::format("{}/drives/{}", path, i), false));
        control.drives.push_back(std::move(drive));
    }
    return control;
}

Result<DrivenKey> parse_driven(const ControlJson& json, const std::string& path) {
    DrivenKey key;
    SINEW_TRY(key.drive, parse_drive(json, path, true));
    if (!json.contains("by")) return bad_control(path, "has no driver; write \"by\": {\"joint\": …, \"turn\": \"x\"}");
    const ControlJson& by = json["by"];
    SINEW_TRY_VOID(check_fields(by, path + "/by", {"joint", "turn"}));
    if (!by.contains("joint") || !by.contains("turn"))
        return bad_control(path + "/by", "needs a joint and the axis of its turn");
    SINEW_TRY(key.joint, control_text(by["joint"], path + "/by/joint"));
    SINEW_TRY(key.axis, parse_axis(by["turn"], path + "/by/turn"));
    return key;
}

Result<std::vector<float>> floats_of(const ControlJson& json, size_t count, const std::string& path) {
    std::vector<float> values;
    if (!json.is_array() || json.size() != count) return bad_control(path, fmt::format("is not {} numbers", count));
    for (const ControlJson& value : json) {
        SINEW_TRY(const double number, finite_number(value, path));
        values.push_back(static_cast<float>(number));
    }
    return values;
}

Result<PosedJoint> parse_posed(const ControlJson& json, const std::string& name, const std::string& path) {
    SINEW_TRY_VOID(check_fields(json, path, {"turn", "move"}));
    PosedJoint posed{.joint = name};
    if (json.contains("turn")) {
        SINEW_TRY(const std::vector<float> q, floats_of(json["turn"], 4, path + "/turn"));
        posed.turn = Quat(q[3], q[0], q[1], q[2]);
        constexpr float least = 1e-3f;  // shorter ones have no direction
        if (posed.turn.norm() < least) return bad_control(path + "/turn", "is no rotation; write [x, y, z, w]");
        posed.turn.normalize();
    }
    if (json.contains("move")) {
        SINEW_TRY(const std::vector<float> v, floats_of(json["move"], 3, path + "/move"));
        posed.move = Vec3(v[0], v[1], v[2]);
    }
    return posed;
}

Result<LibraryPose> parse_pose(const ControlJson& json, const std::string& name, const std::string& path) {
    SINEW_TRY_VOID(check_fields(json, path, {"joints", "morphs"}));
    LibraryPose pose{.name = name, .joints = {}, .morphs = {}};
    if (json.contains("joints")) {
        if (!json["joints"].is_object()) return bad_control(path + "/joints", "is not an object of joints");
        for (const auto& [joint, value] : json["joints"].items()) {
            SINEW_TRY(PosedJoint posed, parse_posed(value, joint, path + "/joints/" + joint));
            pose.joints.push_back(std::move(posed));
        }
    }
    if (json.contains("morphs")) {
        if (!json["morphs"].is_object()) return bad_control(path + "/morphs", "is not an object of weights");
        for (const auto& [morph, value] : json["morphs"].items()) {
            SINEW_TRY(const double weight, finite_number(value, path + "/morphs/" + morph));
            pose.morphs.emplace_back(morph, static_cast<float>(weight));
        }
    }
    return pose;
}

ControlJson to_json(const ControlDrive& drive) {
    constexpr std::array<const char*, 6> keys = {"morph", "joint", "joint", "joint", "pose", "control"};
    ControlJson json;
    if (drive.targets.size() == 1)
        json[keys[static_cast<size_t>(drive.what)]] = drive.targets.front();
    else
        json[keys[static_cast<size_t>(drive.what)]] = drive.targets;
    const std::string axis(axis_names[static_cast<size_t>(drive.axis)]);
    if (drive.what == Driven::turn) json["turn"] = axis;
    if (drive.what == Driven::move) json["move"] = axis;
    if (drive.what == Driven::size) json["size"] = axis;
    if (!drive.formula.empty()) {
        json["formula"] = drive.formula;
    } else {
        for (const auto& [x, y] : drive.keys) json["keys"].push_back({x, y});
        json["curve"] = std::string(shape_names[static_cast<size_t>(drive.shape)]);
    }
    if (drive.optional) json["optional"] = true;
    return json;
}

}  // namespace

Result<ControlSet> parse_controls(std::string_view text) {
    const ControlJson json = ControlJson::parse(text, nullptr, false);
    if (!json.is_object())
        return fail(ErrorCode::invalid_data,
                    "is no JSON object of controls; write {\"controls\": {…}, \"driven\": […], \"poses\": {…}}");
    SINEW_TRY_VOID(check_fields(json, "/", {"controls", "driven", "poses"}));
    ControlSet set;
    if (json.contains("controls")) {
        if (!json["controls"].is_object()) return bad_control("/controls", "is not an object of controls by name");
        for (const auto& [name, value] : json["controls"].items()) {
            SINEW_TRY(Control control, parse_control(value, name, "/controls/" + name));
            set.controls.push_back(std::move(control));
        }
    }
    if (json.contains("driven")) {
        if (!json["driven"].is_array()) return bad_control("/driven", "is not a list of driven keys");
        for (size_t i = 0; i < json["driven"].size(); ++i) {
            SINEW_TRY(DrivenKey key, parse_driven(json["driven"][i], fmt::format("/driven/{}", i)));
            set.driven.push_back(std::move(key));
        }
    }
    if (json.contains("poses")) {
        if (!json["poses"].is_object()) return bad_control("/poses", "is not an object of poses by name");
        for (const auto& [name, value] : json["poses"].items()) {
            SINEW_TRY(LibraryPose pose, parse_pose(value, name, "/poses/" + name));
            set.poses.push_back(std::move(pose));
        }
    }
    return set;
}

std::string encode_json(const ControlSet& set) {
    ControlJson json = ControlJson::object();
    for (const Control& control : set.controls) {
        ControlJson& out = json["controls"][control.name];
        out["range"] = {control.low, control.high};
        out["rest"] = control.rest;
        out["drives"] = ControlJson::array();
        for (const ControlDrive& drive : control.drives) out["drives"].push_back(to_json(drive));
    }
    for (const DrivenKey& key : set.driven) {
        ControlJson out = to_json(key.drive);
        out["by"] = {{"joint", key.joint}, {"turn", std::string(axis_names[static_cast<size_t>(key.axis)])}};
        json["driven"].push_back(std::move(out));
    }
    for (const LibraryPose& pose : set.poses) {
        ControlJson& out = json["poses"][pose.name];
        out = ControlJson::object();
        for (const PosedJoint& posed : pose.joints) {
            ControlJson& joint = out["joints"][posed.joint];
            joint["turn"] = {posed.turn.x(), posed.turn.y(), posed.turn.z(), posed.turn.w()};
            if (!posed.move.isZero()) joint["move"] = {posed.move.x(), posed.move.y(), posed.move.z()};
        }
        for (const auto& [morph, weight] : pose.morphs) out["morphs"][morph] = weight;
    }
    // Names that are not UTF-8 must not lose the whole file.
    return json.dump(2, ' ', false, ControlJson::error_handler_t::replace);
}

}  // namespace sinew
