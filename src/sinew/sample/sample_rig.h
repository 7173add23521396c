// Rigs a sample: joints from positions, weights by dividing the body down the joint tree.
// Data flow: humanoid.cpp, quadruped.cpp → *here* → Character.
#pragma once

#include <sinew/character/character.h>
#include <sinew/sample/charts.h>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::shape {

// Joints whose rest frames are all parallel to the world's.
struct JointList {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Vec3d> positions;

    int32_t add(std::string name, int32_t parent, const Vec3d& position);
    int32_t find(std::string_view name) const;
    size_t size() const { return names.size(); }
};

// How much of a point belongs to a joint rather than to the joint before it: 0 before the joint, 1 beyond it, with a
// smooth border of `width` to either side. The border is across the mean direction of the two bones.
double share_beyond(const Vec3d& point, const Vec3d& before, const Vec3d& joint, const Vec3d& after, double width);

// share[j] is the share of its parent's weight that joint j takes; the result is the weight that each joint keeps.
// Where the children of a joint would take more than all, their shares are scaled down.
std::vector<double> split_down(const JointList& joints, const std::vector<double>& share);

// Averages weights[v * joint_count + j] over mesh neighbours, so that no border between regions is sharper than the
// mesh.
void smooth_weights(const Mesh& mesh, size_t joint_count, int rounds, std::vector<double>& weights);

// Keeps the four largest weights of each vertex.
Influences make_influences(const std::vector<double>& weights, size_t joint_count, const std::vector<uint32_t>& source);

// Makes a character of one mesh. With `joints` it is skinned to them; without, a single node places it.
struct Look {
    std::string name;
    Vec4 base_color = Vec4::Ones();
    float roughness = 0.8f;
};
Character assemble(Mesh mesh, Influences influences, const JointList& joints, const Look& look, Bytes texture_png = {});

}  // namespace sinew::shape
