#include <sinew/rig/embed/user_template.h>

#include <sinew/math/rotation.h>
#include <sinew/rig/embed/similarity.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A shorter bone has no direction.
constexpr double no_bone = 1e-12;
// A root within this share of the template's height above its lowest joint stands on the ground.
constexpr double on_ground = 0.03;

struct Transfer {
    const RigTemplate& t;
    std::vector<Vec3d> now;
    std::vector<char> fitted;  // `now` is known from an anchor
    std::vector<int> next;     // the nearest anchored joint below, −1: none
    Mat3d turn = Mat3d::Identity();
    double scale = 1.0;
    int first = -1;  // the topmost anchored joint

    const Vec3d& old(int j) const { return t.joints[static_cast<size_t>(j)].position; }

    // How the bone that starts at an anchored joint has turned.
    Mat3d bone_turn(int j) const {
        const int n = next[static_cast<size_t>(j)];
        if (n < 0) {
            const int parent = anchored_above(j);
            return parent < 0 ? turn : bone_turn_to(parent, j);
        }
        return bone_turn_to(j, n);
    }

    Mat3d bone_turn_to(int from, int to) const {
        const Vec3d before = turn * (old(to) - old(from)),
                    after = now[static_cast<size_t>(to)] - now[static_cast<size_t>(from)];
        if (!(before.norm() > no_bone) || !(after.norm() > no_bone)) return turn;
        return shortest_rotation(before, after).toRotationMatrix() * turn;
    }

    int anchored_above(int j) const {
        int at = t.joints[static_cast<size_t>(j)].parent;
        while (at >= 0 && !fitted[static_cast<size_t>(at)]) at = t.joints[static_cast<size_t>(at)].parent;
        return at;
    }

    Vec3d place(int j) const {
        const int above = anchored_above(j), below = next[static_cast<size_t>(j)];
        if (above < 0) return now[static_cast<size_t>(first)] + scale * (turn * (old(j) - old(first)));
        const Vec3d from = old(j) - old(above);
        if (below < 0) return now[static_cast<size_t>(above)] + scale * (bone_turn(above) * from);
        const Vec3d bone = old(below) - old(above);
        const double share = bone.squaredNorm() > 0.0 ? from.dot(bone) / bone.squaredNorm() : 0.0;
        return now[static_cast<size_t>(above)] +
               share * (now[static_cast<size_t>(below)] - now[static_cast<size_t>(above)]) +
               scale * (bone_turn_to(above, below) * (from - share * bone));
    }
};

// Puts roots that stood on the template's ground on the body's.
void put_roots_down(const Transfer& transfer, double ground, std::vector<FitJoint>& joints) {
    double low = INFINITY, high = -INFINITY;
    const auto height = [&](size_t j) { return (transfer.turn * transfer.t.joints[j].position).y(); };
    for (size_t j = 0; j < joints.size(); ++j) low = std::min(low, height(j)), high = std::max(high, height(j));
    for (size_t j = 0; j < joints.size(); ++j) {
        const int id = static_cast<int>(j);
        if (transfer.fitted[j] || transfer.anchored_above(id) >= 0 || transfer.next[j] < 0) continue;
        if (height(j) < low + on_ground * (high - low)) joints[j].position.y() = ground;
    }
}

}  // namespace

void follow_template(Fit& fit, const RigTemplate& t) {
    std::vector<int> placed(t.size(), -1);  // per joint of the template
    for (size_t j = 0; j < t.size(); ++j) placed[j] = fit.find(t.joints[j].name);
    for (size_t j = 0; j < t.size(); ++j) {
        if (placed[j] < 0) continue;
        const TemplateJoint& source = t.joints[j];
        FitJoint& joint = fit.joints[static_cast<size_t>(placed[j])];
        int above = source.parent;
        while (above >= 0 && placed[static_cast<size_t>(above)] < 0)
            above = t.joints[static_cast<size_t>(above)].parent;
        const int parent = above < 0 ? -1 : placed[static_cast<size_t>(above)];
        if (parent < placed[j]) joint.parent = parent;
        if (source.role != Role::count) joint.role = source.role;
        joint.mirror = source.mirror < 0 ? -1 : placed[static_cast<size_t>(source.mirror)];
        joint.bend = source.bend;
    }
}

