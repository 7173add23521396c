#include <sinew/sample/sample.h>

#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/core/parallel.h>
#include <sinew/mesh/topology.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <cmath>
#include <map>
#include <set>

using namespace sinew;

namespace {

// Made once: in debug builds a body takes seconds.
const Character& made(std::string_view name) {
    static std::map<std::string_view, Character> characters;
    auto [place, fresh] = characters.try_emplace(name);
    if (fresh) place->second = make_sample(name).value();
    return place->second;
}

const Primitive& body(const Character& character) {
    return character.meshes[0].primitives[0];
}

// FNV-1a over everything that would end in a file.
uint64_t hash(const Character& character) {
    uint64_t h = 14695981039346656037ull;
    auto add = [&](const void* data, size_t size) {
        for (size_t i = 0; i < size; ++i) h = (h ^ static_cast<const uint8_t*>(data)[i]) * 1099511628211ull;
    };
    const Primitive& p = body(character);
    add(p.mesh.positions.data(), p.mesh.positions.size() * sizeof(Vec3));
    add(p.mesh.normals.data(), p.mesh.normals.size() * sizeof(Vec3));
    add(p.mesh.uvs.data(), p.mesh.uvs.size() * sizeof(Vec2));
    add(p.mesh.triangles.data(), p.mesh.triangles.size() * sizeof(uint32_t));
    for (size_t v = 0; v < p.influences.vertex_count(); ++v) {
        for (const Influence& i : p.influences.of(v)) add(&i, sizeof i);
    }
    for (const Image& image : character.images) add(image.bytes.view.data(), image.bytes.view.size());
    return h;
}

// By the winding number: the solid angle of all triangles seen from the point, in turns [Oosterom1983].
double winding(const Mesh& mesh, const Vec3d& p) {
    double sum = 0;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        Vec3d a = mesh.positions[mesh.triangles[t]].cast<double>() - p,
              b = mesh.positions[mesh.triangles[t + 1]].cast<double>() - p,
              c = mesh.positions[mesh.triangles[t + 2]].cast<double>() - p;
        double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (4 * 3.14159265358979323846);
}

void check_closed(const Mesh& mesh) {
    Topology t = topology(mesh.positions, mesh.triangles);
    CHECK(t.pieces == 1);
    CHECK(t.watertight);
}

void check_uvs(const Mesh& mesh) {
    REQUIRE(mesh.uvs.size() == mesh.vertex_count());
    for (const Vec2& uv : mesh.uvs) {
        CHECK(uv.minCoeff() >= 0.0f);
        CHECK(uv.maxCoeff() <= 1.0f);
    }
}

void check_mirrored(const Mesh& mesh) {
    std::set<std::array<float, 3>> points;
    for (const Vec3& p : mesh.positions) points.insert({p.x(), p.y(), p.z()});
    size_t missing = 0;
    for (const Vec3& p : mesh.positions) missing += !points.contains({-p.x() + 0.0f, p.y(), p.z()});
    CHECK(missing == 0);
}

void check_normals(const Mesh& mesh) {
    REQUIRE(mesh.normals.size() == mesh.vertex_count());
    size_t folded = 0;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const uint32_t* v = &mesh.triangles[t];
        Vec3 n = (mesh.positions[v[1]] - mesh.positions[v[0]]).cross(mesh.positions[v[2]] - mesh.positions[v[0]]);
        folded += n.dot(mesh.normals[v[0]] + mesh.normals[v[1]] + mesh.normals[v[2]]) <= 0;
    }
    CHECK(folded <= mesh.triangle_count() / 500);
    for (const Vec3& n : mesh.normals) CHECK(std::abs(n.norm() - 1.0f) < 1e-4f);
}

void check_weights(const Character& character) {
    const Influences& influences = body(character).influences;
    CHECK(influences.vertex_count() == body(character).mesh.vertex_count());
    CHECK(influences.unweighted_vertices() == 0);
    CHECK(influences.max_per_vertex() <= 4);
    for (size_t v = 0; v < influences.vertex_count(); ++v) {
        float sum = 0;
        for (const Influence& i : influences.of(v)) sum += i.weight;
        CHECK(std::abs(sum - 1.0f) < 1e-5f);
    }
}

