#include <sinew/sets/index/describe_motion.h>

#include <sinew/motion/mapping/moving_body.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/motion/retarget/source_clip.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr std::array described_roles = {
    Role::head,           Role::left_hand,       Role::right_hand, Role::left_lower_arm, Role::right_lower_arm,
    Role::left_lower_leg, Role::right_lower_leg, Role::left_foot,  Role::right_foot};
constexpr size_t described = described_roles.size();
constexpr std::array<size_t, 5> moving_points = {0, 1, 2, 7, 8};  // of these: head, hands, feet

// Where the parts of a row begin, and what they weigh. A stride moves feet by about a leg's length at two legs a
// second.
enum RowPart : size_t {
    row_places = 0,
    row_height = row_places + 3 * described,
    row_trunk = row_height + 1,
    row_speeds = row_trunk + 3,
    row_ahead = row_speeds + 3 * moving_points.size(),
    row_aside,
    row_rise,
    row_turn,
    row_end
};
static_assert(row_end == motion_features);
constexpr double place_weight = 1.0, height_weight = 2.0, trunk_weight = 1.0, speed_weight = 0.2, way_weight = 0.6,
                 rise_weight = 0.4, turn_weight = 0.25;

// One moment of a body.
struct Moment {
    Vec3d hips, trunk, left;
    std::array<Vec3d, described> point;
};

class MomentReader {
public:
    MomentReader(const Skeleton& skeleton, const Clip& clip, const HumanoidMap& map, const Vec3d& up)
        : skeleton_(skeleton), clip_(clip), map_(map), up_(up), pose_{skeleton.rest(), {}}, world_(skeleton.size()) {
        // Only the joints above the described ones are needed.
        needed_.assign(skeleton.size(), 0);
        for (size_t role = 0; role < static_cast<size_t>(Role::left_thumb_metacarpal); ++role)
            for (int32_t j = map.joint[role]; j >= 0; j = skeleton.parents()[static_cast<size_t>(j)])
                needed_[static_cast<size_t>(j)] = 1;
    }

    Moment at(double time) {
        sample(clip_, static_cast<float>(time), pose_);
        for (size_t j = 0; j < world_.size(); ++j) {
            if (!needed_[j]) continue;
            const int32_t parent = skeleton_.parents()[j];
            const AffineD own = to_affine_d(pose_.local[j]);
            world_[j] = parent < 0 ? own : AffineD(world_[static_cast<size_t>(parent)] * own);
        }
        const auto place = [&](Role role) { return Vec3d(world_[static_cast<size_t>(map_[role])].translation()); };
        const auto or_else = [&](Role role, Role other) { return map_[role] >= 0 ? place(role) : place(other); };
        Moment moment;
        const Vec3d hip_l = place(Role::left_upper_leg), hip_r = place(Role::right_upper_leg);
        const Vec3d arm_l = place(Role::left_upper_arm), arm_r = place(Role::right_upper_arm);
        moment.hips = 0.5 * (hip_l + hip_r);
        moment.trunk = (0.5 * (arm_l + arm_r) - moment.hips).normalized();
        moment.left = hip_l - hip_r + arm_l - arm_r;
        const Vec3d neck = 0.5 * (arm_l + arm_r);
        moment.point = {map_[Role::head] >= 0 ? place(Role::head) : neck,
                        or_else(Role::left_hand, Role::left_lower_arm),
                        or_else(Role::right_hand, Role::right_lower_arm),
                        place(Role::left_lower_arm),
                        place(Role::right_lower_arm),
                        place(Role::left_lower_leg),
                        place(Role::right_lower_leg),
                        or_else(Role::left_foot, Role::left_lower_leg),
                        or_else(Role::right_foot, Role::right_lower_leg)};
        return moment;
    }

    // Left, up, ahead, upright; the last one where a body's left points up.
    Mat3d frame_of(const Moment& moment) {
        Vec3d left = moment.left - moment.left.dot(up_) * up_;
        if (left.norm() < 0.2 * moment.left.norm() || !(left.norm() > 0.0)) left = left_;
        left_ = left.normalized();
        Mat3d frame;
        frame << left_, up_, left_.cross(up_);
        return frame;
    }

private:
    const Skeleton& skeleton_;
    const Clip& clip_;
    const HumanoidMap& map_;
    Vec3d up_, left_ = Vec3d::UnitX();
    Pose pose_;
    std::vector<AffineD> world_;
    std::vector<char> needed_;
};

