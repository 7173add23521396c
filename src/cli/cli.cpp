#include "cli.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

// A bar that has not reached its end has left the cursor in its line.
bool bar_is_open = false;

void close_bar() {
    if (bar_is_open) fmt::print(stderr, "\n");
    bar_is_open = false;
}

void print_message(std::string line) {
    for (char& c : line)
        if (c == '\n' || c == '\r') c = ' ';
    close_bar();
    fmt::print(stderr, "{}\n", line);
}

void draw_bar(std::string_view stage, double fraction) {
    constexpr int width = 24;
    const int filled = static_cast<int>(std::lround(width * std::clamp(fraction, 0.0, 1.0)));
    fmt::print(stderr, "\r\033[K{:<12} [{}{}] {:3.0f}%{}", stage, std::string(static_cast<size_t>(filled), '#'),
               std::string(static_cast<size_t>(width - filled), '.'), 100.0 * fraction, fraction >= 1.0 ? "\n" : "");
    std::fflush(stderr);
    bar_is_open = fraction < 1.0;
}

}  // namespace

int report_error(const Error& error) {
    print_message("sinew: " + to_string(error));
    return exit_failed;
}

int report_option_error(const Error& error) {
    report_error(error);
    return error.code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
}

Listener make_listener(const Common& common) {
    if (common.quiet) return {};
    Listener listener;
    listener.warning = [](std::string_view file, std::string_view text) {
        print_message(fmt::format("sinew: {}: warning: {}", file, text));
    };
    if (::isatty(STDERR_FILENO) == 1) {
        listener.progress = draw_bar;
        return listener;
    }
    // Shared by the copies of the function object that the library makes.
    auto stage_shown = std::make_shared<std::string>();
    listener.progress = [stage_shown](std::string_view stage, double) {
        if (*stage_shown != stage) fmt::print(stderr, "sinew: {}\n", stage);
        *stage_shown = stage;
    };
    return listener;
}

void print_line(const std::string& text) {
    fmt::print("{}\n", text);
}

}  // namespace sinew::cli
