// What benchmarks share: a stopwatch that takes the best of many runs, and a table that is also JSON.
// Times on a shared machine mean little; report ratios of two things measured in the same run.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace sinew::bench {

// The processor's time of this program, on all of its threads, in seconds: what other programs do does not count.
inline double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// The shortest of `runs` calls, in seconds. The shortest is the one that other programs disturbed least.
template <class Work>
double best_seconds(int runs, const Work& work) {
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

// The same of the processor's time. Its clock ticks in microseconds: for work that takes longer.
template <class Work>
double best_cpu_seconds(int runs, const Work& work) {
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const double start = cpu_seconds();
        work();
        best = std::min(best, cpu_seconds() - start);
    }
    return best;
}

enum class Clock { wall, cpu };

// Times several pieces of work in turns, so that each meets the same disturbances; the least of each.
inline std::vector<double> race(double seconds, const std::vector<std::function<void()>>& work,
                                Clock clock = Clock::wall) {
    std::vector<double> best(work.size(), 1e300);
    for (const auto& w : work) w();
    double spent = 0;
    for (int round = 0; round < 7 || spent < seconds; ++round) {
        for (size_t i = 0; i < work.size(); ++i) {
            const double t = clock == Clock::cpu ? best_cpu_seconds(3, work[i]) : best_seconds(3, work[i]);
            best[i] = std::min(best[i], t);
            spent += 3 * t;
        }
    }
    return best;
}

// What follows `name` among the program's arguments, or nothing.
inline std::string argument(int argc, char** argv, const char* name) {
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    return "";
}

class Table {
public:
    void add(const std::string& measure, double value, const std::string& unit, std::optional<double> target = {}) {
        fmt::print("{:<58} {:>10.3f} {:<6}{}\n", measure, value, unit,
                   target ? fmt::format(" target {}", *target) : "");
        rows_.push_back(fmt::format("{{\"measure\":\"{}\",\"value\":{},\"unit\":\"{}\"{}}}", measure, value, unit,
                                    target ? fmt::format(",\"target\":{}", *target) : ""));
    }

    // Honours --json FILE of the program's arguments.
    int finish(int argc, char** argv) const {
        const std::string path = argument(argc, argv, "--json");
        if (path.empty()) return 0;
        std::ofstream file(path);
        file << fmt::format("[{}]\n", fmt::join(rows_, ",\n "));
        if (!file) return std::fprintf(stderr, "cannot write %s\n", path.c_str()), 1;
        return 0;
    }

private:
    std::vector<std::string> rows_;
};

}  // namespace sinew::bench
