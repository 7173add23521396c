// The twins of the kernels, to be read first. Sums are added in the order in which the kernels add them.
#include <sinew/physics/cloth/kernels/cloth_kernel.h>
#include <sinew/physics/cloth/kernels/cloth_limits.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

float dot(const Float4& a, const Float4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Float4 minus(const Float4& a, const Float4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, 0};
}
void add(Float4& to, float s, const Float4& by) {
    to.x += s * by.x, to.y += s * by.y, to.z += s * by.z;
}

void leave_solid(const ClothSolid& s, float thickness, Float4& p, Float4& q) {
    if (!(p.w > 0.0f)) return;
    const Float4 from = minus(p, s.a);
    Float4 normal = s.normal, carried = s.carried_a;
    float depth = 0.0f;
    if (s.plane) {
        depth = thickness - dot(s.normal, from);
        if (!(depth > 0.0f)) return;
    } else {
        const float t = std::min(std::max(dot(from, s.along) * s.along.w, 0.0f), 1.0f);
        Float4 away = from;
        add(away, -t, s.along);
        const float squared = dot(away, away), rim = s.hollow ? s.radius - thickness : s.radius + thickness;
        if (s.hollow ? !(rim < 0.0f || squared > rim * rim) : !(squared < rim * rim)) return;
        const float length = std::sqrt(squared), sign = s.hollow ? -1.0f : 1.0f;
        depth = sign * (rim - length);
        const float inverse = sign / std::max(length, cloth_least_length);
        normal = {inverse * away.x, inverse * away.y, inverse * away.z, 0};
        if (!(length > cloth_least_length)) normal = {0, 1, 0, 0};
        add(carried, t, s.carried_along);
    }
    add(p, depth, normal);
    const Float4 way = minus(minus(p, q), carried);
    const float out = dot(way, normal);
    Float4 slid = way;
    add(slid, -out, normal);
    const float length = std::sqrt(dot(slid, slid));
    add(p, -std::min(s.friction * depth / std::max(length, cloth_least_length), 1.0f), slid);
    add(q, std::max(out, 0.0f), normal);
}

}  // namespace

void move_points_scalar(const ClothMove& how, std::span<Float4> x, std::span<Float4> previous, std::span<Float4> v) {
    const float h = how.seconds;
    const Float4 fall{h * how.gravity.x, h * how.gravity.y, h * how.gravity.z, 0};
    for (size_t i = 0; i < x.size(); ++i) {
        previous[i] = x[i];
        if (x[i].w == 0.0f) {
            v[i] = {};
            continue;
        }
        Float4 gain = fall;
        if (how.acceleration) add(gain, h, how.acceleration[i]);
        v[i] = {(v[i].x + gain.x) * how.keep, (v[i].y + gain.y) * how.keep, (v[i].z + gain.z) * how.keep, 0};
        add(x[i], h, v[i]);
    }
}

void set_velocities_scalar(float seconds, float most, std::span<const Float4> x, std::span<const Float4> previous,
                           std::span<Float4> v) {
    const float rate = 1.0f / seconds;
    for (size_t i = 0; i < x.size(); ++i) {
        Float4 speed = minus(x[i], previous[i]);
        speed = {speed.x * rate, speed.y * rate, speed.z * rate, 0};
        const float squared = dot(speed, speed);
        const float share = squared > most * most ? most / std::sqrt(squared) : 1.0f;
        v[i] = {speed.x * share, speed.y * share, speed.z * share, 0};
    }
}

void solve_distances_scalar(std::span<const DistanceBlock> blocks, float soft, float* pulls, Float4* x) {
    for (const DistanceBlock& block : blocks) {
        for (size_t k = 0; k < octet_size; ++k) {
            Float4 &a = x[block.a[k]], &b = x[block.b[k]];
            const Float4 d = minus(a, b);
            const float length = std::sqrt(dot(d, d)), weight = a.w + b.w + (soft + cloth_least_weight);
            float off = length - block.rest[k];
            if (pulls) {
                off += soft * pulls[k];
                pulls[k] -= off / weight;
            }
            const float s = off / (weight * std::max(length, cloth_least_length)), sa = s * a.w, sb = s * b.w;
            add(a, -sa, d), add(b, sb, d);
        }
        if (pulls) pulls += octet_size;
    }
}

