// Small helpers to rig a sample: joints by position, weights by splitting the body down the joint tree.
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

// share[j] = how much of what belongs to j's parent (and below) goes on to j; weight[j] is what stays there in the end.
// Shares of the children of one joint that add up to more than 1 are scaled down.
std::vector<double> split_down(const JointList& joints, const std::vector<double>& share);

// weights[v * joints + j]. Averages over mesh neighbours, so that no step between two regions is sharper than the mesh.
void smooth_weights(const Mesh& mesh, size_t joint_count, int rounds, std::vector<double>& weights);

// The four largest of each vertex.
Influences make_influences(const std::vector<double>& weights, size_t joint_count, const std::vector<uint32_t>& source);

// A character of one mesh; with `joints`, skinned to them, else placed by a single node.
struct Look {
    std::string name;
    Vec4 base_color = Vec4::Ones();
    float roughness = 0.8f;
};
Character assemble(Mesh mesh, Influences influences, const JointList& joints, const Look& look, Bytes texture_png = {});

}  // namespace sinew::shape
