// Arguments of one call of the studio: JSON, with binary arrays beside it, read into plain variables.
// Data flow: the page's call → *here* → an operation.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew::web {

using Json = nlohmann::ordered_json;

// Reads arguments by name. What is absent leaves the variable as it was; the first thing that is wrong is kept, and
// check() tells it. An array in binary form stands in the JSON as {"$blob": its number}.
class Arguments {
public:
    Arguments(const Json& json, std::span<const ByteSpan> blobs, std::string path = {})
        : json_(json), blobs_(blobs), path_(std::move(path)) {}

    bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }

    void read(const char* name, std::string& value);
    void read(const char* name, bool& value);
    void read(const char* name, int32_t& value);
    void read(const char* name, float& value);
    void read(const char* name, double& value);
    void read(const char* name, Vec3& value);
    void read(const char* name, Quatd& value);
    void read(const char* name, std::vector<std::string>& value);
    void read(const char* name, std::vector<float>& value);     // numbers, or a Float32Array
    void read(const char* name, std::vector<uint32_t>& value);  // numbers, or a Uint32Array
    void read(const char* name, ByteSpan& value);               // a Uint8Array
    template <class T>
    void read(const char* name, std::optional<T>& value) {
        if (has(name)) read(name, value.emplace());
    }

    // The same; absent is wrong.
    template <class T>
    void need(const char* name, T& value) {
        if (!has(name)) complain(name, "is missing");
        read(name, value);
    }

    // An argument that is an object, or a list of objects, each with arguments of its own. `use` takes Arguments&.
    template <class Use>
    void object(const char* name, const Use& use) {
        if (!has(name)) return;
        if (!json_[name].is_object()) return complain(name, "is not an object");
        Arguments inner(json_[name], blobs_, path_ + name + ".");
        use(inner);
        take_over(inner);
    }
    template <class Use>
    void each(const char* name, const Use& use) {
        if (!has(name)) return;
        if (!json_[name].is_array()) return complain(name, "is not a list");
        for (const Json& entry : json_[name]) {
            if (!entry.is_object()) return complain(name, "holds something that is not an object");
            Arguments inner(entry, blobs_, path_ + name + ".");
            use(inner);
            take_over(inner);
        }
    }

    const Json& json() const { return json_; }
    void complain(const char* name, const char* what);
    Result<void> check() const;

private:
    std::optional<ByteSpan> blob(const char* name);
    void take_over(const Arguments& inner) {
        if (wrong_.empty()) wrong_ = inner.wrong_;
    }

    const Json& json_;
    std::span<const ByteSpan> blobs_;
    std::string path_, wrong_;
};

}  // namespace sinew::web
