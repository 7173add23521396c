#include <doctest/doctest.h>

#include <sinew/image/image_type.h>
#include <string>

using namespace sinew;
using namespace std::string_literals;

TEST_CASE("image_mime_type: each kind by its signature, and no other") {
    const std::pair<std::string, std::string_view> heads[] = {
        {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, "image/png"},
        {"\xff\xd8\xff\xe0\0\x10JFIF"s, "image/jpeg"},
        {"RIFF\x24\0\0\0WEBPVP8L"s, "image/webp"},
        {"\xabKTX 20\xbb\r\n\x1a\n\0\0\0\0"s, "image/ktx2"},
        {"GIF89a\1\0\1\0"s, "image/gif"},
        {"BM\x3a\0\0\0\0\0\0\0"s, "image/bmp"},
        {"DDS \x7c\0\0\0"s, "image/vnd-ms.dds"},
    };
    for (const auto& [head, type] : heads) {
        CHECK(image_mime_type(as_byte_span(head)) == type);
        CHECK(image_mime_type(as_byte_span(head + std::string(100, 'x'))) == type);
        CHECK(image_extension(type).starts_with('.'));
        CHECK(image_mime_type(as_byte_span("x" + head)).empty());
    }
    // A sound file starts with RIFF, too; a PNG that went through a text mode transfer has lost its "\r".
    for (const std::string& other :
         {""s, "R"s, "RIFF"s, "RIFF\x24\0\0\0WAVEfmt "s, "RIFF\x24\0\0\0WEB"s, "\x89PNG\n\x1a\n"s, "\xff\xd8"s,
          "\x89PN"s, "glTF"s, "<svg/>"s, std::string(64, '\0')})
        CHECK(image_mime_type(as_byte_span(other)).empty());
    CHECK(image_extension("image/jpeg") == ".jpg");
    CHECK(image_extension("text/plain").empty());
    CHECK(image_extension("").empty());
}
