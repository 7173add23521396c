// Body part: the skin of a trunk, a head or a limb as radii around an axis, and places on it that carry over from one
// body to another. Data flow: body_shape.h makes parts → *here* → touches.h, arm_goals.h, arm_solve.h.
#pragma once

#include <sinew/motion/retarget/motion_body.h>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// The roles of a body without eyes, jaw and fingers count here; `turn` is the world rotation since the reference pose.
constexpr size_t body_role_count = static_cast<size_t>(Role::left_thumb_metacarpal);
struct PosedShape {
    std::array<Vec3d, body_role_count> position;
    std::array<Quatd, body_role_count> turn;

    const Vec3d& at(Role role) const { return position[static_cast<size_t>(role)]; }
    const Quatd& turn_of(Role role) const { return turn[static_cast<size_t>(role)]; }
};
// Roles that the body lacks stay at zero, unturned.
PosedShape body_pose(const Body& body, const WorldPose& pose);

enum class PartName : uint8_t {
    trunk,
    head,
    left_upper_arm,
    left_forearm,
    right_upper_arm,
    right_forearm,
    left_thigh,
    right_thigh,
    left_shin,
    right_shin,
    count
};
constexpr size_t part_count = static_cast<size_t>(PartName::count);

// Where a point is with respect to a part. `along` is 0 to 1 from the axis' first node to its last; the round ends lie
// at −1 to 0 and 1 to 2, by latitude. `around` is the angle from the body's front, towards the cross product of axis
// and front.
struct PartPlace {
    double along = 0, around = 0, distance = 0;  // distance: from the axis
};

// A node of the axis: a point that moves with the joint of a role, given in the reference pose relative to that joint.
struct PartNode {
    Role joint = Role::hips;
    Vec3d offset = Vec3d::Zero();
};

struct BodySegment {
    static constexpr size_t most_nodes = 6, end_rows = 4, middle_rows = 16, rows = middle_rows + 2 * end_rows,
                            columns = 24;
    std::vector<PartNode> nodes;  // empty: the body has no such part
    std::vector<double> share;    // of the axis' length, at each node
    double length = 0;            // of the axis, in the reference pose
    Vec3d front;                  // in the reference pose; unit
    std::array<double, rows * columns> radius;
    double widest = 0;                                  // of all radii
    std::array<double, most_nodes> widest_beside = {};  // of those around each segment of the axis

    bool exists() const { return nodes.size() >= 2; }
    double radius_at(double along, double around) const;
};

// Sets nodes, their shares and the length from their places in the reference pose.
void set_axis(BodySegment& part, const Body& body, std::vector<PartNode> nodes);

// A part in one frame.
struct PosedPart {
    const BodySegment* part = nullptr;
    std::array<Vec3d, BodySegment::most_nodes> node;
    std::array<Quatd, BodySegment::most_nodes> turn;
    std::array<Vec3d, BodySegment::most_nodes> way;       // from each node to the next
    std::array<double, BodySegment::most_nodes> inverse;  // 1 / |way|²; 0 where the nodes are one
};
PosedPart pose_part(const BodySegment& part, const PosedShape& pose);

PartPlace place_on(const PosedPart& posed, const Vec3d& point);
Vec3d point_at(const PosedPart& posed, const PartPlace& place);

// How high a point is above the part's skin (negative: inside), and the way out. Near the skin this is the distance to
// first order.
struct SkinHeight {
    double height = 0;
    Vec3d out = Vec3d::UnitY();
};
SkinHeight height_over(const PosedPart& posed, const Vec3d& point);
// The same, but nothing where the point is certainly higher than `most`, which costs little to see.
std::optional<SkinHeight> height_within(const PosedPart& posed, const Vec3d& point, double most);
// No farther from the skin than this; cheap.
double height_bound(const PosedPart& posed, const Vec3d& point);

// Sets the widest radii once all radii are known.
void set_widest(BodySegment& part);

// The radii of a part from points of its skin in the reference pose. Places without points take their neighbours'
// radius; a part with too few points keeps the radii it has.
void measure_radii(BodySegment& part, const PosedShape& reference, std::span<const Vec3d> skin);

}  // namespace sinew
