// Text records: "Name: value, value { children }". Values end where neither a comma nor a brace follows.
#include <fmt/format.h>

#include <sinew/io/fbx/document/document.h>
#include <charconv>
#include <limits>
#include <optional>

namespace sinew::fbx {
namespace {

constexpr size_t values_kept_apart = 16;  // longer lists of nothing but numbers become one array

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool ends_word(char c) {
    return is_blank(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == ';' || c == '"';
}

// 1.#INF, -1.#IND and the like, as old run-time libraries print what is not finite.
std::optional<double> not_finite(std::string_view word) {
    if (word.find('#') == std::string_view::npos) return std::nullopt;
    const double infinity = std::numeric_limits<double>::infinity();
    if (word.find("INF") != std::string_view::npos) return word.starts_with('-') ? -infinity : infinity;
    return std::numeric_limits<double>::quiet_NaN();
}

class AsciiParser {
public:
    AsciiParser(Document& document, const Limits& limits)
        : document_(document), limits_(limits), text_(as_text(document.file.view)) {
        if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    }

    Result<void> parse() {
        document_.version = version_in_comment();
        SINEW_TRY_VOID(records(document_.root, 0));
        if (const Node* header = document_.root.find("FBXHeaderExtension"))
            if (const Node* version = header->find("FBXVersion"))
                document_.version = static_cast<uint32_t>(version->integer(0, document_.version));
        if (document_.root.children.empty())
            return fail(ErrorCode::invalid_data, "the file holds no FBX records; export it again", "line 1");
        return {};
    }

private:
    tl::unexpected<Error> broken(std::string_view what) const {
        return fail(ErrorCode::invalid_data, fmt::format("{}; the file is damaged: export it again", what),
                    fmt::format("line {}", line_));
    }

    // 6100 of "; FBX 6.1.0 project file".
    uint32_t version_in_comment() const {
        const size_t found = text_.substr(0, 200).find("; FBX ");
        if (found == std::string_view::npos || text_.size() < found + 11) return 0;
        const std::string_view digits = text_.substr(found + 6, 5);
        if (digits[1] != '.' || digits[3] != '.') return 0;
        return uint32_t(digits[0] - '0') * 1000 + uint32_t(digits[2] - '0') * 100 + uint32_t(digits[4] - '0') * 10;
    }

    // The next character that is neither blank nor in a comment; 0 at the end.
    char next() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == ';') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (is_blank(c)) {
                line_ += c == '\n';
                ++at_;
            } else {
                return c;
            }
        }
        return 0;
    }

    std::string_view word() {
        const size_t start = at_;
        while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }

    // Up to the closing brace, which is taken, or to the end of the file.
    Result<void> records(Node& parent, int depth) {
        if (depth > limits_.max_depth) return broken("its records are nested too deep");
        while (const char c = next()) {
            if (c == '}') {
                if (depth == 0) return broken("a brace closes nothing");
                ++at_;
                return {};
            }
            Node node;
            node.where = line_;
            node.name = c == '"' ? quoted_name() : word();
            if (next() != ':' || node.name.empty()) return broken("a record has no name");
            ++at_;
            SINEW_TRY_VOID(values(node));
            if (next() == '{') {
                ++at_;
                SINEW_TRY_VOID(records(node, depth + 1));
            }
            parent.children.push_back(std::move(node));
        }
        if (depth > 0) return broken("the file ends within a record");
        return {};
    }

    std::string_view quoted_name() {
        const size_t start = ++at_;
        while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        if (at_ < text_.size() && text_[at_] == '"') ++at_;
        return name;
    }

