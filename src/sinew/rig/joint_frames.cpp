#include <sinew/rig/joint_frames.h>

#include <cmath>

namespace sinew {
namespace {

// What makes a child the one that continues the bone: the same side, being the spine, neck or middle finger, lying in
// line. A tail continues nothing but a tail. The order of size is what counts.
constexpr double same_side = 2.0, main_line = 1.0, a_tail = 3.0, in_line = 0.5;
// A bone within 26 degrees (cosine) of the way it should swing has no hinge there. A quarter turn on, the hinge is
// trusted unless the bone points nearly sideways.
constexpr double along_bend = 0.9, hinge_seen = 0.5;
// A limb bent by more than 9 degrees (sine) decides its own axis, if that is within 60 degrees (cosine) of the
// expected.
constexpr double bent = 0.15, as_expected = 0.5;
// A shorter vector has no direction.
constexpr double no_length = 1e-9;

bool has(const std::string& name, std::string_view part) {
    return name.find(part) != std::string::npos;
}

// The child that continues the bone: of the same limb, and of several the one most in line with it.
int main_child(const Fit& fit, int joint, const std::vector<std::vector<int>>& children) {
    const auto& list = children[static_cast<size_t>(joint)];
    if (list.empty()) return -1;
    const FitJoint& self = fit.joints[static_cast<size_t>(joint)];
    const bool sided = self.name.rfind("left", 0) == 0 || self.name.rfind("right", 0) == 0;
    int best = -1;
    double most = -INFINITY;
    for (int child : list) {
        const FitJoint& c = fit.joints[static_cast<size_t>(child)];
        const bool child_sided = c.name.rfind("left", 0) == 0 || c.name.rfind("right", 0) == 0;
        if (has(c.name, "Twist")) continue;
        double worth = sided == child_sided ? same_side : 0.0;
        if (has(c.name, "spine") || has(c.name, "MiddleProximal") || has(c.name, "neck")) worth += main_line;
        if (has(c.name, "tail") && !has(self.name, "tail")) worth -= a_tail;
        if (self.parent >= 0) {
            const Vec3d in = self.position - fit.joints[static_cast<size_t>(self.parent)].position,
                        out = c.position - self.position;
            if (in.norm() > 0.0 && out.norm() > 0.0) worth += in_line * in.normalized().dot(out.normalized());
        }
        if (worth > most) most = worth, best = child;
    }
    return best;
}

// Which way the bone of a straight limb swings. Another way where the bone itself points there.
Vec3d bend_direction(const FitJoint& joint, const Vec3d& bone) {
    const Vec3d told = joint.bend.value_or(Vec3d::UnitZ());
    if (std::abs(bone.dot(told)) < along_bend) return told;
    // A quarter turn on: a bone that swings forward when it hangs swings down when it points ahead.
    const Vec3d hinge = Vec3d(0.0, -bone.z(), bone.y());
    return hinge.norm() > hinge_seen ? hinge : Vec3d(0.0, 0.0, 1.0);
}

}  // namespace

std::vector<Mat3d> find_joint_frames(const Fit& fit) {
    const size_t count = fit.joints.size();
    std::vector<std::vector<int>> children(count);
    for (size_t j = 0; j < count; ++j)
        if (fit.joints[j].parent >= 0)
            children[static_cast<size_t>(fit.joints[j].parent)].push_back(static_cast<int>(j));
    std::vector<Mat3d> frames(count, Mat3d::Identity());
    std::vector<Vec3d> bone(count, Vec3d::UnitY());
    for (size_t j = 0; j < count; ++j) {
        const FitJoint& joint = fit.joints[j];
        const int child = main_child(fit, static_cast<int>(j), children);
        Vec3d along = child >= 0  ? Vec3d(fit.joints[static_cast<size_t>(child)].position - joint.position)
                      : joint.tip ? Vec3d(*joint.tip - joint.position)
                                  : Vec3d::Zero();
        if (joint.name == "hips" || joint.name == "root") along = Vec3d::UnitY();
        if (along.norm() < no_length && joint.parent >= 0) along = bone[static_cast<size_t>(joint.parent)];
        bone[j] = along.norm() > 0.0 ? along.normalized() : Vec3d::UnitY();
    }
    for (size_t j = 0; j < count; ++j) {
        const FitJoint& joint = fit.joints[j];
        const Vec3d& y = bone[j];
        Vec3d x = y.cross(bend_direction(joint, y));
        // The upper and the lower half of a bent limb turn about the same axis: across the plane they lie in.
        const int child = main_child(fit, static_cast<int>(j), children);
        for (const auto& [upper, lower] :
             {std::pair(joint.parent, static_cast<int>(j)), std::pair(static_cast<int>(j), child)}) {
            if (upper < 0 || lower < 0) continue;
            const bool hinge = has(fit.joints[static_cast<size_t>(lower)].name, "LowerArm") ||
                               has(fit.joints[static_cast<size_t>(lower)].name, "LowerLeg");
            const Vec3d across = bone[static_cast<size_t>(upper)].cross(bone[static_cast<size_t>(lower)]);
            if (hinge && across.norm() > bent && across.normalized().dot(x.normalized()) > as_expected) x = across;
        }
        x -= x.dot(y) * y;
        if (x.norm() < no_length) x = y.unitOrthogonal();
        x.normalize();
        frames[j].col(0) = x;
        frames[j].col(1) = y;
        frames[j].col(2) = x.cross(y);
    }
    return frames;
}

}  // namespace sinew
