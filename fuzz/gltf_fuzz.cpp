// Any bytes as a glTF: an error, or a valid character that can be written and read again.
#include <sinew/io/gltf/gltf.h>

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sinew;
    const ReadOptions options{.limits = {.max_vertices = 100'000,
                                         .max_triangles = 100'000,
                                         .max_joints = 1000,
                                         .max_keys = 100'000,
                                         .max_decoded_bytes = 16 << 20}};
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto character = read_gltf(SharedBytes::own(Bytes(bytes.begin(), bytes.end())), options);
    if (!character) return 0;
    if (!validate(*character)) std::abort();
    const auto files = encode_gltf(*character, size % 2 == 0 ? "out.glb" : "out.gltf");
    if (!files) std::abort();
    if (size % 2 != 0) return 0;
    const auto again = read_gltf(SharedBytes::own(files->back().bytes), options);
    if (!again || !validate(*again)) std::abort();
    return 0;
}
