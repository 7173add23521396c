// Clusters of vertices whose skin weights are alike: linear blend skinning turns them alike.
// Data flow: Influences → *here* → reduced_energy.h.
#pragma once

#include <sinew/ik/elastic/elastic_pose.h>

namespace sinew {

struct WeightClusters {
    std::vector<uint32_t> of_vertex;  // of all meshes, one after another
    size_t count = 0;
};

// A vertex is told by its strongest joint, its second strongest, and by how these two share it, in `per_blend` steps
// from one of them alone to the other. 0: each place has a cluster of its own; vertices that lie at one place are one.
// O(vertices log vertices).
WeightClusters cluster_by_weights(std::span<const ElasticMesh> meshes, int per_blend);

}  // namespace sinew
