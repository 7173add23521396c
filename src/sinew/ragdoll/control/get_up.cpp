#include <sinew/ragdoll/control/get_up.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Degrees that the joints bend by on the way: hips, knees, ankles, chest, shoulders (down positive), elbows; and how
// far the pelvis is pitched forwards.
struct Stage {
    double pelvis, hip, knee, ankle, chest, arm, elbow;
};
constexpr Stage sits{-25, 108, 115, 0, 22, 40, 15}, kneels{75, 95, 95, -30, 5, 25, 10},
    crouches{35, 105, 125, 22, 25, 30, 30};
constexpr double rise_seconds = 0.9, crouch_seconds = 0.8, stand_seconds = 0.9;  // from lying, and so on, at least
// Where the way is far, it takes longer: no joint of a body of 1.75 m is faster than this, in m/s.
constexpr double comfortable_speed = 3.0;
constexpr int speed_samples = 24;   // of each stage
constexpr int slowing_rounds = 4;   // slowing one stage changes the others a little
constexpr double fold_share = 0.9;  // of what the joints of an animal's leg bend by, when it gathers its legs

double ease(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);  // no jump of speed or acceleration at the ends
}
double in_radians(double angle_deg) {
    return angle_deg * std::numbers::pi / 180.0;
}

double bend_of(PartKind kind, const Stage& stage) {
    switch (kind) {
        case PartKind::upper_leg:
            return stage.hip;
        case PartKind::lower_leg:
            return stage.knee;
        case PartKind::foot:
            return stage.ankle;
        case PartKind::waist:
            return 0.5 * stage.chest;
        case PartKind::chest:
            return stage.chest;
        case PartKind::upper_arm:
            return stage.arm;
        case PartKind::lower_arm:
            return stage.elbow;
        default:
            return 0.0;
    }
}

// These bend from how they stand at rest; thighs, shins and arms from straight, as their frames have it.
bool bends_from_rest(PartKind kind) {
    return kind != PartKind::upper_leg && kind != PartKind::lower_leg && kind != PartKind::upper_arm &&
           kind != PartKind::lower_arm;
}

// An animal that has gathered its legs: the joints of each bend to and fro, the way round that shortens the leg.
std::vector<Vec3d> folded_legs(const RagdollBody& body, std::span<const PartState> rest) {
    std::vector<Vec3d> out(rest.size());
    const auto parent_of = [&](size_t i) { return static_cast<size_t>(body.parts[i].parent); };
    for (size_t i = 0; i < rest.size(); ++i)
        if (body.parts[i].parent >= 0)
            out[i] = joint_angles(body.parts[i], rest[parent_of(i)].rotation, rest[i].rotation);
    for (size_t root = 0; root < rest.size(); ++root) {
        if (body.parts[root].kind != PartKind::limb_root) continue;
        double shortest = INFINITY;
        std::vector<Vec3d> best = out;
        for (const double first : {1.0, -1.0}) {
            std::vector<Vec3d> tried = out;
            std::vector<Quatd> turned(rest.size());
            std::vector<bool> below(rest.size(), false);
            double reach = 0.0, sign = first;
            for (size_t i = root; i < rest.size(); ++i) {
                const RagdollPart& part = body.parts[i];
                below[i] = i == root || (part.kind == PartKind::limb && below[parent_of(i)]);
                if (!below[i]) continue;
                const double bend = fold_share * (sign > 0.0 ? part.high.x() : part.low.x());
                tried[i].x() = std::clamp(out[i].x() + bend, part.low.x(), part.high.x());
                const Quatd& carries = i == root ? rest[parent_of(i)].rotation : turned[parent_of(i)];
                turned[i] = rotation_for_angles(part, carries, tried[i]);
                reach -= 2.0 * (turned[i] * part.centre).dot(body.up);
                sign = -sign;
            }
            if (reach < shortest) shortest = reach, best = std::move(tried);
        }
        out = std::move(best);
    }
    return out;
}

double lowest_point(const RagdollBody& body, std::span<const PartState> parts) {
    double lowest = INFINITY;
    for (size_t i = 0; i < parts.size(); ++i) {
        const RagdollPart& p = body.parts[i];
        const double end = std::abs((parts[i].rotation * (p.turn * Vec3d(0, p.half, 0))).dot(body.up));
        if (p.balls.empty()) lowest = std::min(lowest, parts[i].position.dot(body.up) - end - p.radius);
        for (const Vec3d& ball : p.balls)
            lowest = std::min(lowest, (parts[i].position + parts[i].rotation * ball).dot(body.up) - p.ball_radius);
    }
    return lowest;
}

}  // namespace

