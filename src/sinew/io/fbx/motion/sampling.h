// Sampling: a function of time as keys, as few as keep it within a tolerance when they are joined by straight lines.
// Data flow: clips.cpp gives the function and the times of its corners → *here* → key times.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace sinew::fbx {

// What is sampled: at(time) fills a row of numbers; error(a, b, share, c) says how far row c is from where the straight
// way from a to b is after that share, in units of the tolerance.
struct Sampled {
    size_t width = 0;
    std::function<void(double time, double* row)> at;
    std::function<double(const double* a, const double* b, double share, const double* c)> error;
};

struct Samples {
    std::vector<float> times;  // strictly increasing, from 0 on
    std::vector<double> rows;
};

// `corners`: times, in any order, between `begin` and `end`, which are added. A jump gets two keys, one float apart.
// Counts down `budget`, one for each key; once it is used up only corners become keys.
Samples sample_adaptively(const Sampled& what, std::vector<double> corners, double begin, double end, size_t& budget);

}  // namespace sinew::fbx
