#include <sinew/character/character_deformer.h>

#include <sinew/character/scalar_parts.h>
#include <sinew/core/check.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skin/compiled/compiled_deform.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <utility>

namespace sinew {
namespace {

// One number for all deformers, so that arrays that went from one to another are not taken for up to date.
uint64_t next_revision() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

// Returns whether anything changed, to the last bit.
bool replace(std::span<const Affine> with, std::span<Affine> matrices) {
    if (std::memcmp(matrices.data(), with.data(), with.size_bytes()) == 0) return false;
    std::ranges::copy(with, matrices.begin());
    return true;
}

template <class Vector>
void copy_to(const std::vector<Vector>& from, const VertexStream& to) {
    if (!to.data) return;
    const size_t stride = to.stride == 0 ? sizeof(Vector) : to.stride;
    auto* at = reinterpret_cast<std::byte*>(to.data);
    for (const Vector& value : from) std::memcpy(std::exchange(at, at + stride), value.data(), sizeof(Vector));
}

VertexStream stream(auto& array) {
    return {array.empty() ? nullptr : array[0].data(), 0};
}

}  // namespace

class CharacterDeformer::State {
public:
    State(const Character& character, const DeformOptions& options)
        : character_(character), options_(options), prepared_(prepare_parts(character, options)) {
        world_.resize(character.skeleton.size());
        skin_palettes_.resize(character.skins.size());
        part_matrices_.resize(prepared_.parts.size());
        skin_changed_.resize(character.skins.size());
        size_t most = 1;
        for (const PreparedPart& part : prepared_.parts) {
            parts_.push_back(describe(part));
            if (part.skin < 0) {
                palettes_.emplace_back(&part_matrices_[palettes_.size()], 1);
                continue;
            }
            std::vector<Affine>& palette = skin_palettes_[same_skin(part)];
            palette.resize(character.skins[static_cast<size_t>(part.skin)].joints.size());
            palettes_.emplace_back(palette);
            most = std::max(most, palette.size());
        }
        next_palette_.resize(most);
        scalar_.emplace(character_, options_, prepared_, palettes_);
    }

    void set_pose(const Pose& pose) {
        SINEW_CHECK(pose.local.size() == world_.size());
        local_to_world(character_.skeleton.parents(), pose.local, world_);
        for (size_t s = 0; s < skin_palettes_.size(); ++s) {
            const std::span next = std::span(next_palette_).first(skin_palettes_[s].size());
            if (next.empty()) continue;
            make_palette(character_.skins[s], world_, next);
            skin_changed_[s] = replace(next, skin_palettes_[s]);
        }
        const uint64_t revision = next_revision();
        for (size_t k = 0; k < parts_.size(); ++k) {
            const bool moved = move(k), morphed = morph(k, pose);
            if (moved || morphed || parts_[k].revision == 0) parts_[k].revision = revision;
        }
    }

    void deform(std::vector<DeformedPrimitive>& out) {
        out.resize(parts_.size());
        for (size_t k = 0; k < out.size(); ++k) {
            DeformedPrimitive& p = out[k];
            p.instance = parts_[k].instance, p.primitive = parts_[k].primitive;
            if (prepared_.parts[k].compiled < 0 || p.revision == parts_[k].revision) continue;
            p.positions.resize(parts_[k].vertex_count);
            p.normals.resize(parts_[k].has_normals ? parts_[k].vertex_count : 0);
            p.tangents.resize(parts_[k].has_tangents ? parts_[k].vertex_count : 0);
            write(k, {stream(p.positions), stream(p.normals), stream(p.tangents)}, VertexOrder::original);
            p.revision = parts_[k].revision;
        }
        scalar_->update(parts_, out);
    }

    void write(size_t k, const SkinOutput& to, VertexOrder order) {
        const PreparedPart& part = prepared_.parts[k];
        if (part.compiled >= 0) return run_kernel(k, to, order);
        shapes_.resize(parts_.size());
        scalar_->update(parts_, shapes_);
        copy_to(shapes_[k].positions, to.positions);
        copy_to(shapes_[k].normals, to.normals);
        copy_to(shapes_[k].tangents, to.tangents);
    }

    std::span<const DeformedPart> parts() const { return parts_; }
    std::span<const Affine> palette(size_t part) const { return palettes_[part]; }
    std::span<const AffineD> world_from_joint() const { return world_; }

private:
    size_t same_skin(const PreparedPart& part) const {
        return static_cast<size_t>(prepared_.same_skin[static_cast<size_t>(part.skin)]);
    }

