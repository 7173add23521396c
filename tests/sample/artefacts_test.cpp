// The artefacts of each deformer on the arm sample, in numbers: the table of docs/measurements.md.
//
// A limb that is only bent or twisted keeps its thickness: a point of its skin stays as far from the bones as it was.
// So a point that has moved away from the bones bulges [Kim2014 takes away just that distance], wherever it is; bones
// are the straight segments from joint to joint, in the pose and at rest, and the bulge is a share of the distance at
// rest. Collapse cannot be measured from the bones: on the inner side of a bend skin must come nearer to the other
// bone, and folds. It is measured within the point's own section, the ring of vertices at one x, from its middle; so
// it sees rings that shrink, not rings that come close to each other. Both hold for every deformer alike.
//
// The page also tells how far points go from the line into which linear blending bends the bones' line. That line
// itself swings out, on the outer side of a bend, by up to an eighth of half the blended length (0.01 on this arm,
// whose radius is 0.056); no promise is tested by it.
#include <sinew/sample/sample.h>

#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/skeleton/pose.h>
#include <support/places.h>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace sinew;

namespace {

// Sections of the arm: the vertices at one x. The first is repeated as the last, for the UV seam.
struct Arm {
    Character character = make_arm();
    const Mesh& mesh = character.meshes[0].primitives[0].mesh;
    std::map<float, std::vector<size_t>> sections;
    int32_t elbow = character.skeleton.find("lowerArm"), wrist = character.skeleton.find("hand");
    std::vector<AffineD> rest = rest_world(character.skeleton);

    Arm() {
        for (size_t v = 0; v < mesh.vertex_count(); ++v) sections[mesh.positions[v].x()].push_back(v);
    }
    Vec3 joint(int32_t j, std::span<const AffineD> world) const {
        return world[static_cast<size_t>(j)].translation().cast<float>();
    }
};

double volume(const Mesh& mesh, std::span<const Vec3> p) {
    double sum = 0.0;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const Vec3d a = p[mesh.triangles[t]].cast<double>(), b = p[mesh.triangles[t + 1]].cast<double>();
        sum += a.dot(b.cross(Vec3d(p[mesh.triangles[t + 2]].cast<double>()))) / 6.0;
    }
    return sum;
}

struct Section {
    Vec3 centre = Vec3::Zero();
    double area = 0.0;
};

Section section_of(std::span<const size_t> ring, std::span<const Vec3> p) {
    Section s;
    for (size_t k = 0; k + 1 < ring.size(); ++k) s.centre += p[ring[k]] / static_cast<float>(ring.size() - 1);
    for (size_t k = 0; k + 1 < ring.size(); ++k)
        s.area += 0.5 * (p[ring[k]] - s.centre).cross(p[ring[k + 1]] - s.centre).norm();
    return s;
}

float distance_from(std::span<const Vec3> line, const Vec3& p) {
    float nearest = INFINITY;
    for (size_t k = 0; k + 1 < line.size(); ++k) {
        const Vec3 along = line[k + 1] - line[k];
        const float at = std::clamp((p - line[k]).dot(along) / along.squaredNorm(), 0.0f, 1.0f);
        nearest = std::min(nearest, (p - line[k] - at * along).norm());
    }
    return nearest;
}

// All are shares of the rest shape.
struct Artefacts {
    double volume = 0.0;
    double area = 1.0;  // of the section that has lost most
    double collapse = 0.0;
    double bulge = 0.0;
    double off_line = 0.0;
};

Artefacts measure(const Arm& arm, CharacterDeformer& deformer, const Vec3& axis, float angle_deg) {
    const auto elbow = static_cast<size_t>(arm.elbow);
    Pose pose = rest_pose(arm.character);
    pose.local[elbow].rotation = pose.local[elbow].rotation * Quat(Eigen::AngleAxisf(radians(angle_deg), axis));
    std::vector<DeformedPrimitive> out;
    deformer.deform(pose, out);
    const std::vector<Vec3>&p = out[0].positions, &rest = arm.mesh.positions;
    std::vector<AffineD> world(arm.character.skeleton.size());
    local_to_world(arm.character.skeleton.parents(), pose.local, world);
    const Vec3 shoulder(-1, 0, 0);
    const std::vector<Vec3> bones = {shoulder, arm.joint(arm.elbow, world), arm.joint(arm.wrist, world)};
    const std::vector<Vec3> rest_bones = {shoulder, arm.joint(arm.elbow, arm.rest), arm.joint(arm.wrist, arm.rest)};
    const Affine lower = (world[elbow] * arm.rest[elbow].inverse()).cast<float>();
    std::vector<Vec3> line;
    for (const auto& [x, ring] : arm.sections) {
        const float weight = std::clamp((x - 0.22f) / 0.16f, 0.0f, 1.0f);
        line.push_back((1.0f - weight) * Vec3(x, 0, 0) + weight * (lower * Vec3(x, 0, 0)));
    }
    Artefacts a{.volume = volume(arm.mesh, p) / volume(arm.mesh, rest)};
    for (const auto& [x, ring] : arm.sections) {
        if (x < 0.1f || x > 0.46f) continue;
        const Section now = section_of(ring, p), before = section_of(ring, rest);
        a.area = std::min(a.area, now.area / before.area);
        for (size_t v : ring) {
            const double radius = (rest[v] - before.centre).norm();
            a.collapse = std::max(a.collapse, 1.0 - (p[v] - now.centre).norm() / radius);
            a.bulge = std::max(a.bulge, distance_from(bones, p[v]) / distance_from(rest_bones, rest[v]) - 1.0);
            a.off_line = std::max(a.off_line, distance_from(line, p[v]) / radius - 1.0);
        }
    }
    return a;
}

