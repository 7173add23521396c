#include <sinew/edit/controls/body_axes.h>
#include <sinew/edit/controls/face.h>
#include <algorithm>
#include <array>
#include <string>

namespace sinew {
namespace {

// How far a finger's bones bend in a closed fist, degrees, from the root: what a healthy hand does with its thumb over
// the fingers [AAOS1965].
constexpr std::array<double, 3> finger_bend = {75.0, 95.0, 65.0}, thumb_bend = {15.0, 35.0, 55.0};
constexpr double finger_apart = 14.0;  // degrees, of index and little finger at full spread; the ring finger half
// Turns of the trunk and the head at 1, degrees: comfortable, not the utmost.
constexpr double lean_angle = 45.0, side_angle = 30.0, twist_angle = 45.0;
constexpr double nod_angle = 40.0, head_angle = 65.0, tilt_angle = 30.0, shrug_angle = 22.0;
constexpr double eye_angle = 25.0;

std::vector<std::pair<double, double>> up_to(double amount) {
    return {{0.0, 0.0}, {1.0, amount}};
}

ControlDrive turn_of(std::vector<std::string> joints, ControlAxis axis, double amount) {
    return {.what = Driven::turn, .targets = std::move(joints), .axis = axis, .keys = up_to(amount), .optional = true};
}

ControlDrive also(const std::string& control, double amount = 1.0) {
    return {.what = Driven::control, .targets = {control}, .keys = up_to(amount), .optional = true};
}

void add_hand(const std::string& side, std::vector<Control>& controls) {
    Control fist{.name = side + "Fist", .drives = {}}, apart{.name = side + "Spread", .drives = {}};
    const std::string thumb = side + "Thumb";
    Control closing{.name = thumb, .low = -0.3, .drives = {}};
    const std::array<const char*, 3> thumb_bones = {"Metacarpal", "Proximal", "Distal"},
                                     finger_bones = {"Proximal", "Intermediate", "Distal"};
    for (size_t b = 0; b < thumb_bones.size(); ++b)
        closing.drives.push_back(turn_of({thumb + thumb_bones[b]}, ControlAxis::curl, thumb_bend[b]));
    controls.push_back(closing);
    fist.drives.push_back(also(thumb));
    for (const char* const name : {"Index", "Middle", "Ring", "Little"}) {
        const std::string finger = side + name;
        Control curl{.name = finger, .low = -0.3, .drives = {}};
        for (size_t b = 0; b < finger_bones.size(); ++b)
            curl.drives.push_back(turn_of({finger + finger_bones[b]}, ControlAxis::curl, finger_bend[b]));
        controls.push_back(curl);
        fist.drives.push_back(also(finger));
    }
    apart.drives = {turn_of({side + "IndexProximal"}, ControlAxis::spread, finger_apart),
                    turn_of({side + "RingProximal"}, ControlAxis::spread, 0.5 * finger_apart),
                    turn_of({side + "LittleProximal"}, ControlAxis::spread, finger_apart),
                    turn_of({side + "ThumbMetacarpal"}, ControlAxis::spread, finger_apart)};
    controls.push_back(fist);
    controls.push_back(apart);
}

Control both_ways(const char* name, std::vector<std::string> joints, ControlAxis axis, double amount) {
    return {.name = name, .low = -1.0, .drives = {turn_of(std::move(joints), axis, amount)}};
}

std::vector<Control> body_controls() {
    std::vector<Control> controls;
    for (const char* const side : {"left", "right"}) add_hand(side, controls);
    controls.push_back({.name = "fist", .drives = {also("leftFist"), also("rightFist")}});
    controls.push_back({.name = "spread", .drives = {also("leftSpread"), also("rightSpread")}});
    const std::vector<std::string> trunk = {"spine", "chest", "upperChest"}, head = {"neck", "head"};
    controls.push_back(both_ways("lean", trunk, ControlAxis::x, lean_angle));
    controls.push_back(both_ways("leanSide", trunk, ControlAxis::z, -side_angle));
    controls.push_back(both_ways("twist", trunk, ControlAxis::y, twist_angle));
    controls.push_back(both_ways("nod", head, ControlAxis::x, nod_angle));
    controls.push_back(both_ways("turnHead", head, ControlAxis::y, head_angle));
    controls.push_back(both_ways("tiltHead", head, ControlAxis::z, -tilt_angle));
    controls.push_back({.name = "shrug",
                        .drives = {turn_of({"leftShoulder"}, ControlAxis::z, shrug_angle),
                                   turn_of({"rightShoulder"}, ControlAxis::z, -shrug_angle)}});
    return controls;
}

// Eyes that are joints turn, whether or not morphs move the lids with them.
void add_eye_joints(std::vector<Control>& controls) {
    struct Look {
        const char* name;
        ControlAxis axis;
        double angle;
    };
    for (const Look& look :
         {Look{"lookUp", ControlAxis::x, -eye_angle}, Look{"lookDown", ControlAxis::x, eye_angle},
          Look{"lookLeft", ControlAxis::y, eye_angle}, Look{"lookRight", ControlAxis::y, -eye_angle}}) {
        auto own = std::ranges::find(controls, std::string_view(look.name), &Control::name);
        if (own == controls.end()) own = controls.insert(own, {.name = look.name, .drives = {}});
        for (const char* const eye : {"leftEye", "rightEye"})
            own->drives.push_back(turn_of({eye}, look.axis, look.angle));
    }
}

bool is_there(const ControlDrive& drive, const ControlBody& body, const HumanoidMap& roles,
              const std::vector<Control>& controls) {
    return std::ranges::any_of(drive.targets, [&](const std::string& target) {
        if (drive.what == Driven::control) return std::ranges::find(controls, target, &Control::name) != controls.end();
        if (drive.what == Driven::morph) return std::ranges::find(body.morphs, target) != body.morphs.end();
        return find_control_joint(body.skeleton, roles, target) >= 0;
    });
}

}  // namespace

ControlSet builtin_controls(const ControlBody& body, const std::vector<FileExpression>& expressions) {
    ControlSet set;
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    if (roles[Role::hips] >= 0 || roles[Role::left_hand] >= 0) set.controls = body_controls();
    std::vector<Control> face = face_controls({body.morphs, body.morph_ranges, expressions});
    const auto shows = [&](const char* name) {
        return std::ranges::find(face, std::string_view(name), &Control::name) != face.end();
    };
    if (shows("happy")) set.controls.push_back({.name = "smile", .drives = {also("happy")}});
    set.controls.insert(set.controls.end(), face.begin(), face.end());
    add_eye_joints(set.controls);
    if (roles[Role::jaw] >= 0 && !shows("jawOpen"))
        set.controls.push_back({.name = "jawOpen", .drives = {turn_of({"jaw"}, ControlAxis::x, eye_angle)}});
    // Controls that move nothing here go, and then those that drive only these.
    for (size_t before = 0; before != set.controls.size();) {
        before = set.controls.size();
        for (Control& control : set.controls)
            std::erase_if(control.drives,
                          [&](const ControlDrive& d) { return !is_there(d, body, roles, set.controls); });
        std::erase_if(set.controls, [](const Control& control) { return control.drives.empty(); });
    }
    return set;
}

void add_controls(ControlSet& set, const ControlSet& more) {
    const auto put = [](auto& list, const auto& items) {
        for (const auto& item : items) {
            std::erase_if(list, [&](const auto& own) { return own.name == item.name; });
            list.push_back(item);
        }
    };
    put(set.controls, more.controls);
    put(set.poses, more.poses);
    set.driven.insert(set.driven.end(), more.driven.begin(), more.driven.end());
}

}  // namespace sinew
