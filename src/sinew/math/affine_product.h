// The product of two affine matrices in double, two rows at a time: half the instructions of Eigen's.
// Data flow: skeleton/pose.h and make_palette (skin/deform.h), for every joint of every frame.
#pragma once

#include <sinew/math/types.h>

namespace sinew {

template <class Scalar>
using AffineOf = Eigen::Transform<Scalar, 3, Eigen::AffineCompact, Eigen::DontAlign>;

// out = a · b, summed in double and rounded once, to what `out` holds.
template <class B, class Out>
inline void multiply(const AffineD& a, const AffineOf<B>& b, AffineOf<Out>& out) {
    const double* m = a.data();  // column after column
    const Eigen::Array2d x(m[0], m[1]), y(m[3], m[4]), z(m[6], m[7]), t(m[9], m[10]);
    const double x2 = m[2], y2 = m[5], z2 = m[8], t2 = m[11];
#pragma GCC unroll 4
    for (int column = 0; column < 4; ++column) {
        const B* from = b.data() + 3 * column;
        const auto p = static_cast<double>(from[0]), q = static_cast<double>(from[1]), r = static_cast<double>(from[2]);
        Eigen::Array2d upper = x * p + y * q + z * r;
        double lower = x2 * p + y2 * q + z2 * r;
        if (column == 3) upper += t, lower += t2;
        Out* to = out.data() + 3 * column;
        to[0] = static_cast<Out>(upper[0]), to[1] = static_cast<Out>(upper[1]), to[2] = static_cast<Out>(lower);
    }
}

}  // namespace sinew
