#include <sinew/render/plot/plot.h>

#include <sinew/clip/clip.h>
#include <sinew/render/plot/canvas.h>
#include <sinew/skeleton/joint_label.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr Ink plot_inks[] = {{0.82f, 0.20f, 0.18f}, {0.13f, 0.55f, 0.25f}, {0.16f, 0.38f, 0.80f},
                             {0.85f, 0.50f, 0.05f}, {0.50f, 0.25f, 0.65f}, {0.25f, 0.55f, 0.60f}};
constexpr Ink grey = {0.80f, 0.80f, 0.80f}, black = {0.15f, 0.15f, 0.15f};

struct Range {
    double low = INFINITY, high = -INFINITY;
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // Not empty, and with a little room.
    void settle() {
        if (!(low <= high)) low = 0.0, high = 1.0;
        const double room = high > low ? 0.06 * (high - low) : 0.5;
        low -= room;
        high += room;
    }
};

// A step of 1, 2 or 5 times a power of ten, so that some `count` of them fill the range.
double tick_step(double length, double count) {
    const double power = std::pow(10.0, std::floor(std::log10(length / count)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power * count >= length) return factor * power;
    return 10.0 * power;
}

struct Frame {
    float left, top, width, height;
    Range x, y;
    Vec2 at(double px, double py) const {
        return {left + width * static_cast<float>((px - x.low) / (x.high - x.low)),
                top + height * static_cast<float>((y.high - py) / (y.high - y.low))};
    }
};

void draw_axes(Canvas& canvas, const Frame& f, const std::string& title, bool time_labels) {
    for (const bool vertical : {true, false}) {
        const Range& range = vertical ? f.y : f.x;
        const double step = tick_step(range.high - range.low, vertical ? 4.0 : 8.0);
        for (double tick = std::ceil(range.low / step) * step; tick <= range.high; tick += step) {
            const double value = std::abs(tick) < 1e-9 * step ? 0.0 : tick;
            const Vec2 a = vertical ? f.at(f.x.low, value) : f.at(value, f.y.low);
            const Vec2 b = vertical ? f.at(f.x.high, value) : f.at(value, f.y.high);
            canvas.line(a, b, 1.0f, grey);
            const std::string label = fmt::format("{:g}", std::round(value * 1e6) / 1e6);
            if (vertical)
                canvas.text({f.left - 8.0f - 8.0f * static_cast<float>(label.size()), a.y() - 5.0f}, label, black);
            if (!vertical && time_labels)
                canvas.text({a.x() - 4.0f * static_cast<float>(label.size()), f.top + f.height + 6.0f}, label, black);
        }
    }
    canvas.text({f.left + 4.0f, f.top - 14.0f}, title, black);
}

void draw_line(Canvas& canvas, const Frame& f, const PlotLine& line, const Ink& ink) {
    for (size_t i = 0; i + 1 < line.x.size(); ++i)
        canvas.line(f.at(line.x[i], line.y[i]), f.at(line.x[i + 1], line.y[i + 1]), 1.8f, ink);
    for (size_t i = 0; i < line.key_x.size(); ++i) canvas.dot(f.at(line.key_x[i], line.key_y[i]), 6.0f, ink);
}

// A rotation as turns about x, y and z, degrees: the vector of its exponential map.
Vec3d turn_degrees(const Quatd& from, const Quatd& to) {
    Quatd q = from.conjugate() * to;
    if (q.w() < 0.0) q.coeffs() *= -1.0;
    const Eigen::AngleAxisd turn(q);
    return turn.axis() * (turn.angle() * 180.0 / static_cast<double>(pi));
}

Vec3d plotted_value(const Track& track, const Transform& rest, double time) {
    if (track.path == TrackPath::rotation) {
        Quat q;
        sample_track(track, static_cast<float>(time), q.coeffs().data());
        return turn_degrees(rest.rotation.cast<double>(), q.cast<double>());
    }
    Vec3 value;
    sample_track(track, static_cast<float>(time), value.data());
    return value.cast<double>();
}

PlotPanel track_panel(const Character& character, const Track& track, double length) {
    const auto j = static_cast<size_t>(track.target);
    const char* what = track.path == TrackPath::rotation ? "rotation, degrees"
                       : track.path == TrackPath::scale  ? "scale"
                                                         : "translation";
    PlotPanel panel{fmt::format("{} {}", joint_label(character.skeleton, track.target), what),
                    std::vector<PlotLine>(3)};
    constexpr int steps = 800;
    constexpr size_t most_dots = 100;
    for (int i = 0; i <= steps; ++i) {
        const double time = length * i / steps;
        const Vec3d value = plotted_value(track, character.skeleton.rest()[j], time);
        for (int c = 0; c < 3; ++c) {
            panel.lines[static_cast<size_t>(c)].x.push_back(time);
            panel.lines[static_cast<size_t>(c)].y.push_back(value[c]);
        }
    }
    for (size_t k = 0; track.times.size() <= most_dots && k < track.times.size(); ++k) {
        const Vec3d value = plotted_value(track, character.skeleton.rest()[j], track.times[k]);
        for (int c = 0; c < 3; ++c) {
            panel.lines[static_cast<size_t>(c)].key_x.push_back(track.times[k]);
            panel.lines[static_cast<size_t>(c)].key_y.push_back(value[c]);
        }
    }
    return panel;
}

}  // namespace

