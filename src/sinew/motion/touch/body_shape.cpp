#include <sinew/motion/touch/body_shape.h>

#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A usual person, measured on the sample humanoid; metres, with legs of `usual_leg` from hip to ankle.
constexpr double usual_leg = 0.83;
constexpr double pi_d = 3.14159265358979323846;

struct TrunkStation {
    double share;  // of the way from the hip sockets to the base of the neck
    double side, front, back;
};
constexpr std::array trunk_stations = {
    TrunkStation{-0.10, 0.178, 0.124, 0.143}, TrunkStation{0.03, 0.172, 0.120, 0.132},
    TrunkStation{0.16, 0.157, 0.115, 0.103},  TrunkStation{0.31, 0.146, 0.110, 0.090},
    TrunkStation{0.47, 0.152, 0.115, 0.098},  TrunkStation{0.66, 0.168, 0.122, 0.112},
    TrunkStation{0.79, 0.170, 0.110, 0.115},  TrunkStation{0.90, 0.145, 0.075, 0.095},
    TrunkStation{1.00, 0.090, 0.058, 0.066}};
struct HeadStation {
    double share;  // of the way from the base of the neck to the middle of the head
    double side, front, back;
};
constexpr std::array head_stations = {HeadStation{0.0, 0.058, 0.055, 0.060}, HeadStation{0.45, 0.060, 0.070, 0.072},
                                      HeadStation{0.75, 0.074, 0.100, 0.090}, HeadStation{1.0, 0.082, 0.104, 0.096}};
// Radii at the beginning and the end of a limb.
struct LimbRadii {
    double from, to;
};
constexpr LimbRadii upper_arm_radii{0.055, 0.045}, forearm_radii{0.044, 0.028}, thigh_radii{0.092, 0.060},
    shin_radii{0.058, 0.040};
constexpr double head_middle_above_joint = 0.115, skull = 0.100, palm_from_wrist = 0.075, hand_radius = 0.014;

double ellipse(double side, double ahead, double angle) {
    return 1.0 / std::hypot(std::sin(angle) / side, std::cos(angle) / ahead);
}

// Where a bin of the radii lies.
double along_of(size_t row) {
    constexpr auto ends = static_cast<double>(BodySegment::end_rows),
                   middle = static_cast<double>(BodySegment::middle_rows);
    const double r = static_cast<double>(row) + 0.5;
    return r < ends ? r / ends - 1 : r < ends + middle ? (r - ends) / middle : 1 + (r - ends - middle) / ends;
}
double around_of(size_t column) {
    return 2 * pi_d * ((static_cast<double>(column) + 0.5) / BodySegment::columns - 0.5);
}

template <class RadiusAt>
void fill_radii(BodySegment& part, RadiusAt radius_at) {
    for (size_t row = 0; row < BodySegment::rows; ++row)
        for (size_t column = 0; column < BodySegment::columns; ++column)
            part.radius[row * BodySegment::columns + column] = radius_at(along_of(row), around_of(column));
    set_widest(part);
}

template <class Stations>
double station_radius(const Stations& stations, double along, double around) {
    size_t i = 0;
    while (i + 2 < stations.size() && stations[i + 1].share < along) ++i;
    const auto &a = stations[i], &b = stations[i + 1];
    const double u = std::clamp((along - a.share) / (b.share - a.share), 0.0, 1.0);
    const bool ahead = std::cos(around) > 0;
    return ellipse(a.side + u * (b.side - a.side),
                   ahead ? a.front + u * (b.front - a.front) : a.back + u * (b.back - a.back), around);
}

bool has(const Body& body, Role role) {
    return body.map[role] >= 0;
}

Vec3d reference_of(const Body& body, Role role) {
    return body.reference.position[static_cast<size_t>(body.map[role])];
}

std::vector<Role> spine_roles(const Body& body) {
    std::vector<Role> roles = {Role::hips};
    for (const Role role : {Role::spine, Role::chest, Role::upper_chest})
        if (has(body, role)) roles.push_back(role);
    return roles;
}

// The base of the neck, by the shoulders: rigs put their neck joint anywhere from the middle of the chest to the
// throat.
Vec3d neck_base(const Body& body) {
    constexpr double shoulders_at = 0.9;  // of its height over the hip sockets
    const Vec3d up = body.frame.col(1), sockets = socket_center(body.map, body.reference);
    const Vec3d shoulders =
        0.5 * (reference_of(body, Role::left_upper_arm) + reference_of(body, Role::right_upper_arm));
    const Vec3d middle = has(body, Role::neck) ? reference_of(body, Role::neck) : shoulders;
    const double height = (shoulders - sockets).dot(up) / shoulders_at;
    return middle + (height - (middle - sockets).dot(up)) * up;
}

