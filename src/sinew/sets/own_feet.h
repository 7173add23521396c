// Own feet: feet that stand still on a skeleton's own motion, with as little change as that takes. Contacts are seen in
// the motion, or brought along from the clips that it was made of. Data flow: poses of one skeleton → *here*
// (motion/plant) → the same poses with feet that stand still → clean/, graph/, blend/.
#pragma once

#include <sinew/motion/plant/plant_feet.h>
#include <sinew/skeleton/pose.h>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// The body that a clip moves, measured as it stands. Nothing where it is no person with feet that hang on its shins.
// The skeleton must outlive it.
std::optional<Body> find_own_body(const Skeleton& skeleton, const Clip& clip);

// Metres in one unit of the body's own: a person's leg from hip to ankle is 0.8 m long.
double metres_per_unit(const Body& body);

// When ankles and balls stand. `fps`: of the poses.
SourceContacts find_own_contacts(const Body& body, std::span<const Pose> poses, double fps);

// By how much level ground is raised, per frame: under the body, and under each foot; and how a foot on it is turned.
struct GroundRise {
    std::vector<double> body;
    std::array<std::vector<double>, 2> feet;
    std::vector<Quatd> turn;
};

// Moves hips and legs so that planted feet stand still, each where it stood longest; between contacts the feet return
// to their own paths. Heights stay, except that the hips sink where a leg would not reach; on ground that rises all go
// up with it, and feet that stand keep the height of their place. All else keeps its local rotation. Linear in the
// frames.
void plant_own_feet(const Body& body, const SourceContacts& contacts, double fps, std::span<Pose> poses,
                    const GroundRise* rise = nullptr);

// How far ankles and balls slide over the ground while they stand: the largest distance from where a contact began, for
// each contact on the floor, in metres.
std::vector<double> contact_drifts(const Body& body, const SourceContacts& contacts, std::span<const Pose> poses);

}  // namespace sinew
