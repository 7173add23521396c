// The small template files that script/fuzz starts from: valid ones are read, damaged ones are refused with a message.
#include <doctest/doctest.h>

#include <sinew/core/file.h>
#include <sinew/rig/template/template_json.h>
#include <support/seeds.h>

using namespace sinew;

TEST_CASE("template: the valid seeds are read, the damaged ones refused") {
    for (const auto& path : test::seed_files("seeds", "template")) {
        INFO(path.string());
        const auto parsed = parse_template(read_file(path).value());
        CHECK_MESSAGE(parsed.has_value(), (parsed ? "" : to_string(parsed.error())));
    }
    for (const auto& path : test::seed_files("crashes", "template")) {
        INFO(path.string());
        const auto parsed = parse_template(read_file(path).value());
        CHECK_FALSE(parsed.has_value());
        if (!parsed) CHECK_FALSE(parsed.error().message.empty());
    }
}
