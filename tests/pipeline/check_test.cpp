// The report card: a sound character is good, and each fault that is put into it is found, in its row and in no other.
#include <doctest/doctest.h>

#include <sinew/motion/builtin.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/check/check_character.h>
#include <sinew/sample/sample.h>
#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

// A person who walks. Made once: it takes a second.
const Character& walker() {
    static const Character made = [] {
        Character character = make_rigged_humanoid();
        Motion motion = builtin_motion("walk").value();
        REQUIRE(add_motion(character,
                           {.skeleton = std::move(motion.skeleton),
                            .clip = std::move(motion.clip),
                            .stance = {},
                            .warnings = {},
                            .name = "walk"},
                           {}));
        return character;
    }();
    return made;
}

const CheckRow& row_of(const CheckReport& report, const char* name) {
    const auto row =
        std::find_if(report.rows.begin(), report.rows.end(), [&](const CheckRow& each) { return each.name == name; });
    REQUIRE_MESSAGE(row != report.rows.end(), name);
    return *row;
}

// The names of all rows that are not good.
std::vector<std::string> complaints(const Character& character) {
    std::vector<std::string> names;
    for (const CheckRow& row : check(character).value().rows)
        if (row.grade != Grade::good) names.push_back(row.name);
    return names;
}

Primitive& skinned_part(Character& character) {
    for (MeshGroup& mesh : character.meshes)
        for (Primitive& primitive : mesh.primitives)
            if (!primitive.influences.empty()) return primitive;
    FAIL("no skinned part");
    return character.meshes[0].primitives[0];
}

// The part's weights, changed vertex by vertex.
template <class Change>
void change_weights(Character& character, Change change) {
    Primitive& part = skinned_part(character);
    std::vector<uint32_t> first = {0};
    std::vector<Influence> all;
    uint32_t most_joint = 0;
    for (size_t v = 0; v < part.mesh.vertex_count(); ++v) {
        const auto old = part.influences.of(v);
        std::vector<Influence> own(old.begin(), old.end());
        change(v, own);
        all.insert(all.end(), own.begin(), own.end());
        first.push_back(static_cast<uint32_t>(all.size()));
    }
    for (const Influence& each : all) most_joint = std::max(most_joint, each.joint);
    part.influences = Influences::create(first, all, most_joint + 1).value();
}

Track& rotation_of(Clip& clip, int32_t joint) {
    for (Track& track : clip.tracks)
        if (track.path == TrackPath::rotation && track.target == joint) return track;
    FAIL("the joint does not turn");
    return clip.tracks[0];
}

int32_t find(const Character& character, Role role) {
    return recognise_humanoid(character.skeleton)[role];
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a sound character has no fault and no warning") {
    const CheckReport report = check(walker()).value();
    for (const CheckRow& row : report.rows) {
        INFO(row.name << " " << row.value << " " << row.where);
        CHECK(row.grade == Grade::good);
        CHECK(std::isfinite(row.value));
        CHECK(row.advice.empty());
    }
    CHECK(row_of(report, "foot_slide").value < 2.0);
    CHECK(row_of(report, "missing_roles").value == 0);
}

TEST_CASE("a mesh without a skin is a fault") {
    Character character = walker();
    for (MeshInstance& instance : character.instances) instance.skin = -1;
    for (MeshGroup& mesh : character.meshes)
        for (Primitive& primitive : mesh.primitives) primitive.influences = {};
    const auto report = check(character).value();
    CHECK(row_of(report, "skinned_parts").grade == Grade::fault);
}

TEST_CASE("vertices without weights are counted") {
    Character character = walker();
    change_weights(character, [](size_t v, std::vector<Influence>& own) {
        if (v >= 100 && v < 107) own.clear();
    });
    const CheckReport report = check(character).value();
    CHECK(row_of(report, "unweighted_vertices").value == 7);
    CHECK(row_of(report, "unweighted_vertices").grade == Grade::fault);
}

TEST_CASE("a patch that follows a far joint is stray and tears") {
    Character character = walker();
    const int32_t foot = find(character, Role::left_foot);
    const auto& joints = character.skins[0].joints;
    const auto local = static_cast<uint32_t>(std::find(joints.begin(), joints.end(), foot) - joints.begin());
    REQUIRE(local < joints.size());
    // The top of the head.
    const Mesh mesh = skinned_part(character).mesh;
    float top = -INFINITY, bottom = INFINITY;
    for (const Vec3& p : mesh.positions) top = std::max(top, p.y()), bottom = std::min(bottom, p.y());
    change_weights(character, [&](size_t v, std::vector<Influence>& own) {
        if (mesh.positions[v].y() > top - 0.06f * (top - bottom)) own = {{local, 1.0f}};
    });
    const CheckReport report = check(character).value();
    CHECK(row_of(report, "stray_weight").grade == Grade::fault);
    CHECK(row_of(report, "stray_weight").where == character.skeleton.names()[static_cast<size_t>(foot)]);
    CHECK(row_of(report, "stretch").grade == Grade::fault);
}

