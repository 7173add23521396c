#include <sinew/physics/cloth/cloth.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Air at 20 °C, kilograms per cubic metre; what it does to a plate across it is half of that, times speed squared.
constexpr float air_density = 1.2f;
// Within one step the air may take or give no more of a velocity than this.
constexpr float most_caught = 0.5f;
// An edge that should keep its length may be this many times as long; the second where a body is in the way.
constexpr float most_stretch = 1.04f, last_stretch = 1.09f;
// What a body pushes out stretches edges, and what edges pull back gets into the body: both are asked so often.
constexpr int contact_rounds = 2, last_rounds = 72;
// Fabric rubs in itself: of the speed of two neighbours against each other so much is lost in a second, as an exponent.
// Waves over many edges lose little by it, trembling from vertex to vertex ends within some hundredths of a second.
constexpr float inner_friction = 3.0f;
// Pairs of points near each other for which there is room from the start.
constexpr size_t pairs_per_vertex = 8;
// Of the last rounds, every so manieth asks anew where the skin is nearest. Few are needed but where limbs pinch cloth.
constexpr int asking_rounds = 4;
// Where it is still pulled after so many of them, cloth is pressed to this share of its thickness.
constexpr int thick_rounds = 12;
constexpr float squeezed_share = 0.3f;

}  // namespace

void Cloth::step(float seconds, const ClothWorld& world) {
    if (rest_.empty() || !(seconds > 0.0f)) return;
    prepare_frame(seconds, world);
    const int n = std::max(options_.substeps, 1);
    const float h = seconds / static_cast<float>(n), per_h2 = 1.0f / (h * h);
    const ClothMove how{.seconds = h,
                        .gravity = {world.gravity.x(), world.gravity.y(), world.gravity.z(), 0},
                        .keep = std::pow(1.0f - std::clamp(options_.damping, 0.0f, 1.0f), h),
                        .acceleration = world.wind ? acceleration_.data() : nullptr};
    const ClothTethers tethers{.anchors = anchors_,
                               .lengths = tethers_.data(),
                               .own = own_anchor_.empty() ? nullptr : own_anchor_.data(),
                               .own_lengths = own_tether_.data()};
    const bool keep_pull = options_.iterations > 1;
    const int search_steps = options_.self_collision ? steps_per_search(seconds) : n;
    const int rounds = near_.empty() && near_solids_.empty() ? 1 : contact_rounds;
    for (int s = 0; s < n; ++s) {
        const float share = static_cast<float>(s + 1) / static_cast<float>(n);
        if (s % search_steps == 0 && options_.self_collision)
            search_self(h * static_cast<float>(std::min(search_steps, n - s)));
        move_points(how, points_, previous_, velocity_);
        move_pins(share);
        move_colliders(h, h * static_cast<float>(s + 1), world);
        if (options_.self_collision) leave_self();  // before edges, so that layers that push do not stretch them
        std::ranges::fill(stretch_pulls_, 0.0f), std::ranges::fill(bend_pulls_, 0.0f);
        // Hinges give way so much in a small step that one pass is enough. Edges come last, so that bends do not pull
        // at what edges have set.
        if (!bends_.empty()) solve_bends(bends_, per_h2 / bend_, points_.data());
        for (int k = 0; k < std::max(options_.iterations, 1); ++k) {
            solve_distances(bend_springs_, bend_ * per_h2, keep_pull ? bend_pulls_.data() : nullptr, points_.data());
            solve_distances(stretches_, options_.stretch * per_h2, keep_pull ? stretch_pulls_.data() : nullptr,
                            points_.data());
        }
        if (options_.self_collision) leave_self();  // and after them, as they may have pulled layers through each other
        for (int round = 0; round < rounds; ++round) {
            if (!anchors_.empty()) hold_tethers(tethers, points_);
            limit_edges(most_stretch);
            leave_solids(near_solids_, solids_.data(), options_.thickness, points_.data(), previous_.data());
            leave_bodies(share, options_.thickness, world);
        }
        set_velocities(h, options_.most_speed, points_, previous_, velocity_);
    }
    rub_within(seconds);
    if (rounds > 1) end_step(world);
    for (Pin& pin : pins_) pin.from = pin.to;
}

// What is shown at the end of the step: edges have the last word, within the room that thickness leaves. It ends when
// the nearest skin has been asked for, and nothing had to move.
void Cloth::end_step(const ClothWorld& world) {
    bool asks = false;
    for (int round = 0; round < last_rounds; ++round) {
        const float thickness = round < thick_rounds ? options_.thickness : squeezed_share * options_.thickness;
        const bool pushed = asks ? leave_nearest(thickness, world) : leave_bodies(1.0f, thickness, world);
        const bool moved = limit_edges(last_stretch) || pushed;
        if (asks && !moved) break;
        asks = !moved || round % asking_rounds == asking_rounds - 1;
    }
}

