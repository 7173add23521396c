#include <sinew/edit/root_motion.h>

#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// What stands above the carrier, at rest, and the carrier's own rotation there.
struct CarrierFrame {
    AffineD world_from_parent = AffineD::Identity();
    Mat3d rest_rotation = Mat3d::Identity();  // of the carrier, in the world
    CarrierFrame(const ClipBody& body, int32_t carrier) {
        std::vector<AffineD> world(body.rest.local.size());
        local_to_world(body.skeleton.parents(), body.rest.local, world);
        const int32_t parent = body.skeleton.parents()[static_cast<size_t>(carrier)];
        if (parent >= 0) world_from_parent = world[static_cast<size_t>(parent)];
        rest_rotation = Quatd(world[static_cast<size_t>(carrier)].linear().colwise().normalized()).normalized();
    }
    Quatd parent_rotation() const {
        return Quatd(Mat3d(world_from_parent.linear().colwise().normalized())).normalized();
    }
};

GroundPlace place_in(const CarrierFrame& frame, const Transform& local) {
    const Vec3d at = frame.world_from_parent * local.translation.cast<double>();
    const Quatd turned =
        frame.parent_rotation() * local.rotation.cast<double>() * Quatd(frame.rest_rotation).conjugate();
    return {at.x(), at.z(), 2.0 * std::atan2(turned.y(), turned.w())};
}

void move_in(const CarrierFrame& frame, const GroundPlace& by, Transform& local) {
    const Quatd turn(Eigen::AngleAxisd(by.yaw, Vec3d::UnitY()));
    const Vec3d at = turn * (frame.world_from_parent * local.translation.cast<double>()) + Vec3d(by.x, 0, by.z);
    local.translation = (frame.world_from_parent.inverse() * at).cast<float>();
    const Quatd parent = frame.parent_rotation();
    local.rotation = (parent.conjugate() * turn * parent * local.rotation.cast<double>()).normalized().cast<float>();
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

GroundPlace ground_place(const Pose& pose, const ClipBody& body, int32_t carrier) {
    return place_in(CarrierFrame(body, carrier), pose.local[static_cast<size_t>(carrier)]);
}

void move_pose(const GroundPlace& by, const ClipBody& body, int32_t carrier, Pose& pose) {
    move_in(CarrierFrame(body, carrier), by, pose.local[static_cast<size_t>(carrier)]);
}

InPlaceClip extract_root_motion(const Clip& clip, const ClipBody& body) {
    ClipFrames frames = sample_frames(clip, body, clip_rate(clip));
    InPlaceClip made;
    made.motion.joint = find_carrier(clip, body);
    made.motion.times = frames.times;
    const CarrierFrame frame(body, made.motion.joint);
    double last_yaw = 0.0;
    for (Pose& pose : frames.poses) {
        Transform& local = pose.local[static_cast<size_t>(made.motion.joint)];
        GroundPlace place = place_in(frame, local);
        constexpr double turn = 2.0 * std::numbers::pi;
        place.yaw += turn * std::round((last_yaw - place.yaw) / turn);
        last_yaw = place.yaw;
        move_in(frame, inverse(place), local);
        made.motion.places.push_back(place);
    }
    made.clip = frames_to_clip(frames, body, clip);
    return made;
}

Clip apply_root_motion(const Clip& clip, const ClipBody& body, const RootMotion& motion) {
    if (motion.times.empty()) return clip;
    ClipFrames frames = sample_frames(clip, body, clip_rate(clip));
    const CarrierFrame frame(body, motion.joint);
    for (size_t f = 0; f < frames.times.size(); ++f) {
        const auto after = std::upper_bound(motion.times.begin(), motion.times.end(), frames.times[f]);
        const auto b = std::min(static_cast<size_t>(after - motion.times.begin()), motion.times.size() - 1);
        const size_t a = b > 0 ? b - 1 : 0;
        const double length = static_cast<double>(motion.times[b]) - motion.times[a];
        const double u = length > 0.0 ? std::clamp((frames.times[f] - motion.times[a]) / length, 0.0, 1.0) : 0.0;
        const GroundPlace &p = motion.places[a], &q = motion.places[b];
        const GroundPlace place{p.x + u * (q.x - p.x), p.z + u * (q.z - p.z), p.yaw + u * (q.yaw - p.yaw)};
        move_in(frame, place, frames.poses[f].local[static_cast<size_t>(motion.joint)]);
    }
    return frames_to_clip(frames, body, clip);
}

}  // namespace sinew
