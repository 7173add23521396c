// The table of priors (src/sinew/rig/priors) measured again on the rigs under ../shared/data: where artists have put
// joints, against the rows. Prints every row that a rigged file can show, with the range seen now, the range that the
// row records and the row's own number or range, and marks what no longer fits.
//   bench_rig_priors [--json FILE]
#include <rig/load.h>
#include <rig/score.h>
#include <sinew/core/parallel.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/quadruped_legs.h>
#include <sinew/rig/priors/animals.h>
#include <sinew/rig/priors/cues.h>
#include <sinew/rig/priors/people.h>
#include <sinew/rig/priors/table.h>
#include <sinew/rig/stand/attempt.h>
#include <set>

#include "support.h"

namespace {

using namespace sinew;
using namespace sinew::test;

// Rows record two digits: what differs by less still fits.
constexpr double rounding = 0.005;
// An ankle that is higher than the other by this share of the height is that of a raised foot: a pose, not a
// proportion.
constexpr double raised_foot = 0.05;

struct Seen {
    double low = INFINITY, high = -INFINITY;
    int count = 0;
    std::string lowest, highest;

    void add(double value, const std::string& file) {
        if (!std::isfinite(value)) return;
        if (value < low) low = value, lowest = file;
        if (value > high) high = value, highest = file;
        ++count;
    }
};

// By address: rows are objects that live as long as the program.
struct Measured {
    std::map<const Proportion*, Seen> proportions;
    std::map<const Cue*, Seen> cues;
};

// A character that stands as the fitter sees it, with the artist's joints in canonical space.
struct Subject {
    std::string name;
    Upright upright;
    std::map<std::string, Vec3d> joints;

