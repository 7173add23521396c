// Bytes and SharedBytes: raw data, owned or borrowed from a file that stays alive as long as anyone looks at it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

// Text and bytes as views of the same memory; neither copies.
inline std::string_view as_text(ByteSpan bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline ByteSpan as_byte_span(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

// A view that keeps its owner alive, so that an image inside a 100 MB file needs no copy.
struct SharedBytes {
    std::shared_ptr<const void> owner;
    ByteSpan view;

    // Takes the bytes over and views all of them.
    static SharedBytes own(Bytes bytes) {
        auto owner = std::make_shared<const Bytes>(std::move(bytes));
        return {owner, ByteSpan(*owner)};
    }
    // A view of `count` bytes from `offset` on, which must lie within this one.
    SharedBytes part(size_t offset, size_t count) const { return {owner, view.subspan(offset, count)}; }
};

}  // namespace sinew