// Parts put together from their relative rotations, the root's centre at the origin. Joints are where the lying pose
// has them in their parents.
std::vector<PartState> GetUp::assemble(std::span<const Quatd> relative) const {
    const std::vector<PartState> lying = parts_of_pose(body_, lying_);
    std::vector<PartState> parts(relative.size());
    for (size_t i = 0; i < parts.size(); ++i) {
        const RagdollPart& part = body_.parts[i];
        if (part.parent < 0) {
            parts[i].rotation = relative[i];
            continue;
        }
        const auto p = static_cast<size_t>(part.parent);
        const Vec3d pivot = lying[i].position - lying[i].rotation * part.centre;
        const Vec3d in_parent = lying[p].rotation.conjugate() * (pivot - lying[p].position);
        parts[i].rotation = (parts[p].rotation * relative[i]).normalized();
        parts[i].position = parts[p].position + parts[p].rotation * in_parent + parts[i].rotation * part.centre;
    }
    return parts;
}

Vec3d GetUp::middle_of_feet(std::span<const PartState> parts) const {
    Vec3d sum = Vec3d::Zero();
    int feet = 0;
    for (size_t i = 0; i < parts.size(); ++i)
        if (body_.parts[i].kind == PartKind::foot) sum += parts[i].position, ++feet;
    return feet > 0 ? Vec3d(sum / feet) : parts[0].position;
}

GetUp::GetUp(const RagdollBody& body, const Pose& lying, const Pose& standing, double ground)
    : body_(body), lying_(lying), standing_(standing), ground_(ground) {
    const std::vector<PartState> lies = parts_of_pose(body, lying), stands = parts_of_pose(body, standing);
    const std::vector<PartState> rest = parts_of_pose(body, {body.skeleton.rest(), {}});
    const int32_t chest = std::max(body.find(PartKind::chest), 0);
    const auto now = [&](const Vec3d& direction) {  // of the trunk, which looked along `direction` at rest
        const auto c = static_cast<size_t>(chest);
        return Vec3d(lies[c].rotation * (rest[c].rotation.conjugate() * direction));
    };
    const bool on_back = now(body.ahead).dot(body.up) > 0.0;
    // It faces where its feet were if it sits up, where its head was if it kneels; if it stands, where it looks.
    Vec3d facing = on_back ? Vec3d(-now(body.up)) : now(body.up);
    if (!body.person || std::abs(now(body.up).dot(body.up)) > 0.7) facing = now(body.ahead);
    facing -= facing.dot(body.up) * body.up;
    const double yaw = std::atan2(facing.dot(body.left), facing.dot(body.ahead));
    const Vec3d looks = stands[0].rotation * (rest[0].rotation.conjugate() * body.ahead);
    turn_ = Eigen::AngleAxisd(yaw - std::atan2(looks.dot(body.left), looks.dot(body.ahead)), body.up);

    const auto relative_of = [&](std::span<const PartState> parts, const Quatd& turned) {
        std::vector<Quatd> out;
        for (size_t i = 0; i < parts.size(); ++i)
            out.push_back(
                body.parts[i].parent < 0
                    ? (turned * parts[i].rotation).normalized()
                    : (parts[static_cast<size_t>(body.parts[i].parent)].rotation.conjugate() * parts[i].rotation)
                          .normalized());
        return out;
    };
    const Quatd heading(Eigen::AngleAxisd(yaw, body.up));
    const auto staged = [&](const Stage& stage) {
        std::vector<Quatd> out;
        const Quatd pitch(Eigen::AngleAxisd(in_radians(stage.pelvis), body.left));
        for (size_t i = 0; i < rest.size(); ++i) {
            const RagdollPart& part = body.parts[i];
            if (part.parent < 0) {
                out.push_back((heading * pitch * rest[i].rotation).normalized());
                continue;
            }
            Vec3d angles(in_radians(bend_of(part.kind, stage)), 0.0, 0.0);
            if (bends_from_rest(part.kind))
                angles += joint_angles(part, rest[static_cast<size_t>(part.parent)].rotation, rest[i].rotation);
            angles = angles.cwiseMax(part.low).cwiseMin(part.high);
            out.push_back(rotation_for_angles(part, Quatd::Identity(), angles));
        }
        return out;
    };
    const auto gathered = [&] {
        const std::vector<Vec3d> angles = folded_legs(body, rest);
        std::vector<Quatd> out;
        for (size_t i = 0; i < rest.size(); ++i)
            out.push_back(body.parts[i].parent < 0 ? Quatd((heading * rest[i].rotation).normalized())
                                                   : rotation_for_angles(body.parts[i], Quatd::Identity(), angles[i]));
        return out;
    };
    const double pace = std::sqrt(body.height / usual_height);
    keys_.push_back(relative_of(lies, Quatd::Identity())), times_.push_back(0.0);
    if (body.person) {
        keys_.push_back(staged(on_back ? sits : kneels)), times_.push_back(times_.back() + rise_seconds * pace);
        keys_.push_back(staged(crouches)), times_.push_back(times_.back() + crouch_seconds * pace);
    } else {
        keys_.push_back(gathered()), times_.push_back(times_.back() + rise_seconds * pace);
    }
    keys_.push_back(relative_of(stands, turn_)), times_.push_back(times_.back() + stand_seconds * pace);
    seconds_ = times_.back();

    pelvis_start_ = lies[0].position;
    lift_start_ = lowest_point(body, lies) - ground;
    lift_end_ = lowest_point(body, stands) - ground;
    // The feet come down where the first stage has them, with the pelvis where it lies.
    const std::vector<PartState> first = assemble(keys_[1]);
    feet_end_ = pelvis_start_ + middle_of_feet(first) - first[0].position;
    std::vector<PartState> end = assemble(keys_.back());
    const Vec3d shift = feet_end_ - middle_of_feet(end);
    const Vec3d stands_at = end[0].position + shift;
    move_ = stands_at - turn_ * stands[0].position;
    move_ -= move_.dot(body.up) * body.up;
    slow_down(comfortable_speed * pace);
}

