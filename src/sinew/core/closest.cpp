#include <sinew/core/closest.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace sinew {
namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Levenshtein distance over two rows; names are short, and longer ones are cut.
size_t edit_distance(std::string_view a, std::string_view b) {
    a = a.substr(0, 64);
    b = b.substr(0, 64);
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t replaced = diagonal + (lower(a[i]) != lower(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string enumerate(std::span<const std::string_view> names, std::string_view last) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace

std::vector<std::string_view> closest_names(std::string_view name, std::span<const std::string_view> known,
                                            size_t most) {
    std::vector<std::pair<size_t, std::string_view>> scored;
    for (std::string_view candidate : known) {
        const size_t distance = edit_distance(name, candidate);
        if (distance <= std::max<size_t>(2, std::max(name.size(), candidate.size()) / 2)) {
            scored.emplace_back(distance, candidate);
        }
    }
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string_view> result;
    for (size_t i = 0; i < std::min(most, scored.size()); ++i) result.push_back(scored[i].second);
    return result;
}

std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string_view> all) {
    if (all.empty()) return fmt::format("unknown {} \"{}\"; there is none", what, name);
    std::vector<std::string_view> named(all.begin(), all.end());
    std::erase(named, "");
    if (named.empty()) return fmt::format("unknown {} \"{}\"; none has a name", what, name);
    const std::span<const std::string_view> known = named;
    const auto near = closest_names(name, known);
    if (!near.empty()) return fmt::format("unknown {} \"{}\"; did you mean {}?", what, name, enumerate(near, "or"));
    const size_t shown = std::min<size_t>(known.size(), 12);
    const char* more = shown < known.size() ? ", …" : "";
    return fmt::format("unknown {} \"{}\"; there is {}{}", what, name, enumerate(known.first(shown), "and"), more);
}

}  // namespace sinew
