#include <fmt/format.h>

#include <sinew/io/fbx/document/document.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

int64_t rounded(double x) {
    constexpr double limit = 9.2e18;  // just inside of 64 bits
    return std::isfinite(x) ? static_cast<int64_t>(std::clamp(x, -limit, limit)) : 0;
}

// The array, or the values as one, in whichever type is asked for.
template <class Number, class Convert>
std::vector<Number> numbers_of(const Node* node, Convert convert) {
    std::vector<Number> result;
    if (node == nullptr) return result;
    if (const Node* inner = node->find("a"); inner != nullptr) node = inner;
    if (!node->values.empty() && node->values[0].kind == Value::Kind::array) {
        const Array& array = *node->values[0].array;
        result.reserve(array.size());
        for (const int64_t x : array.integers) result.push_back(static_cast<Number>(x));
        for (const double x : array.reals) result.push_back(convert(x));
        return result;
    }
    result.reserve(node->values.size());
    for (const Value& value : node->values)
        if (value.is_number())
            result.push_back(value.kind == Value::Kind::integer ? static_cast<Number>(value.integer)
                                                                : convert(value.real));
    return result;
}

// The bytes of the UTF-8 character that the text begins with; 0 where it is none.
size_t sequence_length(std::string_view text) {
    const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
    const uint8_t first = byte(0);
    if (first < 0x80) return 1;
    const size_t length = first >= 0xc2 && first < 0xe0   ? 2
                          : (first & 0xf0) == 0xe0        ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0, beyond = first == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

double Value::as_real() const {
    if (kind == Kind::real) return real;
    return kind == Kind::integer ? static_cast<double>(integer) : 0.0;
}

int64_t Value::as_integer() const {
    if (kind == Kind::integer) return integer;
    return kind == Kind::real ? rounded(real) : 0;
}

const Node* Node::find(std::string_view child) const {
    const auto found = std::find_if(children.begin(), children.end(), [&](const Node& n) { return n.name == child; });
    return found == children.end() ? nullptr : &*found;
}

std::string_view Node::text(size_t value) const {
    return value < values.size() ? values[value].text : std::string_view();
}

double Node::real(size_t value, double otherwise) const {
    return value < values.size() && values[value].is_number() ? values[value].as_real() : otherwise;
}

int64_t Node::integer(size_t value, int64_t otherwise) const {
    return value < values.size() && values[value].is_number() ? values[value].as_integer() : otherwise;
}

std::string Document::where(const Node& node) const {
    return fmt::format("{} {}", is_text ? "line" : "byte", node.where);
}

std::vector<double> reals_of(const Node* node) {
    return numbers_of<double>(node, [](double x) { return x; });
}

std::vector<int64_t> integers_of(const Node* node) {
    return numbers_of<int64_t>(node, rounded);
}

std::string as_utf8(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size();) {
        const size_t length = sequence_length(text.substr(i));
        if (length == 0)
            result += "\xef\xbf\xbd";
        else
            result += text.substr(i, length);
        i += std::max<size_t>(length, 1);
    }
    return result;
}

Result<Document> parse_document(SharedBytes file, const Limits& limits) {
    Document document;
    document.file = std::move(file);
    document.is_text = !as_text(document.file.view).starts_with(binary_magic);
    SINEW_TRY_VOID(document.is_text ? parse_ascii(document, limits) : parse_binary(document, limits));
    return document;
}

}  // namespace sinew::fbx
