#include <sinew/curve/expression.h>

#include <sinew/core/check.h>
#include <sinew/core/closest.h>
#include <sinew/curve/noise.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr size_t longest_text = 4096;
constexpr int deepest = 64;
constexpr size_t stack_size = 256;

struct Function {
    std::string_view name;
    int arguments;
    double (*call)(const double*);
};

double floor_mod(double a, double b) {
    return a - b * std::floor(a / b);
}

// Operators are functions whose names no one can write.
constexpr std::array<Function, 43> functions = {{
    {"+", 2, [](const double* a) { return a[0] + a[1]; }},
    {"-", 2, [](const double* a) { return a[0] - a[1]; }},
    {"*", 2, [](const double* a) { return a[0] * a[1]; }},
    {"/", 2, [](const double* a) { return a[0] / a[1]; }},
    {"%", 2, [](const double* a) { return floor_mod(a[0], a[1]); }},
    {"^", 2, [](const double* a) { return std::pow(a[0], a[1]); }},
    {"-", 1, [](const double* a) { return -a[0]; }},
    {"<", 2, [](const double* a) { return a[0] < a[1] ? 1.0 : 0.0; }},
    {"<=", 2, [](const double* a) { return a[0] <= a[1] ? 1.0 : 0.0; }},
    {">", 2, [](const double* a) { return a[0] > a[1] ? 1.0 : 0.0; }},
    {">=", 2, [](const double* a) { return a[0] >= a[1] ? 1.0 : 0.0; }},
    {"==", 2, [](const double* a) { return a[0] == a[1] ? 1.0 : 0.0; }},
    {"!=", 2, [](const double* a) { return a[0] != a[1] ? 1.0 : 0.0; }},
    {"&&", 2, [](const double* a) { return a[0] != 0.0 && a[1] != 0.0 ? 1.0 : 0.0; }},
    {"||", 2, [](const double* a) { return a[0] != 0.0 || a[1] != 0.0 ? 1.0 : 0.0; }},
    {"!", 1, [](const double* a) { return a[0] == 0.0 ? 1.0 : 0.0; }},
    {"?", 3, [](const double* a) { return a[0] != 0.0 ? a[1] : a[2]; }},
    {"sin", 1, [](const double* a) { return std::sin(a[0]); }},
    {"cos", 1, [](const double* a) { return std::cos(a[0]); }},
    {"tan", 1, [](const double* a) { return std::tan(a[0]); }},
    {"asin", 1, [](const double* a) { return std::asin(a[0]); }},
    {"acos", 1, [](const double* a) { return std::acos(a[0]); }},
    {"atan", 1, [](const double* a) { return std::atan(a[0]); }},
    {"atan2", 2, [](const double* a) { return std::atan2(a[0], a[1]); }},
    {"sqrt", 1, [](const double* a) { return std::sqrt(a[0]); }},
    {"exp", 1, [](const double* a) { return std::exp(a[0]); }},
    {"log", 1, [](const double* a) { return std::log(a[0]); }},
    {"abs", 1, [](const double* a) { return std::abs(a[0]); }},
    {"sign", 1, [](const double* a) { return a[0] > 0.0   ? 1.0
                                             : a[0] < 0.0 ? -1.0
                                                          : 0.0; }},
    {"floor", 1, [](const double* a) { return std::floor(a[0]); }},
    {"ceil", 1, [](const double* a) { return std::ceil(a[0]); }},
    {"round", 1, [](const double* a) { return std::round(a[0]); }},
    {"frac", 1, [](const double* a) { return a[0] - std::floor(a[0]); }},
    {"min", 2, [](const double* a) { return std::fmin(a[0], a[1]); }},
    {"max", 2, [](const double* a) { return std::fmax(a[0], a[1]); }},
    {"pow", 2, [](const double* a) { return std::pow(a[0], a[1]); }},
    {"mod", 2, [](const double* a) { return floor_mod(a[0], a[1]); }},
    {"clamp", 3, [](const double* a) { return std::fmax(a[1], std::fmin(a[0], a[2])); }},
    {"lerp", 3, [](const double* a) { return a[0] + a[2] * (a[1] - a[0]); }},
    {"step", 2, [](const double* a) { return a[1] >= a[0] ? 1.0 : 0.0; }},
    {"smoothstep", 3, [](const double* a) { return smoothstep((a[2] - a[0]) / (a[1] - a[0])); }},
    {"noise", 1, [](const double* a) { return gradient_noise(a[0]); }},
    {"noise", 2,
     [](const double* a) { return gradient_noise(a[0], static_cast<uint64_t>(std::abs(std::fmod(a[1], 1e15)))); }},
}};

