#include <sinew/weights/bones.h>

#include <sinew/core/closest.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/weights/bone_rays.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// In units of the Surface's size.
constexpr double no_length = 1e-4;    // a bone this short is a point
constexpr double same_place = 0.01;   // joints this near to each other stand for one place
constexpr double tail_share = 0.8;    // of the way from an end joint to the skin
constexpr double marker_share = 0.2;  // an end joint whose tail is shorter than this share of its parent is a mark
constexpr double fan_share = 0.7;     // of the way to the fingers that the palm owns
constexpr size_t fan_children = 5;
// Cosines between the bone axis and the way to a child.
constexpr double on_axis = 0.995;
constexpr double near_axis = 0.5;

enum class Fate : uint8_t { bone, not_in_skin, no_deform, control, root, parallel, marker, by_hand };

std::string_view to_text(Fate fate) {
    switch (fate) {
        case Fate::not_in_skin:
            return "left out: not a joint of the skin";
        case Fate::no_deform:
            return "left out: the file says that it moves no skin";
        case Fate::control:
            return "left out: a control, by its name or its place";
        case Fate::root:
            return "left out: a root that moves the character, not its skin";
        case Fate::parallel:
            return "left out: another chain of the same rig is the one that deforms";
        case Fate::marker:
            return "left out: marks where its parent ends";
        case Fate::by_hand:
            return "left out by choice";
        case Fate::bone:
            break;
    }
    return "";
}

// "IK-foot.l" → ik, foot, l. Digits and signs part words, and so does a capital after a small letter.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    char before = 0;
    for (char c : name) {
        const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
        const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
        if ((!letter || (capital && std::islower(static_cast<unsigned char>(before)))) && !words.back().empty())
            words.emplace_back();
        if (letter) words.back().push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        before = c;
    }
    return words;
}

bool names_any(std::string_view name, std::span<const std::string_view> listed) {
    for (const std::string& word : words_of(name)) {
        if (std::find(listed.begin(), listed.end(), word) != listed.end()) return true;
    }
    return false;
}

bool names_a_control(std::string_view name) {
    static constexpr std::array<std::string_view, 12> known = {
        "ik", "ctrl", "control", "controller", "pole", "target", "mch", "fk", "handle", "locator", "goal", "effector"};
    return names_any(name, known);
}

bool names_an_end(std::string_view name) {
    static constexpr std::array<std::string_view, 6> known = {"tip", "leaf", "end", "nub", "null", "terminator"};
    return names_any(name, known);
}

bool names_a_root(std::string_view name) {
    static constexpr std::array<std::string_view, 3> known = {"root", "armature", "master"};
    return names_any(name, known);
}

struct Chooser {
    const Skeleton& skeleton;
    const Surface& surface;
    std::vector<AffineD> frames;  // surface units
    std::vector<Fate> fate;
    std::vector<std::vector<int32_t>> children;  // among joints that may own skin
    std::vector<int32_t> parent;                 // the same
    std::vector<int32_t> below;                  // size of the subtree, itself included
    std::vector<std::string> why;
    std::vector<Bone> bones;
    int axis = -1;  // 0…5: +X −X +Y −Y +Z −Z
    const WeightRig* rig = nullptr;

    size_t size() const { return skeleton.size(); }
    Vec3d at(int32_t j) const { return frames[static_cast<size_t>(j)].translation(); }
    bool kept(int32_t j) const { return fate[static_cast<size_t>(j)] == Fate::bone; }
    double length_to(int32_t from, int32_t to) const { return (at(to) - at(from)).norm(); }

    // The tree of the joints that still count: a joint hangs on its nearest ancestor that counts.
    void link() {
        parent.assign(size(), -1);
        children.assign(size(), {});
        below.assign(size(), 0);
        for (size_t j = 0; j < size(); ++j) {
            if (!kept(static_cast<int32_t>(j))) continue;
            int32_t p = skeleton.parents()[j];
            while (p >= 0 && !kept(p)) p = skeleton.parents()[static_cast<size_t>(p)];
            parent[j] = p;
            if (p >= 0) children[static_cast<size_t>(p)].push_back(static_cast<int32_t>(j));
        }
        for (size_t j = size(); j-- > 0;) {
            if (!kept(static_cast<int32_t>(j))) continue;
            below[j] += 1;
            if (parent[j] >= 0) below[static_cast<size_t>(parent[j])] += below[j];
        }
    }

