// ASF and AMC: a skeleton and a motion, separated by a line "----"; without it, a motion for a small skeleton.
#include <sinew/io/mocap/asf_amc.h>

#include "fuzz.h"

using namespace sinew;

namespace {

constexpr std::string_view skeleton =
    ":version 1.10\n:units\nlength 0.45\nangle deg\n:root\norder TX TY TZ RX RY RZ\naxis XYZ\n:bonedata\n"
    "begin\nname a\ndirection 1 0 0\nlength 2\naxis 0 0 0 XYZ\ndof ry rz\nend\n"
    "begin\nname b\ndirection 0 1 0\nlength 1\naxis 0 0 90 XYZ\ndof rx l\nend\n"
    ":hierarchy\nbegin\nroot a\na b\nend\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text = as_text(fuzz::span(data, size));
    const std::string_view separator = "\n----\n";
    const size_t cut = text.find(separator);
    if (cut == std::string_view::npos) {
        fuzz::check(read_amc(fuzz::copy(as_byte_span(text)), fuzz::copy(as_byte_span(skeleton)), fuzz::options()));
        return 0;
    }
    const SharedBytes asf = fuzz::copy(as_byte_span(text.substr(0, cut)));
    fuzz::check(read_asf(asf, fuzz::options()));
    fuzz::check(read_amc(fuzz::copy(as_byte_span(text.substr(cut + separator.size()))), asf, fuzz::options()));
    return 0;
}
