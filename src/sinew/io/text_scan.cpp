#include <fmt/format.h>

#include <sinew/io/text_scan.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view without_plus(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
    return word;
}

}  // namespace

std::string in_quotes(std::string_view word) {
    std::string shown(word.substr(0, 40));
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
    return fmt::format("'{}{}'", shown, word.size() > 40 ? "..." : "");
}

std::optional<double> parse_number(std::string_view word) {
    word = without_plus(word);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || word.empty()) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        // from_chars reports both 1e-999 and 1e999 this way, and only the first one means something. The sign of the
        // exponent tells them apart; without an exponent, only a number of hundreds of digits gets here.
        const size_t e = word.find_first_of("eE");
        if (e == std::string_view::npos || e + 1 == word.size() || word[e + 1] != '-') return std::nullopt;
        return 0.0;
    }
    if (error != std::errc{} || !(std::abs(value) <= std::numeric_limits<float>::max())) return std::nullopt;
    return value;
}

std::optional<int64_t> parse_integer(std::string_view word) {
    word = without_plus(word);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && starts_ignoring_case(a, b);
}

bool starts_ignoring_case(std::string_view text, std::string_view start) {
    if (text.size() < start.size()) return false;
    for (size_t i = 0; i < start.size(); ++i)
        if (lower(text[i]) != lower(start[i])) return false;
    return true;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (is_blank(text.front()) || is_line_end(text.front()))) text.remove_prefix(1);
    while (!text.empty() && (is_blank(text.back()) || is_line_end(text.back()))) text.remove_suffix(1);
    return text;
}

TextScan::TextScan(std::string_view text, Syntax syntax) : text_(text), syntax_(syntax) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

void TextScan::take_line_end() {
    if (at_ == text_.size()) return;
    at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
    ++line_;
    fresh_ = true;
}

// Blanks, comments and, where the format has them, continuations: what stands between two words of one line.
void TextScan::skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
        if (is_blank(text_[at_])) continue;
        if (syntax_.backslash_continues && text_[at_] == '\\' && at_ + 1 < text_.size() &&
            is_line_end(text_[at_ + 1])) {
            ++at_;
            take_line_end();
            fresh_ = false;
            --at_;
            continue;
        }
        if (syntax_.hash_comments && text_[at_] == '#') skip_to_line_end();
        return;
    }
}

void TextScan::skip_to_line_end() {
    at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
}

bool TextScan::next_line() {
    if (!fresh_) {
        while (skip_blanks(), !at_line_end()) word();
        take_line_end();
    }
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
        if (!at_line_end()) {
            fresh_ = false;
            return true;
        }
        take_line_end();
    }
    return false;
}

std::string_view TextScan::word() {
    skip_blanks();
    const size_t begin = at_;
    while (!at_line_end() && !is_blank(text_[at_])) {
        const bool continues =
            syntax_.backslash_continues && text_[at_] == '\\' && at_ + 1 < text_.size() && is_line_end(text_[at_ + 1]);
        if (continues) break;
        ++at_;
    }
    if (at_ > begin) fresh_ = false;
    return text_.substr(begin, at_ - begin);
}

std::string_view TextScan::word_across_lines() {
    for (skip_blanks(); at_ < text_.size() && at_line_end(); skip_blanks()) take_line_end();
    return word();
}

bool TextScan::next_is(char c) {
    for (skip_blanks(); at_ < text_.size() && at_line_end(); skip_blanks()) take_line_end();
    return at_ < text_.size() && text_[at_] == c;
}

std::string_view TextScan::rest_of_line() {
    skip_blanks();
    const size_t begin = at_;
    skip_to_line_end();
    fresh_ = false;
    std::string_view rest = trim(text_.substr(begin, at_ - begin));
    if (syntax_.hash_comments)
        for (size_t hash = rest.find('#'); hash != std::string_view::npos; hash = rest.find('#', hash + 1))
            if (hash == 0 || is_blank(rest[hash - 1])) return trim(rest.substr(0, hash));
    return rest;
}

std::string_view TextScan::until(char stop) {
    skip_blanks();
    const size_t begin = at_;
    while (!at_line_end() && text_[at_] != stop) ++at_;
    fresh_ = false;
    return trim(text_.substr(begin, at_ - begin));
}

Result<double> TextScan::to_number(std::string_view word, std::string_view what) const {
    if (word.empty())
        return fail(ErrorCode::invalid_data, fmt::format("{} is missing; is the file cut off?", what), where());
    if (const auto value = parse_number(word)) return *value;
    return fail(ErrorCode::invalid_data, fmt::format("{} must be a number, not {}", what, in_quotes(word)), where());
}

Result<double> TextScan::number(std::string_view what) {
    return to_number(word(), what);
}
Result<double> TextScan::number_across_lines(std::string_view what) {
    return to_number(word_across_lines(), what);
}

}  // namespace sinew
