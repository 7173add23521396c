// GrownCreature: genes → a ragdoll with a rhythm for each joint. Data flow: creature.h → *here* → RagdollWorld.
#pragma once

#include <sinew/ragdoll/body/ragdoll_body.h>
#include <sinew/ragdoll/creatures/creature.h>

namespace sinew {

// angle(t) = rest + swing · sin(2π · frequency · t + phase), for bend and lean.
struct JointRhythm {
    double bend = 0.0, bend_phase = 0.0, lean = 0.0, lean_phase = 0.0, lean_rest = 0.0;
};
struct GrownCreature {
    RagdollBody body;
    std::vector<JointRhythm> rhythms;  // per part; the root's is nothing
    double frequency = 1.0;

    Vec3d angles_at(size_t part, double time) const;
};
GrownCreature grow_creature(const CreatureGenes& genes);

}  // namespace sinew
