#include <sinew/motion/skinned/flat_rig.h>

#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double flat_share = 0.6;  // of the joints, beside each other: a body has no such joint

enum class Chain : uint8_t { none, trunk, face, leg, arm, finger };

Chain chain_of(const JointName& name) {
    using enum BodyPart;
    if (name.helper || name.part == none) return Chain::none;
    if (name.part <= head) return Chain::trunk;
    if (name.part <= jaw) return Chain::face;
    if (name.part <= toes) return name.side == Side::none ? Chain::none : Chain::leg;
    if (name.part <= hand) return name.side == Side::none ? Chain::none : Chain::arm;
    return name.side == Side::none ? Chain::none : Chain::finger;
}

bool is_flat(const std::vector<int32_t>& parents) {
    std::vector<int32_t> children(parents.size() + 1, 0);
    for (const int32_t parent : parents) ++children[static_cast<size_t>(parent + 1)];
    return static_cast<double>(*std::ranges::max_element(children)) > flat_share * static_cast<double>(parents.size());
}

// The joints of a flat rig by what their names say, and where they are.
class FlatRig {
public:
    explicit FlatRig(const Skeleton& skeleton) : parents(skeleton.parents()) {
        for (const AffineD& world : rest_world(skeleton)) place_.push_back(world.translation());
        for (const std::string& name : skeleton.names()) names_.push_back(parse_joint_name(name));
    }

    std::vector<int32_t> parents;

    // False where the names make no person.
    bool join() {
        std::vector<int32_t> trunk = all(Chain::trunk, Side::none, BodyPart::none);
        const std::array legs = {all(Chain::leg, Side::left, BodyPart::none),
                                 all(Chain::leg, Side::right, BodyPart::none)};
        const std::array arms = {all(Chain::arm, Side::left, BodyPart::none),
                                 all(Chain::arm, Side::right, BodyPart::none)};
        for (const auto& limbs : {legs, arms})
            if (limbs[0].size() < 2 || limbs[0].size() != limbs[1].size()) return false;
        if (trunk.size() < 2) return false;
        // From the feet up to the trunk: where up is, and the first and last of each chain.
        up_ = (middle(trunk) - 0.5 * (middle(legs[0]) + middle(legs[1]))).normalized();
        sort_by(trunk, [&](const Vec3d& p) { return p.dot(up_); });
        link(trunk, parents[at(trunk.front())]);
        const int32_t hips = trunk.front();
        for (std::vector<int32_t> leg : legs) {
            sort_by(leg, [&](const Vec3d& p) { return -p.dot(up_); });
            link(leg, hips);
        }
        for (std::vector<int32_t> arm : arms) join_arm(trunk, std::move(arm));
        for (const int32_t joint : all(Chain::face, Side::none, BodyPart::none)) parents[at(joint)] = trunk.back();
        join_rest();
        return true;
    }

private:
    std::vector<JointName> names_;
    std::vector<Vec3d> place_;
    std::vector<char> linked_ = std::vector<char>(parents.size(), 0);
    Vec3d up_ = Vec3d::UnitY();

    static size_t at(int32_t joint) { return static_cast<size_t>(joint); }

