#include <sinew/rig/embed/embed_search.h>

#include <sinew/rig/embed/similarity.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us, on the templates of bench/rig_template_bench.cpp.
// These cost about the same, of a bone of a tenth of the body: its length off by a factor of 1.65, its direction off by
// 45 degrees, a seventh of it outside the body.
constexpr double length_weight = 1.0, direction_weight = 1.2, outside_weight = 3.0;
// A place away from the layout's, a leaf away from a tip, a tip that no bone went to.
constexpr double place_weight = 4.0, tip_weight = 1.0, cover_weight = 1.5;
// How fast the certainty of a place falls along a limb; how soon a place that is far off costs no more the farther it
// is.
constexpr double certainty_falls = 4.0, far_off = 10.0;
// What a bone without length costs for its direction: as one across.
constexpr double no_direction = 0.5, no_length = 1e-12, flat = 1e-9, nothing = 1e-300;
// The stretch along one axis is between these factors of the whole's. Axes with little extent follow the whole: as if
// this share of all points' spread said so.
constexpr double least_stretch = 0.6, most_stretch = 1.6, follow_whole = 0.02;
// Extremities that stick out by more than this share of the body's size should be covered.
constexpr double worth_covering = 0.08;

// How sure a bone's place in the layout is: limbs swing about their roots, and their ends swing most.
double place_certainty(const std::vector<EmbedBone>& bones, const EmbedLayout& layout, size_t bone) {
    double along = 0.0;
    for (auto i = bone; bones[i].parent >= 0; i = static_cast<size_t>(bones[i].parent))
        along += (layout.at[i] - layout.at[static_cast<size_t>(bones[i].parent)]).norm();
    return 1.0 / (1.0 + certainty_falls * along / layout.size);
}

// Which bones are searched: in a half problem, those in the middle and on the left.
std::vector<char> searched_bones(const EmbedProblem& problem, const EmbedLayout& layout) {
    std::vector<char> searched(problem.bones.size(), 1);
    if (!problem.half) return searched;
    for (size_t i = 0; i < problem.bones.size(); ++i) {
        const EmbedBone& bone = problem.bones[i];
        if (bone.mirror < 0) continue;
        const double own = layout.at[i].x(), other = layout.at[static_cast<size_t>(bone.mirror)].x();
        searched[i] = own > other || (own == other && static_cast<int>(i) < bone.mirror);
        // A limb stays together.
        if (bone.parent >= 0 && problem.bones[static_cast<size_t>(bone.parent)].mirror >= 0)
            searched[i] = searched[static_cast<size_t>(bone.parent)];
    }
    return searched;
}

double place_cost(const EmbedSpace& space, const EmbedBone& bone, const Vec3d& wanted, double certainty, size_t place) {
    const double off = (space.place[place] - wanted).squaredNorm() / (space.size * space.size);
    double cost = place_weight * certainty * off / (1.0 + far_off * off);
    if (bone.leaf) cost += tip_weight * space.to_tip[place] / space.size;
    return cost;
}

// A bone as the layout wants it.
struct Wanted {
    Vec3d bone;
    double length = 0.0, log_length = 0.0;  // log_length as EmbedSpace::log_away
};

double bone_cost(const EmbedSpace& space, const Wanted& wanted, size_t from, size_t to) {
    const size_t pair = from * space.count() + to;
    const Vec3d bone = space.place[to] - space.place[from];
    const double d = bone.norm();
    const double stretch = static_cast<double>(space.log_away[pair]) - wanted.log_length;
    const double turned =
        wanted.length > no_length && d > no_length ? 1.0 - bone.dot(wanted.bone) / (d * wanted.length) : no_direction;
    return (wanted.length / space.size + EmbedSpace::slack) *
               (length_weight * stretch * stretch + direction_weight * turned) +
           outside_weight * static_cast<double>(space.outside[pair]) / space.size;
}

}  // namespace

EmbedLayout lay_out(const EmbedProblem& problem, const Mat3d& turn) {
    EmbedLayout layout;
    const VoxelBody& body = problem.upright.body;
    layout.size = (body.high - body.low).norm();
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    for (const EmbedBone& bone : problem.bones) {
        layout.at.push_back(turn * bone.position);
        low = low.cwiseMin(layout.at.back());
        high = high.cwiseMax(layout.at.back());
    }
    const Vec3d room = body.high - body.low, own = high - low;
    const double whole = room.norm() / std::max(own.norm(), no_length);
    Vec3d scale;
    for (int k = 0; k < 3; ++k)
        scale[k] =
            std::clamp(room[k] / std::max(own[k], flat * own.norm()), least_stretch * whole, most_stretch * whole);
    const Vec3d from = 0.5 * (low + high), to = 0.5 * (body.low + body.high);
    for (Vec3d& p : layout.at) p = to + scale.cwiseProduct(p - from);
    return layout;
}

