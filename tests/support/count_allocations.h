// Counts what a program allocates, by replacing operator new. Include it in one source of the program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace sinew::test {
inline std::atomic<size_t> allocations{0};
}

// Not inlined: the compiler would see free() meet memory that came by new.
#define SINEW_NOINLINE __attribute__((noinline))

SINEW_NOINLINE void* operator new(size_t size) {
    ++sinew::test::allocations;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
SINEW_NOINLINE void* operator new(size_t size, const std::nothrow_t&) noexcept {
    ++sinew::test::allocations;
    return std::malloc(size > 0 ? size : 1);
}
SINEW_NOINLINE void* operator new(size_t size, std::align_val_t alignment) {
    ++sinew::test::allocations;
    const auto a = static_cast<size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (size + a) / a * a)) return p;
    throw std::bad_alloc();
}
SINEW_NOINLINE void operator delete(void* p) noexcept {
    std::free(p);
}
SINEW_NOINLINE void operator delete(void* p, size_t) noexcept {
    std::free(p);
}
SINEW_NOINLINE void operator delete(void* p, std::align_val_t) noexcept {
    std::free(p);
}
SINEW_NOINLINE void operator delete(void* p, size_t, std::align_val_t) noexcept {
    std::free(p);
}

#undef SINEW_NOINLINE
