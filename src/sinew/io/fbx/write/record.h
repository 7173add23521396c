// Record: one named record of an FBX file to be written, with its values and its children.
// Data flow: the writer's parts → *here* → the bytes of a binary file, version 7500.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::fbx {

class Record {
public:
    template <class... Values>
    explicit Record(std::string_view name, const Values&... values) : name_(name) {
        (put(values), ...);
    }

    // Adds a child. The reference is good until the next one is added.
    template <class... Values>
    Record& add(std::string_view name, const Values&... values) {
        return children_.emplace_back(name, values...);
    }
    void add(Record child) { children_.push_back(std::move(child)); }

    // Arrays are deflated where that makes them smaller.
    void put(bool value);
    void put(int32_t value);
    void put(int64_t value);
    void put(double value);
    void put(std::string_view text);
    void put(const char* text) { put(std::string_view(text)); }
    void put(const std::string& text) { put(std::string_view(text)); }
    void put(ByteSpan bytes);
    void put(const std::vector<int32_t>& numbers);
    void put(const std::vector<int64_t>& numbers);
    void put(const std::vector<float>& numbers);
    void put(const std::vector<double>& numbers);
    void put(const Vec3d& vector);       // three values
    void put(const AffineD& transform);  // an array of sixteen, column by column

    const std::string& name() const { return name_; }
    const std::vector<Record>& children() const { return children_; }
    // Appends the record; offsets count from the first byte of `out`.
    void encode(Bytes& out) const;

private:
    template <class Number>
    void put_number(char type, Number number);
    template <class Number>
    void put_array(char type, const std::vector<Number>& numbers);

    std::string name_;
    uint64_t value_count_ = 0;
    Bytes values_;
    std::vector<Record> children_;
};

// "Body" of class "Model", as binary files write it.
std::string name_with_class(std::string_view name, std::string_view class_name);

// A whole file of these records: header, records, and the footer that Autodesk's programs ask for.
Bytes encode_records(const std::vector<Record>& records);

constexpr int32_t written_version = 7500;
// A file's identity and the time of its making, which its footer confirms: always the same, so that equal characters
// give equal files.
extern const std::string_view file_identity;
constexpr std::string_view creation_time = "1970-01-01 10:00:00:000";

}  // namespace sinew::fbx
