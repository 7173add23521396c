#include <sinew/weights/boneless_parts.h>

#include <sinew/core/parallel.h>
#include <sinew/weights/bones/piece_bones.h>
#include <sinew/weights/clean.h>
#include <sinew/weights/surface/point_grid.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Lengths are in units of the Surface's size, about the diagonal of a figure. All were chosen, with the parts in mind
// that are named here, and looked at on the characters of docs/weights.md; tests/weights/{parts,limbs,heads}_test.cpp
// hold one case for each rule.
constexpr double reach = 0.1;          // 18 cm on a person: a part farther from the body touches nothing
constexpr double small_part = 0.02;    // radius of a part that is always rigid: a button, an eye, 4 cm on a person
constexpr double contact_band = 0.01;  // the contact reaches this much beyond the smallest distance
constexpr double contact_share = 0.3;  // of a part's radius: a wider contact is clothing, not a handle
constexpr size_t samples = 256;        // so many vertices of a part look for the body: enough to find a contact
constexpr double runs_through = 0.2;   // of a bone's length, inside a piece: then the piece is part of the body
constexpr double all_of_one = 0.9;     // of the weight around a part: then it sits on one bone
// A piece that lies on the body (armour, a belt, hair):
constexpr double not_in_it = 0.1;       // of a bone's length, inside the piece, at most
constexpr double mostly_outside = 0.5;  // of its vertices lie outside the body
constexpr int smoothing = 5;            // passes, because the skin may be coarser than what lies on it
// A piece around a joint (the ball of a puppet's knee, an eye):
constexpr double largest_ball = 0.1;  // radius
constexpr double least_ball = 0.015;  // radius; a smaller ball moves little, whatever it follows
constexpr double ball_offset = 0.25;  // of its radius, from its middle to the joint
constexpr double eye_offset = 0.6;    // the same for eyes, which are often half balls
constexpr double most_of_bone = 0.5;  // of a bone's length, inside the piece: then it is a limb and no ball
constexpr size_t part_grain = 256;    // vertices per task
constexpr double grid_share = 0.25;   // of `reach`: the cells in which the nearest vertex is looked for
// A mean of many vertices' weights may hold so many times the joints of one vertex.
constexpr size_t rows_in_mean = 4;

struct Contact {
    uint32_t vertex = 0, body = 0;
    double distance = 0.0;
};

// The ball around the mean of a piece's vertices.
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

bool is_open(std::span<const uint32_t> vertices, const Surface& surface) {
    return std::any_of(vertices.begin(), vertices.end(), [&](uint32_t v) { return surface.open[v] != 0; });
}

// How large a piece around a pivot may be. Around an eye, at most half the way to the other eye.
double largest_around(const Pivot& pivot, std::span<const Pivot> pivots) {
    double largest = largest_ball;
    for (const Pivot& other : pivots)
        if (pivot.eye && other.eye && other.joint != pivot.joint)
            largest = std::min(largest, 0.5 * (other.place - pivot.place).norm());
    return largest;
}

// The joint about which a piece lies, or −1.
int32_t pivot_of(std::span<const uint32_t> vertices, const Surface& surface, std::span<const Pivot> pivots) {
    const auto [middle, radius] = ball_around(vertices, surface);
    const bool open = is_open(vertices, surface);
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

// The place on the body nearest to each vertex of a part, where there is one within reach.
template <class IsBody>
std::vector<Contact> contacts_of(std::span<const uint32_t> vertices, const Surface& surface, const PointGrid& grid,
                                 const IsBody& is_body) {
    std::vector<Contact> contacts;
    const size_t stride = (vertices.size() + samples - 1) / samples;
    for (size_t i = 0; i < vertices.size(); i += stride) {
        const int64_t other = grid.nearest(surface.positions[vertices[i]], reach, is_body);
        if (other < 0) continue;
        const auto w = static_cast<uint32_t>(other);
        contacts.push_back({vertices[i], w, (surface.positions[w] - surface.positions[vertices[i]]).norm()});
    }
    return contacts;
}

// Whether a part is small, or touches the body in one place only.
bool is_held(std::span<const uint32_t> touching, std::span<const uint32_t> vertices, const Surface& surface) {
    const double radius = ball_around(vertices, surface).radius;
    return radius <= small_part || ball_around(touching, surface).radius <= contact_share * radius;
}

std::vector<uint32_t> places_of(std::span<const Contact> contacts, uint32_t Contact::*side) {
    std::vector<uint32_t> places;
    for (const Contact& c : contacts) places.push_back(c.*side);
    return places;
}

// One row, largest first.
WeightField mean_weights(std::span<const uint32_t> vertices, const WeightField& field) {
    WeightField mean(1, rows_in_mean * field.capacity());
    for (uint32_t v : vertices)
        for (const Influence& i : field.of(v)) mean.add(0, i.joint, i.weight);
    mean.normalise(0);
    return mean;
}

bool is_of_one(const WeightField& mean) {
    return !mean.of(0).empty() && mean.of(0).front().weight >= all_of_one;
}

bool is_of_another(const WeightField& mean, const WeightField& one) {
    return is_of_one(mean) && mean.of(0).front().joint != one.of(0).front().joint;
}

// The vertex of the body under each vertex of a part. Empty if the part sticks out of reach of the body (a sword), or
// lies in the body rather than on it (a tongue, a peg).
template <class IsBody>
std::vector<int64_t> skin_under(std::span<const uint32_t> vertices, const Surface& surface, const PointGrid& grid,
                                const IsBody& is_body) {
    std::vector<int64_t> under(vertices.size(), -1);
    parallel_for(vertices.size(), part_grain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) under[i] = grid.nearest(surface.positions[vertices[i]], reach, is_body);
    });
    size_t outside = 0;
    for (size_t i = 0; i < under.size(); ++i) {
        if (under[i] < 0) return {};
        const auto w = static_cast<size_t>(under[i]);
        outside += (surface.positions[vertices[i]] - surface.positions[w]).dot(surface.normals[w]) > 0.0;
    }
    if (static_cast<double>(outside) < mostly_outside * static_cast<double>(under.size())) under.clear();
    return under;
}

}  // namespace