// Stretches each stage until no joint is faster than `most`.
void GetUp::slow_down(double most) {
    const auto joints_at = [&](double time) {
        Pose pose;
        pose_at(time, pose);
        std::vector<AffineD> out(pose.local.size());
        local_to_world(body_.skeleton.parents(), pose.local, out);
        return out;
    };
    for (int round = 0; round < slowing_rounds; ++round) {
        std::vector<double> lengths;
        bool slow = true;
        for (size_t k = 0; k + 1 < times_.size(); ++k) {
            const double length = times_[k + 1] - times_[k], step = length / speed_samples;
            double fastest = 0.0;
            std::vector<AffineD> last = joints_at(times_[k]);
            for (int i = 1; i <= speed_samples; ++i) {
                std::vector<AffineD> now = joints_at(times_[k] + i * step);
                for (size_t j = 0; j < now.size(); ++j)
                    fastest = std::max(fastest, (now[j].translation() - last[j].translation()).norm() / step);
                last = std::move(now);
            }
            slow = slow && fastest <= most;
            lengths.push_back(length * std::max(1.0, fastest / most));
        }
        for (size_t k = 0; k < lengths.size(); ++k) times_[k + 1] = times_[k] + lengths[k];
        seconds_ = times_.back();
        if (slow) return;
    }
}

void GetUp::pose_at(double time, Pose& pose) const {
    time = std::clamp(time, 0.0, seconds_);
    size_t k = 0;
    while (k + 2 < keys_.size() && time >= times_[k + 1]) ++k;
    const double share = ease((time - times_[k]) / (times_[k + 1] - times_[k]));
    std::vector<Quatd> relative(keys_[k].size());
    for (size_t i = 0; i < relative.size(); ++i) relative[i] = keys_[k][i].slerp(share, keys_[k + 1][i]);
    std::vector<PartState> parts = assemble(relative);
    // The pelvis stays put until the feet are down, then the feet do.
    const double all = ease(time / seconds_), feet = k == 0 ? share : 1.0;
    Vec3d shift = (1.0 - feet) * (pelvis_start_ - parts[0].position) + feet * (feet_end_ - middle_of_feet(parts));
    shift -= shift.dot(body_.up) * body_.up;
    const double lift = ground_ + (1.0 - all) * lift_start_ + all * lift_end_;
    for (PartState& p : parts) p.position += shift;
    const double up = lift - lowest_point(body_, parts);
    for (PartState& p : parts) p.position += up * body_.up;
    pose = lying_;
    for (size_t j = 0; j < pose.local.size(); ++j) {
        pose.local[j].rotation = lying_.local[j].rotation.slerp(static_cast<float>(all), standing_.local[j].rotation);
        pose.local[j].translation +=
            static_cast<float>(all) * (standing_.local[j].translation - lying_.local[j].translation);
        pose.local[j].scale += static_cast<float>(all) * (standing_.local[j].scale - lying_.local[j].scale);
    }
    for (size_t m = 0; m < std::min(pose.morphs.size(), standing_.morphs.size()); ++m)
        pose.morphs[m] += static_cast<float>(all) * (standing_.morphs[m] - lying_.morphs[m]);
    pose_of_parts(body_, parts, pose);
}

}  // namespace sinew