void set_trunk_and_head(const Body& body, double size, BodyShape& shape) {
    const std::vector<Role> spine = spine_roles(body);
    std::vector<PartNode> nodes;
    const Vec3d sockets = socket_center(body.map, body.reference), up = body.frame.col(1);
    nodes.push_back({Role::hips, sockets - reference_of(body, Role::hips)});
    for (size_t i = 1; i < spine.size(); ++i)
        if ((reference_of(body, spine[i]) - sockets).dot(up) > 0.05 * body.leg)
            nodes.push_back({spine[i], Vec3d::Zero()});
    const Vec3d neck = neck_base(body);
    nodes.push_back({spine.back(), neck - reference_of(body, spine.back())});
    set_axis(shape[PartName::trunk], body, std::move(nodes));
    fill_radii(shape[PartName::trunk],
               [&](double along, double around) { return size * station_radius(trunk_stations, along, around); });
    if (!has(body, Role::head)) return;
    const Vec3d middle = size * head_middle_above_joint * up;
    nodes.clear();
    if (has(body, Role::neck)) nodes.push_back({Role::neck, neck - reference_of(body, Role::neck)});
    if (!has(body, Role::neck)) nodes.push_back({Role::head, Vec3d::Zero()});
    nodes.push_back({Role::head, middle});
    set_axis(shape[PartName::head], body, std::move(nodes));
    fill_radii(shape[PartName::head], [&](double along, double around) {
        if (along <= 1) return size * station_radius(head_stations, along, around);
        const double top = std::min(1.0, along - 1);
        return size * ((1 - top) * station_radius(head_stations, 1.0, around) + top * skull);
    });
}

void set_limb(const Body& body, Role from, Role to, const LimbRadii& radii, double size, BodySegment& part) {
    if (!has(body, from) || !has(body, to)) return;
    set_axis(part, body, {{from, Vec3d::Zero()}, {to, Vec3d::Zero()}});
    fill_radii(part, [&](double along, double) {
        const double u = std::clamp(along, 0.0, 1.0);
        return size * (radii.from + u * (radii.to - radii.from));
    });
}

constexpr std::array forearm_shares = {0.0, 0.25, 0.5, 0.75, 1.0};

// Balls along the forearm and the hand of a usual person.
void set_arm(const Body& body, size_t side, double size, BodyShape& shape) {
    const auto roles = arm_roles(side);
    if (!has(body, roles[2]) || !has(body, roles[3])) return;
    const Vec3d elbow = reference_of(body, roles[2]), wrist = reference_of(body, roles[3]);
    const Vec3d ahead = (wrist - elbow).normalized();
    for (const double share : forearm_shares)
        shape.arm[side].push_back({ArmBone::forearm, Vec3d(share, 0, 0),
                                   size * (forearm_radii.from + share * (forearm_radii.to - forearm_radii.from))});
    shape.palm[side] = size * palm_from_wrist * ahead;
    for (const double reach : {0.5, 1.0, 1.6, 2.1})
        shape.arm[side].push_back({ArmBone::hand, reach * shape.palm[side], size * hand_radius});
}

void set_floor_points(const Body& body, const BodyShape& shape, std::vector<FloorPoint>& points) {
    const PosedShape pose = body_pose(body, body.reference);
    for (const PartName name : {PartName::trunk, PartName::head, PartName::left_thigh, PartName::right_thigh}) {
        const BodySegment& part = shape[name];
        if (!part.exists()) continue;
        const PosedPart posed = pose_part(part, pose);
        for (const double along : {-0.5, 0.05, 0.3, 0.55, 0.8, 1.0, 1.4, 1.9}) {
            for (size_t c = 0; c < BodySegment::columns; c += 3) {
                const Vec3d point = point_at(posed, {along, around_of(c), part.radius_at(along, around_of(c))});
                size_t nearest = 0;
                for (size_t n = 0; n < part.nodes.size(); ++n)
                    if (part.share[n] <= along + 1e-9 && (part.nodes.size() > 2 || n == 0)) nearest = n;
                const Role joint = part.nodes[nearest].joint;
                points.push_back({joint, point - pose.at(joint)});
            }
        }
    }
}

