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

// In units of the Surface's size.
constexpr double tail_share = 0.8;    // of the way from an end joint to the skin
constexpr double marker_share = 0.2;  // an end joint whose tail is shorter than this share of its parent is a mark
constexpr double fan_share = 0.9;     // of the way to the fingers that the palm owns
constexpr double explicit_fan_share = 0.7;  // the same where bones are segments, and the palm's is one of them
constexpr double chest_share = 0.5;         // of the way to an arm that the chest owns, which is as wide as that
constexpr size_t fan_children = 5;
constexpr int along_y = 2;  // BoneChooser::axis
// Of the joints behind one twin, at least, are behind the other: files drop fingertips.
constexpr double twin_share = 0.75;
// Cosines between the bone axis and the way to a child.
constexpr double on_axis = 0.995;
constexpr double near_axis = 0.5;
constexpr double backwards = -0.5;
// Between the direction of a chain and the way to what carries it on.
constexpr double carries_on = 0.866;

// Mixamo's names, which Ready Player Me and others use as well. Its rigs turn their joints as Blender does, but they
// are painted as points are: hips and chest own what lies between them and the limbs.
bool named_as_by_mixamo(const Skeleton& skeleton) {
    constexpr std::array<std::string_view, 3> telling = {"Hips", "LeftUpLeg", "LeftForeArm"};
    return std::all_of(telling.begin(), telling.end(), [&](std::string_view ending) {
        return std::any_of(skeleton.names().begin(), skeleton.names().end(),
                           [&](const std::string& name) { return name.ends_with(ending); });
    });
}

}  // namespace

// Rigs made in one program let all bones run along one local axis: +Y in Blender, often +X elsewhere. Where most joints
// have a child exactly there, the axis tells main children and the direction of end bones. Blender's bones are
// segments, and its exporters let them run along +Y: there the axis is the bone itself. Elsewhere joints are points,
// and the axis tells no more than which child carries the chain on.
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
            if (d.norm() < no_length) continue;
            any = true;
            for (int a = 0; a < 6; ++a) {
                Vec3d column = frame.col(a / 2);
                if (a % 2) column = -column;
                hit[a] |= column.normalized().dot(d.normalized()) > on_axis;
            }
        }
        voters += any;
        for (int a = 0; a < 6; ++a) votes[a] += hit[a];
    }
    const auto best = std::max_element(votes.begin(), votes.end());
    if (voters >= 3 && *best * 10 >= voters * 7) axis = static_cast<int>(best - votes.begin());
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

// Two children that mirror each other: as far away, as much behind them, and apart or called left and right.
bool BoneChooser::is_twin(int32_t joint, int32_t child, int32_t other) const {
    if (other == child) return false;
    const auto [fewer, more] = std::minmax(below[static_cast<size_t>(other)], below[static_cast<size_t>(child)]);
    if (fewer < twin_share * more) return false;
    const double near = std::min(length_to(joint, child), length_to(joint, other));
    const double far = std::max(length_to(joint, child), length_to(joint, other));
    if (far <= no_length || far - near > 0.1 * far) return false;
    if (length_to(child, other) > 0.3 * far) return true;
    const Side side = parse_joint_name(skeleton.names()[static_cast<size_t>(child)]).side;
    const Side opposite = parse_joint_name(skeleton.names()[static_cast<size_t>(other)]).side;
    return side != Side::none && opposite != Side::none && side != opposite;
}

bool BoneChooser::is_paired(int32_t joint, int32_t child) const {
    const auto& list = children[static_cast<size_t>(joint)];
    return std::any_of(list.begin(), list.end(), [&](int32_t other) { return is_twin(joint, child, other); });
}

