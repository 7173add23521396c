#include <sinew/motion/plant/joint_solve.h>

#include <sinew/motion/plant/banded.h>
#include <algorithm>
#include <cmath>
#include <span>

namespace sinew {
namespace {

// Weights of squared residuals at 30 frames a second; lengths in legs, angles in radians. Found by experiment on
// captured motions; what counts is their order: contacts before soles before knees before the pelvis's own path.
constexpr double knee_weight = 3.0, knee_acceleration = 20.0;
constexpr double contact_weight = 3e6;
constexpr double sole_weight = 300.0, air_sole_weight = 20.0, swing_under_floor = 200.0, stance_under_floor = 1000.0;
constexpr double pelvis_acceleration = 3000.0, pelvis_rise = 300.0, pelvis_shift = 8.0;
constexpr double foot_acceleration = 50.0, foot_weight = 0.5, place_weight = 0.3;

constexpr size_t unknowns = 9;  // a frame: pelvis, left foot, right foot
constexpr size_t band = 3 * unknowns - 1;
constexpr int most_iterations = 16;
constexpr double settled_change = 2e-3;   // of the cost: another step would change nothing that shows
constexpr double least_share = 1.0 / 64;  // of a step

// One entry of a residual's derivative.
struct Term {
    size_t index;
    double value;
};

// How far apart hip and ankle are in one frame, its bend, and the bend's derivative by the ankle's place.
struct Reach {
    double bend;
    Vec3d slope;
};

class Placement {
public:
    Placement(const std::array<LegCurves, 2>& legs, double fps)
        : legs_(legs), frames_(std::max(legs[0].hip.size(), legs[1].hip.size())), step_(30.0 / fps) {
        x.assign(unknowns * frames_, 0.0);
        for (auto& reach : reach_) reach.resize(frames_);
    }

    std::vector<double> x;

    // Calls visit(weight, residual, terms) for every residual at x.
    template <class Visit>
    void residuals(Visit&& visit) {
        const double per_frame = step_, per_change = 1.0 / step_, per_turn = 1.0 / (step_ * step_ * step_);
        for (size_t side = 0; side < 2; ++side)
            if (!legs_[side].hip.empty()) find_reach(side);
        for (size_t f = 0; f < frames_; ++f) {
            pelvis_terms(f, per_frame, per_turn, visit);
            for (size_t side = 0; side < 2; ++side) {
                if (legs_[side].hip.empty()) {
                    for (size_t c = 0; c < 3; ++c) single(per_frame, foot(f, side, c), 0.0, visit);
                    continue;
                }
                swing_terms(f, side, per_frame, per_turn, visit);
                knee_terms(f, side, per_frame, per_turn, visit);
                sole_terms(f, side, per_frame, visit);
                if (f > 0) contact_terms(f, side, per_change, visit);
            }
        }
    }
    size_t frames() const { return frames_; }

private:
    const std::array<LegCurves, 2>& legs_;
    size_t frames_;
    double step_;
    std::array<std::vector<Reach>, 2> reach_;

    static size_t pelvis(size_t f, size_t c) { return unknowns * f + c; }
    static size_t foot(size_t f, size_t side, size_t c) { return unknowns * f + 3 + 3 * side + c; }
    Vec3d vector(size_t at) const { return {x[at], x[at + 1], x[at + 2]}; }

    void find_reach(size_t side) {
        const LegCurves& leg = legs_[side];
        for (size_t f = 0; f < frames_; ++f) {
            const Vec3d to = leg.ankle[f] + vector(foot(f, side, 0)) - leg.hip[f] - vector(pelvis(f, 0));
            const double distance = std::max(to.norm(), 1e-9);
            const KneeBend knee = knee_bend(distance, leg.thigh, leg.shin);
            reach_[side][f] = {knee.bend - leg.bend[f], knee.slope / distance * to};
        }
    }

