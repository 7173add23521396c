#include <sinew/flock/agents/walkers.h>

#include <sinew/core/parallel.h>
#include <sinew/flock/agents/avoid.h>
#include <sinew/flock/agents/way_field.h>
#include <sinew/flock/neighbour_rows.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr size_t most_others = 12;      // that a walker looks at: the nearest
constexpr size_t most_walls = 12;       // the same of obstacles
constexpr uint32_t most_looked = 1024;  // candidates, however thick the crowd
constexpr int parting_rounds = 3;       // of pushing bodies apart that overlap
constexpr size_t walkers_per_chunk = 64, walker_cells_per_chunk = 8;
constexpr float standing = 0.15f;  // metres a second below which a walker keeps its heading

struct Neighbours {
    std::array<uint32_t, most_others> who{};
    std::array<float, most_others> squared{};
    uint32_t count = 0;

    // Keeps the nearest, in order; of equals the first.
    void add(uint32_t other, float distance_squared) {
        if (count == most_others && distance_squared >= squared[most_others - 1]) return;
        size_t at = count < most_others ? count++ : most_others - 1;
        for (; at > 0 && squared[at - 1] > distance_squared; --at) who[at] = who[at - 1], squared[at] = squared[at - 1];
        who[at] = other, squared[at] = distance_squared;
    }
};

float wrapped(float angle) {
    return std::remainder(angle, 2.0f * pi);
}

// A number in [−1, 1] of its own for each walker: no two see a symmetric scene alike.
float own_number(size_t walker) {
    const auto mixed = static_cast<uint32_t>(walker) * 2654435761u;
    return static_cast<float>(mixed >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

// The obstacles' half-planes: hard. Returns how many.
size_t keep_off_walls(const Walker& walker, std::span<const GroundObstacle> obstacles, const WalkRules& rules,
                      std::span<HalfPlane> planes) {
    size_t count = 0;
    for (const GroundObstacle& obstacle : obstacles) {
        const ObstacleDistance to = distance_to(obstacle, walker.position);
        const float room = to.distance - walker.radius;
        if (room > walker.speed * rules.horizon || count == most_walls) continue;
        planes[count++] = {-to.outwards * (room / rules.wall_horizon), to.outwards};
    }
    return count;
}

void turn(Walker& walker, const WalkRules& rules, float seconds) {
    if (walker.velocity.norm() < standing) return;
    const float off = wrapped(std::atan2(walker.velocity.x(), walker.velocity.y()) - walker.heading);
    const float share = 1.0f - std::exp(-seconds / std::max(rules.turn_seconds, 1e-3f));
    walker.heading =
        wrapped(walker.heading + std::clamp(off * share, -rules.turn_rate * seconds, rules.turn_rate * seconds));
}

}  // namespace

struct Walkers::State {
    WalkScene scene;
    WalkRules rules;
    std::vector<WayField> ways;  // one per goal, where there are obstacles
    NeighbourRows rows;
    std::vector<Walker> walkers, next;
    std::vector<Neighbours> near;
    std::vector<Vec3> places;
    std::vector<Vec2> pushed;

    Vec2 wanted(size_t i) const;
    Vec2 choose(size_t i, float seconds) const;
    void see();
    void part();
    void push_off_walls(Walker& walker) const;
};

Vec2 Walkers::State::wanted(size_t i) const {
    const Walker& walker = walkers[i];
    if (walker.goal >= scene.goals.size()) return Vec2::Zero();
    const WalkGoal& goal = scene.goals[walker.goal];
    const Vec2 straight = goal.place - walker.position;
    const float length = straight.norm();
    if (goal.next < 0 && length < goal.radius) return Vec2::Zero();
    const Vec2 direction = !ways.empty()   ? ways[walker.goal].towards_goal(walker.position)
                           : length > 0.0f ? Vec2(straight / length)
                                           : Vec2(Vec2::Zero());
    constexpr float sway = 0.06f;  // radians by which walkers differ
    const Eigen::Rotation2Df own(sway * own_number(i));
    return own * direction * walker.speed;
}

Vec2 Walkers::State::choose(size_t i, float seconds) const {
    const Walker& walker = walkers[i];
    std::array<HalfPlane, most_walls + most_others> planes, scratch;
    const size_t hard = keep_off_walls(walker, scene.obstacles, rules, planes);
    size_t count = hard;
    const MovingDisc self{walker.position, walker.velocity, walker.radius + rules.space};
    for (uint32_t n = 0; n < near[i].count; ++n) {
        const Walker& other = walkers[near[i].who[n]];
        planes[count++] = avoid_each_other(self, {other.position, other.velocity, other.radius + rules.space},
                                           rules.horizon, seconds);
    }
    constexpr float hurry = 1.2f;  // times its speed, to get out of the way
    return choose_velocity(std::span(planes).first(count), hard, wanted(i), hurry * walker.speed, scratch);
}

void Walkers::State::see() {
    for (size_t i = 0; i < walkers.size(); ++i)
        places[i] = Vec3(walkers[i].position.x(), 0.0f, walkers[i].position.y());
    rows.build(places, rules.sight);
    const std::span<const uint32_t> order = rows.order();
    parallel_for(rows.cell_count(), walker_cells_per_chunk, [&](size_t begin, size_t end) {
        rows.visit_cells(begin, end, [&](PointRange mine, const NearRanges& ranges) {
            uint32_t total = 0;
            for (const PointRange& range : ranges) total += range.size();
            const uint32_t stride = 1 + total / (most_looked + 1);
            for (uint32_t k = mine.begin; k < mine.end; ++k) {
                const uint32_t i = order[k];
                near[i].count = 0;
                for (const PointRange& range : ranges)
                    for (uint32_t n = range.begin + (k - mine.begin) % stride; n < range.end; n += stride) {
                        const float squared = (walkers[order[n]].position - walkers[i].position).squaredNorm();
                        if (order[n] != i && squared < rules.sight * rules.sight) near[i].add(order[n], squared);
                    }
            }
        });
    });
}

void Walkers::State::push_off_walls(Walker& walker) const {
    for (int round = 0; round < parting_rounds; ++round)
        for (const GroundObstacle& obstacle : scene.obstacles) {
            const ObstacleDistance to = distance_to(obstacle, walker.position);
            if (to.distance >= walker.radius) continue;
            walker.position += to.outwards * (walker.radius - to.distance);
            walker.velocity -= to.outwards * std::min(0.0f, walker.velocity.dot(to.outwards));
        }
}

// Bodies that overlap go half the way each; everyone by what all were before the round.
void Walkers::State::part() {
    for (int round = 0; round < parting_rounds; ++round) {
        parallel_for(next.size(), walkers_per_chunk, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                pushed[i].setZero();
                for (uint32_t n = 0; n < near[i].count; ++n) {
                    const uint32_t j = near[i].who[n];
                    const Vec2 from = next[i].position - next[j].position;
                    const float distance = from.norm(), together = next[i].radius + next[j].radius;
                    if (distance >= together) continue;
                    const Vec2 direction = distance > 0.0f ? Vec2(from / distance) : Vec2(i < j ? 1.0f : -1.0f, 0.0f);
                    pushed[i] += direction * (0.5f * (together - distance));
                }
            }
        });
        parallel_for(next.size(), walkers_per_chunk, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                next[i].position += pushed[i];
                push_off_walls(next[i]);
            }
        });
    }
}

