// OBJ with its MTL: every file that it asks for is the input itself. What was read is written and read again.
#include <sinew/io/obj/obj.h>

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const SharedBytes input = fuzz::copy(fuzz::span(data, size));
    ReadOptions options = fuzz::options();
    options.resources = [&input](std::string_view) -> Result<SharedBytes> { return input; };
    const auto character = read_obj(input, options);
    fuzz::check(character);
    if (!character) return 0;
    const auto files = encode_obj(*character, "fuzz.obj");
    if (files) fuzz::check(read_obj(fuzz::copy(files->back().bytes), fuzz::options()));
    return 0;
}
