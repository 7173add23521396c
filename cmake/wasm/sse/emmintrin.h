// SSE2 as Eigen uses it, for WebAssembly: the same operations in the same order, so that the core in a browser computes the
// same bits as on a PC. Data flow: Eigen's arch/SSE (dependencies.cmake defines __SSE2__ for it) → *here* → wasm SIMD.
// All of it is exact but _mm_rsqrt_ps, an approximation that differs from processor to processor.
#pragma once

#include <wasm_simd128.h>

typedef float __m128 __attribute__((__vector_size__(16), __aligned__(16)));
typedef double __m128d __attribute__((__vector_size__(16), __aligned__(16)));
typedef long long __m128i __attribute__((__vector_size__(16), __aligned__(16)));
typedef long long __m64 __attribute__((__vector_size__(8), __aligned__(8)));

#define SINEW_SSE static __inline__ __attribute__((__always_inline__, __nodebug__))
#define _MM_SHUFFLE(d, c, b, a) (((d) << 6) | ((c) << 4) | ((b) << 2) | (a))
#define _MM_HINT_T0 3
#define _mm_prefetch(place, hint) __builtin_prefetch((place), 0, (hint))

// Casts.
SINEW_SSE __m128 _mm_castsi128_ps(__m128i a) { return (__m128)a; }
SINEW_SSE __m128 _mm_castpd_ps(__m128d a) { return (__m128)a; }
SINEW_SSE __m128d _mm_castsi128_pd(__m128i a) { return (__m128d)a; }
SINEW_SSE __m128d _mm_castps_pd(__m128 a) { return (__m128d)a; }
SINEW_SSE __m128i _mm_castps_si128(__m128 a) { return (__m128i)a; }
SINEW_SSE __m128i _mm_castpd_si128(__m128d a) { return (__m128i)a; }

