#include <sinew/sets/graph/motion_graph.h>

#include <sinew/core/parallel.h>
#include <sinew/sets/graph/graph_clips.h>
#include <sinew/sets/graph/window_distance.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace sinew {
namespace {

std::vector<WindowClouds> clouds_of(const GraphBody& graph) {
    std::vector<WindowClouds> clouds(graph.clips.size());
    parallel_for(clouds.size(), 1, [&](size_t begin, size_t end) {
        for (size_t c = begin; c < end; ++c) clouds[c] = make_clouds(*graph.body, graph.clips[c].poses);
    });
    return clouds;
}

// Local minima of a block of distances below the threshold.
void find_minima(const Eigen::MatrixXf& d, int32_t a, int32_t b, double threshold,
                 std::vector<GraphTransition>& found) {
    constexpr Eigen::Index apart = 15;  // frames: half a second on in the same clip is no transition
    for (Eigen::Index i = 1; i + 1 < d.rows(); ++i)
        for (Eigen::Index j = 1; j + 1 < d.cols(); ++j) {
            const float here = d(i, j);
            if (!(here < threshold) || (a == b && std::abs(i - j) < apart)) continue;
            if (here > d.block(i - 1, j - 1, 3, 3).minCoeff()) continue;
            found.push_back({a, static_cast<int32_t>(i) + graph_reach, b, static_cast<int32_t>(j) + graph_reach, here});
        }
}

// Tarjan's strongly connected components, without recursion. Returns the component of each node.
std::vector<int32_t> strong_components(const std::vector<std::vector<int32_t>>& next) {
    const auto n = static_cast<int32_t>(next.size());
    std::vector<int32_t> order(next.size(), -1), low(next.size(), 0), component(next.size(), -1), stack;
    std::vector<std::pair<int32_t, size_t>> calls;
    int32_t counter = 0, components = 0;
    for (int32_t root = 0; root < n; ++root) {
        if (order[static_cast<size_t>(root)] >= 0) continue;
        calls.emplace_back(root, 0);
        while (!calls.empty()) {
            const int32_t node = calls.back().first;
            const auto v = static_cast<size_t>(node);
            if (calls.back().second == 0) {
                order[v] = low[v] = counter++;
                stack.push_back(node);
            }
            if (calls.back().second < next[v].size()) {
                const int32_t to = next[v][calls.back().second++];
                const auto w = static_cast<size_t>(to);
                if (order[w] < 0)
                    calls.emplace_back(to, 0);
                else if (component[w] < 0)
                    low[v] = std::min(low[v], order[w]);
                continue;
            }
            if (low[v] == order[v]) {
                for (int32_t top = -1; top != node;) {
                    top = stack.back();
                    stack.pop_back();
                    component[static_cast<size_t>(top)] = components;
                }
                ++components;
            }
            calls.pop_back();
            if (!calls.empty()) {
                const auto parent = static_cast<size_t>(calls.back().first);
                low[parent] = std::min(low[parent], low[v]);
            }
        }
    }
    return component;
}

// A node for each frame: it leads to the next frame, and along transitions. Keeps the transitions of the component with
// most frames.
void keep_core(MotionGraph& graph) {
    std::vector<int32_t> first = {0};
    for (const int32_t frames : graph.frames) first.push_back(first.back() + frames);
    std::vector<std::vector<int32_t>> next(static_cast<size_t>(first.back()));
    const auto node = [&](int32_t clip, int32_t frame) { return first[static_cast<size_t>(clip)] + frame; };
    for (size_t c = 0; c < graph.frames.size(); ++c)
        for (int32_t f = 0; f + 1 < graph.frames[c]; ++f)
            next[static_cast<size_t>(first[c] + f)].push_back(first[c] + f + 1);
    // A transition leaves its clip before the blend and enters the other one behind it.
    for (const GraphTransition& t : graph.transitions)
        next[static_cast<size_t>(node(t.from_clip, t.from_frame - graph_reach))].push_back(
            node(t.to_clip, t.to_frame + graph_reach));
    const std::vector<int32_t> component = strong_components(next);
    std::map<int32_t, int32_t> sizes;
    for (const int32_t c : component) ++sizes[c];
    const auto largest = std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second; });
    if (largest == sizes.end()) return;
    std::erase_if(graph.transitions, [&](const GraphTransition& t) {
        return component[static_cast<size_t>(node(t.from_clip, t.from_frame - graph_reach))] != largest->first ||
               component[static_cast<size_t>(node(t.to_clip, t.to_frame + graph_reach))] != largest->first;
    });
    graph.core_share =
        graph.transitions.empty() ? 0.0 : static_cast<double>(largest->second) / std::max<int32_t>(first.back(), 1);
}

}  // namespace

