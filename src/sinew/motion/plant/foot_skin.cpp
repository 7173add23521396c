#include <sinew/motion/plant/foot_skin.h>

#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// For each joint the bone of this leg that it moves with; joints elsewhere in the body count as shin.
std::vector<FootBone> bones_of(const Body& target, size_t side) {
    const auto roles = leg_roles(side);
    std::vector<FootBone> bones(target.skeleton.size(), shin_bone);
    for (size_t j = 0; j < bones.size(); ++j) {
        const int32_t parent = target.skeleton.parents()[j];
        if (static_cast<int32_t>(j) == toe_joint(target, side))
            bones[j] = toe_bone;
        else if (static_cast<int32_t>(j) == target.map[roles[2]])
            bones[j] = foot_bone;
        else if (parent >= 0)
            bones[j] = bones[static_cast<size_t>(parent)];
    }
    return bones;
}

struct RestPoint {
    Vec3d place;  // where the target rests
    FootBone bone;
    FootSkin::Point point;
};

void set_place(const FootPose& rest, FootBone bone, double weight, const Vec3d& world, FootSkin::Point& point) {
    const Vec3d& from = bone == toe_bone ? rest.ball : rest.ankle;
    const Quatd& turn = bone == toe_bone ? rest.toes : bone == foot_bone ? rest.foot : rest.shin;
    point.weight[bone] += weight;
    point.place[bone] += weight * (turn.conjugate() * (world - from));
}

FootSkin::Point no_point() {
    FootSkin::Point point;
    point.weight.fill(0.0);
    point.place.fill(Vec3d::Zero());
    return point;
}

// The points that follow the foot or its toes most.
std::vector<RestPoint> collect_points(const Body& target, size_t side, const FootPose& rest,
                                      std::span<const SkinPoint> skin) {
    const std::vector<FootBone> bones = bones_of(target, side);
    const std::vector<AffineD> world = rest_world(target.skeleton);
    std::vector<RestPoint> found;
    for (const SkinPoint& vertex : skin) {
        const auto first = static_cast<size_t>(vertex.joint[0]);
        if (bones[first] == shin_bone) continue;
        RestPoint point{Vec3d::Zero(), bones[first], no_point()};
        for (size_t i = 0; i < vertex.joint.size() && vertex.weight[i] > 0.0f; ++i) {
            const auto joint = static_cast<size_t>(vertex.joint[i]);
            const Vec3d at = world[joint] * Vec3d(vertex.place[i].cast<double>());
            set_place(rest, bones[joint], double{vertex.weight[i]}, at, point.point);
            point.place += double{vertex.weight[i]} * at;
        }
        found.push_back(point);
    }
    return found;
}

// Keeps the outermost points of one bone: evenly spread directions, and as many below the horizon.
void add_outermost(const std::vector<RestPoint>& points, FootBone bone, const Vec3d& up, FootSkin& skin) {
    constexpr size_t directions = 32;
    const double golden = std::acos(-1.0) * (3.0 - std::sqrt(5.0));
    std::vector<size_t> chosen;
    for (size_t k = 0; k < 2 * directions; ++k) {
        const size_t i = k % directions;
        const double y = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / directions, r = std::sqrt(1.0 - y * y);
        Vec3d way(r * std::cos(golden * static_cast<double>(i)), y, r * std::sin(golden * static_cast<double>(i)));
        if (k >= directions) way = Vec3d(way - way.dot(up) * up) - up;
        size_t best = points.size();
        for (size_t p = 0; p < points.size(); ++p)
            if (points[p].bone == bone &&
                (best == points.size() || points[p].place.dot(way) > points[best].place.dot(way)))
                best = p;
        if (best < points.size()) chosen.push_back(best);
    }
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const size_t p : chosen) skin.points.push_back(points[p].point);
}

