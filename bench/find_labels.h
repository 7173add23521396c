// Labels for searches: which actions a motion shows, by the words of its description.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinew::bench {

// The lines of a file of values with tabs between them; those that begin with '#' are left out.
inline std::vector<std::vector<std::string>> read_tabbed(const std::filesystem::path& file) {
    std::vector<std::vector<std::string>> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line.front() == '#') continue;
        lines.emplace_back(1);
        for (const char letter : line) {
            if (letter == '\t')
                lines.back().emplace_back();
            else
                lines.back().back() += letter;
        }
    }
    return lines;
}

// The words of a text in small letters, each between spaces: " slow walk ". "SlowWalk" and "Slow_Walk2" are two words.
inline std::string spaced_words(const std::string& text) {
    std::string out = " ";
    char before = ' ';
    for (const char letter : text) {
        const auto c = static_cast<unsigned char>(letter);
        const bool starts = std::isupper(c) && std::islower(static_cast<unsigned char>(before));
        if ((starts || !std::isalpha(c)) && out.back() != ' ') out += ' ';
        if (std::isalpha(c)) out += static_cast<char>(std::tolower(c));
        before = letter;
    }
    if (out.back() != ' ') out += ' ';
    return out;
}

// What descriptions call an action: find_actions.tsv says how its lines are read.
using ActionWords = std::vector<std::pair<std::string, std::string>>;
inline ActionWords read_action_words(const std::filesystem::path& file) {
    ActionWords words;
    for (const auto& line : read_tabbed(file))
        if (line.size() == 2) words.emplace_back(" " + line[0] + " ", line[1]);
    return words;
}

// The actions that a description names, each once.
inline std::vector<std::string> named_actions(const std::string& description, const ActionWords& words) {
    std::vector<std::string> actions;
    std::string text = spaced_words(description);
    for (const auto& [phrase, names] : words)
        for (size_t at = text.find(phrase); at != std::string::npos; at = text.find(phrase)) {
            text.replace(at, phrase.size(), " # ");
            for (size_t from = 0; from <= names.size();) {
                const size_t comma = std::min(names.find(',', from), names.size());
                const std::string action = names.substr(from, comma - from);
                if (action != "-" && std::ranges::find(actions, action) == actions.end()) actions.push_back(action);
                from = comma + 1;
            }
        }
    return actions;
}

// Descriptions by the file's name without folder and type.
inline std::map<std::string, std::string> read_descriptions(const std::filesystem::path& file, size_t column) {
    std::map<std::string, std::string> out;
    for (const auto& line : read_tabbed(file))
        if (line.size() >= column && column > 0) out[std::filesystem::path(line[0]).stem().string()] = line[column - 1];
    return out;
}

}  // namespace sinew::bench