struct Row {
    Artefacts twist90, twist180, bend90, bend150, worst_twist, worst_bend;
};

Artefacts worst(const Artefacts& a, const Artefacts& b) {
    return {std::min(a.volume, b.volume), std::min(a.area, b.area), std::max(a.collapse, b.collapse),
            std::max(a.bulge, b.bulge), std::max(a.off_line, b.off_line)};
}

Row measure(const Arm& arm, const DeformOptions& options) {
    CharacterDeformer deformer(arm.character, options);
    Row row;
    row.worst_twist.volume = row.worst_bend.volume = 1.0;
    for (int angle = 0; angle <= 180; angle += 15) {
        const Artefacts twist = measure(arm, deformer, Vec3::UnitX(), static_cast<float>(angle));
        row.worst_twist = worst(row.worst_twist, twist);
        if (angle == 90) row.twist90 = twist;
        if (angle == 180) row.twist180 = twist;
        if (angle > 150) continue;
        const Artefacts bend = measure(arm, deformer, Vec3::UnitZ(), static_cast<float>(angle));
        row.worst_bend = worst(row.worst_bend, bend);
        if (angle == 90) row.bend90 = bend;
        if (angle == 150) row.bend150 = bend;
    }
    return row;
}

// As in the page: percent, without digits behind the point.
std::vector<long> percents(const Row& r) {
    std::vector<long> list;
    for (double share : {r.twist90.volume, r.twist180.volume, r.twist180.area, r.worst_twist.collapse, r.bend90.volume,
                         r.bend150.volume, r.worst_bend.collapse, r.bend90.bulge, r.worst_bend.bulge, r.bend90.off_line,
                         r.worst_bend.off_line})
        list.push_back(std::lround(100.0 * share));
    return list;
}

// The page's table, the one with a "smallest section": "| `name` | 1 | 2 | …".
std::vector<long> page_row(const std::string& name) {
    std::ifstream page(test::source_dir() / "docs/measurements.md");
    bool table = false;
    for (std::string text; std::getline(page, text);) {
        table = table || text.find("smallest section") != std::string::npos;
        if (!table || text.rfind("| `" + name + "`", 0) != 0) continue;
        std::vector<long> list;
        std::istringstream cells(text.substr(text.find('|', 2)));
        for (std::string cell; std::getline(cells, cell, '|');)
            if (cell.find_first_of("0123456789") != std::string::npos) list.push_back(std::stol(cell));
        return list;
    }
    return {};
}

}  // namespace

TEST_CASE("artefacts on the arm: each deformer keeps its promise, and the page tells the truth") {
    const Arm arm;
    std::map<std::string, Row> rows;
    std::string table;
    const auto add = [&](const std::string& name, const DeformOptions& options) {
        const Row& row = rows[name] = measure(arm, options);
        table += "\n| `" + name + "` |";
        const std::vector<long> measured = percents(row), told = page_row(name);
        for (long value : measured) table += " " + std::to_string(value) + " |";
        CAPTURE(name);
        REQUIRE(told.size() == measured.size());
        for (size_t i = 0; i < told.size(); ++i) CHECK(std::abs(told[i] - measured[i]) <= 1);
    };
    for (size_t s = 0; s < skinning_names().size(); ++s)
        add(std::string(skinning_names()[s]), {.skinning = static_cast<Skinning>(s)});
    add("dqs, mush 10", {.skinning = Skinning::dual_quaternion, .delta_mush = 10});
    MESSAGE(table);

    const Row &lbs = rows["lbs"], &dqs = rows["dqs"], &free = rows["bulge-free"], &cor = rows["cor"];
    CHECK(lbs.twist180.area < 0.05);
    CHECK(lbs.twist180.collapse > 0.9);
    CHECK(dqs.worst_twist.area >= 0.98);
    CHECK(dqs.bend90.bulge > 0.15);
    CHECK(free.bend90.bulge <= 0.2 * dqs.bend90.bulge);
    CHECK(cor.worst_twist.collapse < 0.05);
    CHECK(cor.worst_twist.bulge < 0.05);
    CHECK(cor.worst_bend.collapse < 0.05);
    CHECK(cor.worst_bend.bulge < 0.05);
    CHECK(rows["bend-twist"].worst_twist.area >= 0.98);
    CHECK(rows["bend-twist"].bend90.bulge < 0.75 * dqs.bend90.bulge);
}
