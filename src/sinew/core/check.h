// SINEW_ASSERT and SINEW_CHECK: a caller's bug stops the program at the line that notices it.
// Bad *input* is never a caller's bug: it returns a Result (core/result.h).
#pragma once

namespace sinew {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

// Always on. Once per call, never per element.
#define SINEW_CHECK(condition) \
    (static_cast<bool>(condition) ? void(0) : ::sinew::check_failed(#condition, __FILE__, __LINE__))

// On in debug and sanitizer builds only; may stand in loops.
#if defined(SINEW_ENABLE_ASSERTS)
#define SINEW_ASSERT(condition) SINEW_CHECK(condition)
#else
#define SINEW_ASSERT(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif
