#include <sinew/pipeline/check/check_rows.h>
#include <sinew/skeleton/creature.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

constexpr double frame_rate = 30;         // frames a second that are looked at
constexpr size_t most_frames = 900;       // of one clip; longer ones are looked at from their start
constexpr double flip_degrees = 150;      // within one frame; artists' quickest hands turn by 130
constexpr double most_below_percent = 2;  // of the height, below the floor
constexpr double most_slide_percent = 6;  // of the height a second: 10 cm/s of a grown person
constexpr double most_clip_stretch = 6;   // times as long as at rest
constexpr double holds_foot = 0.5;        // from this weight on, a vertex is one of the foot
constexpr double sole_percent = 2;        // of the height above the lowest vertex of the foot: its sole
constexpr double standing_percent = 1;    // of the height above the floor
constexpr double lifting_percent = 3;     // of the height a second: what rises or falls faster does not stand
constexpr double in_place_percent = 20;   // of the height: a clip that travels less walks on the spot
constexpr double treadmill_percent = 15;  // of the height a second: the usual speed of its standing feet
constexpr size_t most_sole_points = 48;   // of one foot
constexpr double usual_depth = 0.95;      // the depth that one frame in twenty exceeds

struct SolePoint {
    size_t part = 0, vertex = 0;
};
using Sole = std::vector<SolePoint>;

// The vertices under each foot at rest.
std::vector<Sole> find_soles(const CheckedBody& body, const CreatureMap& map) {
    std::vector<Sole> soles;
    for (const CreatureLimb& leg : map.legs) {
        const auto& parents = body.character.skeleton.parents();
        std::vector<bool> of_foot(parents.size(), false);
        for (size_t j = 0; j < parents.size(); ++j)
            of_foot[j] = static_cast<int32_t>(j) == leg.joints[leg.foot] ||
                         (parents[j] >= 0 && of_foot[static_cast<size_t>(parents[j])]);
        Sole all;
        float lowest = INFINITY;
        for (size_t p = 0; p < body.rest.size(); ++p) {
            const Skin* skin = body.skin(body.rest[p]);
            if (!skin) continue;
            const Influences& influences = body.primitive(body.rest[p]).influences;
            for (size_t v = 0; v < body.rest[p].positions.size(); ++v) {
                double held = 0;
                for (const Influence& each : influences.of(v))
                    if (of_foot[static_cast<size_t>(skin->joints[each.joint])]) held += each.weight;
                if (held < holds_foot) continue;
                all.push_back({p, v});
                lowest = std::min(lowest, body.rest[p].positions[v].y());
            }
        }
        std::erase_if(all, [&](const SolePoint& point) {
            return body.rest[point.part].positions[point.vertex].y() >
                   lowest + static_cast<float>(0.01 * sole_percent * body.height);
        });
        const size_t step = std::max<size_t>(1, all.size() / most_sole_points);
        Sole sole;
        for (size_t i = 0; i < all.size(); i += step) sole.push_back(all[i]);
        if (!sole.empty()) soles.push_back(std::move(sole));
    }
    return soles;
}

// What one clip shows.
struct ClipMeasures {
    size_t flips = 0;
    int32_t flipped = -1;  // the joint of the first flip
    float stretch = 1;
    double below = 0;  // depth below the floor that one frame in twenty exceeds
    double slide = 0;  // mean speed of standing soles, a second
};

// Where every sole point is in every frame.
struct SoleTracks {
    std::vector<std::vector<std::vector<Vec3>>> at;  // [frame][foot][point]
    double travel = 0;                               // of the body from the first frame to the last
};