BodyShape usual_shape(const Body& body) {
    BodyShape shape;
    const double size = body.leg / usual_leg;
    set_trunk_and_head(body, size, shape);
    constexpr std::array arms = {PartName::left_upper_arm, PartName::right_upper_arm};
    constexpr std::array forearms = {PartName::left_forearm, PartName::right_forearm};
    constexpr std::array thighs = {PartName::left_thigh, PartName::right_thigh};
    constexpr std::array shins = {PartName::left_shin, PartName::right_shin};
    for (size_t side = 0; side < 2; ++side) {
        const auto arm = arm_roles(side), leg = leg_roles(side);
        set_limb(body, arm[1], arm[2], upper_arm_radii, size, shape[arms[side]]);
        set_limb(body, arm[2], arm[3], forearm_radii, size, shape[forearms[side]]);
        set_limb(body, leg[0], leg[1], thigh_radii, size, shape[thighs[side]]);
        set_limb(body, leg[1], leg[2], shin_radii, size, shape[shins[side]]);
        set_arm(body, side, size, shape);
    }
    shape.hand_thickness = 2 * size * hand_radius;
    return shape;
}

// Which part a role's skin belongs to; count: none, or a hand's.
PartName part_of(Role role) {
    switch (role) {
        case Role::hips:
        case Role::spine:
        case Role::chest:
        case Role::upper_chest:
        case Role::left_shoulder:
        case Role::right_shoulder:
            return PartName::trunk;
        case Role::neck:
        case Role::head:
        case Role::jaw:
        case Role::left_eye:
        case Role::right_eye:
            return PartName::head;
        case Role::left_upper_arm:
            return PartName::left_upper_arm;
        case Role::right_upper_arm:
            return PartName::right_upper_arm;
        case Role::left_lower_arm:
            return PartName::left_forearm;
        case Role::right_lower_arm:
            return PartName::right_forearm;
        case Role::left_upper_leg:
            return PartName::left_thigh;
        case Role::right_upper_leg:
            return PartName::right_thigh;
        case Role::left_lower_leg:
            return PartName::left_shin;
        case Role::right_lower_leg:
            return PartName::right_shin;
        default:
            return PartName::count;
    }
}

int hand_side(Role role) {
    if (role == Role::left_hand) return 0;
    if (role == Role::right_hand) return 1;
    if (role < Role::left_thumb_metacarpal || role == Role::count) return -1;
    return role <= Role::left_little_distal ? 0 : 1;
}

// The role of each joint, or of its nearest ancestor that has one.
std::vector<Role> inherited_roles(const Body& body) {
    std::vector<Role> roles = body.map.roles(body.skeleton.size());
    for (size_t j = 0; j < roles.size(); ++j)
        if (const int32_t parent = body.skeleton.parents()[j]; roles[j] == Role::count && parent >= 0)
            roles[j] = roles[static_cast<size_t>(parent)];
    return roles;
}

// The outermost points in directions spread evenly over the sphere.
std::vector<Vec3d> outermost(const std::vector<Vec3d>& points, size_t directions) {
    std::vector<Vec3d> chosen;
    if (points.empty()) return chosen;
    // One coordinate after another: the products go through the processor's wide registers.
    const auto count = static_cast<Eigen::Index>(points.size());
    Eigen::ArrayX3d place(count, 3);
    for (size_t i = 0; i < points.size(); ++i) place.row(static_cast<Eigen::Index>(i)) = points[i];
    Eigen::ArrayXd reach(count);
    std::vector<bool> taken(points.size(), false);
    for (size_t k = 0; k < directions; ++k) {
        const double y = 1 - 2 * (static_cast<double>(k) + 0.5) / static_cast<double>(directions);
        const double turn = static_cast<double>(k) * pi_d * (3 - std::sqrt(5.0)), ring = std::sqrt(1 - y * y);
        const Vec3d direction(ring * std::cos(turn), y, ring * std::sin(turn));
        reach = direction.x() * place.col(0) + direction.y() * place.col(1) + direction.z() * place.col(2);
        const double most = reach.maxCoeff();
        size_t best = 0;
        while (best + 1 < points.size() && reach[static_cast<Eigen::Index>(best)] < most) ++best;
        if (!taken[best]) chosen.push_back(points[best]);
        taken[best] = true;
    }
    return chosen;
}

struct SortedSkin {
    std::array<std::vector<Vec3d>, part_count> part;
    std::array<std::vector<Vec3d>, 2> hand;
    std::array<std::vector<Vec3d>, body_role_count> role;  // for the floor
};

