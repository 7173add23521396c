// The core's exports to a page's worker. All numbers are 32-bit, little-endian.
//   request: operation's length, JSON's length, number of arrays, each array's length; then, each at the next multiple
//            of 8: the operation, the JSON, the arrays.
//   reply:   1 or 0 (an error), JSON's address and length, number of arrays, then address and length of each. It is
//            valid until the next call.
#include <cstdlib>
#include <cstring>

#include "call.h"

#define SINEW_EXPORT(name) __attribute__((export_name(name), used))

// The page's: how far the work is.
extern "C" __attribute__((import_module("sinew"), import_name("progress"))) void sinew_progress(const char* stage,
                                                                                                uint32_t length,
                                                                                                double fraction);

namespace sinew::web {
namespace {

Documents& all_documents() {
    static Documents documents;
    return documents;
}

// The last reply, and the numbers that tell the page where it is.
struct Answer {
    Reply reply;
    std::vector<uint32_t> numbers;
};
Answer& answer() {
    static Answer last;
    return last;
}

uint32_t address(const void* place) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place));
}

// Takes the parts of a request one after another.
class Request {
public:
    explicit Request(const char* bytes) : bytes_(bytes) {}

    uint32_t number() {
        uint32_t value = 0;
        std::memcpy(&value, bytes_ + place_, sizeof value);
        place_ += sizeof value;
        return value;
    }
    std::string_view part(uint32_t length) {
        constexpr size_t alignment = 8;
        place_ = (place_ + alignment - 1) / alignment * alignment;
        const std::string_view text(bytes_ + place_, length);
        place_ += length;
        return text;
    }

private:
    const char* bytes_;
    size_t place_ = 0;
};

const uint32_t* run(const char* bytes) {
    Request request(bytes);
    const uint32_t operation_length = request.number(), json_length = request.number();
    std::vector<uint32_t> lengths(request.number());
    for (uint32_t& length : lengths) length = request.number();
    const std::string_view operation = request.part(operation_length), json = request.part(json_length);
    std::vector<ByteSpan> blobs;
    for (uint32_t length : lengths) blobs.push_back(as_byte_span(request.part(length)));

    Answer& last = answer();
    last = {};
    last.reply = call(operation, json, blobs, all_documents(), [](std::string_view stage, double fraction) {
        sinew_progress(stage.data(), static_cast<uint32_t>(stage.size()), fraction);
    });
    const Reply& reply = last.reply;
    last.numbers = {reply.ok ? 1u : 0u, address(reply.json.data()), static_cast<uint32_t>(reply.json.size()),
                    static_cast<uint32_t>(reply.blobs.size())};
    for (const Bytes& blob : reply.blobs) {
        last.numbers.push_back(address(blob.data()));
        last.numbers.push_back(static_cast<uint32_t>(blob.size()));
    }
    return last.numbers.data();
}

}  // namespace
}  // namespace sinew::web

extern "C" {

SINEW_EXPORT("sinew_alloc") void* sinew_alloc(uint32_t size) {
    return std::malloc(size);
}

SINEW_EXPORT("sinew_free") void sinew_free(void* place) {
    std::free(place);
}

SINEW_EXPORT("sinew_call") const uint32_t* sinew_call(const char* request) {
    return sinew::web::run(request);
}

// The reply has been read: its memory is free again.
SINEW_EXPORT("sinew_done") void sinew_done() {
    sinew::web::answer() = {};
}
}

// There are no exceptions here. What throws all the same (out of memory, most of all) ends the instance; the page
// begins another one with the memory of before.
extern "C" {
[[noreturn]] void* __cxa_allocate_exception(size_t) {
    __builtin_trap();
}
[[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) {
    __builtin_trap();
}
}