Walkers::Walkers(std::vector<Walker> walkers, WalkScene scene, WalkRules rules) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.scene = std::move(scene), s.rules = rules, s.walkers = std::move(walkers);
    float widest = 0.0f;
    Box ground;
    for (Walker& walker : s.walkers) {
        if (!walker.position.allFinite()) walker.position.setZero();
        if (!walker.velocity.allFinite()) walker.velocity.setZero();
        if (!std::isfinite(walker.heading)) walker.heading = 0.0f;
        s.push_off_walls(walker);
        widest = std::max(widest, walker.radius);
        ground.add(Vec3(walker.position.x(), 0, walker.position.y()));
    }
    for (const WalkGoal& goal : s.scene.goals) ground.add(Vec3(goal.place.x(), 0, goal.place.y()));
    for (const GroundObstacle& obstacle : s.scene.obstacles)
        for (const Vec2& corner : obstacle.corners) ground.add(Vec3(corner.x(), 0, corner.y()));
    constexpr float margin = 2.0f;  // metres, to walk round the outermost obstacles
    if (!s.scene.obstacles.empty())
        for (const WalkGoal& goal : s.scene.goals)
            s.ways.emplace_back(s.scene.obstacles, goal.place, widest,
                                Vec2(ground.min.x() - margin, ground.min.z() - margin),
                                Vec2(ground.max.x() + margin, ground.max.z() + margin));
}
Walkers::~Walkers() = default;
Walkers::Walkers(Walkers&&) noexcept = default;
Walkers& Walkers::operator=(Walkers&&) noexcept = default;

std::span<const Walker> Walkers::walkers() const {
    return state_->walkers;
}

bool Walkers::can_arrive(size_t walker) const {
    const Walker& w = state_->walkers[walker];
    return state_->ways.empty() || w.goal >= state_->ways.size() || state_->ways[w.goal].reaches(w.position);
}

void Walkers::step(float seconds) {
    State& s = *state_;
    const size_t count = s.walkers.size();
    s.next.resize(count), s.near.resize(count), s.places.resize(count), s.pushed.resize(count);
    s.see();
    parallel_for(count, walkers_per_chunk, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            Walker walker = s.walkers[i];
            Vec2 change = s.choose(i, seconds) - walker.velocity;
            const float most = s.rules.strongest * seconds, length = change.norm();
            if (length > most) change *= most / length;
            walker.velocity += change;
            walker.position += walker.velocity * seconds;
            turn(walker, s.rules, seconds);
            if (walker.goal < s.scene.goals.size()) {
                const WalkGoal& goal = s.scene.goals[walker.goal];
                if (goal.next >= 0 && (goal.place - walker.position).norm() < goal.radius)
                    walker.goal = static_cast<uint32_t>(goal.next);
            }
            s.next[i] = walker;
        }
    });
    s.part();
    std::swap(s.walkers, s.next);
}

}  // namespace sinew
