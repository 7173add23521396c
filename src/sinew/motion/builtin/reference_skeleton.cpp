#include <sinew/motion/builtin.h>
#include <sinew/motion/builtin/body_pose.h>

#include <sinew/core/check.h>

namespace sinew {

namespace {

struct Builder {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;

    int32_t add(std::string name, int32_t parent, const Vec3d& offset) {
        names.push_back(std::move(name));
        parents.push_back(parent);
        rest.push_back({.translation = offset.cast<float>()});
        return static_cast<int32_t>(names.size()) - 1;
    }
};

void add_finger(Builder& b, int32_t hand, const std::string& name, const char* const (&parts)[3], const Vec3d& knuckle,
                const Vec3d& direction, double a, double c) {
    int32_t first = b.add(name + parts[0], hand, knuckle);
    int32_t second = b.add(name + parts[1], first, a * direction);
    b.add(name + parts[2], second, c * direction);
}

void add_arm(Builder& b, int32_t chest, const std::string& side, double s) {
    int32_t shoulder = b.add(side + "Shoulder", chest, {s * 0.028, 0.140, 0.005});
    int32_t upper = b.add(side + "UpperArm", shoulder, {s * 0.134, -0.010, -0.004});
    int32_t lower = b.add(side + "LowerArm", upper, {s * 0.275, 0, 0});
    int32_t hand = b.add(side + "Hand", lower, {s * 0.250, 0, 0});
    static const char* const thumb[] = {"Metacarpal", "Proximal", "Distal"};
    static const char* const finger[] = {"Proximal", "Intermediate", "Distal"};
    Vec3d along(s, 0, 0), aside = Vec3d(s * 0.75, -0.1, 0.65).normalized();
    add_finger(b, hand, side + "Thumb", thumb, {s * 0.022, -0.006, 0.020}, aside, 0.044, 0.034);
    add_finger(b, hand, side + "Index", finger, {s * 0.098, 0, 0.033}, along, 0.040, 0.026);
    add_finger(b, hand, side + "Middle", finger, {s * 0.103, 0, 0.0105}, along, 0.044, 0.029);
    add_finger(b, hand, side + "Ring", finger, {s * 0.099, 0, -0.012}, along, 0.040, 0.027);
    add_finger(b, hand, side + "Little", finger, {s * 0.090, 0, -0.0325}, along, 0.032, 0.021);
}

}  // namespace

Skeleton humanoid_reference_skeleton() {
    const BodySize size;
    Builder b;
    int32_t hips = b.add("hips", -1, {0, size.hip_height + size.pelvis_rise, 0});
    int32_t spine = b.add("spine", hips, {0, 0.090, 0.005});
    int32_t chest = b.add("chest", spine, {0, 0.105, -0.005});
    int32_t upper_chest = b.add("upperChest", chest, {0, 0.125, -0.010});
    int32_t neck = b.add("neck", upper_chest, {0, 0.180, -0.003});
    b.add("head", neck, {0, 0.090, 0.014});
    add_arm(b, upper_chest, "left", 1);
    add_arm(b, upper_chest, "right", -1);
    for (double s : {1.0, -1.0}) {
        std::string side = s > 0 ? "left" : "right";
        int32_t upper = b.add(side + "UpperLeg", hips, {s * size.hip_half_width, -size.pelvis_rise, 0});
        int32_t lower = b.add(side + "LowerLeg", upper, {0, -size.thigh, 0});
        int32_t foot = b.add(side + "Foot", lower, {0, -size.shin, 0});
        b.add(side + "Toes", foot, {0, size.toe_height - size.ankle_height, size.foot_length});
    }
    auto skeleton = Skeleton::create(std::move(b.names), std::move(b.parents), std::move(b.rest));
    SINEW_CHECK(skeleton.has_value());
    return *std::move(skeleton);
}

}  // namespace sinew
