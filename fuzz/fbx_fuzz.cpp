// FBX, binary and text.
#include <sinew/io/fbx/fbx.h>

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::check(read_fbx(fuzz::copy(fuzz::span(data, size)), fuzz::options()));
    return 0;
}
