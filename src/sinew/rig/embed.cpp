#include <sinew/rig/embed.h>

#include <sinew/core/parallel.h>
#include <sinew/rig/embed_bones.h>
#include <sinew/rig/embed_space.h>
#include <sinew/rig/similarity.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// Of one bone of a tenth of the body: its length off by 1.65, or 45 degrees off, or a seventh of it outside.
constexpr double length_weight = 1.0, direction_weight = 1.2, outside_weight = 3.0;
constexpr double bone_pull = 1.0;
constexpr double place_weight = 4.0, tip_weight = 1.0, cover_weight = 1.5;

struct Layout {
    std::vector<Vec3d> at;  // per bone of the list, where the template alone would put it
    double size = 0.0;      // of the body
};

// How sure a bone's place in the layout is: limbs swing about their roots, the ends most.
double place_certainty(const std::vector<EmbedBone>& bones, const Layout& layout, size_t bone) {
    double along = 0.0;
    for (auto i = bone; bones[i].parent >= 0; i = static_cast<size_t>(bones[i].parent))
        along += (layout.at[i] - layout.at[static_cast<size_t>(bones[i].parent)]).norm();
    return 1.0 / (1.0 + 4.0 * along / layout.size);
}

struct Assignment {
    double cost = INFINITY;
    std::vector<int> place;  // per bone; −1: not searched (its partner was)
    Mat3d turn = Mat3d::Identity();
};

struct Problem {
    const Upright& upright;
    const std::vector<EmbedBone>& bones;
    bool half = false;
};

// The template turned, and stretched along each axis as far as the body's box asks for, within reason.
Layout lay_out(const Problem& problem, const Mat3d& turn) {
    Layout layout;
    const VoxelBody& body = problem.upright.body;
    layout.size = (body.high - body.low).norm();
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    for (const EmbedBone& bone : problem.bones) {
        layout.at.push_back(turn * bone.position);
        low = low.cwiseMin(layout.at.back());
        high = high.cwiseMax(layout.at.back());
    }
    const Vec3d room = body.high - body.low, own = high - low;
    const double whole = room.norm() / std::max(own.norm(), 1e-12);
    Vec3d scale;
    for (int k = 0; k < 3; ++k)
        scale[k] = std::clamp(room[k] / std::max(own[k], 1e-9 * own.norm()), 0.6 * whole, 1.6 * whole);
    const Vec3d from = 0.5 * (low + high), to = 0.5 * (body.low + body.high);
    for (Vec3d& p : layout.at) p = to + scale.cwiseProduct(p - from);
    return layout;
}

// The same from where the bones went: along each axis of the body the stretch and shift that explain it best.
Layout lay_out_again(const Problem& problem, const EmbedSpace& space, const Assignment& found, const Mat3d& turn) {
    const Layout first = lay_out(problem, turn);
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
    const double whole = shared.sum() / std::max(spread.sum(), 1e-300), slack = 0.02 * spread.sum();
    Layout layout{.size = first.size};
    Vec3d scale;
    for (int k = 0; k < 3; ++k)
        scale[k] = std::clamp((shared[k] + slack * whole) / (spread[k] + slack), 0.6 * whole, 1.6 * whole);
    if (!(whole > 0.0)) return first;
    for (const EmbedBone& bone : problem.bones)
        layout.at.push_back(to + scale.cwiseProduct(turn * bone.position - from));
    return layout;
}

// Which bones the search moves: in a half problem the middle and what lies left.
std::vector<char> searched_bones(const Problem& problem, const Layout& layout) {
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
    double cost = place_weight * certainty * off / (1.0 + 10.0 * off);
    if (bone.leaf) cost += tip_weight * space.to_tip[place] / space.size;
    return cost;
}

// A bone as the layout wants it.
struct Wanted {
    Vec3d bone;
    double length = 0.0, log_length = 0.0;  // the latter as EmbedSpace::log_away
};

double bone_cost(const EmbedSpace& space, const Wanted& wanted, size_t from, size_t to) {
    const size_t pair = from * space.count() + to;
    const Vec3d bone = space.place[to] - space.place[from];
    const double d = bone.norm();
    const double stretch = static_cast<double>(space.log_away[pair]) - wanted.log_length;
    const double turned = wanted.length > 1e-12 && d > 1e-12 ? 1.0 - bone.dot(wanted.bone) / (d * wanted.length) : 0.5;
    return (wanted.length / space.size + EmbedSpace::slack) *
               (length_weight * stretch * stretch + direction_weight * turned) +
           outside_weight * static_cast<double>(space.outside[pair]) / space.size;
}

