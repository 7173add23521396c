#include <sinew/io/obj/obj.h>

#include "io/mutation.h"

using namespace sinew;

namespace {

constexpr std::string_view good_file =
    "# a sample\nmtllib look.mtl\no one\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0\nv 0.2 0.2 0\nv 0 1 \\\n 0\nvt 0 0\nvt "
    "1 0.5\n"
    "vn 0 0 1\nusemtl red\nf 1/1/1 2/2/1 3/1/1 4/2/1 5/1/1\ng two parts\nf -1//-1 -2//-1 -3//-1\nf 1/1 2/1 3/2\ns "
    "off\nl 1 2\n";
constexpr std::string_view look =
    "newmtl red\nKd 1 0.5 0\nKs 1 1 1\nNs 30\nKe 0 0 0\nd 0.5\nillum 2\nmap_Kd -s 1 1 1 -bm 2 a.png\nnewmtl blue\nTr "
    "0.1\nPr 0.3\n";

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

}  // namespace

TEST_CASE("obj: survives damage") {
    const auto read = [](SharedBytes file) {
        ReadOptions options;
        options.resources = [](std::string_view) -> Result<SharedBytes> { return bytes_of(look); };
        return read_obj(std::move(file), options);
    };
    test::check_survives(read, good_file, 1);
}

TEST_CASE("obj: survives damage to its materials, which never makes it refuse a mesh") {
    const auto read = [](SharedBytes file) {
        ReadOptions options;
        options.resources = [file](std::string_view) -> Result<SharedBytes> { return file; };
        return read_obj(bytes_of(good_file), options);
    };
    CHECK(test::read_prefixes(read, look).refused == 0);
    CHECK(test::read_changed(read, look, 2).refused == 0);
}

TEST_CASE("obj: what damaged files give can be written") {
    const auto read = [](SharedBytes file) -> Result<Character> {
        SINEW_TRY(const Character character, read_obj(std::move(file), {}));
        SINEW_TRY(const auto files, encode_obj(character, "x.obj"));
        const Bytes& text = files.back().bytes;
        return read_obj(SharedBytes::own(text), {});
    };
    test::read_changed(read, good_file, 3, 2000);
}
