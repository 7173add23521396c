#include <sinew/io/assimp/assimp.h>

#include "io/mutation.h"

// assimp forgets memory when it gives up on a file. The leak sanitizer, where it is on, asks for this by its name.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libassimp";
}

using namespace sinew;

namespace {

constexpr std::string_view off = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";
constexpr std::string_view stl =
    "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\nendsolid "
    "x\n";

}  // namespace

// assimp is not ours to harden: these are the formats that it gets through, and that what it returns is checked.
TEST_CASE("assimp: OFF and STL survive damage") {
    for (const auto& [text, format] : {std::pair(off, "off"), std::pair(stl, "stl")}) {
        const auto read = [format = format](SharedBytes file) { return read_with_assimp(std::move(file), format, {}); };
        test::read_prefixes(read, text);
        test::read_changed(read, text, 1, 2000);
    }
}