Assignment assign(const Problem& problem, const EmbedSpace& space, const Mat3d& turn, const Layout& layout) {
    const std::vector<char> searched = searched_bones(problem, layout);
    const size_t n = space.count(), count = problem.bones.size();
    std::vector<std::vector<double>> cost(count);
    std::vector<std::vector<int>> choice(count);  // per place of the parent
    const auto fits = [&](size_t bone, size_t place) {
        return !problem.half || (problem.bones[bone].mirror < 0) == (space.side[place] == 0);
    };
    Assignment result{.place = std::vector<int>(count, -1), .turn = turn};
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

// What sticks out of the body and no leaf of the template went there.
double uncovered(const Problem& problem, const EmbedSpace& space, const Assignment& assignment) {
    double cost = 0.0;
    for (const Extremity& end : problem.upright.ends.list) {
        if (end.prominence < 0.08 * space.size || (problem.half && end.position.x() < 0.0)) continue;
        double nearest = end.prominence;
        for (size_t i = 0; i < problem.bones.size(); ++i)
            if (assignment.place[i] >= 0)
                nearest =
                    std::min(nearest, (space.place[static_cast<size_t>(assignment.place[i])] - end.position).norm());
        cost += cover_weight * nearest / space.size;
    }
    return cost;
}

// The left of the template, by its partners; none when it has none.
std::optional<Vec3d> lateral_axis(const std::vector<EmbedBone>& bones, const RigTemplate& t) {
    Vec3d sum = Vec3d::Zero();
    double size = 0.0;
    for (size_t i = 0; i < bones.size(); ++i) {
        if (bones[i].mirror <= static_cast<int>(i)) continue;
        Vec3d d = bones[i].position - bones[static_cast<size_t>(bones[i].mirror)].position;
        if (d.dot(sum) < 0.0) d = -d;
        sum += d;
        size = std::max(size, d.norm());
    }
    if (!(sum.norm() > 1e-9) || t.joints.empty()) return std::nullopt;
    return sum.normalized();
}

// Ways to turn the template. With partners its left is the body's left or right, and the angle about that axis is free;
// without, the 24 turns of a cube. First the one that trusts both to stand upright.
std::vector<Mat3d> candidate_turns(const std::vector<EmbedBone>& bones, const RigTemplate& t) {
    std::vector<Mat3d> turns;
    if (const auto left = lateral_axis(bones, t)) {
        Mat3d frame;  // rows: left, up, ahead of the template as it stands in its file
        const Vec3d x = left->x() < 0.0 ? Vec3d(-*left) : *left;
        Vec3d up = std::abs(x.y()) < 0.9 ? Vec3d::UnitY() : Vec3d::UnitZ();
        up = (up - up.dot(x) * x).normalized();
        frame.row(0) = x;
        frame.row(1) = up;
        frame.row(2) = x.cross(up);
        for (int flip = 0; flip < 2; ++flip)
            for (int step = 0; step < 12; ++step) {
                Mat3d turn = Eigen::AngleAxisd(step * 0.5235987755982988, Vec3d::UnitX()).toRotationMatrix();
                if (flip) turn = turn * Vec3d(-1.0, 1.0, -1.0).asDiagonal();
                turns.push_back(turn * frame);
            }
        return turns;
    }
    for (int axis = 0; axis < 3; ++axis)
        for (int sign = 0; sign < 2; ++sign)
            for (int quarter = 0; quarter < 4; ++quarter) {
                Mat3d base;
                base.row(0) = Vec3d::Unit(axis) * (sign ? -1.0 : 1.0);
                base.row(1) = Vec3d::Unit((axis + 1) % 3);
                base.row(2) = base.row(0).cross(base.row(1));
                turns.push_back(Eigen::AngleAxisd(quarter * 1.5707963267948966, Vec3d::UnitX()).toRotationMatrix() *
                                base);
            }
    return turns;
}

// Files mostly agree on which way is up: another turn must be clearly better.
double turn_doubt(const Mat3d& turn) {
    const double angle = std::acos(std::clamp(0.5 * (turn.trace() - 1.0), -1.0, 1.0));
    return 1.0 + 0.2 * std::min(1.0, angle / 1.5707963267948966);
}

// The rotation that best takes the template to where its bones went.
Mat3d best_turn(const Problem& problem, const EmbedSpace& space, const Assignment& a) {
    std::vector<PointPair> pairs;
    for (size_t i = 0; i < problem.bones.size(); ++i) {
        const EmbedBone& bone = problem.bones[i];
        if (a.place[i] < 0) continue;
        const Vec3d to = space.place[static_cast<size_t>(a.place[i])];
        pairs.push_back({bone.position, to});
        if (problem.half && bone.mirror >= 0)
            pairs.push_back({problem.bones[static_cast<size_t>(bone.mirror)].position, {-to.x(), to.y(), to.z()}});
    }
    return fit_similarity(pairs).turn;
}

// Off the coarse places: each bone is pulled towards the length it should have and halfway to the direction, each joint
// stays near the place it was given and inside the body.
std::vector<Vec3d> refine(const Problem& problem, const Layout& layout, const std::vector<Vec3d>& given) {
    const std::vector<EmbedBone>& bones = problem.bones;
    const VoxelBody& body = problem.upright.body;
    std::vector<Vec3d> wanted(bones.size(), Vec3d::Zero());
    for (size_t i = 0; i < bones.size(); ++i) {
        if (bones[i].parent < 0) continue;
        const auto p = static_cast<size_t>(bones[i].parent);
        const Vec3d own = layout.at[i] - layout.at[p], found = given[i] - given[p];
        const Vec3d mixed = own.normalized() + found.normalized();
        wanted[i] = mixed.norm() > 0.5 ? Vec3d(own.norm() * mixed.normalized()) : own;
    }
    std::vector<Vec3d> at = given;
    for (int round = 0; round < 20; ++round)
        for (size_t i = 0; i < bones.size(); ++i) {
            Vec3d sum = given[i];
            double weight = 1.0;
            const auto pull = [&](const Vec3d& to) { sum += bone_pull * to, weight += bone_pull; };
            if (bones[i].parent >= 0) pull(at[static_cast<size_t>(bones[i].parent)] + wanted[i]);
            for (size_t c = i + 1; c < bones.size(); ++c)
                if (bones[c].parent == static_cast<int>(i)) pull(at[c] - wanted[c]);
            at[i] = sum / weight;
        }
    for (size_t i = 0; i < bones.size(); ++i)
        if (!body.inside(at[i])) at[i] = centre_in_body(body, at[i], 0.05 * layout.size);
    for (size_t i = 0; problem.half && i < bones.size(); ++i) {
        if (bones[i].mirror < 0)
            at[i].x() = 0.0;
        else if (bones[i].mirror < static_cast<int>(i)) {
            const Vec3d& other = at[static_cast<size_t>(bones[i].mirror)];
            at[i] = Vec3d(-other.x(), other.y(), other.z());
        }
    }
    return at;
}

double bone_total(const Problem& problem, const Layout& layout) {
    double total = 0.0;
    for (size_t i = 0; i < problem.bones.size(); ++i)
        if (const int p = problem.bones[i].parent; p >= 0)
            total += (layout.at[i] - layout.at[static_cast<size_t>(p)]).norm();
    return total / layout.size * (problem.half ? 0.6 : 1.0);
}

double angle_between(const Mat3d& a, const Mat3d& b) {
    return std::acos(std::clamp(0.5 * ((a * b.transpose()).trace() - 1.0), -1.0, 1.0));
}

// The best assignment for each turn, on coarse places; best first; of turns that are neighbours only the best, of the
// best two.
std::vector<Assignment> try_turns(const Problem& problem, const EmbedSpace& space, const std::vector<Mat3d>& turns) {
    std::vector<Assignment> found(turns.size()), kept;
    parallel_for(turns.size(), 1, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            found[k] = assign(problem, space, turns[k], lay_out(problem, turns[k]));
            if (found[k].cost < INFINITY)
                found[k].cost = (found[k].cost + uncovered(problem, space, found[k])) * turn_doubt(turns[k]);
        }
    });
    std::stable_sort(found.begin(), found.end(),
                     [](const Assignment& a, const Assignment& b) { return a.cost < b.cost; });
    for (Assignment& a : found) {
        const auto neighbours = std::count_if(kept.begin(), kept.end(),
                                              [&](const Assignment& k) { return angle_between(k.turn, a.turn) < 0.8; });
        if (a.cost < INFINITY && neighbours < (kept.size() < 2 ? 2 : 1)) kept.push_back(std::move(a));
    }
    return kept;
}

