// A person of 60 joints to try the solvers on: VRM's names, fingers, and a few joints that only go along. Stands in a
// T-pose, 1.7 m tall, facing +Z.
#pragma once

#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/skeleton.h>
#include <string>
#include <vector>

namespace sinew::test {

class PersonMaker {
public:
    int32_t add(const std::string& name, int32_t parent, const Vec3& place) {
        names_.push_back(name);
        parents_.push_back(parent);
        places_.push_back(place);
        return static_cast<int32_t>(names_.size()) - 1;
    }

    void add_side(const std::string& side, float s, int32_t hips, int32_t chest) {
        const int32_t thigh = add(side + "UpperLeg", hips, {s * 0.09f, 0.90f, 0});
        const int32_t shin = add(side + "LowerLeg", thigh, {s * 0.09f, 0.49f, 0.01f});
        const int32_t foot = add(side + "Foot", shin, {s * 0.09f, 0.08f, -0.02f});
        add(side + "Toes", foot, {s * 0.09f, 0.02f, 0.10f});
        const int32_t collar = add(side + "Shoulder", chest, {s * 0.03f, 1.40f, 0});
        const int32_t upper = add(side + "UpperArm", collar, {s * 0.17f, 1.40f, 0});
        const int32_t lower = add(side + "LowerArm", upper, {s * 0.44f, 1.40f, -0.01f});
        const int32_t hand = add(side + "Hand", lower, {s * 0.69f, 1.40f, 0});
        float z = 0.03f;
        for (const std::string finger : {"Thumb", "Index", "Middle", "Ring", "Little"}) {
            int32_t parent = hand;
            float x = 0.72f;
            const bool thumb = finger == "Thumb";
            for (const std::string bone :
                 {thumb ? "Metacarpal" : "Proximal", thumb ? "Proximal" : "Intermediate", "Distal"}) {
                parent = add(side + finger + bone, parent, {s * (x += 0.03f), 1.40f, z});
            }
            z -= 0.02f;
        }
    }

    Skeleton finish() const {
        std::vector<Transform> rest(names_.size());
        for (size_t j = 0; j < rest.size(); ++j)
            rest[j].translation =
                parents_[j] < 0 ? places_[j] : Vec3(places_[j] - places_[static_cast<size_t>(parents_[j])]);
        return Skeleton::create(names_, parents_, rest).value();
    }

private:
    std::vector<std::string> names_;
    std::vector<int32_t> parents_;
    std::vector<Vec3> places_;
};

inline Skeleton person() {
    PersonMaker maker;
    const int32_t root = maker.add("root", -1, {0, 0, 0});
    const int32_t hips = maker.add("hips", root, {0, 0.95f, 0});
    const int32_t spine = maker.add("spine", hips, {0, 1.05f, 0});
    const int32_t chest = maker.add("chest", spine, {0, 1.18f, 0});
    const int32_t upper = maker.add("upperChest", chest, {0, 1.30f, 0});
    const int32_t neck = maker.add("neck", upper, {0, 1.46f, 0});
    const int32_t head = maker.add("head", neck, {0, 1.54f, 0.02f});
    maker.add("leftEye", head, {0.03f, 1.60f, 0.08f});
    maker.add("rightEye", head, {-0.03f, 1.60f, 0.08f});
    maker.add("jaw", head, {0, 1.53f, 0.06f});
    maker.add_side("left", 1, hips, upper);
    maker.add_side("right", -1, hips, upper);
    for (const char* extra : {"hat", "pack", "belt", "tail"}) maker.add(extra, hips, {0, 1, -0.1f});
    return maker.finish();
}

}  // namespace sinew::test
