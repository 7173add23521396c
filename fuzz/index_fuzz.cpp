// Fuzzes the reader of motion indexes: what it accepts is written back as it was, and can be searched.
#include <sinew/sets/index/motion_index.h>
#include <cmath>

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const ByteSpan bytes = fuzz::span(data, size);
    const auto index = decode_index(bytes);
    if (!index) {
        if (index.error().message.empty()) std::abort();
        return 0;
    }
    if (!std::ranges::equal(encode_index(*index), bytes)) std::abort();
    for (const IndexedFile& file : index->files)
        for (const IndexedClip& clip : file.clips)
            for (const FoundMotion& found : find_like(*index, clip.motion.rows, true))
                if (std::isnan(found.distance) || found.file >= index->files.size()) std::abort();
    find_named(*index, "walk");
    return 0;
}