void put(MotionRow& row, size_t at, const Vec3d& value, double weight) {
    for (Eigen::Index c = 0; c < 3; ++c) row[at + static_cast<size_t>(c)] = static_cast<float>(weight * value[c]);
}

// A moment with those before and after it, and the body's frame in it.
struct MovingMoment {
    std::array<Moment, 3> at;
    Mat3d frame;
    double turn = 0.0;  // radians from the first to the last

    Vec3d way() const { return at[2].hips - at[0].hips; }
    Vec3d way_of(size_t point) const { return at[2].point[point] - at[0].point[point]; }
};

// How a body that walks on the spot would go if its feet held the ground, in its own frame, per moment; zero where it
// goes. `low` is how high a foot is at most that stands.
Vec3d treadmill_way(const std::vector<MovingMoment>& moments, const Vec3d& up, double low, double leg, double seconds) {
    Vec3d way = Vec3d::Zero(), tread = Vec3d::Zero();
    double steps = 0.0;
    for (const MovingMoment& m : moments) {
        way += m.frame.transpose() * m.way();
        const size_t foot = m.at[1].point[7].dot(up) < m.at[1].point[8].dot(up) ? 7 : 8;
        if (m.at[1].point[foot].dot(up) > low) continue;
        tread += m.frame.transpose() * (m.way() - m.way_of(foot));
        steps += 1.0;
    }
    if (steps == 0.0) return Vec3d::Zero();
    way /= static_cast<double>(moments.size());
    tread /= steps;
    way.y() = tread.y() = 0.0;
    constexpr double stays = 0.2, goes = 0.4;  // of what the feet tell; legs a second
    return way.norm() < stays * tread.norm() && tread.norm() > goes * leg * seconds ? tread : Vec3d::Zero();
}

MotionRow make_row(const MovingMoment& moment, const Vec3d& tread, double leg, double ground, double seconds) {
    const auto& [before, now, after] = moment.at;
    const Mat3d& frame = moment.frame;
    MotionRow row{};
    const Mat3d to_body = frame.transpose() / leg;
    for (size_t p = 0; p < described; ++p)
        put(row, row_places + 3 * p, to_body * (now.point[p] - now.hips), place_weight);
    row[row_height] = static_cast<float>(height_weight * (now.hips.dot(frame.col(1)) - ground) / leg);
    put(row, row_trunk, frame.transpose() * now.trunk, trunk_weight);
    const Vec3d way = to_body * moment.way() / seconds;
    for (size_t m = 0; m < moving_points.size(); ++m) {
        const size_t p = moving_points[m];
        put(row, row_speeds + 3 * m, to_body * moment.way_of(p) / seconds - way, speed_weight);
    }
    const Vec3d gone = way + tread / (leg * seconds);
    row[row_ahead] = static_cast<float>(way_weight * gone.z());
    row[row_aside] = static_cast<float>(way_weight * gone.x());
    row[row_rise] = static_cast<float>(rise_weight * way.y());
    row[row_turn] = static_cast<float>(turn_weight * moment.turn / seconds);
    return row;
}

}  // namespace

