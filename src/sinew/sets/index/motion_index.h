// Motion index: what is known of a folder's clips, so that the ones like a given motion are found at once.
// Data flow: MotionDescription of each clip → *here* → a ranking; index_bytes.h keeps it in a file.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/sets/index/describe_motion.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct IndexedClip {
    std::string name;
    MotionDescription motion;
};
struct IndexedFile {
    std::string path;  // relative to the folder, with '/'
    uint64_t size = 0, hash = 0;
    int64_t time = 0;     // of its last change, as the file system tells it
    std::string problem;  // why it cannot be read; empty where it can
    std::vector<IndexedClip> clips;
};
struct MotionIndex {
    std::vector<IndexedFile> files;  // by path
};

struct FoundMotion {
    size_t file = 0, clip = 0;  // of the index
    float distance = 0;         // 0: the same motion; about 1: nothing in common
    float from = 0, to = 0;     // seconds: the part of the clip that is most like the query
    bool mirrored = false;      // it is more like the query with left and right swapped
};

// Clips by how much they are like the rows of the query, the best first. How a clip compares: each row of the query
// with the most similar row of the clip, and the other way round; and both as a whole (motion_summary.h), each number
// by how much it varies in the folder. A query that is a part of a clip
// (`part`) is looked for inside the clips: what they hold besides does not count. Clips that are no person's are left
// out. `name`: only clips or files whose name has it in it, whatever the case.
std::vector<FoundMotion> find_like(const MotionIndex& index, const std::vector<MotionRow>& query, bool part,
                                   std::string_view name = {});
// By name alone, in the order of the index.
std::vector<FoundMotion> find_named(const MotionIndex& index, std::string_view name);

// The index as bytes and back. Fails on bytes that are no index, or one of another version: make it anew then.
Bytes encode_index(const MotionIndex& index);
Result<MotionIndex> decode_index(ByteSpan bytes);

// FNV-1a over all bytes.
uint64_t content_hash(ByteSpan bytes);

}  // namespace sinew
