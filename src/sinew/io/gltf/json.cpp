#include <sinew/io/gltf/document.h>

#include <algorithm>

#include <fmt/format.h>

namespace sinew::gltf {
namespace {

// Builds the values while counting them: nlohmann's own builder has no limits, and its errors are exceptions.
class Builder : public nlohmann::json_sax<Json> {
public:
    Builder(Json& root, size_t max_depth, size_t max_values)
        : root_(root), max_depth_(max_depth), max_values_(max_values) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(size_t) override { return open(Json::object()); }
    bool start_array(size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        key_ = std::move(value);
        return true;
    }
    bool parse_error(size_t position, const std::string&, const nlohmann::json::exception&) override {
        position_ = position;
        return false;
    }

    size_t position() const { return position_; }
    bool too_deep() const { return too_deep_; }
    bool too_many() const { return too_many_; }

private:
    template <class Value>
    bool add(Value&& value) {
        return place(std::forward<Value>(value)) != nullptr;
    }
    template <class Value>
    Json* place(Value&& value) {
        if (++values_ > max_values_) {
            too_many_ = true;
            return nullptr;
        }
        if (stack_.empty()) {
            root_ = Json(std::forward<Value>(value));
            return &root_;
        }
        Json& parent = *stack_.back();
        if (parent.is_array()) {
            parent.push_back(Json(std::forward<Value>(value)));
            return &parent.back();
        }
        return &(parent[key_] = Json(std::forward<Value>(value)));
    }
    bool open(Json container) {
        if (stack_.size() >= max_depth_) {
            too_deep_ = true;
            return false;
        }
        Json* placed = place(std::move(container));
        if (!placed) return false;
        stack_.push_back(placed);
        return true;
    }
    bool close() {
        stack_.pop_back();
        return true;
    }

    Json& root_;
    size_t max_depth_, max_values_;
    std::vector<Json*> stack_;  // the open containers; none is moved while a child of it is open
    std::string key_;
    size_t values_ = 0, position_ = 0;
    bool too_deep_ = false, too_many_ = false;
};

}  // namespace

Result<Json> parse_json(ByteSpan text, size_t offset, const Limits& limits) {
    // What one value costs in memory, with its share of the tree around it.
    constexpr size_t bytes_per_value = 48;
    Json root;
    Builder builder(root, static_cast<size_t>(std::max(limits.max_depth, 1)),
                    limits.max_decoded_bytes / bytes_per_value);
    const std::string_view view = as_text(text);
    if (Json::sax_parse(view.begin(), view.end(), &builder)) return root;
    if (builder.too_deep()) {
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("the JSON is nested more than {} deep, which is the limit", limits.max_depth));
    }
    if (builder.too_many())
        return fail(ErrorCode::limit_exceeded, "the JSON has too many values; split the file into smaller ones");
    return fail(ErrorCode::invalid_data, "the JSON is not valid here; the file is cut off or damaged",
                fmt::format("byte {}", offset + builder.position()));
}

tl::unexpected<Error> wrong(std::string where, std::string_view what) {
    return fail(ErrorCode::invalid_data, fmt::format("{}; repair the file or export it again", what), std::move(where));
}

const Json& member(const Json& object, const char* key) {
    static const Json null;
    if (!object.is_object()) return null;
    const auto it = object.find(key);
    return it == object.end() ? null : *it;
}

const Json& array_at(const Json& object, const char* key) {
    static const Json empty = Json::array();
    const Json& value = member(object, key);
    return value.is_array() ? value : empty;
}

int32_t index_at(const Json& object, const char* key) {
    const Json& value = member(object, key);
    return value.is_number() ? value.get<int32_t>() : -1;
}

size_t count_at(const Json& object, const char* key, size_t fallback) {
    const Json& value = member(object, key);
    // Where addresses have 32 bits, a larger count must not come out as a small one.
    return value.is_number() ? static_cast<size_t>(std::min<uint64_t>(value.get<uint64_t>(), SIZE_MAX)) : fallback;
}

double number_at(const Json& object, const char* key, double fallback) {
    const Json& value = member(object, key);
    return value.is_number() ? value.get<double>() : fallback;
}

bool flag_at(const Json& object, const char* key) {
    const Json& value = member(object, key);
    return value.is_boolean() && value.get<bool>();
}

std::string text_at(const Json& object, const char* key, std::string_view fallback) {
    const Json& value = member(object, key);
    return value.is_string() ? value.get<std::string>() : std::string(fallback);
}

}  // namespace sinew::gltf