SortedSkin sort_skin(const Body& body, std::span<const SkinPoint> skin) {
    SortedSkin sorted;
    const std::vector<Role> roles = inherited_roles(body);
    const std::vector<AffineD> rest = rest_world(body.skeleton);
    const WorldPose unscaled = world_pose(body.skeleton, body.skeleton.rest());
    // From the space of a joint as it rests, with its scale, to the reference pose.
    const auto referred = [&](size_t j, const Vec3d& place) -> Vec3d {
        const Vec3d reach = unscaled.rotation[j].conjugate() * (rest[j].linear() * place);
        return body.reference.position[j] + body.reference.rotation[j] * reach;
    };
    for (const SkinPoint& point : skin) {
        Vec3d place = Vec3d::Zero();
        for (size_t k = 0; k < point.joint.size(); ++k) {
            const auto j = static_cast<size_t>(point.joint[k]);
            if (point.weight[k] > 0) place += double{point.weight[k]} * referred(j, point.place[k].cast<double>());
        }
        if (!place.allFinite()) continue;
        const Role role = roles[static_cast<size_t>(point.joint[0])];
        const PartName part = part_of(role);
        if (part != PartName::count) sorted.part[static_cast<size_t>(part)].push_back(place);
        if (const int side = hand_side(role); side >= 0) sorted.hand[static_cast<size_t>(side)].push_back(place);
        if (static_cast<size_t>(role) < body_role_count) sorted.role[static_cast<size_t>(role)].push_back(place);
    }
    return sorted;
}

void measure_hand(const Body& body, size_t side, const std::vector<Vec3d>& skin, BodyShape& shape) {
    constexpr size_t fewest = 12, directions = 40, held_directions = 200;  // what is held has corners
    const Role role = arm_roles(side)[3];
    if (skin.size() < fewest || !has(body, role)) return;
    // What is farther out is something that the hand holds.
    constexpr double longest = 0.85;  // lengths of the forearm
    const Vec3d wrist = reference_of(body, role), elbow = reference_of(body, arm_roles(side)[2]);
    std::vector<Vec3d> own, held;
    for (const Vec3d& point : skin)
        ((point - wrist).norm() < longest * (wrist - elbow).norm() ? own : held).push_back(point);
    for (const Vec3d& point : outermost(held, held_directions)) {
        shape.held[side].push_back(point - wrist);
        shape.held_reach[side] = std::max(shape.held_reach[side], (point - wrist).norm());
    }
    if (own.size() < fewest) return;
    std::erase_if(shape.arm[side], [](const ArmPoint& point) { return point.bone == ArmBone::hand; });
    for (const Vec3d& point : outermost(own, directions))
        shape.arm[side].push_back({ArmBone::hand, point - wrist, 0.0});
}

void measure_forearm(size_t side, BodyShape& shape) {
    const BodySegment& part = shape[side == 0 ? PartName::left_forearm : PartName::right_forearm];
    for (ArmPoint& point : shape.arm[side]) {
        if (point.bone != ArmBone::forearm) continue;
        double sum = 0;
        for (size_t c = 0; c < BodySegment::columns; ++c) sum += part.radius_at(point.offset.x(), around_of(c));
        point.radius = sum / BodySegment::columns;
    }
}

// The farthest that a point of the hand is from its wrist.
double hand_reach(const BodyShape& shape, size_t side) {
    double reach = 0;
    for (const ArmPoint& point : shape.arm[side])
        if (point.bone == ArmBone::hand) reach = std::max(reach, point.offset.norm() + point.radius);
    return reach;
}

}  // namespace

BodyShape find_body_shape(const Body& body, std::span<const SkinPoint> skin) {
    constexpr size_t floor_directions = 24;
    BodyShape shape = usual_shape(body);
    const SortedSkin sorted = sort_skin(body, skin);
    const PosedShape reference = body_pose(body, body.reference);
    for (size_t p = 0; p < part_count; ++p)
        if (shape.parts[p].exists()) measure_radii(shape.parts[p], reference, sorted.part[p]);
    for (size_t side = 0; side < 2; ++side) {
        measure_hand(body, side, sorted.hand[side], shape);
        measure_forearm(side, shape);
        shape.hand_reach[side] = hand_reach(shape, side);
    }
    shape.from_skin = !sorted.part[static_cast<size_t>(PartName::trunk)].empty();
    if (!shape.from_skin) {
        set_floor_points(body, shape, shape.floor_points);
        return shape;
    }
    for (const Role role : {Role::hips, Role::spine, Role::chest, Role::upper_chest, Role::neck, Role::head,
                            Role::left_shoulder, Role::right_shoulder, Role::left_upper_leg, Role::right_upper_leg,
                            Role::left_lower_leg, Role::right_lower_leg}) {
        if (!has(body, role)) continue;
        for (const Vec3d& point : outermost(sorted.role[static_cast<size_t>(role)], floor_directions))
            shape.floor_points.push_back({role, point - reference_of(body, role)});
    }
    return shape;
}

}  // namespace sinew
