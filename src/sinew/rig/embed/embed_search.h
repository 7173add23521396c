// The search of embed.h for one turn of the template: where its bones would lie, and the best places for them.
// Data flow: embed_bones.h, embed_space.h → *here* → embed.h. Internal to it.
#pragma once

#include <sinew/rig/embed/embed_bones.h>
#include <sinew/rig/embed/embed_space.h>

namespace sinew {

struct EmbedLayout {
    std::vector<Vec3d> at;  // per bone, where the template alone would put it
    double size = 0.0;      // of the body
};

struct EmbedAssignment {
    double cost = INFINITY;
    std::vector<int> place;  // per bone; −1: its partner was searched instead
    Mat3d turn = Mat3d::Identity();
};

struct EmbedProblem {
    const Upright& upright;
    const std::vector<EmbedBone>& bones;
    bool half = false;  // the middle and the left side; the right side mirrors it
};

// The template turned, and stretched along each axis to fill the body's bounds, within limits.
EmbedLayout lay_out(const EmbedProblem& problem, const Mat3d& turn);

// The same, stretched and shifted along each axis as explains best where the bones went.
EmbedLayout lay_out_again(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& found,
                          const Mat3d& turn);

// The best places for all bones, by dynamic programming over the tree.
EmbedAssignment assign(const EmbedProblem& problem, const EmbedSpace& space, const Mat3d& turn,
                       const EmbedLayout& layout);

// The cost of extremities of the body that no bone went to.
double uncovered(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& assignment);

}  // namespace sinew
