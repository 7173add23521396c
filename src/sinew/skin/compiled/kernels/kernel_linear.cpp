// Linear blend skinning of compiled skins.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/compiled/kernels/kernel_linear.cpp"
#include <hwy/foreach_target.h>

#include <sinew/skin/compiled/kernels/kernel_linear-inl.h>
#include <sinew/skin/compiled/kernels/kernel_loose-inl.h>
#include <sinew/skin/compiled/kernels/kernel_octets-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {

template <class Make>
void all_runs(const KernelJob& job) {
    const CompiledSkin& skin = *job.skin;
    const uint32_t first = job.chunks.front().first_run, end = job.chunks.back().end_run;
    // Matrices are made one run ahead, so that they have left the store buffer when they are broadcast.
    RunMatrices matrices[2];
    if (first < end) prepare(job, skin.runs[first], matrices[first & 1]);
    for (uint32_t r = first; r < end; ++r) {
        if (r + 1 < end) prepare(job, skin.runs[r + 1], matrices[(r + 1) & 1]);
        const SkinRun& run = skin.runs[r];
        const RunMatrices& m = matrices[r & 1];
        switch (run.influences) {
            case 1:
                run_blocks<1, Make>(job, run, m);
                break;
            case 2:
                run_blocks<specialised ? 2 : 0, Make>(job, run, m);
                break;
            case 3:
                run_blocks<specialised ? 3 : 0, Make>(job, run, m);
                break;
            case 4:
                run_blocks<specialised ? 4 : 0, Make>(job, run, m);
                break;
            default:
                run_blocks<0, Make>(job, run, m);
                break;
        }
    }
}

}  // namespace

void linear_blend(const KernelJob& job) {
    choose_kernel(job, [&](auto make) SINEW_INLINE_LAMBDA {
        all_runs<decltype(make)>(job);
        using Make = decltype(make);
        const float* palette = job.palette;
        each_octet<Make>(job, [palette](const OctetAt& at) SINEW_INLINE_LAMBDA { move_octet<Make>(at, palette); });
        all_loose<decltype(make)>(job);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(linear_blend);
void linear_blend_kernel(const KernelJob& job) {
    HWY_DYNAMIC_DISPATCH(linear_blend)(job);
}
}  // namespace sinew
#endif