void solve_bends_scalar(std::span<const BendBlock> blocks, float soft, Float4* x) {
    for (const BendBlock& block : blocks)
        for (size_t k = 0; k < octet_size; ++k) {
            Float4 &a = x[block.a[k]], &b = x[block.b[k]], &c = x[block.c[k]], &d = x[block.d[k]];
            const float sb = block.share_b[k], sc = block.share_c[k], sd = block.share_d[k];
            const float sa = -((sb + sc) + sd);
            const Float4 edge = minus(b, a), across = minus(c, d), to_c = minus(c, a), to_d = minus(d, a);
            // The sum of the triangles' normals.
            const Float4 normal{edge.y * across.z - edge.z * across.y, edge.z * across.x - edge.x * across.z,
                                edge.x * across.y - edge.y * across.x, 0};
            const float length = std::sqrt(dot(normal, normal));
            Float4 bent{sb * edge.x, sb * edge.y, sb * edge.z, 0};
            add(bent, sc, to_c), add(bent, sd, to_d);
            add(bent, -(block.rest[k] / std::max(length, cloth_least_length)), normal);
            const float weight = (((a.w * (sa * sa) + b.w * (sb * sb)) + c.w * (sc * sc)) + d.w * (sd * sd)) +
                                 (soft * block.soft[k] + cloth_least_weight);
            const float size = std::sqrt(dot(bent, bent));
            const float by = -std::min(cloth_most_bent / std::max(size, cloth_least_length), 1.0f) / weight;
            add(a, by * (sa * a.w), bent), add(b, by * (sb * b.w), bent);
            add(c, by * (sc * c.w), bent), add(d, by * (sd * d.w), bent);
        }
}

size_t limit_distances_scalar(std::span<const DistanceBlock> blocks, float times, Float4* x) {
    size_t changed = 0;
    for (const DistanceBlock& block : blocks) {
        bool any = false;
        for (size_t k = 0; k < octet_size; ++k) {
            Float4 &a = x[block.a[k]], &b = x[block.b[k]];
            const Float4 d = minus(a, b);
            const float squared = dot(d, d), most = times * block.rest[k], weight = a.w + b.w;
            if (!(squared > most * most) || !(weight > 0.0f)) continue;
            const float s = (1.0f - most / std::sqrt(squared)) / weight, sa = s * a.w, sb = s * b.w;
            add(a, -sa, d), add(b, sb, d);
            any = true;
        }
        changed += any ? 1 : 0;
    }
    return changed;
}

void hold_tethers_scalar(const ClothTethers& tethers, std::span<Float4> x) {
    const auto hold = [](Float4& p, const Float4& q, float length) {
        const Float4 d = minus(p, q);
        const float squared = dot(d, d);
        if (!(squared > length * length)) return;
        const float share = length / std::sqrt(squared);
        p.x = q.x + share * d.x, p.y = q.y + share * d.y, p.z = q.z + share * d.z;
    };
    for (size_t i = 0; i < x.size(); ++i) {
        for (size_t k = 0; k < tethers.anchors.size(); ++k)
            hold(x[i], x[tethers.anchors[k]], tethers.lengths[k * x.size() + i]);
        if (tethers.own) hold(x[i], x[tethers.own[i]], tethers.own_lengths[i]);
    }
}

void leave_solids_scalar(std::span<const OctetSolid> near, const ClothSolid* solids, float thickness, Float4* x,
                         Float4* previous) {
    for (const OctetSolid& n : near)
        for (size_t i = n.octet * octet_size; i < (n.octet + 1) * octet_size; ++i)
            leave_solid(solids[n.solid], thickness, x[i], previous[i]);
}

}  // namespace sinew