    void leave_out(int32_t joint, Fate reason) { fate[static_cast<size_t>(joint)] = reason; }
    void leave_out_below(int32_t joint, Fate reason) {
        for (int32_t child : children[static_cast<size_t>(joint)]) leave_out_below(child, reason);
        leave_out(joint, reason);
    }

    void leave_out_by_file();
    void leave_out_by_name();
    void leave_out_roots();
    bool repeats_or_outside(int32_t joint, int32_t main_tree) const;
    void find_axis();
    Vec3d along_axis(int32_t joint) const;
    void own_segments(int32_t joint);
    bool bones_are_explicit() const;
    int32_t child_along_axis(int32_t joint, double& cosine) const;
    void own_by_axis(int32_t joint);
    void own_by_shape(int32_t joint);
    void own_main(int32_t joint, int32_t child);
    void own_sides(int32_t joint, int32_t main);
    bool starts_limb(int32_t joint, int32_t child, const Vec3d& main) const;
    bool leaves_gap(int32_t joint, int32_t child) const;
    bool is_twin(int32_t joint, int32_t child, int32_t other) const;
    void own_end(int32_t joint);
    void own(int32_t joint, const Vec3d& tail, std::string text);
    bool is_paired(int32_t joint, int32_t child) const;
    int32_t main_child(int32_t joint) const;
};

void Chooser::leave_out_by_file() {
    if (!rig->joints.empty()) {
        std::vector<uint8_t> in_skin(size(), 0);
        for (int32_t j : rig->joints)
            if (j >= 0 && static_cast<size_t>(j) < size()) in_skin[static_cast<size_t>(j)] = 1;
        for (size_t j = 0; j < size(); ++j)
            if (!in_skin[j]) fate[j] = Fate::not_in_skin;
    }
    for (size_t j = 0; j < std::min(size(), rig->deform.size()); ++j)
        if (rig->deform[j] == 0 && fate[j] == Fate::bone) fate[j] = Fate::no_deform;
}

void Chooser::leave_out_by_name() {
    // Rigify writes three parallel chains and says which of them deforms.
    size_t deform = 0, all = 0;
    for (size_t j = 0; j < size(); ++j) {
        if (fate[j] != Fate::bone) continue;
        ++all;
        deform += parse_joint_name(skeleton.names()[j]).deform;
    }
    const bool parallel = deform >= 4 && deform * 8 >= all;
    for (size_t j = 0; j < size(); ++j) {
        if (fate[j] != Fate::bone) continue;
        if (parallel && !parse_joint_name(skeleton.names()[j]).deform)
            fate[j] = Fate::parallel;
        else if (names_a_control(skeleton.names()[j]))
            fate[j] = Fate::control;
    }
}

// Every joint of the subtree stands outside the body, or where a joint of the main tree stands already.
bool Chooser::repeats_or_outside(int32_t joint, int32_t main_tree) const {
    bool repeats = false;
    std::vector<int32_t> todo = {main_tree};
    while (!todo.empty() && !repeats) {
        const int32_t j = todo.back();
        todo.pop_back();
        repeats = (at(j) - at(joint)).norm() < same_place;
        todo.insert(todo.end(), children[static_cast<size_t>(j)].begin(), children[static_cast<size_t>(j)].end());
    }
    if (!repeats && winding_number(surface, at(joint)) > 0.5) return false;
    return std::all_of(children[static_cast<size_t>(joint)].begin(), children[static_cast<size_t>(joint)].end(),
                       [&](int32_t child) { return repeats_or_outside(child, main_tree); });
}