// The same on fine places, the template stretched and turned to what was found, again and again.
Assignment improve(const Problem& problem, const EmbedSpace& coarse, const EmbedSpace& fine, const Assignment& start,
                   const EmbedOptions& options) {
    Assignment best;
    Mat3d turn = options.upright ? start.turn : best_turn(problem, coarse, start);
    Layout layout = lay_out_again(problem, coarse, start, turn);
    for (int round = 0; round < 3; ++round) {
        Assignment a = assign(problem, fine, turn, layout);
        if (!(a.cost < INFINITY)) break;
        if (!options.upright) turn = best_turn(problem, fine, a);
        layout = lay_out_again(problem, fine, a, turn);
        a.cost = (a.cost + uncovered(problem, fine, a)) * turn_doubt(a.turn);
        if (a.cost < best.cost) best = std::move(a);
    }
    return best;
}

std::vector<Vec3d> given_places(const Problem& problem, const EmbedSpace& space, const Assignment& best) {
    std::vector<Vec3d> given(problem.bones.size(), Vec3d::Zero());
    for (size_t i = 0; i < problem.bones.size(); ++i) {
        const EmbedBone& bone = problem.bones[i];
        const bool mirrored = best.place[i] < 0 && bone.mirror >= 0;
        const int at = mirrored ? best.place[static_cast<size_t>(bone.mirror)] : best.place[i];
        if (at >= 0) {
            given[i] = space.place[static_cast<size_t>(at)];
            if (mirrored) given[i].x() = -given[i].x();
        } else if (bone.parent >= 0) {
            given[i] = given[static_cast<size_t>(bone.parent)];
        }
    }
    return given;
}

}  // namespace

