#include <sinew/sample/humanoid_weights.h>

#include <sinew/math/segment.h>
#include <algorithm>
#include <cmath>

namespace sinew::shape {

namespace {

const char* const finger_names[5] = {"Thumb", "Index", "Middle", "Ring", "Little"};
const char* const finger_parts[3] = {"Proximal", "Intermediate", "Distal"};
const char* const thumb_parts[3] = {"Metacarpal", "Proximal", "Distal"};

std::string finger_joint(int finger, int part) {
    return std::string(finger_names[finger]) + (finger == 0 ? thumb_parts : finger_parts)[part];
}

// The parts of the field that form each limb, in the middle and on the left.
struct Groups {
    std::vector<int> trunk, arm, leg, shoe, neck, head, shirt;

    explicit Groups(const Field& field) {
        for (size_t i = 0; i < field.parts().size(); ++i) {
            const Part& part = field.parts()[i];
            int n = static_cast<int>(i);
            if (part.limb == torso) trunk.push_back(n), shirt.push_back(n);
            if (part.limb == shape::arm || part.limb == palm) arm.push_back(n);
            if (part.limb == shape::leg) leg.push_back(n);
            if (part.limb == foot && part.region != skin) shoe.push_back(n);
            if (part.limb == shape::head) head.push_back(n);
        }
        // The neck is the first part of the head's.
        neck = {head.front()};
        head.erase(head.begin());
    }
};

class Splitter {
public:
    Splitter(const Field& field, const HumanoidJoints& joints, const JointList& list)
        : field_(field), j_(joints), list_(list), groups_(field) {}

    std::vector<double> weights(const Vec3d& position) const {
        // Everything is computed on the left; the right side's joints take the weights of the mirrored point.
        std::vector<double> share(list_.size(), 0.0);
        share[list_.find("hips")] = 1;
        Vec3d p = position;
        double arms = trunk(p, share);
        for (double side : {1.0, -1.0}) {
            Vec3d q(side * p.x(), p.y(), p.z());
            std::string name = side > 0 ? "left" : "right";
            leg(q, name, arms, share);
            if (q.x() > 0) arm(q, name, arms, share);
        }
        return split_down(list_, share);
    }

private:
    double nearest(const std::vector<int>& parts, const Vec3d& p) const {
        double d = 1e9;
        for (int i : parts) d = std::min(d, field_.part_distance(i, p));
        return d;
    }
    void set(std::vector<double>& share, const std::string& joint, double value) const {
        share[list_.find(joint)] = std::clamp(value, 0.0, 1.0);
    }

    // How much of the point is arm rather than trunk; sets the trunk's shares too.
    double trunk(const Vec3d& p, std::vector<double>& share) const {
        Vec3d q(std::abs(p.x()), p.y(), p.z());
        double to_arm = nearest(groups_.arm, q);
        double is_arm = ramp(nearest(groups_.trunk, q) - to_arm, -0.028, 0.030) * ramp(q.x(), 0.10, 0.15) *
                        ramp(-to_arm, -0.20, -0.15);
        auto up = [&](const char* joint, double low, double high) {
            double s = ramp(p.y(), low, high);
            set(share, joint, s + (1 - s) * is_arm);
        };
        up("spine", 0.975, 1.075);
        up("chest", 1.085, 1.195);
        up("upperChest", 1.205, 1.315);
        double is_neck = ramp(
            std::min(nearest(groups_.shirt, q), 0.05) - std::min(nearest(groups_.neck, q), nearest(groups_.head, q)),
            -0.006, 0.014);
        set(share, "neck", is_neck * ramp(p.y(), 1.435, 1.475));
        double is_head = ramp(nearest(groups_.neck, q) - nearest(groups_.head, q), -0.010, 0.012);
        set(share, "head", std::max(is_head, ramp(p.y(), 1.56, 1.60)));
        return is_arm;
    }

    void arm(const Vec3d& p, const std::string& side, double is_arm, std::vector<double>& share) const {
        double collar = ramp(p.x(), 0.035, 0.135) * ramp(p.y(), 1.31, 1.405);
        set(share, side + "Shoulder", std::max(collar, is_arm));
        Vec3d down = (j_.lower_arm - j_.upper_arm).normalized();
        set(share, side + "UpperArm", is_arm * ramp((p - j_.upper_arm).dot(down), -0.050, 0.050));
        set(share, side + "LowerArm", share_beyond(p, j_.upper_arm, j_.lower_arm, j_.hand, 0.045));
        set(share, side + "Hand", share_beyond(p, j_.lower_arm, j_.hand, j_.hand_end, 0.026));
        fingers(p, side, share);
    }

