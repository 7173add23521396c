#include <sinew/flock/boids/flock.h>

#include <sinew/core/parallel.h>
#include <sinew/flock/boids/steering.h>
#include <sinew/flock/neighbour_rows.h>
#include <algorithm>
#include <cmath>

namespace sinew {

struct Flock::State {
    FlockRules rules;
    FlockScene scene;
    NeighbourRows rows;
    std::vector<Boid> boids, sorted;
    std::vector<Vec3> positions;
    std::vector<Boid> leaders, predators;  // as they are at the start of a step
};

namespace {

constexpr size_t cells_per_chunk = 256;

// The nearest of few, within far sight.
const Boid* nearest_seen(const Boid& boid, std::span<const Boid> others, const FlockRules& rules) {
    const Boid* nearest = nullptr;
    float best = rules.far_sight * rules.far_sight;
    for (const Boid& other : others) {
        const float squared = (other.position - boid.position).squaredNorm();
        if (other.id != boid.id && squared < best) best = squared, nearest = &other;
    }
    return nearest;
}

// Fear counts more the nearer the predator is.
Vec3 flee(const Boid& boid, std::span<const Boid> predators, const FlockRules& rules) {
    Vec3 away = Vec3::Zero();
    for (const Boid& predator : predators) {
        const Vec3 from = boid.position - predator.position;
        const float distance = from.norm();
        if (distance < rules.far_sight && distance > 0.0f)
            away += from / distance * (rules.fastest * (1.0f - distance / rules.far_sight));
    }
    return away;
}

struct Around {
    std::span<const Boid> boids;  // sorted
    NearRanges near;
    uint32_t stride = 1;
};

// Every stride-th of all that are near, starting with the boid's own number so that each is somebody's neighbour.
template <class Visit>
void visit_near(const Around& around, uint32_t start, const Visit& visit) {
    uint32_t skip = start % around.stride;
    for (const PointRange& range : around.near) {
        uint32_t k = range.begin + skip;
        for (; k < range.end; k += around.stride) visit(around.boids[k]);
        skip = k - range.end;
    }
}

struct Viewer {
    const FlockRules& rules;
    const FlockScene& scene;
    std::span<const Boid> leaders, predators;
    float cos_half_view;
};

Vec3 steer_follower(const Boid& boid, uint32_t number, const Around& around, const Viewer& viewer) {
    const FlockRules& rules = viewer.rules;
    Seen seen;
    visit_near(around, number, [&](const Boid& other) {
        if (other.id != boid.id && other.role != BoidRole::predator)
            look_at(boid, other, rules, viewer.cos_half_view, seen);
    });
    seen.away *= static_cast<float>(around.stride);  // those that were passed over are as near
    Vec3 wanted = steer_with_flock(boid, seen, rules);
    if (rules.leader != 0.0f)
        if (const Boid* leader = nearest_seen(boid, viewer.leaders, rules))
            wanted += rules.leader * steer_to(boid, leader->position, rules);
    if (rules.fear != 0.0f) wanted += rules.fear * flee(boid, viewer.predators, rules);
    return wanted;
}

// A predator looks at every boid: predators are few.
Vec3 steer_predator(const Boid& boid, const Around& around, const Viewer& viewer) {
    const Boid* prey = nullptr;
    float best = viewer.rules.far_sight * viewer.rules.far_sight;
    for (const Boid& other : around.boids) {
        const float squared = (other.position - boid.position).squaredNorm();
        if (other.role == BoidRole::follower && squared < best) best = squared, prey = &other;
    }
    return prey ? steer_to(boid, prey->position, viewer.rules) : Vec3(Vec3::Zero());
}

void move(Boid& boid, const Vec3& wanted, const FlockRules& rules, float seconds) {
    Vec3 push = wanted;
    push.y() -= rules.level * boid.velocity.y();
    const float strength = push.norm();
    if (strength > rules.strongest) push *= rules.strongest / strength;
    boid.velocity += push * seconds;
    const float speed = boid.velocity.norm();
    if (speed > 0.0f) boid.velocity *= std::clamp(speed, rules.slowest, rules.fastest) / speed;
    boid.position += boid.velocity * seconds;
}

void step_boid(Boid& boid, uint32_t number, const Around& around, const Viewer& viewer, float seconds) {
    const FlockRules& rules = viewer.rules;
    Vec3 wanted = boid.role == BoidRole::follower   ? steer_follower(boid, number, around, viewer)
                  : boid.role == BoidRole::predator ? steer_predator(boid, around, viewer)
                                                    : Vec3(Vec3::Zero());
    const std::span<const Vec3> goals = viewer.scene.goals;
    if (!goals.empty() && rules.goal != 0.0f && boid.role != BoidRole::predator) {
        boid.goal = static_cast<uint16_t>(boid.goal % goals.size());
        wanted += rules.goal * steer_to(boid, goals[boid.goal], rules);
        if ((goals[boid.goal] - boid.position).norm() < rules.goal_reached)
            boid.goal = static_cast<uint16_t>((boid.goal + 1u) % goals.size());
    }
    wanted += rules.obstacle * steer_past(boid, viewer.scene.obstacles, rules);
    wanted += rules.bounds * steer_inside(boid, viewer.scene.bounds, rules);
    move(boid, wanted, rules, seconds);
    push_out(viewer.scene.obstacles, boid);
}

void make_finite(std::span<Boid> boids) {
    for (Boid& boid : boids) {
        if (!boid.position.allFinite()) boid.position.setZero();
        if (!boid.velocity.allFinite()) boid.velocity.setZero();
    }
}

}  // namespace

Flock::Flock(std::vector<Boid> boids, FlockRules rules, FlockScene scene) : state_(std::make_unique<State>()) {
    state_->rules = rules, state_->scene = std::move(scene), state_->boids = std::move(boids);
    make_finite(state_->boids);
}
Flock::~Flock() = default;
Flock::Flock(Flock&&) noexcept = default;
Flock& Flock::operator=(Flock&&) noexcept = default;

void Flock::set_boids(std::span<const Boid> boids) {
    state_->boids.assign(boids.begin(), boids.end());
    make_finite(state_->boids);
}

std::span<const Boid> Flock::boids() const {
    return state_->boids;
}

void Flock::sort_by_id(std::span<Boid> by_id) const {
    for (const Boid& boid : state_->boids)
        if (boid.id < by_id.size()) by_id[boid.id] = boid;
}

void Flock::step(float seconds) {
    State& s = *state_;
    s.positions.resize(s.boids.size()), s.sorted.resize(s.boids.size());
    s.leaders.clear(), s.predators.clear();
    for (size_t i = 0; i < s.boids.size(); ++i) {
        s.positions[i] = s.boids[i].position;
        if (s.boids[i].role == BoidRole::leader) s.leaders.push_back(s.boids[i]);
        if (s.boids[i].role == BoidRole::predator) s.predators.push_back(s.boids[i]);
    }
    s.rows.build(s.positions, s.rules.sight);
    const std::span<const uint32_t> order = s.rows.order();
    for (size_t k = 0; k < order.size(); ++k) s.sorted[k] = s.boids[order[k]];
    // The sorted ones are what everyone sees; `boids` is where they go, and is sorted from now on.
    const Viewer viewer{s.rules, s.scene, s.leaders, s.predators, std::cos(0.5f * s.rules.field_of_view)};
    parallel_for(s.rows.cell_count(), cells_per_chunk, [&](size_t begin, size_t end) {
        s.rows.visit_cells(begin, end, [&](PointRange points, const NearRanges& near) {
            Around around{s.sorted, near};
            uint32_t total = 0;
            for (const PointRange& range : near) total += range.size();
            around.stride = 1 + total / (most_neighbours + 1);
            for (uint32_t k = points.begin; k < points.end; ++k) {
                Boid boid = s.sorted[k];
                step_boid(boid, k, around, viewer, seconds);
                s.boids[k] = boid;
            }
        });
    });
}

}  // namespace sinew
