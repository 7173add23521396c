#include <sinew/io/mocap/bvh.h>

#include "io/mutation.h"

using namespace sinew;

namespace {

constexpr std::string_view good_file =
    "HIERARCHY\nROOT left hip\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
    "Yrotation\n"
    " JOINT knee\n {\n  OFFSET 0 -1 0.1\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -1 "
    "0\n  }\n"
    " }\n}\nROOT b\n{\nOFFSET 1 0 0\nCHANNELS 1 Yrotation\n}\nMOTION\nFrames: 3\nFrame Time: 0.0083333\n"
    "0 1 0 10 20 30 -5 90 0 1\n0.1 1.1 0 11 21 31 -6 90 1 2\n0.2 1.2 0 11.5 21.5 31.5 -7 90 2 3\n";

}  // namespace

TEST_CASE("bvh: survives damage") {
    test::check_survives([](SharedBytes file) { return read_bvh(std::move(file), {}); }, good_file, 1);
}

TEST_CASE("bvh: what damaged files give can be written and read") {
    const auto read = [](SharedBytes file) -> Result<Character> {
        SINEW_TRY(const Character character, read_bvh(std::move(file), {}));
        SINEW_TRY(const auto files, encode_bvh(character, 0, "x.bvh"));
        return read_bvh(SharedBytes::own(files.back().bytes), {});
    };
    test::read_changed(read, good_file, 2, 3000);
}
