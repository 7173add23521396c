// What cloth lies on: colliders, the skin of bodies, and itself. Once a step the near ones are found, in each small
// step points are put outside of them.
#include <sinew/physics/cloth/cloth.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A point farther inside a body than this is not pulled out in one go, but by this much a small step: no explosion.
constexpr float most_push = 0.01f;
// How far from a body's skin a vertex may be, in steps of its own and the body's movement, and still be watched.
constexpr float watch_steps = 1.0f, least_watch = 0.02f;
// A vertex this deep in a body, in metres, is no longer taken to be in it, but on its far side.
constexpr float deepest_inside = 0.3f;
// Up to this deep, a vertex is pulled out where it came in, though another side may be nearer.
constexpr float held_depth = 0.06f;
// The two sides of a fold of the skin, as in a groin: the cosine between their normals. Less is a limb's other side.
constexpr std::pair<float, float> fold_normals = {-0.7f, 0.7f};

Box box_of(const Collider& c, float seconds, float margin) {
    Box box;
    const Collider later = moved(c, seconds);
    const Vec3 around = Vec3::Constant(static_cast<float>(c.radius) + margin);
    for (const Vec3d* p : {&c.a, &c.b, &later.a, &later.b}) {
        if (c.shape == ColliderShape::sphere && (p == &c.b || p == &later.b)) continue;
        box.add(Vec3(p->cast<float>() - around));
        box.add(Vec3(p->cast<float>() + around));
    }
    return box;
}

struct MovedPoint {
    Vec3 place, share;
};
// The point of a body's triangle that is nearest to p, this share of the step after its start.
MovedPoint nearest_moved(const ClothBody& body, uint32_t triangle, float share, const Vec3& p) {
    const uint32_t* k = &body.surface->triangles()[3 * triangle];
    Vec3 now[3];
    for (int i = 0; i < 3; ++i)
        now[i] = body.before[k[i]] + share * (body.surface->positions()[k[i]] - body.before[k[i]]);
    const Vec3 s = nearest_shares(p, now[0], now[1], now[2]);
    return {s[0] * now[0] + s[1] * now[1] + s[2] * now[2], s};
}

bool apart(const Box& a, const Box& b) {
    return (a.min.array() > b.max.array()).any() || (b.min.array() > a.max.array()).any();
}

}  // namespace

// Puts a point `depth` farther along the normal, and takes back what it slid against what carries it, up to Coulomb's
// limit. Being put outside gives no speed: a point leaves a surface no faster than the surface itself moves.
void Cloth::push_out(uint32_t vertex, const Vec3& normal, float depth, const Vec3& carried, float friction) {
    Float4& p = points_[vertex];
    Float4& q = previous_[vertex];
    p.x += depth * normal.x(), p.y += depth * normal.y(), p.z += depth * normal.z();
    const Vec3 way = Vec3(p.x - q.x, p.y - q.y, p.z - q.z) - carried;
    const float out = way.dot(normal);
    const Vec3 slid = way - out * normal;
    const float length = slid.norm();
    if (length > 0.0f) {
        const Vec3 back = std::min(friction * depth / length, 1.0f) * slid;
        p.x -= back.x(), p.y -= back.y(), p.z -= back.z();
    }
    if (out > 0.0f) q.x += out * normal.x(), q.y += out * normal.y(), q.z += out * normal.z();
}