    Result<void> values(Node& node) {
        Array numbers;
        const bool is_array = node.name == "a";
        for (bool comma = false;;) {
            const char c = next();
            if (c == ',') {
                ++at_;
                comma = true;
                continue;
            }
            if (c == 0 || c == '{' || c == '}' || (!comma && count(node, numbers) > 0)) break;
            comma = false;
            if (c == '"') {
                SINEW_TRY_VOID(text(node));
                continue;
            }
            const size_t start = at_;
            const std::string_view token = word();
            if (token.empty()) return broken("a value is missing");
            if (next() == ':') {  // the name of the record that follows
                at_ = start;
                break;
            }
            number_or_word(node, token, is_array ? &numbers : nullptr);
        }
        if (is_array && node.values.empty())
            keep(node, std::move(numbers));
        else
            collapse(node);
        return {};
    }

    static size_t count(const Node& node, const Array& numbers) { return node.values.size() + numbers.size(); }

    void number_or_word(Node& node, std::string_view token, Array* numbers) {
        Value value;
        std::string_view digits = token.starts_with('+') || token.starts_with('*') ? token.substr(1) : token;
        const char* end = digits.data() + digits.size();
        int64_t integer = 0;
        double real = 0;
        if (const auto got = std::from_chars(digits.data(), end, integer); got.ec == std::errc() && got.ptr == end) {
            value.integer = integer;
        } else if (const auto other = std::from_chars(digits.data(), end, real);
                   other.ptr == end && other.ptr != digits.data()) {
            value.kind = Value::Kind::real;
            value.real = real;
        } else if (const auto odd = not_finite(digits)) {
            value.kind = Value::Kind::real;
            value.real = *odd;
        } else {
            value.kind = Value::Kind::text;
            value.text = token;
        }
        if (numbers != nullptr && value.is_number())
            push(*numbers, value);
        else
            node.values.push_back(value);
    }

    // Integers until the first real.
    static void push(Array& numbers, const Value& value) {
        if (value.kind == Value::Kind::integer && numbers.reals.empty())
            return numbers.integers.push_back(value.integer);
        if (!numbers.integers.empty()) {
            numbers.reals.assign(numbers.integers.begin(), numbers.integers.end());
            numbers.integers.clear();
        }
        numbers.reals.push_back(value.as_real());
    }

    void keep(Node& node, Array&& numbers) {
        node.values.clear();
        Value& value = node.values.emplace_back();
        value.kind = Value::Kind::array;
        value.array = &document_.arrays.emplace_back(std::move(numbers));
    }

    void collapse(Node& node) {
        if (node.values.size() <= values_kept_apart || node.name == "Key") return;
        for (const Value& value : node.values)
            if (!value.is_number()) return;
        Array numbers;
        for (const Value& value : node.values) push(numbers, value);
        keep(node, std::move(numbers));
        node.values.shrink_to_fit();
    }

    Result<void> text(Node& node) {
        const size_t start = ++at_;
        const size_t end = text_.find('"', start);
        if (end == std::string_view::npos) return broken("a text has no closing quote");
        for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
        at_ = end + 1;
        Value& value = node.values.emplace_back();
        value.kind = Value::Kind::text;
        value.text = text_.substr(start, end - start);
        if (value.text.find('&') != std::string_view::npos) value.text = unescaped(value.text);
        return {};
    }

    std::string_view unescaped(std::string_view from) {
        struct Escape {
            std::string_view code;
            char means;
        };
        static constexpr Escape escapes[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};
        std::string& result = document_.strings.emplace_back();
        for (size_t i = 0; i < from.size();) {
            const Escape* found = nullptr;
            for (const Escape& escape : escapes)
                if (from.substr(i).starts_with(escape.code)) found = &escape;
            result += found != nullptr ? found->means : from[i];
            i += found != nullptr ? found->code.size() : 1;
        }
        return result;
    }

    Document& document_;
    const Limits& limits_;
    std::string_view text_;
    size_t at_ = 0;
    size_t line_ = 1;
};

}  // namespace

Result<void> parse_ascii(Document& document, const Limits& limits) {
    return AsciiParser(document, limits).parse();
}

}  // namespace sinew::fbx
