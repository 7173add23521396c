// Embedding: puts the joints of any template into any body, by searching the ways it can lie there.
// Data flow: fit.h's Upright, rig_template.h → embed_space.h, embed_bones.h → *here* → user_template.h.
#pragma once

#include <sinew/rig/fit/fit.h>
#include <sinew/rig/template/rig_template.h>

namespace sinew {

struct Embedding {
    std::vector<std::optional<Vec3d>> position;  // per joint of the template, canonical space; none: not searched for
    Mat3d turn = Mat3d::Identity();              // canonical from template
    double cost = 0.0;                           // per length of bone; 0 is perfect, above 1 is nonsense
    double confidence = 0.0;                     // 0…1
};

// For each of a few dozen ways to turn the template, finds the best assignment of its joints to places inside the body,
// by dynamic programming over its tree [Baran2007]: bones keep their length and direction, stay inside, end where the
// body ends, and partners mirror each other when the body mirrors itself. Then refines the best one.
// O(turns · joints · places²).
struct EmbedOptions {
    bool upright = false;  // the template stands as the body does: try no other turn
};
Embedding embed_template(const Upright& upright, const RigTemplate& rig_template, const EmbedOptions& options = {});

}  // namespace sinew
