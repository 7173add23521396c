#include <sinew/ragdoll/body/part_plan.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A bone shorter than this share of the body's height moves with the one before it.
constexpr double shortest_bone = 0.05;
constexpr size_t most_trunk_parts = 3, most_tail_parts = 4, most_neck_parts = 2, most_chain_parts = 5;

class Planner {
public:
    Planner(const Skeleton& skeleton, std::span<const size_t> skinned, const RagdollOptions& options)
        : skeleton_(skeleton), skinned_(skinned), options_(options), world_(rest_world(skeleton)) {}

    PartPlan plan() {
        const HumanoidMap person = recognise_humanoid(skeleton_);
        const CreatureMap creature = recognise_creature(skeleton_);
        plan_.up = creature.up, plan_.ahead = creature.forward, plan_.left = creature.left();
        plan_.person = person.is_body();
        if (plan_.person)
            add_person(person);
        else
            add_creature(creature);
        if (plan_.person) add_chain(creature.tail, PartKind::tail, Side::none, most_tail_parts);
        if (plan_.parts.empty()) add_largest();
        std::ranges::sort(plan_.parts, {}, &PlannedPart::joint);
        return std::move(plan_);
    }

private:
    Vec3d place(int32_t joint) const { return world_[static_cast<size_t>(joint)].translation(); }

    void add(int32_t joint, PartKind kind, Side side = Side::none) {
        if (joint < 0) return;
        if (std::ranges::any_of(plan_.parts, [&](const PlannedPart& p) { return p.joint == joint; })) return;
        plan_.parts.push_back({joint, kind, side});
    }

    void add_person(const HumanoidMap& map) {
        add(map[Role::hips], PartKind::pelvis);
        int32_t chest = -1;
        for (const Role role : {Role::upper_chest, Role::chest, Role::spine})
            if (chest < 0) chest = map[role];
        if (map[Role::chest] >= 0) chest = map[Role::chest];
        const bool three = options_.waist && map[Role::spine] >= 0 && chest != map[Role::spine];
        if (three) add(map[Role::spine], PartKind::waist), add(chest, PartKind::chest);
        if (!three) add(map[Role::spine] >= 0 ? map[Role::spine] : chest, PartKind::chest);
        add(map[Role::neck] >= 0 ? map[Role::neck] : map[Role::head], PartKind::head);
        for (const Side side : {Side::left, Side::right}) {
            const int step = side == Side::left ? 0 : 4;  // the four roles of a right limb follow the left one's
            const auto of = [&](Role role) { return map[static_cast<Role>(static_cast<int>(role) + step)]; };
            add(of(Role::left_upper_leg), PartKind::upper_leg, side);
            add(of(Role::left_lower_leg), PartKind::lower_leg, side);
            add(of(Role::left_foot), PartKind::foot, side);
            add(of(Role::left_upper_arm), PartKind::upper_arm, side);
            add(of(Role::left_lower_arm), PartKind::lower_arm, side);
            if (options_.hands) add(of(Role::left_hand), PartKind::hand, side);
        }
    }

    // Up to `most` joints of a chain, evenly, none nearer to the one before than a short bone.
    void add_chain(const JointChain& chain, PartKind kind, Side side, size_t most) {
        const double least = shortest_bone * size();
        std::vector<int32_t> kept;
        for (const int32_t joint : chain)
            if (kept.empty() || (place(joint) - place(kept.back())).norm() > least) kept.push_back(joint);
        const size_t step = std::max<size_t>(1, (kept.size() + most - 1) / most);
        for (size_t i = 0; i < kept.size(); i += step) add(kept[i], kind, side);
    }

    void add_creature(const CreatureMap& map) {
        add(map.root, PartKind::pelvis);
        add_chain(map.spine, PartKind::trunk, Side::none, most_trunk_parts);
        add_chain(map.neck, PartKind::neck, Side::none, most_neck_parts);
        if (!map.head.empty()) add(map.head.front(), PartKind::head);
        add_chain(map.tail, PartKind::tail, Side::none, most_tail_parts);
        for (const auto* limbs : {&map.legs, &map.arms, &map.wings, &map.fins})
            for (const CreatureLimb& limb : *limbs) {
                JointChain chain(limb.joints.begin() + static_cast<std::ptrdiff_t>(limb.socket), limb.joints.end());
                if (chain.empty()) continue;
                add(chain.front(), PartKind::limb_root, limb.side);
                add_chain(chain, PartKind::limb, limb.side, most_chain_parts);
            }
        for (const JointChain& chain : map.limbs) add_chain(chain, PartKind::limb, Side::none, most_chain_parts);
    }

    void add_largest() {
        const auto most = std::ranges::max_element(skinned_);
        if (most != skinned_.end() && *most > 0) add(static_cast<int32_t>(most - skinned_.begin()), PartKind::pelvis);
    }

    double size() const {
        double low = INFINITY, high = -INFINITY;
        for (const AffineD& w : world_) {
            const double h = w.translation().dot(plan_.up), a = w.translation().dot(plan_.ahead);
            low = std::min({low, h, a}), high = std::max({high, h, a});
        }
        return high > low ? high - low : 1.0;
    }

    const Skeleton& skeleton_;
    std::span<const size_t> skinned_;
    const RagdollOptions& options_;
    std::vector<AffineD> world_;
    PartPlan plan_;
};

}  // namespace

PartPlan plan_parts(const Skeleton& skeleton, std::span<const size_t> skinned, const RagdollOptions& options) {
    return Planner(skeleton, skinned, options).plan();
}

}  // namespace sinew