// Setting, loading, storing.
SINEW_SSE __m128 _mm_setzero_ps(void) { return (__m128){0, 0, 0, 0}; }
SINEW_SSE __m128d _mm_setzero_pd(void) { return (__m128d){0, 0}; }
SINEW_SSE __m128i _mm_setzero_si128(void) { return (__m128i){0, 0}; }
SINEW_SSE __m128 _mm_set1_ps(float a) { return (__m128){a, a, a, a}; }
SINEW_SSE __m128 _mm_set_ps1(float a) { return (__m128){a, a, a, a}; }
SINEW_SSE __m128 _mm_load1_ps(const float* p) { return _mm_set1_ps(*p); }
SINEW_SSE __m128 _mm_load_ps1(const float* p) { return _mm_set1_ps(*p); }
SINEW_SSE __m128d _mm_set1_pd(double a) { return (__m128d){a, a}; }
SINEW_SSE __m128d _mm_load1_pd(const double* p) { return _mm_set1_pd(*p); }
SINEW_SSE __m128i _mm_set1_epi64x(long long a) { return (__m128i){a, a}; }
SINEW_SSE __m128i _mm_set1_epi32(int a) { return (__m128i)wasm_i32x4_splat(a); }
SINEW_SSE __m128i _mm_set1_epi8(char a) { return (__m128i)wasm_i8x16_splat(a); }
SINEW_SSE __m128 _mm_set_ps(float d, float c, float b, float a) { return (__m128){a, b, c, d}; }
SINEW_SSE __m128d _mm_set_pd(double b, double a) { return (__m128d){a, b}; }
SINEW_SSE __m128i _mm_set_epi64x(long long b, long long a) { return (__m128i){a, b}; }
SINEW_SSE __m128i _mm_set_epi32(int d, int c, int b, int a) { return (__m128i)wasm_i32x4_make(a, b, c, d); }
SINEW_SSE __m128i _mm_setr_epi32(int a, int b, int c, int d) { return (__m128i)wasm_i32x4_make(a, b, c, d); }
SINEW_SSE __m128i _mm_set_epi8(char p, char o, char n, char m, char l, char k, char j, char i, char h, char g, char f, char e,
                               char d, char c, char b, char a) {
    return (__m128i)wasm_i8x16_make(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
SINEW_SSE __m128 _mm_set_ss(float a) { return (__m128){a, 0, 0, 0}; }
SINEW_SSE __m128d _mm_set_sd(double a) { return (__m128d){a, 0}; }
SINEW_SSE __m128 _mm_load_ss(const float* p) { return _mm_set_ss(*p); }
SINEW_SSE __m128d _mm_load_sd(const double* p) { return _mm_set_sd(*p); }
SINEW_SSE __m128 _mm_load_ps(const float* p) { return *(const __m128*)p; }
SINEW_SSE __m128d _mm_load_pd(const double* p) { return *(const __m128d*)p; }
SINEW_SSE __m128i _mm_load_si128(const __m128i* p) { return *p; }
SINEW_SSE __m128 _mm_loadu_ps(const float* p) { return (__m128)wasm_v128_load(p); }
SINEW_SSE __m128d _mm_loadu_pd(const double* p) { return (__m128d)wasm_v128_load(p); }
SINEW_SSE __m128i _mm_loadu_si128(const __m128i* p) { return (__m128i)wasm_v128_load(p); }
SINEW_SSE __m128i _mm_loadl_epi64(const __m128i* p) { return (__m128i)wasm_v128_load64_zero(p); }
SINEW_SSE __m128 _mm_loadl_pi(__m128 a, const __m64* p) { return (__m128)wasm_v128_load64_lane(p, (v128_t)a, 0); }
SINEW_SSE __m128 _mm_loadh_pi(__m128 a, const __m64* p) { return (__m128)wasm_v128_load64_lane(p, (v128_t)a, 1); }
SINEW_SSE void _mm_store_ps(float* p, __m128 a) { *(__m128*)p = a; }
SINEW_SSE void _mm_store_pd(double* p, __m128d a) { *(__m128d*)p = a; }
SINEW_SSE void _mm_store_si128(__m128i* p, __m128i a) { *p = a; }
SINEW_SSE void _mm_storeu_ps(float* p, __m128 a) { wasm_v128_store(p, (v128_t)a); }
SINEW_SSE void _mm_storeu_pd(double* p, __m128d a) { wasm_v128_store(p, (v128_t)a); }
SINEW_SSE void _mm_storeu_si128(__m128i* p, __m128i a) { wasm_v128_store(p, (v128_t)a); }
SINEW_SSE void _mm_storel_pi(__m64* p, __m128 a) { wasm_v128_store64_lane(p, (v128_t)a, 0); }
SINEW_SSE void _mm_storeh_pi(__m64* p, __m128 a) { wasm_v128_store64_lane(p, (v128_t)a, 1); }
SINEW_SSE float _mm_cvtss_f32(__m128 a) { return a[0]; }
SINEW_SSE double _mm_cvtsd_f64(__m128d a) { return a[0]; }
SINEW_SSE int _mm_cvtsi128_si32(__m128i a) { return wasm_i32x4_extract_lane((v128_t)a, 0); }

// Arithmetic.
SINEW_SSE __m128 _mm_add_ps(__m128 a, __m128 b) { return a + b; }
SINEW_SSE __m128 _mm_sub_ps(__m128 a, __m128 b) { return a - b; }
SINEW_SSE __m128 _mm_mul_ps(__m128 a, __m128 b) { return a * b; }
SINEW_SSE __m128 _mm_div_ps(__m128 a, __m128 b) { return a / b; }
SINEW_SSE __m128d _mm_add_pd(__m128d a, __m128d b) { return a + b; }
SINEW_SSE __m128d _mm_sub_pd(__m128d a, __m128d b) { return a - b; }
SINEW_SSE __m128d _mm_mul_pd(__m128d a, __m128d b) { return a * b; }
SINEW_SSE __m128d _mm_div_pd(__m128d a, __m128d b) { return a / b; }
SINEW_SSE __m128 _mm_sqrt_ps(__m128 a) { return (__m128)wasm_f32x4_sqrt((v128_t)a); }
SINEW_SSE __m128d _mm_sqrt_pd(__m128d a) { return (__m128d)wasm_f64x2_sqrt((v128_t)a); }
SINEW_SSE __m128 _mm_rsqrt_ps(__m128 a) { return _mm_set1_ps(1.0f) / _mm_sqrt_ps(a); }
// As on a PC: the second one where they are equal or not numbers.
SINEW_SSE __m128 _mm_min_ps(__m128 a, __m128 b) { return (__m128)wasm_f32x4_pmin((v128_t)b, (v128_t)a); }
SINEW_SSE __m128 _mm_max_ps(__m128 a, __m128 b) { return (__m128)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
SINEW_SSE __m128d _mm_min_pd(__m128d a, __m128d b) { return (__m128d)wasm_f64x2_pmin((v128_t)b, (v128_t)a); }
SINEW_SSE __m128d _mm_max_pd(__m128d a, __m128d b) { return (__m128d)wasm_f64x2_pmax((v128_t)b, (v128_t)a); }
// The lowest lane alone; the others are a's.
SINEW_SSE __m128 _mm_add_ss(__m128 a, __m128 b) { a[0] += b[0]; return a; }
SINEW_SSE __m128 _mm_mul_ss(__m128 a, __m128 b) { a[0] *= b[0]; return a; }
SINEW_SSE __m128 _mm_min_ss(__m128 a, __m128 b) { a[0] = a[0] < b[0] ? a[0] : b[0]; return a; }
SINEW_SSE __m128 _mm_max_ss(__m128 a, __m128 b) { a[0] = a[0] > b[0] ? a[0] : b[0]; return a; }
SINEW_SSE __m128 _mm_sqrt_ss(__m128 a) { a[0] = __builtin_sqrtf(a[0]); return a; }
SINEW_SSE __m128d _mm_add_sd(__m128d a, __m128d b) { a[0] += b[0]; return a; }
SINEW_SSE __m128d _mm_mul_sd(__m128d a, __m128d b) { a[0] *= b[0]; return a; }
SINEW_SSE __m128d _mm_min_sd(__m128d a, __m128d b) { a[0] = a[0] < b[0] ? a[0] : b[0]; return a; }
SINEW_SSE __m128d _mm_max_sd(__m128d a, __m128d b) { a[0] = a[0] > b[0] ? a[0] : b[0]; return a; }
SINEW_SSE __m128d _mm_sqrt_sd(__m128d a, __m128d b) { a[0] = __builtin_sqrt(b[0]); return a; }
SINEW_SSE __m128i _mm_add_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_add((v128_t)a, (v128_t)b); }
SINEW_SSE __m128i _mm_sub_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_sub((v128_t)a, (v128_t)b); }
SINEW_SSE __m128i _mm_mul_epu32(__m128i a, __m128i b) {
    const __m128i low = {0xffffffffLL, 0xffffffffLL};
    return (__m128i)wasm_i64x2_mul((v128_t)(a & low), (v128_t)(b & low));
}

// Bits and comparisons: all bits set where true.
SINEW_SSE __m128i _mm_and_si128(__m128i a, __m128i b) { return a & b; }
SINEW_SSE __m128i _mm_or_si128(__m128i a, __m128i b) { return a | b; }
SINEW_SSE __m128i _mm_xor_si128(__m128i a, __m128i b) { return a ^ b; }
SINEW_SSE __m128i _mm_andnot_si128(__m128i a, __m128i b) { return ~a & b; }
SINEW_SSE __m128 _mm_and_ps(__m128 a, __m128 b) { return (__m128)((__m128i)a & (__m128i)b); }
SINEW_SSE __m128 _mm_or_ps(__m128 a, __m128 b) { return (__m128)((__m128i)a | (__m128i)b); }
SINEW_SSE __m128 _mm_xor_ps(__m128 a, __m128 b) { return (__m128)((__m128i)a ^ (__m128i)b); }
SINEW_SSE __m128 _mm_andnot_ps(__m128 a, __m128 b) { return (__m128)(~(__m128i)a & (__m128i)b); }
SINEW_SSE __m128d _mm_and_pd(__m128d a, __m128d b) { return (__m128d)((__m128i)a & (__m128i)b); }
SINEW_SSE __m128d _mm_or_pd(__m128d a, __m128d b) { return (__m128d)((__m128i)a | (__m128i)b); }
SINEW_SSE __m128d _mm_xor_pd(__m128d a, __m128d b) { return (__m128d)((__m128i)a ^ (__m128i)b); }
SINEW_SSE __m128d _mm_andnot_pd(__m128d a, __m128d b) { return (__m128d)(~(__m128i)a & (__m128i)b); }
SINEW_SSE __m128 _mm_cmpeq_ps(__m128 a, __m128 b) { return (__m128)(a == b); }
SINEW_SSE __m128 _mm_cmplt_ps(__m128 a, __m128 b) { return (__m128)(a < b); }
SINEW_SSE __m128 _mm_cmple_ps(__m128 a, __m128 b) { return (__m128)(a <= b); }
SINEW_SSE __m128 _mm_cmpgt_ps(__m128 a, __m128 b) { return (__m128)(a > b); }
SINEW_SSE __m128 _mm_cmpnge_ps(__m128 a, __m128 b) { return (__m128) ~(a >= b); }
SINEW_SSE __m128d _mm_cmpeq_pd(__m128d a, __m128d b) { return (__m128d)(a == b); }
SINEW_SSE __m128d _mm_cmplt_pd(__m128d a, __m128d b) { return (__m128d)(a < b); }
SINEW_SSE __m128d _mm_cmple_pd(__m128d a, __m128d b) { return (__m128d)(a <= b); }
SINEW_SSE __m128d _mm_cmpgt_pd(__m128d a, __m128d b) { return (__m128d)(a > b); }
SINEW_SSE __m128d _mm_cmpnge_pd(__m128d a, __m128d b) { return (__m128d) ~(a >= b); }
SINEW_SSE __m128i _mm_cmpeq_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_eq((v128_t)a, (v128_t)b); }
SINEW_SSE __m128i _mm_cmplt_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_lt((v128_t)a, (v128_t)b); }
SINEW_SSE __m128i _mm_cmpgt_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_gt((v128_t)a, (v128_t)b); }
SINEW_SSE __m128i _mm_cmpeq_epi8(__m128i a, __m128i b) { return (__m128i)wasm_i8x16_eq((v128_t)a, (v128_t)b); }
SINEW_SSE int _mm_movemask_ps(__m128 a) { return (int)wasm_i32x4_bitmask((v128_t)a); }
SINEW_SSE int _mm_movemask_epi8(__m128i a) { return (int)wasm_i8x16_bitmask((v128_t)a); }
#define _mm_slli_epi16(a, n) ((__m128i)wasm_i16x8_shl((v128_t)(a), (n)))
#define _mm_srli_epi16(a, n) ((__m128i)wasm_u16x8_shr((v128_t)(a), (n)))
#define _mm_slli_epi32(a, n) ((__m128i)wasm_i32x4_shl((v128_t)(a), (n)))
#define _mm_srli_epi32(a, n) ((__m128i)wasm_u32x4_shr((v128_t)(a), (n)))
#define _mm_srai_epi32(a, n) ((__m128i)wasm_i32x4_shr((v128_t)(a), (n)))
#define _mm_slli_epi64(a, n) ((__m128i)wasm_i64x2_shl((v128_t)(a), (n)))
#define _mm_srli_epi64(a, n) ((__m128i)wasm_u64x2_shr((v128_t)(a), (n)))

