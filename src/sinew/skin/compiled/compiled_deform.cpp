#include <sinew/skin/compiled/compiled_deform.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <sinew/core/parallel_short.h>
#include <sinew/skin/compiled/joint_sets.h>
#include <sinew/skin/compiled/kernels/kernel.h>
#include <sinew/skin/deformers/joint_motion.h>
#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

using Kernel = void (*)(const KernelJob&);

constexpr size_t position_floats = 3, normal_floats = 3, tangent_floats = 4;

// Results that pass through the nearest cache on their way to other strides or to the mesh's order.
constexpr uint32_t staged_places = 512 + block_size;
struct Stage {
    alignas(cache_line) float positions[staged_places * position_floats];
    alignas(cache_line) float normals[staged_places * normal_floats];
    alignas(cache_line) float tangents[staged_places * tangent_floats];
};

SkinOutput wanted(const CompiledSkin& skin, SkinOutput o) {
    if (skin.normals.empty()) o.normals = {};
    if (skin.normals.empty() || skin.tangents.empty()) o.tangents = {};
    const auto pack = [](VertexStream& s, size_t floats) {
        if (s.stride == 0) s.stride = floats * sizeof(float);
    };
    pack(o.positions, position_floats), pack(o.normals, normal_floats), pack(o.tangents, tangent_floats);
    return o;
}

bool fits(const VertexStream& s, size_t floats) {
    return !s.data || s.stride == floats * sizeof(float);
}

// Whether kernels can write into the caller's buffers: they make positions, or positions and normals, or all three,
// packed and in the compiled order. Other choices pass through the stage.
bool writes_direct(const CompiledDeformOptions& options, const SkinOutput& o) {
    const bool usual = o.positions.data && (o.normals.data || !o.tangents.data);
    const bool packed =
        fits(o.positions, position_floats) && fits(o.normals, normal_floats) && fits(o.tangents, tangent_floats);
    return usual && packed && options.order == VertexOrder::compiled;
}

void scatter(const float* from, size_t floats, const VertexStream& to, const SkinChunk& chunk, const uint32_t* order) {
    if (!to.data) return;
    auto* base = reinterpret_cast<std::byte*>(to.data);
    for (uint32_t place = chunk.first_place; place < chunk.end_place; ++place, from += floats) {
        std::byte* at = base + to.stride * (order ? order[place] : place);
        std::memcpy(at, from, 3 * sizeof(float));
        if (floats == 4) std::memcpy(at + 3 * sizeof(float), from + 3, sizeof(float));
    }
}

class Call {
public:
    Call(const CompiledSkin& skin, const CompiledDeformOptions& options, const SkinOutput& output, const KernelJob& job,
         Kernel kernel)
        : skin_(skin),
          job_(job),
          kernel_(kernel),
          out_(wanted(skin, output)),
          direct_(writes_direct(options, out_)),
          order_(options.order == VertexOrder::original ? skin.order.data() : nullptr) {}

    void run(size_t first_chunk, size_t end_chunk) const {
        const auto chunks = std::span(skin_.chunks).subspan(first_chunk, end_chunk - first_chunk);
        if (direct_) return direct(chunks);
        Stage stage;
        for (const SkinChunk& chunk : chunks) staged(chunk, stage);
    }

private:
    void direct(std::span<const SkinChunk> chunks) const {
        KernelJob job = job_;
        const size_t place = chunks.front().first_place;
        job.chunks = chunks;
        job.positions = out_.positions.data + position_floats * place;
        if (out_.normals.data) job.normals = out_.normals.data + normal_floats * place;
        if (out_.tangents.data) job.tangents = out_.tangents.data + tangent_floats * place;
        kernel_(job);
    }

    void staged(const SkinChunk& chunk, Stage& stage) const {
        KernelJob job = job_;
        job.chunks = {&chunk, 1};
        job.positions = stage.positions;
        if (out_.normals.data || out_.tangents.data) job.normals = stage.normals;
        if (out_.tangents.data) job.tangents = stage.tangents;
        kernel_(job);
        scatter(stage.positions, position_floats, out_.positions, chunk, order_);
        scatter(stage.normals, normal_floats, out_.normals, chunk, order_);
        scatter(stage.tangents, tangent_floats, out_.tangents, chunk, order_);
    }

    const CompiledSkin& skin_;
    const KernelJob& job_;
    Kernel kernel_;
    SkinOutput out_;
    bool direct_;
    const uint32_t* order_;
};

