// Sinew's own elementary functions under the C library's names (sinew/math/functions/functions.h says why). In a
// browser's core they stand in for the C library's; in the library, cmake/libm.cmake renames them and all calls of
// them.
#include <sinew/math/functions/functions.h>

namespace own = sinew::functions;

extern "C" {

double sin(double x) {
    return own::sine(x);
}
double cos(double x) {
    return own::cosine(x);
}
double tan(double x) {
    return own::tangent(x);
}
double asin(double x) {
    return own::arc_sine(x);
}
double acos(double x) {
    return own::arc_cosine(x);
}
double atan(double x) {
    return own::angle_of(x, 1);
}
double atan2(double y, double x) {
    return own::angle_of(y, x);
}
double exp(double x) {
    return own::exponential(x);
}
double exp2(double x) {
    return own::power_of_two(x);
}
double log(double x) {
    return own::logarithm(x);
}
double log2(double x) {
    return own::logarithm2(x);
}
double log10(double x) {
    return own::logarithm10(x);
}
double pow(double x, double y) {
    return own::power(x, y);
}
double tanh(double x) {
    return own::hyperbolic_tangent(x);
}
double cbrt(double x) {
    return own::cube_root(x);
}
double hypot(double x, double y) {
    return own::length(x, y);
}
void sincos(double x, double* sine, double* cosine) {  // GCC asks for both at once
    const own::SineCosine at = own::sine_cosine(x);
    *sine = at.sine;
    *cosine = at.cosine;
}

float sinf(float x) {
    return static_cast<float>(own::sine(x));
}
float cosf(float x) {
    return static_cast<float>(own::cosine(x));
}
float tanf(float x) {
    return static_cast<float>(own::tangent(x));
}
float asinf(float x) {
    return static_cast<float>(own::arc_sine(x));
}
float acosf(float x) {
    return static_cast<float>(own::arc_cosine(x));
}
float atanf(float x) {
    return static_cast<float>(own::angle_of(x, 1));
}
float atan2f(float y, float x) {
    return static_cast<float>(own::angle_of(y, x));
}
float expf(float x) {
    return static_cast<float>(own::exponential(x));
}
float exp2f(float x) {
    return static_cast<float>(own::power_of_two(x));
}
float logf(float x) {
    return static_cast<float>(own::logarithm(x));
}
float log2f(float x) {
    return static_cast<float>(own::logarithm2(x));
}
float log10f(float x) {
    return static_cast<float>(own::logarithm10(x));
}
float powf(float x, float y) {
    return static_cast<float>(own::power(x, y));
}
float tanhf(float x) {
    return static_cast<float>(own::hyperbolic_tangent(x));
}
float cbrtf(float x) {
    return static_cast<float>(own::cube_root(x));
}
float hypotf(float x, float y) {
    return static_cast<float>(own::length(x, y));
}
void sincosf(float x, float* sine, float* cosine) {
    const own::SineCosine at = own::sine_cosine(x);
    *sine = static_cast<float>(at.sine);
    *cosine = static_cast<float>(at.cosine);
}
}
