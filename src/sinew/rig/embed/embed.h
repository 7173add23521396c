// Embedding: the joints of any template put into any body, by searching the ways the one can lie in the other.
// Data flow: fit.h's Upright, rig_template.h → embed_space.h, embed_bones.h → *here* → user_template.h.
#pragma once

#include <sinew/rig/fit/fit.h>
#include <sinew/rig/template/rig_template.h>

namespace sinew {

struct Embedding {
    std::vector<std::optional<Vec3d>> position;  // per joint of the template, canonical space; none: it says nothing
    Mat3d turn = Mat3d::Identity();              // canonical from template
    double cost = 0.0;                           // per unit of bone; 0 is perfect, above 1 nonsense
    double confidence = 0.0;                     // 0…1
};

// For each of a few dozen ways to turn the template into the body's frame, the best assignment of its joints to places
// inside the body is found by dynamic programming over its tree [Baran2007]: bones keep their length and direction,
// stay inside, end where the body does, and partners mirror each other when the body does. The best is refined.
// Bounded: O(turns · joints · places²).
struct EmbedOptions {
    bool upright = false;  // the template stands as the body does: no other turn is tried
};
Embedding embed_template(const Upright& upright, const RigTemplate& rig_template, const EmbedOptions& options = {});

}  // namespace sinew
