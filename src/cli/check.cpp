// sinew check: the report card of a rigged character.
#include <sinew/pipeline/check/check_character.h>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli.h"

namespace sinew::cli {
namespace {

std::string limit_text(const CheckRow& row) {
    if (std::isfinite(row.least) && std::isfinite(row.most))
        return fmt::format("{:.4g} to {:.4g}", row.least, row.most);
    if (std::isfinite(row.least)) return fmt::format("at least {:.4g}", row.least);
    return std::isfinite(row.most) ? fmt::format("at most {:.4g}", row.most) : "";
}

void print_text(const CheckReport& report) {
    constexpr const char* words[] = {"good", "WARNING", "FAULT"};
    for (const CheckRow& row : report.rows) {
        fmt::print("{:<8} {:<20} {:>9.4g} {:<8} {:<16} {}\n", words[static_cast<size_t>(row.grade)], row.name,
                   row.value, row.unit, limit_text(row), row.where);
        if (!row.advice.empty()) fmt::print("         {}\n", row.advice);
    }
    const auto several = [](size_t count, const char* word) {
        return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    };
    fmt::print("{}: {}, {}\n", report.file, several(report.count(Grade::fault), "fault"),
               several(report.count(Grade::warning), "warning"));
}

// {"stretch=4", …} → {{"stretch", 4}, …}.
Result<void> read_limits(const std::vector<std::string>& texts, CheckOptions& options) {
    for (const std::string& text : texts) {
        const size_t sign = std::min(text.find('='), text.size());
        double most = 0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(std::min(text.data() + sign + 1, end), end, most);
        if (sign == 0 || parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(most))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("\"{}\" is not NAME=NUMBER; give one like stretch=4", text), "--most");
        options.most.emplace_back(text.substr(0, sign), most);
    }
    return {};
}

int run(const Common& common, CheckJob& job, const std::vector<std::string>& limits) {
    job.listener = make_listener(common);
    if (const auto read = read_limits(limits, job.options); !read) return report_option_error(read.error());
    const auto report = check_file(job);
    if (!report && report.error().code == ErrorCode::invalid_argument)
        return report_option_error({report.error().code, report.error().message, "--most"});
    if (report && !common.json) print_text(*report);
    const int code = finish(common, report);
    return code == exit_done && report->count(Grade::fault) > 0 ? exit_problems : code;
}

}  // namespace

void add_check(Program& program) {
    auto job = std::make_shared<CheckJob>();
    auto limits = std::make_shared<std::vector<std::string>>();
    Verb verb = program.add_verb(
        "check",
        "Show the report card of a rigged character: its skin at rest, bent at every joint, and in its clips. Exit "
        "code 3 "
        "where it has a fault.",
        {"sinew check hero.glb", "sinew check hero.glb --most stretch=3 --most influences=8 --strict --json"},
        [&program, job, limits] { return run(program.common, *job, *limits); });
    verb.add("CHARACTER", job->file, "a rigged character").required();
    verb.add("--most", *limits, "another limit for a row, by its name; beyond it is a fault")
        .called("NAME=NUMBER")
        .one_per_use();
    verb.add_flag("--strict", job->options.strict, "warnings are faults");
}

}  // namespace sinew::cli
