#include <sinew/motion/creatures/undulation.h>

#include <sinew/motion/builtin/curves.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int least_wave_keys = 30;

// Tailbeats per second of a cruising fish: animals that swim beat slower the longer they are, about as
// length^-0.87 [Sato2007]; 1.3 Hz at one metre lies in the middle of what sharks and large fish show.
double tailbeats_per_second(double length_m) {
    return std::clamp(1.3 * std::pow(std::max(length_m, 1e-3), -0.87), 0.25, 8.0);
}
// How far a beat takes it, in body lengths [Bainbridge1958]; and the length of the wave [Videler1993].
constexpr double advance_per_tail_beat = 0.65, swim_wave = 1.0;
// Half the width of the swing at a share of the body from the snout, in body lengths [Videler1993].
double swim_width(double u) {
    return 0.02 - 0.0825 * u + 0.1625 * u * u;
}

// A snake: waves along the body, the largest angle to its way, and the time in which a wave of a metre passes. Chosen.
constexpr double snake_waves = 1.6, snake_heading = 50 * deg, snake_seconds = 1.1;

// A chain and how far along it each joint lies.
struct Backbone {
    JointChain joints;
    std::vector<double> along;
    double length = 0.0;
};

Backbone measure(const CreatureBody& body) {
    Backbone spine{backbone(body), {}, 0.0};
    for (size_t i = 0; i < spine.joints.size(); ++i) {
        if (i > 0)
            spine.length +=
                (body.rest[static_cast<size_t>(spine.joints[i])] - body.rest[static_cast<size_t>(spine.joints[i - 1])])
                    .norm();
        spine.along.push_back(spine.length);
    }
    return spine;
}

// The bone that the i-th joint carries: its middle along the backbone, and its heading at rest to the left of +Z.
struct Link {
    double middle = 0.0, heading = 0.0;
};

Link link_of(const CreatureBody& body, const Backbone& spine, size_t i) {
    const auto& parents = body.skeleton->parents();
    const auto carries = [&](size_t from, size_t to) {
        return parents[static_cast<size_t>(spine.joints[to])] == spine.joints[from];
    };
    size_t a = i, b = i;  // a ahead of b
    if (i + 1 < spine.joints.size() && carries(i, i + 1)) b = i + 1;
    if (i > 0 && carries(i, i - 1)) a = i - 1;
    if (a == b) {  // an end: as the bone before it
        if (i > 0)
            a = i - 1;
        else if (b + 1 < spine.joints.size())
            b = i + 1;
        const Vec3d d =
            body.rest[static_cast<size_t>(spine.joints[a])] - body.rest[static_cast<size_t>(spine.joints[b])];
        return {spine.along[i], std::atan2(d.x(), d.z())};
    }
    const Vec3d d = body.rest[static_cast<size_t>(spine.joints[a])] - body.rest[static_cast<size_t>(spine.joints[b])];
    return {0.5 * (spine.along[a] + spine.along[b]), std::atan2(d.x(), d.z())};
}

double nearest_turn(double angle) {
    return std::remainder(angle, full_turn);
}

// Fins beside the body beat a little, one after the other.
void flutter(const CreatureBody& body, double t, CreaturePose& pose) {
    for (const CreatureLimb& fin : body.map.fins) {
        const double side = fin.side == Side::right ? -1.0 : fin.side == Side::left ? 1.0 : 0.0;
        for (size_t i = 0; i + 1 < fin.joints.size(); ++i)
            pose.bend(fin.joints[i], roll(side * 5 * deg * std::sin(full_turn * (t - 0.1 * static_cast<double>(i)))));
    }
}

// A way that winds about +Z: where it is after a share of one wave. Its heading is a sine, so it has no closed form.
class WindingWay {
public:
    explicit WindingWay(double heading) {
        Vec3d at = Vec3d::Zero(), sum = Vec3d::Zero();
        for (int i = 0; i <= samples; ++i) {
            table_.push_back(at);
            if (i < samples) sum += at / samples;
            const double angle = heading * std::sin(full_turn * (i + 0.5) / samples);
            at += Vec3d(std::sin(angle), 0.0, std::cos(angle)) / samples;
        }
        for (Vec3d& p : table_) p.x() -= sum.x();
    }
    double advance() const { return table_.back().z(); }  // of one wave
    Vec3d at(double waves) const {
        const double whole = std::floor(waves), u = (waves - whole) * samples;
        const auto i = static_cast<size_t>(std::min(std::floor(u), samples - 1.0));
        const Vec3d p = table_[i] + (table_[i + 1] - table_[i]) * (u - static_cast<double>(i));
        return p + Vec3d(0, 0, whole * advance());
    }

private:
    static constexpr int samples = 1024;
    std::vector<Vec3d> table_;
};

}  // namespace