void Cloth::find_colliders(float seconds, const ClothWorld& world) {
    chunk_colliders_.clear();
    if (world.colliders.empty()) return;
    const auto count = static_cast<uint32_t>(size());
    const float fall = 0.5f * seconds * seconds * world.gravity.norm();
    chunk_boxes_.resize((count + chunk_points - 1) / chunk_points);
    for (uint32_t chunk = 0; chunk < chunk_boxes_.size(); ++chunk) {
        Box& box = chunk_boxes_[chunk] = Box();
        for (uint32_t i = chunk * chunk_points; i < std::min((chunk + 1) * chunk_points, count); ++i) {
            box.add(position(i));
            box.add(Vec3(position(i) + 2.0f * seconds * velocity(i)));
        }
        box.min -= Vec3::Constant(fall + options_.thickness), box.max += Vec3::Constant(fall + options_.thickness);
    }
    for (uint32_t c = 0; c < world.colliders.size(); ++c) {
        const Collider& collider = world.colliders[c];
        const bool everywhere = collider.shape == ColliderShape::plane || collider.hollow;
        const Box box = everywhere ? Box() : box_of(collider, seconds, 0.0f);
        for (uint32_t chunk = 0; chunk < chunk_boxes_.size(); ++chunk)
            if (everywhere || !apart(box, chunk_boxes_[chunk])) chunk_colliders_.emplace_back(chunk, c);
    }
    std::ranges::sort(chunk_colliders_);
}

void Cloth::leave_colliders(float seconds, float elapsed, const ClothWorld& world) {
    const auto count = static_cast<uint32_t>(size());
    for (const auto& [chunk, c] : chunk_colliders_) {
        const Collider collider = moved(world.colliders[c], elapsed);
        const float friction = std::sqrt(options_.friction * static_cast<float>(collider.friction));
        for (uint32_t i = chunk * chunk_points; i < std::min((chunk + 1) * chunk_points, count); ++i) {
            if (points_[i].w == 0.0f) continue;
            const ColliderContact at = touch(collider, position(i).cast<double>());
            const float depth = options_.thickness - static_cast<float>(at.distance);
            if (depth > 0.0f)
                push_out(i, at.normal.cast<float>(), depth, seconds * at.velocity.cast<float>(), friction);
        }
    }
}

// The surface is where it will be at the end of the step, the points are where they were at its start: each is asked
// for where it would be if it went along with the skin next to it.
void Cloth::find_bodies(float seconds, const ClothWorld& world) {
    near_.clear();
    last_triangle_.resize(world.bodies.size());
    for (uint32_t b = 0; b < world.bodies.size(); ++b) {
        const ClothBody& body = world.bodies[b];
        const SurfaceTree& skin = *body.surface;
        if (skin.empty()) continue;
        const auto went = [&](uint32_t vertex) { return Vec3(skin.positions()[vertex] - body.before[vertex]); };
        Vec3 all = Vec3::Zero();
        for (const uint32_t vertex : skin.triangles()) all += went(vertex);
        all /= static_cast<float>(skin.triangles().size());
        float way = 0.0f;
        for (const uint32_t vertex : skin.triangles()) way = std::max(way, (went(vertex) - all).squaredNorm());
        way = std::sqrt(way);
        auto& last = last_triangle_[b];
        last.resize(size(), 0xffffffffu);
        const Box around = skin.bounds();
        for (uint32_t i = 0; i < size(); ++i) {
            if (points_[i].w == 0.0f) continue;
            Vec3 carried = all;
            if (last[i] != 0xffffffffu) {
                const uint32_t* k = &skin.triangles()[3 * last[i]];
                carried = (went(k[0]) + went(k[1]) + went(k[2])) / 3.0f;
            }
            const Vec3 p = position(i) + carried;
            const float own = (seconds * velocity(i) - carried).norm();
            const float reach = options_.thickness + std::max(least_watch, watch_steps * (way + own));
            if (((p - around.max).array() > reach).any() || ((around.min - p).array() > reach).any()) continue;
            SurfaceHit found = skin.nearest(p, std::max(reach, deepest_inside), last[i]);
            if (found.found() && found.distance < 0.0f && last[i] != 0xffffffffu) {
                SurfaceHit entry = skin.nearest_around(last[i], p);
                const float alike = entry.normal.dot(found.normal);
                if (std::abs(entry.distance) < held_depth) std::swap(found, entry);
                if (alike > fold_normals.first && alike < fold_normals.second)
                    near_.push_back({i, entry.triangle, b});  // in a fold: out of both of its sides
            }
            last[i] = found.triangle;
            if (found.found() && found.distance < reach) near_.push_back({i, found.triangle, b});
        }
    }
}

