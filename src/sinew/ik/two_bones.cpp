// Many two-bone limbs at once: the steps of two_bone.cpp, its scalar twin, on as many limbs side by side as the machine
// has lanes for. There are no branches: limbs that need one (no direction to the target, a pole along the limb, a bone
// that turns right round, a soft reach) go one at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/ik/two_bones.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <sinew/core/check.h>
#include <sinew/ik/two_bone.h>
#include <algorithm>
#include <cmath>

#ifndef SINEW_IK_TWO_BONES_ONCE
#define SINEW_IK_TWO_BONES_ONCE
namespace sinew {
namespace {

// Where the plain formulas keep at least ten digits; beyond, solve_two_bone's take over.
constexpr double least_share = 1e-5;     // of the limb's length: a bone, or the distance to the target
constexpr double least_sine = 1e-4;      // between the pole and the limb
constexpr double least_cosine = -0.999;  // between a bone and where it goes

// Limbs are brought side by side in blocks, so that what was stored has arrived when its lanes are read.
constexpr size_t block_size = 16;
template <size_t components>
struct alignas(64) Side {
    double of[components][block_size];

    void put(size_t component, size_t i, const Vec3d& v) {
        of[component][i] = v.x(), of[component + 1][i] = v.y(), of[component + 2][i] = v.z();
    }
    Vec3d get(size_t component, size_t i) const {
        return {of[component][i], of[component + 1][i], of[component + 2][i]};
    }
};
enum Given : size_t { root = 0, mid = 3, tip = 6, target = 9, pole = 12, given_count = 15 };
// A margin that is not positive says that a limb needs a branch.
enum Solved : size_t {
    new_mid = 0,
    new_tip = 3,
    hinge = 6,
    upper = 9,
    lower = 13,
    error = 17,
    length,
    margin,
    solved_count
};

}  // namespace
}  // namespace sinew
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

