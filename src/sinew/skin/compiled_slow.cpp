#include <sinew/skin/compiled_slow.h>

#include <sinew/skin/deform_vertex.h>
#include <algorithm>

namespace sinew {
namespace {

enum class Method { dual_quaternion, centres };

// The rest vector of a place: lane `lane` of block `block`.
Vec3 rest(const AlignedVector<float>& stream, size_t rows, size_t block, size_t lane) {
    const float* at = stream.data() + block * block_size * rows + lane;
    return {at[0], at[block_size], at[2 * block_size]};
}

// Moves one vertex through the scalar deformer's own functions, with buffers of one vertex.
template <Method method>
void move(const KernelJob& job, std::span<const Influence> list, size_t block, size_t lane, size_t out) {
    const CompiledSkin& skin = *job.skin;
    const std::span<const Affine> palette(reinterpret_cast<const Affine*>(job.palette), skin.joint_count);
    const Vec3 p = rest(skin.positions, 3, block, lane);
    Vec3 n = Vec3::Zero(), position = p, normal = n;
    Vec4 t = Vec4::Zero(), tangent = t;
    DeformBuffers b{.positions_in = {&p, 1}, .positions_out = {&position, 1}};
    if (job.normals) {
        n = rest(skin.normals, 3, block, lane);
        b.normals_in = {&n, 1}, b.normals_out = {&normal, 1};
    }
    if (job.tangents) {
        t.head<3>() = rest(skin.tangents, 4, block, lane);
        t.w() = skin.tangents[(block * 4 + 3) * block_size + lane];
        b.tangents_in = {&t, 1}, b.tangents_out = {&tangent, 1};
    }
    if (list.empty()) {
        copy_vertex(b, 0);
    } else if (list.size() == 1) {
        deform_vertex(palette[list.front().joint], b, 0);
    } else {
        const BlendedMotion motion = blend_motions(job.taken_apart, list, p);
        Vec3 to = motion * p;
        if constexpr (method == Method::centres) {
            const Vec3 c = rest(skin.centres, 3, block, lane);
            to = motion.linear * (p - c) + blend_matrices(palette, list) * c;
        }
        deform_vertex(to, motion.linear, b, 0);
    }
    std::copy_n(position.data(), 3, job.positions + 3 * out);
    if (job.normals) std::copy_n(normal.data(), 3, job.normals + 3 * out);
    if (job.tangents) std::copy_n(tangent.data(), 4, job.tangents + 4 * out);
}

// As Influences has them: no zeros, the largest first.
void tidy(std::vector<Influence>& list) {
    std::erase_if(list, [](const Influence& i) { return !(i.weight > 0.0f) || i.joint == no_joint; });
    std::ranges::sort(list, [](const Influence& a, const Influence& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
    });
}

template <Method method>
void slow_run(const KernelJob& job, const SkinRun& run) {
    const CompiledSkin& skin = *job.skin;
    const size_t first_place = job.chunks.front().first_place, others = run.influences - 1;
    std::vector<Influence> list;
    for (uint32_t i = 0; i < run.places; ++i) {
        const float* w =
            skin.weights.data() + run.first_weight + (i / block_size * others) * block_size + i % block_size;
        list.clear();
        float left = 1.0f;
        for (size_t k = 1; k <= others; ++k) {
            const float weight = w[(k - 1) * block_size];
            left -= weight;
            list.push_back({skin.run_joints[run.first_joint + k], weight});
        }
        // What rounding leaves of a weight that was 0 is not an influence.
        list.push_back({skin.run_joints[run.first_joint], left > 1e-6f ? left : 0.0f});
        tidy(list);
        move<method>(job, list, run.first_block + i / block_size, i % block_size, run.first_place - first_place + i);
    }
}

template <Method method>
void slow_loose(const KernelJob& job, const SkinChunk& chunk) {
    const CompiledSkin& skin = *job.skin;
    const size_t first_place = job.chunks.front().first_place;
    size_t place = chunk.first_place;
    std::vector<Influence> list;
    for (uint32_t r = chunk.first_loose; r < chunk.end_loose; ++r) {
        const LooseRun& run = skin.loose[r];
        const float* w = skin.loose_weights.data() + run.first_weight;
        const uint32_t* joints = skin.loose_joints.data() + run.first_extra;
        for (uint32_t i = 0; i < run.places; ++i, ++place, w += 2 + run.extras, joints += run.extras) {
            list.assign({{run.pair[0], w[0]}, {run.pair[1], w[1]}});
            for (uint32_t e = 0; e < run.extras; ++e) list.push_back({joints[e], w[2 + e]});
            tidy(list);
            const size_t loose = place - skin.loose_place;
            move<method>(job, list, skin.loose_block + loose / block_size, loose % block_size, place - first_place);
        }
    }
}

}  // namespace

const SlowPath slow_dual_quaternion{slow_run<Method::dual_quaternion>, slow_loose<Method::dual_quaternion>};
const SlowPath slow_centres_of_rotation{slow_run<Method::centres>, slow_loose<Method::centres>};

}  // namespace sinew
