// Expressions: curves as formulas of time and of other controls: "30*sin(2*pi*t)", "seconds/60*360".
// Data flow: text → *here* → a number per moment.
#pragma once

#include <sinew/core/result.h>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Numbers, the given variables, pi and e; + − * / % ^ (to the right), < <= > >= == !=, && || !, a ? b : c, parentheses,
// and
//   sin cos tan asin acos atan atan2 sqrt exp log abs sign floor ceil round frac min max pow mod clamp lerp step
//   smoothstep noise(x), noise(x, seed)
// Angles are radians; true is 1. The formula is compiled once; a value costs no allocation.
class Expression {
public:
    // Fails with the column of what is wrong, and with the closest names for one that is not known. Texts are at most
    // 4096 characters long and nested at most 64 deep.
    static Result<Expression> parse(std::string_view text, std::span<const std::string> variables);

    // `values` belong to the variables, in their order. What is not a number (1/0, sqrt(−1)) comes out as 0.
    double evaluate(std::span<const double> values) const;

    // The numbers of the variables that it uses, sorted.
    const std::vector<int>& uses() const { return uses_; }

    // One step of the compiled formula: takes its arguments from a stack and puts its result there.
    struct Step {
        uint8_t kind = 0;  // 0: a number, 1: a variable, 2: a function
        int32_t index = 0;
        double number = 0.0;
    };

private:
    friend class ExpressionParser;
    std::vector<Step> steps_;
    std::vector<int> uses_;
    size_t variable_count_ = 0;
};

// Controls that are formulas of inputs and of each other: a clock whose hands all follow `seconds`.
struct NamedExpression {
    std::string name, text;
};
class ExpressionSet {
public:
    // In any order. Fails on names used twice, on formulas that do not parse (`where` is the name and the column) and
    // on those that need themselves.
    static Result<ExpressionSet> create(std::span<const std::string> inputs, std::span<const NamedExpression> formulas);

    // One value per formula, in the order in which they were given. O(steps), no allocation but the result.
    std::vector<double> evaluate(std::span<const double> inputs) const;

private:
    size_t input_count_ = 0;
    std::vector<Expression> formulas_;
    std::vector<size_t> order_;  // each after what it uses
};

}  // namespace sinew