    template <class Visit>
    void single(double weight, size_t index, double offset, Visit& visit) {
        const Term term{index, 1.0};
        visit(weight, x[index] + offset, std::span(&term, 1));
    }

    template <class Visit>
    void pelvis_terms(size_t f, double per_frame, double per_turn, Visit& visit) {
        for (size_t c = 0; c < 3; ++c) {
            single(per_frame * (c == 1 ? pelvis_rise : pelvis_shift), pelvis(f, c), 0.0, visit);
            if (f < 1 || f + 1 >= frames_) continue;
            const std::array<Term, 3> terms = {
                {{pelvis(f - 1, c), 1.0}, {pelvis(f, c), -2.0}, {pelvis(f + 1, c), 1.0}}};
            visit(per_turn * pelvis_acceleration, value(terms), std::span(terms));
        }
    }

    // The foot moves along with the pelvis where nothing else holds it.
    template <class Visit>
    void swing_terms(size_t f, size_t side, double per_frame, double per_turn, Visit& visit) {
        for (size_t c = 0; c < 3; ++c) {
            const std::array<Term, 2> apart = {{{pelvis(f, c), -1.0}, {foot(f, side, c), 1.0}}};
            visit(per_frame * foot_weight, value(apart), std::span(apart));
            if (c != 1 && (legs_[side].ball_contact[f] >= 0 || legs_[side].ankle_contact[f] >= 0))
                single(per_frame * place_weight, foot(f, side, c), 0.0, visit);
            if (f < 1 || f + 1 >= frames_) continue;
            const std::array<Term, 6> terms = {{{pelvis(f - 1, c), -1.0},
                                                {foot(f - 1, side, c), 1.0},
                                                {pelvis(f, c), 2.0},
                                                {foot(f, side, c), -2.0},
                                                {pelvis(f + 1, c), -1.0},
                                                {foot(f + 1, side, c), 1.0}}};
            visit(per_turn * foot_acceleration, value(terms), std::span(terms));
        }
    }

    template <class Visit>
    void knee_terms(size_t f, size_t side, double per_frame, double per_turn, Visit& visit) {
        std::array<Term, 18> terms;
        const auto fill = [&](size_t at, size_t frame, double factor) {
            for (size_t c = 0; c < 3; ++c) {
                const double slope = factor * reach_[side][frame].slope[static_cast<Eigen::Index>(c)];
                terms[at + c] = {pelvis(frame, c), -slope};
                terms[at + 3 + c] = {foot(frame, side, c), slope};
            }
        };
        fill(0, f, 1.0);
        visit(per_frame * knee_weight, reach_[side][f].bend, std::span(terms.data(), 6));
        if (f < 1 || f + 1 >= frames_) return;
        fill(0, f - 1, 1.0);
        fill(6, f, -2.0);
        fill(12, f + 1, 1.0);
        const double change = reach_[side][f - 1].bend - 2.0 * reach_[side][f].bend + reach_[side][f + 1].bend;
        visit(per_turn * knee_acceleration, change, std::span(terms));
    }

    template <class Visit>
    void sole_terms(size_t f, size_t side, double per_frame, Visit& visit) {
        const LegCurves& leg = legs_[side];
        const size_t height = foot(f, side, 1);
        if (!std::isnan(leg.sole_goal[f]))
            single(per_frame * leg.hold[f] * (leg.stand[f] == Stand::air ? air_sole_weight : sole_weight), height,
                   leg.clearance[f] - leg.sole_goal[f], visit);
        if (leg.clearance[f] + x[height] < 0.0)
            single(per_frame * (std::isnan(leg.sole_goal[f]) ? swing_under_floor : stance_under_floor), height,
                   leg.clearance[f], visit);
    }

