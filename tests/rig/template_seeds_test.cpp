// The small template files that script/fuzz starts from: valid ones are read; damaged ones are refused with a
// message, or keep a template's promises.
#include <doctest/doctest.h>

#include <sinew/core/file.h>
#include <sinew/rig/template/template_json.h>
#include <support/seeds.h>

using namespace sinew;

TEST_CASE("template: the valid seeds are read, the damaged ones refused or sound") {
    for (const auto& path : test::seed_files("seeds", "template")) {
        INFO(path.string());
        const auto parsed = parse_template(read_file(path).value());
        CHECK_MESSAGE(parsed.has_value(), (parsed ? "" : to_string(parsed.error())));
    }
    size_t refused = 0;
    for (const auto& path : test::seed_files("crashes", "template")) {
        INFO(path.string());
        const auto parsed = parse_template(read_file(path).value());
        if (!parsed) {
            ++refused;
            CHECK_FALSE(parsed.error().message.empty());
            continue;
        }
        for (size_t j = 0; j < parsed->size(); ++j) {
            CHECK(parsed->joints[j].parent < static_cast<int>(j));
            CHECK(parsed->joints[j].mirror < static_cast<int>(parsed->size()));
            CHECK(parsed->joints[j].position.allFinite());
        }
    }
    CHECK(refused > 8);
}
