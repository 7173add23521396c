#include <sinew/physics/scene/fields.h>

#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {
constexpr size_t longest_text = 1024;
}

std::string Fields::words(double number) {
    return fmt::format("{:g}", number);
}

const Fields::Json* Fields::find(const char* key) {
    asked_.push_back(key);
    if (error_ || !json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
}

void Fields::mistake(const std::string& key, const std::string& message, ErrorCode code) {
    if (!error_) error_ = Error{code, message, key.empty() ? (path_.empty() ? "/" : path_) : path_ + "/" + key};
}

void Fields::text(const char* key, std::string& out) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_string() || value->get_ref<const std::string&>().empty() ||
        value->get_ref<const std::string&>().size() > longest_text)
        return mistake(key, "is no text; write 1 to 1024 characters in quotes");
    out = value->get<std::string>();
}

void Fields::texts(const char* key, std::vector<std::string>& out, std::initializer_list<std::string_view> names) {
    const Json* value = find(key);
    if (!value) return;
    const std::vector<std::string_view> all(names);
    if (!value->is_array()) return mistake(key, "is not a list; write [\"…\"]");
    out.clear();
    for (const Json& word : *value) {
        if (!word.is_string()) return mistake(key, "holds something that is no text");
        const auto& name = word.get_ref<const std::string&>();
        if (std::ranges::find(all, name) == all.end()) return mistake(key, unknown_name("word", name, all));
        out.push_back(name);
    }
}

void Fields::finish() {
    if (error_ || !json_.is_object()) return;
    for (const auto& item : json_.items())
        if (item.key() != "about" && std::ranges::find(asked_, item.key()) == asked_.end())
            return mistake(item.key(), unknown_name("field", item.key(), asked_));
}

}  // namespace sinew
