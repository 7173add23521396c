#include <sinew/skin/compiled/compiled_skin.h>

#include <sinew/core/check.h>
#include <sinew/skin/compiled/joint_sets.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Long enough that preparing a run is nothing beside it, short enough that a chunk's results stay in the nearest cache.
constexpr uint32_t chunk_places = 512;

float weight_of(const Influences& influences, uint32_t vertex, uint32_t joint) {
    for (const Influence& i : influences.of(vertex))
        if (i.joint == joint) return i.weight;
    return 0.0f;
}

uint16_t centre_weight_of(const Influences& influences, uint32_t vertex, uint32_t joint) {
    return static_cast<uint16_t>(std::lround(weight_of(influences, vertex, joint) / centre_weight_unit));
}

uint32_t blocks_for(uint32_t places) {
    return (places + block_size - 1) / block_size;
}

class Compiler {
public:
    Compiler(const Influences& influences, const Influences* centre_influences, CompiledSkin& skin)
        : influences_(influences), centre_influences_(centre_influences), skin_(skin) {}

    void add_run(const JointRun& group) {
        const auto first_joint = static_cast<uint32_t>(skin_.run_joints.size());
        skin_.run_joints.insert(skin_.run_joints.end(), group.joints.begin(), group.joints.end());
        for (size_t begin = 0; begin < group.vertices.size(); begin += chunk_places) {
            const auto count = static_cast<uint32_t>(std::min<size_t>(chunk_places, group.vertices.size() - begin));
            skin_.runs.push_back({first_joint, static_cast<uint32_t>(group.joints.size()), place(), count, block_,
                                  skin_.weights.size()});
            add_weights(group, begin, count, {.size = block_size, .first_joint = 1});
            block_ += blocks_for(count);
            add_to_chunk(count);
        }
    }

    void add_octets(const JointRun& group) {
        if (skin_.octets.empty()) skin_.octet_block = block_;
        const auto first_joint = static_cast<uint32_t>(skin_.run_joints.size());
        skin_.run_joints.insert(skin_.run_joints.end(), group.joints.begin(), group.joints.end());
        for (size_t begin = 0; begin < group.vertices.size(); begin += octet_size) {
            const auto count = static_cast<uint32_t>(std::min<size_t>(octet_size, group.vertices.size() - begin));
            skin_.octets.push_back(
                {first_joint, static_cast<uint32_t>(group.joints.size()), place(), count, skin_.weights.size()});
            add_weights(group, begin, count, {.size = octet_size, .first_joint = 0});
            block_ = skin_.octet_block + static_cast<uint32_t>(skin_.octets.size() + 1) / 2;
            add_to_chunk(count);
        }
    }

    // `same` share their pair and their number of influences.
    void add_loose(std::span<const LooseVertex> same) {
        if (skin_.loose.empty()) skin_.loose_place = place(), skin_.loose_block = block_;
        while (!same.empty()) {
            const uint32_t room = chunk_places - (place() - skin_.loose_place) % chunk_places;
            const auto piece = same.first(std::min<size_t>(room, same.size()));
            same = same.subspan(piece.size());
            const bool single = piece[0].pair[0] == piece[0].pair[1];
            skin_.loose.push_back({{piece[0].pair[0], piece[0].pair[1]},
                                   static_cast<uint32_t>(influences_.of(piece[0].vertex).size()) - (single ? 1 : 2),
                                   static_cast<uint32_t>(piece.size()),
                                   skin_.loose_weights.size(),
                                   skin_.loose_joints.size()});
            const uint32_t first = place();
            for (const LooseVertex& l : piece) add_record(l);
            add_loose_chunk(first);
        }
    }

private:
    uint32_t place() const { return static_cast<uint32_t>(skin_.order.size()); }

    struct WeightBlock {
        uint32_t size = 0;
        size_t first_joint = 0;  // those before have no weight of their own
    };

