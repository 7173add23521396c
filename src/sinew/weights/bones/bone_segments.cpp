#include <sinew/math/functions/functions.h>
#include <sinew/skeleton/joint_label.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/weights/bones/bone_chooser.h>
#include <sinew/weights/bones/bone_rays.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr int along_y = 2;  // BoneChooser::axis

// Mixamo's names, which Ready Player Me and others use as well. These rigs turn their joints as Blender does, but their
// skin is painted as if joints were points: hips and chest own what lies between them and the limbs.
bool named_as_by_mixamo(const Skeleton& skeleton) {
    constexpr std::array<std::string_view, 3> telling = {"Hips", "LeftUpLeg", "LeftForeArm"};
    return std::all_of(telling.begin(), telling.end(), [&](std::string_view ending) {
        return std::any_of(skeleton.names().begin(), skeleton.names().end(),
                           [&](const std::string& name) { return name.ends_with(ending); });
    });
}

}  // namespace

// A program lets all bones of a rig run along one local axis: +Y in Blender, often +X elsewhere. If most joints have a
// child exactly on that axis, it tells which child is the main one and where end bones point. Blender's bones are
// segments along +Y, so there the axis is the bone itself. Elsewhere joints are points, and the axis only tells which
// child carries the chain on.
void BoneChooser::find_axis() {
    std::array<int, 6> votes{};
    int voters = 0;
    for (size_t j = 0; j < size(); ++j) {
        if (!kept(static_cast<int32_t>(j)) || children[j].empty()) continue;
        const Mat3d frame = frames[j].linear();
        std::array<bool, 6> hit{};
        bool any = false;
        for (int32_t child : children[j]) {
            const Vec3d d = at(child) - at(static_cast<int32_t>(j));
            if (d.norm() < rule::no_length) continue;
            any = true;
            for (int a = 0; a < 6; ++a) {
                Vec3d column = frame.col(a / 2);
                if (a % 2) column = -column;
                hit[a] |= column.normalized().dot(d.normalized()) > rule::on_axis;
            }
        }
        voters += any;
        for (int a = 0; a < 6; ++a) votes[a] += hit[a];
    }
    const auto best = std::max_element(votes.begin(), votes.end());
    if (voters >= rule::axis_voters && *best * rule::axis_agree_of >= voters * rule::axis_agree)
        axis = static_cast<int>(best - votes.begin());
    bones_are_explicit = axis == along_y && !named_as_by_mixamo(skeleton);
}

Vec3d BoneChooser::along_axis(int32_t joint) const {
    Vec3d column = frames[static_cast<size_t>(joint)].linear().col(axis / 2);
    if (axis % 2) column = -column;
    return column.normalized();
}

void BoneChooser::own(int32_t joint, const Vec3d& tail, std::string text) {
    bones.push_back({joint, at(joint), tail});
    std::string& all = why[static_cast<size_t>(joint)];
    all += (all.empty() ? "" : ", ") + std::move(text);
}

void BoneChooser::own_side(int32_t joint, const Vec3d& tail, std::string text) {
    own(joint, tail, std::move(text));
    bones.back().side = true;
}

// Whether two children mirror each other: equally far away, with about as many joints behind them, and apart or named
// left and right.
bool BoneChooser::is_twin(int32_t joint, int32_t child, int32_t other) const {
    if (other == child) return false;
    const auto [fewer, more] = std::minmax(below[static_cast<size_t>(other)], below[static_cast<size_t>(child)]);
    if (fewer < rule::twin_share * more) return false;
    const double near = std::min(length_to(joint, child), length_to(joint, other));
    const double far = std::max(length_to(joint, child), length_to(joint, other));
    if (far <= rule::no_length || far - near > rule::twin_length * far) return false;
    if (length_to(child, other) > rule::twin_apart * far) return true;
    const Side side = parse_joint_name(skeleton.names()[static_cast<size_t>(child)]).side;
    const Side opposite = parse_joint_name(skeleton.names()[static_cast<size_t>(other)]).side;
    return side != Side::none && opposite != Side::none && side != opposite;
}

bool BoneChooser::is_paired(int32_t joint, int32_t child) const {
    const auto& list = children[static_cast<size_t>(joint)];
    return std::any_of(list.begin(), list.end(), [&](int32_t other) { return is_twin(joint, child, other); });
}

// The child that carries the chain on: along the parent's direction, with most of the tree behind it, without a twin.
int32_t BoneChooser::main_child(int32_t joint) const {
    const auto& list = children[static_cast<size_t>(joint)];
    const int32_t up = parent[static_cast<size_t>(joint)];
    Vec3d direction = up >= 0 ? Vec3d(at(joint) - at(up)) : Vec3d(Vec3d::Zero());
    if (direction.norm() > rule::no_length) direction.normalize();
    int32_t best = -1;
    double best_score = -INFINITY;
    for (int32_t child : list) {
        const Vec3d d = at(child) - at(joint);
        if (d.norm() < rule::no_length) continue;
        const double score = d.normalized().dot(direction) +
                             std::log2(1.0 + below[static_cast<size_t>(child)]) * rule::tree_bonus +
                             (is_paired(joint, child) ? 0.0 : rule::lone_bonus);
        if (score > best_score) {
            best_score = score;
            best = child;
        }
    }
    return best;
}