void Cloth::prepare_frame(float seconds, const ClothWorld& world) {
    if (!started_) make_tethers(), reserve_lists(world.bodies.size());
    started_ = true;
    if (world.wind) catch_wind(world);
    find_colliders(seconds, world);
    find_bodies(seconds, world);
}

// Room for what comes near, so that lists do not grow in the middle of a motion.
void Cloth::reserve_lists(size_t bodies) {
    near_.reserve(2 * bodies * size());
    if (!options_.self_collision) return;
    pairs_.reserve(pairs_per_vertex * size()), layers_.reserve(pairs_per_vertex * size());
    crossings_.reserve(size()), tangled_.reserve(size());
}

// Each triangle is a plate: the air pushes along its normal, as the square of how fast it comes.
void Cloth::catch_wind(const ClothWorld& world) {
    std::ranges::fill(acceleration_, Float4{});
    for (size_t t = 0; t + 2 < triangles_.size(); t += 3) {
        const uint32_t* k = &triangles_[t];
        const Vec3 a = at(k[0]), b = at(k[1]), c = at(k[2]);
        const Vec3 center = (a + b + c) / 3.0f, moving = (speed(k[0]) + speed(k[1]) + speed(k[2])) / 3.0f;
        const Vec3 relative = wind_at(center.cast<double>(), world.time, *world.wind).cast<float>() - moving;
        const Vec3 normal = (b - a).cross(c - a);
        const float twice_area = normal.norm();
        if (!(twice_area > 0.0f)) continue;
        const float across = relative.dot(normal) / twice_area;
        // per vertex a third of the force, over a third of the plate's mass
        const float push = options_.air * 0.5f * air_density * std::abs(across) / std::max(options_.density, 1e-6f);
        const float caught = std::min(push, most_caught * 60.0f) * across / twice_area;
        for (int i = 0; i < 3; ++i) {
            const float share =
                options_.density * twice_area / 6.0f * inverse_mass_[k[i]];  // this plate's part of the vertex
            acceleration_[k[i]].x += share * caught * normal.x();
            acceleration_[k[i]].y += share * caught * normal.y();
            acceleration_[k[i]].z += share * caught * normal.z();
        }
    }
}

// Neighbours' speeds go towards their common mean. What moves or turns as a whole goes on, but for its rims.
void Cloth::rub_within(float seconds) {
    const float lost = 1.0f - std::exp(-inner_friction * seconds);
    for (uint32_t i = 0; i < size(); ++i)
        for (uint32_t k = neighbour_first_[i]; k < neighbour_first_[i + 1]; ++k) {
            const uint32_t j = neighbours_[k];
            const float wi = points_[i].w, wj = points_[j].w;
            if (!(wi > 0.0f) || !(wj > 0.0f)) continue;
            Float4 &vi = velocity_[i], &vj = velocity_[j];
            const float s = lost / (wi + wj), dx = s * (vi.x - vj.x), dy = s * (vi.y - vj.y), dz = s * (vi.z - vj.z);
            vi.x -= wi * dx, vi.y -= wi * dy, vi.z -= wi * dz;
            vj.x += wj * dx, vj.y += wj * dy, vj.z += wj * dz;
        }
}

void Cloth::move_pins(float share) {
    for (const Pin& pin : pins_) {
        const Vec3 at = pin.from + share * (pin.to - pin.from);
        points_[pin.vertex] = {at.x(), at.y(), at.z(), 0.0f};
    }
}

// Edges that should not stretch are held to a limit: one pass over all constraints leaves a few that a blow or a gust
// has pulled too far.
bool Cloth::limit_edges(float times) {
    return options_.stretch <= 0.0f && limit_distances(stretches_, times, points_.data()) > 0;
}

void Cloth::set_position(size_t vertex, const Vec3& place) {
    Float4& p = points_[place_[vertex]];
    p.x = place.x(), p.y = place.y(), p.z = place.z();
}

void Cloth::set_velocity(size_t vertex, const Vec3& v) {
    velocity_[place_[vertex]] = {v.x(), v.y(), v.z(), 0.0f};
}

void Cloth::copy_positions(std::span<Vec3> out) const {
    for (size_t i = 0; i < out.size(); ++i) out[i] = position(i);
}

bool Cloth::finite() const {
    return std::ranges::all_of(points_, [](const Float4& p) { return std::isfinite(p.x + p.y + p.z); });
}

float Cloth::stretch(size_t edge) const {
    const Edge& e = edges_[edge];
    if (points_[place_[e.a]].w == 0.0f && points_[place_[e.b]].w == 0.0f) return 0.0f;  // what holds both stretches it
    return e.rest > 0.0f ? (position(e.a) - position(e.b)).norm() / e.rest - 1.0f : 0.0f;
}

}  // namespace sinew
