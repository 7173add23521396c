#include <sinew/rig/template/template_json.h>

#include <sinew/core/check.h>
#include <sinew/core/closest.h>
#include <map>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// Far more than any skeleton needs; what is larger is no template.
constexpr size_t most_bytes = 4u << 20, most_joints = 4096, longest_name = 256;
// Positions beyond this are no positions; bends shorter than this no directions.
constexpr double farthest = 1e9, no_vector = 1e-9;

// Finds the place where a text stops being JSON.
class Locator : public nlohmann::json_sax<Json> {
public:
    size_t position = 0;
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(size_t) override { return true; }
    bool start_array(size_t) override { return true; }
    bool end_object() override { return true; }
    bool end_array() override { return true; }
    bool key(string_t&) override { return true; }
    bool parse_error(size_t at, const std::string&, const nlohmann::json::exception&) override {
        position = at;
        return false;
    }
};

auto wrong(std::string message, std::string where) {
    return fail(ErrorCode::invalid_data, std::move(message), std::move(where));
}

Result<Vec3d> read_vector(const Json& value, const std::string& where) {
    Vec3d v = Vec3d::Zero();
    bool good = value.is_array() && value.size() == 3;
    for (size_t k = 0; good && k < 3; ++k) {
        good = value[k].is_number();
        if (good) v[static_cast<int>(k)] = value[k].get<double>();
    }
    if (!good || !(v.cwiseAbs().maxCoeff() < farthest)) return wrong("is not a position; write [x, y, z]", where);
    return v;
}

Result<Vec3d> read_bend(const Json& value, const std::string& where) {
    static const std::map<std::string, Vec3d> directions = {{"forward", Vec3d::UnitZ()}, {"back", -Vec3d::UnitZ()},
                                                            {"up", Vec3d::UnitY()},      {"down", -Vec3d::UnitY()},
                                                            {"left", Vec3d::UnitX()},    {"right", -Vec3d::UnitX()}};
    if (value.is_string()) {
        const auto found = directions.find(value.get<std::string>());
        if (found != directions.end()) return found->second;
    } else if (const auto vector = read_vector(value, where); vector && vector->norm() > no_vector) {
        return vector->normalized();
    }
    return wrong("is not a direction; write forward, back, up, down, left, right or [x, y, z]", where);
}

struct Reader {
    RigTemplate t;
    std::map<std::string, int> number;
    std::vector<std::pair<std::string, std::string>> partners;  // per joint: the name it gave, and where

    Result<int> find_joint(const Json& value, const std::string& where) const {
        const std::string name = value.is_string() ? value.get<std::string>() : std::string();
        const auto found = number.find(name);
        if (found != number.end()) return found->second;
        std::vector<std::string_view> known;
        for (const TemplateJoint& joint : t.joints) known.push_back(joint.name);
        return wrong(unknown_name("joint", name, known) + "; list parents before their children", where);
    }

    Result<void> read_field(const std::string& key, const Json& value, const std::string& where, TemplateJoint& joint) {
        if (key == "name") {
            if (!value.is_string() || value.get_ref<const std::string&>().empty() ||
                value.get_ref<const std::string&>().size() > longest_name)
                return wrong("is not a name; write 1 to 256 bytes of text", where);
            joint.name = value.get<std::string>();
            if (number.contains(joint.name))
                return wrong("is the name of another joint, too; give each joint its own name", where);
        } else if (key == "parent") {
            if (value.is_null()) return {};
            SINEW_TRY(joint.parent, find_joint(value, where));
        } else if (key == "position") {
            SINEW_TRY(joint.position, read_vector(value, where));
        } else if (key == "tip") {
            SINEW_TRY(joint.tip, read_vector(value, where));
        } else if (key == "bend") {
            SINEW_TRY(joint.bend, read_bend(value, where));
        } else if (key == "mirror") {
            if (!value.is_string()) return wrong("is not the name of a joint; write text", where);
            partners.back() = {value.get<std::string>(), where};
        } else if (key == "optional") {
            if (!value.is_boolean()) return wrong("is neither true nor false", where);
            joint.optional = value.get<bool>();
        } else if (const auto scheme = find_name_scheme(key)) {
            if (!value.is_string()) return wrong("is not a name; write text", where);
            joint.scheme_names[static_cast<size_t>(*scheme)] = value.get<std::string>();
        } else if (key != "about") {
            return wrong(
                "is not a field of a joint; known fields are name, parent, position, mirror, bend, tip, optional, "
                "about, "
                "vrm, mixamo, unreal, humanik",
                where);
        }
        return {};
    }

