// Binary records: [end offset, number of values, their bytes] as 32-bit numbers, from version 7500 on as 64-bit ones;
// then the name, the values, and, up to the end offset, the children, closed by a record of zeros.
#include <fmt/format.h>
#include <zlib.h>

#include <sinew/io/fbx/document/document.h>
#include <algorithm>
#include <bit>
#include <cstring>

namespace sinew::fbx {
namespace {

constexpr uint32_t first_wide_version = 7500;
constexpr size_t max_deflate_ratio = 1032;  // zlib's documentation: the format expands no further

class BinaryParser {
public:
    BinaryParser(Document& document, const Limits& limits)
        : document_(document), limits_(limits), bytes_(document.file.view), at_(binary_header_bytes) {
        big_endian_ = bytes_.size() >= binary_header_bytes && bytes_[22] == std::byte{1};
    }

    Result<void> parse() {
        if (bytes_.size() < binary_header_bytes)
            return fail(ErrorCode::invalid_data, "the file ends within its header; copy or export it again", "byte 0");
        at_ = binary_header_bytes - 4;
        document_.version = number<uint32_t>();
        wide_ = document_.version >= first_wide_version;
        while (bytes_.size() - at_ > header_bytes()) {
            Node node;
            SINEW_TRY(const bool more, record(node, bytes_.size(), 0));
            if (!more) break;
            document_.root.children.push_back(std::move(node));
        }
        return {};
    }

private:
    size_t header_bytes() const { return wide_ ? 25 : 13; }

    tl::unexpected<Error> broken(std::string_view what) const {
        return fail(ErrorCode::invalid_data, fmt::format("{}; the file is damaged: export it again", what),
                    fmt::format("byte {}", at_));
    }

    // The caller has checked that the bytes are there.
    template <class Number>
    Number number() {
        const Number value = number_at<Number>(&bytes_[at_]);
        at_ += sizeof(Number);
        return value;
    }

    template <class Number>
    Number number_at(const std::byte* from) const {
        std::byte raw[sizeof(Number)];
        std::memcpy(raw, from, sizeof(Number));
        if (big_endian_ != (std::endian::native == std::endian::big)) std::reverse(raw, raw + sizeof(Number));
        Number value;
        std::memcpy(&value, raw, sizeof(Number));
        return value;
    }

    uint64_t offset() { return wide_ ? number<uint64_t>() : number<uint32_t>(); }

    // False for the record of zeros that ends a list.
    Result<bool> record(Node& node, size_t parent_end, int depth) {
        if (depth > limits_.max_depth) return broken("its records are nested too deep");
        if (parent_end - at_ < header_bytes()) return broken("a record is cut off");
        node.where = at_;
        const uint64_t end = offset(), count = offset(), length = offset();
        const size_t name_length = number<uint8_t>();
        if (end == 0) return false;
        if (end > parent_end || end < at_ || end - at_ < name_length) return broken("a record ends outside of its own");
        node.name = as_text(bytes_.subspan(at_, name_length));
        at_ += name_length;
        if (length > end - at_ || count > length) return broken("the values of a record do not fit in it");
        const size_t values_end = at_ + length;
        node.values.reserve(count);
        for (uint64_t i = 0; i < count; ++i) SINEW_TRY_VOID(value(node, values_end));
        at_ = values_end;
        while (at_ < end) {
            Node child;
            SINEW_TRY(const bool more, record(child, end, depth + 1));
            if (!more) break;
            node.children.push_back(std::move(child));
        }
        at_ = end;
        return true;
    }

    void add(Node& node, int64_t integer) {
        Value& value = node.values.emplace_back();
        value.integer = integer;
    }
    void add(Node& node, double real) {
        Value& value = node.values.emplace_back();
        value.kind = Value::Kind::real;
        value.real = real;
    }

