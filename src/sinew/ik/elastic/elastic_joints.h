// Which joints elastic posing turns, and their forward kinematics in double.
// Data flow: Skeleton, what carries skin → *here* → reduced_energy.h, elastic_steps.h.
#pragma once

#include <sinew/math/types.h>
#include <sinew/skeleton/skeleton.h>
#include <span>
#include <vector>

namespace sinew {

// Joints that carry skin, themselves or below them, and are or hang under a joint of a skin: parents first.
struct ElasticJoints {
    std::vector<int32_t> joint;   // of the skeleton
    std::vector<int32_t> parent;  // within this list; −1: a topmost one, which may also move
    std::vector<int32_t> holder;  // per joint of the skeleton: itself or the nearest above it in this list, or −1
    size_t size() const { return joint.size(); }
};

// `in_skin` and `weighted` have an entry per joint of the skeleton.
ElasticJoints choose_elastic_joints(const Skeleton& skeleton, const std::vector<bool>& in_skin,
                                    const std::vector<bool>& weighted);

// A pose of these joints while it is being solved for. What stands above the topmost ones does not move.
struct ElasticState {
    std::vector<Quatd> rotation;     // local
    std::vector<Vec3d> translation;  // local; changes for topmost joints only
    std::vector<AffineD> world;      // world_from_joint, by forward kinematics
};

// What of a pose stays as it is.
struct ElasticFrame {
    std::vector<Vec3d> scale;    // local
    std::vector<AffineD> above;  // of a topmost joint: world_from_parent
};

ElasticFrame take_frame(const ElasticJoints& joints, const Skeleton& skeleton, std::span<const Transform> pose,
                        std::span<const AffineD> world_from_joint);
ElasticState take_state(const ElasticJoints& joints, std::span<const Transform> pose);
void put_state(const ElasticJoints& joints, const ElasticState& state, std::span<Transform> pose);

// Fills state.world.
void to_world(const ElasticJoints& joints, const ElasticFrame& frame, ElasticState& state);

// `from`, with each joint turned about itself by a vector in world space (its length is the angle), and each topmost
// one moved. `step` has three numbers per joint, then three per topmost joint. Fills to.world too. Under a parent with
// uneven scale, where turning and shearing mix, the turn is the nearest to it.
void apply_step(const ElasticJoints& joints, const ElasticFrame& frame, const ElasticState& from,
                std::span<const double> step, ElasticState& to);

}  // namespace sinew