    Result<void> read_joint(const Json& value, const std::string& where) {
        if (!value.is_object() || !value.contains("name") || !value.contains("position"))
            return wrong("is not a joint; write {\"name\": …, \"parent\": …, \"position\": [x, y, z]}", where);
        TemplateJoint joint;
        partners.push_back({});
        for (const auto& [key, field] : value.items()) SINEW_TRY_VOID(read_field(key, field, where + "/" + key, joint));
        for (size_t r = 0; t.kind == RigKind::biped && r < role_count; ++r)
            if (to_string(static_cast<Role>(r)) == joint.name) joint.role = static_cast<Role>(r);
        number[joint.name] = static_cast<int>(t.size());
        t.joints.push_back(std::move(joint));
        return {};
    }

    Result<void> join_partners() {
        for (size_t j = 0; j < t.size(); ++j) {
            const auto& [name, where] = partners[j];
            if (name.empty()) continue;
            SINEW_TRY(const int other, find_joint(name, where));
            const int self = static_cast<int>(j), back = t.joints[static_cast<size_t>(other)].mirror;
            if (other == self || (back >= 0 && back != self))
                return wrong("already has another partner; each joint can have one", where);
            t.joints[j].mirror = other;
            t.joints[static_cast<size_t>(other)].mirror = self;
        }
        return {};
    }
};

}  // namespace

Result<RigTemplate> parse_template(ByteSpan bytes) {
    if (bytes.size() > most_bytes)
        return wrong("is larger than 4 MB, the most for a template; leave out what is not joints", "");
    const std::string_view text = as_text(bytes);
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) {
        Locator locator;
        Json::sax_parse(text, &locator);
        return wrong("is not JSON; write {\"sinew_template\": 1, \"joints\": […]}",
                     fmt::format("byte {}", locator.position));
    }
    if (!document.is_object() || document.value("sinew_template", Json()) != Json(1))
        return wrong("is not a template of version 1; write {\"sinew_template\": 1, \"joints\": […]}",
                     "/sinew_template");
    Reader reader;
    if (const auto kind = document.find("kind"); kind != document.end()) {
        for (const RigKind k : rig_kinds)
            if (k != RigKind::generic && *kind == Json(to_string(k))) reader.t.kind = k;
        if (!reader.t.kind)
            return wrong(
                "is not a kind; write biped, quadruped, bird, dinosaur or dragon, or leave it out to have the shape "
                "searched",
                "/kind");
    }
    const auto joints = document.find("joints");
    if (joints == document.end() || !joints->is_array() || joints->empty() || joints->size() > most_joints)
        return wrong(fmt::format("is not a list of 1 to {} joints", most_joints), "/joints");
    for (size_t j = 0; j < joints->size(); ++j)
        SINEW_TRY_VOID(reader.read_joint((*joints)[j], fmt::format("/joints/{}", j)));
    SINEW_TRY_VOID(reader.join_partners());
    find_mirror_joints(reader.t);
    return std::move(reader.t);
}

const RigTemplate& builtin_template(RigKind kind) {
    const auto read = [](RigKind k) {
        auto parsed = parse_template(as_byte_span(builtin_template_text(k)));
        SINEW_CHECK(parsed.has_value());  // a test reads them too
        return *std::move(parsed);
    };
    static const std::array<RigTemplate, rig_kinds.size()> templates = [&] {
        std::array<RigTemplate, rig_kinds.size()> all;  // generic has none
        for (const RigKind k : rig_kinds)
            if (k != RigKind::generic) all[static_cast<size_t>(k)] = read(k);
        return all;
    }();
    return templates[static_cast<size_t>(kind)];
}

}  // namespace sinew
