// bench_curves: draws the curves of docs/curves.md, and prints how well each follows a sine from a few keys.
// Usage: bench_curves [--json FILE] [--picture FILE.png]
#include <sinew/core/file.h>
#include <sinew/curve/ease.h>
#include <sinew/curve/fit.h>
#include <sinew/curve/noise.h>
#include <sinew/curve/tangents.h>
#include <sinew/render/plot/plot.h>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "support.h"

using namespace sinew;

namespace {

PlotLine drawn(const std::string& name, double from, double to, const std::function<double(double)>& f) {
    PlotLine line{name, {}, {}, {}, {}};
    for (int i = 0; i <= 800; ++i) {
        line.x.push_back(from + (to - from) * i / 800.0);
        line.y.push_back(f(line.x.back()));
    }
    return line;
}

PlotLine drawn(const std::string& name, const Curve<double>& curve) {
    PlotLine line =
        drawn(name, curve.keys.front().time, curve.keys.back().time, [&](double t) { return evaluate(curve, t); });
    for (const auto& key : curve.keys) {
        line.key_x.push_back(key.time);
        line.key_y.push_back(key.value);
    }
    return line;
}

Curve<double> with(Curve<double> curve, const std::function<void(Curve<double>&)>& shape) {
    shape(curve);
    return curve;
}

Curve<double> lines(Curve<double> curve, Between between) {
    for (auto& key : curve.keys) key.between = between;
    return curve;
}

std::vector<PlotPanel> panels() {
    const std::vector<double> times = {0, 1, 1.6, 3, 4.2, 5}, values = {0, 1, 0.2, 0.9, 0.9, 0};
    const Curve<double> keys = make_curve<double>(times, values);
    const auto natural = with(keys, [](auto& c) { set_natural_spline(c); });
    const auto cardinal = with(keys, [](auto& c) { set_cardinal_slopes(c); });
    const auto monotone = with(keys, [](auto& c) { set_monotone_slopes(c); });
    const auto tight = with(keys, [](auto& c) { set_kochanek_bartels(c, {0.7, 0.0, 0.0}); });
    const auto biased = with(keys, [](auto& c) { set_kochanek_bartels(c, {0.0, 0.0, 0.9}); });
    const auto corner = with(keys, [](auto& c) { set_kochanek_bartels(c, {0.0, -0.8, 0.0}); });
    const auto lagrange = drawn("Lagrange", 0, 5, [&](double t) { return evaluate_lagrange(keys, t); });
    const FractalNoise noise{.octaves = 4, .gain = 0.5, .seed = 5};
    return {{"step, linear, Catmull-Rom, natural",
             {drawn("step", lines(keys, Between::step)), drawn("linear", lines(keys, Between::linear)),
              drawn("Catmull-Rom", cardinal), drawn("natural", natural)}},
            {"Lagrange beside them", {lagrange, drawn("monotone", monotone), drawn("natural", natural)}},
            {"Kochanek-Bartels",
             {drawn("tension 0.7", tight), drawn("bias 0.9", biased), drawn("continuity -0.8", corner)}},
            {"ease in and out, and noise",
             {drawn("ease 0.3 0.3", 0, 5, [](double t) { return ease(t / 5, 0.3, 0.3); }),
              drawn("4 octaves", 0, 5, [&](double t) { return fractal_noise(2 * t, noise); })}}};
}

double worst_on_sine(const std::function<void(Curve<double>&)>& shape) {
    std::vector<double> times, values;
    for (int k = 0; k <= 8; ++k) {
        times.push_back(2 * static_cast<double>(pi) * k / 8);
        values.push_back(std::sin(times.back()));
    }
    const Curve<double> curve = with(make_curve<double>(times, values), shape);
    double worst = 0.0;
    for (int i = 0; i <= 4000; ++i) {
        const double t = times.back() * i / 4000;
        worst = std::max(worst, std::abs(evaluate(curve, t) - std::sin(t)));
    }
    return worst;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    const auto sine = [&](const char* name, const std::function<void(Curve<double>&)>& shape) {
        table.add(fmt::format("a sine from nine keys, {}: farthest off", name), worst_on_sine(shape), "");
    };
    sine("linear", [](auto& c) { c = lines(c, Between::linear); });
    sine("monotone", [](auto& c) { set_monotone_slopes(c); });
    sine("Catmull-Rom", [](auto& c) { set_cardinal_slopes(c); });
    sine("natural", [](auto& c) { set_natural_spline(c); });
    std::vector<double> times, wave;
    for (int i = 0; i <= 1200; ++i) {
        times.push_back(i / 120.0);
        wave.push_back(std::sin(3 * times.back()) + 0.4 * std::cos(7 * times.back()));
    }
    for (const double tolerance : {0.001, 0.01, 0.1})
        table.add(fmt::format("1201 samples of two waves within {}", tolerance),
                  static_cast<double>(fit_curve<double>(times, wave, tolerance).curve.keys.size()), "keys");
    if (const std::string picture = bench::argument(argc, argv, "--picture"); !picture.empty()) {
        const auto bytes = encode_png(plot_panels(panels(), 900, 760));
        if (!bytes || !write_file(picture, *bytes)) return 1;
    }
    return table.finish(argc, argv);
}
