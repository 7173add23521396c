// Fields: reads the members of a JSON object one after another, keeps the first mistake, and knows what was not asked
// for. Data flow: JSON → *here* → scene.h.
#pragma once

#include <sinew/core/closest.h>
#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct Range {
    double low, high;
};
// Lengths in metres and other numbers that a scene may hold.
constexpr Range any_place{-1e4, 1e4}, any_share{0.0, 1.0}, any_positive{1e-6, 1e6}, any_amount{0.0, 1e6};

class Fields {
public:
    using Json = nlohmann::ordered_json;

    // `error` is shared by all readers of one file; once it is set, nothing is read any more.
    Fields(const Json& json, std::string path, std::optional<Error>& error)
        : json_(json), path_(std::move(path)), error_(error) {
        if (!json.is_object()) mistake("", "is not an object; write {…}");
    }

    bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

    template <class Number>
    void number(const char* key, Number& out, Range range) {
        const Json* value = find(key);
        if (!value) return;
        const double v = value->is_number() ? value->get<double>() : NAN;
        if (!(v >= range.low && v <= range.high))
            return mistake(key, "is not a number from " + words(range.low) + " to " + words(range.high));
        out = static_cast<Number>(v);
    }
    template <class Vector>
    void vector(const char* key, Vector& out, Range range = any_place) {
        const Json* value = find(key);
        if (!value) return;
        bool good = value->is_array() && value->size() == static_cast<size_t>(out.size());
        for (int k = 0; good && k < out.size(); ++k) {
            const Json& v = (*value)[static_cast<size_t>(k)];
            good = v.is_number() && v.template get<double>() >= range.low && v.template get<double>() <= range.high;
            if (good) out[k] = static_cast<typename Vector::Scalar>(v.template get<double>());
        }
        if (!good)
            mistake(key, "is not a list of " + std::to_string(out.size()) + " numbers from " + words(range.low) +
                             " to " + words(range.high));
    }
    template <class Vector>
    void direction(const char* key, Vector& out) {
        vector(key, out);
        if (error_) return;
        if (!(out.norm() > 1e-6)) return mistake(key, "is no direction; write three numbers that are not all 0");
        out.normalize();
    }
    void flag(const char* key, bool& out) {
        const Json* value = find(key);
        if (!value) return;
        if (!value->is_boolean()) return mistake(key, "is neither true nor false");
        out = value->get<bool>();
    }
    void text(const char* key, std::string& out);
    // One of `names`; its number.
    template <class Choice>
    void choice(const char* key, Choice& out, std::initializer_list<std::string_view> names) {
        std::string word;
        text(key, word);
        if (error_ || word.empty()) return;
        const std::vector<std::string_view> all(names);
        for (size_t i = 0; i < all.size(); ++i)
            if (all[i] == word) {
                out = static_cast<Choice>(i);
                return;
            }
        mistake(key, unknown_name("word", word, all));
    }
    void texts(const char* key, std::vector<std::string>& out, std::initializer_list<std::string_view> names);
    // Calls read(Fields) for the object, or for each object of the list.
    template <class Read>
    void object(const char* key, const Read& read) {
        if (const Json* value = find(key)) {
            Fields inner(*value, path_ + "/" + key, error_);
            read(inner);
            inner.finish();
        }
    }
    template <class Read>
    void list(const char* key, const Read& read) {
        const Json* value = find(key);
        if (!value) return;
        if (!value->is_array()) return mistake(key, "is not a list; write […]");
        for (size_t i = 0; i < value->size() && !error_; ++i) {
            Fields inner((*value)[i], path_ + "/" + key + "/" + std::to_string(i), error_);
            read(inner);
            inner.finish();
        }
    }
    // A field that nobody asked for is a mistake.
    void finish();
    void mistake(const std::string& key, const std::string& message, ErrorCode code = ErrorCode::invalid_data);
    bool failed() const { return error_.has_value(); }

private:
    const Json* find(const char* key);
    static std::string words(double number);

    const Json& json_;
    std::string path_;
    std::optional<Error>& error_;
    std::vector<std::string_view> asked_;
};

}  // namespace sinew