// A sole at the height of the lower of ankle and ball, from the heel to the tip of the toes, and the ankle's bones.
FootSkin guess_sole(const Body& target, size_t side, const FootPose& rest) {
    constexpr double heel_behind = 0.04, toes_ahead = 0.08;  // legs, behind the ankle and ahead of the ball
    constexpr double ankle_radius = 0.04;                    // legs
    const Vec3d up = target.frame.col(1), ahead = target.feet[side].heading;
    const double sole = std::min(rest.ankle.dot(up), rest.ball.dot(up));
    FootSkin skin;
    const auto put = [&](FootBone bone, const Vec3d& place) {
        FootSkin::Point point = no_point();
        set_place(rest, bone, 1.0, place, point);
        skin.points.push_back(point);
    };
    for (const double out : {-ankle_radius, ankle_radius}) {
        put(foot_bone, rest.ankle + out * target.leg * up.cross(ahead));
        put(foot_bone, rest.ankle + out * target.leg * ahead);
    }
    const auto add = [&](FootBone bone, const Vec3d& place) { put(bone, place + (sole - place.dot(up)) * up); };
    add(foot_bone, rest.ankle - heel_behind * target.leg * ahead);
    add(foot_bone, rest.ball);
    add(toe_joint(target, side) >= 0 ? toe_bone : foot_bone, rest.ball + toes_ahead * target.leg * ahead);
    return skin;
}

}  // namespace

int32_t toe_joint(const Body& target, size_t side) {
    const auto roles = leg_roles(side);
    const int32_t toes = target.map[roles[3]], foot = target.map[roles[2]];
    int32_t above = toes;
    while (above > foot) above = target.skeleton.parents()[static_cast<size_t>(above)];
    return toes >= 0 && foot >= 0 && above == foot ? toes : -1;
}

Vec3d ball_in_foot(const Body& target, size_t side) {
    const auto ankle = static_cast<size_t>(target.feet[side].ankle);
    const int32_t toes = toe_joint(target, side);
    const Vec3d ball =
        toes >= 0 ? target.reference.position[static_cast<size_t>(toes)] : target.feet[side].ball(target.reference);
    return target.reference.rotation[ankle].conjugate() * (ball - target.reference.position[ankle]);
}

double FootSkin::lowest(const FootPose& pose, const Vec3d& up) const {
    const double ankle = pose.ankle.dot(up), ball = pose.ball.dot(up);
    const Vec3d shin = pose.shin.conjugate() * up, foot = pose.foot.conjugate() * up, toes = pose.toes.conjugate() * up;
    double least = INFINITY;
    for (const Point& p : points) {
        const double height = (p.weight[shin_bone] + p.weight[foot_bone]) * ankle + p.weight[toe_bone] * ball +
                              p.place[shin_bone].dot(shin) + p.place[foot_bone].dot(foot) + p.place[toe_bone].dot(toes);
        least = std::min(least, height);
    }
    return least;
}

FootPose rest_foot(const Body& target, size_t side) {
    const auto turn = [&](int32_t joint) { return target.reference.rotation[static_cast<size_t>(joint)]; };
    const int32_t ankle = target.feet[side].ankle, toes = toe_joint(target, side);
    const Vec3d at = target.reference.position[static_cast<size_t>(ankle)];
    return {at, at + turn(ankle) * ball_in_foot(target, side), turn(target.map[leg_roles(side)[1]]), turn(ankle),
            turn(toes >= 0 ? toes : ankle)};
}

FootSkin find_foot_skin(const Body& target, size_t side, std::span<const SkinPoint> skin) {
    const FootPose rest = rest_foot(target, side);
    const std::vector<RestPoint> points = collect_points(target, side, rest, skin);
    if (points.empty()) return guess_sole(target, side, rest);
    FootSkin found;
    for (const FootBone bone : {foot_bone, toe_bone}) add_outermost(points, bone, target.frame.col(1), found);
    return found;
}

}  // namespace sinew
