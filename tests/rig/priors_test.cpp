// The table of priors is complete and explained; cues tell in words why a fit is doubted: priors/table.h,
// RigResult::cues.
#include <doctest/doctest.h>

#include <sinew/rig/fit_skeleton.h>
#include <sinew/rig/priors/calibration.h>
#include <sinew/rig/priors/cues.h>
#include <sinew/rig/priors/people.h>
#include <sinew/rig/priors/table.h>
#include <sinew/sample/sample.h>
#include <support/places.h>
#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

using namespace sinew;

namespace {

// How many rows a header declares.
size_t declared_rows(const std::string& header) {
    std::ifstream file(test::source_dir() / "src/sinew/rig/priors" / header);
    REQUIRE(file);
    static const std::regex row("^inline constexpr (Proportion|Cue) ");
    size_t count = 0;
    for (std::string line; std::getline(file, line);) count += std::regex_search(line, row);
    return count;
}

double product(const std::vector<RigCue>& cues) {
    double result = 1.0;
    for (const RigCue& cue : cues) result *= cue.value;
    return result;
}

const RigCue* find_cue(const RigResult& rig, std::string_view name) {
    const auto found =
        std::find_if(rig.cues.begin(), rig.cues.end(), [&](const RigCue& cue) { return cue.name == name; });
    return found == rig.cues.end() ? nullptr : &*found;
}

Mesh sample_mesh() {
    return make_humanoid().meshes.front().primitives.front().mesh;
}

// Legs made shorter below a height: everything below is pressed toward it.
Mesh with_short_legs(double keep) {
    Mesh mesh = sample_mesh();
    float low = INFINITY, high = -INFINITY;
    for (const Vec3& p : mesh.positions) low = std::min(low, p.y()), high = std::max(high, p.y());
    const float crotch = low + 0.45f * (high - low);
    for (Vec3& p : mesh.positions)
        if (p.y() < crotch) p.y() = crotch + static_cast<float>(keep) * (p.y() - crotch);
    return mesh;
}

}  // namespace

TEST_CASE("priors: every row that a header declares is in the table") {
    CHECK(people_proportions().size() == declared_rows("people.h"));
    CHECK(animal_proportions().size() == declared_rows("animals.h"));
    CHECK(stance_proportions().size() == declared_rows("stances.h"));
    CHECK(confidence_cues().size() == declared_rows("cues.h"));
}

TEST_CASE("priors: every row has a name of its own, a unit, a meaning and a source") {
    for (const auto rows : {people_proportions(), animal_proportions(), stance_proportions()}) {
        std::set<std::string_view> names;
        for (const Proportion* row : rows) {
            CAPTURE(row->name);
            CHECK(names.insert(row->name).second);
            CHECK_FALSE((row->unit.empty() || row->meaning.empty() || row->source.empty()));
            CHECK(std::isfinite(row->value));
        }
    }
    std::set<std::string_view> names;
    for (const Cue* cue : confidence_cues()) {
        CAPTURE(cue->name);
        CHECK(names.insert(cue->name).second);
        CHECK_FALSE((cue->unit.empty() || cue->meaning.empty() || cue->source.empty()));
        CHECK(cue->low <= cue->high);
        CHECK(cue->slack > 0.0);
        CHECK((cue->floor > 0.0 && cue->floor < 1.0));
        // What can go wrong has words: below a range that does not begin at nothing, above one that ends.
        if (cue->low > 0.0) CHECK_FALSE(cue->too_low.empty());
        if (cue->high > 1.0 && std::isfinite(cue->high)) CHECK_FALSE(cue->too_high.empty());
    }
}

TEST_CASE("priors: a cue leaves all within its range, its floor beyond the slack, and half of the rest halfway") {
    const Cue& cue = cues::thigh_to_shin;
    CHECK(plausible(cue, cue.low) == 1.0);
    CHECK(plausible(cue, cue.high) == 1.0);
    CHECK(plausible(cue, cue.low - cue.slack) == doctest::Approx(cue.floor));
    CHECK(plausible(cue, cue.low - 2.0 * cue.slack) == cue.floor);
    CHECK(plausible(cue, cue.high + 0.5 * cue.slack) == doctest::Approx(0.5 + 0.5 * cue.floor));
    CHECK(plausible(cues::arms_found, 1.0) == 1.0);
    CHECK(plausible(cues::arms_found, 0.0) == 0.5);
}

TEST_CASE("calibration: it rises from 0 to 1, and never falls") {
    CHECK(calibrated(0.0) == 0.0);
    CHECK(calibrated(1.0) <= 1.0);
    for (size_t k = 1; k < calibration.size(); ++k) {
        CHECK(calibration[k].product > calibration[k - 1].product);
        CHECK(calibration[k].right >= calibration[k - 1].right);
        CHECK(calibrated(calibration[k].product) == doctest::Approx(calibration[k].right));
        const double middle = 0.5 * (calibration[k].product + calibration[k - 1].product);
        CHECK(calibrated(middle) == doctest::Approx(0.5 * (calibration[k].right + calibration[k - 1].right)));
    }
}

TEST_CASE("rig: confidence is what the product of the cues is worth, for every kind") {
    const Mesh mesh = sample_mesh();
    for (const auto kind : {std::optional<RigKind>(), std::optional(RigKind::biped), std::optional(RigKind::quadruped),
                            std::optional(RigKind::bird), std::optional(RigKind::generic)}) {
        CAPTURE(kind ? to_string(*kind) : "any");
        const RigResult rig = fit_skeleton(mesh.positions, mesh.triangles, {.kind = kind}).value();
        CHECK_FALSE(rig.cues.empty());
        const bool measured =
            rig.cues.front().name != cues::grown.name && rig.cues.front().name != cues::template_found.name;
        const double all = product(rig.cues);
        CHECK((measured ? calibrated(all) : all) == doctest::Approx(rig.confidence).epsilon(1e-9));
        for (const RigCue& cue : rig.cues) {
            CAPTURE(cue.name);
            CHECK((cue.value > 0.0 && cue.value <= 1.0));
            CHECK((cue.value == 1.0) == (cue.text == "as expected"));
        }
    }
}

TEST_CASE("rig: a doubtful fit says what looks wrong, in the cue and in the warning") {
    const Mesh good = sample_mesh(), bad = with_short_legs(0.12);
    const RigResult fine = fit_skeleton(good.positions, good.triangles, {.kind = RigKind::biped}).value();
    REQUIRE(find_cue(fine, "crotch height"));
    CHECK(find_cue(fine, "crotch height")->value == 1.0);
    const RigResult rig = fit_skeleton(bad.positions, bad.triangles, {.kind = RigKind::biped}).value();
    CHECK(rig.confidence < accepted_confidence);
    // The warning names the cue that leaves least.
    const auto worst = std::min_element(rig.cues.begin(), rig.cues.end(),
                                        [](const RigCue& a, const RigCue& b) { return a.value < b.value; });
    REQUIRE(worst != rig.cues.end());
    CAPTURE(worst->name);
    CHECK(std::any_of(rig.warnings.begin(), rig.warnings.end(), [&](const std::string& warning) {
        return warning.find("the fit is uncertain") == 0 && warning.find(": " + worst->text) != std::string::npos;
    }));
}