EmbedLayout lay_out_again(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& found,
                          const Mat3d& turn) {
    const EmbedLayout first = lay_out(problem, turn);
    std::vector<PointPair> pairs;
    for (size_t i = 0; i < problem.bones.size(); ++i) {
        if (found.place[i] < 0) continue;
        const Vec3d to = space.place[static_cast<size_t>(found.place[i])];
        pairs.push_back({turn * problem.bones[i].position, to});
        if (const int other = problem.bones[i].mirror; problem.half && other >= 0)
            pairs.push_back({turn * problem.bones[static_cast<size_t>(other)].position, {-to.x(), to.y(), to.z()}});
    }
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero(), spread = Vec3d::Zero(), shared = Vec3d::Zero();
    for (const auto& [p, q] : pairs) from += p, to += q;
    from /= static_cast<double>(pairs.size());
    to /= static_cast<double>(pairs.size());
    for (const auto& [p, q] : pairs) {
        spread += (p - from).cwiseProduct(p - from);
        shared += (p - from).cwiseProduct(q - to);
    }
    const double whole = shared.sum() / std::max(spread.sum(), nothing), slack = follow_whole * spread.sum();
    EmbedLayout layout{.size = first.size};
    Vec3d scale;
    for (int k = 0; k < 3; ++k)
        scale[k] =
            std::clamp((shared[k] + slack * whole) / (spread[k] + slack), least_stretch * whole, most_stretch * whole);
    if (!(whole > 0.0)) return first;
    for (const EmbedBone& bone : problem.bones)
        layout.at.push_back(to + scale.cwiseProduct(turn * bone.position - from));
    return layout;
}

EmbedAssignment assign(const EmbedProblem& problem, const EmbedSpace& space, const Mat3d& turn,
                       const EmbedLayout& layout) {
    const std::vector<char> searched = searched_bones(problem, layout);
    const size_t n = space.count(), count = problem.bones.size();
    std::vector<std::vector<double>> cost(count);
    std::vector<std::vector<int>> choice(count);  // per place of the parent
    const auto fits = [&](size_t bone, size_t place) {
        return !problem.half || (problem.bones[bone].mirror < 0) == (space.side[place] == 0);
    };
    EmbedAssignment result{.place = std::vector<int>(count, -1), .turn = turn};
    for (size_t i = count; i-- > 0;) {
        if (!searched[i]) continue;
        const EmbedBone& bone = problem.bones[i];
        if (cost[i].empty()) cost[i].assign(n, 0.0);
        const double certainty = place_certainty(problem.bones, layout, i);
        for (size_t a = 0; a < n; ++a)
            cost[i][a] = fits(i, a) ? cost[i][a] + place_cost(space, bone, layout.at[i], certainty, a) : INFINITY;
        if (bone.parent < 0) continue;
        const auto p = static_cast<size_t>(bone.parent);
        if (cost[p].empty()) cost[p].assign(n, 0.0);
        choice[i].assign(n, -1);
        Wanted wanted{.bone = layout.at[i] - layout.at[p]};
        wanted.length = wanted.bone.norm();
        wanted.log_length = std::log(wanted.length / space.size + EmbedSpace::slack);
        for (size_t a = 0; a < n; ++a) {
            if (!fits(p, a)) continue;
            double best = INFINITY;
            for (size_t b = 0; b < n; ++b) {
                if (!(cost[i][b] < best)) continue;
                const double c = cost[i][b] + bone_cost(space, wanted, a, b);
                if (c < best) best = c, choice[i][a] = static_cast<int>(b);
            }
            cost[p][a] += best;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        if (!searched[i]) continue;
        const int p = problem.bones[i].parent;
        if (p >= 0) {
            const int at = result.place[static_cast<size_t>(p)];
            if (at < 0) return {};
            result.place[i] = choice[i][static_cast<size_t>(at)];
        } else {
            const auto best = std::min_element(cost[i].begin(), cost[i].end());
            if (!(*best < INFINITY)) return {};
            result.cost = *best;
            result.place[i] = static_cast<int>(best - cost[i].begin());
        }
        if (result.place[i] < 0) return {};
    }
    return result;
}

double uncovered(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& assignment) {
    double cost = 0.0;
    for (const Extremity& end : problem.upright.ends.list) {
        if (end.prominence < worth_covering * space.size || (problem.half && end.position.x() < 0.0)) continue;
        double nearest = end.prominence;
        for (size_t i = 0; i < problem.bones.size(); ++i)
            if (assignment.place[i] >= 0)
                nearest =
                    std::min(nearest, (space.place[static_cast<size_t>(assignment.place[i])] - end.position).norm());
        cost += cover_weight * nearest / space.size;
    }
    return cost;
}

}  // namespace sinew
