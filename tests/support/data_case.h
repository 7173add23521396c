// DATA_TEST_CASE: a test that reads real files. Its folder is `data` in the body.
// All such cases are in doctest's suite "data". ctest runs them as `<module>_data`, apart from `<module>`, and reports
// them as skipped where the files are absent.
#pragma once

#include <doctest/doctest.h>

#include <support/data.h>

#define SINEW_DATA_TEST_CASE(function, name)                                  \
    static void function([[maybe_unused]] const std::filesystem::path& data); \
    TEST_CASE(name* doctest::test_suite("data")) {                            \
        if (const auto folder = sinew::test::data_dir()) function(*folder);   \
    }                                                                         \
    static void function([[maybe_unused]] const std::filesystem::path& data)

#define DATA_TEST_CASE(name) SINEW_DATA_TEST_CASE(DOCTEST_ANONYMOUS(sinew_data_test_), name)