// The child that carries the chain on: along the parent's direction, with most of the tree behind it, and alone.
int32_t BoneChooser::main_child(int32_t joint) const {
    const auto& list = children[static_cast<size_t>(joint)];
    const int32_t up = parent[static_cast<size_t>(joint)];
    Vec3d direction = up >= 0 ? Vec3d(at(joint) - at(up)) : Vec3d(Vec3d::Zero());
    if (direction.norm() > no_length) direction.normalize();
    int32_t best = -1;
    double best_score = -INFINITY;
    for (int32_t child : list) {
        const Vec3d d = at(child) - at(joint);
        if (d.norm() < no_length) continue;
        const double score = d.normalized().dot(direction) + std::log2(1.0 + below[static_cast<size_t>(child)]) * 0.5 +
                             (is_paired(joint, child) ? 0.0 : 1.0);
        if (score > best_score) {
            best_score = score;
            best = child;
        }
    }
    return best;
}

// Straight on from the ankle there is only the sole: toes lie where it is furthest to the skin.
void BoneChooser::look_around(int32_t joint, EndBone& end) const {
    constexpr int sides = 8;
    const Vec3d ahead = end.direction, u = ahead.unitOrthogonal(), w = ahead.cross(u);
    for (const double tilt : {0.6, 1.1})
        for (int k = 0; k < sides; ++k) {
            const double angle = 2.0 * std::numbers::pi * k / sides;
            const Vec3d aside = std::cos(angle) * u + std::sin(angle) * w;
            const Vec3d direction = std::cos(tilt) * ahead + std::sin(tilt) * aside;
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
    else if (end.parent_length > no_length)
        end.direction = (at(joint) - at(up)) / end.parent_length;
    // Where one side of a rig was mirrored its axes point backwards. Rigs along +Y are not mirrored so.
    if (axis >= 0 && axis != along_y && up >= 0 &&
        end.direction.dot(at(joint) - at(up)) < backwards * end.parent_length)
        end.direction = -end.direction;
    end.way_to_skin = distance_to_skin(surface, longest_edge, at(joint), end.direction);
    const JointName name = parse_joint_name(skeleton.names()[static_cast<size_t>(joint)]);
    if (name.part == BodyPart::toes && !name.helper && end.way_to_skin * tail_share < marker_share * end.parent_length)
        look_around(joint, end);
    end.length = end.way_to_skin * tail_share;
    const double usual = up >= 0 ? std::max(end.parent_length, 0.02) : 0.1;
    if (end.length < 0.0 || end.length > 4.0 * usual) end.length = usual;
    return end;
}

// Whether nothing below this joint carries its chain on: a head, with eyes, a jaw or all of a face in it. By its name,
// or because all that hangs on it stays nearer to it than its skin. A child ahead of it carries on in any case.
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
        if (way.dot(end.direction) > carries_on * way.norm() && way.norm() > no_length) return false;
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
        (names_an_end(skeleton.names()[j]) || end.length < marker_share * end.parent_length)) {
        fate[j] = JointFate::marker;
        if (end.length > no_length) bones.push_back({up, at(joint), tail});  // its parent goes on to the skin
        return;
    }
    own(joint, tail, "tail towards the skin");
}

// What lies between a joint and a crowd that hangs on it (fingers, toes, a face) is its own.
void BoneChooser::own_ways(int32_t joint, int32_t except) {
    for (int32_t child : children[static_cast<size_t>(joint)])
        if (child != except) own_way(joint, child);
}

void BoneChooser::own_way(int32_t joint, int32_t child) {
    const double share = bones_are_explicit ? explicit_fan_share : fan_share;
    if (length_to(joint, child) > no_length)
        own_side(joint, at(joint) + share * (at(child) - at(joint)),
                 fmt::format("part of the way to {}", skeleton.names()[static_cast<size_t>(child)]));
}

// Eyes tell where a head's face is.
void BoneChooser::own_face(int32_t joint) {
    for (size_t k = 0; k < size(); ++k) {
        if (fate[k] != JointFate::eye) continue;
        int32_t up = skeleton.parents()[k];
        while (up >= 0 && !kept(up)) up = skeleton.parents()[static_cast<size_t>(up)];
        if (up == joint) own_way(joint, static_cast<int32_t>(k));
    }
}

