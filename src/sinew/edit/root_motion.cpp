#include <sinew/edit/root_motion.h>

#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// What stands above a carrier, at rest, and the carrier's own rotation there.
struct CarrierFrame {
    size_t joint = 0;
    AffineD world_from_parent = AffineD::Identity();
    Mat3d rest_rotation = Mat3d::Identity();  // of the carrier, in the world
    Quatd parent_rotation() const {
        return Quatd(Mat3d(world_from_parent.linear().colwise().normalized())).normalized();
    }
};
std::vector<CarrierFrame> find_frames(const ClipBody& body, std::span<const int32_t> carriers) {
    std::vector<AffineD> world(body.rest.local.size());
    local_to_world(body.skeleton.parents(), body.rest.local, world);
    std::vector<CarrierFrame> frames;
    for (const int32_t carrier : carriers) {
        CarrierFrame frame{.joint = static_cast<size_t>(carrier)};
        const int32_t parent = body.skeleton.parents()[frame.joint];
        if (parent >= 0) frame.world_from_parent = world[static_cast<size_t>(parent)];
        frame.rest_rotation = Quatd(world[frame.joint].linear().colwise().normalized()).normalized();
        frames.push_back(frame);
    }
    return frames;
}

GroundPlace place_in(const std::vector<CarrierFrame>& frames, const Pose& pose) {
    const CarrierFrame& frame = frames.front();
    const Transform& local = pose.local[frame.joint];
    const Vec3d at = frame.world_from_parent * local.translation.cast<double>();
    const Quatd turned =
        frame.parent_rotation() * local.rotation.cast<double>() * Quatd(frame.rest_rotation).conjugate();
    return {at.x(), at.z(), 2.0 * std::atan2(turned.y(), turned.w())};
}

void move_in(const std::vector<CarrierFrame>& frames, const GroundPlace& by, Pose& pose) {
    const Quatd turn(Eigen::AngleAxisd(by.yaw, Vec3d::UnitY()));
    for (const CarrierFrame& frame : frames) {
        Transform& local = pose.local[frame.joint];
        const Vec3d at = turn * (frame.world_from_parent * local.translation.cast<double>()) + Vec3d(by.x, 0, by.z);
        local.translation = (frame.world_from_parent.inverse() * at).cast<float>();
        const Quatd parent = frame.parent_rotation();
        local.rotation =
            (parent.conjugate() * turn * parent * local.rotation.cast<double>()).normalized().cast<float>();
    }
}

}  // namespace

GroundPlace compose(const GroundPlace& a, const GroundPlace& b) {
    const double c = std::cos(a.yaw), s = std::sin(a.yaw);
    return {a.x + c * b.x + s * b.z, a.z - s * b.x + c * b.z, a.yaw + b.yaw};
}

GroundPlace inverse(const GroundPlace& place) {
    const double c = std::cos(place.yaw), s = std::sin(place.yaw);
    return {-(c * place.x - s * place.z), -(s * place.x + c * place.z), -place.yaw};
}

GroundPlace ground_place(const Pose& pose, const ClipBody& body, std::span<const int32_t> carriers) {
    return place_in(find_frames(body, carriers.first(1)), pose);
}

void move_pose(const GroundPlace& by, const ClipBody& body, std::span<const int32_t> carriers, Pose& pose) {
    move_in(find_frames(body, carriers), by, pose);
}

InPlaceClip extract_root_motion(const Clip& clip, const ClipBody& body) {
    ClipFrames frames = sample_frames(clip, body, clip_rate(clip));
    InPlaceClip made;
    made.motion.carriers = find_carriers(clip, body);
    made.motion.times = frames.times;
    const std::vector<CarrierFrame> carriers = find_frames(body, made.motion.carriers);
    double last_yaw = 0.0;
    for (Pose& pose : frames.poses) {
        GroundPlace place = place_in(carriers, pose);
        constexpr double turn = 2.0 * std::numbers::pi;
        place.yaw += turn * std::round((last_yaw - place.yaw) / turn);
        last_yaw = place.yaw;
        move_in(carriers, inverse(place), pose);
        made.motion.places.push_back(place);
    }
    made.clip = frames_to_clip(frames, body, clip);
    return made;
}

Clip apply_root_motion(const Clip& clip, const ClipBody& body, const RootMotion& motion) {
    if (motion.times.empty() || motion.carriers.empty()) return clip;
    ClipFrames frames = sample_frames(clip, body, clip_rate(clip));
    const std::vector<CarrierFrame> carriers = find_frames(body, motion.carriers);
    for (size_t f = 0; f < frames.times.size(); ++f) {
        const auto after = std::upper_bound(motion.times.begin(), motion.times.end(), frames.times[f]);
        const auto b = std::min(static_cast<size_t>(after - motion.times.begin()), motion.times.size() - 1);
        const size_t a = b > 0 ? b - 1 : 0;
        const double length = static_cast<double>(motion.times[b]) - motion.times[a];
        const double u = length > 0.0 ? std::clamp((frames.times[f] - motion.times[a]) / length, 0.0, 1.0) : 0.0;
        const GroundPlace &p = motion.places[a], &q = motion.places[b];
        const GroundPlace place{p.x + u * (q.x - p.x), p.z + u * (q.z - p.z), p.yaw + u * (q.yaw - p.yaw)};
        move_in(carriers, place, frames.poses[f]);
    }
    return frames_to_clip(frames, body, clip);
}

}  // namespace sinew
