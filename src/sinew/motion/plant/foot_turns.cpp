#include <sinew/motion/plant/foot_turns.h>

#include <sinew/motion/plant/curve_fill.h>
#include <sinew/motion/rotation_vector.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double fade_s = 0.2;

// The mean of a run of rotations. Frames in which the foot turns faster than `slow` count less: it rolls on or off.
Quatd mean_rotation(const std::vector<Quatd>& turns, size_t first, size_t last, double fps) {
    constexpr double slow = 0.3;  // radians per second
    Quatd sum(0, 0, 0, 0);
    const Quatd middle = turns[(first + last) / 2];
    for (size_t f = first; f <= last; ++f) {
        const size_t before = std::max(first, f - std::min<size_t>(f, 1)), after = std::min(last, f + 1);
        const double speed =
            after > before ? turns[before].angularDistance(turns[after]) * fps / static_cast<double>(after - before)
                           : 0.0;
        const double weight = slow * slow / (slow * slow + speed * speed);
        sum.coeffs() += (turns[f].dot(middle) < 0.0 ? -weight : weight) * turns[f].coeffs();
    }
    return sum.norm() > 1e-9 ? Quatd(sum.normalized()) : middle;
}

}  // namespace

std::vector<int32_t> contact_numbers(const std::vector<Contact>& contacts, size_t frames) {
    std::vector<int32_t> number(frames, -1);
    for (size_t c = 0; c < contacts.size(); ++c)
        for (int32_t f = contacts[c].first; f <= contacts[c].last; ++f)
            number[static_cast<size_t>(f)] = static_cast<int32_t>(c);
    return number;
}

void unfold_foot(double fps, LegMotion& leg) {
    constexpr double folded = 1.92, most_roll = 0.436;  // radians: 110° and 25°
    constexpr double clear = 0.5;                       // how much of the shin's left must show beside the foot
    constexpr double shortest_s = 0.12;                 // a foot that turns over for a moment is left alone
    const double half_turn = std::acos(-1.0);
    std::vector<double> roll(leg.frames(), 0.0);
    for (size_t f = 0; f < roll.size(); ++f) {
        // Shin and foot pitch about a common axis, which points left. The roll is what lies between their lefts.
        const Vec3d heading = leg.foot[f] * leg.heading_in_foot, left = leg.foot[f] * leg.left_in_foot;
        Vec3d shin_left = leg.shin[f] * leg.left_in_shin;
        shin_left -= shin_left.dot(heading) * heading;
        if (shin_left.norm() > clear) roll[f] = std::atan2(heading.dot(shin_left.cross(left)), shin_left.dot(left));
    }
    for (size_t first = 0; first < roll.size(); ++first) {
        size_t end = first;
        while (end < roll.size() && std::abs(roll[end]) > folded) ++end;
        if (static_cast<double>(end - first) < shortest_s * fps) continue;
        for (; first < end; ++first) {
            const double upright = std::remainder(roll[first] - half_turn, 2.0 * half_turn);
            const double turn = std::clamp(upright, -most_roll, most_roll) - roll[first];
            const Vec3d heading = leg.foot[first] * leg.heading_in_foot;
            turn_foot(leg, first, from_rotation_vector(turn * heading) * leg.foot[first]);
        }
    }
}

void hold_flat_foot(const std::vector<int32_t>& ankle, const std::vector<int32_t>& ball, double fps, LegMotion& leg) {
    const size_t n = leg.frames();
    std::vector<Vec3d> offset(n, Vec3d::Zero());
    std::vector<bool> held(n, false);
    const auto flat = [&](size_t f) { return ankle[f] >= 0 && ball[f] >= 0; };
    for (size_t first = 0; first < n; ++first) {
        if (!flat(first)) continue;
        size_t last = first;
        while (last + 1 < n && flat(last + 1) && ankle[last + 1] == ankle[first] && ball[last + 1] == ball[first])
            ++last;
        const Quatd hold = mean_rotation(leg.foot, first, last, fps);
        for (size_t f = first; f <= last; ++f) {
            held[f] = true;
            offset[f] = rotation_vector(hold * leg.foot[f].conjugate());
        }
        first = last;
    }
    offset = fill_curve(offset, held, fade_s, fps);
    // A foot whose ball stands turns about it, one that swings about its ankle.
    std::vector<Vec3d> shift(n, Vec3d::Zero());
    std::vector<bool> on_ball(n, false);
    for (size_t f = 0; f < n; ++f) {
        const Quatd turn = from_rotation_vector(offset[f]);
        const Vec3d to_ball = leg.foot[f] * leg.ball_in_foot;
        on_ball[f] = ball[f] >= 0;
        if (on_ball[f]) shift[f] = to_ball - turn * to_ball;
        turn_foot(leg, f, (turn * leg.foot[f]).normalized());
    }
    shift = fill_curve(shift, on_ball, fade_s, fps);
    for (size_t f = 0; f < n; ++f) move_foot(leg, f, leg.ankle[f] + shift[f]);
}

}  // namespace sinew