    bool has(const std::string& joint) const { return joints.contains(joint); }
    Vec3d at(const std::string& joint) const { return joints.at(joint); }
    Vec3d middle(const std::string& joint) const { return 0.5 * (at("left" + joint) + at("right" + joint)); }
    double bone(const std::string& a, const std::string& b) const { return (at(a) - at(b)).norm(); }
};

std::optional<Subject> stand_up(const BareCharacter& c) {
    VoxelBody body = make_voxel_body(c.positions, c.triangles);
    if (body.empty()) return std::nullopt;
    Subject subject{.name = c.name, .upright = attempt_fits(c.positions, c.triangles, std::move(body)).best.upright};
    const Reading& reading = subject.upright.reading;
    if (to_string(reading.kind) != c.kind) return std::nullopt;
    for (const auto& [name, place] : c.truth)
        subject.joints[name] = reading.axes * (place.cast<double>() - reading.origin);
    // Of animals only the left joints are known.
    if (c.kind == "quadruped")
        for (const auto& [name, place] : std::map(subject.joints))
            if (name.rfind("left", 0) == 0) subject.joints["right" + name.substr(4)] = mirrored(place);
    return subject;
}

// What the cues say of the artist's own joints. What no joint shows (crotch, neck) is as the fitter sees it.
void add_cues(const Subject& s, const Fit& rated, Measured& out) {
    for (const std::vector<FitCue>* list : {&rated.cues, &rated.doubts})
        for (const FitCue& cue : *list)
            if (cue.cue->seen.known()) out.cues[cue.cue].add(cue.measured, s.name);
}

Fit artists_fit(const Subject& s) {
    Fit fit;
    for (const auto& [name, place] : s.joints) fit.add(name, -1, place);
    return fit;
}

void measure_legs(const Subject& s, const Legs& legs, Measured& out) {
    const double crotch = legs.crotch.y(), torso = s.middle("UpperArm").y() - crotch;
    const auto add = [&](const Proportion& row, double value) { out.proportions[&row].add(value, s.name); };
    const double ground = std::min(s.at("leftFoot").y(), s.at("rightFoot").y());
    add(people::highest_crotch, crotch / s.upright.height);
    add(people::hip_rise, (s.middle("UpperLeg").y() - crotch) / torso);
    for (size_t k = 0; k < 2; ++k) {
        const std::string side = k == 0 ? "left" : "right";
        const double shin = s.bone(side + "LowerLeg", side + "Foot"),
                     thigh = s.bone(side + "UpperLeg", side + "LowerLeg");
        if (s.at(side + "Foot").y() < ground + raised_foot * s.upright.height)
            add(people::ankle_height, s.at(side + "Foot").y() / crotch);
        add(people::knee_share, shin / (shin + thigh));
        if (!s.has(side + "Toes")) continue;
        const Vec3d toe = legs.side[k].toe;
        add(people::ball_share, (s.at(side + "Toes") - toe).norm() / (s.at(side + "Foot") - toe).norm());
    }
}

void measure_arms(const Subject& s, const Arms& arms, double crotch, Measured& out) {
    const double H = s.upright.height, torso = s.middle("UpperArm").y() - crotch;
    const auto add = [&](const Proportion& row, double value) { out.proportions[&row].add(value, s.name); };
    for (size_t k = 0; k < 2; ++k) {
        const std::string side = k == 0 ? "left" : "right";
        const Vec3d shoulder = s.at(side + "UpperArm");
        const double upper = s.bone(side + "UpperArm", side + "LowerArm"),
                     lower = s.bone(side + "LowerArm", side + "Hand"),
                     hand = (s.at(side + "Hand") - arms.side[k].tip).norm(), arm = upper + lower + hand;
        add(people::wrist_share, hand / arm);
        add(people::elbow_share, (hand + lower) / arm);
        add(people::arm_to_torso, arm / torso);
        add(people::narrowest_shoulders, std::abs(shoulder.x()) / torso);
        add(people::widest_shoulders, std::abs(shoulder.x()) / torso);
        add(people::unseen_shoulder_out, std::abs(shoulder.x()) / H);
        add(people::unseen_elbow_down, upper / H);
        add(people::unseen_wrist_down, (upper + lower) / H);
        add(people::unseen_tip_down, arm / H);
        if (!s.has(side + "Shoulder")) continue;
        const Vec3d collar = s.at(side + "Shoulder");
        add(people::collar_out, std::abs(collar.x()) / std::abs(shoulder.x()));
        add(people::collar_below_shoulder, (shoulder.y() - collar.y()) / H);
    }
}

void measure_trunk(const Subject& s, const BipedTrunk& trunk, double crotch, Measured& out) {
    const double H = s.upright.height, shoulders = s.middle("UpperArm").y();
    const auto add = [&](const Proportion& row, double value) { out.proportions[&row].add(value, s.name); };
    add(people::unseen_shoulder_height, (shoulders - crotch) / (H - crotch));
    add(people::pelvis_rise, (s.at("hips").y() - crotch) / (shoulders - crotch));
    add(people::shoulder_below_neck, (trunk.narrow.y() - shoulders) / H);
    add(people::head_above_neck, (s.at("head").y() - trunk.narrow.y()) / H);
    if (!s.has("neck")) return;
    const double hips = s.at("hips").y(), neck = s.at("neck").y();
    for (const auto& [joint, row] : {std::pair("spine", &people::spine_share),
                                     {"chest", &people::chest_share},
                                     {"upperChest", &people::upper_chest_share}})
        if (s.has(joint)) add(*row, (s.at(joint).y() - hips) / (neck - hips));
}

bool measure_biped(const Subject& s, Measured& out) {
    for (const std::string& name : biped_joints())
        if (name != "neck" && !s.has(name)) return false;
    const Legs legs = find_legs(s.upright);
    Arms arms = find_arms(s.upright, legs);
    if (!legs.found || !arms.found) return false;
    raise_shoulders(s.upright, arms);
    const BipedTrunk trunk = find_trunk(s.upright, legs, arms);
    measure_legs(s, legs, out);
    measure_arms(s, arms, legs.crotch.y(), out);
    measure_trunk(s, trunk, legs.crotch.y(), out);
    for (size_t k = 0; k < 2; ++k) {
        const std::string side = k == 0 ? "left" : "right";
        arms.side[k].shoulder = s.at(side + "UpperArm");
        arms.side[k].elbow = s.at(side + "LowerArm");
        arms.side[k].wrist = s.at(side + "Hand");
    }
    Fit fit = artists_fit(s);
    rate_biped(s.upright, legs, arms, trunk, fit);
    add_cues(s, fit, out);
    return true;
}

bool measure_quadruped(const Subject& s, Measured& out) {
    for (const char* name : {"hips", "neck", "leftFrontUpperLeg", "leftHindUpperLeg", "leftHindLowerLeg"})
        if (!s.has(name)) return false;
    if (s.upright.legs[0] < 0 || s.upright.hind_legs[0] < 0) return false;
    const LegPair front = trace_leg_pair(s.upright, s.upright.legs),
                  hind = trace_leg_pair(s.upright, s.upright.hind_legs);
    const double H = s.upright.height, back = back_height(s.upright, front, hind), on_paws = paws(front);
    const double F = front.crotch.y(), B = hind.crotch.y(), hip = s.at("leftHindUpperLeg").y();
    const auto add = [&](const Proportion& row, double value) { out.proportions[&row].add(value, s.name); };
    // Rows that come twice are measured on the animals they are about.
    const auto either = [&](const Proportion& slender, const Proportion& paw, double value) {
        if (on_paws < 0.5) add(slender, value);
        if (on_paws > 0.5) add(paw, value);
    };
    const auto y = [&](const char* name) { return s.has(name) ? s.at(name).y() : NAN; };
    either(animals::front_upper_slender, animals::front_upper_paw, (y("leftFrontUpperLeg") - F) / (back - F));
    either(animals::front_lower_slender, animals::front_lower_paw, y("leftFrontLowerLeg") / F);
    either(animals::front_foot_slender, animals::front_foot_paw, y("leftFrontFoot") / F);
    either(animals::knee_slender, animals::knee_paw, y("leftHindLowerLeg") / hip);
    either(animals::hock_slender, animals::hock_paw, y("leftHindFoot") / hip);
    add(animals::hip_rise, (hip - B) / (back - B));
    add(animals::hind_toes, y("leftHindToes") / B);
    add(animals::hips_above_legs, (y("hips") - hip) / H);
    add(animals::withers_by_back, (y("neck") - F) / (back - F));
    Fit fit = artists_fit(s);
    rate_quadruped(s.upright, fit);
    add_cues(s, fit, out);
    return true;
}

// The characters of the tests, and every other file with a humanoid's skeleton and a skin.
std::vector<BareCharacter> load_all() {
    std::vector<BareCharacter> all;
    std::set<std::string> known;
    for (const CharacterFile& file : character_files()) {
        known.insert(std::filesystem::path(file.path).stem().string());
        if (std::string_view(file.name) != "kaiju")
            all.push_back(load_bare(file));  // a reptile has no people's proportions
    }
    std::set<std::filesystem::path> others;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*data_dir()))
        if (const auto ext = entry.path().extension();
            ext == ".glb" || ext == ".gltf" || ext == ".fbx" || ext == ".vrm")
            if (!known.contains(entry.path().stem().string())) others.insert(entry.path());
    for (const std::filesystem::path& path : others) {
        const auto character = read_character(path);
        if (!character || character->skins.empty()) continue;
        const HumanoidMap map = recognise_humanoid(character->skeleton);
        if (!map.is_body() || map[Role::head] < 0) continue;
        BareCharacter c{.name = path.stem().string(), .kind = "biped"};
        take_triangles(*character, rest_pose(*character), c);
        take_truth(*character, rest_pose(*character), c);
        all.push_back(std::move(c));
    }
    return all;
}

