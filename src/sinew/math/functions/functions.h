// Sine, logarithm and their kin, of nothing but IEEE sums, products, quotients and roots: the same bits wherever they
// are compiled. C libraries differ in the last bit of these functions (and one differs from itself on processors with
// fused multiply-adds), and solvers make more of it. The program and a browser's core use these under the C library's
// names (src/libm), so that both write the same files. Errors are below three last bits; series are Taylor's, cut where
// the rest is below a last bit.
#pragma once

namespace sinew::functions {

double sine(double x);
double cosine(double x);
struct SineCosine {
    double sine, cosine;
};
SineCosine sine_cosine(double x);
double tangent(double x);
double arc_sine(double x);
double arc_cosine(double x);
double angle_of(double y, double x);  // atan2

double exponential(double x);
double power_of_two(double x);
double logarithm(double x);
double logarithm2(double x);
double logarithm10(double x);
double power(double x, double y);
double hyperbolic_tangent(double x);
double cube_root(double x);
double length(double x, double y);  // hypot

}  // namespace sinew::functions