void run(const CompiledSkin& skin, const CompiledDeformOptions& options, const SkinOutput& output, KernelJob job,
         Kernel kernel) {
    if (skin.vertex_count() == 0) return;
    job.skin = &skin;
    job.exact_normals = options.normals == NormalMethod::exact;
    job.unit = options.unit;
    const Call call(skin, options, output, job, kernel);
    constexpr size_t chunks_per_task = 4;
    if (!options.parallel || thread_count() == 1) return call.run(0, skin.chunks.size());
    parallel_for_short(skin.chunks.size(), chunks_per_task, [&](size_t begin, size_t end) { call.run(begin, end); });
}

// The palette as loose vertices read it, in columns of four and times `unit`; null when there are none.
const float* pad_palette(const CompiledSkin& skin, std::span<const Affine> palette, float unit, SkinScratch& scratch) {
    if (skin.loose.empty()) return nullptr;
    scratch.palette.resize(16 * palette.size());
    for (size_t j = 0; j < palette.size(); ++j) {
        for (int column = 0; column < 4; ++column) {
            float* to = scratch.palette.data() + 16 * j + 4 * column;
            for (int row = 0; row < 3; ++row) to[row] = unit * palette[j].data()[3 * column + row];
            to[3] = 0.0f;
        }
    }
    return scratch.palette.data();
}

void fill(const JointMotion& from, MotionEntry& to) {
    std::copy_n(from.rigid.real.coeffs().data(), 4, to.real);
    std::copy_n(from.rigid.dual.coeffs().data(), 4, to.dual);
    for (int c = 0; c < 3; ++c) {
        const Quat column = translation_dual(from.residue.col(c), from.rigid.real);
        for (int r = 0; r < 4; ++r) to.strain[r][c] = column.coeffs()[r];
    }
    std::copy_n(from.stretch.data(), 9, to.stretch);
}

void prepare_motions(std::span<const Affine> palette, SkinScratch& scratch, KernelJob& job) {
    scratch.motions.resize(palette.size() * (sizeof(MotionEntry) / sizeof(float)));
    auto* motions = reinterpret_cast<MotionEntry*>(scratch.motions.data());
    scratch.is_rigid.resize(palette.size());
    scratch.is_near.resize(palette.size());
    joint_motions_kernel(palette, motions, scratch.is_rigid.data(), scratch.is_near.data());
    for (size_t j = 0; j < palette.size(); ++j) {
        if (scratch.is_rigid[j] != undone) continue;
        fill(take_apart(palette[j]), motions[j]);
        scratch.is_rigid[j] = false, scratch.is_near[j] = false;
    }
    job.palette = palette.empty() ? nullptr : palette[0].data();
    job.motions = motions;
    job.is_rigid = scratch.is_rigid.data();
    job.is_near = scratch.is_near.data();
    const auto all = [](const std::vector<uint8_t>& flags) { return std::ranges::find(flags, 0) == flags.end(); };
    job.all_rigid = all(scratch.is_rigid);
    job.all_near = all(scratch.is_near);
}

}  // namespace

void deform_linear_blend(const CompiledSkin& skin, std::span<const Affine> world_from_bind,
                         const CompiledDeformOptions& options, SkinScratch& scratch, const SkinOutput& output) {
    SINEW_CHECK(world_from_bind.size() == skin.joint_count);
    KernelJob job;
    job.palette = world_from_bind.empty() ? nullptr : world_from_bind[0].data();
    job.padded = pad_palette(skin, world_from_bind, 1.0f, scratch);
    run(skin, options, output, job, linear_blend_kernel);
}

void deform_dual_quaternion(const CompiledSkin& skin, std::span<const Affine> world_from_bind,
                            const CompiledDeformOptions& options, SkinScratch& scratch, const SkinOutput& output) {
    SINEW_CHECK(world_from_bind.size() == skin.joint_count);
    KernelJob job;
    prepare_motions(world_from_bind, scratch, job);
    run(skin, options, output, job, dual_quaternion_kernel);
}

void deform_centres_of_rotation(const CompiledSkin& skin, std::span<const Affine> world_from_bind,
                                const CompiledDeformOptions& options, SkinScratch& scratch, const SkinOutput& output) {
    SINEW_CHECK(world_from_bind.size() == skin.joint_count);
    SINEW_CHECK(skin.vertex_count() == 0 || !skin.centres.empty());
    SINEW_CHECK(skin.centre_weights.size() == skin.weights.size() &&
                skin.loose_centre_weights.size() == skin.loose_weights.size());
    KernelJob job;
    prepare_motions(world_from_bind, scratch, job);
    job.padded = pad_palette(skin, world_from_bind, centre_weight_unit, scratch);
    run(skin, options, output, job, centres_of_rotation_kernel);
}

}  // namespace sinew