void Cloth::leave_bodies(float share, const ClothWorld& world) {
    const float last_share = share - 1.0f / static_cast<float>(std::max(options_.substeps, 1));
    for (Near& near : near_) {
        const ClothBody& body = world.bodies[near.body];
        const Vec3 p = position(near.vertex);
        MovedPoint at = nearest_moved(body, near.triangle, share, p);
        // The body moves on under the point: the next triangle may be the nearer one by now.
        for (int corner = 0; corner < 3; ++corner) {
            const uint32_t next = body.surface->across(near.triangle, corner);
            if (at.share[corner] > 0.0f || next == 0xffffffffu) continue;
            const MovedPoint there = nearest_moved(body, next, share, p);
            if ((there.place - p).squaredNorm() < (at.place - p).squaredNorm()) {
                at = there, near.triangle = next;
                break;
            }
        }
        const uint32_t* k = &body.surface->triangles()[3 * near.triangle];
        const auto normals = body.surface->normals();
        const Vec3& s = at.share;
        const Vec3 normal = (s[0] * normals[k[0]] + s[1] * normals[k[1]] + s[2] * normals[k[2]]).normalized();
        const float distance = (p - at.place).dot(normal), depth = options_.thickness - distance;
        if (!(depth > 0.0f)) continue;
        Vec3 carried = Vec3::Zero();
        for (int i = 0; i < 3; ++i)
            carried += (share - last_share) * s[i] * (body.surface->positions()[k[i]] - body.before[k[i]]);
        push_out(near.vertex, normal, std::min(depth, most_push), carried, options_.friction);
    }
}

void Cloth::find_self_pairs(float seconds) {
    pairs_.clear();
    float fastest = 0.0f;
    for (uint32_t i = 0; i < size(); ++i) fastest = std::max(fastest, velocity(i).squaredNorm());
    // All move together mostly; what two approach each other by is a part of the fastest movement.
    const float margin = std::min(0.5f * seconds * std::sqrt(fastest), self_distance_);
    const float reach = self_distance_ + margin;
    if (!(reach > 0.0f)) return;
    grid_.build([this](size_t i) { return Vec3d(points_[i].x, points_[i].y, points_[i].z); }, size(), reach);
    grid_.pairs([&](uint32_t a, uint32_t b) {
        const float dx = points_[a].x - points_[b].x, dy = points_[a].y - points_[b].y,
                    dz = points_[a].z - points_[b].z;
        if (dx * dx + dy * dy + dz * dz >= reach * reach) return;
        const float rest = (rest_[a] - rest_[b]).norm();
        const float keep = std::min(self_distance_, rest);  // neighbours may be as near as they were made
        if (keep < self_distance_ && rest < 2.0f * mean_edge_) return;
        pairs_.push_back({a, b, keep});
    });
}

void Cloth::leave_self() {
    for (const Pair& pair : pairs_) {
        Float4 &a = points_[pair.a], &b = points_[pair.b];
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, squared = dx * dx + dy * dy + dz * dz;
        const float weight = a.w + b.w;
        if (squared >= pair.distance * pair.distance || !(squared > 0.0f) || !(weight > 0.0f)) continue;
        const float length = std::sqrt(squared), s = (pair.distance - length) / (length * weight);
        a.x += s * a.w * dx, a.y += s * a.w * dy, a.z += s * a.w * dz;
        b.x -= s * b.w * dx, b.y -= s * b.w * dy, b.z -= s * b.w * dz;
        // Layers that touch rub: their speeds against each other go halfway to their mean.
        const Float4 &pa = previous_[pair.a], &pb = previous_[pair.b];
        const float share = options_.friction * 0.5f / weight;
        const float vx = (a.x - pa.x) - (b.x - pb.x), vy = (a.y - pa.y) - (b.y - pb.y),
                    vz = (a.z - pa.z) - (b.z - pb.z);
        a.x -= share * a.w * vx, a.y -= share * a.w * vy, a.z -= share * a.w * vz;
        b.x += share * b.w * vx, b.y += share * b.w * vy, b.z += share * b.w * vz;
    }
}

}  // namespace sinew
