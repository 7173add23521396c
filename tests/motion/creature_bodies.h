// Creatures made by code for the tests of built-in motions: skeletons with the map that goes with them.
#pragma once

#include <sinew/skeleton/creature.h>
#include <cmath>
#include <string>
#include <vector>

namespace sinew::test {

struct TestCreature {
    Skeleton skeleton;
    CreatureMap map;
};

// Joints by position in world space; rest rotations are what `roll` says, so that frames differ from file to file.
class CreatureBuilder {
public:
    int32_t add(std::string name, int32_t parent, const Vec3d& at) {
        names_.push_back(std::move(name));
        parents_.push_back(parent);
        at_.push_back(at);
        return static_cast<int32_t>(at_.size()) - 1;
    }
    // Turns, scales and moves everything; every joint gets a rotation of its own, by its number.
    TestCreature finish(CreatureMap map, double scale = 1.0, const Quatd& turn = Quatd::Identity(),
                        bool odd_frames = true) const {
        std::vector<Quatd> frame;
        std::vector<Transform> rest(at_.size());
        for (size_t j = 0; j < at_.size(); ++j) {
            const Vec3d axis(std::sin(1.0 + j), std::cos(2.0 * j), std::sin(3.0 + 0.5 * j));
            frame.emplace_back(
                odd_frames ? Quatd(Eigen::AngleAxisd(0.7 * static_cast<double>(j % 5), axis.normalized())) : turn);
            const Vec3d world = turn * (scale * at_[j]);
            const bool has = parents_[j] >= 0;
            const Quatd above = has ? frame[static_cast<size_t>(parents_[j])] : Quatd(Quatd::Identity());
            const Vec3d from =
                has ? Vec3d(turn * (scale * at_[static_cast<size_t>(parents_[j])])) : Vec3d(Vec3d::Zero());
            rest[j].translation = (above.conjugate() * (world - from)).cast<float>();
            rest[j].rotation = Quatd(above.conjugate() * frame[j]).normalized().cast<float>();
        }
        map.up = turn * Vec3d::UnitY();
        map.forward = turn * Vec3d::UnitZ();
        map.ground = 0.0;
        return {Skeleton::create(names_, parents_, rest).value(), map};
    }

private:
    std::vector<std::string> names_;
    std::vector<int32_t> parents_;
    std::vector<Vec3d> at_;
};

struct QuadrupedShape {
    int leg_bones = 3;      // from socket to foot: 2, 3 or 4
    double leg = 0.6;       // height of the sockets
    double trunk = 0.9;     // between the pairs of legs
    bool straight = false;  // legs like pillars
    bool blades = false;    // shoulder blades above the front legs
    bool tail = true;
    int toes = 0;         // joints beyond the foot
    bool twists = false;  // a joint in the middle of each upper bone
    double scale = 1.0;
    double heading = 0.0;  // turned about the vertical
};

// Along the body: spine from the hips, neck, head. Hind legs bend as stifle and hock do, front legs as elbow and
// carpus.
inline TestCreature make_quadruped_body(const QuadrupedShape& shape) {
    CreatureBuilder b;
    CreatureMap map;
    map.kind = CreatureKind::quadruped;
    const double h = shape.leg, t = shape.trunk;
    const int32_t ground = b.add("root", -1, {0, 0, 0});
    const int32_t hips = b.add("hips", ground, {0, 1.1 * h, -0.5 * t});
    const int32_t back = b.add("back", hips, {0, 1.1 * h, -0.1 * t});
    const int32_t chest = b.add("chest", back, {0, 1.1 * h, 0.35 * t});
    const int32_t neck = b.add("neck", chest, {0, 1.25 * h, 0.6 * t});
    const int32_t head = b.add("head", neck, {0, 1.5 * h, 0.8 * t});
    map.root = hips;
    map.spine = {hips, back, chest};
    map.neck = {neck};
    map.head = {head};
    const auto leg = [&](bool front, double side) {
        CreatureLimb limb;
        limb.side = side > 0 ? Side::left : Side::right;
        const double x = side * 0.18 * h, z = front ? 0.5 * t : -0.5 * t;
        int32_t parent = front ? chest : hips;
        if (front && shape.blades) {
            parent = b.add("blade", parent, {0.8 * x, 1.3 * h, z - 0.1 * h});
            limb.joints.push_back(parent);
        }
        limb.socket = limb.joints.size();
        // Shares of the height, and how far ahead of the socket, in shares of it too.
        std::vector<std::pair<double, double>> places = {{1.0, 0.0}};
        const double bend = shape.straight ? 0.0 : 1.0;
        if (front) {
            if (shape.leg_bones == 4)
                places.insert(places.end(), {{0.72, 0.10 * bend}, {0.55, -0.06 * bend}, {0.22, -0.02 * bend}});
            if (shape.leg_bones == 3) places.insert(places.end(), {{0.58, -0.10 * bend}, {0.20, -0.03 * bend}});
            if (shape.leg_bones == 2) places.push_back({0.50, -0.08 * bend});
        } else {
            if (shape.leg_bones == 4)
                places.insert(places.end(), {{0.70, 0.15 * bend}, {0.38, -0.18 * bend}, {0.12, -0.08 * bend}});
            if (shape.leg_bones == 3) places.insert(places.end(), {{0.65, 0.15 * bend}, {0.30, -0.16 * bend}});
            if (shape.leg_bones == 2) places.push_back({0.52, 0.10 * bend});
        }
        places.push_back({0.03, 0.0});
        for (size_t i = 0; i < places.size(); ++i) {
            const Vec3d at(x, places[i].first * h, z + places[i].second * h);
            if (shape.twists && i == 1) {
                const Vec3d from(x, h, z);
                parent = b.add("twist", parent, 0.5 * (at + from));
                limb.joints.push_back(parent);
            }
            parent = b.add("leg" + std::to_string(i), parent, at);
            limb.joints.push_back(parent);
        }
        limb.foot = limb.joints.size() - 1;
        for (int i = 0; i < shape.toes; ++i) {
            parent = b.add("toe", parent, {x, 0.02 * h, z + 0.06 * (i + 1) * h});
            limb.joints.push_back(parent);
        }
        map.legs.push_back(limb);
    };
    for (const bool front : {true, false})
        for (const double side : {1.0, -1.0}) leg(front, side);
    if (shape.tail) {
        int32_t parent = hips;
        for (int i = 0; i < 4; ++i)
            map.tail.push_back(parent = b.add("tail", parent, {0, 1.1 * h, -0.6 * t - 0.12 * i * t}));
    }
    const Quatd turn(Eigen::AngleAxisd(shape.heading, Vec3d::UnitY()));
    return b.finish(map, shape.scale, turn);
}

// A chain along +Z, its head ahead; the root is its joint number `root`, so that the tree goes both ways from there.
inline TestCreature make_worm(CreatureKind kind, int joints, int root, double length = 1.0) {
    CreatureBuilder b;
    CreatureMap map;
    map.kind = kind;
    const auto at = [&](int i) { return Vec3d(0, 0.05, length * (0.5 - static_cast<double>(i) / (joints - 1))); };
    std::vector<int32_t> of(static_cast<size_t>(joints));
    of[static_cast<size_t>(root)] = b.add("root", -1, at(root));
    for (int i = root - 1; i >= 0; --i)
        of[static_cast<size_t>(i)] = b.add("fore", of[static_cast<size_t>(i) + 1], at(i));
    for (int i = root + 1; i < joints; ++i)
        of[static_cast<size_t>(i)] = b.add("aft", of[static_cast<size_t>(i) - 1], at(i));
    map.root = of[static_cast<size_t>(root)];
    map.spine = {map.root};
    for (int i = root - 1; i > 0; --i) map.neck.push_back(of[static_cast<size_t>(i)]);
    if (root > 0) map.head = {of[0]};
    for (int i = root + 1; i < joints; ++i) map.tail.push_back(of[static_cast<size_t>(i)]);
    return b.finish(map);
}

}  // namespace sinew::test