TEST_CASE("a vertex with too many joints is told") {
    Character character = walker();
    change_weights(character, [](size_t v, std::vector<Influence>& own) {
        if (v == 5) own = {{0, 0.3f}, {1, 0.2f}, {2, 0.2f}, {3, 0.2f}, {4, 0.1f}};
    });
    const CheckReport report = check(character).value();
    CHECK(row_of(report, "influences").value == 5);
    CHECK(row_of(report, "influences").grade == Grade::warning);
    CHECK(row_of(check(character, {.most = {}, .strict = true}).value(), "influences").grade == Grade::fault);
    CHECK(row_of(check(character, {.most = {{"influences", 8}}}).value(), "influences").grade == Grade::good);
}

TEST_CASE("a body in centimetres, turned around, or in the air is told") {
    const auto with_root = [](auto change) {
        Character character = walker();
        character.clips.clear();
        std::vector<Transform> rest = character.skeleton.rest();
        for (size_t j = 0; j < rest.size(); ++j)
            if (character.skeleton.parents()[j] < 0) change(rest[j]);
        character.skeleton = Skeleton::create(character.skeleton.names(), character.skeleton.parents(), rest).value();
        return complaints(character);
    };
    CHECK(with_root([](Transform&) {}) == Names{});
    CHECK(with_root([](Transform& root) {
              const Quat turn(Eigen::AngleAxisf(pi, Vec3::UnitY()));
              root.rotation = turn * root.rotation, root.translation = turn * root.translation;
          }) == Names{"turned"});
    CHECK(with_root([](Transform& root) { root.translation.y() += 0.3f; }) == Names{"off_ground"});
    CHECK(with_root([](Transform& root) { root.scale *= 100.0f, root.translation *= 100.0f; }) == Names{"height"});
}

TEST_CASE("joints of one name are told") {
    Character character = walker();
    std::vector<std::string> names = character.skeleton.names();
    const int32_t left = find(character, Role::left_toes), right = find(character, Role::right_toes);
    REQUIRE(left >= 0);
    names[static_cast<size_t>(left)] = names[static_cast<size_t>(right)];
    character.skeleton = Skeleton::create(names, character.skeleton.parents(), character.skeleton.rest()).value();
    CHECK(row_of(check(character).value(), "names_twice").value == 1);
}

TEST_CASE("a joint that turns around within a frame is a flip") {
    Character character = walker();
    Track& track = rotation_of(character.clips[0], find(character, Role::left_lower_arm));
    REQUIRE(track.interpolation == Interpolation::linear);
    const size_t key = track.times.size() / 2;
    const Quat half_turn(Eigen::AngleAxisf(pi, Vec3::UnitX()));
    for (size_t k = key; k < track.times.size(); ++k) {
        float* const q = &track.values[4 * k];
        const Quat turned = Quat(q[3], q[0], q[1], q[2]) * half_turn;
        q[0] = turned.x(), q[1] = turned.y(), q[2] = turned.z(), q[3] = turned.w();
    }
    const CheckReport report = check(character).value();
    CHECK(row_of(report, "flips").grade == Grade::fault);
    CHECK(row_of(report, "flips").value <= 2);
}

TEST_CASE("feet that slide and bodies that sink are told") {
    Character sliding = walker(), sunk = walker();
    const auto move_root = [](Character& character, auto change) {
        bool moved = false;
        for (Track& track : character.clips[0].tracks)
            if (track.path == TrackPath::translation && !moved) {
                moved = true;
                for (size_t k = 0; k < track.times.size(); ++k) change(track.times[k], &track.values[3 * k]);
            }
        REQUIRE(moved);
    };
    move_root(sliding, [](float time, float* at) { at[0] += 0.4f * time; });
    move_root(sunk, [](float, float* at) { at[1] -= 0.1f; });
    CHECK(row_of(check(sliding).value(), "foot_slide").value > 15);
    CHECK(row_of(check(sliding).value(), "foot_slide").grade == Grade::warning);
    CHECK(row_of(check(sunk).value(), "below_floor").grade == Grade::warning);
}

TEST_CASE("a limit for a row that does not exist is refused") {
    const auto report = check(walker(), {.most = {{"strech", 3}}});
    REQUIRE(!report);
    CHECK(report.error().message.find("stretch") != std::string::npos);
    Character still = walker();
    still.clips.clear();
    CHECK(check(still, {.most = {{"foot_slide", 1}}}));  // there is such a row, if not here
}