// A root that stands on the floor between the feet, or is called so and carries one chain, moves the character and not
// its skin. What else hangs on it and has no place of its own in the body are handles.
void Chooser::leave_out_roots() {
    // A surface in shreds does not tell inside from outside: where it holds few joints, it is not asked.
    size_t inside = 0, asked = 0;
    for (size_t j = 0; j < size(); ++j) {
        if (!kept(static_cast<int32_t>(j)) || asked >= 16) continue;
        ++asked;
        inside += winding_number(surface, at(static_cast<int32_t>(j))) > 0.5;
    }
    const bool ask = 4 * inside >= asked;
    for (bool again = true; again;) {
        again = false;
        link();
        for (size_t j = 0; j < size(); ++j) {
            const auto joint = static_cast<int32_t>(j);
            if (!kept(joint) || parent[j] >= 0 || children[j].empty()) continue;
            const bool by_name = children[j].size() == 1 && names_a_root(skeleton.names()[j]);
            if (surface.triangles.empty() || (!by_name && (!ask || winding_number(surface, at(joint)) > 0.3))) continue;
            const auto largest = *std::max_element(children[j].begin(), children[j].end(), [&](int32_t a, int32_t b) {
                return below[static_cast<size_t>(a)] < below[static_cast<size_t>(b)];
            });
            for (int32_t child : children[j])
                if (child != largest && repeats_or_outside(child, largest)) leave_out_below(child, Fate::control);
            leave_out(joint, Fate::root);
            again = true;
        }
    }
    link();
}

// Rigs made in one program let all bones run along one local axis: +Y in Blender, often +X elsewhere. Where most joints
// have a child exactly there, the axis tells main children and the direction of end bones.
void Chooser::find_axis() {
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
}

Vec3d Chooser::along_axis(int32_t joint) const {
    Vec3d column = frames[static_cast<size_t>(joint)].linear().col(axis / 2);
    if (axis % 2) column = -column;
    return column.normalized();
}

void Chooser::own(int32_t joint, const Vec3d& tail, std::string text) {
    bones.push_back({joint, at(joint), tail});
    std::string& all = why[static_cast<size_t>(joint)];
    all += (all.empty() ? "" : ", ") + std::move(text);
}

// Two children that mirror each other: as far away, as much behind them, and apart.
bool Chooser::is_twin(int32_t joint, int32_t child, int32_t other) const {
    if (other == child || below[static_cast<size_t>(other)] != below[static_cast<size_t>(child)]) return false;
    const double near = std::min(length_to(joint, child), length_to(joint, other));
    const double far = std::max(length_to(joint, child), length_to(joint, other));
    return far > no_length && far - near <= 0.1 * far && length_to(child, other) > 0.3 * far;
}

bool Chooser::is_paired(int32_t joint, int32_t child) const {
    const auto& list = children[static_cast<size_t>(joint)];
    return std::any_of(list.begin(), list.end(), [&](int32_t other) { return is_twin(joint, child, other); });
}