// Lanes in another order.
#define _mm_shuffle_ps(a, b, m)                                                                                            \
    ((__m128)wasm_i32x4_shuffle((v128_t)(a), (v128_t)(b), (m) & 3, ((m) >> 2) & 3, 4 + (((m) >> 4) & 3), 4 + (((m) >> 6) & 3)))
#define _mm_shuffle_epi32(a, m)                                                                                            \
    ((__m128i)wasm_i32x4_shuffle((v128_t)(a), (v128_t)(a), (m) & 3, ((m) >> 2) & 3, ((m) >> 4) & 3, ((m) >> 6) & 3))
#define _mm_shuffle_pd(a, b, m) ((__m128d)wasm_i64x2_shuffle((v128_t)(a), (v128_t)(b), (m) & 1, 2 + (((m) >> 1) & 1)))
#define _mm_shufflelo_epi16(a, m)                                                                                          \
    ((__m128i)wasm_i16x8_shuffle((v128_t)(a), (v128_t)(a), (m) & 3, ((m) >> 2) & 3, ((m) >> 4) & 3, ((m) >> 6) & 3, 4, 5, 6, 7))
#define _mm_shufflehi_epi16(a, m)                                                                                          \
    ((__m128i)wasm_i16x8_shuffle((v128_t)(a), (v128_t)(a), 0, 1, 2, 3, 4 + ((m) & 3), 4 + (((m) >> 2) & 3),                \
                                 4 + (((m) >> 4) & 3), 4 + (((m) >> 6) & 3)))
