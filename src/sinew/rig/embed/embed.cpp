#include <sinew/rig/embed/embed.h>

#include <sinew/core/parallel.h>
#include <sinew/rig/embed/embed_search.h>
#include <sinew/rig/embed/embed_turns.h>
#include <sinew/rig/embed/similarity.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// All of these are chosen by us, on the templates of bench/rig_template_bench.cpp.
// How much a bone pulls at its joints, beside the place they were given; rounds until that settles.
constexpr double bone_pull = 1.0;
constexpr int refine_rounds = 20;
// Directions that are nearly opposite have no mean worth taking (length of the sum of two unit vectors).
constexpr double mean_direction = 0.5;
// A joint outside the body moves inside from no farther than this share of the body's size.
constexpr double back_inside = 0.05;
// The length of the middle and one side, as a share of the whole.
constexpr double half_of_bones = 0.6;
// Turns within 46 degrees (radians) are neighbours, after improving 34. Of neighbours only the best is tried, of the
// first two turns both.
constexpr double neighbour_turns = 0.8, same_turn = 0.6;
constexpr size_t first_turns = 2, tried_turns = 4;
constexpr int improve_rounds = 3;
// A body that mirrors itself this well is searched by halves, on so many places for the first look.
constexpr double mirrored_enough = 0.82;
constexpr int coarse_places = 70;
// Confidence falls with cost, from a perfect one down; and to `without_margin` of it when the next best turn costs less
// than `clear_margin` more: then it is a guess. Never quite none.
constexpr double perfect = 1.3, cost_falls = 2.0, without_margin = 0.4, margin_adds = 0.6, clear_margin = 0.15,
                 least_confidence = 0.05, no_bones = 1e-9;

// The rotation that best takes the template to where its bones went.
Mat3d best_turn(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& a) {
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

// Moves joints off the coarse places. Each bone is pulled to the length it should have and halfway to its direction;
// each joint stays near the place it was given, and inside the body.
std::vector<Vec3d> refine(const EmbedProblem& problem, const EmbedLayout& layout, const std::vector<Vec3d>& given) {
    const std::vector<EmbedBone>& bones = problem.bones;
    const VoxelBody& body = problem.upright.body;
    std::vector<Vec3d> wanted(bones.size(), Vec3d::Zero());
    for (size_t i = 0; i < bones.size(); ++i) {
        if (bones[i].parent < 0) continue;
        const auto p = static_cast<size_t>(bones[i].parent);
        const Vec3d own = layout.at[i] - layout.at[p], found = given[i] - given[p];
        const Vec3d mixed = own.normalized() + found.normalized();
        wanted[i] = mixed.norm() > mean_direction ? Vec3d(own.norm() * mixed.normalized()) : own;
    }
    std::vector<Vec3d> at = given;
    for (int round = 0; round < refine_rounds; ++round)
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
        if (!body.inside(at[i])) at[i] = centre_in_body(body, at[i], back_inside * layout.size);
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

double bone_total(const EmbedProblem& problem, const EmbedLayout& layout) {
    double total = 0.0;
    for (size_t i = 0; i < problem.bones.size(); ++i)
        if (const int p = problem.bones[i].parent; p >= 0)
            total += (layout.at[i] - layout.at[static_cast<size_t>(p)]).norm();
    return total / layout.size * (problem.half ? half_of_bones : 1.0);
}

// The best assignments on coarse places, one for each turn, best first, without neighbours.
std::vector<EmbedAssignment> try_turns(const EmbedProblem& problem, const EmbedSpace& space,
                                       const std::vector<Mat3d>& turns) {
    std::vector<EmbedAssignment> found(turns.size()), kept;
    parallel_for(turns.size(), 1, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            found[k] = assign(problem, space, turns[k], lay_out(problem, turns[k]));
            if (found[k].cost < INFINITY)
                found[k].cost = (found[k].cost + uncovered(problem, space, found[k])) * turn_doubt(turns[k]);
        }
    });
    std::stable_sort(found.begin(), found.end(),
                     [](const EmbedAssignment& a, const EmbedAssignment& b) { return a.cost < b.cost; });
    for (EmbedAssignment& a : found) {
        const auto neighbours = std::count_if(kept.begin(), kept.end(), [&](const EmbedAssignment& k) {
            return angle_between(k.turn, a.turn) < neighbour_turns;
        });
        if (a.cost < INFINITY && neighbours < (kept.size() < first_turns ? 2 : 1)) kept.push_back(std::move(a));
    }
    return kept;
}

// Searches again on fine places, with the template stretched and turned to what was found, a few times.
EmbedAssignment improve(const EmbedProblem& problem, const EmbedSpace& coarse, const EmbedSpace& fine,
                        const EmbedAssignment& start, const EmbedOptions& options) {
    EmbedAssignment best;
    Mat3d turn = options.upright ? start.turn : best_turn(problem, coarse, start);
    EmbedLayout layout = lay_out_again(problem, coarse, start, turn);
    for (int round = 0; round < improve_rounds; ++round) {
        EmbedAssignment a = assign(problem, fine, turn, layout);
        if (!(a.cost < INFINITY)) break;
        if (!options.upright) turn = best_turn(problem, fine, a);
        layout = lay_out_again(problem, fine, a, turn);
        a.cost = (a.cost + uncovered(problem, fine, a)) * turn_doubt(a.turn);
        if (a.cost < best.cost) best = std::move(a);
    }
    return best;
}

std::vector<Vec3d> given_places(const EmbedProblem& problem, const EmbedSpace& space, const EmbedAssignment& best) {
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
    const EmbedProblem problem{upright, bones, paired && upright.reading.overlap > mirrored_enough};
    const EmbedSpace coarse = find_embed_space(upright, {.most = coarse_places, .half = problem.half});
    const EmbedSpace fine = find_embed_space(upright, {.half = problem.half});
    const std::vector<Mat3d> turns =
        options.upright ? std::vector<Mat3d>{Mat3d::Identity()} : candidate_turns(bones, t);
    const std::vector<EmbedAssignment> starts = try_turns(problem, coarse, turns);
    EmbedAssignment best;
    double second = INFINITY;
    for (size_t k = 0; k < std::min(tried_turns, starts.size()); ++k) {
        EmbedAssignment a = improve(problem, coarse, fine, starts[k], options);
        if (a.cost < best.cost) std::swap(a, best);
        if (a.cost < second && angle_between(a.turn, best.turn) > same_turn) second = a.cost;
    }
    if (!(best.cost < INFINITY)) return result;
    const EmbedLayout layout = lay_out_again(problem, fine, best, best.turn);
    const std::vector<Vec3d> refined = refine(problem, layout, given_places(problem, fine, best));
    for (size_t i = 0; i < bones.size(); ++i)
        if (bones[i].joint >= 0) result.position[static_cast<size_t>(bones[i].joint)] = refined[i];
    result.turn = best.turn;
    result.cost = best.cost / std::max(no_bones, bone_total(problem, lay_out(problem, best.turn)));
    const double margin = std::min(1.0, (second / best.cost - 1.0) / clear_margin);
    result.confidence = std::clamp((perfect - cost_falls * result.cost) * (without_margin + margin_adds * margin),
                                   least_confidence, 1.0);
    return result;
}

}  // namespace sinew