Result<Eigen::MatrixXf> window_distances(const Skeleton& skeleton, const std::vector<Clip>& clips) {
    SINEW_TRY(const auto graph, make_graph_body(skeleton, clips));
    const std::vector<WindowClouds> clouds = clouds_of(*graph);
    Eigen::Index total = 0;
    std::vector<Eigen::Index> first;
    for (const GraphClipFrames& clip : graph->clips) {
        first.push_back(total);
        total += static_cast<Eigen::Index>(clip.poses.size());
    }
    constexpr Eigen::Index most = 20'000;
    if (total > most)
        return fail(ErrorCode::limit_exceeded,
                    "more than ten minutes of motion; give fewer clips, or leave the picture out");
    Eigen::MatrixXf all = Eigen::MatrixXf::Constant(total, total, INFINITY);
    for (size_t a = 0; a < clouds.size(); ++a)
        for (size_t b = 0; b < clouds.size(); ++b)
            if (clouds[a].x.cols() > 0 && clouds[b].x.cols() > 0)
                all.block(first[a] + graph_reach, first[b] + graph_reach, clouds[a].x.cols(), clouds[b].x.cols()) =
                    cloud_distances(clouds[a], clouds[b]);
    return all;
}

Result<MotionGraph> build_motion_graph(const Skeleton& skeleton, const std::vector<Clip>& clips,
                                       const GraphOptions& options) {
    SINEW_TRY(const auto body, make_graph_body(skeleton, clips));
    MotionGraph graph;
    for (size_t c = 0; c < clips.size(); ++c) {
        graph.names.push_back(clips[c].name);
        graph.frames.push_back(static_cast<int32_t>(body->clips[c].poses.size()));
    }
    const std::vector<WindowClouds> clouds = clouds_of(*body);
    double sum = 0;
    size_t count = 0;
    for (const WindowClouds& cloud : clouds) {
        if (cloud.x.cols() < 2) continue;
        const Eigen::MatrixXf own = cloud_distances(cloud, cloud);
        for (Eigen::Index f = 0; f + 1 < own.rows(); ++f) sum += own(f, f + 1), ++count;
    }
    if (count == 0)
        return fail(ErrorCode::invalid_data, "the clips are all shorter than half a second; give longer ones");
    graph.frame_distance = sum / static_cast<double>(count);
    constexpr double times_neighbours = 1.5;
    graph.threshold = options.threshold > 0.0 ? options.threshold : times_neighbours * graph.frame_distance;
    std::vector<std::vector<GraphTransition>> found(clouds.size());
    parallel_for(clouds.size(), 1, [&](size_t begin, size_t end) {
        for (size_t a = begin; a < end; ++a)
            for (size_t b = 0; b < clouds.size(); ++b)
                if (clouds[a].x.cols() > 2 && clouds[b].x.cols() > 2)
                    find_minima(cloud_distances(clouds[a], clouds[b]), static_cast<int32_t>(a), static_cast<int32_t>(b),
                                graph.threshold, found[a]);
    });
    for (const auto& own : found) graph.transitions.insert(graph.transitions.end(), own.begin(), own.end());
    graph.found = static_cast<int32_t>(graph.transitions.size());
    keep_core(graph);
    return graph;
}

}  // namespace sinew