SINEW_SSE __m128 _mm_movehl_ps(__m128 a, __m128 b) { return (__m128){b[2], b[3], a[2], a[3]}; }
SINEW_SSE __m128 _mm_movelh_ps(__m128 a, __m128 b) { return (__m128){a[0], a[1], b[0], b[1]}; }
SINEW_SSE __m128 _mm_unpacklo_ps(__m128 a, __m128 b) { return (__m128){a[0], b[0], a[1], b[1]}; }
SINEW_SSE __m128 _mm_unpackhi_ps(__m128 a, __m128 b) { return (__m128){a[2], b[2], a[3], b[3]}; }
SINEW_SSE __m128d _mm_unpacklo_pd(__m128d a, __m128d b) { return (__m128d){a[0], b[0]}; }
SINEW_SSE __m128d _mm_unpackhi_pd(__m128d a, __m128d b) { return (__m128d){a[1], b[1]}; }
SINEW_SSE __m128i _mm_unpacklo_epi64(__m128i a, __m128i b) { return (__m128i){a[0], b[0]}; }
SINEW_SSE __m128i _mm_unpackhi_epi64(__m128i a, __m128i b) { return (__m128i){a[1], b[1]}; }
SINEW_SSE __m128i _mm_unpacklo_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_shuffle((v128_t)a, (v128_t)b, 0, 4, 1, 5); }
SINEW_SSE __m128i _mm_unpackhi_epi32(__m128i a, __m128i b) { return (__m128i)wasm_i32x4_shuffle((v128_t)a, (v128_t)b, 2, 6, 3, 7); }
SINEW_SSE __m128i _mm_unpacklo_epi16(__m128i a, __m128i b) {
    return (__m128i)wasm_i16x8_shuffle((v128_t)a, (v128_t)b, 0, 8, 1, 9, 2, 10, 3, 11);
}
SINEW_SSE __m128i _mm_unpackhi_epi16(__m128i a, __m128i b) {
    return (__m128i)wasm_i16x8_shuffle((v128_t)a, (v128_t)b, 4, 12, 5, 13, 6, 14, 7, 15);
}
SINEW_SSE __m128i _mm_unpacklo_epi8(__m128i a, __m128i b) {
    return (__m128i)wasm_i8x16_shuffle((v128_t)a, (v128_t)b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
SINEW_SSE __m128i _mm_unpackhi_epi8(__m128i a, __m128i b) {
    return (__m128i)wasm_i8x16_shuffle((v128_t)a, (v128_t)b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#define _MM_TRANSPOSE4_PS(r0, r1, r2, r3)                                            \
    do {                                                                             \
        const __m128 lo01 = _mm_unpacklo_ps(r0, r1), lo23 = _mm_unpacklo_ps(r2, r3); \
        const __m128 hi01 = _mm_unpackhi_ps(r0, r1), hi23 = _mm_unpackhi_ps(r2, r3); \
        (r0) = _mm_movelh_ps(lo01, lo23);                                            \
        (r1) = _mm_movehl_ps(lo23, lo01);                                            \
        (r2) = _mm_movelh_ps(hi01, hi23);                                            \
        (r3) = _mm_movehl_ps(hi23, hi01);                                            \
    } while (0)

// Conversions. What an int cannot hold becomes the smallest one.
SINEW_SSE __m128i _mm_cvttps_epi32(__m128 a) {
    const v128_t fits = wasm_f32x4_lt(wasm_f32x4_abs((v128_t)a), wasm_f32x4_const_splat(2147483648.0f));
    return (__m128i)wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4((v128_t)a), wasm_i32x4_const_splat((-2147483647 - 1)), fits);
}
SINEW_SSE __m128i _mm_cvtps_epi32(__m128 a) { return _mm_cvttps_epi32((__m128)wasm_f32x4_nearest((v128_t)a)); }
SINEW_SSE __m128i _mm_cvtpd_epi32(__m128d a) {
    const v128_t near = wasm_f64x2_nearest((v128_t)a);
    const v128_t inside = wasm_v128_and(wasm_f64x2_lt(near, wasm_f64x2_const_splat(2147483648.0)),
                                        wasm_f64x2_ge(near, wasm_f64x2_const_splat(-2147483648.0)));
    const v128_t narrow = wasm_i32x4_shuffle(inside, inside, 0, 2, 0, 2);
    const v128_t whole = wasm_v128_bitselect(wasm_i32x4_trunc_sat_f64x2_zero(near),
                                             wasm_i32x4_const((-2147483647 - 1), (-2147483647 - 1), 0, 0), narrow);
    return (__m128i)wasm_v128_and(whole, wasm_i32x4_const(-1, -1, 0, 0));
}
SINEW_SSE __m128 _mm_cvtepi32_ps(__m128i a) { return (__m128)wasm_f32x4_convert_i32x4((v128_t)a); }
SINEW_SSE __m128d _mm_cvtepi32_pd(__m128i a) { return (__m128d)wasm_f64x2_convert_low_i32x4((v128_t)a); }
SINEW_SSE __m128d _mm_cvtps_pd(__m128 a) { return (__m128d)wasm_f64x2_promote_low_f32x4((v128_t)a); }
SINEW_SSE __m128 _mm_cvtpd_ps(__m128d a) { return (__m128)wasm_f32x4_demote_f64x2_zero((v128_t)a); }