JointChain backbone(const CreatureBody& body) {
    const CreatureMap& map = body.map;
    JointChain chain;
    const auto add = [&](int32_t joint) {
        if (std::ranges::find(chain, joint) == chain.end()) chain.push_back(joint);
    };
    for (size_t i = map.head.size(); i-- > 0;) add(map.head[i]);
    for (size_t i = map.neck.size(); i-- > 0;) add(map.neck[i]);
    for (size_t i = map.spine.size(); i-- > 0;) add(map.spine[i]);
    if (map.root >= 0 && std::ranges::find(chain, map.root) == chain.end()) chain.push_back(map.root);
    for (const int32_t joint : map.tail) add(joint);
    return chain;
}

CreaturePoses swim_poses(const CreatureBody& body, double fps, double vigour) {
    const Backbone spine = measure(body);
    const double period = 1.0 / tailbeats_per_second(metres(body, body.length)) / (0.5 + 0.5 * vigour);
    const KeyTimes keys = key_times(period, fps, least_wave_keys, 2.5);
    const double length = std::max(spine.length, 1e-12);
    const double step_ahead = vigour < 1.0 ? 0.0 : advance_per_tail_beat * length;
    std::vector<Link> links;
    for (size_t i = 0; i < spine.joints.size(); ++i) links.push_back(link_of(body, spine, i));
    const auto side = [&](double u, double t) {
        return (0.4 + 0.6 * vigour) * length * swim_width(u) * std::sin(full_turn * (u / swim_wave - t));
    };
    CreaturePoses out;
    out.step = keys.step;
    for (int k = 0; k <= keys.count(); ++k) {
        const double t = static_cast<double>(k) / keys.per_cycle;
        CreaturePose pose(body);
        flutter(body, t, pose);
        for (size_t i = 0; i < spine.joints.size(); ++i) {
            constexpr double du = 1e-4;
            const double u = links[i].middle / length;
            const double slope = (side(u + du, t) - side(u - du, t)) / (2.0 * du * length);
            pose.turn_to(spine.joints[i], yaw(-std::atan(slope)));
            if (spine.joints[i] == body.map.root) pose.shift.x() = side(spine.along[i] / length, t);
        }
        pose.shift.z() = step_ahead * t;
        out.travel.push_back({0, 0, step_ahead * t});
        out.poses.push_back(std::move(pose));
    }
    return out;
}

CreaturePoses slither_poses(const CreatureBody& body, double fps) {
    const Backbone spine = measure(body);
    const double wave = std::max(spine.length, 1e-12) / snake_waves;
    const double period = snake_seconds * std::sqrt(std::max(metres(body, wave), 1e-3));
    const KeyTimes keys = key_times(period, fps, least_wave_keys, 2.5);
    const WindingWay way(snake_heading);
    std::vector<Link> links;
    double root_along = 0.0;
    for (size_t i = 0; i < spine.joints.size(); ++i) {
        links.push_back(link_of(body, spine, i));
        if (spine.joints[i] == body.map.root) root_along = spine.along[i];
    }
    CreaturePoses out;
    out.step = keys.step;
    const Vec3d start(0, 0, way.at(-root_along / wave).z());
    for (int k = 0; k <= keys.count(); ++k) {
        const double t = static_cast<double>(k) / keys.per_cycle;
        CreaturePose pose(body);
        for (size_t i = 0; i < spine.joints.size(); ++i) {
            const double heading = snake_heading * std::sin(full_turn * (t - links[i].middle / wave));
            pose.turn_to(spine.joints[i], yaw(nearest_turn(heading - links[i].heading)));
        }
        pose.shift = wave * (way.at(t - root_along / wave) - start);
        out.travel.push_back({0, 0, wave * way.advance() * t});
        out.poses.push_back(std::move(pose));
    }
    return out;
}

}  // namespace sinew
