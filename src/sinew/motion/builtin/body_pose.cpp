#include <sinew/motion/builtin/body_pose.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <sinew/core/check.h>
#include <sinew/ik/two_bone.h>

namespace sinew {

namespace {

Mat3d rot_x(double a) {
    return Eigen::AngleAxisd(a, Vec3d::UnitX()).toRotationMatrix();
}
Mat3d rot_y(double a) {
    return Eigen::AngleAxisd(a, Vec3d::UnitY()).toRotationMatrix();
}
Mat3d rot_z(double a) {
    return Eigen::AngleAxisd(a, Vec3d::UnitZ()).toRotationMatrix();
}

// Pitch, yaw, roll as BodyPose counts them.
Mat3d turned(const Vec3d& angles) {
    return rot_y(angles.y()) * rot_z(angles.z()) * rot_x(angles.x());
}

Vec3d hip_socket(const BodySize& size, const BodyPose& body, int side) {
    double sign = side == 0 ? 1 : -1;
    return body.hips + turned(body.pelvis) * Vec3d(sign * size.hip_half_width, -size.pelvis_rise, 0);
}

struct Setter {
    const Skeleton& skeleton;
    Pose pose;

    void rotate(std::string_view joint, const Mat3d& rotation) {
        int32_t j = skeleton.find(joint);
        SINEW_ASSERT(j >= 0);
        pose.local[j].rotation = Quatd(rotation).normalized().cast<float>();
    }
};

std::string on_side(int side, std::string_view joint) {
    return (side == 0 ? "left" : "right") + std::string(joint);
}

// Places the foot on its target; the knee bends forwards, between the pelvis's heading and the foot's.
void pose_leg(const BodySize& size, const BodyPose& body, int side, Setter& out) {
    const FootTarget& foot = body.feet[side];
    const Mat3d pelvis = turned(body.pelvis);
    const Vec3d hip = hip_socket(size, body, side), down = -pelvis.col(1);
    const TwoBoneLimb hanging{hip, hip + size.thigh * down, hip + (size.thigh + size.shin) * down};
    const TwoBoneSolution leg =
        solve_two_bone(hanging, {.target = foot.ankle, .pole = pelvis.col(2) + rot_y(foot.yaw).col(2)},
                       {.straightest = 0.9995, .tightest = 0.001});
    // At rest legs hang along −Y, and knees bend about X.
    const auto bone_frame = [&](const Vec3d& from, const Vec3d& to) {
        const Vec3d y = (from - to).normalized();
        Mat3d m;
        m << leg.hinge, y, leg.hinge.cross(y);
        return m;
    };
    const Mat3d upper = bone_frame(leg.limb.root, leg.limb.mid), lower = bone_frame(leg.limb.mid, leg.limb.tip);
    const Mat3d sole = rot_y(foot.yaw) * rot_x(foot.pitch);
    out.rotate(on_side(side, "UpperLeg"), pelvis.transpose() * upper);
    out.rotate(on_side(side, "LowerLeg"), upper.transpose() * lower);
    out.rotate(on_side(side, "Foot"), lower.transpose() * sole);
    out.rotate(on_side(side, "Toes"), rot_x(-foot.toe_bend));
}

void pose_arm(const ArmAngles& arm, int side, double curl, Setter& out) {
    double s = side == 0 ? 1 : -1;
    double lowered = pi / 2 - arm.spread;
    out.rotate(on_side(side, "Shoulder"), rot_z(s * arm.shrug));
    out.rotate(on_side(side, "UpperArm"), rot_x(-arm.swing) * rot_z(-s * lowered) * rot_x(arm.twist));
    out.rotate(on_side(side, "LowerArm"), rot_y(-s * arm.elbow));
    out.rotate(on_side(side, "Hand"), rot_z(-s * arm.wrist) * rot_y(-s * arm.wrist_side));
    const char* fingers[] = {"Index", "Middle", "Ring", "Little"};
    for (int f = 0; f < 4; ++f) {
        double bend = curl * (0.8 + 0.12 * f);
        out.rotate(on_side(side, std::string(fingers[f]) + "Proximal"), rot_z(-s * bend * 0.8));
        out.rotate(on_side(side, std::string(fingers[f]) + "Intermediate"), rot_z(-s * bend));
        out.rotate(on_side(side, std::string(fingers[f]) + "Distal"), rot_z(-s * bend * 0.6));
    }
    out.rotate(on_side(side, "ThumbMetacarpal"), rot_y(s * 0.25 * curl) * rot_z(-s * 0.5 * curl));
    out.rotate(on_side(side, "ThumbProximal"), rot_y(s * 0.4 * curl));
    out.rotate(on_side(side, "ThumbDistal"), rot_y(s * 0.5 * curl));
}

}  // namespace

double sole_drop(const BodySize& size, double pitch, double toe_bend) {
    auto down = [&](double ahead, double below) { return below * std::cos(pitch) + ahead * std::sin(pitch); };
    double heel = down(-size.heel_length, size.ankle_height);
    double ball = down(size.foot_length, size.ankle_height - size.toe_height) + size.toe_height;
    double tip = ball + size.toe_length * std::sin(pitch - toe_bend);
    return std::max({heel, ball, tip});
}

double fit_hips_height(const BodySize& size, std::span<const BodyPose> poses, double reach) {
    double best = 1e9, longest = reach * (size.thigh + size.shin);
    for (const BodyPose& body : poses) {
        for (int side = 0; side < 2; ++side) {
            if (!body.feet[side].planted) continue;
            Vec3d hip = hip_socket(size, body, side);
            Vec3d gap = body.feet[side].ankle - hip;
            double flat = std::hypot(gap.x(), gap.z());
            double height = std::sqrt(std::max(longest * longest - flat * flat, 0.0));
            best = std::min(best, height + gap.y());
        }
    }
    return best;
}

Pose solve_body(const Skeleton& reference, const BodySize& size, const BodyPose& body) {
    Setter out{reference, Pose{reference.rest(), {}}};
    out.pose.local[reference.find("hips")].translation = body.hips.cast<float>();
    out.rotate("hips", turned(body.pelvis));
    out.rotate("spine", turned(body.spine));
    out.rotate("chest", turned(0.5 * body.chest));
    out.rotate("upperChest", turned(0.5 * body.chest));
    out.rotate("neck", turned(body.neck));
    out.rotate("head", turned(body.head));
    for (int side = 0; side < 2; ++side) {
        pose_leg(size, body, side, out);
        pose_arm(body.arms[side], side, body.finger_curl, out);
    }
    return out.pose;
}

Clip bake_body(const Skeleton& reference, const BodySize& size, std::span<const BodyPose> poses, double fps,
               std::string name) {
    Clip clip;
    clip.name = std::move(name);
    size_t joints = reference.size();
    clip.tracks.resize(joints + 1);
    for (size_t j = 0; j < joints; ++j) clip.tracks[j + 1].target = static_cast<int32_t>(j);
    Track& path = clip.tracks[0];
    path.target = reference.find("hips");
    path.path = TrackPath::translation;
    path.width = 3;
    for (size_t i = 0; i < poses.size(); ++i) {
        Pose pose = solve_body(reference, size, poses[i]);
        auto time = static_cast<float>(i / fps);
        const Vec3& hips = pose.local[path.target].translation;
        path.times.push_back(time);
        path.values.insert(path.values.end(), {hips.x(), hips.y(), hips.z()});
        for (size_t j = 0; j < joints; ++j) {
            Track& track = clip.tracks[j + 1];
            Eigen::Vector4f q = pose.local[j].rotation.coeffs();
            if (i > 0) {
                // Of q and −q, take the one nearer to the last key: other programs interpolate as the signs stand.
                Eigen::Map<const Eigen::Vector4f> last(track.values.data() + 4 * (i - 1));
                if (last.dot(q) < 0) q = -q;
            }
            track.times.push_back(time);
            track.values.insert(track.values.end(), q.data(), q.data() + 4);
        }
    }
    return clip;
}

}  // namespace sinew
