// How far a fitted skeleton is from the artist's, and from another fit of the same character. For tests and benchmarks
// of rig.
#pragma once

#include <fmt/format.h>
#include <rig/characters.h>
#include <sinew/rig/fit_skeleton.h>

namespace sinew::test {

struct Score {
    double mean = 0.0, legs = 0.0, worst_limb = 0.0;  // percent of height
    std::string text;
    bool any = false;
};

// Distances between the fitted joints and the artist's, those that the artist has; a joint that is missing is 100% off.
inline Score compare(const BareCharacter& c, const RigResult& rig) {
    Score score;
    double sum = 0.0, leg_sum = 0.0;
    int count = 0, leg_count = 0;
    std::vector<std::string> names = biped_joints();
    if (c.kind != "biped") {
        names.clear();
        for (const auto& [name, place] : c.truth) names.push_back(name);
    }
    for (const std::string& name : names) {
        const auto truth = c.truth.find(name);
        if (truth == c.truth.end()) continue;
        const int32_t j = rig.skeleton.find(name);
        const double error =
            j < 0 ? 100.0
                  : 100.0 * static_cast<double>((rig.positions[static_cast<size_t>(j)] - truth->second).norm()) /
                        c.height;
        sum += error;
        ++count;
        const bool sided = name.rfind("left", 0) == 0 || name.rfind("right", 0) == 0;
        if (sided) score.worst_limb = std::max(score.worst_limb, error);
        if (name.find("Leg") != std::string::npos || name.find("Foot") != std::string::npos ||
            name.find("Toes") != std::string::npos)
            leg_sum += error, ++leg_count;
        if (name.rfind("right", 0) != 0)
            score.text += fmt::format(" {} {:.1f}", name.rfind("left", 0) == 0 ? name.substr(4) : name, error);
    }
    score.any = count > 0;
    if (count > 0) score.mean = sum / count;
    if (leg_count > 0) score.legs = leg_sum / leg_count;
    return score;
}

// Mean and largest distance from the joints of one fit to those of another, percent of height; fingers apart, since
// damage to a hand takes them away. A joint that the other fit has not is compared with the nearest one it has, as are
// all of a rig of no kind, whose chains come in any order.
struct Apart {
    double mean = 0.0, worst = 0.0;
    bool same_fingers = true;  // as many
};

inline bool is_finger(const std::string& name) {
    for (const char* part : {"Thumb", "Index", "Middle", "Ring", "Little"})
        if (name.find(part) != std::string::npos) return true;
    return false;
}

inline double nearest_joint(const RigResult& rig, const Vec3& place) {
    float best = INFINITY;
    for (const Vec3& p : rig.positions) best = std::min(best, (p - place).norm());
    return static_cast<double>(best);
}

inline Apart apart(const RigResult& one, const RigResult& other, double height) {
    Apart result;
    const std::vector<std::string>& names = one.skeleton.names();
    const auto fingers = [](const RigResult& rig) {
        return std::count_if(rig.skeleton.names().begin(), rig.skeleton.names().end(), is_finger);
    };
    result.same_fingers = fingers(one) == fingers(other);
    int count = 0;
    for (size_t j = 0; j < one.positions.size(); ++j) {
        if (is_finger(names[j])) continue;
        const int32_t twin = one.kind == RigKind::generic ? -1 : other.skeleton.find(names[j]);
        const double away =
            (100.0 / height) *
            (twin >= 0 ? static_cast<double>((other.positions[static_cast<size_t>(twin)] - one.positions[j]).norm())
                       : nearest_joint(other, one.positions[j]));
        result.mean += away;
        result.worst = std::max(result.worst, away);
        ++count;
    }
    if (count > 0) result.mean /= count;
    return result;
}

}  // namespace sinew::test
