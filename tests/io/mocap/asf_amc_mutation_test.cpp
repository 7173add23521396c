#include <sinew/io/mocap/asf_amc.h>

#include "io/mutation.h"

using namespace sinew;

namespace {

constexpr std::string_view asf =
    "# AST/ASF file\n:version 1.10\n:name X\n:units\n mass 1.0\n length 0.45\n angle deg\n:documentation\n "
    "words\n:root\n"
    " order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n id 1\n name upper\n"
    " direction 1 0 0\n length 2\n axis 0 0 20 XYZ\n dof ry rz\n limits (-1 1)\n (-1 1)\n end\n begin\n id 2\n name "
    "lower\n"
    " direction 0 1 0\n length 1\n axis 90 0 0 ZYX\n dof rx l\n end\n:hierarchy\n begin\n root upper\n upper lower\n "
    "end\n";
constexpr std::string_view amc =
    "#sample\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 1 0 10 20 30\nupper 1 2\nlower 3 1\n2\nroot 0 1 0.1 11 21 31\n"
    "upper 1.5 2e0\nlower -3 1\n3\nroot 0 1 0.2 12 22 32\nupper 2 2\nlower -4 1\n";

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

}  // namespace

TEST_CASE("asf: survives damage") {
    test::check_survives([](SharedBytes file) { return read_asf(std::move(file), {}); }, asf, 1);
}

TEST_CASE("amc: survives damage") {
    test::check_survives([](SharedBytes file) { return read_amc(std::move(file), bytes_of(asf), {}); }, amc, 2);
}

TEST_CASE("amc: survives damage to its skeleton") {
    test::read_changed([](SharedBytes file) { return read_amc(bytes_of(amc), std::move(file), {}); }, asf, 3);
}
