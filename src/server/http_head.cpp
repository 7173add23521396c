#include <algorithm>
#include <charconv>

#include "http.h"

namespace sinew::server {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// "%41" is "A". Nothing where a percent sign is followed by anything else than two digits.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus_is_space) {
            out += ' ';
        } else if (text[i] == '%') {
            unsigned value = 0;
            if (i + 2 >= text.size()) return std::nullopt;
            const auto parsed = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
            if (parsed.ec != std::errc{} || parsed.ptr != text.data() + i + 3) return std::nullopt;
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

bool has_encoded(std::string_view raw, std::string_view code) {
    return lower(raw).find(code) != std::string::npos;
}

// A path of plain segments.
bool is_plain(std::string_view raw, std::string_view path) {
    if (path.empty() || path[0] != '/') return false;
    for (const char* code : {"%2f", "%5c", "%00", "%25"})
        if (has_encoded(raw, code)) return false;
    for (char c : path)
        if (c == '\\' || static_cast<unsigned char>(c) < ' ') return false;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, path.find('/'));
        if (segment == ".." || segment == "." || (segment.empty() && !path.empty())) return false;
        path.remove_prefix(segment.size());
    }
    return true;
}

void read_query(std::string_view text, std::map<std::string, std::string>& query) {
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(pair.size() + 1, text.size()));
        const size_t equals = pair.find('=');
        const auto name = decoded(pair.substr(0, equals), true);
        const auto value = decoded(equals == pair.npos ? std::string_view() : pair.substr(equals + 1), true);
        if (name && value) query[*name] = *value;
    }
}

ParsedHead refused(int status, std::string why) {
    return {{}, Refusal{status, std::move(why)}};
}

// The first line. Nothing is wrong where `refusal` is empty.
ParsedHead parse_request_line(std::string_view line) {
    const size_t first = line.find(' '), last = line.rfind(' ');
    if (first == line.npos || first == last) return refused(400, "this is no HTTP request");
    const std::string_view version = line.substr(last + 1), target = line.substr(first + 1, last - first - 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return refused(400, "this is no HTTP/1.1 request");
    ParsedHead parsed;
    parsed.request.method = line.substr(0, first);
    if (parsed.request.method != "GET" && parsed.request.method != "HEAD")
        return refused(405, "the studio only gives; it takes nothing");
    const std::string_view raw = target.substr(0, target.find('?'));
    const auto path = decoded(raw, false);
    if (!path || !is_plain(raw, *path)) return refused(400, "there is no such path");
    parsed.request.path = *path;
    if (raw.size() < target.size()) read_query(target.substr(raw.size() + 1), parsed.request.query);
    return parsed;
}

}  // namespace

std::string Request::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

std::string Request::cookie(std::string_view name) const {
    const std::string all = header("cookie");
    std::string_view text = all;
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(pair.size() + 1, text.size()));
        const size_t equals = pair.find('=');
        if (equals != pair.npos && trimmed(pair.substr(0, equals)) == name)
            return std::string(trimmed(pair.substr(equals + 1)));
    }
    return {};
}

Response text_response(int status, std::string text) {
    return {
        .status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = std::move(text) + "\n"};
}

ParsedHead parse_head(std::string_view head) {
    const size_t first_end = head.find("\r\n");
    if (first_end == head.npos) return refused(400, "this is no HTTP request");
    ParsedHead parsed = parse_request_line(head.substr(0, first_end));
    if (parsed.refusal) return parsed;
    head.remove_prefix(first_end + 2);
    while (!head.empty()) {
        const size_t end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 2, head.size()));
        if (line.empty()) break;
        const size_t colon = line.find(':');
        if (colon == line.npos || colon == 0) return refused(400, "a header has no name");
        const auto [known, is_new] =
            parsed.request.headers.try_emplace(lower(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
        if (!is_new) known->second.clear();
    }
    const std::string length = parsed.request.header("content-length");
    if ((!length.empty() && length != "0") || parsed.request.headers.contains("transfer-encoding"))
        return refused(413, "the studio takes no data");
    return parsed;
}

}  // namespace sinew::server
