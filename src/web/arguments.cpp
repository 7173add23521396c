#include "arguments.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace sinew::web {
namespace {

// The finite number that a piece of JSON is, if it is one.
std::optional<double> number_of(const Json& json) {
    if (!json.is_number()) return std::nullopt;
    const double value = json.get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

template <size_t size>
std::optional<std::array<double, size>> numbers_of(const Json& json) {
    if (!json.is_array() || json.size() != size) return std::nullopt;
    std::array<double, size> values{};
    for (size_t i = 0; i < size; ++i) {
        const auto number = number_of(json[i]);
        if (!number) return std::nullopt;
        values[i] = *number;
    }
    return values;
}

// Elements of a binary array; none where the bytes are not a whole number of them.
template <class T>
bool copy_elements(ByteSpan bytes, std::vector<T>& out) {
    if (bytes.size() % sizeof(T) != 0) return false;
    out.resize(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return true;
}

}  // namespace

void Arguments::complain(const char* name, const char* what) {
    if (wrong_.empty()) wrong_ = fmt::format("the argument {}{} {}", path_, name, what);
}

Result<void> Arguments::check() const {
    if (wrong_.empty()) return {};
    return fail(ErrorCode::invalid_argument, wrong_);
}

std::optional<ByteSpan> Arguments::blob(const char* name) {
    const Json& json = json_[name];
    if (!json.is_object() || !json.contains("$blob")) return std::nullopt;
    const auto number = number_of(json["$blob"]);
    if (!number || *number < 0 || *number >= static_cast<double>(blobs_.size())) return std::nullopt;
    return blobs_[static_cast<size_t>(*number)];
}

void Arguments::read(const char* name, std::string& value) {
    if (!has(name)) return;
    if (!json_[name].is_string()) return complain(name, "is not a text");
    value = json_[name].get<std::string>();
}

void Arguments::read(const char* name, bool& value) {
    if (!has(name)) return;
    if (!json_[name].is_boolean()) return complain(name, "is neither true nor false");
    value = json_[name].get<bool>();
}

void Arguments::read(const char* name, double& value) {
    if (!has(name)) return;
    const auto number = number_of(json_[name]);
    if (!number) return complain(name, "is not a number");
    value = *number;
}

void Arguments::read(const char* name, float& value) {
    double number = value;
    read(name, number);
    value = static_cast<float>(number);
    if (!std::isfinite(value)) value = 0.0f, complain(name, "is too large");
}

void Arguments::read(const char* name, int32_t& value) {
    double number = value;
    read(name, number);
    if (number != std::round(number) || std::abs(number) > INT32_MAX) return complain(name, "is not a whole number");
    value = static_cast<int32_t>(number);
}

void Arguments::read(const char* name, Vec3& value) {
    if (!has(name)) return;
    const auto numbers = numbers_of<3>(json_[name]);
    if (!numbers) return complain(name, "is not three numbers");
    value = Vec3d((*numbers)[0], (*numbers)[1], (*numbers)[2]).cast<float>();
}

void Arguments::read(const char* name, Quatd& value) {
    if (!has(name)) return;
    constexpr double shortest = 1e-6;
    const auto n = numbers_of<4>(json_[name]);
    if (!n) return complain(name, "is not four numbers");
    const Quatd rotation((*n)[3], (*n)[0], (*n)[1], (*n)[2]);
    if (!(rotation.norm() > shortest)) return complain(name, "is not a rotation");
    value = rotation.normalized();
}

void Arguments::read(const char* name, std::vector<std::string>& value) {
    if (!has(name)) return;
    if (!json_[name].is_array()) return complain(name, "is not a list");
    value.clear();
    for (const Json& entry : json_[name]) {
        if (!entry.is_string()) return complain(name, "holds something that is not a text");
        value.push_back(entry.get<std::string>());
    }
}

void Arguments::read(const char* name, std::vector<float>& value) {
    if (!has(name)) return;
    if (const auto bytes = blob(name)) {
        if (!copy_elements(*bytes, value)) complain(name, "is not a Float32Array");
    } else if (json_[name].is_array()) {
        value.clear();
        for (const Json& entry : json_[name]) value.push_back(static_cast<float>(number_of(entry).value_or(NAN)));
    } else {
        complain(name, "is neither numbers nor a Float32Array");
    }
    for (float number : value)
        if (!std::isfinite(number)) return complain(name, "holds something that is not a number");
}

void Arguments::read(const char* name, std::vector<uint32_t>& value) {
    if (!has(name)) return;
    if (const auto bytes = blob(name)) {
        if (!copy_elements(*bytes, value)) complain(name, "is not a Uint32Array");
        return;
    }
    if (!json_[name].is_array()) return complain(name, "is neither numbers nor a Uint32Array");
    value.clear();
    for (const Json& entry : json_[name]) {
        const double number = number_of(entry).value_or(-1.0);
        if (number < 0.0 || number > UINT32_MAX) return complain(name, "holds something that is not a whole number");
        value.push_back(static_cast<uint32_t>(number));
    }
}

void Arguments::read(const char* name, ByteSpan& value) {
    if (!has(name)) return;
    const auto bytes = blob(name);
    if (!bytes) return complain(name, "is not a Uint8Array");
    value = *bytes;
}

}  // namespace sinew::web