// Straight on from the ankle there is only the sole. Toes lie where the skin is farthest.
void BoneChooser::look_around(int32_t joint, EndBone& end) const {
    const Vec3d ahead = end.direction, u = ahead.unitOrthogonal(), w = ahead.cross(u);
    for (const double tilt : rule::toe_tilts)
        for (int k = 0; k < rule::toe_directions; ++k) {
            // By name: compilers work out sines of constants by themselves, each to its own last bit.
            const auto around = functions::sine_cosine(2.0 * std::numbers::pi * k / rule::toe_directions);
            const auto tilted = functions::sine_cosine(tilt);
            const Vec3d aside = around.cosine * u + around.sine * w;
            const Vec3d direction = tilted.cosine * ahead + tilted.sine * aside;
            const double way = distance_to_skin(surface, longest_edge, at(joint), direction);
            if (way <= end.way_to_skin) continue;
            end.way_to_skin = way;
            end.direction = direction;
        }
}

EndBone BoneChooser::end_bone(int32_t joint) const {
    const int32_t up = parent[static_cast<size_t>(joint)];
    EndBone end;
    if (up >= 0) end.parent_length = length_to(up, joint);
    if (axis >= 0)
        end.direction = along_axis(joint);
    else if (end.parent_length > rule::no_length)
        end.direction = (at(joint) - at(up)) / end.parent_length;
    // On the mirrored side of a rig the axes may point backwards; not so in rigs along +Y.
    if (axis >= 0 && axis != along_y && up >= 0 &&
        end.direction.dot(at(joint) - at(up)) < rule::backwards * end.parent_length)
        end.direction = -end.direction;
    end.way_to_skin = distance_to_skin(surface, longest_edge, at(joint), end.direction);
    const JointName name = parse_joint_name(skeleton.names()[static_cast<size_t>(joint)]);
    if (name.part == BodyPart::toes && !name.helper &&
        end.way_to_skin * rule::tail_share < rule::marker_share * end.parent_length)
        look_around(joint, end);
    end.length = end.way_to_skin * rule::tail_share;
    const double usual = up >= 0 ? std::max(end.parent_length, rule::least_tail) : rule::root_tail;
    if (end.length < 0.0 || end.length > rule::longest_tail * usual) end.length = usual;
    return end;
}

// Whether no child carries this joint's chain on. So it is with a head that has eyes, a jaw or a whole face in it: it
// is named a head, or all that hangs on it is nearer than its skin. A child straight ahead always carries the chain on.
bool BoneChooser::ends_chain(int32_t joint) const {
    const auto j = static_cast<size_t>(joint);
    if (parent[j] < 0) return false;
    const JointName name = parse_joint_name(skeleton.names()[j]);
    const bool head = name.part == BodyPart::head && !name.helper;
    if (!head && children[j].size() < 2) return false;
    const EndBone end = end_bone(joint);
    if (end.way_to_skin < 0.0) return false;
    std::vector<int32_t> waiting = children[j];
    while (!waiting.empty()) {
        const int32_t k = waiting.back();
        waiting.pop_back();
        const Vec3d way = at(k) - at(joint);
        if (way.dot(end.direction) > rule::carries_on * way.norm() && way.norm() > rule::no_length) return false;
        if (!head && way.norm() > end.way_to_skin) return false;
        waiting.insert(waiting.end(), children[static_cast<size_t>(k)].begin(), children[static_cast<size_t>(k)].end());
    }
    return true;
}

void BoneChooser::own_end(int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    const int32_t up = parent[j];
    const EndBone end = end_bone(joint);
    const Vec3d tail = at(joint) + end.length * end.direction;
    if (up >= 0 && children[j].empty() &&
        (names_an_end(skeleton.names()[j]) || end.length < rule::marker_share * end.parent_length)) {
        fate[j] = JointFate::marker;
        if (end.length > rule::no_length) bones.push_back({up, at(joint), tail});  // its parent goes on to the skin
        return;
    }
    own(joint, tail, "tail towards the skin");
}

// A joint owns what lies between it and a crowd that hangs on it (fingers, toes, a face).
void BoneChooser::own_ways(int32_t joint, int32_t except) {
    for (int32_t child : children[static_cast<size_t>(joint)])
        if (child != except) own_way(joint, child);
}

void BoneChooser::own_way(int32_t joint, int32_t child) {
    const double share = bones_are_explicit ? rule::explicit_fan_share : rule::fan_share;
    if (length_to(joint, child) > rule::no_length)
        own_side(joint, at(joint) + share * (at(child) - at(joint)),
                 fmt::format("part of the way to {}", joint_label(skeleton, child)));
}