void check_joints_inside(const Character& character, size_t first) {
    auto world = rest_world(character.skeleton);
    for (int32_t j : character.skins[0].joints) {
        if (static_cast<size_t>(j) < first) continue;
        CAPTURE(character.skeleton.names()[j]);
        CHECK(winding(body(character).mesh, world[j].translation()) > 0.9);
    }
}

float influence_of(const Character& character, size_t vertex, const std::string& prefix) {
    float sum = 0;
    for (const Influence& i : body(character).influences.of(vertex)) {
        const std::string& name = character.skeleton.names()[character.skins[0].joints[i.joint]];
        if (name.rfind(prefix, 0) == 0) sum += i.weight;
    }
    return sum;
}

}  // namespace

TEST_CASE("make_sample: every name makes a valid character, the same bytes each time and for any number of threads") {
    for (std::string_view name : sample_names()) {
        CAPTURE(name);
        set_thread_count(1);
        const Character& first = made(name);
        set_thread_count(8);
        Character second = make_sample(name).value();
        set_thread_count(0);
        auto valid = validate(first);
        CHECK_MESSAGE(valid.has_value(), (valid ? std::string() : to_string(valid.error())));
        CHECK(hash(first) == hash(second));
        check_closed(body(first).mesh);
        check_uvs(body(first).mesh);
        check_normals(body(first).mesh);
    }
    CHECK(make_sample("humanoyd").error().message.find("did you mean humanoid, humanoid-fat or humanoid-thin?") !=
          std::string::npos);
}

TEST_CASE("humanoid: size, symmetry, triangles, texture") {
    const Character& character = made("humanoid");
    const Mesh& mesh = body(character).mesh;
    CHECK(mesh.triangle_count() >= 8000);
    CHECK(mesh.triangle_count() <= 15000);
    Box box = bounds(mesh.positions);
    CHECK(std::abs(box.min.y()) < 0.002f);
    CHECK(box.max.y() == doctest::Approx(1.75).epsilon(0.01));
    CHECK(box.max.x() == doctest::Approx(-box.min.x()));
    CHECK(box.max.x() > 0.6f);
    check_mirrored(mesh);
    CHECK(character.skins.empty());
    REQUIRE(character.images.size() == 1);
    CHECK(character.images[0].bytes.view.size() < 64 * 1024);
}

TEST_CASE("builds of the humanoid: the same joints and skin, other sizes, standing on the ground") {
    const Character& average = made("humanoid-rigged");
    struct Expected {
        std::string_view name;
        double height, girth;  // of the average build's
    };
    for (const auto& [name, height, girth] :
         {Expected{"humanoid-fat", 1.0, 1.6}, Expected{"humanoid-thin", 1.0, 0.75},
          Expected{"humanoid-tall", 1.15, 1.0}, Expected{"humanoid-child", 0.67, 0.72}}) {
        CAPTURE(name);
        const Character& character = made(name);
        CHECK(character.skeleton.names() == average.skeleton.names());
        CHECK(recognise_humanoid(character.skeleton).is_body());
        CHECK(body(character).mesh.triangles == body(average).mesh.triangles);
        check_weights(character);
        check_mirrored(body(character).mesh);
        check_joints_inside(character, 1);
        const Box box = bounds(body(character).mesh.positions);
        CHECK(std::abs(box.min.y()) < 1e-5f);
        CHECK(box.max.y() / 1.75 == doctest::Approx(height).epsilon(0.04));
        // How deep the body is at the navel, from front to back, within a hand's breadth of the middle.
        const auto depth = [](const Character& of) {
            const auto world = rest_world(of.skeleton);
            const HumanoidMap map = recognise_humanoid(of.skeleton);
            const auto navel = static_cast<float>(world[map[Role::spine]].translation().y());
            Box slice;
            for (const Vec3& p : body(of).mesh.positions)
                if (std::abs(p.y() - navel) < 0.04f && std::abs(p.x()) < 0.08f) slice.add(p);
            return double{slice.max.z() - slice.min.z()};
        };
        CHECK(depth(character) / depth(average) == doctest::Approx(girth).epsilon(0.15));
    }
}

