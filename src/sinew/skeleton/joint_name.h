// JointName: what a joint's name says about it (side, body part, numbers), in any of the usual conventions.
// Data flow: Skeleton::names → *here* → humanoid.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sinew {

enum class Side : uint8_t { none, left, right };

// Words on which conventions disagree are parts of their own: a "leg" is a thigh in some files and a shin in others.
// humanoid.cpp decides from the whole chain.
enum class BodyPart : uint8_t {
    none,
    hips,
    spine,
    chest,
    neck,
    head,
    eye,
    jaw,
    hip_socket,
    upper_leg,
    leg,
    knee,
    lower_leg,
    ankle,
    foot,
    toes,
    clavicle,
    shoulder,
    upper_arm,
    arm,
    elbow,
    lower_arm,
    wrist,
    hand,
    thumb,
    index_finger,
    middle_finger,
    ring_finger,
    little_finger,
    finger
};

struct JointName {
    Side side = Side::none;
    BodyPart part = BodyPart::none;
    std::array<int32_t, 2> numbers = {-1, -1};  // the first two numbers in the name, −1 where there are fewer
    bool helper = false;  // a control, twist, tip or attachment: it moves with the body but is not one of its joints
    bool metacarpal = false;
    bool animal_leg = false;   // a front or hind leg: the body walks on four
    bool animal_limb = false;  // wing, fin, paw, …
    bool deform = false;       // has Rigify's prefix DEF-: preferred among parallel chains
};

// Understands separators, CamelCase, run-together lower case ("lfemur", "leftupleg"), namespaces ("mixamorig:"), and
// the words of Japanese, French, German, Spanish, Italian and Portuguese rigs.
JointName parse_joint_name(std::string_view name);

}  // namespace sinew
