// Hides the differences between Embree 3 and 4: header names, and how a ray query takes its context.
// Data flow: only render's sources include it, no other header.
#pragma once

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace sinew {

inline void embree_intersect(RTCScene scene, RTCRayHit& ray) {
#if RTC_VERSION_MAJOR >= 4
    rtcIntersect1(scene, &ray, nullptr);
#else
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &ray);
#endif
}

// Sets ray.tfar to a negative number when something is in the way.
inline void embree_occluded(RTCScene scene, RTCRay& ray) {
#if RTC_VERSION_MAJOR >= 4
    rtcOccluded1(scene, &ray, nullptr);
#else
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, &ray);
#endif
}

}  // namespace sinew
