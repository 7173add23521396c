#include <sinew/pipeline/check/check_character.h>

#include <sinew/core/closest.h>
#include <sinew/mesh/mesh.h>
#include <sinew/pipeline/check/check_rows.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/skeleton/joint_label.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace sinew {
namespace {

constexpr const char* grade_words[] = {"good", "warning", "fault"};

// All there are. A character without clips or legs has not all of them.
constexpr std::string_view row_names[] = {"skinned_parts",  "unweighted_vertices",
                                          "influences",     "stray_weight",
                                          "joint_off_skin", "joints",
                                          "names_twice",    "uneven_scale",
                                          "height",         "missing_roles",
                                          "tilted",         "turned",
                                          "off_ground",     "stretch",
                                          "flips",          "clip_stretch",
                                          "below_floor",    "foot_slide"};

// Other limits, and warnings that count as faults.
Result<void> apply(const CheckOptions& options, std::vector<CheckRow>& rows) {
    for (const auto& [name, most] : options.most) {
        if (std::find(std::begin(row_names), std::end(row_names), name) == std::end(row_names))
            return fail(ErrorCode::invalid_argument, unknown_name("check", name, row_names));
        for (CheckRow& row : rows)
            if (row.name == name)
                row = make_row(row.name, row.value, row.unit,
                               {.least = row.least, .most = most, .beyond = Grade::fault}, row.where, row.advice);
    }
    for (CheckRow& row : rows) {
        if (options.strict && row.grade == Grade::warning) row.grade = Grade::fault;
        if (row.grade == Grade::good) row.advice.clear();
    }
    return {};
}

}  // namespace

size_t CheckReport::count(Grade grade) const {
    return static_cast<size_t>(
        std::count_if(rows.begin(), rows.end(), [&](const CheckRow& row) { return row.grade == grade; }));
}

const Primitive& CheckedBody::primitive(const DeformedPrimitive& part) const {
    const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
    return character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)];
}

const Skin* CheckedBody::skin(const DeformedPrimitive& part) const {
    const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
    if (instance.skin < 0 || primitive(part).influences.empty()) return nullptr;
    return &character.skins[static_cast<size_t>(instance.skin)];
}

std::string CheckedBody::joint_name(int32_t joint) const {
    const auto j = static_cast<size_t>(joint);
    return joint_label(character.skeleton.names()[j], j);
}

CheckedBody make_checked_body(const Character& character) {
    CheckedBody body{.character = character, .rest = {}, .world = rest_world(character.skeleton), .bounds = {}};
    deform(character, rest_pose(character), {.normals = false}, body.rest);
    for (const DeformedPrimitive& part : body.rest) body.bounds.add(bounds(part.positions));
    if (!body.bounds.empty()) body.height = body.bounds.size().maxCoeff();
    if (!(body.height > 0)) body.height = 1;
    return body;
}

CheckRow make_row(std::string name, double value, std::string unit, const CheckLimit& limit, std::string where,
                  std::string advice) {
    const bool good = value >= limit.least && value <= limit.most;
    return {.name = std::move(name),
            .value = value,
            .unit = std::move(unit),
            .least = limit.least,
            .most = limit.most,
            .grade = good ? Grade::good : limit.beyond,
            .where = std::move(where),
            .advice = std::move(advice)};
}

Result<CheckReport> check(const Character& character, const CheckOptions& options, const Progress& progress) {
    CheckReport report{.file = {}, .rows = {}, .warnings = character.warnings};
    const CheckedBody body = make_checked_body(character);
    check_skin(body, report.rows);
    check_bends(body, progress, report.rows);
    check_clips(body, progress, report.rows);
    SINEW_TRY_VOID(apply(options, report.rows));
    return report;
}

Result<CheckReport> check_file(const CheckJob& job) {
    SINEW_TRY(const Character character, read_input(job.file, job.listener));
    SINEW_TRY(CheckReport report, check(character, job.options, job.listener.progress));
    report.file = job.file.string();
    return report;
}

std::string encode_json(const CheckReport& report) {
    using Json = nlohmann::ordered_json;
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    Json rows = Json::array();
    for (const CheckRow& row : report.rows) {
        Json out = {{"name", row.name}, {"value", rounded(row.value)}};
        if (!row.unit.empty()) out["unit"] = row.unit;
        if (std::isfinite(row.least)) out["least"] = row.least;
        if (std::isfinite(row.most)) out["most"] = row.most;
        out["grade"] = grade_words[static_cast<size_t>(row.grade)];
        if (!row.where.empty()) out["where"] = row.where;
        if (!row.advice.empty()) out["advice"] = row.advice;
        rows.push_back(std::move(out));
    }
    const Json out = {{"file", report.file},
                      {"faults", report.count(Grade::fault)},
                      {"warned", report.count(Grade::warning)},
                      {"checks", rows},
                      {"warnings", report.warnings}};
    return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sinew
