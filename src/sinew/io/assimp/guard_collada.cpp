#include <fmt/format.h>

#include <sinew/io/assimp/guard.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sinew {
namespace {

tl::unexpected<Error> refuse(std::string_view what) {
    return fail(ErrorCode::invalid_data, fmt::format("{}; the file is damaged: export it again, or as glTF", what));
}

// Walks through the tags of an XML text without building a tree.
class TagScan {
public:
    explicit TagScan(std::string_view text) : text_(text) {}

    // False at the end, and in the middle of a tag that does not end.
    bool next() {
        while ((at_ = text_.find('<', at_)) < text_.size()) {
            if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("<!", ">")) continue;
            const size_t end = tag_end();
            if (end == std::string_view::npos) return false;
            take(text_.substr(at_ + 1, end - at_ - 1));
            at_ = end + 1;
            return true;
        }
        return false;
    }

    std::string_view name;
    bool opens = false, closes = false;  // both: <a/>

    // Without quotes and blanks around it, as written; empty where it is absent.
    std::string_view attribute(std::string_view key) const {
        std::string_view rest = attributes_;
        while (true) {
            const size_t equals = rest.find('=');
            if (equals == std::string_view::npos) return {};
            const std::string_view name_of = trim(rest.substr(0, equals));
            rest = trim(rest.substr(equals + 1));
            if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return {};
            const size_t end = rest.find(rest[0], 1);
            if (end == std::string_view::npos) return {};
            if (name_of == key) return trim(rest.substr(1, end - 1));
            rest.remove_prefix(end + 1);
        }
    }

    // What stands between this tag and the next one.
    std::string_view text_after() const {
        return text_.substr(at_, std::min(text_.find('<', at_), text_.size()) - at_);
    }

private:
    bool skip(std::string_view start, std::string_view end) {
        if (!text_.substr(at_).starts_with(start)) return false;
        const size_t found = text_.find(end, at_ + start.size());
        at_ = found == std::string_view::npos ? text_.size() : found + end.size();
        return true;
    }

    size_t tag_end() const {
        char quote = 0;
        for (size_t i = at_ + 1; i < text_.size(); ++i) {
            if (quote != 0) {
                if (text_[i] == quote) quote = 0;
            } else if (text_[i] == '"' || text_[i] == '\'') {
                quote = text_[i];
            } else if (text_[i] == '>') {
                return i;
            }
        }
        return std::string_view::npos;
    }

    void take(std::string_view tag) {
        opens = !tag.starts_with('/');
        closes = !opens || tag.ends_with('/');
        if (!opens) tag.remove_prefix(1);
        if (tag.ends_with('/')) tag.remove_suffix(1);
        const size_t end = std::min(tag.find_first_of(" \t\r\n"), tag.size());
        name = tag.substr(0, end);
        attributes_ = tag.substr(end);
    }

    std::string_view text_, attributes_;
    size_t at_ = 0;
};

// The nodes of all scenes and libraries, and which of them show which others.
class NodeGraph {
public:
    void open(const TagScan& tag) {
        const int32_t node = static_cast<int32_t>(inside_.size());
        if (!open_.empty()) inside_[static_cast<size_t>(open_.back())].push_back(node);
        inside_.emplace_back();
        for (const char* key : {"id", "name"}) {
            const std::string_view text = tag.attribute(key);
            if (!text.empty()) nodes_of_name_[text].push_back(node);
            encoded_ |= text.find('&') != std::string_view::npos;
        }
        open_.push_back(node);
    }
    void close() {
        if (!open_.empty()) open_.pop_back();
    }
    void show(std::string_view url) {
        if (url.starts_with('#')) url.remove_prefix(1);
        encoded_ |= url.find('&') != std::string_view::npos;
        if (!open_.empty()) shown_.emplace_back(open_.back(), url);
    }

    // assimp copies a node wherever it is shown, by recursion.
    Result<void> check(const Limits& limits) {
        if (shown_.empty()) return {};
        if (encoded_) return refuse("nodes that <instance_node> could show have names with '&'");
        for (const auto& [node, url] : shown_)
            for (const int32_t target : nodes_of_name_[url]) inside_[static_cast<size_t>(node)].push_back(target);
        sizes_.assign(inside_.size(), {});
        for (size_t n = 0; n < inside_.size(); ++n) SINEW_TRY_VOID(measure(n, 0, limits));
        return {};
    }

private:
    struct Size {
        enum class State : uint8_t { unknown, open, known } state = State::unknown;
        size_t nodes = 0, depth = 0;
    };

    Result<void> measure(size_t node, size_t above, const Limits& limits) {
        Size& size = sizes_[node];
        if (size.state == Size::State::known) return {};
        if (size.state == Size::State::open) return refuse("a node contains itself through <instance_node>");
        if (above > static_cast<size_t>(limits.max_depth)) return refuse("nodes are nested too deep");
        size.state = Size::State::open;
        size.nodes = size.depth = 1;
        for (const int32_t child : inside_[node]) {
            SINEW_TRY_VOID(measure(static_cast<size_t>(child), above + 1, limits));
            size.nodes += sizes_[static_cast<size_t>(child)].nodes;
            size.depth = std::max(size.depth, 1 + sizes_[static_cast<size_t>(child)].depth);
            if (size.nodes > limits.max_joints) return refuse("its <instance_node> elements make too many nodes");
            if (size.depth > static_cast<size_t>(limits.max_depth)) return refuse("nodes are nested too deep");
        }
        size.state = Size::State::known;
        return {};
    }