    // Seen from above, the planted point is where it was a frame ago.
    template <class Visit>
    void contact_terms(size_t f, size_t side, double per_change, Visit& visit) {
        const LegCurves& leg = legs_[side];
        const auto hold = [&](const std::vector<int32_t>& contact, const std::vector<Vec3d>& point) {
            if (contact[f] < 0 || contact[f] != contact[f - 1]) return;
            const Vec3d moved = point[f] - point[f - 1];
            for (const size_t c : {size_t{0}, size_t{2}}) {
                const std::array<Term, 2> terms = {{{foot(f - 1, side, c), -1.0}, {foot(f, side, c), 1.0}}};
                visit(per_change * contact_weight, value(terms) + moved[static_cast<Eigen::Index>(c)],
                      std::span(terms));
            }
        };
        hold(leg.ball_contact, leg.ball);
        hold(leg.ankle_contact, leg.ankle);
    }

    template <size_t count>
    double value(const std::array<Term, count>& terms) const {
        double sum = 0;
        for (const Term& term : terms) sum += term.value * x[term.index];
        return sum;
    }
};

double total_cost(Placement& placement) {
    double cost = 0;
    placement.residuals([&](double weight, double residual, const auto&) { cost += weight * residual * residual; });
    return cost;
}

void assemble(Placement& placement, BandedSystem& system, std::vector<double>& descent) {
    system.clear();
    std::ranges::fill(descent, 0.0);
    placement.residuals([&](double weight, double residual, const auto& terms) {
        for (const Term& a : terms) {
            descent[a.index] -= weight * residual * a.value;
            for (const Term& b : terms)
                if (b.index <= a.index) system.add(a.index, b.index, weight * a.value * b.value);
        }
    });
}

}  // namespace

KneeBend knee_bend(double distance, double thigh, double shin) {
    constexpr double straight = 0.07, folded = 2.97;  // radians: 4° and 170°
    const auto distance_at = [&](double bend) {
        return std::sqrt(std::max(0.0, thigh * thigh + shin * shin + 2.0 * thigh * shin * std::cos(bend)));
    };
    const auto slope_at = [&](double bend, double d) { return -d / (thigh * shin * std::sin(bend)); };
    for (const double limit : {straight, folded}) {
        const double at = distance_at(limit);
        if (limit == straight ? distance <= at : distance >= at) continue;
        const double slope = slope_at(limit, at);
        return {limit + slope * (distance - at), slope};
    }
    const double cosine = (distance * distance - thigh * thigh - shin * shin) / (2.0 * thigh * shin);
    const double bend = std::acos(std::clamp(cosine, -1.0, 1.0));
    return {bend, slope_at(bend, distance)};
}

PlacedLegs place_legs(const std::array<LegCurves, 2>& legs, double fps) {
    Placement placement(legs, fps);
    BandedSystem system(placement.x.size(), band);
    std::vector<double> step(placement.x.size()), before;
    PlacedLegs placed;
    double cost = total_cost(placement);
    for (bool settled = false; !settled && placed.iterations < most_iterations; ++placed.iterations) {
        assemble(placement, system, step);
        if (!system.factor()) break;
        system.solve(step);
        before = placement.x;
        double share = 1.0, next = INFINITY;
        for (; share >= least_share; share *= 0.5) {
            for (size_t i = 0; i < step.size(); ++i) placement.x[i] = before[i] + share * step[i];
            next = total_cost(placement);
            if (next <= cost) break;
        }
        if (!(next <= cost)) {
            placement.x = before;
            break;
        }
        settled = cost - next <= settled_change * next;
        cost = next;
    }
    const size_t n = placement.frames();
    for (size_t f = 0; f < n; ++f) {
        const double* at = placement.x.data() + unknowns * f;
        placed.pelvis.emplace_back(at[0], at[1], at[2]);
        for (size_t side = 0; side < 2; ++side)
            placed.foot[side].emplace_back(at[3 + 3 * side], at[4 + 3 * side], at[5 + 3 * side]);
    }
    return placed;
}

}  // namespace sinew
