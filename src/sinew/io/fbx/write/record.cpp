#include <zlib.h>

#include <sinew/core/check.h>
#include <sinew/io/fbx/document/document.h>
#include <sinew/io/fbx/write/record.h>
#include <algorithm>
#include <bit>
#include <cstring>

namespace sinew::fbx {

const std::string_view file_identity("\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16);

namespace {

constexpr size_t smallest_deflated = 128;  // bytes; below this it is not worth the trouble
constexpr size_t null_record_bytes = 25;   // three 64-bit numbers and a length, all 0
constexpr size_t footer_alignment = 16;
constexpr size_t footer_zeros = 120;

// What the footer of a file with our identity and time begins with, and what every footer ends with.
constexpr std::string_view footer_code("\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e", 16);
constexpr std::string_view footer_end("\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b", 16);

template <class Number>
void append_number(Bytes& out, Number number) {
    std::byte raw[sizeof(Number)];
    std::memcpy(raw, &number, sizeof(Number));
    if (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(Number));
    out.insert(out.end(), raw, raw + sizeof(Number));
}

void append_text(Bytes& out, std::string_view text) {
    const ByteSpan bytes = as_byte_span(text);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void set_number(Bytes& out, size_t at, uint64_t number) {
    Bytes raw;
    append_number(raw, number);
    std::copy(raw.begin(), raw.end(), out.begin() + std::ptrdiff_t(at));
}

Bytes deflated(const Bytes& plain) {
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    Bytes packed(size);
    const int status = compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                                reinterpret_cast<const Bytef*>(plain.data()), static_cast<uLong>(plain.size()));
    packed.resize(status == Z_OK ? size : 0);
    return packed;
}

}  // namespace

template <class Number>
void Record::put_number(char type, Number number) {
    ++value_count_;
    values_.push_back(std::byte(type));
    append_number(values_, number);
}

template <class Number>
void Record::put_array(char type, const std::vector<Number>& numbers) {
    ++value_count_;
    Bytes plain;
    plain.reserve(numbers.size() * sizeof(Number));
    for (const Number number : numbers) append_number(plain, number);
    Bytes packed = plain.size() < smallest_deflated ? Bytes{} : deflated(plain);
    const bool is_packed = !packed.empty() && packed.size() < plain.size();
    const Bytes& stored = is_packed ? packed : plain;
    SINEW_CHECK(numbers.size() <= UINT32_MAX && stored.size() <= UINT32_MAX);
    values_.push_back(std::byte(type));
    append_number(values_, uint32_t(numbers.size()));
    append_number(values_, uint32_t(is_packed));
    append_number(values_, uint32_t(stored.size()));
    values_.insert(values_.end(), stored.begin(), stored.end());
}

void Record::put(bool value) {
    put_number('C', uint8_t(value));
}
void Record::put(int32_t value) {
    put_number('I', value);
}
void Record::put(int64_t value) {
    put_number('L', value);
}
void Record::put(double value) {
    put_number('D', value);
}
void Record::put(std::string_view text) {
    put_number('S', uint32_t(text.size()));
    append_text(values_, text);
}
void Record::put(ByteSpan bytes) {
    put_number('R', uint32_t(bytes.size()));
    values_.insert(values_.end(), bytes.begin(), bytes.end());
}
void Record::put(const std::vector<int32_t>& numbers) {
    put_array('i', numbers);
}
void Record::put(const std::vector<int64_t>& numbers) {
    put_array('l', numbers);
}
void Record::put(const std::vector<float>& numbers) {
    put_array('f', numbers);
}
void Record::put(const std::vector<double>& numbers) {
    put_array('d', numbers);
}
void Record::put(const Vec3d& vector) {
    for (int i = 0; i < 3; ++i) put(vector[i]);
}
void Record::put(const AffineD& transform) {
    const Eigen::Matrix4d matrix = (Eigen::Matrix4d() << transform.matrix(), 0, 0, 0, 1).finished();
    put(std::vector<double>(matrix.data(), matrix.data() + matrix.size()));
}

void Record::encode(Bytes& out) const {
    const size_t begin = out.size();
    append_number(out, uint64_t(0));  // the end, known below
    append_number(out, value_count_);
    append_number(out, uint64_t(values_.size()));
    append_number(out, uint8_t(name_.size()));
    append_text(out, name_);
    out.insert(out.end(), values_.begin(), values_.end());
    for (const Record& child : children_) child.encode(out);
    if (!children_.empty() || value_count_ == 0) out.resize(out.size() + null_record_bytes);
    set_number(out, begin, out.size());
}

std::string name_with_class(std::string_view name, std::string_view class_name) {
    std::string result(name);
    std::replace_if(
        result.begin(), result.end(), [](unsigned char c) { return c < ' '; }, '_');
    result += std::string_view("\0\1", 2);
    result += class_name;
    return result;
}

Bytes encode_records(const std::vector<Record>& records) {
    Bytes out;
    append_text(out, binary_magic);
    append_text(out, std::string_view("  \0\x1a\0", 5));
    append_number(out, written_version);
    for (const Record& record : records) record.encode(out);
    out.resize(out.size() + null_record_bytes);
    append_text(out, footer_code);
    append_number(out, uint32_t(0));
    out.resize(out.size() + footer_alignment - out.size() % footer_alignment);
    append_number(out, written_version);
    out.resize(out.size() + footer_zeros);
    append_text(out, footer_end);
    return out;
}

}  // namespace sinew::fbx
