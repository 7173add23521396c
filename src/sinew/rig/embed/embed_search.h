// The search of embed.h for one way to turn the template: where its bones would lie, and the best places for them.
// Data flow: embed_bones.h, embed_space.h → *here* → embed.h. Internal to it.
#pragma once

#include <sinew/rig/embed/embed_bones.h>
#include <sinew/rig/embed/embed_space.h>

namespace sinew {

struct EmbedLayout {
    std::vector<Vec3d> at;  // per bone of the list, where the template alone would put it
    double size = 0.0;      // of the body
};

struct EmbedAssignment {
    double cost = INFINITY;
    std::vector<int> place;  // per bone; −1: not searched (its partner was)
    Mat3d turn = Mat3d::Identity();
};

struct EmbedProblem {
    const Upright& upright;
    const std::vector<EmbedBone>& bones;
    bool half = false;
};

// The template turned, and stretched along each axis as far as the body's box asks for, within reason.
EmbedLayout lay_out(const EmbedProblem& problem, const Mat3d& turn);

// The same from where the bones went: along each axis of the body the stretch and shift that explain it best.
EmbedLayout lay_out_again(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& found,
                          const Mat3d& turn);

// The best places for all bones, by dynamic programming over the tree.
EmbedAssignment assign(const EmbedProblem& problem, const EmbedSpace& space, const Mat3d& turn,
                       const EmbedLayout& layout);

// The cost of what sticks out of the body and no leaf of the template went there.
double uncovered(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& assignment);

}  // namespace sinew
