// What the examples share: they give up at the first error. Your program will know better what to do.
#pragma once

#include <sinew/core/result.h>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

// The value of a Result. If there is none: prints what is wrong, and where, and ends the program.
template <class T>
T or_exit(sinew::Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}
