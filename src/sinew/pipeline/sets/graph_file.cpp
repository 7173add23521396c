#include <sinew/pipeline/sets/graph_file.h>

#include <sinew/core/file.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/sets/one_body.h>
#include <sinew/render/preview.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using GraphJson = nlohmann::ordered_json;

Result<GroundPath> read_path(const GraphJob& job) {
    if (job.path == "eight") {
        if (!(job.radius > 0.0f)) return fail(ErrorCode::invalid_argument, "the radius must be above 0", "--radius");
        return figure_eight(job.radius);
    }
    SINEW_TRY(const Bytes bytes, in_file(read_file(job.path), job.path));
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    const auto json = GraphJson::parse(text, text + bytes.size(), nullptr, false);
    const auto wrong = [&] {
        return fail(ErrorCode::invalid_data,
                    "is no path; write [[x, z], …] or {\"points\": [[x, z], …], \"closed\": true}", job.path);
    };
    if (json.is_discarded()) return wrong();
    const GraphJson points = json.is_object() ? json.value("points", GraphJson::array()) : json;
    GroundPath path;
    if (json.is_object() && json.contains("closed")) {
        if (!json["closed"].is_boolean()) return wrong();
        path.closed = json["closed"].get<bool>();
    }
    if (!points.is_array()) return wrong();
    for (const GraphJson& point : points) {
        if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) return wrong();
        path.points.push_back({point[0].get<float>(), point[1].get<float>()});
    }
    return path;
}

// Dark: alike. Red: the transitions of the core.
Result<Bytes> draw_distances(const OneBody& one, const MotionGraph& graph, const fs::path& file) {
    SINEW_TRY(const Eigen::MatrixXf distances, window_distances(one.character.skeleton, one.clips));
    constexpr Eigen::Index most = 1000;
    const Eigen::Index n = distances.rows(), side = std::clamp<Eigen::Index>(n, min_picture_side, most);
    Picture picture{static_cast<int32_t>(side), static_cast<int32_t>(side),
                    std::vector<uint8_t>(static_cast<size_t>(side * side) * 4, 255)};
    const double white = 8.0 * graph.threshold;
    const auto pixel = [&](Eigen::Index x, Eigen::Index y) {
        return &picture.rgba[static_cast<size_t>(y * side + x) * 4];
    };
    for (Eigen::Index y = 0; y < side; ++y)
        for (Eigen::Index x = 0; x < side; ++x) {
            const float d = distances(y * n / side, x * n / side);
            const double u = std::isfinite(d) ? std::min(1.0, d / white) : 1.0;
            uint8_t* p = pixel(x, y);
            p[0] = static_cast<uint8_t>(255.0 * u);
            p[1] = static_cast<uint8_t>(60.0 + 195.0 * u);
            p[2] = static_cast<uint8_t>(110.0 + 145.0 * u);
        }
    std::vector<Eigen::Index> first = {0};
    for (const int32_t frames : graph.frames) first.push_back(first.back() + frames);
    for (const GraphTransition& t : graph.transitions) {
        const Eigen::Index y = (first[static_cast<size_t>(t.from_clip)] + t.from_frame) * side / n;
        const Eigen::Index x = (first[static_cast<size_t>(t.to_clip)] + t.to_frame) * side / n;
        for (Eigen::Index dy = -1; dy <= 1; ++dy)
            for (Eigen::Index dx = -1; dx <= 1; ++dx) {
                if (x + dx < 0 || y + dy < 0 || x + dx >= side || y + dy >= side) continue;
                uint8_t* p = pixel(x + dx, y + dy);
                p[0] = 220, p[1] = 40, p[2] = 30;
            }
    }
    const std::string extension = lower_extension(file);
    return encode_pictures({&picture, 1}, 1.0f, extension.empty() ? "png" : extension.substr(1));
}

Bytes bytes_of(const std::string& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

Result<void> check_graph_job(const GraphJob& job) {
    std::vector<fs::path> inputs(job.motions.begin(), job.motions.end());
    SINEW_TRY_VOID(check_outputs({{job.graph}, {job.motion}, {job.picture}}, inputs));
    if (!job.motion.empty()) {
        SINEW_TRY_VOID(in_file(check_writable_type(job.motion), job.motion));
        if (job.path.empty())
            return fail(ErrorCode::invalid_argument, "a motion along which path? give --path eight or a file of points",
                        "--path");
    }
    return check_picture_type(job.picture);
}

}  // namespace

Result<GraphReport> graph_files(const GraphJob& job) {
    SINEW_TRY_VOID(check_graph_job(job));
    GroundPath path;
    if (!job.path.empty()) {
        SINEW_TRY(path, read_path(job));
    }
    GraphReport done;
    SINEW_TRY(OneBody one, gather_motions(job.motions, job.onto, job.listener, done.warnings));
    done.motions = one.motions;
    report(job.listener.progress, "comparing", 0.0);
    SINEW_TRY(done.graph, build_motion_graph(one.character.skeleton, one.clips, job.options));
    report(job.listener.progress, "comparing", 1.0);
    std::vector<OutputFile> files;
    if (!job.path.empty()) {
        report(job.listener.progress, "walking", 0.0);
        SINEW_TRY(done.walk, walk_path(one.character.skeleton, one.clips, done.graph, path, job.seconds));
        report(job.listener.progress, "walking", 1.0);
    }
    if (!job.picture.empty()) {
        SINEW_TRY(Bytes bytes, in_file(draw_distances(one, done.graph, job.picture), job.picture));
        files.push_back({job.picture, std::move(bytes)});
    }
    if (done.walk && !job.motion.empty()) {
        one.character.clips = {done.walk->clip};
        SINEW_TRY(std::vector<OutputFile> main, in_file(encode_character(one.character, job.motion), job.motion));
        std::ranges::move(main, std::back_inserter(files));
    }
    if (!job.graph.empty()) files.push_back({job.graph, bytes_of(encode_json(done))});
    for (const OutputFile& file : files) SINEW_TRY_VOID(in_file(write_file(file.path, file.bytes), file.path));
    return done;
}

std::string encode_json(const GraphReport& report) {
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    const MotionGraph& g = report.graph;
    GraphJson clips = GraphJson::array(), transitions = GraphJson::array();
    for (size_t c = 0; c < g.names.size(); ++c)
        clips.push_back({{"name", g.names[c]}, {"file", report.motions[c]}, {"frames", g.frames[c]}});
    const auto transition = [&](const GraphTransition& t) {
        return GraphJson{{"from", {t.from_clip, t.from_frame}},
                         {"to", {t.to_clip, t.to_frame}},
                         {"distance_cm", rounded(100.0 * static_cast<double>(t.distance))}};
    };
    for (const GraphTransition& t : g.transitions) transitions.push_back(transition(t));
    GraphJson all = {{"fps", graph_fps},
                     {"clips", clips},
                     {"frame_distance_cm", rounded(100.0 * g.frame_distance)},
                     {"threshold_cm", rounded(100.0 * g.threshold)},
                     {"found", g.found},
                     {"core_share", rounded(g.core_share)},
                     {"transitions", transitions}};
    if (report.walk) {
        GraphJson used = GraphJson::array();
        for (const auto& [time, t] : report.walk->used) {
            GraphJson entry = transition(t);
            entry["time"] = rounded(static_cast<double>(time));
            used.push_back(std::move(entry));
        }
        all["walk"] = {{"seconds", rounded(static_cast<double>(duration(report.walk->clip)))},
                       {"travelled_m", rounded(static_cast<double>(report.walk->travelled))},
                       {"worst_off_path_m", rounded(static_cast<double>(report.walk->worst_off_path))},
                       {"foot_drift_cm", rounded(static_cast<double>(report.walk->toe_drift_cm))},
                       {"transitions", used}};
    }
    all["warnings"] = report.warnings;
    return all.dump(2, ' ', false, GraphJson::error_handler_t::replace);
}

}  // namespace sinew
