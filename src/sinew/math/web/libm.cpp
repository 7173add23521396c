// The C library's functions that a browser's core uses instead of its own: rounded correctly (rounded.h), as those of a PC
// nearly always are. Arguments that no joint has (huge, none, infinite) go the way of the C library's long doubles.
#include <sinew/math/web/rounded.h>

namespace {

using namespace sinew::rounded;

constexpr double smallest = 0x1p-400, largest = 0x1p+400;  // within, squares and quotients neither vanish nor overflow

bool usual(double x) {
    return std::abs(x) <= most_reduced;
}
bool in_middle(double x) {
    return std::abs(x) >= smallest && std::abs(x) <= largest;
}

}  // namespace

extern "C" {

double sin(double x) {
    return usual(x) ? sine(x) : static_cast<double>(sinl(x));
}
double cos(double x) {
    return usual(x) ? cosine(x) : static_cast<double>(cosl(x));
}
double tan(double x) {
    return usual(x) ? tangent(x) : static_cast<double>(tanl(x));
}
double atan2(double y, double x) {
    return in_middle(x) && in_middle(y) ? angle({y, 0}, {x, 0}) : static_cast<double>(atan2l(y, x));
}
double atan(double x) {
    return in_middle(x) ? angle({x, 0}, {1, 0}) : static_cast<double>(atanl(x));
}
double asin(double x) {
    if (!in_middle(x) || std::abs(x) >= 1) return static_cast<double>(asinl(x));
    return angle({x, 0}, square_root(sum(1, -x) * sum(1, x)));
}
double acos(double x) {
    if (!in_middle(x) || std::abs(x) >= 1) return static_cast<double>(acosl(x));
    return angle(square_root(sum(1, -x) * sum(1, x)), {x, 0});
}
double hypot(double x, double y) {
    if (!in_middle(x) || !in_middle(y)) return static_cast<double>(hypotl(x, y));
    return value(square_root(product(x, x) + product(y, y)));
}
}
