// Controls: named handles such as "smile", "fist" or "lean" that move many joints and morphs at once, with driven keys
// and a library of poses. Data flow: JSON, or builtin_controls() and face_controls() → *here* → ControlRig → Pose,
// Clip.
//
//   {"controls": {"fist": {"range": [0, 1],
//                          "drives": [{"joint": "leftIndexProximal", "turn": "curl", "keys": [[0, 0], [1, 70]]},
//                                     {"pose": "grip", "amount": 0.5}]},
//                 "grin": {"drives": [{"morph": "mouthSmileLeft", "amount": 0.8}, {"control": "blink", "amount":
//                 0.2}]}, "hour": {"range": [0, 24], "drives": [{"joint": "hand", "turn": "z", "formula": "-30*x"}]}},
//    "driven": [{"by": {"joint": "leftLowerArm", "turn": "y"}, "morph": "elbow", "keys": [[0, 0], [90, 1]]}],
//    "poses": {"grip": {"joints": {"leftHand": {"turn": [0, 0, 0, 1]}}, "morphs": {"squint": 0.4}}}}
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/humanoid.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {

// About what a joint turns, and along what it moves. x, y, z are the body's axes at rest: to its left, up, ahead. So a
// control works on any rig, whatever axes its joints have. curl bends fingers towards the palm and spread takes them
// apart; on other joints they are x and z.
enum class ControlAxis : uint8_t { x, y, z, curl, spread };

// What a control, or a joint, does to one thing. `what` says what `targets` are:
//   morph    weights are added           turn   degrees about the axis
//   move     metres along the axis       size   times 1 + the value
//   pose     a share of that pose        control  is added to that control
// How much, as a function of the driver's value x: a formula where there is one, else a curve through the keys.
enum class Driven : uint8_t { morph, turn, move, size, pose, control };
enum class ControlShape : uint8_t { linear, smooth, step };  // between keys; smooth never goes beyond them
struct ControlDrive {
    Driven what = Driven::morph;
    std::vector<std::string> targets;  // joints by name or role. Several joints share a turn or a move evenly
    ControlAxis axis = ControlAxis::x;
    std::vector<std::pair<double, double>> keys = {{0.0, 0.0}, {1.0, 1.0}};  // of x, increasing, and the amount there
    ControlShape shape = ControlShape::linear;
    std::string formula = {};  // of x, t (seconds) and all controls by name: "30*sin(2*pi*t)*x"
    bool optional = false;     // left out on characters that do not have the target
};

struct Control {
    std::string name;
    double low = 0.0, high = 1.0, rest = 0.0;  // values are kept within low and high
    std::vector<ControlDrive> drives;
};

// A driven key: how far a joint has turned about an axis, in degrees from rest, drives something else. The cure for an
// elbow that loses volume when it bends.
struct DrivenKey {
    std::string joint;
    ControlAxis axis = ControlAxis::x;
    ControlDrive drive;
};

// Some joints and morphs of a pose. Turns are from rest, in the body's axes, so that a pose of one character suits
// another. Joints are called by their role where they have one.
struct PosedJoint {
    std::string joint;
    Quat turn = Quat::Identity();
    Vec3 move = Vec3::Zero();  // metres, in the parent's axes
};
struct LibraryPose {
    std::string name;
    std::vector<PosedJoint> joints;
    std::vector<std::pair<std::string, float>> morphs;
};

struct ControlSet {
    std::vector<Control> controls;
    std::vector<DrivenKey> driven;
    std::vector<LibraryPose> poses;
};

// Fails with the JSON path of what is wrong and what to write instead. Unknown fields are refused: they are typing
// errors.
Result<ControlSet> parse_controls(std::string_view json);
// The same set again as JSON, indented.
std::string encode_json(const ControlSet& controls);

// What controls move: a skeleton and the names of the morphs, in the order of Pose::morphs. Morphs of one name on
// several meshes move together.
struct ControlBody {
    Skeleton skeleton;
    Pose rest;
    std::vector<std::string> morphs;
    std::vector<std::pair<int32_t, int32_t>> morph_ranges = {};  // of each mesh: the first, and how many; empty: one
};

// An expression that a file describes itself (a VRM's): its name as VRM 1.0 has it, the morphs it moves, by number in
// Pose::morphs, and how much.
struct FileExpression {
    std::string name;
    std::vector<std::pair<int32_t, float>> morphs;
};

// For any person: fist, leftFist, rightFist, each finger (leftIndex, …), spread, lean, leanSide, twist, nod, turnHead,
// tiltHead, shrug. For a face: smile, and all names of ARKit and VRM that it can show ("jawOpen", "blink"), by its
// morphs' names or by what its file says. What the body lacks is left out.
ControlSet builtin_controls(const ControlBody& body, const std::vector<FileExpression>& expressions = {});

// Everything in `more` on top of `set`; what has the same name is replaced.
void add_controls(ControlSet& set, const ControlSet& more);

// The value of a control over a clip: keys (seconds, value) with smooth curves between, or a formula of t.
struct ControlTrack {
    std::string control;
    std::vector<std::pair<double, double>> keys;
    std::string formula = {};
};
// "0.5", "0:0,0.4:1,1:0" (time:value), or a formula of t such as "0.3*sin(2*pi*t)".
Result<ControlTrack> parse_control_track(std::string_view name, std::string_view value);

// A set bound to a body. Compiled once; applying it allocates nothing but small scratch.
class ControlRig {
public:
    // Fails on names that the body does not have, listing the closest, on formulas that do not parse, and on controls
    // that drive themselves. `where` is "controls/NAME" or the like.
    static Result<ControlRig> create(const ControlSet& set, const ControlBody& body);

    size_t size() const { return names_.size(); }
    const std::vector<std::string>& names() const { return names_; }
    // The number of a control; fails, listing the closest.
    Result<size_t> find(std::string_view name) const;
    std::vector<double> rest_values() const { return rest_; }

    // On top of the pose that is there: first controls, then driven keys. One value per control; the time is for
    // formulas.
    void apply(std::span<const double> values, double time, Pose& pose) const;
    // A share, 0 to 1, of a pose of the library. Fails on an unknown name.
    Result<void> apply_pose(std::string_view pose, double weight, Pose& out) const;

    // A clip with controls played over it, and poses (name, share) mixed in first. Only what they can move gets new
    // keys, linear, at the clip's rate; all else stays as it is. A clip without length becomes as long as the last key
    // of a control, or a second.
    Result<Clip> play(const Clip& clip, std::span<const ControlTrack> controls,
                      std::span<const std::pair<std::string, double>> poses = {}) const;

    // What it was bound to, as it was given.
    const ControlBody& body() const;

    struct BoundDrive;
    struct BoundPose;
    struct Impl;

private:
    std::vector<std::string> names_;
    std::vector<double> rest_;
    std::shared_ptr<const Impl> impl_;
};

// A pose of this body for the library: the joints that stand otherwise than at rest, and the morphs.
LibraryPose make_library_pose(std::string name, const Pose& pose, const ControlBody& body);

}  // namespace sinew
