// Result and Error: how everything that depends on a file or a user reports failure.
// Data flow: used by every module; never thrown, never printed by the library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace sinew {

enum class ErrorCode : uint8_t {
    invalid_data,      // the bytes do not mean what their format says they should
    unsupported,       // well-formed, but Sinew does not read this
    limit_exceeded,    // a count or size is beyond Limits
    not_found,         // a file, clip, joint or built-in that does not exist
    io,                // the operating system refused
    invalid_argument,  // an option's value makes no sense
};

// `where` is a line ("line 12"), a byte offset ("byte 812"), or a JSON path ("/meshes/0/primitives/1"); empty when
// the whole input is meant. `message` says what is wrong and, after a semicolon, what to do about it.
struct Error {
    ErrorCode code = ErrorCode::invalid_data;
    std::string message;
    std::string where;
};

template <class T>
using Result = tl::expected<T, Error>;

// A failure to return from a function that returns a Result: return fail(ErrorCode::not_found, "…").
inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {}) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}
inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

// "where: message", as the command line prints it behind the file's name.
inline std::string to_string(const Error& error) {
    return error.where.empty() ? error.message : error.where + ": " + error.message;
}

}  // namespace sinew

// Evaluates a Result; on failure returns its Error from the enclosing function, otherwise assigns the value.
//   SINEW_TRY(auto bytes, read_file(path));
#define SINEW_CONCAT_(a, b) a##b
#define SINEW_CONCAT(a, b) SINEW_CONCAT_(a, b)
#define SINEW_TRY_(tmp, decl, expr)                            \
    auto tmp = (expr);                                         \
    if (!tmp) return ::tl::unexpected(std::move(tmp).error()); \
    decl = *std::move(tmp)
#define SINEW_TRY(decl, expr) SINEW_TRY_(SINEW_CONCAT(sinew_try_, __LINE__), decl, expr)
// The same for Result<void>.
#define SINEW_TRY_VOID(expr)                                                             \
    do {                                                                                 \
        auto sinew_try_void = (expr);                                                    \
        if (!sinew_try_void) return ::tl::unexpected(std::move(sinew_try_void).error()); \
    } while (false)