    DeformedPart describe(const PreparedPart& part) const {
        const Mesh& mesh = primitive_of(character_, part).mesh;
        DeformedPart result{.instance = part.instance,
                            .primitive = part.primitive,
                            .vertex_count = mesh.vertex_count(),
                            .has_normals = options_.normals && !mesh.normals.empty(),
                            .has_tangents = options_.normals && !mesh.tangents.empty(),
                            .order = {}};
        // Without a skin, all vertices follow one matrix and nothing reorders them.
        if (part.skin >= 0 && part.compiled >= 0)
            result.order = prepared_.compiled[static_cast<size_t>(part.compiled)].order;
        return result;
    }

    bool move(size_t k) {
        const PreparedPart& part = prepared_.parts[k];
        if (part.skin >= 0) return skin_changed_[same_skin(part)];
        const auto joint = static_cast<size_t>(instance_of(character_, part).joint);
        const Affine world_from_mesh = world_[joint].cast<float>();
        return replace({&world_from_mesh, 1}, {&part_matrices_[k], 1});
    }

    bool morph(size_t k, const Pose& pose) {
        PreparedPart& part = prepared_.parts[k];
        const size_t count = primitive_of(character_, part).morphs.size();
        if (count == 0) return false;
        const auto first = static_cast<size_t>(instance_of(character_, part).first_morph);
        const auto weights = std::span(pose.morphs).subspan(first, count);
        if (part.compiled < 0) return scalar_->set_morphs(k, weights);
        return morph_rest(part.morphs, weights, prepared_.compiled[static_cast<size_t>(part.compiled)]);
    }

    void run_kernel(size_t k, const SkinOutput& to, VertexOrder order) {
        const PreparedPart& part = prepared_.parts[k];
        const CompiledSkin& skin = prepared_.compiled[static_cast<size_t>(part.compiled)];
        const CompiledDeformOptions options{.order = parts_[k].order.empty() ? VertexOrder::compiled : order,
                                            .parallel = options_.parallel};
        if (part.skin >= 0 && options_.skinning == Skinning::dual_quaternion)
            deform_dual_quaternion(skin, palettes_[k], options, scratch_, to);
        else if (part.skin >= 0 && options_.skinning == Skinning::centres_of_rotation)
            deform_centres_of_rotation(skin, palettes_[k], options, scratch_, to);
        else
            deform_linear_blend(skin, palettes_[k], options, scratch_, to);
    }

    const Character& character_;
    const DeformOptions options_;
    PreparedCharacter prepared_;
    std::vector<DeformedPart> parts_;
    std::vector<std::span<const Affine>> palettes_;  // per part, into the two below
    std::vector<std::vector<Affine>>
        skin_palettes_;                  // per skin; empty where no part uses it or another one is the same
    std::vector<Affine> part_matrices_;  // of parts without a skin
    std::vector<uint8_t> skin_changed_;
    std::vector<Affine> next_palette_;
    std::vector<AffineD> world_;
    std::optional<ScalarParts> scalar_;
    std::vector<DeformedPrimitive> shapes_;  // of parts that are not compiled, for write()
    SkinScratch scratch_;
};

CharacterDeformer::CharacterDeformer(const Character& character, const DeformOptions& options)
    : state_(std::make_unique<State>(character, options)) {}

CharacterDeformer::~CharacterDeformer() = default;
CharacterDeformer::CharacterDeformer(CharacterDeformer&&) noexcept = default;

void CharacterDeformer::deform(const Pose& pose, std::vector<DeformedPrimitive>& out) {
    state_->set_pose(pose);
    state_->deform(out);
}

void CharacterDeformer::set_pose(const Pose& pose) {
    state_->set_pose(pose);
}

void CharacterDeformer::write(size_t part, const SkinOutput& to, VertexOrder order) {
    state_->write(part, to, order);
}

std::span<const DeformedPart> CharacterDeformer::parts() const {
    return state_->parts();
}

std::span<const Affine> CharacterDeformer::palette(size_t part) const {
    return state_->palette(part);
}

std::span<const AffineD> CharacterDeformer::world_from_joint() const {
    return state_->world_from_joint();
}

void deform(const Character& character, const Pose& pose, const DeformOptions& options,
            std::vector<DeformedPrimitive>& out) {
    DeformOptions scalar = options;
    scalar.kernels = false;
    CharacterDeformer(character, scalar).deform(pose, out);
}

}  // namespace sinew
