#include <sinew/motion/builtin/curves.h>

#include <cstddef>

namespace sinew {

double curve_at(double time, std::initializer_list<CurveKey> list) {
    const CurveKey* keys = list.begin();
    const size_t n = list.size();
    if (time <= keys[0].time) return keys[0].value;
    if (time >= keys[n - 1].time) return keys[n - 1].value;
    size_t i = 0;
    while (keys[i + 1].time < time) ++i;
    const auto secant = [&](size_t k) {
        return (keys[k + 1].value - keys[k].value) / (keys[k + 1].time - keys[k].time);
    };
    const auto slope = [&](size_t k) {
        if (k == 0 || k + 1 == n) return 0.0;
        const double a = secant(k - 1), b = secant(k);
        return a * b <= 0 ? 0.0 : 2 * a * b / (a + b);
    };
    const double span = keys[i + 1].time - keys[i].time, u = (time - keys[i].time) / span;
    return hermite(keys[i].value, keys[i + 1].value, span * slope(i), span * slope(i + 1), u);
}

}  // namespace sinew