// The function of that name with that many arguments, or −1.
int32_t find_function(std::string_view name, int arguments) {
    for (size_t i = 0; i < functions.size(); ++i)
        if (functions[i].name == name && functions[i].arguments == arguments) return static_cast<int32_t>(i);
    return -1;
}

bool is_word_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_word(char c) {
    return is_word_start(c) || std::isdigit(static_cast<unsigned char>(c));
}

enum StepKind : uint8_t { step_number, step_variable, step_function };

}  // namespace

// Recursive descent: one function per level of precedence, from loose to tight. Each leaves the steps that compute what
// it read. After a failure the others return at once.
class ExpressionParser {
public:
    ExpressionParser(std::string_view text, std::span<const std::string> variables)
        : text_(text), variables_(variables) {}

    Result<Expression> parse() {
        if (text_.size() > longest_text)
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("the formula is longer than {} characters", longest_text));
        choice();
        skip_space();
        if (!failed_ && at_ < text_.size()) stop("did not expect this; an operator is missing, or a parenthesis");
        if (!failed_ && stack_need() > stack_size) stop("too many values at once; write it in several formulas");
        if (failed_) return fail(error_);
        std::ranges::sort(made_.uses_);
        made_.uses_.erase(std::unique(made_.uses_.begin(), made_.uses_.end()), made_.uses_.end());
        made_.variable_count_ = variables_.size();
        return made_;
    }

