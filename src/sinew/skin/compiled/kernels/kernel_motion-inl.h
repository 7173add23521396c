// What the kernels that blend rotations share: vertices moved by a blended motion, as many as there are lanes.
// Data flow: kernel_motion_runs-inl.h and kernel_motion_alone-inl.h blend → *here* → the output streams.
#if defined(SINEW_SKIN_KERNEL_MOTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_SKIN_KERNEL_MOTION_INL_H_
#undef SINEW_SKIN_KERNEL_MOTION_INL_H_
#else
#define SINEW_SKIN_KERNEL_MOTION_INL_H_
#endif

#include <sinew/skin/compiled/kernels/kernel-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

// Whether some of the joints that are blended have more than a rotation.
enum class Stretch { none, some };

// What blending gave a vector of lanes; which of these are set depends on the deformer.
template <class V>
struct LaneMotion {
    V real[4];
    V dual[4];              // what joints' stretches do to the point is in it
    LaneMatrix<V> stretch;  // set when there is Stretch::some
    V3<V> centre;           // where the centre of rotation goes
};

// Which of a LaneMotion a deformer needs.
template <bool dual_, bool centre_>
struct Needs {
    static constexpr bool dual = dual_, centre = centre_;
};

constexpr size_t motion_floats = sizeof(MotionEntry) / sizeof(float);

HWY_INLINE const float* centres_of(const KernelJob& job, size_t block) {
    return job.skin->centres.empty() ? nullptr : job.skin->centres.data() + block * 3 * block_size;
}

// From one on; null when the skin has none.
HWY_INLINE const uint16_t* centre_weights_from(const AlignedVector<uint16_t>& all, size_t first) {
    return all.empty() ? nullptr : all.data() + first;
}

HWY_INLINE float dot4(const float* a, const float* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Directions by the rotation; before it, where there is one, by the stretch. The rotation changes no cofactor.
template <class Make, Stretch stretch, class V>
HWY_INLINE void turn_directions(const Rotation<V>& q, const LaneMotion<V>& motion, const LaneStreams& s) {
    if constexpr (Make::normals) {
        V sign = hn::Zero(hn::DFromV<V>());
        const V3<V> n = stretch == Stretch::some ? exact_normal(motion.stretch, s.normals, sign) : load3<V>(s.normals);
        finish_normal(q.turn(n), s);
        if constexpr (Make::tangents) {
            const V3<V> t = stretch == Stretch::some ? times(motion.stretch, s.tangents) : load3<V>(s.tangents);
            finish_tangent(q.turn(t), sign, s);
        }
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#endif