    // Joints of a chain, of one side and part where that is asked for.
    std::vector<int32_t> all(Chain chain, Side side, BodyPart part) const {
        std::vector<int32_t> found;
        for (size_t j = 0; j < names_.size(); ++j)
            if (chain_of(names_[j]) == chain && (side == Side::none || names_[j].side == side) &&
                (part == BodyPart::none || names_[j].part == part))
                found.push_back(static_cast<int32_t>(j));
        return found;
    }
    Vec3d middle(const std::vector<int32_t>& joints) const {
        Vec3d sum = Vec3d::Zero();
        for (const int32_t joint : joints) sum += place_[at(joint)] / static_cast<double>(joints.size());
        return sum;
    }
    template <class Key>
    void sort_by(std::vector<int32_t>& joints, const Key& key) const {
        std::ranges::stable_sort(joints, [&](int32_t a, int32_t b) { return key(place_[at(a)]) < key(place_[at(b)]); });
    }
    void link(const std::vector<int32_t>& chain, int32_t top) {
        for (const int32_t joint : chain) {
            parents[at(joint)] = top;
            linked_[at(joint)] = 1;
            top = joint;
        }
    }
    // An arm hangs on the trunk's highest joint below its shoulder; fingers on its hand, each as a chain.
    void join_arm(const std::vector<int32_t>& trunk, std::vector<int32_t> arm) {
        const Vec3d base = middle(trunk);
        const auto away = [&](const Vec3d& p) {
            const Vec3d off = p - base;
            return (off - off.dot(up_) * up_).norm();
        };
        sort_by(arm, away);
        int32_t top = trunk.front();
        for (const int32_t joint : trunk)
            if (names_[at(joint)].part < BodyPart::neck &&
                place_[at(joint)].dot(up_) < place_[at(arm.front())].dot(up_))
                top = joint;
        link(arm, top);
        const int32_t hand = arm.back();
        const Side side = names_[at(hand)].side;
        for (BodyPart part = BodyPart::thumb; part <= BodyPart::finger;
             part = static_cast<BodyPart>(static_cast<int>(part) + 1)) {
            std::vector<int32_t> finger = all(Chain::finger, side, part);
            sort_by(finger, [&](const Vec3d& p) { return (p - place_[at(hand)]).norm(); });
            link(finger, hand);
        }
    }
    // What is left and lay beside the others goes along with the nearest joint: twists, pockets, hair. A second root,
    // which lies where the first one does, stays.
    void join_rest() {
        const std::vector<int32_t> before = parents;
        double tall = 0;
        for (const Vec3d& place : place_) tall = std::max(tall, std::abs((place - place_[0]).dot(up_)));
        for (size_t j = 0; j < parents.size(); ++j) {
            if (linked_[j]) continue;
            const bool carries = std::ranges::find(before, static_cast<int32_t>(j)) != before.end();
            if (carries || before[j] < 0 || linked_[at(before[j])]) continue;
            if ((place_[j] - place_[at(before[j])]).norm() < 1e-4 * tall) continue;
            double least = INFINITY;
            for (size_t k = 0; k < parents.size(); ++k)
                if (const double off = (place_[k] - place_[j]).norm(); linked_[k] && off < least)
                    least = off, parents[j] = static_cast<int32_t>(k);
        }
    }
};

}  // namespace

std::optional<JoinedRig> join_flat_rig(const Skeleton& skeleton) {
    if (!is_flat(skeleton.parents()) || recognise_humanoid(skeleton).is_body()) return {};
    FlatRig flat(skeleton);
    if (!flat.join()) return {};
    std::optional<JoinedRig> rig = join_rig(skeleton, flat.parents);
    if (!rig || !recognise_humanoid(rig->skeleton).is_body()) return {};
    return rig;
}

JoinedBody::JoinedBody(const JoinedRig& rig, const SkinnedSkeleton& file)
    : skins(file.skins.begin(), file.skins.end()), body{rig.skeleton, skins, file.meshes, {}, file.points} {
    for (Skin& skin : skins)
        for (int32_t& joint : skin.joints) joint = rig.place[static_cast<size_t>(joint)];
    for (SkinnedMeshPlace& mesh : body.meshes) mesh.joint = rig.place[static_cast<size_t>(mesh.joint)];
    for (const int32_t joint : rig.joint) body.moves.push_back(file.moves[static_cast<size_t>(joint)]);
    for (SkinPoint& point : body.points)
        for (int32_t& joint : point.joint) joint = rig.place[static_cast<size_t>(joint)];
}

RetargetOptions as_joined(const JoinedRig& rig, RetargetOptions options) {
    for (int32_t& joint : options.only) joint = rig.place[static_cast<size_t>(joint)];
    std::ranges::sort(options.only);
    options.skin = {};  // the joined body brings its own
    return options;
}

RetargetResult as_in_file(const JoinedRig& rig, const Skeleton& skeleton, RetargetResult result) {
    result.clip = as_in_file(rig, skeleton, result.clip);
    for (JointMatch& match : result.map) match.target = rig.joint[static_cast<size_t>(match.target)];
    result.warnings.emplace_back(
        "the character's joints all hang on one: they were joined as a person's by their names");
    return result;
}

}  // namespace sinew