    void add_weights(const JointRun& group, size_t begin, uint32_t count, const WeightBlock& block) {
        for (uint32_t first = 0; first < count; first += block.size) {
            for (size_t k = block.first_joint; k < group.joints.size(); ++k) {
                for (uint32_t i = first; i < first + block.size; ++i) {
                    const uint32_t vertex = i < count ? group.vertices[begin + i] : 0, joint = group.joints[k];
                    skin_.weights.push_back(i < count ? weight_of(influences_, vertex, joint) : 0.0f);
                    if (!centre_influences_) continue;
                    skin_.centre_weights.push_back(i < count ? centre_weight_of(*centre_influences_, vertex, joint)
                                                             : uint16_t{0});
                }
            }
        }
        for (uint32_t i = 0; i < count; ++i) skin_.order.push_back(group.vertices[begin + i]);
    }

    void add_record(const LooseVertex& l) {
        const auto add = [&](uint32_t joint, bool used) {
            skin_.loose_weights.push_back(used ? weight_of(influences_, l.vertex, joint) : 0.0f);
            if (centre_influences_)
                skin_.loose_centre_weights.push_back(used ? centre_weight_of(*centre_influences_, l.vertex, joint)
                                                          : uint16_t{0});
        };
        add(l.pair[0], true);
        add(l.pair[1], l.pair[0] != l.pair[1]);
        for (const Influence& i : influences_.of(l.vertex)) {
            if (i.joint == l.pair[0] || i.joint == l.pair[1]) continue;
            skin_.loose_joints.push_back(i.joint);
            add(i.joint, true);
        }
        skin_.order.push_back(l.vertex);
    }

    // The run or octet just added goes to the last chunk, or begins a new one.
    void add_to_chunk(uint32_t count) {
        if (skin_.chunks.empty() || place() - skin_.chunks.back().first_place > chunk_places)
            begin_chunk(place() - count);
        end_chunk();
    }

    // Likewise; a chunk of loose vertices begins and ends with a block.
    void add_loose_chunk(uint32_t first) {
        if ((first - skin_.loose_place) % chunk_places == 0) begin_chunk(first);
        end_chunk();
    }

    // Begins where the last chunk ends.
    void begin_chunk(uint32_t first_place) {
        const SkinChunk last = skin_.chunks.empty() ? SkinChunk{} : skin_.chunks.back();
        skin_.chunks.push_back({.first_run = last.end_run,
                                .first_octet = last.end_octet,
                                .first_loose = last.end_loose,
                                .first_place = first_place});
    }

    void end_chunk() {
        SkinChunk& chunk = skin_.chunks.back();
        chunk.end_run = static_cast<uint32_t>(skin_.runs.size());
        chunk.end_octet = static_cast<uint32_t>(skin_.octets.size());
        chunk.end_loose = static_cast<uint32_t>(skin_.loose.size());
        chunk.end_place = place();
    }

    const Influences& influences_;
    const Influences* centre_influences_;
    CompiledSkin& skin_;
    uint32_t block_ = 0;
};

// So many lanes of the rest streams, counted from the first block on, and the places they hold.
struct Lanes {
    size_t first = 0;
    uint32_t count = 0;
    uint32_t first_place = 0;
    uint32_t places = 0;
};

// Calls visit(lanes) for each block and octet.
template <class Visit>
void each_piece(const CompiledSkin& skin, const Visit& visit) {
    const auto blocks = [&](uint32_t block, uint32_t place, uint32_t places) {
        for (uint32_t b = 0; b < blocks_for(places); ++b)
            visit(Lanes{size_t{block + b} * block_size, block_size, place + b * block_size,
                        std::min(block_size, places - b * block_size)});
    };
    for (const SkinRun& run : skin.runs) blocks(run.first_block, run.first_place, run.places);
    for (size_t i = 0; i < skin.octets.size(); ++i)
        visit(Lanes{size_t{skin.octet_block} * block_size + i * octet_size, octet_size, skin.octets[i].first_place,
                    skin.octets[i].places});
    const auto all = static_cast<uint32_t>(skin.order.size());
    if (!skin.loose.empty()) blocks(skin.loose_block, skin.loose_place, all - skin.loose_place);
}

// Padding repeats the piece's last vertex: lanes that nobody reads should still hold ordinary numbers.
template <class Vector>
void fill(const CompiledSkin& skin, std::span<const Vector> from, size_t blocks, AlignedVector<float>& to) {
    constexpr size_t rows = Vector::RowsAtCompileTime;
    if (from.empty()) return to.clear();
    to.resize(blocks * block_size * rows);
    each_piece(skin, [&](const Lanes& lanes) {
        float* out = to.data() + lanes.first / block_size * block_size * rows + lanes.first % block_size;
        for (uint32_t i = 0; i < lanes.count; ++i) {
            const Vector& value = from[skin.order[lanes.first_place + std::min(i, lanes.places - 1)]];
            for (size_t row = 0; row < rows; ++row) out[row * block_size + i] = value[static_cast<ptrdiff_t>(row)];
        }
    });
}

}  // namespace

CompiledSkin compile_skin(const Influences& influences, const RestShape& rest, size_t joint_count,
                          const Influences* centre_influences) {
    SINEW_CHECK(rest.centres.empty() ||
                (centre_influences && centre_influences->vertex_count() == influences.vertex_count()));
    CompiledSkin skin;
    skin.joint_count = joint_count;
    skin.order.reserve(influences.vertex_count());
    Compiler compiler(influences, centre_influences, skin);
    const JointSets sets = group_by_joints(influences);
    for (const JointRun& run : sets.runs) compiler.add_run(run);
    for (const JointRun& group : sets.octets) compiler.add_octets(group);
    const auto same = [&](const LooseVertex& a, const LooseVertex& b) {
        return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1] &&
               influences.of(a.vertex).size() == influences.of(b.vertex).size();
    };
    for (size_t begin = 0, end; begin < sets.loose.size(); begin = end) {
        for (end = begin; end < sets.loose.size() && same(sets.loose[begin], sets.loose[end]);) ++end;
        compiler.add_loose(std::span(sets.loose).subspan(begin, end - begin));
    }
    set_rest(skin, rest);
    return skin;
}

void set_rest(CompiledSkin& skin, const RestShape& rest) {
    const size_t n = skin.vertex_count();
    SINEW_CHECK(rest.positions.size() == n);
    SINEW_CHECK(rest.normals.empty() || rest.normals.size() == n);
    SINEW_CHECK(rest.tangents.empty() || rest.tangents.size() == n);
    SINEW_CHECK(rest.centres.empty() || rest.centres.size() == n);
    size_t blocks = 0;
    each_piece(skin, [&](const Lanes& lanes) { blocks = std::max(blocks, lanes.first / block_size + 1); });
    fill(skin, rest.positions, blocks, skin.positions);
    fill(skin, rest.normals, blocks, skin.normals);
    fill(skin, rest.tangents, blocks, skin.tangents);
    fill(skin, rest.centres, blocks, skin.centres);
}

std::vector<uint32_t> lanes_by_vertex(const CompiledSkin& skin) {
    std::vector<uint32_t> lanes(skin.vertex_count());
    each_piece(skin, [&](const Lanes& piece) {
        for (uint32_t i = 0; i < piece.places; ++i)
            lanes[skin.order[piece.first_place + i]] = static_cast<uint32_t>(piece.first) + i;
    });
    return lanes;
}

void remap_indices(const CompiledSkin& skin, std::span<uint32_t> indices) {
    std::vector<uint32_t> place_of(skin.vertex_count());
    for (size_t place = 0; place < skin.order.size(); ++place)
        place_of[skin.order[place]] = static_cast<uint32_t>(place);
    for (uint32_t& index : indices) index = place_of[index];
}

}  // namespace sinew
