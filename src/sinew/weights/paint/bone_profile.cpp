#include <sinew/weights/paint/bone_profile.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Less than this of a vertex, and it does not count as the bone's skin.
constexpr float least_share = 0.01f;

struct NearestOnWay {
    double at = 0.0, distance = INFINITY;
};

void try_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b, double before, double total, NearestOnWay& best) {
    const Vec3d line = b - a;
    const double length = line.norm();
    const double u = length > 0.0 ? std::clamp((p - a).dot(line) / (length * length), 0.0, 1.0) : 0.0;
    const double distance = (a + u * line - p).norm();
    if (distance < best.distance) best = {total > 0.0 ? (before + u * length) / total : 0.0, distance};
}

double place_on(const BoneWay& way, const Vec3d& p) {
    const double first = (way.middle - way.from).norm(), total = first + (way.to - way.middle).norm();
    NearestOnWay best;
    try_segment(p, way.from, way.middle, 0.0, total, best);
    try_segment(p, way.middle, way.to, first, total, best);
    return best.at;
}

struct Shares {
    float joint = 0.0f, parent = 0.0f;
    float both() const { return joint + parent; }
};
Shares shares_of(std::span<const Influence> row, const BoneWay& way) {
    Shares shares;
    for (const Influence& i : row) {
        if (i.joint == way.joint) shares.joint += i.weight;
        if (i.joint == way.parent) shares.parent += i.weight;
    }
    return shares;
}

// Between the samples straight lines.
double profile_at(std::span<const float> profile, double place) {
    const double x = place * static_cast<double>(profile.size() - 1);
    const auto i = std::min(static_cast<size_t>(x), profile.size() - 1), next = std::min(i + 1, profile.size() - 1);
    const double u = x - static_cast<double>(i);
    return (1.0 - u) * profile[i] + u * profile[next];
}

// Empty places take the straight line between those beside them; at the ends the nearest value.
void fill_gaps(std::vector<float>& profile, const std::vector<double>& total) {
    const auto full = [&](size_t i) { return total[i] > 0.0; };
    for (size_t i = 0; i < profile.size(); ++i) {
        if (full(i)) continue;
        size_t before = i, after = i;
        while (before > 0 && !full(before)) --before;
        while (after + 1 < profile.size() && !full(after)) ++after;
        if (full(before) && full(after)) {
            const float u = static_cast<float>(i - before) / static_cast<float>(after - before);
            profile[i] = (1.0f - u) * profile[before] + u * profile[after];
        } else if (full(before) || full(after)) {
            profile[i] = full(before) ? profile[before] : profile[after];
        }
    }
}

}  // namespace

std::vector<float> bone_profile(const Surface& surface, const WeightField& field, const BoneWay& way, size_t samples) {
    samples = std::max<size_t>(samples, 2);
    std::vector<double> sum(samples, 0.0), total(samples, 0.0);
    for (size_t v = 0; v < field.vertex_count(); ++v) {
        const Shares shares = shares_of(field.of(v), way);
        if (shares.both() < least_share) continue;
        // Each vertex counts for the two samples beside it, the nearer one more.
        const double x = place_on(way, surface.positions[v]) * static_cast<double>(samples - 1);
        const auto i = std::min(static_cast<size_t>(x), samples - 2);
        const double u = x - static_cast<double>(i);
        for (const auto& [at, share] : {std::pair(i, 1.0 - u), std::pair(i + 1, u)}) {
            sum[at] += share * shares.joint;
            total[at] += share * shares.both();
        }
    }
    std::vector<float> profile(samples, 0.0f);
    for (size_t i = 0; i < samples; ++i)
        if (total[i] > 0.0) profile[i] = static_cast<float>(sum[i] / total[i]);
    fill_gaps(profile, total);
    return profile;
}

std::vector<uint32_t> set_bone_profile(const Surface& surface, const BoneWay& way, std::span<const float> profile,
                                       WeightField& field) {
    const std::vector<float> before = bone_profile(surface, field, way, profile.size());
    std::vector<uint32_t> changed;
    std::vector<Influence> row;
    for (size_t v = 0; v < field.vertex_count(); ++v) {
        const Shares shares = shares_of(field.of(v), way);
        if (shares.both() < least_share) continue;
        const double place = place_on(way, surface.positions[v]);
        const double difference = profile_at(profile, place) - profile_at(before, place);
        const double part = std::clamp(shares.joint / shares.both() + difference, 0.0, 1.0);
        const auto joint = static_cast<float>(part * shares.both());
        if (joint == shares.joint) continue;
        row.clear();
        for (const Influence& i : field.of(v))
            if (i.joint != way.joint && i.joint != way.parent) row.push_back(i);
        row.push_back({way.joint, joint});
        row.push_back({way.parent, shares.both() - joint});
        field.set(v, row);
        field.normalise(v);
        changed.push_back(static_cast<uint32_t>(v));
    }
    return changed;
}

}  // namespace sinew