void drop_missing(RigTemplate& t, std::vector<std::optional<Vec3d>>& anchors) {
    std::vector<char> kept(t.size(), 0);
    for (size_t j = t.size(); j-- > 0;) {
        kept[j] |= anchors[j].has_value() || !t.joints[j].optional;
        const int parent = t.joints[j].parent;
        if (kept[j] && parent >= 0) kept[static_cast<size_t>(parent)] = 1;
    }
    std::vector<int> number(t.size(), -1);
    size_t count = 0;
    for (size_t j = 0; j < t.size(); ++j) {
        if (!kept[j]) continue;
        number[j] = static_cast<int>(count);
        anchors[count] = anchors[j];
        t.joints[count++] = t.joints[j];
    }
    t.joints.resize(count);
    anchors.resize(count);
    for (TemplateJoint& joint : t.joints)
        for (int TemplateJoint::*link : {&TemplateJoint::parent, &TemplateJoint::mirror})
            if (joint.*link >= 0) joint.*link = number[static_cast<size_t>(joint.*link)];
}

std::vector<std::optional<Vec3d>> find_anchors(const RigTemplate& t, const Fit& fit) {
    std::vector<std::optional<Vec3d>> anchors(t.size());
    std::vector<char> used(fit.joints.size(), 0);
    for (const bool by_role : {true, false}) {
        for (size_t j = 0; j < t.size(); ++j) {
            if (anchors[j]) continue;
            int found = -1;
            if (by_role && t.joints[j].role != Role::count) {
                for (size_t f = 0; f < fit.joints.size(); ++f)
                    if (fit.joints[f].role == t.joints[j].role) found = static_cast<int>(f);
            } else if (!by_role) {
                found = fit.find(t.joints[j].name);
                if (found < 0) found = fit.find(sinew_name(t.joints[j].name));
            }
            if (found < 0 || used[static_cast<size_t>(found)]) continue;
            used[static_cast<size_t>(found)] = 1;
            anchors[j] = fit.joints[static_cast<size_t>(found)].position;
        }
    }
    return anchors;
}

Fit carry_template(const RigTemplate& t, const std::vector<std::optional<Vec3d>>& anchors, double ground) {
    Fit fit;
    Transfer transfer{.t = t,
                      .now = std::vector<Vec3d>(t.size()),
                      .fitted = std::vector<char>(t.size(), 0),
                      .next = std::vector<int>(t.size(), -1)};
    std::vector<int> lines(t.size(), 0);  // how many anchors there are below, along the main line
    for (size_t j = t.size(); j-- > 0;) {
        if (anchors[j]) {
            transfer.now[j] = *anchors[j];
            transfer.fitted[j] = 1;
            transfer.first = static_cast<int>(j);
        }
        const int parent = t.joints[j].parent;
        const int below = transfer.fitted[j] ? static_cast<int>(j) : transfer.next[j];
        const int weight = lines[j] + transfer.fitted[j];
        // The main line follows the child with most anchors: the spine before the legs.
        if (parent < 0 || below < 0 || weight < lines[static_cast<size_t>(parent)]) continue;
        transfer.next[static_cast<size_t>(parent)] = below;
        lines[static_cast<size_t>(parent)] = weight;
    }
    if (transfer.first < 0) return fit;
    std::vector<PointPair> pairs;
    for (size_t j = 0; j < t.size(); ++j)
        if (transfer.fitted[j]) pairs.push_back({t.joints[j].position, transfer.now[j]});
    const Similarity similarity = fit_similarity(pairs);
    transfer.turn = similarity.turn;
    transfer.scale = similarity.scale;
    for (size_t j = 0; j < t.size(); ++j) {
        const int id = static_cast<int>(j), above = transfer.anchored_above(id);
        const TemplateJoint& source = t.joints[j];
        if (!transfer.fitted[j]) transfer.now[j] = transfer.place(id);
        FitJoint joint{.name = source.name, .parent = source.parent, .position = transfer.now[j], .role = source.role};
        const Mat3d turned = transfer.fitted[j] ? transfer.bone_turn(id)
                             : above >= 0       ? transfer.bone_turn(above)
                                                : transfer.turn;
        if (source.axes) joint.axes = turned * *source.axes;
        if (source.bend) joint.bend = transfer.turn * *source.bend;
        if (source.tip) joint.tip = transfer.now[j] + transfer.scale * (turned * (*source.tip - source.position));
        joint.mirror = source.mirror;
        fit.joints.push_back(std::move(joint));
    }
    put_roots_down(transfer, ground, fit.joints);
    return fit;
}

}  // namespace sinew