Embedding embed_template(const Upright& upright, const RigTemplate& t, const EmbedOptions& options) {
    Embedding result;
    result.position.resize(t.size());
    const std::vector<EmbedBone> bones = choose_embed_bones(t);
    if (bones.empty() || upright.body.empty()) return result;
    const bool paired = std::any_of(bones.begin(), bones.end(), [](const EmbedBone& b) { return b.mirror >= 0; });
    const Problem problem{upright, bones, paired && upright.reading.overlap > 0.82};
    const EmbedSpace coarse = find_embed_space(upright, {.most = 70, .half = problem.half});
    const EmbedSpace fine = find_embed_space(upright, {.half = problem.half});
    const std::vector<Mat3d> turns =
        options.upright ? std::vector<Mat3d>{Mat3d::Identity()} : candidate_turns(bones, t);
    const std::vector<Assignment> starts = try_turns(problem, coarse, turns);
    Assignment best;
    double second = INFINITY;
    for (size_t k = 0; k < std::min<size_t>(4, starts.size()); ++k) {
        Assignment a = improve(problem, coarse, fine, starts[k], options);
        if (a.cost < best.cost) std::swap(a, best);
        if (a.cost < second && angle_between(a.turn, best.turn) > 0.6) second = a.cost;
    }
    if (!(best.cost < INFINITY)) return result;
    const Layout layout = lay_out_again(problem, fine, best, best.turn);
    const std::vector<Vec3d> refined = refine(problem, layout, given_places(problem, fine, best));
    for (size_t i = 0; i < bones.size(); ++i)
        if (bones[i].joint >= 0) result.position[static_cast<size_t>(bones[i].joint)] = refined[i];
    result.turn = best.turn;
    result.cost = best.cost / std::max(1e-9, bone_total(problem, lay_out(problem, best.turn)));
    // Another way round that is nearly as good makes it a guess.
    const double margin = std::min(1.0, (second / best.cost - 1.0) / 0.15);
    result.confidence = std::clamp((1.3 - 2.0 * result.cost) * (0.4 + 0.6 * margin), 0.05, 1.0);
    return result;
}

}  // namespace sinew