struct V3 {
    V x, y, z;
};
HWY_INLINE V3 operator+(const V3& a, const V3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE V3 operator-(const V3& a, const V3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE V3 scaled(V s, const V3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
HWY_INLINE V dot(const V3& a, const V3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
HWY_INLINE V3 cross(const V3& a, const V3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE V set(double value) {
    return hn::Set(D(), value);
}

template <size_t n>
HWY_INLINE V3 read(const Side<n>& from, size_t component, size_t i) {
    const D d;
    return {hn::Load(d, from.of[component] + i), hn::Load(d, from.of[component + 1] + i),
            hn::Load(d, from.of[component + 2] + i)};
}
template <size_t n>
HWY_INLINE void write(Side<n>& to, size_t component, size_t i, V v) {
    hn::Store(v, D(), to.of[component] + i);
}
template <size_t n>
HWY_INLINE void write(Side<n>& to, size_t component, size_t i, const V3& v) {
    write(to, component, i, v.x), write(to, component + 1, i, v.y), write(to, component + 2, i, v.z);
}

struct Turn {
    V3 v;
    V w, cosine;
};
// The shortest rotation between unit vectors: (cross, 1 + cosine) / √(2 + 2 cosine).
HWY_INLINE Turn shortest_turn(const V3& from, const V3& to) {
    const V cosine = dot(from, to), two = set(2.0);
    const V twice = hn::Sqrt(hn::Max(two + two * cosine, hn::Zero(D())));
    return {scaled(set(1.0) / twice, cross(from, to)), set(0.5) * twice, cosine};
}
HWY_INLINE V3 turned(const Turn& turn, const V3& a) {
    const V3 t = scaled(set(2.0), cross(turn.v, a));
    return a + scaled(turn.w, t) + cross(turn.v, t);
}

// The limbs from i on. Steps and names are solve_two_bone's.
HWY_INLINE void solve_lanes(const Side<given_count>& given, size_t i, const TwoBoneOptions& options,
                            Side<solved_count>& solved) {
    const V one = set(1.0), half = set(0.5);
    const V3 start = read(given, root, i), bend = read(given, mid, i), to_pole = read(given, pole, i);
    const V3 upper_bone = bend - start, lower_bone = read(given, tip, i) - bend, way = read(given, target, i) - start;
    const V upper_length = hn::Sqrt(dot(upper_bone, upper_bone)), lower_length = hn::Sqrt(dot(lower_bone, lower_bone));
    const V wanted = hn::Sqrt(dot(way, way)), sum = upper_length + lower_length,
            difference = upper_length - lower_length;
    const V3 along = scaled(one / wanted, way), across = to_pole - scaled(dot(along, to_pole), along);
    const V sine = hn::Sqrt(dot(across, across));
    V3 side = scaled(set(options.bend == TwoBoneBend::towards_pole ? 1.0 : -1.0) / sine, across);
    if (options.twist != 0.0)
        side = scaled(set(std::cos(options.twist)), side) + scaled(set(std::sin(options.twist)), cross(along, side));
    write(solved, hinge, i, cross(side, along));

    const V shortest = hn::Min(hn::Abs(difference) + set(options.tightest) * sum, sum);
    const V longest = hn::Max(set(options.straightest) * sum, shortest);
    const V distance = hn::Min(hn::Max(wanted, shortest), longest), per_distance = one / distance;
    const V mid_along = half * per_distance * (difference * sum + distance * distance);
    const V heron = (sum + distance) * (sum - distance) * ((distance + difference) * per_distance) *
                    ((distance - difference) * per_distance);
    const V3 new_upper = scaled(mid_along, along) + scaled(half * hn::Sqrt(hn::Max(heron, hn::Zero(D()))), side);
    const V3 reach = scaled(distance, along);
    write(solved, new_mid, i, start + new_upper), write(solved, new_tip, i, start + reach);

    const V per_upper = one / upper_length, per_lower = one / lower_length;
    const Turn first = shortest_turn(scaled(per_upper, upper_bone), scaled(per_upper, new_upper));
    const Turn second =
        shortest_turn(scaled(per_lower, turned(first, lower_bone)), scaled(per_lower, reach - new_upper));
    write(solved, upper, i, first.v), write(solved, upper + 3, i, first.w);
    write(solved, lower, i, second.v), write(solved, lower + 3, i, second.w);
    write(solved, error, i, hn::Abs(wanted - distance)), write(solved, length, i, sum);

    const V pole_length = hn::Sqrt(dot(to_pole, to_pole));
    V least = hn::Min(hn::Min(upper_length, lower_length), hn::Min(distance, wanted)) - set(least_share) * sum;
    least = hn::Min(least, sine - set(least_sine) * pole_length);
    least = hn::Min(least, hn::Min(first.cosine, second.cosine) - set(least_cosine));
    if (options.softness > 0.0) least = hn::Min(least, set(options.straightest - options.softness) * sum - wanted);
    // What is not finite is no margin.
    const V finite = hn::Zero(D()) * (wanted + sine + pole_length + first.cosine + second.cosine);
    write(solved, margin, i, least + finite);
}

void solve_block(const Side<given_count>& given, size_t count, const TwoBoneOptions& options,
                 Side<solved_count>& solved) {
    for (size_t i = 0; i < count; i += hn::Lanes(D())) solve_lanes(given, i, options, solved);
}

}  // namespace

void solve_two_bones(std::span<const TwoBoneLimb> limbs, std::span<const TwoBoneGoal> goals,
                     const TwoBoneOptions& options, std::span<TwoBoneSolution> solutions) {
    Side<given_count> given;
    Side<solved_count> solved;
    for (size_t first = 0; first < limbs.size(); first += block_size) {
        const size_t count = std::min(block_size, limbs.size() - first);
        for (size_t i = 0; i < block_size; ++i) {  // the last block repeats its last limb
            const size_t k = first + std::min(i, count - 1);
            given.put(root, i, limbs[k].root), given.put(mid, i, limbs[k].mid), given.put(tip, i, limbs[k].tip);
            given.put(target, i, goals[k].target), given.put(pole, i, goals[k].pole);
        }
        solve_block(given, count, options, solved);
        for (size_t i = 0; i < count; ++i) {
            const size_t k = first + i;
            TwoBoneSolution& to = solutions[k];
            if (!(solved.of[margin][i] > 0.0)) {
                to = solve_two_bone(limbs[k], goals[k], options);
                continue;
            }
            to.limb = {limbs[k].root, solved.get(new_mid, i), solved.get(new_tip, i)};
            to.upper_turn.vec() = solved.get(upper, i), to.upper_turn.w() = solved.of[upper + 3][i];
            to.lower_turn.vec() = solved.get(lower, i), to.lower_turn.w() = solved.of[lower + 3][i];
            to.hinge = solved.get(hinge, i);
            to.error = solved.of[error][i];
            to.reached = to.error <= two_bone_reached_within * solved.of[length][i];
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(solve_two_bones);
void solve_two_bones(std::span<const TwoBoneLimb> limbs, std::span<const TwoBoneGoal> goals,
                     const TwoBoneOptions& options, std::span<TwoBoneSolution> solutions) {
    SINEW_CHECK(limbs.size() == goals.size() && goals.size() == solutions.size());
    HWY_DYNAMIC_DISPATCH(solve_two_bones)(limbs, goals, options, solutions);
}
}  // namespace sinew
#endif
