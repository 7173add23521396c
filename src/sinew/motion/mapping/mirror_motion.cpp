#include <sinew/motion/mapping/mirror_motion.h>

#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/creature/creature_words.h>
#include <algorithm>
#include <map>

namespace sinew {
namespace {

std::vector<int32_t> find_partners(const Skeleton& skeleton, const CreatureMap& body) {
    std::vector<int32_t> partner(skeleton.size());
    for (size_t j = 0; j < partner.size(); ++j) partner[j] = static_cast<int32_t>(j);
    const auto pair = [&](int32_t a, int32_t b) {
        if (a < 0 || b < 0 || a == b || partner[static_cast<size_t>(a)] != a || partner[static_cast<size_t>(b)] != b)
            return;
        partner[static_cast<size_t>(a)] = b;
        partner[static_cast<size_t>(b)] = a;
    };
    const HumanoidMap roles = recognise_humanoid(skeleton);
    for (size_t r = 0; r < role_count; ++r) {
        const std::string_view name = to_string(static_cast<Role>(r));
        if (!name.starts_with("left")) continue;
        const std::string other = "right" + std::string(name.substr(4));
        for (size_t q = 0; q < role_count; ++q)
            if (to_string(static_cast<Role>(q)) == other) pair(roles.joint[r], roles.joint[q]);
    }
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

Result<MirroredMotion> mirror_motion(const Skeleton& skeleton, const Clip& clip, const std::vector<Transform>& stance) {
    const CreatureMap body = recognise_creature(skeleton);
    const Reflection mirror{across_body(body).cast<float>()};
    MirroredMotion made{{}, clip, {}, find_partners(skeleton, body)};
    std::vector<std::string> names;
    std::vector<Transform> rest;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        names.push_back(skeleton.names()[static_cast<size_t>(made.partner[j])]);
        rest.push_back(mirror.apply(skeleton.rest()[j]));
    }
    SINEW_TRY(made.skeleton, Skeleton::create(std::move(names), skeleton.parents(), std::move(rest)));
    for (const Transform& local : stance) made.stance.push_back(mirror.apply(local));
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
