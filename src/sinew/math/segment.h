// A point beside a segment: how far along it lies, and how far away. Used wherever bones are segments.
#pragma once

#include <algorithm>

namespace sinew {

// The share of the way from `a` to `b` at the point of the line nearest to `p`: 0 at a, 1 at b, outside beyond them;
// 0 where they are one.
template <class Vec>
typename Vec::Scalar place_on_line(const Vec& p, const Vec& a, const Vec& b) {
    const auto squared = (b - a).squaredNorm();
    return squared > 0 ? (p - a).dot(b - a) / squared : 0;
}

// The same within the segment.
template <class Vec>
typename Vec::Scalar place_on_segment(const Vec& p, const Vec& a, const Vec& b) {
    using Scalar = typename Vec::Scalar;
    return std::clamp(place_on_line(p, a, b), Scalar(0), Scalar(1));
}

template <class Vec>
typename Vec::Scalar distance_to_segment(const Vec& p, const Vec& a, const Vec& b) {
    return (p - a - place_on_segment(p, a, b) * (b - a)).norm();
}

}  // namespace sinew
