// Document: an FBX file as the tree of named records it is, binary or text alike. Nothing is interpreted yet.
// Data flow: bytes → binary.cpp or ascii.cpp → *here* → objects.h.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/file.h>
#include <sinew/core/result.h>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::fbx {

// Numbers of one array; only one of the two is filled.
struct Array {
    std::vector<int64_t> integers;
    std::vector<double> reals;
    size_t size() const { return integers.size() + reals.size(); }
};

// Texts and bytes view the file, or a string that the document keeps.
struct Value {
    enum class Kind : uint8_t { integer, real, text, bytes, array };
    Kind kind = Kind::integer;
    union {
        int64_t integer = 0;
        double real;
        const Array* array;
    };
    std::string_view text = {};

    bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
    double as_real() const;      // 0 for what is no number
    int64_t as_integer() const;  // clamped; 0 for what is no number
};

struct Node {
    std::string_view name;
    std::vector<Value> values;
    std::vector<Node> children;
    size_t where = 0;  // byte offset, or line of a text file

    const Node* find(std::string_view child) const;  // the first of that name, or null
    std::string_view text(size_t value) const;       // empty where there is none
    double real(size_t value, double otherwise = 0) const;
    int64_t integer(size_t value, int64_t otherwise = 0) const;
};

struct Document {
    SharedBytes file;
    uint32_t version = 0;
    bool is_text = false;
    Node root;
    std::deque<Array> arrays;
    std::deque<std::string> strings;

    std::string where(const Node& node) const;
};

Result<Document> parse_document(SharedBytes file, const Limits& limits);

// The numbers of a node however they are written: as one array, as its values, or as those of its child "a".
std::vector<double> reals_of(const Node* node);
std::vector<int64_t> integers_of(const Node* node);

// A name as UTF-8: old files have other encodings, of which nothing is known; what is not UTF-8 becomes U+FFFD.
std::string as_utf8(std::string_view text);

// For document.cpp: each fills root and what it points to.
Result<void> parse_binary(Document& document, const Limits& limits);
Result<void> parse_ascii(Document& document, const Limits& limits);
constexpr std::string_view binary_magic = "Kaydara FBX Binary";
constexpr size_t binary_header_bytes = 27;

}  // namespace sinew::fbx