    std::vector<std::vector<int32_t>> inside_;  // of each node: its children, and what it shows
    std::vector<int32_t> open_;
    std::vector<std::pair<int32_t, std::string_view>> shown_;
    std::unordered_map<std::string_view, std::vector<int32_t>> nodes_of_name_;
    std::vector<Size> sizes_;
    bool encoded_ = false;
};

// The weights of one <skin>: pairs of numbers, of a joint and of a weight, that assimp looks up unchecked.
class SkinCheck {
public:
    void take(const TagScan& tag) {
        if (tag.name == "source") source_ = tag.attribute("id");
        if (tag.name == "accessor") counts_[source_] = parse_integer(tag.attribute("count")).value_or(0);
        if (tag.name == "joints" || tag.name == "vertex_weights") in_weights_ = tag.name == "vertex_weights";
        if (tag.name == "input") take_input(tag);
        if (tag.name == "vcount") take_once(pairs_, tag.text_after());
        if (tag.name == "v") take_once(values_, tag.text_after());
    }

    Result<void> check() {
        if (twice_) return refuse("a skin lists its weights twice");
        int64_t pairs = 0;
        TextScan counts(pairs_, {.hash_comments = false});
        for (std::string_view word = counts.word_across_lines(); !word.empty(); word = counts.word_across_lines()) {
            const int64_t count = parse_integer(word).value_or(-1);
            if (count < 0 || count > static_cast<int64_t>(values_.size())) return too_many();
            pairs += count;
            if (pairs > static_cast<int64_t>(values_.size())) return too_many();
        }
        TextScan values(values_, {.hash_comments = false});
        for (int64_t i = 0; i < pairs; ++i) {
            for (int64_t k = 0; k < stride_; ++k) {
                const int64_t value = parse_integer(values.word_across_lines()).value_or(-1);
                const bool wrong_joint = k == joint_offset_ && value >= joints_;
                const bool wrong_weight = k == weight_offset_ && value >= weights_;
                if (value < 0 || wrong_joint || wrong_weight)
                    return refuse("a skin weight names a joint or a weight that does not exist");
            }
        }
        return {};
    }

private:
    static tl::unexpected<Error> too_many() { return refuse("a skin promises more weights than the file holds"); }

    void take_once(std::string_view& into, std::string_view text) {
        twice_ |= !into.empty();
        into = text;
    }

    void take_input(const TagScan& tag) {
        const std::string_view semantic = tag.attribute("semantic");
        std::string_view source = tag.attribute("source");
        if (source.starts_with('#')) source.remove_prefix(1);
        const int64_t count = counts_[source];
        if (semantic == "JOINT") joints_ = std::min(joints_, count);
        if (!in_weights_) return;
        const int64_t offset = parse_integer(tag.attribute("offset")).value_or(0);
        stride_ = std::max(stride_, offset + 1);
        if (semantic == "JOINT") joint_offset_ = offset;
        if (semantic == "WEIGHT") weight_offset_ = offset, weights_ = count;
    }

    std::string_view source_, pairs_, values_;
    std::unordered_map<std::string_view, int64_t> counts_;  // elements of each source
    bool in_weights_ = false, twice_ = false;
    int64_t joints_ = INT64_MAX, weights_ = 0, joint_offset_ = 0, weight_offset_ = 1, stride_ = 1;
};

// assimp reserves memory for these numbers, and multiplies some of them.
Result<void> check_numbers(const TagScan& tag, size_t file_bytes) {
    constexpr int64_t most_offsets = 255;
    for (const char* key : {"count", "stride", "offset"}) {
        const std::string_view word = tag.attribute(key);
        if (word.empty()) continue;
        const auto number = parse_integer(word);
        const int64_t most = tag.name == "input" ? most_offsets : static_cast<int64_t>(file_bytes);
        if (!number || *number < 0 || *number > most)
            return refuse(fmt::format("<{}> has the {} {}, which cannot be right", tag.name, key, in_quotes(word)));
    }
    return {};
}

}  // namespace

Result<void> check_collada(ByteSpan file, const Limits& limits) {
    TagScan tag(as_text(file));
    NodeGraph nodes;
    std::optional<SkinCheck> skin;
    int depth = 0;
    while (tag.next()) {
        if (tag.opens && ++depth > limits.max_depth) return refuse("its elements are nested too deep");
        if (tag.opens) SINEW_TRY_VOID(check_numbers(tag, file.size()));
        if (tag.name == "node" && tag.opens) nodes.open(tag);
        if (tag.name == "node" && tag.closes) nodes.close();
        if (tag.name == "instance_node" && tag.opens) nodes.show(tag.attribute("url"));
        if (tag.name == "skin" && tag.opens) skin.emplace();
        if (skin && tag.opens) skin->take(tag);
        if (skin && tag.name == "skin" && tag.closes) {
            SINEW_TRY_VOID(skin->check());
            skin.reset();
        }
        if (tag.closes) --depth;
    }
    return nodes.check(limits);
}

}  // namespace sinew