Picture plot_panels(std::span<const PlotPanel> panels, int32_t width, int32_t height) {
    Canvas canvas(width, height);
    constexpr float left = 72.0f, right = 16.0f, above = 22.0f, below = 26.0f;
    const auto count = static_cast<float>(std::max<size_t>(panels.size(), 1));
    const float each = (static_cast<float>(height) - below) / count;
    Range time;
    for (const PlotPanel& panel : panels)
        for (const PlotLine& line : panel.lines)
            for (const double x : line.x) time.add(x);
    if (!(time.high > time.low)) time.settle();
    for (size_t p = 0; p < panels.size(); ++p) {
        Frame f{left,
                each * static_cast<float>(p) + above,
                static_cast<float>(width) - left - right,
                each - above - 4.0f,
                time,
                {}};
        for (const PlotLine& line : panels[p].lines)
            for (const double y : line.y) f.y.add(y);
        f.y.settle();
        draw_axes(canvas, f, panels[p].title, p + 1 == panels.size());
        for (size_t i = 0; i < panels[p].lines.size(); ++i)
            draw_line(canvas, f, panels[p].lines[i], plot_inks[i % std::size(plot_inks)]);
        float name_at = static_cast<float>(width) - right;
        for (size_t i = panels[p].lines.size(); i-- > 0;) {
            const std::string& name = panels[p].lines[i].name;
            if (name.empty()) continue;
            name_at -= 8.0f * static_cast<float>(name.size() + 2);
            canvas.text({name_at, f.top - 14.0f}, name, plot_inks[i % std::size(plot_inks)]);
        }
    }
    return canvas.picture();
}

std::vector<PlotPanel> clip_panels(const Character& character, const Clip& clip, std::span<const int32_t> joints) {
    std::vector<PlotPanel> panels;
    for (const int32_t joint : joints)
        for (const Track& track : clip.tracks)
            if (track.target == joint && track.path != TrackPath::morphs)
                panels.push_back(track_panel(character, track, duration(clip)));
    return panels;
}

Picture plot_trails(const Character& character, const Clip& clip, std::span<const int32_t> joints,
                    const PreviewCamera& camera, int32_t width, int32_t height) {
    const Vec3d right(std::cos(camera.azimuth), 0, -std::sin(camera.azimuth));
    const Vec3d back(std::sin(camera.azimuth) * std::cos(camera.elevation), std::sin(camera.elevation),
                     std::cos(camera.azimuth) * std::cos(camera.elevation));
    const Vec3d up = back.cross(right);
    const double length = duration(clip);
    const int steps = std::clamp(static_cast<int>(length * 60.0), 1, 6000);
    constexpr int figures = 7;
    // Each joint's place on the sheet in each step.
    std::vector<std::vector<Vec2>> places;
    Range x, y;
    Pose pose = rest_pose(character);
    std::vector<AffineD> world(pose.local.size());
    const std::vector<int32_t>& parents = character.skeleton.parents();
    for (int i = 0; i <= steps; ++i) {
        sample(clip, static_cast<float>(length * i / steps), pose);
        local_to_world(parents, pose.local, world);
        places.emplace_back();
        for (size_t j = 0; j < world.size(); ++j) {
            const Vec3d p = world[j].translation();
            places.back().push_back({static_cast<float>(right.dot(p)), static_cast<float>(up.dot(p))});
            if (parents[j] < 0) continue;  // a plain root need not be in the picture
            x.add(places.back().back().x());
            y.add(places.back().back().y());
        }
    }
    x.settle();
    y.settle();
    const double scale = std::min(width / (x.high - x.low), height / (y.high - y.low));
    const Vec2 middle(static_cast<float>(0.5 * (x.low + x.high)), static_cast<float>(0.5 * (y.low + y.high)));
    const auto on_sheet = [&](const Vec2& p) {
        return Vec2(0.5f * static_cast<float>(width) + static_cast<float>(scale) * (p.x() - middle.x()),
                    0.5f * static_cast<float>(height) - static_cast<float>(scale) * (p.y() - middle.y()));
    };
    Canvas canvas(width, height);
    for (int f = 0; f < figures; ++f) {
        const auto& at = places[static_cast<size_t>(steps * f / (figures - 1))];
        const float shade = 0.88f - 0.06f * static_cast<float>(f);
        for (size_t j = 0; j < at.size(); ++j) {
            const int32_t parent = parents[j];
            if (parent >= 0 && parents[static_cast<size_t>(parent)] >= 0)
                canvas.line(on_sheet(at[static_cast<size_t>(parent)]), on_sheet(at[j]), 2.5f, {shade, shade, shade});
        }
    }
    for (size_t k = 0; k < joints.size(); ++k) {
        const auto j = static_cast<size_t>(joints[k]);
        const Ink& ink = plot_inks[k % std::size(plot_inks)];
        for (size_t i = 0; i + 1 < places.size(); ++i)
            canvas.line(on_sheet(places[i][j]), on_sheet(places[i + 1][j]), 2.0f, ink);
        for (double t = 0.0; t <= length; t += 0.1)
            canvas.dot(on_sheet(places[static_cast<size_t>(std::lround(t / std::max(length, 1e-9) * steps))][j]), 6.0f,
                       ink);
        canvas.text({8.0f, 8.0f + 16.0f * static_cast<float>(k)}, joint_label(character.skeleton, joints[k]), ink);
    }
    return canvas.picture();
}

}  // namespace sinew
