// The test programs' main. Exit code 77 says "skipped" to ctest: nothing failed, but a test did not find its files.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <support/data.h>

namespace {

unsigned selected_cases = 0;

struct CountCases : doctest::IReporter {
    explicit CountCases(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& run) override { selected_cases = run.numTestCasesPassingFilters; }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
DOCTEST_REGISTER_LISTENER("count", 1, CountCases);

}  // namespace

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int failed = context.run();
    if (context.shouldExit() || failed) return failed;
    if (selected_cases == 0) {
        std::cout << "no test case was selected\n";
        return 1;
    }
    if (sinew::test::missing().empty()) return 0;
    std::cout << "SKIP: no";
    for (const std::string& name : sinew::test::missing()) std::cout << ' ' << name;
    std::cout << '\n';
    return 77;
}
