// The as-rigid-as-possible energy of a skinned surface, reduced to its joints and a few rotations of skin.
// Data flow: meshes, ElasticJoints, the reference pose → *here* → elastic_steps.h.
#pragma once

#include <sinew/ik/elastic/elastic_joints.h>
#include <sinew/ik/elastic/elastic_pose.h>

namespace sinew {

// An edge e of the skinned surface is Σⱼ Wⱼ qₑⱼ with Wⱼ joint j's world matrix (3×4) and qₑⱼ what the weights of its
// two ends say (4 numbers). The energy is
//     ½ Σₖ Σ_{e of k} cₑ |Σⱼ Wⱼ qₑⱼ − Rₖ dₑ|²
// where dₑ is the edge in the reference pose, cₑ its cotangent weight, and Rₖ the best rotation of the edges of cluster
// k. A vertex's edges are those of its triangles, spokes and rims [Chao2010]; vertices whose weights are alike form one
// cluster. All of it is divided by Σ c |d|², which makes it a share of the surface.
struct ReducedEnergy {
    struct Pair {  // Σ c q_i qⱼᵀ; each pair of joints stands here once, i ≤ j
        int32_t i = 0, j = 0;
        Eigen::Matrix4d sum;
    };
    struct Term {  // Σ c qⱼ dᵀ over the edges of a cluster
        int32_t joint = 0;
        Eigen::Matrix<double, 4, 3> sum;
    };
    struct Cluster {
        uint32_t first_term = 0, terms = 0;
        Mat3d spread;  // Σ c d dᵀ
    };
    std::vector<Pair> pairs;
    std::vector<Term> terms;
    std::vector<Cluster> clusters;
};

// Where a vertex is, as a sum over joints: Σ world[joint] · q.
struct VertexTerm {
    int32_t joint = 0;  // within ElasticJoints
    Eigen::Vector4d q;
};
using VertexTerms = std::vector<VertexTerm>;
VertexTerms vertex_terms(const ElasticJoints& joints, const ElasticMesh& mesh, size_t vertex);
Vec3d place_of(std::span<const VertexTerm> terms, std::span<const AffineD> world);

// `world`: of each elastic joint in the reference pose. `vertices`: the terms of each vertex of each mesh.
ReducedEnergy reduce_energy(const ElasticJoints& joints, std::span<const AffineD> world,
                            std::span<const ElasticMesh> meshes, std::span<const std::vector<VertexTerms>> vertices,
                            int rotations_per_blend);

// The clusters' rotations that suit these joints best, and the energy with them.
double fit_rotations(const ReducedEnergy& energy, std::span<const AffineD> world, std::span<Mat3d> rotations);

}  // namespace sinew
