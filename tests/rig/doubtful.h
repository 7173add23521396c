// Thirty shapes that are no clear creature, and a clear one beside them. For the tests and benchmarks of what doubt
// costs.
#pragma once

#include <mesh/shapes.h>
#include <sinew/sample/sample.h>
#include <string>

namespace sinew::test {

struct DoubtfulShape {
    std::string name;
    Mesh mesh;
};

inline Mesh box_of(const Vec3& low, const Vec3& high) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.positions.push_back(
            {(i & 1) ? high.x() : low.x(), (i & 2) ? high.y() : low.y(), (i & 4) ? high.z() : low.z()});
    mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

inline Mesh boxes(const std::vector<std::pair<Vec3, Vec3>>& list) {
    Mesh mesh;
    for (const auto& [low, high] : list) append(mesh, box_of(low, high));
    return mesh;
}

inline Mesh sample_person() {
    return make_humanoid().meshes.front().primitives.front().mesh;
}

inline Mesh moved(Mesh mesh, const Vec3& by) {
    for (Vec3& p : mesh.positions) p += by;
    return mesh;
}

// The same lump for the same seed: a sphere whose radius waves.
inline Mesh lump(uint64_t seed, float roughness) {
    Random random(seed);
    Mesh mesh = sphere(Vec3::Zero(), 1.0f, 24);
    std::vector<Vec3> waves;
    for (int k = 0; k < 6; ++k)
        waves.push_back(4.0f * Vec3(static_cast<float>(random.uniform(-1.0, 1.0)),
                                    static_cast<float>(random.uniform(-1.0, 1.0)),
                                    static_cast<float>(random.uniform(-1.0, 1.0))));
    for (Vec3& p : mesh.positions) {
        float r = 1.0f;
        for (const Vec3& w : waves) r += roughness * std::sin(w.dot(p));
        p *= r;
    }
    return mesh;
}

inline Mesh wheels(float x, float r, std::initializer_list<float> places) {
    Mesh mesh;
    for (const float side : {-1.0f, 1.0f})
        for (const float z : places) append(mesh, tube({{side * x, r, z}, {side * (x - 0.2f), r, z}}, r));
    return mesh;
}

inline Mesh tree(int branches, float bend) {
    Mesh mesh = tube({{0, 0, 0}, {0.05f, 1, 0}, {0, 2, 0.05f}}, 0.15f);
    for (int k = 0; k < branches; ++k) {
        const float a = 2.4f * static_cast<float>(k),
                    y = 1.0f + 1.0f * static_cast<float>(k) / static_cast<float>(branches);
        const Vec3 out(std::cos(a), 0, std::sin(a));
        append(mesh, tube({{0, y, 0}, Vec3(0, y + 0.3f, 0) + 0.4f * out, Vec3(0, y + bend, 0) + 0.9f * out}, 0.06f));
    }
    return mesh;
}

inline Mesh ring(float radius, float thick) {
    std::vector<Vec3> points;
    for (int i = 0; i <= 40; ++i) {
        const float t = 2.0f * pi * static_cast<float>(i) / 40.0f;
        points.push_back({radius * std::cos(t), radius * std::sin(t), 0});
    }
    return tube(points, thick);
}

inline Mesh half_of(Mesh mesh, int axis, float from, float to) {
    cut_faces(mesh, [&](const Vec3& p) { return p[axis] < from || p[axis] > to; });
    return mesh;
}

inline Mesh joined(Mesh a, const Mesh& b) {
    append(a, b);
    return a;
}

inline std::vector<DoubtfulShape> furniture_and_vehicles() {
    const Mesh legs4 = boxes({{{-0.5f, 0, -0.5f}, {-0.4f, 0.5f, -0.4f}},
                              {{0.4f, 0, -0.5f}, {0.5f, 0.5f, -0.4f}},
                              {{-0.5f, 0, 0.4f}, {-0.4f, 0.5f, 0.5f}},
                              {{0.4f, 0, 0.4f}, {0.5f, 0.5f, 0.5f}}});
    return {
        {"cube", box_of({-1, 0, -1}, {1, 2, 1})},
        {"box", box_of({-1, 0, -0.7f}, {1, 1.5f, 0.7f})},
        {"plank", box_of({-2, 0, -0.4f}, {2, 0.15f, 0.4f})},
        {"tower", box_of({-0.4f, 0, -0.4f}, {0.4f, 3, 0.4f})},
        {"chair", joined(legs4, boxes({{{-0.5f, 0.5f, -0.5f}, {0.5f, 0.6f, 0.5f}},
                                       {{-0.5f, 0.6f, -0.5f}, {0.5f, 1.4f, -0.4f}}}))},
        {"table", joined(legs4, box_of({-0.8f, 0.5f, -0.8f}, {0.8f, 0.58f, 0.8f}))},
        {"stool", joined(tube({{0, 0, 0}, {0, 0.5f, 0}}, 0.08f), tube({{0, 0.5f, 0}, {0, 0.6f, 0}}, 0.4f))},
        {"sofa", boxes({{{-1, 0, -0.4f}, {1, 0.4f, 0.4f}},
                        {{-1, 0.4f, -0.4f}, {1, 0.9f, -0.15f}},
                        {{-1.2f, 0, -0.4f}, {-1, 0.6f, 0.4f}},
                        {{1, 0, -0.4f}, {1.2f, 0.6f, 0.4f}}})},
        {"truck", joined(boxes({{{-0.6f, 0.3f, -1.4f}, {0.6f, 1.5f, 0.5f}},
                                {{-0.6f, 0.3f, 0.6f}, {0.6f, 1.2f, 1.3f}},
                                {{-0.5f, 0.2f, -1.3f}, {0.5f, 0.4f, 1.3f}}}),
                         wheels(0.65f, 0.3f, {-0.9f, 0.9f}))},
        {"car", joined(boxes({{{-0.6f, 0.25f, -1.3f}, {0.6f, 0.7f, 1.3f}}, {{-0.5f, 0.7f, -0.7f}, {0.5f, 1.1f, 0.5f}}}),
                       wheels(0.62f, 0.25f, {-0.8f, 0.8f}))},
        {"ladder", boxes({{{-0.4f, 0, 0}, {-0.3f, 3, 0.1f}},
                          {{0.3f, 0, 0}, {0.4f, 3, 0.1f}},
                          {{-0.4f, 0.6f, 0}, {0.4f, 0.7f, 0.1f}},
                          {{-0.4f, 1.4f, 0}, {0.4f, 1.5f, 0.1f}},
                          {{-0.4f, 2.2f, 0}, {0.4f, 2.3f, 0.1f}}})},
        {"house", boxes({{{-1, 0, -0.8f}, {1, 1, 0.8f}}, {{-0.7f, 1, -0.6f}, {0.7f, 1.5f, 0.6f}}})},
    };
}

inline std::vector<DoubtfulShape> rocks_and_letters() {
    return {
        {"rock", lump(1, 0.05f)},
        {"boulder", lump(2, 0.09f)},
        {"blob", lump(3, 0.13f)},
        {"potato", lump(4, 0.03f)},
        {"tree", tree(6, 0.6f)},
        {"bush", tree(14, 0.2f)},
        {"dead tree", tree(3, 0.9f)},
        {"letter A", boxes({{{-0.6f, 0, 0}, {-0.4f, 1.4f, 0.2f}},
                            {{0.4f, 0, 0}, {0.6f, 1.4f, 0.2f}},
                            {{-0.6f, 1.4f, 0}, {0.6f, 1.6f, 0.2f}},
                            {{-0.4f, 0.6f, 0}, {0.4f, 0.8f, 0.2f}}})},
        {"letter E", boxes({{{-0.5f, 0, 0}, {-0.3f, 1.6f, 0.2f}},
                            {{-0.3f, 0, 0}, {0.4f, 0.2f, 0.2f}},
                            {{-0.3f, 0.7f, 0}, {0.3f, 0.9f, 0.2f}},
                            {{-0.3f, 1.4f, 0}, {0.4f, 1.6f, 0.2f}}})},
        {"letter X",
         joined(tube({{-0.6f, 0, 0}, {0.6f, 1.6f, 0}}, 0.12f), tube({{0.6f, 0, 0}, {-0.6f, 1.6f, 0}}, 0.12f))},
        {"cross", boxes({{{-0.15f, 0, -0.1f}, {0.15f, 2, 0.1f}}, {{-0.7f, 1.2f, -0.1f}, {0.7f, 1.5f, 0.1f}}})},
        {"ring", ring(1.0f, 0.2f)},
        {"ball", sphere({0, 1, 0}, 1.0f, 24)},
    };
}

// Of a person: two, half of one, one with others' parts.
inline std::vector<DoubtfulShape> broken_people() {
    const Mesh person = sample_person();
    Box box;
    for (const Vec3& p : person.positions) box.add(p);
    const float h = box.size().y();
    return {
        {"two people", joined(person, moved(person, {1.4f * h, 0, 0}))},
        {"one on the other", joined(person, moved(person, {0, h, 0}))},
        {"lower half", half_of(person, 1, -INFINITY, 0.5f * h)},
        {"upper half", half_of(person, 1, 0.5f * h, INFINITY)},
        {"left half", half_of(person, 0, 0.0f, INFINITY)},
    };
}

inline std::vector<DoubtfulShape> doubtful_shapes() {
    std::vector<DoubtfulShape> all;
    for (const auto& some : {furniture_and_vehicles(), rocks_and_letters(), broken_people()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace sinew::test
