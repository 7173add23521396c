#include <sinew/ragdoll/creatures/creature_body.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr size_t body_genes = 4, pair_genes = 9, second_genes = 4, tail_genes = 4;
constexpr double widest = 1.1;       // radians that a limb bends or leans at most
constexpr double flesh = 1000.0;     // kg/m³
constexpr double twist_play = 0.02;  // radians

// A gene as a number from low to high; 0 is the middle. Smooth, so that no gene leads out of the range.
double between(double gene, double low, double high) {
    return low + (high - low) * (0.5 + std::atan(2.0 * gene) / std::numbers::pi);
}

class Grower {
public:
    explicit Grower(const CreatureGenes& genes) : genes_(genes) {}

    GrownCreature grow() {
        const CreaturePlan& plan = genes_.plan;
        half_ = between(gene(0), 0.15, 0.45), thick_ = between(gene(1), 0.06, 0.16);
        made_.frequency = between(gene(2), 0.5, 2.0);
        across_ = std::numbers::pi * between(gene(3), 0.0, 2.0);  // how far the right side is behind the left
        next_ = body_genes;
        add(-1, Vec3d::Zero(), Vec3d::UnitZ() * 2.0 * half_, thick_, {});
        RagdollPart& trunk = made_.body.parts[0];
        trunk.centre.setZero();
        for (int p = 0; p < plan.limb_pairs; ++p) add_pair(p);
        add_tail();
        auto skeleton = Skeleton::create(names_, parents_, rest_);
        made_.body.skeleton = *std::move(skeleton);
        for (const RagdollPart& part : made_.body.parts) made_.body.mass += part.mass;
        made_.body.height = 0.5;
        return std::move(made_);
    }

private:
    double gene(size_t i) const { return i < genes_.numbers.size() ? genes_.numbers[i] : 0.0; }

    int32_t add(int32_t parent, const Vec3d& joint, const Vec3d& bone, double radius, const JointRhythm& rhythm) {
        RagdollPart part{.joint = static_cast<int32_t>(names_.size()), .parent = parent};
        part.kind = parent < 0 ? PartKind::pelvis : PartKind::limb;
        part.centre = 0.5 * bone;
        part.turn = Quatd::FromTwoVectors(Vec3d::UnitY(), bone);
        part.radius = radius, part.half = std::max(0.0, 0.5 * bone.norm() - (parent < 0 ? radius : 0.0));
        part.mass = flesh * std::numbers::pi * radius * radius * (2.0 * part.half + 4.0 / 3.0 * radius);
        const Vec3d z = bone.normalized();
        Vec3d x = Vec3d::UnitY() - z.y() * z;
        x = x.norm() > 0.1 ? Vec3d(x.normalized()) : Vec3d(Vec3d::UnitX());
        Mat3d axes;
        axes << x, z.cross(x), z;
        part.frame = part.parent_frame = Quatd(axes).normalized();
        part.low = {-widest - 0.2, -widest - 0.2, -twist_play}, part.high = -part.low;
        const Vec3d from = parent < 0 ? Vec3d(Vec3d::Zero()) : joints_[static_cast<size_t>(parent)];
        names_.push_back(parent < 0 ? "trunk" : fmt::format("part_{}", names_.size()));
        parents_.push_back(parent), joints_.push_back(joint);
        rest_.push_back({.translation = Vec3d(joint - from).cast<float>()});
        made_.body.parts.push_back(part), made_.rhythms.push_back(rhythm);
        return part.joint;
    }

    void add_pair(int p) {
        const size_t g = next_;
        const bool two = genes_.plan.limb_segments > 1;
        next_ += pair_genes + (two ? second_genes : 0);
        const double spread = genes_.plan.limb_pairs > 1 ? 1.0 - 2.0 * p / (genes_.plan.limb_pairs - 1.0) : 0.5;
        const double at = std::clamp(0.8 * spread + between(gene(g), -0.3, 0.3), -1.0, 1.0) * half_;
        const double length = between(gene(g + 1), 0.12, 0.4), radius = between(gene(g + 2), 0.025, 0.06);
        const double down = between(gene(g + 8), -0.2, 1.0);
        JointRhythm upper{.bend = between(gene(g + 3), 0.0, widest),
                          .bend_phase = std::numbers::pi * between(gene(g + 4), -1.0, 1.0) + std::numbers::pi * (p % 2),
                          .lean = between(gene(g + 5), 0.0, 0.6 * widest),
                          .lean_phase = std::numbers::pi * between(gene(g + 6), -1.0, 1.0),
                          .lean_rest = between(gene(g + 7), -0.5 * widest, 0.5 * widest)};
        for (const double side : {1.0, -1.0}) {
            const Vec3d out = Vec3d(side, -down, 0.0).normalized();
            JointRhythm now = mirrored(upper, side);
            const int32_t first = add(0, Vec3d(0.8 * side * thick_, 0.0, at), length * out, radius, now);
            if (!two) continue;
            const double further = between(gene(g + 9), 0.1, 0.4);
            JointRhythm lower{.bend = between(gene(g + 10), 0.0, widest),
                              .bend_phase = std::numbers::pi * between(gene(g + 11), -1.0, 1.0),
                              .lean_rest = between(gene(g + 12), -widest, widest)};
            const Vec3d knee = joints_[static_cast<size_t>(first)] + length * out;
            add(first, knee, further * out, 0.8 * radius, mirrored(lower, side));
        }
    }
    // The right side does what the left one does, seen in a mirror and later.
    JointRhythm mirrored(JointRhythm r, double side) const {
        if (side > 0.0) return r;
        r.bend = -r.bend, r.lean = -r.lean, r.lean_rest = -r.lean_rest;
        r.bend_phase += across_, r.lean_phase += across_;
        return r;
    }

    void add_tail() {
        const size_t g = next_;
        int32_t last = 0;
        Vec3d at(0.0, 0.0, -half_);
        for (int k = 0; k < genes_.plan.tail_segments; ++k) {
            const double length = between(gene(g), 0.12, 0.4), radius = between(gene(g + 1), 0.03, 0.09);
            const JointRhythm swing{.bend = between(gene(g + 2), 0.0, 0.8 * widest),
                                    .bend_phase = k * std::numbers::pi * between(gene(g + 3), -1.0, 1.0)};
            last = add(last, at, Vec3d(0.0, 0.0, -length), radius / (1.0 + 0.3 * k), swing);
            at.z() -= length;
        }
    }

    const CreatureGenes& genes_;
    GrownCreature made_;
    std::vector<std::string> names_;
    std::vector<int32_t> parents_;
    std::vector<Transform> rest_;
    std::vector<Vec3d> joints_;
    double half_ = 0.3, thick_ = 0.1, across_ = 0.0;
    size_t next_ = 0;
};

}  // namespace

size_t creature_gene_count(const CreaturePlan& plan) {
    return body_genes +
           static_cast<size_t>(plan.limb_pairs) * (pair_genes + (plan.limb_segments > 1 ? second_genes : 0)) +
           (plan.tail_segments > 0 ? tail_genes : 0);
}

GrownCreature grow_creature(const CreatureGenes& genes) {
    return Grower(genes).grow();
}

Vec3d GrownCreature::angles_at(size_t part, double time) const {
    const JointRhythm& r = rhythms[part];
    const double turn = 2.0 * std::numbers::pi * frequency * time;
    return {r.bend * std::sin(turn + r.bend_phase),
            std::clamp(r.lean_rest + r.lean * std::sin(turn + r.lean_phase), -widest, widest), 0.0};
}

}  // namespace sinew