    Result<void> value(Node& node, size_t end) {
        if (at_ >= end) return broken("a value is cut off");
        const char type = static_cast<char>(bytes_[at_++]);
        const size_t left = end - at_;
        const auto has = [left](size_t size) { return left >= size; };
        switch (type) {
            case 'B':
            case 'C':
            case 'Z':
                if (!has(1)) break;
                return add(node, int64_t(number<uint8_t>())), Result<void>{};
            case 'Y':
                if (!has(2)) break;
                return add(node, int64_t(number<int16_t>())), Result<void>{};
            case 'I':
                if (!has(4)) break;
                return add(node, int64_t(number<int32_t>())), Result<void>{};
            case 'L':
                if (!has(8)) break;
                return add(node, number<int64_t>()), Result<void>{};
            case 'F':
                if (!has(4)) break;
                return add(node, double(number<float>())), Result<void>{};
            case 'D':
                if (!has(8)) break;
                return add(node, number<double>()), Result<void>{};
            case 'S':
            case 'R':
                return text(node, type, end);
            case 'f':
            case 'd':
            case 'l':
            case 'i':
            case 'b':
            case 'c':
                return array(node, type, end);
            default:
                return broken("a value has an unknown type");
        }
        return broken("a value is cut off");
    }

    Result<void> text(Node& node, char type, size_t end) {
        if (end - at_ < 4) return broken("a text is cut off");
        const uint32_t size = number<uint32_t>();
        if (size > end - at_) return broken("a text is longer than its record");
        Value& value = node.values.emplace_back();
        value.kind = type == 'S' ? Value::Kind::text : Value::Kind::bytes;
        value.text = as_text(bytes_.subspan(at_, size));
        at_ += size;
        return {};
    }

    Result<void> array(Node& node, char type, size_t end) {
        if (end - at_ < 12) return broken("an array is cut off");
        const uint32_t count = number<uint32_t>(), encoding = number<uint32_t>(), stored = number<uint32_t>();
        const size_t width = type == 'd' || type == 'l' ? 8 : type == 'b' || type == 'c' ? 1 : 4;
        const uint64_t size = uint64_t(count) * width;
        if (stored > end - at_) return broken("an array is longer than its record");
        if (encoding == 0 ? size > stored : size > stored * max_deflate_ratio)
            return broken("an array promises more numbers than it holds");
        decoded_ += uint64_t(count) * sizeof(double);
        if (decoded_ > limits_.max_decoded_bytes)
            return fail(ErrorCode::limit_exceeded, "the file's arrays are larger than the limit; split the file",
                        fmt::format("byte {}", at_));
        const std::byte* data = bytes_.data() + at_;
        Bytes inflated;
        if (encoding == 1) {
            inflated.resize(std::max<size_t>(size, 1));
            uLongf got = static_cast<uLongf>(size);
            const int status = uncompress(reinterpret_cast<Bytef*>(inflated.data()), &got,
                                          reinterpret_cast<const Bytef*>(data), stored);
            if ((status != Z_OK && status != Z_BUF_ERROR) || got != size)
                return broken("a compressed array cannot be unpacked");
            data = inflated.data();
        } else if (encoding != 0) {
            return broken("an array has an unknown encoding");
        }
        Value& value = node.values.emplace_back();
        value.kind = Value::Kind::array;
        value.array = &document_.arrays.emplace_back(decode(data, count, type));
        at_ += stored;
        return {};
    }

    Array decode(const std::byte* data, size_t count, char type) const {
        Array array;
        const auto take = [&]<class From>(From, auto& into) {
            into.resize(count);
            for (size_t i = 0; i < count; ++i) into[i] = number_at<From>(data + i * sizeof(From));
        };
        if (type == 'f') take(float{}, array.reals);
        if (type == 'd') take(double{}, array.reals);
        if (type == 'i') take(int32_t{}, array.integers);
        if (type == 'l') take(int64_t{}, array.integers);
        if (type == 'b' || type == 'c') take(uint8_t{}, array.integers);
        return array;
    }

    Document& document_;
    const Limits& limits_;
    ByteSpan bytes_;
    size_t at_;
    bool wide_ = false;
    bool big_endian_ = false;
    uint64_t decoded_ = 0;
};

}  // namespace

Result<void> parse_binary(Document& document, const Limits& limits) {
    return BinaryParser(document, limits).parse();
}

}  // namespace sinew::fbx