// The child most nearly in the direction of the bone axis, and how nearly.
int32_t BoneChooser::child_along_axis(int32_t joint, double& cosine) const {
    const Vec3d direction = along_axis(joint);
    int32_t best = -1;
    cosine = -1.0;
    for (int32_t child : children[static_cast<size_t>(joint)]) {
        const Vec3d d = at(child) - at(joint);
        if (d.norm() < no_length || d.normalized().dot(direction) <= cosine) continue;
        cosine = d.normalized().dot(direction);
        best = child;
    }
    return best;
}

void BoneChooser::own_main(int32_t joint, int32_t child) {
    own(joint, at(child), fmt::format("to {}", skeleton.names()[static_cast<size_t>(child)]));
    own_sides(joint, child);
}

void BoneChooser::own_by_axis(int32_t joint) {
    double cosine = -1.0;
    const int32_t best = child_along_axis(joint, cosine);
    if (best < 0) return own_end(joint);
    if (cosine > on_axis) return own_main(joint, best);
    if (cosine < near_axis || !bones_are_explicit) return own_by_shape(joint);
    own(joint, at(joint) + cosine * length_to(joint, best) * along_axis(joint),
        fmt::format("towards {}", skeleton.names()[static_cast<size_t>(best)]));
    own_sides(joint, best);
}

// Nothing but the shape of the tree to go by.
void BoneChooser::own_by_shape(int32_t joint) {
    const int32_t first = main_child(joint);
    if (first < 0) return own_end(joint);
    own_main(joint, first);
}

// Whether a limb begins at this side child: several joints long, not far off, not running back along the main bone.
bool BoneChooser::starts_limb(int32_t joint, int32_t child, const Vec3d& main) const {
    const Vec3d d = at(child) - at(joint);
    return below[static_cast<size_t>(child)] >= 3 && d.norm() > no_length && d.norm() < 2 * main.norm() &&
           d.dot(main) > -0.8 * d.norm() * main.norm();
}

// Whether the skin between a joint and a limb that starts apart from it would otherwise go to the limb: the start is
// far off, measured by the limb's first bone, and to the side, measured by the way to its twin.
bool BoneChooser::leaves_gap(int32_t joint, int32_t child) const {
    const double away = length_to(joint, child);
    double to_twin = 0.0;
    for (int32_t other : children[static_cast<size_t>(joint)])
        if (is_twin(joint, child, other)) to_twin = std::max(to_twin, length_to(child, other));
    const int32_t next = main_child(child);
    return next >= 0 && away > 0.3 * length_to(child, next) && to_twin > 1.3 * away;
}

void BoneChooser::own_sides(int32_t joint, int32_t main) {
    if (children[static_cast<size_t>(joint)].size() >= fan_children) return own_ways(joint, main);
    const auto& list = children[static_cast<size_t>(joint)];
    const Vec3d along = at(main) - at(joint);
    for (int32_t child : list) {
        if (child == main || length_to(joint, child) < no_length) continue;
        const std::string& name = skeleton.names()[static_cast<size_t>(child)];
        const bool paired = is_paired(joint, child);
        if (bones_are_explicit) {
            if (paired && starts_limb(joint, child, along) && leaves_gap(joint, child))
                own_side(joint, at(child), fmt::format("to {}", name));
        } else if (starts_limb(joint, child, along)) {
            // A twin limb, or a lone one (a tail) that begins further off than its first bone is long.
            const int32_t next = main_child(child);
            if (paired || (next >= 0 && length_to(joint, child) > length_to(child, next)))
                own_side(joint, at(child), fmt::format("to {}", name));
            if (next >= 0 && is_clavicle(child))
                own_side(joint, at(joint) + chest_share * (at(next) - at(joint)),
                         fmt::format("part of the way to {}", skeleton.names()[static_cast<size_t>(next)]));
        }
    }
}

void BoneChooser::own_segments(int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    if (j < rig->tails.size() && rig->tails[j] && rig->tails[j]->allFinite()) {
        own(joint, surface.to_surface(rig->tails[j]->cast<double>()), "tail given by the file");
        if (children[j].size() >= fan_children) own_ways(joint, -1);
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
