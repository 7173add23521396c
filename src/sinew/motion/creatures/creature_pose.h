// CreaturePose: one moment of any creature, as turns of its joints away from how they rest, and clips made of such
// moments. Data flow: the motions of this room → *here* → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/creatures/creature_body.h>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// How a joint turns. Angles and axes are in body space at rest.
struct JointTurn {
    enum class How : uint8_t {
        follow,  // with its parent
        bend,    // by `turn` against its parent, then with it
        body     // to `turn`, whatever its parent does
    };
    How how = How::follow;
    Quatd turn = Quatd::Identity();
};

struct CreaturePose {
    Vec3d shift = Vec3d::Zero();  // of the body's root, from where it rests
    std::vector<JointTurn> joints;

    explicit CreaturePose(const CreatureBody& body) : joints(body.rest.size()) {}

    void bend(int32_t joint, const Quatd& turn) { joints[static_cast<size_t>(joint)] = {JointTurn::How::bend, turn}; }
    void turn_to(int32_t joint, const Quatd& turn) {
        joints[static_cast<size_t>(joint)] = {JointTurn::How::body, turn};
    }
};

// Where the joints then are, and how far each is turned from its rest; body space.
struct PlacedCreature {
    std::vector<Vec3d> position;
    std::vector<Quatd> turn;

    const Vec3d& at(int32_t joint) const { return position[static_cast<size_t>(joint)]; }
};
void place(const CreatureBody& body, const CreaturePose& pose, PlacedCreature& out);

// Turns about the body's axes. Positive pitch takes the nose down, positive yaw turns to the left, positive roll
// leans to the right.
Quatd pitch(double angle);
Quatd yaw(double angle);
Quatd roll(double angle);

// Keys every `step` seconds, linear. Joints that never leave their rest get no track; the root always has both.
Clip bake_creature(const CreatureBody& body, std::span<const CreaturePose> poses, double step, std::string name);

}  // namespace sinew