    void fingers(const Vec3d& p, const std::string& side, std::vector<double>& share) const {
        double gap[5];
        for (int f = 0; f < 5; ++f) {
            gap[f] = 1e9;
            for (int k = 0; k < 3; ++k)
                gap[f] = std::min(gap[f], distance_to_segment(p, j_.fingers[f][k], j_.fingers[f][k + 1]));
        }
        for (int f = 0; f < 5; ++f) {
            double other = 1e9;
            for (int g = 0; g < 5; ++g) {
                if (g != f) other = std::min(other, gap[g]);
            }
            double mine = ramp(other - gap[f], -0.004, 0.005);
            const auto& k = j_.fingers[f];
            Vec3d root = k[0] - (k[1] - k[0]).normalized() * 0.03;
            set(share, side + finger_joint(f, 0), mine * share_beyond(p, root, k[0], k[1], f == 0 ? 0.020 : 0.011));
            set(share, side + finger_joint(f, 1), share_beyond(p, k[0], k[1], k[2], 0.008));
            set(share, side + finger_joint(f, 2), share_beyond(p, k[1], k[2], k[3], 0.007));
        }
    }

    void leg(const Vec3d& p, const std::string& side, double is_arm, std::vector<double>& share) const {
        // The crease runs up and outwards from the crotch.
        Vec3d axis = Vec3d(0.30, -0.95, 0).normalized();
        double hip = ramp((p - j_.upper_leg).dot(axis), -0.065, 0.075) * ramp(p.x(), -0.014, 0.022);
        set(share, side + "UpperLeg", p.y() > 1.05 ? 0.0 : hip * (1 - is_arm));
        set(share, side + "LowerLeg", share_beyond(p, j_.upper_leg, j_.lower_leg, j_.foot, 0.055));
        if (p.y() < 0.25) {
            double is_shoe = ramp(nearest(groups_.leg, p) - nearest(groups_.shoe, p), -0.004, 0.008);
            double low = ramp(-p.y(), -0.115, -0.065);
            set(share, side + "Foot", std::max(is_shoe, 0.0) + (1 - is_shoe) * low * 0.4);
            Vec3d ahead = j_.foot_axes.col(2);
            set(share, side + "Toes", ramp((p - j_.toes).dot(ahead), -0.024, 0.020));
        }
    }

    const Field& field_;
    const HumanoidJoints& j_;
    const JointList& list_;
    Groups groups_;
};

}  // namespace

JointList humanoid_joint_list(const HumanoidJoints& j) {
    JointList list;
    int32_t root = list.add("root", -1, Vec3d::Zero());
    int32_t hips = list.add("hips", root, j.hips);
    int32_t spine = list.add("spine", hips, j.spine);
    int32_t chest = list.add("chest", spine, j.chest);
    int32_t upper_chest = list.add("upperChest", chest, j.upper_chest);
    int32_t neck = list.add("neck", upper_chest, j.neck);
    list.add("head", neck, j.head);
    for (double s : {1.0, -1.0}) {
        std::string side = s > 0 ? "left" : "right";
        auto at = [&](const Vec3d& p) { return Vec3d(s * p.x(), p.y(), p.z()); };
        int32_t shoulder = list.add(side + "Shoulder", upper_chest, at(j.shoulder));
        int32_t upper = list.add(side + "UpperArm", shoulder, at(j.upper_arm));
        int32_t lower = list.add(side + "LowerArm", upper, at(j.lower_arm));
        int32_t hand = list.add(side + "Hand", lower, at(j.hand));
        for (int f = 0; f < 5; ++f) {
            int32_t parent = hand;
            for (int k = 0; k < 3; ++k) parent = list.add(side + finger_joint(f, k), parent, at(j.fingers[f][k]));
        }
    }
    for (double s : {1.0, -1.0}) {
        std::string side = s > 0 ? "left" : "right";
        auto at = [&](const Vec3d& p) { return Vec3d(s * p.x(), p.y(), p.z()); };
        int32_t upper = list.add(side + "UpperLeg", hips, at(j.upper_leg));
        int32_t lower = list.add(side + "LowerLeg", upper, at(j.lower_leg));
        int32_t foot = list.add(side + "Foot", lower, at(j.foot));
        list.add(side + "Toes", foot, at(j.toes));
    }
    return list;
}

std::vector<double> humanoid_weights(const Mesh& mesh, const Field& field, const HumanoidJoints& joints,
                                     const JointList& list) {
    Splitter splitter(field, joints, list);
    std::vector<double> weights;
    for (const Vec3& p : mesh.positions) {
        std::vector<double> w = splitter.weights(p.cast<double>());
        weights.insert(weights.end(), w.begin(), w.end());
    }
    smooth_weights(mesh, list.size(), 3, weights);
    return weights;
}

}  // namespace sinew::shape