TEST_CASE("rigged humanoid: all roles are there, in the body; weights end where they should") {
    const Character& character = made("humanoid-rigged");
    HumanoidMap map = recognise_humanoid(character.skeleton);
    CHECK(map.is_body());
    for (size_t r = 0; r < role_count; ++r) {
        auto role = static_cast<Role>(r);
        if (role == Role::left_eye || role == Role::right_eye || role == Role::jaw) continue;
        CAPTURE(to_string(role));
        REQUIRE(map[role] >= 0);
        CHECK(character.skeleton.names()[map[role]] == to_string(role));
    }
    check_weights(character);
    check_joints_inside(character, 1);
    const Mesh& mesh = body(character).mesh;
    for (size_t v = 0; v < mesh.vertex_count(); ++v) {
        float x = mesh.positions[v].x();
        if (x > 0.06f) CHECK(influence_of(character, v, "right") < 0.01f);
        if (x < -0.06f) CHECK(influence_of(character, v, "left") < 0.01f);
        // No vertex hangs on two different fingers, except in the webs between them.
        int fingers = 0;
        for (const char* finger : {"leftThumb", "leftIndex", "leftMiddle", "leftRing", "leftLittle"}) {
            fingers += influence_of(character, v, finger) > 0.2f;
        }
        CHECK(fingers <= 2);
    }
    // Each fingertip follows its own last joint alone.
    auto world = rest_world(character.skeleton);
    for (const char* finger : {"leftThumb", "leftIndex", "leftMiddle", "leftRing", "leftLittle"}) {
        std::string distal = std::string(finger) + "Distal";
        Vec3 from = world[character.skeleton.find(distal)].translation().cast<float>();
        Vec3 before = world[character.skeleton.parents()[character.skeleton.find(distal)]].translation().cast<float>();
        Vec3 tip = from + (from - before).normalized() * 0.02f;
        size_t nearest = 0;
        for (size_t v = 0; v < mesh.vertex_count(); ++v) {
            if ((mesh.positions[v] - tip).norm() < (mesh.positions[nearest] - tip).norm()) nearest = v;
        }
        CAPTURE(distal);
        CHECK(influence_of(character, nearest, distal) > 0.8f);
    }
}

TEST_CASE("rigged humanoid: a bent knee moves the shin rigidly and leaves the rest alone") {
    const Character& character = made("humanoid-rigged");
    int32_t knee = character.skeleton.find("leftLowerLeg");
    Vec3 center = rest_world(character.skeleton)[knee].translation().cast<float>();
    Pose pose = rest_pose(character);
    Quat bend(Eigen::AngleAxisf(radians(70), Vec3::UnitX()));
    pose.local[knee].rotation = bend * pose.local[knee].rotation;
    std::vector<DeformedPrimitive> out;
    deform(character, pose, {}, out);
    const Mesh& mesh = body(character).mesh;
    size_t shin = 0, rest = 0;
    for (size_t v = 0; v < mesh.vertex_count(); ++v) {
        const Vec3& p = mesh.positions[v];
        if (p.x() > 0 && p.y() < 0.35f) {
            ++shin;
            CHECK((out[0].positions[v] - (center + bend * (p - center))).norm() < 1e-3f);
        } else if (p.y() > 0.70f || p.x() < -0.01f) {
            ++rest;
            CHECK((out[0].positions[v] - p).norm() < 1e-3f);
        }
    }
    CHECK(shin > 300);
    CHECK(rest > 3000);
}

TEST_CASE("quadruped: four legs, a tail, closed, symmetric, joints inside") {
    const Character& character = made("quadruped");
    const Mesh& mesh = body(character).mesh;
    CHECK(mesh.triangle_count() >= 5000);
    CHECK(mesh.triangle_count() <= 12000);
    CHECK(std::abs(bounds(mesh.positions).min.y()) < 0.003f);
    check_mirrored(mesh);
    check_weights(character);
    check_joints_inside(character, 1);
    for (const char* joint : {"leftFrontFoot", "rightFrontFoot", "leftHindFoot", "rightHindFoot", "tail4", "head"}) {
        CHECK(character.skeleton.find(joint) >= 0);
    }
}

TEST_CASE("arm: a grid along +X; weights go linearly from the upper to the lower arm") {
    const Character& character = made("arm");
    check_weights(character);
    check_joints_inside(character, 0);
    const Mesh& mesh = body(character).mesh;
    for (size_t v = 0; v < mesh.vertex_count(); ++v) {
        float x = mesh.positions[v].x();
        if (x < 0.22f || x > 0.38f) continue;
        CHECK(influence_of(character, v, "lowerArm") == doctest::Approx((x - 0.22f) / 0.16f).epsilon(0.02));
    }
}