// Eyes tell where the face of a head is, so the head owns the ways to them.
void BoneChooser::own_face(int32_t joint) {
    for (size_t k = 0; k < size(); ++k) {
        if (fate[k] != JointFate::eye) continue;
        int32_t up = skeleton.parents()[k];
        while (up >= 0 && !kept(up)) up = skeleton.parents()[static_cast<size_t>(up)];
        if (up == joint) own_way(joint, static_cast<int32_t>(k));
    }
}

// The child nearest to the direction of the bone axis, and the cosine between the two.
int32_t BoneChooser::child_along_axis(int32_t joint, double& cosine) const {
    const Vec3d direction = along_axis(joint);
    int32_t best = -1;
    cosine = -1.0;
    for (int32_t child : children[static_cast<size_t>(joint)]) {
        const Vec3d d = at(child) - at(joint);
        if (d.norm() < rule::no_length || d.normalized().dot(direction) <= cosine) continue;
        cosine = d.normalized().dot(direction);
        best = child;
    }
    return best;
}

void BoneChooser::own_main(int32_t joint, int32_t child) {
    own(joint, at(child), fmt::format("to {}", joint_label(skeleton, child)));
    own_sides(joint, child);
}

void BoneChooser::own_by_axis(int32_t joint) {
    double cosine = -1.0;
    const int32_t best = child_along_axis(joint, cosine);
    if (best < 0) return own_end(joint);
    if (cosine > rule::on_axis) return own_main(joint, best);
    if (cosine < rule::near_axis || !bones_are_explicit) return own_by_shape(joint);
    own(joint, at(joint) + cosine * length_to(joint, best) * along_axis(joint),
        fmt::format("towards {}", joint_label(skeleton, best)));
    own_sides(joint, best);
}

// Without an axis, only the shape of the tree tells.
void BoneChooser::own_by_shape(int32_t joint) {
    const int32_t first = main_child(joint);
    if (first < 0) return own_end(joint);
    own_main(joint, first);
}

// Whether a limb begins at this side child: several joints, not far off, not running back along the main bone.
bool BoneChooser::starts_limb(int32_t joint, int32_t child, const Vec3d& main) const {
    const Vec3d d = at(child) - at(joint);
    return below[static_cast<size_t>(child)] >= rule::limb_joints && d.norm() > rule::no_length &&
           d.norm() < rule::limb_start * main.norm() && d.dot(main) > rule::limb_backwards * d.norm() * main.norm();
}

// Whether a limb starts so far from its parent joint that the skin between the two would wrongly go to the limb. "Far"
// is measured by the limb's first bone, and the start must lie to the side, measured by the way to its twin.
bool BoneChooser::leaves_gap(int32_t joint, int32_t child) const {
    const double away = length_to(joint, child);
    double to_twin = 0.0;
    for (int32_t other : children[static_cast<size_t>(joint)])
        if (is_twin(joint, child, other)) to_twin = std::max(to_twin, length_to(child, other));
    const int32_t next = main_child(child);
    return next >= 0 && away > rule::gap_start * length_to(child, next) && to_twin > rule::gap_sideways * away;
}

void BoneChooser::own_sides(int32_t joint, int32_t main) {
    if (children[static_cast<size_t>(joint)].size() >= rule::fan_children) return own_ways(joint, main);
    const auto& list = children[static_cast<size_t>(joint)];
    const Vec3d along = at(main) - at(joint);
    for (int32_t child : list) {
        if (child == main || length_to(joint, child) < rule::no_length) continue;
        const std::string name = joint_label(skeleton, child);
        const bool paired = is_paired(joint, child);
        if (bones_are_explicit) {
            if (paired && starts_limb(joint, child, along) && leaves_gap(joint, child))
                own_side(joint, at(child), fmt::format("to {}", name));
        } else if (starts_limb(joint, child, along)) {
            // A twin limb, or a lone one (a tail) that begins farther off than its first bone is long.
            const int32_t next = main_child(child);
            if (paired || (next >= 0 && length_to(joint, child) > length_to(child, next)))
                own_side(joint, at(child), fmt::format("to {}", name));
            if (next >= 0 && is_clavicle(child))
                own_side(joint, at(joint) + rule::chest_share * (at(next) - at(joint)),
                         fmt::format("part of the way to {}", joint_label(skeleton, next)));
        }
    }
}

void BoneChooser::own_segments(int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    if (j < rig->tails.size() && rig->tails[j] && rig->tails[j]->allFinite()) {
        own(joint, surface.to_surface(rig->tails[j]->cast<double>()), "tail given by the file");
        if (children[j].size() >= rule::fan_children) own_ways(joint, -1);
    } else if (children[j].empty()) {
        own_end(joint);
    } else if (ends_chain(joint)) {
        own_end(joint);
        own_ways(joint, -1);
    } else if (axis >= 0) {
        own_by_axis(joint);
    } else {
        own_by_shape(joint);
    }
    if (kept(joint)) own_face(joint);
}

}  // namespace sinew
