// CompiledSkin: the run-time form of Influences and a rest shape, laid out for SIMD kernels.
// Vertices are grouped by joint set, sixteen or eight together, and keep no joint indices of their own. The editable
// form stays Influences; compile again after editing. Data flow: Influences, Mesh → *here* →
// skin/compiled/compiled_deform.h.
#pragma once

#include <sinew/math/types.h>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace sinew {

class Influences;  // skin/influences.h

// AlignedVector: a std::vector whose data begins on a cache line, for what SIMD kernels stream through.
constexpr size_t cache_line = 64;

// Gives memory that begins on a cache line; for AlignedVector.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    // As std::allocator, on a cache line.
    T* allocate(size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(cache_line)));
    }
    void deallocate(T* data, size_t) { ::operator delete(data, std::align_val_t(cache_line)); }
    template <class U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

// Places [first_place, first_place + places) of `order` follow joints [first_joint, first_joint + influences) of
// `run_joints`. Weights are blocks of sixteen for every joint but the first, whose weight is what is left to 1.
struct SkinRun {
    uint32_t first_joint = 0;
    uint32_t influences = 0;
    uint32_t first_place = 0;
    uint32_t places = 0;
    uint32_t first_block = 0;  // into the rest streams
    size_t first_weight = 0;
};

// Up to eight places that follow a set too rare to prepare matrices for. They have a weight for every joint, eight of
// one after eight of another. Octet i is half of block octet_block + i / 2 of the rest streams.
struct SkinOctet {
    uint32_t first_joint = 0;  // into run_joints
    uint32_t influences = 0;
    uint32_t first_place = 0;
    uint32_t places = 0;
    size_t first_weight = 0;
};

// Loose vertices that share a pair of joints and have `extras` others of their own. Weights are one record of
// 2 + extras per vertex: those of the pair, then those of loose_joints[first_extra + vertex * extras + i].
// Loose vertices of all runs share blocks: block b holds the sixteen places from loose_place + 16 b on.
struct LooseRun {
    uint32_t pair[2] = {0, 0};
    uint32_t extras = 0;
    uint32_t places = 0;
    size_t first_weight = 0;
    size_t first_extra = 0;
};

// A piece of work: a few runs that lie one after another, then octets, then loose vertices.
struct SkinChunk {
    uint32_t first_run = 0, end_run = 0;
    uint32_t first_octet = 0, end_octet = 0;
    uint32_t first_loose = 0, end_loose = 0;
    uint32_t first_place = 0, end_place = 0;
};

struct CompiledSkin {
    size_t joint_count = 0;
    std::vector<uint32_t> order;  // order[place] = the vertex of the plain mesh; each occurs once
    std::vector<SkinRun> runs;
    std::vector<uint32_t> run_joints;
    std::vector<SkinOctet> octets;
    uint32_t octet_block = 0;
    std::vector<LooseRun> loose;
    std::vector<uint32_t> loose_joints;
    uint32_t loose_place = 0;  // where loose vertices begin: all after are loose
    uint32_t loose_block = 0;
    std::vector<SkinChunk> chunks;
    AlignedVector<float> weights;  // of runs and octets
    AlignedVector<float> loose_weights;
    AlignedVector<float> positions;  // blocks of x16 y16 z16; likewise below
    AlignedVector<float> normals;    // empty when the mesh has none
    AlignedVector<float> tangents;   // x16 y16 z16 w16
    AlignedVector<float> centres;    // of rotation; empty unless given
    // What carries centres, laid out as the weights, in units of centre_weight_unit.
    AlignedVector<uint16_t> centre_weights;
    AlignedVector<uint16_t> loose_centre_weights;

    size_t vertex_count() const { return order.size(); }
};

// What a mesh looks like at rest. Spans may be empty except positions; else they are as long as the mesh has vertices.
struct RestShape {
    std::span<const Vec3> positions = {};
    std::span<const Vec3> normals = {};
    std::span<const Vec4> tangents = {};
    std::span<const Vec3> centres = {};  // centres of rotation, for that deformer
};

// Centres go with `centre_influences`, which carry them; their joints are among the vertex's own.
CompiledSkin compile_skin(const Influences& influences, const RestShape& rest, size_t joint_count,
                          const Influences* centre_influences = nullptr);

// Puts another rest shape (after morphing, say) into the same grouping. Allocates nothing when it has the same parts.
void set_rest(CompiledSkin& skin, const RestShape& rest);

// Where each vertex of the plain mesh lies in the rest streams: block · 16 + lane. For those who change a few vertices
// of the rest shape and leave the others alone.
std::vector<uint32_t> lanes_by_vertex(const CompiledSkin& skin);

// Triangles of the plain mesh → triangles of the compiled order, once after compiling.
void remap_indices(const CompiledSkin& skin, std::span<uint32_t> indices);

}  // namespace sinew