template <class T>
double percentile(std::vector<T> values, double share) {
    if (values.empty()) return 0;
    const auto at = values.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

// Feet of one who walks on the spot glide by design; how evenly is a matter of the engine's ground speed. Not judged.
// A foot that rolls from heel to toe stands on some point at each moment: the slowest of those on the floor counts.
double mean_slide(const SoleTracks& tracks, double height) {
    std::vector<float> lows;
    for (const auto& feet : tracks.at)
        for (const auto& foot : feet) {
            float low = INFINITY;
            for (const Vec3& point : foot) low = std::min(low, point.y());
            lows.push_back(low);
        }
    const double standing = percentile(lows, 0.05) + 0.01 * standing_percent * height;
    const double lifting = 0.01 * lifting_percent * height / frame_rate;
    std::vector<std::vector<Vec3>> steps;  // of each foot and frame that stands: its points' moves
    for (size_t f = 0; f + 1 < tracks.at.size(); ++f)
        for (size_t foot = 0; foot < tracks.at[f].size(); ++foot) {
            std::vector<Vec3> moves;
            for (size_t i = 0; i < tracks.at[f][foot].size(); ++i) {
                const Vec3 &from = tracks.at[f][foot][i], &to = tracks.at[f + 1][foot][i];
                if (std::max(from.y(), to.y()) < standing && std::abs(to.y() - from.y()) < lifting)
                    moves.push_back(Vec3(to.x() - from.x(), 0, to.z() - from.z()));
            }
            if (!moves.empty()) steps.push_back(std::move(moves));
        }
    if (steps.empty()) return 0;
    if (100 * tracks.travel < in_place_percent * height) {
        std::vector<float> x, z;
        for (const auto& moves : steps)
            for (const Vec3& move : moves) x.push_back(move.x()), z.push_back(move.z());
        const double speed = frame_rate * std::hypot(percentile(x, 0.5), percentile(z, 0.5));
        if (100 * speed > treadmill_percent * height) return 0;
    }
    double sum = 0;
    for (const auto& moves : steps) {
        float slowest = INFINITY;
        for (const Vec3& move : moves) slowest = std::min(slowest, move.norm());
        sum += slowest;
    }
    return sum / static_cast<double>(steps.size()) * frame_rate;
}

void count_flips(const Pose& before, const Pose& now, const std::set<int32_t>& used, ClipMeasures& measures) {
    for (const int32_t joint : used) {
        const auto j = static_cast<size_t>(joint);
        if (degrees(before.local[j].rotation.angularDistance(now.local[j].rotation)) < static_cast<float>(flip_degrees))
            continue;
        if (measures.flips++ == 0) measures.flipped = joint;
    }
}

ClipMeasures measure(const CheckedBody& body, const Clip& clip, CharacterDeformer& deformer,
                     std::span<const EdgeStretch> edges, const std::vector<Sole>& soles) {
    std::set<int32_t> used;
    for (const Skin& skin : body.character.skins) used.insert(skin.joints.begin(), skin.joints.end());
    const auto frames = std::min(most_frames, static_cast<size_t>(std::ceil(duration(clip) * frame_rate)) + 1);
    constexpr size_t stretch_frames = 24;  // of each clip; stretching shows in many frames or in none
    const size_t every = std::max<size_t>(1, frames / stretch_frames);
    ClipMeasures measures;
    SoleTracks tracks;
    std::vector<double> depths;
    std::vector<DeformedPrimitive> posed;
    std::vector<float> scratch;
    Pose pose, before;
    Vec3 first = Vec3::Zero(), last = Vec3::Zero();
    for (size_t f = 0; f < frames; ++f) {
        sample_pose(body.character, &clip, static_cast<float>(static_cast<double>(f) / frame_rate), pose);
        if (f > 0) count_flips(before, pose, used, measures);
        before = pose;
        deformer.deform(pose, posed);
        if (f % every == 0) measures.stretch = std::max(measures.stretch, worst_stretch(edges, posed, scratch));
        if (soles.empty()) continue;
        Box box;
        for (const DeformedPrimitive& part : posed) box.add(bounds(part.positions));
        (f == 0 ? first : last) = box.center();
        depths.push_back(std::max(0.0, -static_cast<double>(box.min.y())));
        auto& feet = tracks.at.emplace_back();
        for (const Sole& sole : soles) {
            auto& points = feet.emplace_back();
            for (const SolePoint& point : sole) points.push_back(posed[point.part].positions[point.vertex]);
        }
    }
    if (soles.empty()) return measures;
    tracks.travel = frames > 1 ? std::hypot(last.x() - first.x(), last.z() - first.z()) : 0;
    measures.below = percentile(depths, usual_depth);
    measures.slide = mean_slide(tracks, body.height);
    return measures;
}

}  // namespace

void check_clips(const CheckedBody& body, const Progress& progress, std::vector<CheckRow>& rows) {
    const Character& character = body.character;
    if (character.clips.empty() || body.rest.empty()) return;
    const CreatureMap map = recognise_creature(character.skeleton);
    const std::vector<Sole> soles = find_soles(body, map);
    std::vector<EdgeStretch> edges;
    for (size_t p = 0; p < body.rest.size(); ++p) edges.push_back(find_edges(body, p));
    CharacterDeformer deformer(character, {.normals = false});
    ClipMeasures worst;
    std::string flips_at, stretch_at, below_at, slide_at;
    for (size_t c = 0; c < character.clips.size(); ++c) {
        report(progress, "playing", static_cast<double>(c) / static_cast<double>(character.clips.size()));
        const Clip& clip = character.clips[c];
        const ClipMeasures found = measure(body, clip, deformer, edges, soles);
        if (found.flips > 0 && worst.flips == 0) flips_at = clip.name + ", " + body.joint_name(found.flipped);
        worst.flips += found.flips;
        if (found.stretch > worst.stretch) worst.stretch = found.stretch, stretch_at = clip.name;
        if (found.below > worst.below) worst.below = found.below, below_at = clip.name;
        if (found.slide > worst.slide) worst.slide = found.slide, slide_at = clip.name;
    }
    report(progress, "playing", 1.0);
    rows.push_back(make_row("flips", static_cast<double>(worst.flips), "", {.most = 0, .beyond = Grade::fault},
                            flips_at,
                            "a joint turns around within one frame; clean the motion, or put it on again with "
                            "`sinew animate`"));
    rows.push_back(make_row("clip_stretch", worst.stretch, "x", {.most = most_clip_stretch, .beyond = Grade::warning},
                            stretch_at, "skin tears in this clip; smooth the weights with `sinew weights --smooth 3`"));
    if (soles.empty()) return;
    rows.push_back(make_row(
        "below_floor", 100 * worst.below / body.height, "%", {.most = most_below_percent, .beyond = Grade::warning},
        below_at, "the body sinks into the floor in this clip; put the motion on again with `sinew animate`"));
    rows.push_back(make_row("foot_slide", 100 * worst.slide / body.height, "%/s",
                            {.most = most_slide_percent, .beyond = Grade::warning}, slide_at,
                            "feet that stand slide in this clip; put the motion on again with `sinew retarget`, which "
                            "plants them"));
}

}  // namespace sinew