std::vector<PartBinding> bind_boneless_parts(WeightField& field, const Surface& surface, const BoneChoice& choice) {
    std::vector<PartBinding> bound(surface.piece_count);
    if (surface.piece_count < 2) return bound;
    std::vector<std::vector<uint32_t>> members(surface.piece_count);
    for (uint32_t v = 0; v < surface.vertex_count(); ++v)
        if (surface.piece[v] >= 0) members[static_cast<size_t>(surface.piece[v])].push_back(v);
    const PieceBones inside = piece_bones(surface, choice.bones);
    std::vector<uint8_t> body(surface.piece_count, 0);
    size_t largest = 0;
    for (size_t p = 0; p < members.size(); ++p) {
        if (members[p].size() > members[largest].size()) largest = p;
        body[p] = inside.holds(p) > runs_through;
    }
    if (std::ranges::find(body, 1) == body.end()) body[largest] = 1;
    for (size_t p = 0; p < members.size(); ++p) {
        if (p == largest || inside.holds(p) > most_of_bone) continue;
        bound[p].pivot = pivot_of(members[p], surface, choice.pivots);
        if (bound[p].pivot < 0) continue;
        body[p] = 1;
        const Influence whole{static_cast<uint32_t>(bound[p].pivot), 1.0f};
        for (uint32_t v : members[p]) field.set(v, {&whole, 1});
    }
    const PointGrid grid(surface.positions, grid_share * reach);
    const auto is_body = [&](uint32_t v) {
        return surface.piece[v] >= 0 && body[static_cast<size_t>(surface.piece[v])];
    };
    std::vector<uint32_t> lying;  // the vertices of parts that lie on the body
    for (size_t p = 0; p < members.size(); ++p) {
        if (body[p]) continue;
        std::vector<Contact> contacts = contacts_of(members[p], surface, grid, is_body);
        if (contacts.empty()) continue;
        const double nearest = std::ranges::min(contacts, {}, &Contact::distance).distance;
        const WeightField around = mean_weights(places_of(contacts, &Contact::body), field);
        std::erase_if(contacts, [&](const Contact& c) { return c.distance > nearest + contact_band; });
        const bool held = is_held(places_of(contacts, &Contact::vertex), members[p], surface);
        const WeightField own = mean_weights(members[p], field);
        if (!held && (!is_of_one(around) || is_of_another(own, around))) {
            if (inside.holds(p) > not_in_it || is_open(members[p], surface) || is_of_one(own)) continue;
            const std::vector<int64_t> under = skin_under(members[p], surface, grid, is_body);
            for (size_t i = 0; i < under.size(); ++i)
                field.set(members[p][i], std::as_const(field).of(static_cast<size_t>(under[i])));
            bound[p].on_skin = !under.empty();
            if (bound[p].on_skin) lying.insert(lying.end(), members[p].begin(), members[p].end());
            continue;
        }
        WeightField mean = held ? mean_weights(places_of(contacts, &Contact::body), field) : around;
        if (mean.of(0).empty()) continue;
        bound[p].follows = static_cast<int32_t>(mean.of(0).front().joint);
        // A mixture of two joints' motions would shrink the part. Unless it is small, it follows one joint.
        if (ball_around(members[p], surface).radius > small_part) {
            const Influence whole{mean.of(0).front().joint, 1.0f};
            mean.set(0, {&whole, 1});
        }
        for (uint32_t v : members[p]) field.set(v, mean.of(0));
        for (uint32_t v : members[p]) field.normalise(v);
    }
    if (!lying.empty()) smooth(field, surface, neighbours(surface), smoothing, lying);
    return bound;
}

}  // namespace sinew
