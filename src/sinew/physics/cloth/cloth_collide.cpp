// What cloth lies on: colliders and the skin of bodies. Once a step the near ones are found, in each small step points
// are put outside of them.
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
// A vertex no deeper than this is put out where the skin is nearest: no limb is so thin.
constexpr float shallow = 0.02f;
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

// Whether the corner of the box that is lowest over the plane comes within `around` of it.
bool reaches_plane(const Box& box, const Collider& plane, float seconds, float around) {
    Vec3d lowest;
    for (int k = 0; k < 3; ++k) lowest[k] = plane.normal[k] > 0.0 ? box.min[k] : box.max[k];
    const double rises = std::max(seconds * plane.normal.dot(plane.velocity_a), 0.0);
    return plane.normal.dot(lowest - plane.a) < rises + around;
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
    near_solids_.clear();
    solids_.resize(world.colliders.size());
    if (world.colliders.empty()) return;
    const float around = 0.5f * seconds * seconds * world.gravity.norm() + options_.thickness;
    solid_boxes_.clear();
    for (const Collider& c : world.colliders)
        solid_boxes_.push_back(c.shape == ColliderShape::plane || c.hollow ? Box() : box_of(c, seconds, around));
    for (uint32_t first = 0; first < size(); first += octet_size) {
        Box box;
        for (uint32_t i = first; i < std::min<size_t>(first + octet_size, size()); ++i) {
            box.add(at(i));
            box.add(Vec3(at(i) + 2.0f * seconds * speed(i)));
        }
        for (uint32_t c = 0; c < solids_.size(); ++c) {
            const Collider& solid = world.colliders[c];
            const bool near = solid.shape == ColliderShape::plane ? reaches_plane(box, solid, seconds, around)
                              : solid.hollow                      ? true
                                                                  : !apart(box, solid_boxes_[c]);
            if (near) near_solids_.push_back({first / static_cast<uint32_t>(octet_size), c});
        }
    }
}

void Cloth::move_colliders(float seconds, float elapsed, const ClothWorld& world) {
    const auto packed = [](const Vec3d& v, double w = 0.0) {
        return Float4{static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()),
                      static_cast<float>(w)};
    };
    for (size_t c = 0; !near_solids_.empty() && c < solids_.size(); ++c) {
        const Collider now = moved(world.colliders[c], elapsed);
        const bool capsule = now.shape == ColliderShape::capsule;
        const Vec3d along = capsule ? Vec3d(now.b - now.a) : Vec3d::Zero();
        const double squared = along.squaredNorm();
        solids_[c] = {
            .a = packed(now.a),
            .along = packed(along, squared > 0.0 ? 1.0 / squared : 0.0),
            .carried_a = packed(seconds * now.velocity_a),
            .carried_along = packed(capsule ? Vec3d(seconds * (now.velocity_b - now.velocity_a)) : Vec3d::Zero()),
            .normal = packed(now.normal),
            .radius = static_cast<float>(now.radius),
            .friction = std::sqrt(options_.friction * static_cast<float>(now.friction)),
            .plane = now.shape == ColliderShape::plane,
            .hollow = now.hollow};
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
            const Vec3 p = at(i) + carried;
            const float own = (seconds * speed(i) - carried).norm();
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

bool Cloth::leave_bodies(float share, float thickness, const ClothWorld& world) {
    bool any = false;
    const float last_share = share - 1.0f / static_cast<float>(std::max(options_.substeps, 1));
    for (Near& near : near_) {
        const ClothBody& body = world.bodies[near.body];
        const Vec3 p = at(near.vertex);
        MovedPoint on = nearest_moved(body, near.triangle, share, p);
        // The body moves on under the point: the next triangle may be the nearer one by now.
        for (int corner = 0; corner < 3; ++corner) {
            const uint32_t next = body.surface->across(near.triangle, corner);
            if (on.share[corner] > 0.0f || next == 0xffffffffu) continue;
            const MovedPoint there = nearest_moved(body, next, share, p);
            if ((there.place - p).squaredNorm() < (on.place - p).squaredNorm()) {
                on = there, near.triangle = next;
                break;
            }
        }
        const uint32_t* k = &body.surface->triangles()[3 * near.triangle];
        const auto normals = body.surface->normals();
        const Vec3& s = on.share;
        const Vec3 normal = (s[0] * normals[k[0]] + s[1] * normals[k[1]] + s[2] * normals[k[2]]).normalized();
        const float distance = (p - on.place).dot(normal), depth = thickness - distance;
        if (!(depth > 0.0f)) continue;
        Vec3 carried = Vec3::Zero();
        for (int i = 0; i < 3; ++i)
            carried += (share - last_share) * s[i] * (body.surface->positions()[k[i]] - body.before[k[i]]);
        push_out(near.vertex, normal, std::min(depth, most_push), carried, options_.friction);
        any = true;
    }
    return any;
}

// Where the skin folds, as in an armpit, the triangle that a vertex came in by is not the one that is nearest now, and
// leaving the one leads into the other: leaving the nearest, again and again, ends between the two.
bool Cloth::leave_nearest(float thickness, const ClothWorld& world) {
    bool any = false;
    for (Near& near : near_) {
        const ClothBody& body = world.bodies[near.body];
        const SurfaceHit hit = body.surface->nearest(at(near.vertex), shallow, near.triangle);
        if (!hit.found() || hit.distance >= thickness) continue;
        near.triangle = hit.triangle;
        push_out(near.vertex, hit.normal, thickness - hit.distance, Vec3::Zero(), 0.0f);
        any = true;
    }
    return any;
}

}  // namespace sinew
