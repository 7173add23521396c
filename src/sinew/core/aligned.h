// AlignedVector: a std::vector whose data begins on a cache line, for what SIMD kernels stream through.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sinew {

constexpr size_t cache_line = 64;

// Gives memory that begins on a cache line; for AlignedVector.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    // As std::allocator, on a cache line.
    T* allocate(size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(cache_line)));
    }
    void deallocate(T* data, size_t) { ::operator delete(data, std::align_val_t(cache_line)); }
    template <class U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace sinew