MotionDescription describe_motion(const Skeleton& skeleton, const Clip& clip) {
    MotionDescription made;
    made.seconds = duration(clip);
    constexpr double most_rows = 1e6;
    if (made.seconds * motion_feature_rate > most_rows) return made;
    Clip joints = joints_only(clip);
    if (!validate(joints, skeleton.size(), 0)) return made;
    const MovingBody body = see_moving_body(skeleton, joints);
    if (!body.map.is_body()) return made;
    const WorldPose reference = world_pose(skeleton, body.stance.empty() ? skeleton.rest() : body.stance);
    const Vec3d up = body_frame(body.map, reference).col(1);
    const double leg = leg_length(body.map, reference);
    if (!(leg > 0.0)) return made;

    MomentReader reader(skeleton, joints, body.map, up);
    constexpr double half_step = 0.5 / 30.0;
    const auto count = static_cast<size_t>(made.seconds * motion_feature_rate) + 1;
    std::vector<MovingMoment> moments;
    std::vector<double> heights;
    for (size_t i = 0; i < count; ++i) {
        // Half a row from the start: captures begin with a T-pose that is no part of the motion.
        const double time =
            std::min((static_cast<double>(i) + 0.5) / motion_feature_rate, static_cast<double>(made.seconds));
        MovingMoment m{{reader.at(time - half_step), reader.at(time), reader.at(time + half_step)}, {}, 0.0};
        const Vec3d from = reader.frame_of(m.at[0]).col(2);
        m.frame = reader.frame_of(m.at[1]);
        const Vec3d to = reader.frame_of(m.at[2]).col(2);
        m.turn = std::atan2(from.cross(to).dot(up), from.dot(to));
        heights.push_back(std::min(m.at[1].point[7].dot(up), m.at[1].point[8].dot(up)));
        moments.push_back(m);
    }
    // The ground is where the lower foot mostly is.
    constexpr double low_share = 0.1;
    std::vector<double> sorted = heights;
    const auto low = sorted.begin() + static_cast<std::ptrdiff_t>(low_share * static_cast<double>(sorted.size()));
    std::nth_element(sorted.begin(), low, sorted.end());
    constexpr double stands_near = 0.12, stands_slow = 0.5;  // legs, legs a second
    const Vec3d tread = treadmill_way(moments, up, *low + stands_near * leg, leg, 2.0 * half_step);
    for (const MovingMoment& m : moments) {
        made.rows.push_back(make_row(m, tread, leg, *low, 2.0 * half_step));
        uint8_t stands = 0;
        for (size_t side = 0; side < 2; ++side) {
            const bool near = m.at[1].point[7 + side].dot(up) - *low < stands_near * leg;
            const double speed = (m.way_of(7 + side) + m.frame * tread).norm() / (2.0 * half_step);
            if (near && speed < stands_slow * leg) stands |= static_cast<uint8_t>(1u << side);
        }
        made.contacts.push_back(stands);
    }
    return made;
}

RowMeasures read_row(const MotionRow& row) {
    const auto at = [&](size_t from, double weight) {
        return Vec3(Vec3(row[from], row[from + 1], row[from + 2]) / static_cast<float>(weight));
    };
    const auto place = [&](size_t p) { return at(row_places + 3 * p, place_weight); };
    const auto speed = [&](size_t m) { return at(row_speeds + 3 * m, speed_weight); };
    RowMeasures out;
    out.head = place(0);
    out.hand = {place(1), place(2)};
    out.elbow = {place(3), place(4)};
    out.knee = {place(5), place(6)};
    out.foot = {place(7), place(8)};
    out.trunk = at(row_trunk, trunk_weight);
    out.head_speed = speed(0);
    out.hand_speed = {speed(1), speed(2)};
    out.foot_speed = {speed(3), speed(4)};
    out.height = row[row_height] / static_cast<float>(height_weight);
    out.way = Vec3(row[row_aside] / static_cast<float>(way_weight), row[row_rise] / static_cast<float>(rise_weight),
                   row[row_ahead] / static_cast<float>(way_weight));
    out.turn = row[row_turn] / static_cast<float>(turn_weight);
    return out;
}

MotionRow mirrored_row(const MotionRow& row) {
    MotionRow out = row;
    const auto mirror = [&](size_t from, size_t to) {
        for (size_t c = 0; c < 3; ++c) out[to + c] = c == 0 ? -row[from + c] : row[from + c];
    };
    constexpr std::array<size_t, described> partner = {0, 2, 1, 4, 3, 6, 5, 8, 7};
    constexpr std::array<size_t, moving_points.size()> moving_partner = {0, 2, 1, 4, 3};
    for (size_t p = 0; p < described; ++p) mirror(row_places + 3 * partner[p], row_places + 3 * p);
    for (size_t p = 0; p < moving_points.size(); ++p) mirror(row_speeds + 3 * moving_partner[p], row_speeds + 3 * p);
    mirror(row_trunk, row_trunk);
    out[row_aside] = -row[row_aside];
    out[row_turn] = -row[row_turn];
    return out;
}

}  // namespace sinew
