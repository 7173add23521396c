#include <sinew/sets/graph/graph_clips.h>

#include <sinew/edit/layers.h>
#include <sinew/motion/retarget/cycle.h>
#include <sinew/motion/retarget/source_clip.h>
#include <sinew/sets/graph/motion_graph.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void mark_contacts(const std::vector<Contact>& contacts, uint8_t bit, std::vector<uint8_t>& stands) {
    for (const Contact& contact : contacts)
        for (int32_t f = contact.first; f <= contact.last; ++f)
            stands[static_cast<size_t>(f)] = static_cast<uint8_t>(stands[static_cast<size_t>(f)] | bit);
}

std::vector<Contact> runs_of_bit(const std::vector<uint8_t>& stands, uint8_t bit) {
    constexpr int32_t fewest = 2;  // frames beyond the first
    std::vector<Contact> runs;
    for (size_t f = 0; f < stands.size(); ++f) {
        if (!(stands[f] & bit)) continue;
        const auto frame = static_cast<int32_t>(f);
        if (!runs.empty() && runs.back().last + 1 == frame)
            runs.back().last = frame;
        else
            runs.push_back({frame, frame, false});
    }
    std::erase_if(runs, [](const Contact& run) { return run.last - run.first < fewest; });
    return runs;
}

// The clip's poses; a loop is played several times, each time from where the last one ended.
std::vector<Pose> sample_rounds(const Clip& clip, const GraphBody& graph, int32_t rounds) {
    std::vector<Pose> poses;
    auto source = make_source_clip(graph.clip_body.skeleton, clip, static_cast<float>(graph_fps));
    // Captures that begin with a T-pose come out of it over a frame or two.
    constexpr double after_t_pose_s = 1.0 / graph_fps;
    const double start = source && source->start > 0.0f ? source->start + after_t_pose_s : 0.0, length = duration(clip);
    if (source && rounds > 1) continue_cycle(graph.carrier, graph.body->frame.col(1), *source);
    const bool loops = source && rounds > 1 && source->cycle.frames > 0;
    const double end = loops ? rounds * length : length;
    const auto at = [&](double time) {
        Pose pose = graph.clip_body.rest;
        sample(clip, static_cast<float>(std::min(time, length)), pose);
        return pose;
    };
    const GroundPlace round = compose(ground_place(at(length), graph.clip_body, graph.carrier),
                                      inverse(ground_place(at(0.0), graph.clip_body, graph.carrier)));
    GroundPlace so_far;
    int32_t done = 0;
    const auto frames = static_cast<size_t>((end - start) * graph_fps + 1e-3);
    for (size_t f = 0; f <= frames; ++f) {
        const double time = std::min(start + static_cast<double>(f) / graph_fps, end);
        for (; done + 1 < (loops ? rounds : 1) && time >= (done + 1) * length; ++done) so_far = compose(round, so_far);
        poses.push_back(at(time - done * length));
        if (done > 0) move_pose(so_far, graph.clip_body, graph.carrier, poses.back());
    }
    return poses;
}

GraphClipFrames read_clip_frames(const Clip& clip, const GraphBody& graph, int32_t rounds) {
    GraphClipFrames out;
    out.poses = sample_rounds(clip, graph, rounds);
    for (const Pose& pose : out.poses) {
        out.place.push_back(ground_place(pose, graph.clip_body, graph.carrier));
        out.step.push_back(out.place.size() < 2 ? GroundPlace{}
                                                : compose(inverse(out.place[out.place.size() - 2]), out.place.back()));
        out.step.back().yaw = std::remainder(out.step.back().yaw, 2.0 * static_cast<double>(pi));
        out.in_place.push_back(pose);
        move_pose(inverse(out.place.back()), graph.clip_body, graph.carrier, out.in_place.back());
    }
    out.stands = find_stands(*graph.body, out.poses);
    return out;
}

}  // namespace

std::vector<uint8_t> find_stands(const Body& body, std::span<const Pose> poses) {
    const SourceContacts contacts = find_own_contacts(body, poses, graph_fps);
    std::vector<uint8_t> stands(poses.size(), 0);
    mark_contacts(contacts.ankle[0], left_ankle_stands, stands);
    mark_contacts(contacts.ball[0], left_ball_stands, stands);
    mark_contacts(contacts.ankle[1], right_ankle_stands, stands);
    mark_contacts(contacts.ball[1], right_ball_stands, stands);
    return stands;
}

Result<std::unique_ptr<GraphBody>> make_graph_body(const Skeleton& skeleton, const std::vector<Clip>& clips,
                                                   int32_t rounds) {
    if (clips.empty()) return fail(ErrorCode::invalid_argument, "give at least one clip");
    auto graph = std::make_unique<GraphBody>();
    graph->clip_body = make_clip_body(skeleton);
    std::vector<Clip> joints;
    for (const Clip& clip : clips) {
        joints.push_back(joints_only(clip));
        SINEW_TRY_VOID(validate(joints.back(), skeleton.size(), 0));
        constexpr double longest_s = 1800.0;
        if (duration(clip) > longest_s)
            return fail(ErrorCode::limit_exceeded,
                        "a clip is longer than half an hour; cut it first (sinew edit --trim)");
    }
    if (auto body = find_own_body(graph->clip_body.skeleton, joints.front())) graph->body.emplace(*std::move(body));
    if (!graph->body)
        return fail(ErrorCode::invalid_data, "no person with feet was recognised; give clips of a person");
    graph->carrier = find_carrier(joints.front(), graph->clip_body);
    for (const Clip& clip : joints) graph->clips.push_back(read_clip_frames(clip, *graph, rounds));
    return graph;
}

SourceContacts contacts_of(const std::vector<uint8_t>& stands) {
    SourceContacts contacts;
    contacts.ankle = {runs_of_bit(stands, left_ankle_stands), runs_of_bit(stands, right_ankle_stands)};
    contacts.ball = {runs_of_bit(stands, left_ball_stands), runs_of_bit(stands, right_ball_stands)};
    return contacts;
}

Pose mix_poses(const Pose& a, const Pose& b, double share) {
    Pose out;
    blend_poses(a, b, share, {}, out);
    return out;
}

}  // namespace sinew
