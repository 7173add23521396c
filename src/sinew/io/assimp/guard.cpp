#include <sinew/io/assimp/guard.h>

#include <sinew/io/text_scan.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

Result<void> check_count(std::string_view word, size_t file_bytes, std::string_view what, const TextScan& scan) {
    const auto count = parse_integer(word);
    if (!count || (*count >= 0 && static_cast<uint64_t>(*count) <= file_bytes)) return {};
    return fail(ErrorCode::invalid_data,
                fmt::format("promises {} {}, which {} bytes cannot hold; the file is cut off or damaged", *count, what,
                            file_bytes),
                scan.where());
}

// Assimp leaves out faces whose vertices do not exist, and says nothing.
Result<void> check_off_faces(std::string_view text) {
    TextScan scan(text, {});
    scan.word_across_lines();  // OFF
    const auto vertices = parse_integer(scan.word_across_lines()), faces = parse_integer(scan.word_across_lines());
    if (!vertices || !faces) return {};
    for (int64_t v = 0; v < *vertices; ++v)
        if (!scan.next_line()) return {};
    for (int64_t f = 0; f < *faces && scan.next_line(); ++f) {
        const int64_t corners = parse_integer(scan.word()).value_or(0);
        for (int64_t c = 0; c < corners; ++c) {
            const auto vertex = parse_integer(scan.word());
            if (!vertex) break;
            if (*vertex < 0 || *vertex >= *vertices)
                return fail(ErrorCode::invalid_data,
                            fmt::format("a face has vertex {}, and there are {}, counted from 0; the file is damaged",
                                        *vertex, *vertices),
                            scan.where());
        }
    }
    return {};
}

}  // namespace

Result<void> check_counts(ByteSpan file, std::string_view format) {
    constexpr size_t header_bytes = 1 << 16;
    TextScan scan(as_text(file.first(std::min(file.size(), header_bytes))), {});
    if (format == "ply") {
        while (scan.next_line()) {
            const std::string_view word = scan.word();
            if (word == "end_header") break;
            if (word != "element") continue;
            const std::string_view what = scan.word();
            SINEW_TRY_VOID(check_count(scan.word(), file.size(), fmt::format("elements {}", in_quotes(what)), scan));
        }
    } else if (format == "off") {
        if (!scan.word_across_lines().ends_with("OFF")) return {};
        for (const char* what : {"vertices", "faces"})
            SINEW_TRY_VOID(check_count(scan.word_across_lines(), file.size(), what, scan));
        return check_off_faces(as_text(file));
    }
    return {};
}

Result<void> check_for_assimp(ByteSpan file, std::string_view format, const Limits& limits) {
    if (format == "dae") return check_collada(file, limits);
    return check_counts(file, format);
}

std::string explain_assimp(std::string_view words) {
    words = trim(words);
    if (words.find("no faces") != std::string_view::npos)
        return "the file has points but no faces; reconstruct a surface first";
    if (words.find("bad_alloc") != std::string_view::npos)
        return "the file promises more data than fits in memory; it is cut off or damaged";
    if (words.find("STL storage representation") != std::string_view::npos)
        return "this is neither a text nor a binary STL file; it is cut off or damaged";
    return fmt::format("assimp cannot read it: {}; export it again, or as glTF", words);
}

}  // namespace sinew