// The child that carries the chain on: along the parent's direction, with most of the tree behind it, and alone.
int32_t Chooser::main_child(int32_t joint) const {
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

void Chooser::own_end(int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    const int32_t up = parent[j];
    Vec3d direction = up >= 0 ? Vec3d(at(joint) - at(up)) : Vec3d(Vec3d::UnitY());
    const double parent_length = direction.norm();
    if (axis >= 0)
        direction = along_axis(joint);
    else if (parent_length > no_length)
        direction /= parent_length;
    else
        direction = Vec3d::UnitY();
    double length = distance_to_skin(surface, at(joint), direction) * tail_share;
    const double usual = up >= 0 ? std::max(parent_length, 0.02) : 0.1;
    if (length < 0.0 || length > 4.0 * usual) length = usual;
    const Vec3d tail = at(joint) + length * direction;
    if (up >= 0 && (names_an_end(skeleton.names()[j]) || length < marker_share * parent_length)) {
        fate[j] = Fate::marker;
        if (length > no_length) bones.push_back({up, at(joint), tail});  // its parent goes on to the skin
        return;
    }
    own(joint, tail, "tail towards the skin");
}

// Blender's bones are segments, and its exporters let them run along +Y: there the axis is the bone itself. Elsewhere
// joints are points, and the axis tells no more than which child carries the chain on.
bool Chooser::bones_are_explicit() const {
    return axis == 2;
}

// The child most nearly in the direction of the bone axis, and how nearly.
int32_t Chooser::child_along_axis(int32_t joint, double& cosine) const {
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

void Chooser::own_main(int32_t joint, int32_t child) {
    own(joint, at(child), fmt::format("to {}", skeleton.names()[static_cast<size_t>(child)]));
    own_sides(joint, child);
}

void Chooser::own_by_axis(int32_t joint) {
    double cosine = -1.0;
    const int32_t best = child_along_axis(joint, cosine);
    if (best < 0) return own_end(joint);
    if (cosine > on_axis) return own_main(joint, best);
    if (cosine < near_axis || !bones_are_explicit()) return own_by_shape(joint);
    own(joint, at(joint) + cosine * length_to(joint, best) * along_axis(joint),
        fmt::format("towards {}", skeleton.names()[static_cast<size_t>(best)]));
    own_sides(joint, best);
}

// Nothing but the shape of the tree to go by.
void Chooser::own_by_shape(int32_t joint) {
    const int32_t first = main_child(joint);
    if (first < 0) return own_end(joint);
    own_main(joint, first);
}

// Whether a limb begins at this side child: several joints long, not far off, not running back along the main bone.
bool Chooser::starts_limb(int32_t joint, int32_t child, const Vec3d& main) const {
    const Vec3d d = at(child) - at(joint);
    return below[static_cast<size_t>(child)] >= 3 && d.norm() > no_length && d.norm() < 2 * main.norm() &&
           d.dot(main) > -0.8 * d.norm() * main.norm();
}

// Whether the skin between a joint and a limb that starts apart from it would otherwise go to the limb: the start is
// far off, measured by the limb's first bone, and to the side, measured by the way to its twin.
bool Chooser::leaves_gap(int32_t joint, int32_t child) const {
    const double away = length_to(joint, child);
    double to_twin = 0.0;
    for (int32_t other : children[static_cast<size_t>(joint)])
        if (is_twin(joint, child, other)) to_twin = std::max(to_twin, length_to(child, other));
    const int32_t next = main_child(child);
    return next >= 0 && away > 0.3 * length_to(child, next) && to_twin > 1.3 * away;
}

void Chooser::own_sides(int32_t joint, int32_t main) {
    const auto& list = children[static_cast<size_t>(joint)];
    const Vec3d along = at(main) - at(joint);
    for (int32_t child : list) {
        if (child == main || length_to(joint, child) < no_length) continue;
        const std::string& name = skeleton.names()[static_cast<size_t>(child)];
        const bool paired = is_paired(joint, child);
        if (bones_are_explicit()) {
            if (paired && starts_limb(joint, child, along) && leaves_gap(joint, child))
                own(joint, at(child), fmt::format("to {}", name));
        } else if (list.size() >= fan_children) {
            own(joint, at(joint) + fan_share * (at(child) - at(joint)), fmt::format("part of the way to {}", name));
        } else if (starts_limb(joint, child, along)) {
            // A twin limb, or a lone one (a tail) that begins further off than its first bone is long.
            const int32_t next = main_child(child);
            if (paired || (next >= 0 && length_to(joint, child) > length_to(child, next)))
                own(joint, at(child), fmt::format("to {}", name));
        }
    }
}

void Chooser::own_segments(int32_t joint) {
    const auto j = static_cast<size_t>(joint);
    if (j < rig->tails.size() && rig->tails[j] && rig->tails[j]->allFinite())
        own(joint, surface.to_surface(rig->tails[j]->cast<double>()), "tail given by the file");
    else if (children[j].empty())
        own_end(joint);
    else if (axis >= 0)
        own_by_axis(joint);
    else
        own_by_shape(joint);
}

// Turns names into joints; unknown ones are an error that lists what there is.
Result<std::vector<int32_t>> find_joints(const Skeleton& skeleton, const std::vector<std::string>& names) {
    std::vector<int32_t> found;
    for (const std::string& text : names) {
        const std::string name = text.starts_with('+') || text.starts_with('-') ? text.substr(1) : text;
        const int32_t joint = skeleton.find(name);
        if (joint < 0) {
            const std::vector<std::string_view> known(skeleton.names().begin(), skeleton.names().end());
            return fail(ErrorCode::not_found, unknown_name("joint", name, known));
        }
        found.push_back(joint);
    }
    return found;
}

// True when the choice is all by hand.
bool apply_choice(const std::vector<std::string>& names, const std::vector<int32_t>& joints, std::vector<Fate>& fate) {
    bool exact = false;
    for (const std::string& name : names) exact |= !name.starts_with('+') && !name.starts_with('-');
    if (exact) std::fill(fate.begin(), fate.end(), Fate::by_hand);
    for (size_t i = 0; i < names.size(); ++i)
        fate[static_cast<size_t>(joints[i])] = names[i].starts_with('-') ? Fate::by_hand : Fate::bone;
    return exact;
}

}  // namespace

double nearest_on(const Bone& bone, const Vec3d& p) {
    const Vec3d d = bone.tail - bone.head;
    const double squared = d.squaredNorm();
    return squared > 0.0 ? std::clamp((p - bone.head).dot(d) / squared, 0.0, 1.0) : 0.0;
}

Result<BoneChoice> choose_bones(const WeightRig& rig, const Surface& surface, const BoneOptions& options) {
    const Skeleton& skeleton = *rig.skeleton;
    SINEW_TRY(const std::vector<int32_t> chosen, find_joints(skeleton, options.choose));
    Chooser chooser{.skeleton = skeleton, .surface = surface, .rig = &rig};
    chooser.frames = rig.mesh_from_joint.size() == skeleton.size() ? rig.mesh_from_joint : rest_world(skeleton);
    for (AffineD& frame : chooser.frames) {
        if (!frame.matrix().allFinite()) frame.setIdentity();
        frame.translation() = surface.to_surface(frame.translation());
    }
    chooser.fate.assign(skeleton.size(), Fate::bone);
    chooser.why.assign(skeleton.size(), {});
    chooser.leave_out_by_file();
    const std::vector<Fate> by_file = chooser.fate;
    chooser.leave_out_by_name();
    chooser.leave_out_roots();
    apply_choice(options.choose, chosen, chooser.fate);
    const auto is_bone = [](Fate fate) { return fate == Fate::bone; };
    if (std::none_of(chooser.fate.begin(), chooser.fate.end(), is_bone)) {  // all left out: then better all that may
        chooser.fate = by_file;
        if (std::none_of(by_file.begin(), by_file.end(), is_bone))
            std::fill(chooser.fate.begin(), chooser.fate.end(), Fate::bone);
    }
    chooser.link();
    chooser.find_axis();
    for (size_t j = 0; j < skeleton.size(); ++j)
        if (chooser.kept(static_cast<int32_t>(j))) chooser.own_segments(static_cast<int32_t>(j));
    if (chooser.bones.empty()) {
        for (size_t j = 0; j < skeleton.size(); ++j) {
            if (chooser.fate[j] != Fate::bone && chooser.fate[j] != Fate::marker) continue;
            chooser.fate[j] = Fate::bone;
            chooser.own(static_cast<int32_t>(j), chooser.at(static_cast<int32_t>(j)), "a point");
        }
    }

    BoneChoice choice{.bones = std::move(chooser.bones)};
    static constexpr std::array<std::string_view, 6> axes = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    if (chooser.axis >= 0) choice.axis = axes[static_cast<size_t>(chooser.axis)];
    std::vector<int32_t> segments(skeleton.size(), 0);
    for (const Bone& bone : choice.bones) ++segments[static_cast<size_t>(bone.joint)];
    const auto tell = [&](int32_t joint) {
        const auto j = static_cast<size_t>(joint);
        choice.table.push_back(
            {joint, segments[j], segments[j] ? chooser.why[j] : std::string(to_text(chooser.fate[j]))});
    };
    if (rig.joints.empty())
        for (size_t j = 0; j < skeleton.size(); ++j) tell(static_cast<int32_t>(j));
    else
        for (int32_t joint : rig.joints)
            if (joint >= 0 && static_cast<size_t>(joint) < skeleton.size()) tell(joint);
    return choice;
}

}  // namespace sinew
