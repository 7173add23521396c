// Sliding feet, as an onlooker sees them: from the written clip and the skin of the soles, and from nothing else. What
// the gait holds to be a planted foot is not asked.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/parallel.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sinew::test {

// A vertex of a sole in its skin, with what moves it.
struct SolePoint {
    Vec3 rest;
    std::span<const Influence> influences;
    const Skin* skin = nullptr;  // of the one body
};

struct SoleSlip {
    size_t contacts = 0;
    double worst = 0.0, sum = 0.0;  // metres that a sole slid while it was on the ground, per contact
    double on_ground = 0.0;         // share of the time that a body has a sole on the ground
    std::vector<double> all;
};

constexpr double sole_share = 0.03;  // of the body's height: skin of a foot that is so low at rest is the sole
constexpr size_t most_sole_points = 40;
constexpr float sole_near = 0.004f;  // the same: so near the ground it touches

// The soles of the left and the right foot of a person who stands on y = 0 at rest.
inline std::array<std::vector<SolePoint>, 2> soles_of(const Character& one) {
    std::array<std::vector<SolePoint>, 2> soles;
    const HumanoidMap map = recognise_humanoid(one.skeleton);
    const std::vector<AffineD> rest = rest_world(one.skeleton);
    float low = INFINITY, high = -INFINITY;
    for (const AffineD& joint : rest) high = std::max(high, static_cast<float>(joint.translation().y()));
    for (const int pass : {0, 1})  // first how low the feet reach
        for (const MeshInstance& instance : one.instances) {
            if (instance.skin < 0) continue;
            const Skin& skin = one.skins[static_cast<size_t>(instance.skin)];
            for (const Primitive& primitive : one.meshes[static_cast<size_t>(instance.mesh)].primitives) {
                if (primitive.influences.empty()) continue;
                for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
                    const auto influences = primitive.influences.of(v);
                    if (influences.empty()) continue;
                    const int32_t owner = skin.joints[influences[0].joint];
                    const bool left = owner == map[Role::left_foot] || owner == map[Role::left_toes];
                    if (!left && owner != map[Role::right_foot] && owner != map[Role::right_toes]) continue;
                    Vec3 at = Vec3::Zero();
                    for (const Influence& i : influences)
                        at += i.weight * (rest[static_cast<size_t>(skin.joints[i.joint])].cast<float>() *
                                          skin.inverse_bind[i.joint] * primitive.mesh.positions[v]);
                    if (pass == 0) low = std::min(low, at.y());
                    if (pass == 1 && at.y() < low + static_cast<float>(sole_share) * (high - low))
                        soles[left ? 0 : 1].push_back({primitive.mesh.positions[v], influences, &skin});
                }
            }
        }
    // A few dozen points, spread over each sole, tell as much as all.
    for (std::vector<SolePoint>& sole : soles) {
        const size_t stride = 1 + sole.size() / most_sole_points;
        std::vector<SolePoint> few;
        for (size_t k = 0; k < sole.size(); k += stride) few.push_back(sole[k]);
        sole = std::move(few);
    }
    return soles;
}

// One contact of a sole, from touching to leaving the ground: how far each point of it strayed while it was down.
struct SoleContact {
    struct Point {
        Vec3 first = Vec3::Zero();
        size_t moments = 0;
        float strayed = 0.0f;
        bool down = false;
    };
    std::vector<Point> points;
    size_t moments = 0;

    // The point that stays best of those that are down for at least half the time: a foot that rolls or turns on its
    // ball does not slide.
    double slid() const {
        float least = INFINITY;
        for (const Point& p : points)
            if (2 * p.moments >= moments) least = std::min(least, p.strayed);
        return std::isfinite(least) ? static_cast<double>(least) : 0.0;
    }
};

// `crowd` holds `count` bodies of `one`, each below a joint of its own, one after another, as make_crowd() writes them.
inline SoleSlip measure_sole_slip(const Character& crowd, const Character& one, size_t count, float rate = 60.0f) {
    const auto soles = soles_of(one);
    const Clip& clip = crowd.clips.at(0);
    const auto moments = static_cast<size_t>(duration(clip) * rate);
    const size_t each = one.skeleton.size() + 1;
    float height = 0.0f;
    for (const AffineD& joint : rest_world(one.skeleton))
        height = std::max(height, static_cast<float>(joint.translation().y()));
    struct Foot {
        SoleContact contact;
        std::vector<double> slid;
    };
    std::vector<std::array<Foot, 2>> feet(count);
    std::vector<size_t> grounded(count, 0);
    std::vector<AffineD> world(crowd.skeleton.size());
    const auto end_contact = [](Foot& foot) {
        if (foot.contact.moments > 0) foot.slid.push_back(foot.contact.slid());
        foot.contact = {};
    };
    const auto look = [&](Foot& foot, std::span<const SolePoint> sole, size_t first_joint) {
        SoleContact& contact = foot.contact;
        contact.points.resize(sole.size());
        bool touches = false;
        for (size_t k = 0; k < sole.size(); ++k) {
            const SolePoint& p = sole[k];
            Vec3d sum = Vec3d::Zero();
            for (const Influence& i : p.influences) {
                const Vec3 bound = p.skin->inverse_bind[i.joint] * p.rest;
                sum += static_cast<double>(i.weight) *
                       (world[first_joint + static_cast<size_t>(p.skin->joints[i.joint])] * bound.cast<double>());
            }
            const Vec3 at = sum.cast<float>();
            SoleContact::Point& point = contact.points[k];
            const bool down = at.y() < sole_near * height;
            if (down && !point.down) point.first = at;
            point.down = down;
            if (!down) continue;
            touches = true;
            ++point.moments;
            point.strayed = std::max(point.strayed, std::hypot(at.x() - point.first.x(), at.z() - point.first.z()));
        }
        contact.moments += touches;
        if (!touches) end_contact(foot);
        return touches;
    };
    Pose pose;
    for (size_t m = 0; m < moments; ++m) {
        sample_pose(crowd, &clip, static_cast<float>(m) / rate, pose);
        local_to_world(crowd.skeleton.parents(), pose.local, world);
        parallel_for(count, 16, [&](size_t begin, size_t end) {
            for (size_t b = begin; b < end; ++b) {
                const bool left = look(feet[b][0], soles[0], b * each + 1);
                const bool right = look(feet[b][1], soles[1], b * each + 1);
                grounded[b] += left || right;
            }
        });
    }
    SoleSlip slip;
    for (size_t b = 0; b < count; ++b) {
        slip.on_ground += static_cast<double>(grounded[b]) / static_cast<double>(count * std::max<size_t>(moments, 1));
        for (Foot& foot : feet[b]) {
            end_contact(foot);
            for (const double slid : foot.slid) {
                ++slip.contacts, slip.sum += slid, slip.worst = std::max(slip.worst, slid);
                slip.all.push_back(slid);
            }
        }
    }
    std::ranges::sort(slip.all);
    return slip;
}

}  // namespace sinew::test
