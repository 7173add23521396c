// One character turned, scaled, moved and damaged, and what the fit makes of it. For tests and benchmarks of rig.
#pragma once

#include <rig/score.h>
#include <support/dirty.h>

namespace sinew::test {

struct Change {
    Quatd turn = Quatd::Identity();
    double scale = 1.0;
    uint64_t damage = 0;  // seed; 0: none
};

inline double any_scale(Random& random) {
    return std::pow(10.0, random.uniform(-3.0, 3.0));
}

// The turns that take axes to axes.
inline std::vector<Quatd> axis_turns() {
    std::vector<Quatd> turns;
    for (int x = 0; x < 6; ++x)
        for (int y = 0; y < 6; ++y) {
            if (x / 2 == y / 2) continue;
            Mat3d m;
            m.col(0) = (x % 2 ? -1.0 : 1.0) * Vec3d::Unit(x / 2);
            m.col(1) = (y % 2 ? -1.0 : 1.0) * Vec3d::Unit(y / 2);
            m.col(2) = m.col(0).cross(m.col(1));
            turns.push_back(Quatd(m));
        }
    return turns;
}

inline Quatd free_turn(Random& random) {
    Quatd q;
    do {
        for (int k = 0; k < 4; ++k) q.coeffs()[k] = random.uniform(-1.0, 1.0);
    } while (q.norm() > 1.0 || q.norm() < 0.1);
    return q.normalized();
}

// All 24 axis orientations, each at a scale of its own between 1e-3 and 1e3.
inline std::vector<Change> axis_changes(uint64_t seed) {
    Random random(seed);
    std::vector<Change> changes;
    for (const Quatd& turn : axis_turns()) changes.push_back({.turn = turn, .scale = any_scale(random)});
    return changes;
}

inline std::vector<Change> free_changes(size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<Change> changes;
    while (changes.size() < count) changes.push_back({.turn = free_turn(random), .scale = any_scale(random)});
    return changes;
}

// One to three kinds of damage, in one of the axis orientations.
inline std::vector<Change> dirty_changes(size_t count, uint64_t seed) {
    Random random(seed);
    const std::vector<Quatd> turns = axis_turns();
    std::vector<Change> changes;
    while (changes.size() < count)
        changes.push_back(
            {.turn = turns[random.below(24)], .scale = any_scale(random), .damage = 1 + random.below(1u << 30)});
    return changes;
}

struct Outcome {
    RigResult rig;  // turned back
    Apart apart;    // from the fit of the untouched character
    Score score;    // against the artist
    std::string done;
    bool same = false;  // the kind, and every joint within 2% of height in the mean
};

inline Outcome run_changed(const BareCharacter& c, const RigResult& untouched, const Change& change) {
    Outcome outcome;
    DirtyMesh mesh{.positions = c.positions, .triangles = c.triangles};
    mesh.clean.assign(mesh.positions.size(), 0);
    if (change.damage != 0) {
        Random random(change.damage);
        damage(mesh, random);
        outcome.done = mesh.done;
    }
    const Vec3d away = Vec3d(0.3, -1.2, 2.1) * c.height;
    for (Vec3& p : mesh.positions) p = (change.scale * (change.turn * (p.cast<double>() + away))).cast<float>();
    outcome.rig = fit_skeleton(mesh.positions, mesh.triangles).value();
    const auto back = [&](const Vec3& p) -> Vec3 {
        return (change.turn.conjugate() * (p.cast<double>() / change.scale) - away).cast<float>();
    };
    for (Vec3& p : outcome.rig.positions) p = back(p);
    outcome.apart = apart(untouched, outcome.rig, c.height);
    outcome.score = compare(c, outcome.rig);
    outcome.same = outcome.rig.kind == untouched.kind && outcome.apart.mean <= 2.0;
    return outcome;
}

}  // namespace sinew::test
