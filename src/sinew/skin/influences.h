// Skin and Influences: which joints a mesh follows, and how much each vertex follows each of them.
// Together they are a skin binding; they are apart because several primitives and instances share one joint list.
// Data flow: io, weights → *here* → skin/deform.h.
#pragma once

#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// joints[i] is a skeleton joint; inverse_bind[i] is its joint_from_mesh at bind time.
struct Skin {
    std::string name;
    std::vector<int32_t> joints;
    std::vector<Affine> inverse_bind;  // same length
    int32_t source = -1;               // the skin's number in the file it came from
};

struct Influence {
    uint32_t joint = 0;  // index into Skin::joints
    float weight = 0.0f;
};

// Any number of influences per vertex, one vertex after another: those of vertex v are [first[v], first[v + 1]).
// Weights are positive, sum to 1 (to 1e-6) and are sorted, largest first. A vertex without any is left where it is.
class Influences {
public:
    Influences() = default;

    // Proves the invariants from raw per-vertex lists: drops zeros, adds up repeated joints, normalises, sorts (ties by
    // joint). Fails on negative or non-finite weights and on joints ≥ joint_count, naming the vertex.
    // `first` has vertex_count + 1 entries.
    static Result<Influences> create(std::vector<uint32_t> first, std::vector<Influence> raw, size_t joint_count);

    bool empty() const { return first_.empty(); }
    size_t vertex_count() const { return first_.empty() ? 0 : first_.size() - 1; }
    std::span<const Influence> of(size_t vertex) const {
        return std::span(all_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }
    size_t max_per_vertex() const;       // of the vertex that has most
    size_t unweighted_vertices() const;  // how many have none

private:
    std::vector<uint32_t> first_;
    std::vector<Influence> all_;
};

}  // namespace sinew
