#include <sinew/motion/mapping/mirror_motion.h>

#include <sinew/motion/retarget/motion_body.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/creature/creature_words.h>
#include <algorithm>
#include <map>

namespace sinew {
namespace {

// The role of the same joint on the other side; the role itself on the middle.
size_t other_role(size_t role) {
    const std::string name(to_string(static_cast<Role>(role)));
    const bool left = name.starts_with("left"), right = name.starts_with("right");
    if (!left && !right) return role;
    const std::string other = left ? "right" + name.substr(4) : "left" + name.substr(5);
    for (size_t q = 0; q < role_count; ++q)
        if (to_string(static_cast<Role>(q)) == other) return q;
    return role;
}

std::vector<int32_t> find_partners(const Skeleton& skeleton, const CreatureMap& body, const HumanoidMap& roles) {
    std::vector<int32_t> partner(skeleton.size());
    for (size_t j = 0; j < partner.size(); ++j) partner[j] = static_cast<int32_t>(j);
    const auto pair = [&](int32_t a, int32_t b) {
        if (a < 0 || b < 0 || a == b || partner[static_cast<size_t>(a)] != a || partner[static_cast<size_t>(b)] != b)
            return;
        partner[static_cast<size_t>(a)] = b;
        partner[static_cast<size_t>(b)] = a;
    };
    for (size_t r = 0; r < role_count; ++r) pair(roles.joint[r], roles.joint[other_role(r)]);
    std::map<std::string, std::pair<int32_t, int32_t>> named;  // plain name → left, right; −2: several
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const CreatureName name = parse_creature_name(skeleton.names()[j]);
        if (name.side == Side::none) continue;
        auto& sides = named.try_emplace(name.plain, -1, -1).first->second;
        int32_t& mine = name.side == Side::left ? sides.first : sides.second;
        mine = mine == -1 ? static_cast<int32_t>(j) : -2;
    }
    for (const auto& [plain, sides] : named) pair(sides.first, sides.second);
    for (const auto* limbs : {&body.legs, &body.arms, &body.wings, &body.fins})
        for (size_t i = 0; i + 1 < limbs->size(); i += 2)
            for (size_t k = 0; k < std::min((*limbs)[i].joints.size(), (*limbs)[i + 1].joints.size()); ++k)
                pair((*limbs)[i].joints[k], (*limbs)[i + 1].joints[k]);
    return partner;
}

// The axis across the body: a coordinate axis where it nearly is one, so that the reflection adds no rounding.
Vec3d across_body(const CreatureMap& body) {
    const Vec3d left = body.left();
    Eigen::Index axis = 0;
    left.cwiseAbs().maxCoeff(&axis);
    constexpr double nearly = 0.9976;  // 4 degrees, as body_frame has it
    return std::abs(left[axis]) > nearly ? Vec3d(Vec3d::Unit(axis)) : left.normalized();
}

struct Reflection {
    Vec3 normal;
    Vec3 point(const Vec3& p) const { return p - 2 * normal.dot(p) * normal; }
    // S·R·S turns about the reflected axis by the opposite angle.
    Quat turn(const Quat& q) const {
        const Vec3 v = -point(q.vec());
        return Quat(q.w(), v.x(), v.y(), v.z());
    }
    Transform apply(Transform t) const {
        t.translation = point(t.translation);
        t.rotation = turn(t.rotation);
        return t;
    }
};

}  // namespace

Result<MirroredMotion> mirror_motion(const Skeleton& skeleton, const Clip& clip, const MovingBody& body,
                                     const std::vector<Transform>& stance) {
    const CreatureMap creature = recognise_creature(skeleton);
    Vec3d across = across_body(creature);
    if (!body.stance.empty()) across = body_frame(body.map, world_pose(skeleton, body.stance)).col(0);
    const Reflection mirror{across.cast<float>()};
    MirroredMotion made{{}, clip, {}, {}, find_partners(skeleton, creature, body.map)};
    for (size_t r = 0; r < role_count; ++r) made.roles.joint[other_role(r)] = body.map.joint[r];
    std::vector<std::string> names;
    std::vector<Transform> rest;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        names.push_back(skeleton.names()[static_cast<size_t>(made.partner[j])]);
        rest.push_back(mirror.apply(skeleton.rest()[j]));
    }
    SINEW_TRY(made.skeleton, Skeleton::create(std::move(names), skeleton.parents(), std::move(rest)));
    for (const Transform& local : stance.empty() ? body.stance : stance) made.stance.push_back(mirror.apply(local));
    for (Track& track : made.clip.tracks) {
        if (track.path != TrackPath::rotation && track.path != TrackPath::translation) continue;
        const size_t step = track.path == TrackPath::rotation ? 4 : 3;
        for (size_t i = 0; i + step <= track.values.size(); i += step) {  // keys and tangents alike: all linear
            float* v = &track.values[i];
            const Vec3 part = mirror.point(Vec3(v[0], v[1], v[2])) * (step == 4 ? -1.0f : 1.0f);
            std::copy(part.data(), part.data() + 3, v);
        }
    }
    return made;
}

}  // namespace sinew
