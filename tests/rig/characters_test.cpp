// Skeletons for real characters against the artists' own. Prints the tables of docs/measurements.md.
#include <doctest/doctest.h>

#include <rig/score.h>
#include <rig/variants.h>
#include <sinew/core/parallel.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/sample/sample.h>
#include <support/data_case.h>

using namespace sinew;
using namespace sinew::test;

namespace {

RigResult rig_of(const BareCharacter& c) {
    auto rig = fit_skeleton(c.positions, c.triangles);
    REQUIRE(rig);
    return *std::move(rig);
}

struct Mean {
    double sum = 0.0;
    int count = 0;
    void add(double value) { sum += value, ++count; }
    double value() const { return count > 0 ? sum / count : 0.0; }
};

BareCharacter sample_humanoid() {
    BareCharacter c{.name = "sample", .kind = "biped"};
    const Character character = make_rigged_humanoid();
    take_triangles(character, rest_pose(character), c);
    take_truth(character, rest_pose(character), c);
    c.height = 1.75;
    return c;
}

}  // namespace

TEST_CASE("rig: the sample character, any way up, any size, any thread count") {
    const BareCharacter c = sample_humanoid();
    const RigResult rig = rig_of(c);
    CHECK(rig.kind == RigKind::biped);
    CHECK(rig.confidence >= accepted_confidence);
    CHECK(rig.pose == "A");
    const Score score = compare(c, rig);
    MESSAGE("sample: mean " << score.mean << "% of height:" << score.text);
    CHECK(score.mean < 3.5);
    CHECK(recognise_humanoid(rig.skeleton).is_body());

    set_thread_count(1);
    const RigResult serial = rig_of(c);
    set_thread_count(8);
    CHECK(rig_of(c).positions == serial.positions);
    set_thread_count(0);

    Random random(3);
    for (int round = 0; round < 4; ++round) {
        // Three of the 24 axis orientations, then any.
        Quatd q;
        if (round < 3) {
            q = Quatd(Eigen::AngleAxisd(1.5707963267948966 * (round % 4), Vec3d::Unit(round % 3))) *
                Quatd(Eigen::AngleAxisd(1.5707963267948966 * (round / 2), Vec3d::UnitY()));
        } else {
            q = Quatd(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
                    .normalized();
        }
        const double scale = round % 2 == 0 ? 1000.0 : 0.001;
        BareCharacter turned = c;
        for (Vec3& p : turned.positions) p = (scale * (q * p.cast<double>())).cast<float>();
        const RigResult r = rig_of(turned);
        REQUIRE(r.skeleton.names() == rig.skeleton.names());
        double apart = 0.0;
        for (size_t j = 0; j < r.positions.size(); ++j)
            apart += (q.conjugate() * r.positions[j].cast<double>() / scale - rig.positions[j].cast<double>()).norm();
        CAPTURE(round);
        CHECK(apart / static_cast<double>(r.positions.size()) < 0.02 * c.height);
    }
}

TEST_CASE("rig: a skeleton's rest transforms put the joints where the report says") {
    const BareCharacter c = sample_humanoid();
    for (const NameScheme scheme : {NameScheme::vrm, NameScheme::unreal}) {
        const auto rig = fit_skeleton(c.positions, c.triangles, {.names = scheme, .twist = 1});
        REQUIRE(rig);
        const std::vector<AffineD> world = rest_world(rig->skeleton);
        for (size_t j = 0; j < world.size(); ++j)
            CHECK((world[j].translation().cast<float>() - rig->positions[j]).norm() < 1e-4f);
        CHECK(rig->skeleton.find(scheme == NameScheme::vrm ? "leftHand" : "hand_l") >= 0);
        float low = INFINITY;
        for (const Vec3& p : c.positions) low = std::min(low, p.y());
        CHECK(std::abs(rig->positions[0].y() - low) < 1e-4f);
    }
    const Vec3 wrist(0.6f, 1.2f, 0.05f);
    const auto hinted = fit_skeleton(c.positions, c.triangles, {.hints = {{"hand_l", wrist}}});
    REQUIRE(hinted);
    CHECK((hinted->positions[static_cast<size_t>(hinted->skeleton.find("leftHand"))] - wrist).norm() < 1e-4f);
}

DATA_TEST_CASE("rig: the artists' characters with their rigs removed") {
    std::map<std::string, Mean> tuned, held;
    for (const CharacterFile& file : character_files()) {
        const BareCharacter c = load_bare(file);
        const RigResult rig = rig_of(c);
        const Score score = compare(c, rig);
        MESSAGE(fmt::format("{:10} {:9} confidence {:.2f}{} mean {:.2f} legs {:.2f} |{}", c.name, to_string(rig.kind),
                            rig.confidence, file.held_out ? " (held out)" : "", score.mean, score.legs, score.text));
        CAPTURE(c.name);
        CHECK(to_string(rig.kind) == c.kind);
        if (c.name == "kaiju") CHECK(rig.confidence < accepted_confidence);  // a reptile: no person to compare with
        if (!score.any || c.name == "kaiju") continue;
        (file.held_out ? held : tuned)[c.kind].add(score.mean);
        if (c.kind == "biped") {
            CHECK(score.mean <= 3.5);
            CHECK(score.worst_limb <= 8.0);
        } else if (c.kind == "quadruped") {
            CHECK(score.mean <= 5.0);
            CHECK(score.legs <= 4.0);
        }
    }
    for (const char* kind : {"biped", "quadruped"}) {
        MESSAGE(
            fmt::format("{}: mean {:.2f}% of height, held out {:.2f}%", kind, tuned[kind].value(), held[kind].value()));
        const double all = (tuned[kind].sum + held[kind].sum) / (tuned[kind].count + held[kind].count);
        CHECK(all <= (std::string(kind) == "biped" ? 2.5 : 5.0));
    }
}

DATA_TEST_CASE("rig: other poses, and things worn and carried") {
    std::map<std::string, Mean> means;
    for (const CharacterFile& file : character_files()) {
        const std::string name = file.name;
        if (name != "male" && name != "female") continue;
        const BareCharacter base = load_bare(file);
        std::vector<std::pair<std::string, BareCharacter>> list;
        if (name == "male")
            for (const std::string& pose : pose_names()) list.push_back({pose, posed(file, pose)});
        else
            for (const std::string& what : accessory_names()) list.push_back({what, with_accessory(base, what)});
        for (const auto& [what, c] : list) {
            const RigResult rig = rig_of(c);
            const Score score = compare(c, rig);
            means[what].add(score.mean);
            CAPTURE(c.name);
            // Confidence is a gate: what it lets through is right.
            if (rig.confidence >= accepted_confidence) CHECK(score.mean <= 6.0);
        }
    }
    for (const auto& [what, mean] : means) {
        MESSAGE(fmt::format("{:9} mean {:.2f}% of height", what, mean.value()));
        CAPTURE(what);
        CHECK(mean.value() <= 4.0);
    }
}

TEST_CASE("rig: holes, turned faces and soup change little") {
    const BareCharacter c = sample_humanoid();
    const RigResult rig = rig_of(c);
    Random random(9);
    for (int damage = 0; damage < 3; ++damage) {
        BareCharacter dirty = c;
        std::vector<uint32_t> kept;
        for (size_t t = 0; t + 2 < dirty.triangles.size(); t += 3) {
            if (damage == 0 && random.uniform() < 0.1) continue;
            if (damage == 1 && random.uniform() < 0.3) std::swap(dirty.triangles[t], dirty.triangles[t + 1]);
            kept.insert(kept.end(), dirty.triangles.begin() + static_cast<long>(t),
                        dirty.triangles.begin() + static_cast<long>(t) + 3);
        }
        dirty.triangles = kept;
        if (damage == 2) {  // every triangle on its own, a little displaced
            std::vector<Vec3> loose;
            for (uint32_t& v : dirty.triangles) {
                const Vec3 noise(static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1)),
                                 static_cast<float>(random.uniform(-1, 1)));
                loose.push_back(dirty.positions[v] + 0.001f * noise);
                v = static_cast<uint32_t>(loose.size() - 1);
            }
            dirty.positions = loose;
        }
        const RigResult r = rig_of(dirty);
        CAPTURE(damage);
        REQUIRE(r.kind == RigKind::biped);
        double apart = 0.0;
        for (size_t j = 0; j < r.positions.size(); ++j)
            apart += static_cast<double>((r.positions[j] - rig.positions[j]).norm());
        CHECK(apart / static_cast<double>(r.positions.size()) < 0.02 * c.height);
    }
}