struct Verdict {
    int rows = 0, misfits = 0;
};

// One row of the printed table. `range` is what the row itself says.
void print_row(std::string_view name, const std::string& range, SeenRange recorded, const Seen& now, bool in_range,
               Verdict& verdict) {
    const bool moved = !recorded.known() || now.low < recorded.low - rounding || now.high > recorded.high + rounding;
    std::string mark;
    if (!recorded.known()) mark = "  <- not recorded";
    if (recorded.known() && moved)
        mark = fmt::format("  <- outside the recorded range: {} {}", now.lowest, now.highest);
    if (!in_range) mark += fmt::format("  <- outside the row's own range: {} {}", now.lowest, now.highest);
    fmt::print("{:34} {:>14}  recorded {:>6.2f} … {:<6.2f} seen {:>6.3f} … {:<6.3f} {:2} values{}\n", name, range,
               recorded.low, recorded.high, now.low, now.high, now.count, mark);
    ++verdict.rows;
    verdict.misfits += moved || !in_range;
}

}  // namespace

int main(int argc, char** argv) {
    if (!data_dir()) return 0;
    set_thread_count(1);
    Measured measured;
    int rigs = 0;
    for (const BareCharacter& c : load_all()) {
        const std::optional<Subject> subject = stand_up(c);
        const bool used = subject && (c.kind == "biped"       ? measure_biped(*subject, measured)
                                      : c.kind == "quadruped" ? measure_quadruped(*subject, measured)
                                                              : false);
        fmt::print("{:40} {}\n", c.name, used ? "measured" : "not measured");
        rigs += used;
    }
    Verdict verdict;
    for (const auto rows : {people_proportions(), animal_proportions()})
        for (const Proportion* row : rows)
            if (const auto found = measured.proportions.find(row); found != measured.proportions.end())
                print_row(row->name, fmt::format("{:.3f}", row->value), row->seen, found->second, true, verdict);
    for (const Cue* cue : confidence_cues())
        if (const auto found = measured.cues.find(cue); found != measured.cues.end()) {
            const Seen& now = found->second;
            print_row(cue->name, fmt::format("{:.2f} … {:.2f}", cue->low, cue->high), cue->seen, now,
                      now.low >= cue->low - rounding && now.high <= cue->high + rounding, verdict);
        }
    bench::Table table;
    table.add("rigs measured", rigs, "");
    table.add("rows measured", verdict.rows, "");
    table.add("rows that no longer fit", verdict.misfits, "", 0.0);
    return table.finish(argc, argv);
}