private:
    size_t stack_need() const {
        size_t top = 0, most = 0;
        for (const Expression::Step& step : made_.steps_) {
            if (step.kind == step_function)
                top -= static_cast<size_t>(functions[static_cast<size_t>(step.index)].arguments);
            most = std::max(most, ++top);
        }
        return most;
    }

    void choice() {  // a ? b : c
        if (!enter()) return;
        binary(0);
        if (take("?")) {
            choice();
            if (!failed_ && !take(":")) stop("expected : and the value for when the condition is false");
            choice();
            call("?", 3);
        }
        --depth_;
    }

    void binary(size_t level) {
        static const std::vector<std::vector<std::string_view>> levels = {
            {"||"}, {"&&"}, {"<=", ">=", "==", "!=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
        if (level == levels.size()) return sign();
        binary(level + 1);
        while (!failed_) {
            const auto found = std::ranges::find_if(levels[level], [&](std::string_view op) { return take(op); });
            if (found == levels[level].end()) return;
            binary(level + 1);
            call(*found, 2);
        }
    }

    void sign() {  // −a, !a: looser than ^, so that −2^2 is −4
        if (!enter()) return;
        if (take("-")) {
            sign();
            call("-", 1);
        } else if (take("+")) {
            sign();
        } else if (take("!")) {
            sign();
            call("!", 1);
        } else {
            primary();
            if (take("^")) {
                sign();
                call("^", 2);
            }
        }
        --depth_;
    }

    void primary() {
        if (failed_) return;
        skip_space();
        if (at_ == text_.size()) return stop("the formula ends here, where a number or a name should stand");
        if (take("(")) {
            choice();
            if (!failed_ && !take(")")) stop("expected ) here");
        } else if (is_word_start(text_[at_])) {
            word();
        } else {
            number();
        }
    }

    void number() {
        double value = 0.0;
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        const bool digit = std::isdigit(static_cast<unsigned char>(*begin)) || *begin == '.';
        const auto parsed = std::from_chars(begin, end, value);
        if (!digit || parsed.ec != std::errc{}) return stop("expected a number, a name or ( here");
        at_ += static_cast<size_t>(parsed.ptr - begin);
        made_.steps_.push_back({step_number, 0, value});
    }

    void word() {
        const size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (take("(")) return arguments(name, begin);
        const auto found = std::ranges::find(variables_, name);
        if (found != variables_.end()) {
            const auto index = static_cast<int32_t>(found - variables_.begin());
            made_.steps_.push_back({step_variable, index, 0.0});
            made_.uses_.push_back(index);
        } else if (name == "pi") {
            made_.steps_.push_back({step_number, 0, std::numbers::pi});
        } else if (name == "e") {
            made_.steps_.push_back({step_number, 0, std::numbers::e});
        } else {
            std::vector<std::string_view> known(variables_.begin(), variables_.end());
            known.push_back("pi");
            at_ = begin;
            stop(unknown_name("name", name, known));
        }
    }

    void arguments(std::string_view name, size_t begin) {
        int count = 0;
        if (!take(")")) {
            do {
                choice();
                ++count;
            } while (!failed_ && take(","));
            if (!failed_ && !take(")")) return stop("expected ) or , here");
        }
        if (failed_) return;
        if (find_function(name, count) < 0) {
            at_ = begin;
            return refuse_call(name, count);
        }
        call(name, count);
    }

    void refuse_call(std::string_view name, int count) {
        std::vector<std::string_view> known;
        for (const Function& f : functions) {
            if (f.name == name) return stop(fmt::format("{} takes {} values, not {}", name, f.arguments, count));
            if (is_word_start(f.name[0])) known.push_back(f.name);
        }
        stop(unknown_name("function", name, known));
    }

    void call(std::string_view name, int count) {
        if (!failed_) made_.steps_.push_back({step_function, find_function(name, count), 0.0});
    }

    bool enter() {
        if (failed_) return false;
        if (++depth_ > deepest) stop(fmt::format("nested more than {} deep; write it in several formulas", deepest));
        return !failed_;
    }

    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    bool take(std::string_view token) {
        if (failed_) return false;
        skip_space();
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }

    void stop(std::string message) {
        if (failed_) return;
        failed_ = true;
        error_ = {ErrorCode::invalid_argument, std::move(message), fmt::format("column {}", at_ + 1)};
    }

    std::string_view text_;
    std::span<const std::string> variables_;
    size_t at_ = 0;
    int depth_ = 0;
    bool failed_ = false;
    Error error_;
    Expression made_;
};

Result<Expression> Expression::parse(std::string_view text, std::span<const std::string> variables) {
    return ExpressionParser(text, variables).parse();
}

double Expression::evaluate(std::span<const double> values) const {
    SINEW_CHECK(values.size() == variable_count_);
    std::array<double, stack_size> stack;
    size_t top = 0;
    for (const Step& step : steps_) {
        if (step.kind == step_function) {
            const Function& f = functions[static_cast<size_t>(step.index)];
            top -= static_cast<size_t>(f.arguments);
            stack[top] = f.call(&stack[top]);
        } else {
            stack[top] = step.kind == step_number ? step.number : values[static_cast<size_t>(step.index)];
        }
        ++top;
    }
    return top == 1 && std::isfinite(stack[0]) ? stack[0] : 0.0;
}

Result<ExpressionSet> ExpressionSet::create(std::span<const std::string> inputs,
                                            std::span<const NamedExpression> formulas) {
    ExpressionSet set;
    set.input_count_ = inputs.size();
    std::vector<std::string> names(inputs.begin(), inputs.end());
    for (const NamedExpression& formula : formulas) {
        if (std::ranges::find(names, formula.name) != names.end())
            return fail(ErrorCode::invalid_argument, fmt::format("there are two \"{}\"; rename one", formula.name));
        names.push_back(formula.name);
    }
    for (const NamedExpression& formula : formulas) {
        auto parsed = Expression::parse(formula.text, names);
        if (!parsed) {
            parsed.error().where = formula.name + ": " + parsed.error().where;
            return fail(parsed.error());
        }
        set.formulas_.push_back(*std::move(parsed));
    }
    // Those first that use only what is known already, until none is left.
    std::vector<char> known(names.size(), 0);
    std::fill_n(known.begin(), inputs.size(), 1);
    while (set.order_.size() < formulas.size()) {
        const size_t before = set.order_.size();
        for (size_t f = 0; f < formulas.size(); ++f) {
            const auto is_known = [&](int name) { return known[static_cast<size_t>(name)] != 0; };
            if (known[inputs.size() + f] || !std::ranges::all_of(set.formulas_[f].uses(), is_known)) continue;
            known[inputs.size() + f] = 1;
            set.order_.push_back(f);
        }
        if (set.order_.size() > before) continue;
        const auto stuck = std::ranges::find(known, 0) - known.begin();
        return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" needs itself, through the formulas that it uses",
                                                             names[static_cast<size_t>(stuck)]));
    }
    return set;
}

std::vector<double> ExpressionSet::evaluate(std::span<const double> inputs) const {
    SINEW_CHECK(inputs.size() == input_count_);
    std::vector<double> values(inputs.begin(), inputs.end());
    values.resize(input_count_ + formulas_.size(), 0.0);
    for (const size_t f : order_) values[input_count_ + f] = formulas_[f].evaluate(values);
    return {values.begin() + static_cast<std::ptrdiff_t>(input_count_), values.end()};
}

}  // namespace sinew
