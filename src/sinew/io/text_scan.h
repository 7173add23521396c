// TextScan: words, numbers and lines of a text file, with line numbers for errors. What OBJ, MTL, BVH, ASF and AMC
// share. Data flow: bytes → *here* → the text readers.
#pragma once

#include <sinew/core/result.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// Any locale's decimal point is '.'; a leading '+' is fine. Numbers beyond a float's range, infinities and NaN are
// none.
std::optional<double> parse_number(std::string_view word);
std::optional<int64_t> parse_integer(std::string_view word);

// ASCII only: "Xrotation" equals "XROTATION".
bool equals_ignoring_case(std::string_view a, std::string_view b);
bool starts_ignoring_case(std::string_view text, std::string_view start);
std::string_view trim(std::string_view text);
// 'word' for an error message: short, and without bytes that a terminal would act on.
std::string in_quotes(std::string_view word);

// Walks through the text once; allocates nothing. Blanks are spaces, tabs and carriage returns; lines end with "\n",
// "\r\n" or "\r". A byte order mark at the start is skipped. Views point into the text.
class TextScan {
public:
    struct Syntax {
        bool hash_comments = true;         // a word that starts with '#' ends its line
        bool backslash_continues = false;  // a '\' before the end of a line joins it with the next one
    };

    TextScan(std::string_view text, Syntax syntax);

    // Moves to the next line that has a word, wherever in a line the scan is. False at the end of the text.
    bool next_line();
    // The next word of this line; empty at its end.
    std::string_view word();
    // The next word of the text, on whatever line; empty at the end.
    std::string_view word_across_lines();
    // The next word would start with this character (looking across lines).
    bool next_is(char c);
    // What is left of this line, without blanks at both ends. A continuation ends it.
    std::string_view rest_of_line();
    // What is left of this line up to `stop`, which is not taken.
    std::string_view until(char stop);

    // The next word of this line as a number; an error names `what` is missing or wrong.
    Result<double> number(std::string_view what);
    Result<double> number_across_lines(std::string_view what);

    size_t bytes_left() const { return text_.size() - at_; }
    size_t line() const { return line_; }
    std::string where() const { return "line " + std::to_string(line_); }

private:
    bool at_line_end() const { return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }
    void skip_blanks();
    void skip_to_line_end();
    void take_line_end();
    Result<double> to_number(std::string_view word, std::string_view what) const;

    std::string_view text_;
    Syntax syntax_;
    size_t at_ = 0;
    size_t line_ = 1;
    bool fresh_ = true;  // nobody has been on this line yet
};

}  // namespace sinew
