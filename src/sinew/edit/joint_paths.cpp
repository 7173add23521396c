#include <sinew/edit/joint_paths.h>

#include <sinew/curve/rotation_curve.h>
#include <sinew/math/interpolate.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

template <class Value>
std::vector<Value> convolve(const std::vector<Value>& values, double deviation, double fps) {
    const double sigma = deviation * fps;
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3.0 * sigma));
    if (reach < 1 || values.empty()) return values;
    std::vector<double> weight;
    double sum = 0.0;
    for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
        weight.push_back(std::exp(-0.5 * static_cast<double>(k * k) / (sigma * sigma)));
        sum += weight.back();
    }
    std::vector<Value> out(values.size());
    const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
    for (std::ptrdiff_t i = 0; i <= last; ++i) {
        Value mean = 0.0 * values[0];
        for (std::ptrdiff_t k = -reach; k <= reach; ++k)
            mean += weight[static_cast<size_t>(k + reach)] / sum *
                    values[static_cast<size_t>(std::clamp<std::ptrdiff_t>(i + k, 0, last))];
        out[static_cast<size_t>(i)] = mean;
    }
    return out;
}

// Of the joints that the carrier carries, itself included.
double lowest_joint(const Pose& pose, const ClipBody& body, const std::vector<char>& carried,
                    std::vector<AffineD>& world) {
    local_to_world(body.skeleton.parents(), pose.local, world);
    double lowest = INFINITY;
    for (size_t j = 0; j < world.size(); ++j)
        if (carried[j]) lowest = std::min(lowest, world[j].translation().y());
    return lowest;
}

}  // namespace

std::vector<Quatd> rotations_of(const ClipFrames& frames, size_t joint) {
    std::vector<Quatd> out;
    out.reserve(frames.poses.size());
    for (const Pose& pose : frames.poses) {
        Quatd q = pose.local[joint].rotation.cast<double>().normalized();
        if (!out.empty() && q.dot(out.back()) < 0.0) q.coeffs() *= -1.0;
        out.push_back(q);
    }
    return out;
}

std::vector<Vec3d> angular_velocities(const std::vector<Quatd>& q, double fps) {
    std::vector<Vec3d> out(q.size(), Vec3d::Zero());
    for (size_t f = 0; f + 1 < q.size(); ++f) {
        const Vec3d turn = log_map(q[f].conjugate() * q[f + 1]) * fps;
        out[f] += f == 0 ? turn : Vec3d(0.5 * turn);
        out[f + 1] += f + 2 == q.size() ? turn : Vec3d(0.5 * turn);
    }
    return out;
}

std::vector<Vec3d> smoothed(const std::vector<Vec3d>& values, double deviation, double fps) {
    return convolve(values, deviation, fps);
}
std::vector<double> smoothed(const std::vector<double>& values, double deviation, double fps) {
    return convolve(values, deviation, fps);
}

std::vector<Vec3d> derivative(const std::vector<Vec3d>& values, double fps) {
    std::vector<Vec3d> out(values.size(), Vec3d::Zero());
    for (size_t f = 0; f < values.size(); ++f) {
        const size_t a = f > 0 ? f - 1 : 0, b = std::min(f + 1, values.size() - 1);
        if (b > a) out[f] = (values[b] - values[a]) * (fps / static_cast<double>(b - a));
    }
    return out;
}

double window(double time, double length, double ramp) {
    ramp = std::min(ramp, 0.5 * length);
    if (!(ramp > 0.0)) return 0.0;
    return smoothstep(time / ramp) * smoothstep((length - time) / ramp);
}

void keep_height(const ClipFrames& before, const ClipBody& body, int32_t carrier, ClipFrames& after) {
    std::vector<AffineD> world(body.rest.local.size());
    const int32_t parent = body.skeleton.parents()[static_cast<size_t>(carrier)];
    const std::vector<char> carried = joints_below(body.skeleton, carrier);
    for (size_t f = 0; f < after.poses.size(); ++f) {
        const double rise =
            lowest_joint(before.poses[f], body, carried, world) - lowest_joint(after.poses[f], body, carried, world);
        const AffineD above = parent >= 0 ? world[static_cast<size_t>(parent)] : AffineD::Identity();
        const Vec3d local = above.linear().inverse() * Vec3d(0, rise, 0);
        if (local.allFinite()) after.poses[f].local[static_cast<size_t>(carrier)].translation += local.cast<float>();
    }
}

std::vector<char> joints_below(const Skeleton& skeleton, int32_t top) {
    std::vector<char> marked(skeleton.size(), 0);
    marked[static_cast<size_t>(top)] = 1;
    for (size_t j = static_cast<size_t>(top) + 1; j < marked.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0 && marked[static_cast<size_t>(parent)]) marked[j] = 1;
    }
    return marked;
}

std::vector<char> leg_joints(const Skeleton& skeleton) {
    std::vector<char> marked(skeleton.size(), 0);
    for (const CreatureLimb& leg : recognise_creature(skeleton).legs)
        for (size_t i = leg.socket; i < leg.joints.size(); ++i) marked[static_cast<size_t>(leg.joints[i])] = 1;
    for (size_t j = 0; j < marked.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0 && marked[static_cast<size_t>(parent)]) marked[j] = 1;
    }
    return marked;
}

}  // namespace sinew
