// The studio's operations: one call by name, with JSON and binary arrays in and out. studio/api.json lists them.
// Data flow: abi.cpp (a page's worker) → *here* → pipeline → a Reply.
#pragma once

#include <sinew/core/progress.h>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "documents.h"

namespace sinew::web {

// What an operation has: its arguments, what it tells while it works, and binary arrays that its result refers to.
class Call {
public:
    Call(const Json& json, std::span<const ByteSpan> blobs, Documents& documents, Progress progress)
        : args(json, blobs), documents(documents), progress(std::move(progress)) {}

    Arguments args;
    Documents& documents;
    Progress progress;
    std::vector<Bytes> blobs;  // of the result

    // Puts an array beside the result and returns what stands for it there.
    Json array(std::span<const float> values) { return add(std::as_bytes(values), "f32"); }
    Json array(std::span<const uint32_t> values) { return add(std::as_bytes(values), "u32"); }
    Json array(ByteSpan values) { return add(values, "u8"); }
    Json array(Bytes values);

private:
    Json add(ByteSpan bytes, const char* type);
};

struct Operation {
    const char* name;
    std::vector<const char*> arguments;
    std::function<Result<Json>(Call&)> run;
};
using Operations = std::vector<Operation>;

// Each adds the operations of one file.
void add_file_operations(Operations& operations);
void add_document_operations(Operations& operations);
void add_rig_operations(Operations& operations);
void add_motion_operations(Operations& operations);
void add_skin_operations(Operations& operations);
void add_paint_operations(Operations& operations);
void add_pose_operations(Operations& operations);
void add_play_operations(Operations& operations);
void add_clip_operations(Operations& operations);
void add_curve_operations(Operations& operations);
void add_morph_operations(Operations& operations);
const Operations& operations();

// `ok` or not, as one JSON object each: the operation's result, or {"code", "message", "where", "text"}.
struct Reply {
    bool ok = false;
    std::string json;
    std::vector<Bytes> blobs;
};
Reply call(std::string_view operation, std::string_view json, std::span<const ByteSpan> blobs, Documents& documents,
           const Progress& progress = {});

}  // namespace sinew::web
