#include "options/vector_options.h"

#include <charconv>

#include <fmt/format.h>

namespace sinew::cli {

std::optional<Vec3> parse_vector(std::string_view text) {
    Vec3 value = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const size_t comma = k < 2 ? text.find(',') : text.size();
        const std::string_view part = text.substr(0, comma);
        const auto parsed = std::from_chars(part.data(), part.data() + part.size(), value[k]);
        if (comma == std::string_view::npos || parsed.ec != std::errc{} || parsed.ptr != part.data() + part.size())
            return std::nullopt;
        text = k < 2 ? text.substr(comma + 1) : std::string_view();
    }
    return value;
}

Result<std::vector<NamedVector>> parse_named_vectors(const char* option, const std::vector<std::string>& texts,
                                                     const char* example) {
    std::vector<NamedVector> vectors;
    for (const std::string& text : texts) {
        const size_t equals = text.rfind('=');
        const auto value =
            equals == std::string::npos ? std::nullopt : parse_vector(std::string_view(text).substr(equals + 1));
        if (!value || !value->allFinite() || equals == 0)
            return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" is not JOINT=x,y,z; write {}", text, example),
                        option);
        vectors.push_back({text.substr(0, equals), *value});
    }
    return vectors;
}

}  // namespace sinew::cli
