#include <fmt/format.h>

#include <sinew/io/assimp/guard.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <cstring>
#include <vector>

namespace sinew {
namespace {

tl::unexpected<Error> refuse(std::string_view what, size_t byte) {
    return fail(ErrorCode::invalid_data, fmt::format("{}; the file is damaged: export it again, or as glTF", what),
                fmt::format("byte {}", byte));
}

// Braces outside quotes and comments, and the lengths of arrays ("Vertices: *12 {").
Result<void> check_text(std::string_view text, const Limits& limits) {
    int depth = 0;
    for (size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            at = std::min(text.find('"', at + 1), text.size());
        } else if (c == ';') {
            at = std::min(text.find('\n', at), text.size());
        } else if (c == '{') {
            if (++depth > limits.max_depth) return refuse("its nodes are nested too deep", at);
        } else if (c == '}') {
            --depth;
        } else if (c == '*') {
            const size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
            const auto count = parse_integer(text.substr(at + 1, end - at - 1));
            if (end > at + 1 && (!count || *count > static_cast<int64_t>(text.size())))
                return refuse("an array is longer than the file", at);
        }
    }
    return {};
}

class BinaryCheck {
public:
    BinaryCheck(ByteSpan file, const Limits& limits) : file_(file), limits_(limits) {}

    // Walks through the node records in file order. What a record says is not trusted further than here: where the walk
    // leaves the file, assimp will notice too.
    Result<void> check() {
        constexpr size_t first_record = 27;
        const bool wide = number(23, 4) >= 7500;
        const size_t word = wide ? 8 : 4, header = 3 * word + 1;
        std::vector<size_t> ends;  // of the records that are open
        for (size_t at = first_record; at + header <= file_.size();) {
            while (!ends.empty() && at >= ends.back()) ends.pop_back();
            const size_t end = number(at, word), properties = number(at + word, word);
            const size_t name_length = number(at + 3 * word, 1);
            if (end == 0) {  // closes a list of records
                at += header;
                continue;
            }
            if (end <= at || end > file_.size()) return {};
            size_t next = at + header + name_length;
            SINEW_TRY_VOID(check_properties(properties, end, next));
            if (next >= end) {
                at = end;
                continue;
            }
            ends.push_back(end);
            if (ends.size() > static_cast<size_t>(limits_.max_depth))
                return refuse("its nodes are nested too deep", at);
            at = next;
        }
        return {};
    }

private:
    size_t number(size_t at, size_t bytes) const {
        uint64_t value = 0;
        for (size_t i = 0; i < bytes && at + i < file_.size(); ++i)
            value |= std::to_integer<uint64_t>(file_[at + i]) << (8 * i);
        return value;
    }

    // Moves `at` behind `count` properties, or to `end` where they are broken.
    Result<void> check_properties(size_t count, size_t end, size_t& at) const {
        for (size_t i = 0; i < count && at < end; ++i) {
            const char type = static_cast<char>(number(at, 1));
            const size_t start = at++;
            if (std::string_view("fdlib").find(type) != std::string_view::npos) {
                const size_t length = number(at, 4), packed = number(at + 4, 4), bytes = number(at + 8, 4);
                // zlib packs 1032 bytes into one at best.
                const size_t most = packed != 0 ? bytes * 1032 + 1032 : bytes;
                const size_t element = type == 'd' || type == 'l' ? 8 : type == 'b' ? 1 : 4;
                if (bytes > file_.size() || length * element > most)
                    return refuse("an array is longer than its data", start);
                at += 12 + bytes;
            } else if (type == 'S' || type == 'R') {
                at += 4 + number(at, 4);
            } else {
                at += type == 'Y' ? 2 : type == 'C' || type == 'B' ? 1 : type == 'I' || type == 'F' ? 4 : 8;
            }
        }
        at = std::min(at, end);
        return {};
    }

    ByteSpan file_;
    const Limits& limits_;
};

}  // namespace

Result<void> check_fbx(ByteSpan file, const Limits& limits) {
    const std::string_view text = as_text(file);
    if (text.starts_with("Kaydara FBX Binary")) return BinaryCheck(file, limits).check();
    return check_text(text, limits);
}

}  // namespace sinew
