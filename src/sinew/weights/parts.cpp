#include <sinew/weights/parts.h>

#include <sinew/weights/clean.h>
#include <sinew/weights/piece_bones.h>
#include <sinew/weights/point_grid.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// In units of the Surface's size.
constexpr double reach = 0.1;          // further off than this a part touches nothing
constexpr double small_part = 0.02;    // radius of what is always rigid
constexpr double contact_band = 0.01;  // beyond the smallest distance, still the place of contact
constexpr double contact_share = 0.3;  // of a part's radius: a wider contact is clothing, not a handle
constexpr size_t samples = 256;        // vertices of a part that look for the body
constexpr double runs_through = 0.2;   // of a bone's length: such a piece is part of the body
// A piece around a joint.
constexpr double largest_ball = 0.1;  // radius
constexpr double least_ball = 0.015;  // a smaller one moves little either way
constexpr double ball_offset = 0.25;  // of its radius between its middle and the joint
constexpr double eye_offset = 0.6;    // the same for eyes, which may be open behind
constexpr double most_of_bone = 0.5;  // of a bone's length: then the piece is a limb

struct Contact {
    uint32_t vertex = 0, body = 0;
    double distance = 0.0;
};

// Around the mean of a piece's vertices.
struct Ball {
    Vec3d middle = Vec3d::Zero();
    double radius = 0.0;
};

Ball ball_around(std::span<const uint32_t> vertices, const Surface& surface) {
    Ball ball;
    for (uint32_t v : vertices) ball.middle += surface.positions[v];
    ball.middle /= static_cast<double>(vertices.size());
    for (uint32_t v : vertices) ball.radius = std::max(ball.radius, (surface.positions[v] - ball.middle).norm());
    return ball;
}

// How large a piece around a pivot may be: a ball any joint's, an eye's less than half the way to the other eye.
double largest_around(const Pivot& pivot, std::span<const Pivot> pivots) {
    double largest = largest_ball;
    for (const Pivot& other : pivots)
        if (pivot.eye && other.eye && other.joint != pivot.joint)
            largest = std::min(largest, 0.5 * (other.place - pivot.place).norm());
    return largest;
}

// The joint that a piece lies around, or −1.
int32_t pivot_of(std::span<const uint32_t> vertices, const Surface& surface, std::span<const Pivot> pivots) {
    const auto [middle, radius] = ball_around(vertices, surface);
    const bool open = std::any_of(vertices.begin(), vertices.end(), [&](uint32_t v) { return surface.open[v] != 0; });
    int32_t best = -1;
    double nearest = INFINITY;
    for (const Pivot& pivot : pivots) {
        const double off = (pivot.place - middle).norm();
        if (off > (pivot.eye ? eye_offset : ball_offset) * radius || off >= nearest) continue;
        if (radius > largest_around(pivot, pivots) || (!pivot.eye && (open || radius < least_ball))) continue;
        nearest = off;
        best = pivot.joint;
    }
    return best;
}

}  // namespace

std::vector<PartBinding> bind_parts(WeightField& field, const Surface& surface, const BoneChoice& choice) {
    std::vector<PartBinding> bound(surface.piece_count);
    if (surface.piece_count < 2) return bound;
    std::vector<std::vector<uint32_t>> members(surface.piece_count);
    for (uint32_t v = 0; v < surface.vertex_count(); ++v)
        if (surface.piece[v] >= 0) members[static_cast<size_t>(surface.piece[v])].push_back(v);
    const PieceBones held = piece_bones(surface, choice.bones);
    std::vector<uint8_t> body(surface.piece_count, 0);
    size_t largest = 0;
    for (size_t p = 0; p < members.size(); ++p) {
        if (members[p].size() > members[largest].size()) largest = p;
        body[p] = held.holds(p) > runs_through;
    }
    body[largest] = 1;
    for (size_t p = 0; p < members.size(); ++p) {
        if (p == largest || held.holds(p) > most_of_bone) continue;
        bound[p].pivot = pivot_of(members[p], surface, choice.pivots);
        if (bound[p].pivot < 0) continue;
        body[p] = 1;
        const Influence whole{static_cast<uint32_t>(bound[p].pivot), 1.0f};
        for (uint32_t v : members[p]) field.set(v, {&whole, 1});
    }
    const PointGrid grid(surface.positions, 0.25 * reach);
    const auto is_body = [&](uint32_t v) {
        return surface.piece[v] >= 0 && body[static_cast<size_t>(surface.piece[v])];
    };
    for (size_t p = 0; p < members.size(); ++p) {
        if (body[p]) continue;
        std::vector<Contact> contacts;
        double nearest = INFINITY;
        const size_t stride = (members[p].size() + samples - 1) / samples;
        for (size_t i = 0; i < members[p].size(); i += stride) {
            const uint32_t v = members[p][i];
            const int64_t other = grid.nearest(surface.positions[v], std::min(reach, nearest + contact_band), is_body);
            if (other < 0) continue;
            const auto w = static_cast<uint32_t>(other);
            contacts.push_back({v, w, (surface.positions[w] - surface.positions[v]).norm()});
            nearest = std::min(nearest, contacts.back().distance);
        }
        std::erase_if(contacts, [&](const Contact& c) { return c.distance > nearest + contact_band; });
        if (contacts.empty()) continue;
        std::vector<uint32_t> touching;
        for (const Contact& c : contacts) touching.push_back(c.vertex);
        const double radius = ball_around(members[p], surface).radius;
        if (radius > small_part && ball_around(touching, surface).radius > contact_share * radius) continue;

        WeightField mean(1, 4 * field.capacity());
        Contact first = contacts.front();
        for (const Contact& c : contacts) {
            for (const Influence& i : field.of(c.body)) mean.add(0, i.joint, i.weight);
            if (c.distance < first.distance) first = c;
        }
        mean.normalise(0);
        bound[p].hung_on = first.body;
        for (uint32_t v : members[p]) field.set(v, mean.of(0));
        for (uint32_t v : members[p]) field.normalise(v);
    }
    return bound;
}

}  // namespace sinew
