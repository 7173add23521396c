#include <sinew/edit/controls/body_axes.h>

#include <sinew/skeleton/pose.h>
#include <cmath>

namespace sinew {
namespace {

constexpr int fingers = 5, bones_of_finger = 3;  // thumb first, as in Role
enum Finger : int { thumb, index_finger, middle_finger };

struct Hand {
    bool left = true;
    int32_t wrist = -1;
    int32_t bones[fingers][bones_of_finger];
};

Hand find_hand(const Skeleton& skeleton, const HumanoidMap& roles, bool left) {
    Hand hand{.left = left, .wrist = roles[left ? Role::left_hand : Role::right_hand], .bones = {}};
    const int first = static_cast<int>(left ? Role::left_thumb_metacarpal : Role::right_thumb_metacarpal);
    for (int f = 0; f < fingers; ++f)
        for (int b = 0; b < bones_of_finger; ++b) {
            hand.bones[f][b] = roles[static_cast<Role>(first + f * bones_of_finger + b)];
            if (hand.wrist < 0 && hand.bones[f][b] >= 0)
                hand.wrist = skeleton.parents()[static_cast<size_t>(hand.bones[f][b])];
        }
    return hand;
}

Vec3d unit_or(const Vec3d& v, const Vec3d& otherwise) {
    constexpr double nothing = 1e-9;
    return v.norm() > nothing ? Vec3d(v.normalized()) : otherwise;
}

Vec3d place_of(const BodyAxes& axes, int32_t joint) {
    return axes.world[static_cast<size_t>(joint)].translation();
}

// The nearest joint of a finger that exists, from its root.
int32_t knuckle(const Hand& hand, int finger) {
    for (const int32_t joint : hand.bones[finger])
        if (joint >= 0) return joint;
    return -1;
}

// Where a finger's bone points: to the next bone, or on from the one before.
Vec3d bone_direction(const BodyAxes& axes, const Skeleton& skeleton, const Hand& hand, int finger, int bone) {
    const int32_t joint = hand.bones[finger][bone];
    for (int next = bone + 1; next < bones_of_finger; ++next)
        if (const int32_t to = hand.bones[finger][next]; to >= 0) return place_of(axes, to) - place_of(axes, joint);
    for (size_t j = static_cast<size_t>(joint) + 1; j < skeleton.size(); ++j)
        if (skeleton.parents()[j] == joint) return place_of(axes, static_cast<int32_t>(j)) - place_of(axes, joint);
    const int32_t parent = skeleton.parents()[static_cast<size_t>(joint)];
    return parent < 0 ? Vec3d(Vec3d::Zero()) : Vec3d(place_of(axes, joint) - place_of(axes, parent));
}

// With palms down in a T-pose the left hand points along +x, and from index to little finger it goes back: the palm
// looks along across × along on the left, and the other way on the right.
void set_finger_axes(const Skeleton& skeleton, const Hand& hand, BodyAxes& axes) {
    int32_t first = -1, last = -1;
    for (int f = index_finger; f < fingers; ++f)
        if (const int32_t joint = knuckle(hand, f); joint >= 0) (first < 0 ? first : last) = joint;
    if (first < 0 || hand.wrist < 0) return;
    const Vec3d back = -axes.frame.col(2);
    const Vec3d along =
        unit_or(place_of(axes, first) - place_of(axes, hand.wrist), axes.frame.col(0) * (hand.left ? 1.0 : -1.0));
    Vec3d across = last >= 0 ? Vec3d(place_of(axes, last) - place_of(axes, first)) : back;
    across = unit_or(across - across.dot(along) * along, back);
    const Vec3d palm = hand.left ? Vec3d(across.cross(along)) : Vec3d(along.cross(across));
    for (int f = 0; f < fingers; ++f)
        for (int b = 0; b < bones_of_finger; ++b) {
            if (hand.bones[f][b] < 0) continue;
            const auto joint = static_cast<size_t>(hand.bones[f][b]);
            const Vec3d bone = unit_or(bone_direction(axes, skeleton, hand, f, b), along);
            // A thumb closes over the fingers.
            const Vec3d towards = f == thumb ? Vec3d(palm + across) : palm;
            const Vec3d apart = f <= index_finger ? Vec3d(-across) : across;
            axes.curl_axis[joint] = unit_or(bone.cross(towards), axes.frame.col(0));
            axes.spread_axis[joint] = unit_or(bone.cross(apart), axes.frame.col(2));
        }
}

// Files that say nothing else stand on +Y and look along +Z; a body that rests otherwise is asked which way it looks.
Mat3d find_frame(const BodyAxes& axes) {
    const int32_t left = axes.roles[Role::left_upper_leg], right = axes.roles[Role::right_upper_leg];
    int32_t top = axes.roles[Role::neck];
    if (top < 0) top = axes.roles[Role::head];
    if (left < 0 || right < 0 || top < 0) return Mat3d::Identity();
    Mat3d frame;
    const Vec3d up = place_of(axes, top) - 0.5 * (place_of(axes, left) + place_of(axes, right));
    frame.col(1) = unit_or(up, Vec3d::UnitY());
    const Vec3d side = place_of(axes, left) - place_of(axes, right);
    frame.col(0) = unit_or(side - side.dot(frame.col(1)) * frame.col(1), Vec3d::UnitX());
    frame.col(2) = frame.col(0).cross(frame.col(1));
    constexpr double stoop = 0.5;  // radians: spines that lean a little still stand upright
    return std::abs(Eigen::AngleAxisd(frame).angle()) < stoop ? Mat3d(Mat3d::Identity()) : frame;
}

}  // namespace

BodyAxes find_body_axes(const ControlBody& body) {
    BodyAxes axes;
    axes.roles = recognise_humanoid(body.skeleton);
    axes.world.resize(body.skeleton.size());
    local_to_world(body.skeleton.parents(), body.rest.local, axes.world);
    axes.frame = find_frame(axes);
    axes.curl_axis.assign(body.skeleton.size(), axes.frame.col(0));
    axes.spread_axis.assign(body.skeleton.size(), axes.frame.col(2));
    for (const bool left : {true, false})
        set_finger_axes(body.skeleton, find_hand(body.skeleton, axes.roles, left), axes);
    return axes;
}

Vec3d model_axis(const BodyAxes& axes, size_t joint, ControlAxis axis) {
    switch (axis) {
        case ControlAxis::x:
        case ControlAxis::y:
        case ControlAxis::z:
            return axes.frame.col(static_cast<int>(axis));
        case ControlAxis::curl:
            return axes.curl_axis[joint];
        case ControlAxis::spread:
            return axes.spread_axis[joint];
    }
    return axes.frame.col(0);
}

int32_t find_control_joint(const Skeleton& skeleton, const HumanoidMap& roles, std::string_view name) {
    if (const int32_t joint = skeleton.find(name); joint >= 0) return joint;
    for (size_t r = 0; r < role_count; ++r)
        if (to_string(static_cast<Role>(r)) == name) return roles.joint[r];
    return -1;
}

}  // namespace sinew
