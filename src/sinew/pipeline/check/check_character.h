// The report card of a rigged character: what an engine, an animator or a player would trip over, one number a row.
// Data flow: Character → *here* (skin_checks, bend_checks, clip_checks) → a person, encode_json(), `sinew check`.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

enum class Grade : uint8_t { good, warning, fault };

// One thing that was measured. `value` must lie from `least` to `most`; else the grade is no longer good.
struct CheckRow {
    std::string name;  // "unweighted_vertices": what limits are set by, and what other programs look for
    double value = 0;
    std::string unit;  // "%" of the body's height where it is a length, so that the file's unit does not matter
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    Grade grade = Grade::good;
    std::string where;   // the joint, mesh or clip that is worst; may be empty
    std::string advice;  // what is wrong and what to do about it; empty where the grade is good
};

struct CheckOptions {
    // Other limits than the usual ones: {"stretch", 4} for the most; for rows that have a least and a most, only that.
    std::vector<std::pair<std::string, double>> most = {};
    bool strict = false;  // warnings are faults
};

struct CheckReport {
    std::string file;
    std::vector<CheckRow> rows;
    std::vector<std::string> warnings;  // of the reader
    // How many rows have that grade.
    size_t count(Grade grade) const;
};

// Measures the character at rest, bent at every joint, and in all its clips. Fails where `options` name a row that
// does not exist. The same for any number of threads.
Result<CheckReport> check(const Character& character, const CheckOptions& options = {}, const Progress& progress = {});

// The same of a file; "-" is standard input.
struct CheckJob {
    std::filesystem::path file = {};
    CheckOptions options = {};
    Listener listener = {};
};
Result<CheckReport> check_file(const CheckJob& job);

// It as one JSON object, indented; fields are only ever added.
std::string encode_json(const CheckReport& report);

}  // namespace sinew
