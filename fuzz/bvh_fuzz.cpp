// BVH; what was read is written and read again.
#include <sinew/io/mocap/bvh.h>

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const auto character = read_bvh(fuzz::copy(fuzz::span(data, size)), fuzz::options());
    fuzz::check(character);
    if (!character) return 0;
    const auto files = encode_bvh(*character, 0, "fuzz.bvh");
    if (files) fuzz::check(read_bvh(fuzz::copy(files->back().bytes), fuzz::options()));
    return 0;
}
