#include <sinew/sample/sample.h>

#include <algorithm>
#include <cmath>

#include <sinew/sample/sample_rig.h>
#include <sinew/sample/surface.h>

namespace sinew {

namespace {

using namespace shape;

enum Region { fur, nose, eye };
enum Limb { trunk, head, front_leg, hind_leg = front_leg + 2, tail = hind_leg + 2, throat };

// A fox-like animal facing +Z; the left side's legs, from the body to the toes.
struct Bones {
    Vec3d hips{0, 0.425, -0.205}, spine{0, 0.440, -0.060}, chest{0, 0.430, 0.090};
    Vec3d neck{0, 0.465, 0.215}, head{0, 0.585, 0.325}, muzzle{0, 0.578, 0.525};
    Vec3d front[5] = {{0.066, 0.400, 0.185},
                      {0.078, 0.265, 0.150},
                      {0.078, 0.125, 0.165},
                      {0.078, 0.030, 0.185},
                      {0.078, 0.018, 0.235}};
    Vec3d hind[5] = {{0.062, 0.400, -0.200},
                     {0.084, 0.275, -0.145},
                     {0.082, 0.150, -0.270},
                     {0.082, 0.032, -0.235},
                     {0.082, 0.018, -0.180}};
    Vec3d tail[5] = {
        {0, 0.440, -0.285}, {0, 0.415, -0.390}, {0, 0.375, -0.490}, {0, 0.355, -0.590}, {0, 0.370, -0.690}};
};

Part trunk_part() {
    Mat3d axes;
    axes << -1, 0, 0, 0, 1, 0, 0, 0, 1;
    axes.col(0) = axes.col(1).cross(axes.col(2));
    auto at = [](double z, double y, double width, double top, double bottom) {
        return Station{z, 0, y, width, width, top, bottom};
    };
    Loft body{.axes = axes,
              .stations = {at(-0.245, 0.405, 0.066, 0.066, 0.070), at(-0.180, 0.405, 0.082, 0.078, 0.076),
                           at(-0.080, 0.408, 0.080, 0.078, 0.068), at(0.020, 0.400, 0.085, 0.082, 0.084),
                           at(0.110, 0.392, 0.088, 0.086, 0.104), at(0.190, 0.395, 0.080, 0.082, 0.104),
                           at(0.235, 0.400, 0.066, 0.070, 0.080)},
              .cap_low = 0.055,
              .cap_high = 0.055};
    return {fur, trunk, 0.0, {{body}}};
}

Part neck_part(const Bones& b) {
    return {fur,
            throat,
            0.07,
            {{RoundCone{b.neck + Vec3d(0, -0.025, -0.005), b.head + Vec3d(0, -0.005, 0.005), 0.082, 0.056}},
             {RoundCone{{0, 0.400, 0.240}, {0, 0.520, 0.320}, 0.060, 0.046}, 0.05}}};
}

void add_head(const Bones& b, std::vector<Part>& parts) {
    Part skull{fur, head, 0.030, {}};
    skull.steps.push_back({Ellipsoid{{0, 0.612, 0.375}, {0.064, 0.058, 0.074}}});
    skull.steps.push_back({RoundCone{{0, 0.594, 0.415}, b.muzzle, 0.038, 0.019}, 0.035});
    skull.steps.push_back({RoundCone{{0, 0.572, 0.420}, {0, 0.560, 0.500}, 0.028, 0.015}, 0.020});
    for (double side : {1.0, -1.0}) {
        skull.steps.push_back(
            {RoundCone{{side * 0.040, 0.594, 0.375}, {side * 0.080, 0.572, 0.352}, 0.034, 0.010}, 0.030});
        skull.steps.push_back({Ellipsoid{{side * 0.037, 0.626, 0.446}, {0.013, 0.010, 0.013}}, 0.014, Op::subtract});
    }
    parts.push_back(skull);
    parts.push_back({nose, head, 0.006, {{Ellipsoid{b.muzzle + Vec3d(0, 0.009, 0.014), {0.0125, 0.0100, 0.0105}}}}});
    for (double side : {1.0, -1.0}) {
        parts.push_back({eye, head, 0.002, {{Ellipsoid{{side * 0.0355, 0.6225, 0.4325}, Vec3d::Constant(0.0125)}}}});
        Vec3d up = Vec3d(side * 0.30, 1, -0.10).normalized();
        Mat3d lean = frame_along(Vec3d(side * 0.35, 0.02, 1.0), up);
        Vec3d base(side * 0.040, 0.655, 0.352);
        Part ear{fur, head, 0.014, {}};
        ear.steps.push_back({Ellipsoid{base, {0.040, 0.030, 0.020}, lean}});
        ear.steps.push_back({RoundCone{base + 0.015 * up, base + 0.082 * up, 0.020, 0.0055}, 0.020});
        ear.steps.push_back(
            {Ellipsoid{base + 0.034 * up + 0.021 * lean.col(2), {0.036, 0.013, 0.012}, lean}, 0.008, Op::subtract});
        parts.push_back(ear);
    }
}

void add_legs(const Bones& b, std::vector<Part>& parts) {
    const auto& f = b.front;
    Part front{fur, front_leg, 0.035, {}};
    front.steps.push_back({Ellipsoid{{0.060, 0.385, 0.165}, {0.036, 0.085, 0.062}}});
    front.steps.push_back({RoundCone{f[0] + Vec3d(0.004, -0.02, -0.01), f[1], 0.044, 0.030}, 0.03});
    front.steps.push_back({RoundCone{f[1], f[2], 0.029, 0.0185}, 0.02});
    front.steps.push_back({RoundCone{f[2], f[3], 0.0190, 0.0190}, 0.01});
    const auto& h = b.hind;
    Part hind{fur, hind_leg, 0.040, {}};
    hind.steps.push_back({Ellipsoid{{0.058, 0.370, -0.190}, {0.044, 0.090, 0.080}}});
    hind.steps.push_back({RoundCone{h[0] + Vec3d(0.004, -0.03, 0), h[1], 0.060, 0.040}, 0.03});
    hind.steps.push_back({RoundCone{h[1], h[2], 0.038, 0.0190}, 0.02});
    hind.steps.push_back({RoundCone{h[2], h[3], 0.0190, 0.0185}, 0.01});
    auto paw = [](Part& leg, const Vec3d& ankle) {
        Vec3d center(ankle.x(), 0.0195, ankle.z() + 0.022);
        leg.steps.push_back({Ellipsoid{center, {0.027, 0.021, 0.038}}, 0.020});
        for (double toe : {-0.012, 0.012}) {
            leg.steps.push_back({Ellipsoid{center + Vec3d(toe, -0.003, 0.024), {0.0135, 0.0150, 0.019}}, 0.006});
        }
        leg.steps.push_back({HalfSpace{-Vec3d::UnitY(), 0.0}, 0.008, Op::intersect});
    };
    paw(front, f[3]);
    paw(hind, h[3]);
    for (Part leg : {front, hind}) {
        parts.push_back(leg);
        Part right = mirrored(leg);
        right.limb += 1;
        parts.push_back(right);
    }
}

Part tail_part(const Bones& b) {
    const double radius[5] = {0.028, 0.043, 0.053, 0.047, 0.010};
    Part part{fur, tail, 0.030, {}};
    for (int i = 0; i < 4; ++i)
        part.steps.push_back({RoundCone{b.tail[i], b.tail[i + 1], radius[i], radius[i + 1]}, 0.06});
    return part;
}

Field make_field(const Bones& b) {
    std::vector<Part> parts{trunk_part(), neck_part(b)};
    add_legs(b, parts);
    parts.push_back(tail_part(b));
    add_head(b, parts);
    return Field(std::move(parts));
}

const Vec3d eye_center(0.0355, 0.6225, 0.4325);

// Red fur, dark stockings and ear tips, a white bib, cheeks and tail tip.
Vec3 color_of(const Part& part, const Vec3d& p) {
    auto rgb = [](int r, int g, int b) { return Vec3(r / 255.0f, g / 255.0f, b / 255.0f); };
    const Vec3 red = rgb(214, 112, 48), white = rgb(246, 238, 226), dark = rgb(62, 44, 38);
    if (part.region == nose) return rgb(36, 28, 28);
    Vec3d to_eye = Vec3d(std::abs(p.x()), p.y(), p.z()) - eye_center;
    if (to_eye.norm() < 0.0145) {
        return std::hypot(to_eye.x() - 0.004, to_eye.y() - 0.005) < 0.0025 ? rgb(255, 255, 255) : rgb(30, 22, 20);
    }
    if (part.limb == tail) return p.z() < -0.585 - 0.25 * (p.y() - 0.37) ? white : red;
    if (p.y() < 0.145) return dark;
    if (p.y() > 0.695) return dark;
    bool bib = p.z() > 0.195 + 0.42 * (p.y() - 0.33) && std::abs(p.x()) < 0.056 && p.y() > 0.30 && p.y() < 0.57;
    bool belly = p.y() < 0.322 + 0.10 * std::max(0.0, p.z()) && std::abs(p.x()) < 0.050 && p.z() > -0.15;
    bool jaw = p.z() > 0.335 && p.y() > 0.48 && p.y() < 0.590 - 0.10 * std::max(0.0, p.z() - 0.42);
    return bib || belly || jaw ? white : red;
}

std::vector<Chart> charts(const Bones& b) {
    std::vector<Chart> list;
    list.push_back({Chart::unrolled, {0, 0.40, -0.24}, {0, 0.40, 0.22}, Vec3d::UnitY(), 0.01, 0.01, 0.49, 0.49});
    list.push_back({Chart::unrolled, {0, 0.602, 0.36}, {0, 0.585, 0.50}, Vec3d::UnitY(), 0.51, 0.01, 0.99, 0.43, 0.3});
    for (int leg = 0; leg < 4; ++leg) {
        const Vec3d* bones = leg < 2 ? b.front : b.hind;
        double s = leg % 2 == 0 ? 1 : -1, x = 0.01 + 0.17 * leg;
        auto m = [&](const Vec3d& p) { return Vec3d(s * p.x(), p.y(), p.z()); };
        list.push_back({Chart::unrolled, m(bones[3]), m(bones[0]), Vec3d(s, 0, 0), x, 0.63, x + 0.16, 0.99});
    }
    list.push_back({Chart::unrolled, b.tail[4], b.tail[0], Vec3d::UnitY(), 0.70, 0.63, 0.99, 0.99});
    list.push_back({Chart::unrolled, b.neck, b.head, Vec3d::UnitZ(), 0.51, 0.45, 0.99, 0.61});
    return list;
}

JointList joint_list(const Bones& b) {
    JointList list;
    int32_t root = list.add("root", -1, Vec3d::Zero());
    int32_t hips = list.add("hips", root, b.hips);
    int32_t spine = list.add("spine", hips, b.spine);
    int32_t chest = list.add("chest", spine, b.chest);
    int32_t neck = list.add("neck", chest, b.neck);
    list.add("head", neck, b.head);
    const char* const parts[4] = {"UpperLeg", "LowerLeg", "Foot", "Toes"};
    for (int leg = 0; leg < 4; ++leg) {
        std::string name = std::string(leg % 2 == 0 ? "left" : "right") + (leg < 2 ? "Front" : "Hind");
        int32_t parent = leg < 2 ? chest : hips;
        for (int k = 0; k < 4; ++k) {
            Vec3d p = (leg < 2 ? b.front : b.hind)[k];
            if (leg % 2 == 1) p.x() = -p.x();
            parent = list.add(name + parts[k], parent, p);
        }
    }
    int32_t parent = hips;
    for (int k = 0; k < 4; ++k) parent = list.add("tail" + std::to_string(k + 1), parent, b.tail[k]);
    return list;
}

std::vector<double> weights_at(const Field& field, const Bones& b, const JointList& list, const Vec3d& p) {
    double gap[throat + 1];
    std::fill(std::begin(gap), std::end(gap), 1e9);
    for (size_t i = 0; i < field.parts().size(); ++i) {
        int limb = field.parts()[i].limb;
        gap[limb] = std::min(gap[limb], field.part_distance(i, p));
    }
    gap[head] = std::min(gap[head], gap[throat]);
    std::vector<double> share(list.size(), 0.0);
    auto set = [&](const std::string& joint, double value) { share[list.find(joint)] = value; };
    auto is = [&](int limb, double width) { return ramp(std::min(gap[trunk], 0.2) - gap[limb], -width, width); };
    double is_front = 0, is_hind = 0, is_head = is(head, 0.03) * ramp(p.z(), 0.14, 0.22), is_tail = is(tail, 0.018);
    for (int leg = 0; leg < 4; ++leg) {
        double mine = is(front_leg + leg, 0.026) * ramp(leg % 2 == 0 ? p.x() : -p.x(), -0.01, 0.03);
        (leg < 2 ? is_front : is_hind) += mine;
        Vec3d q(leg % 2 == 0 ? p.x() : -p.x(), p.y(), p.z());
        const Vec3d* k = leg < 2 ? b.front : b.hind;
        std::string name = std::string(leg % 2 == 0 ? "left" : "right") + (leg < 2 ? "Front" : "Hind");
        set(name + "UpperLeg", mine * ramp(-q.y(), -0.43, -0.33));
        set(name + "LowerLeg", share_beyond(q, k[0], k[1], k[2], 0.030));
        set(name + "Foot", share_beyond(q, k[1], k[2], k[3], 0.022));
        set(name + "Toes", share_beyond(q, k[2], k[3], k[4], 0.016));
    }
    double forward = std::max(is_head, is_front), back = std::max(is_hind, is_tail);
    auto along = [&](const char* joint, double low, double high) {
        double s = ramp(p.z(), low, high);
        set(joint, (s + (1 - s) * forward) * (1 - back));
    };
    along("spine", -0.150, 0.020);
    along("chest", 0.005, 0.140);
    set("neck", is_head * (1 - is_front) * share_beyond(p, b.chest, b.neck, b.head, 0.055));
    set("head", share_beyond(p, b.neck, b.head, b.muzzle, 0.035));
    set("tail1", is_tail);
    for (int k = 1; k < 4; ++k)
        set("tail" + std::to_string(k + 1), share_beyond(p, b.tail[k - 1], b.tail[k], b.tail[k + 1], 0.035));
    set("hips", 1);
    return split_down(list, share);
}

}  // namespace

Character make_quadruped() {
    Bones bones;
    Field field = make_field(bones);
    SurfaceOptions options;
    options.box.add(Vec3(0, 0, -0.74f));
    options.box.add(Vec3(0.16f, 0.80f, 0.60f));
    options.cell = 0.004;
    auto detail = [](const Vec3d& p) { return 1.0 - 0.35 * ramp(p.z(), 0.36, 0.42) * ramp(p.y(), 0.48, 0.54); };
    options.remesh = {
        .tolerance = 0.0010, .shortest = 0.0090, .longest = 0.028, .grading = 0.5, .rounds = 6, .scale = detail};
    options.charts = charts(bones);
    options.chart_of = [](const Part& part, const Vec3d&, const Vec3d&) { return part.limb; };
    options.color_of = color_of;
    Surface body = make_surface(field, options);

    JointList list = joint_list(bones);
    std::vector<double> weights;
    for (const Vec3& p : body.closed.positions) {
        std::vector<double> w = weights_at(field, bones, list, p.cast<double>());
        weights.insert(weights.end(), w.begin(), w.end());
    }
    smooth_weights(body.closed, list.size(), 3, weights);
    Influences influences = make_influences(weights, list.size(), body.skin.source);
    const Look look{.name = "quadruped", .base_color = Vec4::Ones(), .roughness = 0.85f};
    return assemble(std::move(body.skin.mesh), std::move(influences), list, look, std::move(body.texture));
}

}  // namespace sinew
