#include <sinew/sample/humanoid_shape.h>

#include <cmath>

namespace sinew::shape {

namespace {

Vec3d turn(const Vec3d& v, const Vec3d& axis, double angle_deg) {
    return Eigen::AngleAxisd(angle_deg * (pi / 180.0), axis.normalized()) * v;
}

// A round station: equal half-widths across, separate ones to the front and back.
Station oval(double t, double width, double front, double back, double center_u = 0, double center_v = 0) {
    return {t, center_u, center_v, width, width, front, back};
}

struct FingerPlan {
    double across, along;  // its knuckle in the palm, metres
    double fan_deg;        // sideways lean towards the thumb
    double lengths[3];     // proximal, intermediate, distal
    double radius;
};

constexpr FingerPlan finger_plans[4] = {
    {0.0330, 0.098, 7.0, {0.040, 0.026, 0.020}, 0.0098},
    {0.0105, 0.103, 1.5, {0.044, 0.029, 0.021}, 0.0100},
    {-0.0120, 0.099, -4.0, {0.040, 0.027, 0.020}, 0.0096},
    {-0.0325, 0.090, -11.0, {0.032, 0.021, 0.018}, 0.0086},
};

void place_fingers(HumanoidJoints& j) {
    const Vec3d u = j.hand_axes.col(0), v = j.hand_axes.col(1), t = j.hand_axes.col(2);
    for (int f = 0; f < 4; ++f) {
        const FingerPlan& plan = finger_plans[f];
        Vec3d direction = turn(t, -v, -plan.fan_deg);
        Vec3d side = v.cross(direction);
        Vec3d p = j.hand + plan.across * u + plan.along * t;
        j.fingers[f + 1][0] = p;
        for (int k = 0; k < 3; ++k) {
            direction = turn(direction, side, k == 0 ? -7.0 : -11.0);
            p += plan.lengths[k] * direction;
            j.fingers[f + 1][k + 1] = p;
        }
    }
    auto at = [&](double across, double inward, double along) {
        return Vec3d(j.hand + across * u + inward * v + along * t);
    };
    j.fingers[0] = {at(0.020, 0.006, 0.022), at(0.046, 0.014, 0.058), at(0.060, 0.015, 0.090), at(0.067, 0.014, 0.116)};
}

Mat3d upright_axes() {
    Mat3d axes;
    axes << 1, 0, 0, 0, 0, 1, 0, 1, 0;  // u = x, v = z, axis = y
    return axes;
}

Part torso_part() {
    Loft body{.axes = upright_axes(),
              .stations = {oval(0.87, 0.183, 0.126, 0.149, 0, 0.000), oval(0.93, 0.175, 0.122, 0.138, 0, 0.000),
                           oval(1.00, 0.158, 0.112, 0.107, 0, 0.004), oval(1.08, 0.145, 0.105, 0.094, 0, 0.006),
                           oval(1.17, 0.151, 0.111, 0.100, 0, 0.002), oval(1.27, 0.165, 0.120, 0.112, 0, -0.006),
                           oval(1.34, 0.168, 0.112, 0.114, 0, -0.012), oval(1.40, 0.140, 0.084, 0.095, 0, -0.016),
                           oval(1.445, 0.090, 0.056, 0.066, 0, -0.018)},
              .cap_low = 0.02,
              .cap_high = 0.030,
              .power = 2.3};
    Part part{shirt, torso, 0.014, {{body}}};
    for (double side : {1.0, -1.0}) {
        auto m = [&](double x, double y, double z) { return Vec3d(side * x, y, z); };
        // Pectorals, shoulder blades, and the slope from the neck to the shoulder.
        part.steps.push_back({Ellipsoid{m(0.070, 1.295, 0.072), {0.070, 0.060, 0.040}}, 0.05});
        part.steps.push_back({Ellipsoid{m(0.082, 1.310, -0.088), {0.060, 0.075, 0.035}}, 0.05});
        part.steps.push_back({RoundCone{m(0.040, 1.468, -0.028), m(0.138, 1.416, -0.018), 0.028, 0.044}, 0.04});
    }
    part.steps.push_back({Ellipsoid{{0, 1.422, 0.030}, {0.070, 0.034, 0.026}}, 0.04});
    part.steps.push_back({Ellipsoid{{0, 1.458, -0.052}, {0.055, 0.034, 0.026}}, 0.03});
    part.steps.push_back({HalfSpace{-Vec3d::UnitY(), -0.897}, 0.022, Op::intersect});
    return part;
}

Part sleeve_part(const HumanoidJoints& j) {
    Mat3d axes = frame_along(j.lower_arm - j.upper_arm, Vec3d::UnitZ());
    Loft sleeve{.origin = j.upper_arm,
                .axes = axes,
                .stations = {oval(-0.02, 0.058, 0.058, 0.056), oval(0.04, 0.062, 0.062, 0.058),
                             oval(0.10, 0.062, 0.062, 0.058), oval(0.20, 0.066, 0.066, 0.063)},
                .cap_low = 0.05,
                .cap_high = 0.02};
    Vec3d cut = axes.col(2);
    return {shirt, arm, 0.055, {{sleeve}, {HalfSpace{cut, cut.dot(j.upper_arm) + 0.164}, 0.020, Op::intersect}}};
}

Part collar_part() {
    Mat3d tilt;
    tilt.col(0) = Vec3d::UnitX();
    tilt.col(1) = turn(Vec3d::UnitZ(), Vec3d::UnitX(), 17);
    tilt.col(2) = tilt.col(0).cross(tilt.col(1));
    return {shirt, torso, 0.010, {{Ring{{0, 1.467, -0.016}, 0.056, 0.055, 0.0080, tilt}}}};
}

Part pelvis_part() {
    Loft pelvis{.axes = upright_axes(),
                .stations = {oval(0.86, 0.120, 0.085, 0.10, 0, -0.004), oval(0.90, 0.154, 0.100, 0.110, 0, -0.002),
                             oval(0.97, 0.152, 0.098, 0.102)},
                .cap_low = 0.04,
                .cap_high = 0.03};
    return {trousers, leg, 0.0, {{pelvis}}};
}

// Of the left leg.
Part leg_part() {
    auto at = [](double y, double x, double outer, double inner, double front, double back, double z) {
        return Station{y, x, z, outer, inner, front, back};
    };
    Loft tube{.axes = upright_axes(),
              .stations = {at(0.050, 0.113, 0.054, 0.050, 0.058, 0.056, -0.018),
                           at(0.090, 0.113, 0.052, 0.048, 0.055, 0.054, -0.018),
                           at(0.200, 0.111, 0.052, 0.048, 0.053, 0.060, -0.012),
                           at(0.320, 0.108, 0.059, 0.054, 0.055, 0.073, -0.010),
                           at(0.400, 0.106, 0.061, 0.056, 0.057, 0.072, -0.004),
                           at(0.490, 0.104, 0.062, 0.057, 0.066, 0.060, 0.004),
                           at(0.600, 0.102, 0.073, 0.066, 0.076, 0.074, 0.003),
                           at(0.720, 0.099, 0.083, 0.078, 0.088, 0.090, 0.000),
                           at(0.820, 0.094, 0.088, 0.084, 0.094, 0.103, -0.002),
                           at(0.900, 0.086, 0.082, 0.080, 0.088, 0.100, -0.002)},
              .cap_low = 0.02,
              .cap_high = 0.05};
    Part part{trousers, leg, 0.030, {{tube}}};
    part.steps.push_back({Ellipsoid{{0.076, 0.862, -0.060}, {0.070, 0.072, 0.062}}, 0.05});
    part.steps.push_back({HalfSpace{-Vec3d::UnitY(), -0.070}, 0.018, Op::intersect});
    return part;
}

// A trainer: an upper around the foot and a wider, flat sole under it.
void add_shoe(const HumanoidJoints& j, std::vector<Part>& parts) {
    Vec3d ground(j.foot.x(), 0, j.foot.z());
    Mat3d axes;  // u across, v up, axis towards the toes
    axes.col(0) = j.foot_axes.col(0);
    axes.col(1) = j.foot_axes.col(1);
    axes.col(2) = j.foot_axes.col(2);
    auto at = [](double t, double width, double top, double shift) {
        return Station{t, shift, 0.03, width, width, top - 0.03, 0.045};
    };
    Loft upper{.origin = ground,
               .axes = axes,
               .stations = {at(-0.050, 0.031, 0.098, 0.0), at(-0.02, 0.037, 0.112, 0.0), at(0.025, 0.038, 0.112, 0.0),
                            at(0.070, 0.040, 0.088, 0.000), at(0.115, 0.045, 0.072, -0.001),
                            at(0.155, 0.044, 0.062, -0.003), at(0.180, 0.039, 0.056, -0.005)},
               .cap_low = 0.030,
               .cap_high = 0.036,
               .power = 2.3};
    Part top{shoe, foot, 0.012, {{upper}, {HalfSpace{-Vec3d::UnitY(), -0.004}, 0.008, Op::intersect}}};
    auto flat = [](double t, double width, double shift) { return Station{t, shift, 0.0, width, width, 0.10, 0.10}; };
    Loft print{.origin = ground,
               .axes = axes,
               .stations = {flat(-0.050, 0.034, 0.0), flat(-0.01, 0.039, 0.0), flat(0.06, 0.040, 0.0),
                            flat(0.115, 0.0485, -0.001), flat(0.155, 0.047, -0.003), flat(0.182, 0.041, -0.005)},
               .cap_low = 0.035,
               .cap_high = 0.040,
               .power = 2.3};
    // Only a thin slice of the print is kept, so its height hardly matters.
    Part bottom{sole,
                foot,
                0.008,
                {{print},
                 {HalfSpace{Vec3d::UnitY(), 0.027}, 0.010, Op::intersect},
                 {HalfSpace{-Vec3d::UnitY(), 0.0}, 0.010, Op::intersect}}};
    parts.push_back(top);
    parts.push_back(bottom);
}

void add_arm(const HumanoidJoints& j, std::vector<Part>& parts) {
    Loft upper{
        .origin = j.upper_arm,
        .axes = frame_along(j.lower_arm - j.upper_arm, Vec3d::UnitZ()),
        .stations = {oval(0.0, 0.048, 0.050, 0.050), oval(0.10, 0.046, 0.046, 0.046), oval(0.17, 0.045, 0.043, 0.044),
                     oval(0.23, 0.040, 0.039, 0.040), oval(0.275, 0.037, 0.037, 0.039)},
        .cap_low = 0.04,
        .cap_high = 0.034};
    Loft lower{.origin = j.lower_arm,
               .axes = j.hand_axes,
               .stations = {oval(0.0, 0.037, 0.037, 0.038), oval(0.055, 0.043, 0.040, 0.040),
                            oval(0.12, 0.039, 0.034, 0.035), oval(0.19, 0.030, 0.024, 0.026),
                            oval(0.245, 0.027, 0.020, 0.021), oval(0.27, 0.030, 0.019, 0.019)},
               .cap_low = 0.034,
               .cap_high = 0.03};
    parts.push_back({skin, arm, 0.014, {{upper}, {lower, 0.025}}});
}

void add_hand(const HumanoidJoints& j, std::vector<Part>& parts) {
    auto flat = [](double t, double thumb_side, double little_side, double inside, double back) {
        return Station{t, 0, 0, thumb_side, little_side, inside, back};
    };
    Loft palm_loft{.origin = j.hand,
                   .axes = j.hand_axes,
                   .stations = {flat(-0.01, 0.027, 0.027, 0.019, 0.019), flat(0.020, 0.033, 0.031, 0.020, 0.018),
                                flat(0.055, 0.041, 0.038, 0.019, 0.016), flat(0.085, 0.043, 0.041, 0.016, 0.014),
                                flat(0.098, 0.041, 0.039, 0.014, 0.013)},
                   .cap_low = 0.02,
                   .cap_high = 0.010,
                   .power = 2.4};
    Part hand{skin, palm, 0.015, {{palm_loft}}};
    const auto& t = j.fingers[0];
    hand.steps.push_back({RoundCone{t[0], t[1], 0.017, 0.0145}, 0.018});
    parts.push_back(hand);
    parts.push_back({skin,
                     thumb,
                     0.010,
                     {{RoundCone{t[1], t[2], 0.0138, 0.0112}}, {RoundCone{t[2], t[3], 0.0118, 0.0092}, 0.004}}});
    for (int f = 1; f < 5; ++f) {
        const auto& p = j.fingers[f];
        double r = finger_plans[f - 1].radius;
        Part finger{skin, thumb + f, 0.007, {}};
        finger.steps.push_back({RoundCone{p[0], p[1], r * 1.05, r * 0.98}});
        finger.steps.push_back({RoundCone{p[1], p[2], r * 1.0, r * 0.90}, 0.003});
        finger.steps.push_back({RoundCone{p[2], p[3], r * 0.92, r * 0.78}, 0.003});
        parts.push_back(finger);
    }
}

// The z of a part's surface at (x, y), seen from the front.
double front_of(const Part& part, double x, double y) {
    Field alone({part});
    double inside = 0, outside = 0.2;
    for (int i = 0; i < 40; ++i) {
        double z = 0.5 * (inside + outside);
        (alone.distance({x, y, z}) < 0 ? inside : outside) = z;
    }
    return inside;
}

Part neck_part(const HumanoidJoints& j) {
    return {skin, head, 0.008, {{RoundCone{{0, 1.42, -0.022}, j.head + Vec3d(0, 0.03, -0.006), 0.052, 0.046}}}};
}

Part face_part() {
    Part face{skin, head, 0.014, {}};
    face.steps.push_back({Ellipsoid{{0, 1.646, -0.010}, {0.0765, 0.092, 0.096}}});
    face.steps.push_back({Ellipsoid{{0, 1.590, 0.030}, {0.0560, 0.076, 0.060}}, 0.04});
    face.steps.push_back({Ellipsoid{{0, 1.528, 0.058}, {0.026, 0.018, 0.026}}, 0.035});
    for (double side : {1.0, -1.0}) {
        face.steps.push_back({Ellipsoid{{side * 0.040, 1.592, 0.048}, {0.022, 0.024, 0.028}}, 0.03});
        face.steps.push_back(
            {RoundCone{{side * 0.052, 1.568, 0.000}, {side * 0.026, 1.530, 0.050}, 0.012, 0.013}, 0.03});
    }
    // Brow ridge and the hollows under it.
    face.steps.push_back({RoundCone{{0.030, 1.650, 0.0755}, {-0.030, 1.650, 0.0755}, 0.010, 0.010}, 0.022});
    for (double side : {1.0, -1.0}) {
        face.steps.push_back({Ellipsoid{{side * 0.033, 1.622, 0.094}, {0.022, 0.014, 0.014}}, 0.018, Op::subtract});
    }
    // Nose and its wings.
    face.steps.push_back({RoundCone{{0, 1.632, 0.083}, {0, 1.595, 0.1015}, 0.0065, 0.0100}, 0.014});
    for (double side : {1.0, -1.0}) {
        face.steps.push_back({Ellipsoid{{side * 0.0095, 1.5905, 0.0935}, {0.0068, 0.0062, 0.0085}}, 0.007});
    }
    return face;
}

// Lips are ridges laid on the face through points given as seen from the front (x, y, half thickness).
void add_ridge(const Part& face, int region, std::initializer_list<Eigen::Vector3d> points, double sink, double blend,
               std::vector<Part>& parts) {
    Part ridge{region, head, blend, {}};
    std::vector<Eigen::Vector3d> path(points);
    for (double side : {1.0, -1.0}) {
        for (size_t i = 0; i + 1 < path.size(); ++i) {
            auto place = [&](const Eigen::Vector3d& p) {
                return Vec3d(side * p.x(), p.y(), front_of(face, p.x(), p.y()) - sink);
            };
            ridge.steps.push_back({RoundCone{place(path[i]), place(path[i + 1]), path[i].z(), path[i + 1].z()}, 0.002});
        }
    }
    parts.push_back(ridge);
}

void add_head(std::vector<Part>& parts) {
    Part face = face_part();
    parts.push_back(face);
    for (double side : {1.0, -1.0}) {
        Vec3d at(side * eye_center.x(), eye_center.y(), eye_center.z());
        parts.push_back({eye, head, 0.0010, {{Ellipsoid{at, {eye_radius, eye_radius, eye_radius}}}}});
        // Lids: a thin shell around the eye, open in front.
        Vec3d lifted = Vec3d(-0.08 * side, 1.0, -0.46).normalized(), lowered = Vec3d(0, -1.0, -0.80).normalized();
        for (const Vec3d& n : {lifted, lowered}) {
            parts.push_back({skin,
                             head,
                             0.004,
                             {{Ellipsoid{at, Vec3d::Constant(eye_radius + 0.0022)}},
                              {HalfSpace{-n, -n.dot(at) + 0.0005}, 0.0015, Op::intersect}}});
        }
        Mat3d lean = frame_along({side * 0.30, 0.12, -1.0}, Vec3d::UnitY());
        parts.push_back(
            {skin,
             head,
             0.008,
             {{Ellipsoid{{side * 0.0790, 1.6130, -0.0080}, {0.0310, 0.0100, 0.0190}, lean}},
              {Ellipsoid{{side * 0.0880, 1.6150, 0.0000}, {0.0180, 0.0050, 0.0095}, lean}, 0.006, Op::subtract}}});
    }
    add_ridge(face, lips, {{0.0, 1.5592, 0.0028}, {0.008, 1.5600, 0.0029}, {0.022, 1.5625, 0.0018}}, 0.0006, 0.004,
              parts);
    add_ridge(face, lips, {{0.0, 1.5535, 0.0034}, {0.009, 1.5545, 0.0030}, {0.020, 1.5610, 0.0018}}, 0.0006, 0.004,
              parts);
}

Part hair_part() {
    Part cap{hair, head, 0.008, {}};
    cap.steps.push_back({Ellipsoid{{0, 1.652, -0.018}, {0.0845, 0.0950, 0.1020}}});
    cap.steps.push_back({Ellipsoid{{0, 1.600, -0.070}, {0.062, 0.066, 0.042}}, 0.03});
    // The face, the ears and the neck stay free.
    cap.steps.push_back({Ellipsoid{{0, 1.582, 0.090}, {0.084, 0.098, 0.092}}, 0.012, Op::subtract});
    for (double side : {1.0, -1.0}) {
        cap.steps.push_back({Ellipsoid{{side * 0.092, 1.600, 0.008}, {0.030, 0.040, 0.030}}, 0.014, Op::subtract});
    }
    cap.steps.push_back({HalfSpace{Vec3d(0, -1, 0.25).normalized(), -1.553}, 0.022, Op::intersect});
    // Locks combed up and back from the forehead.
    for (double side : {1.0, -1.0}) {
        auto lock = [&](Vec3d a, Vec3d b, double ra, double rb) {
            a.x() *= side;
            b.x() *= side;
            cap.steps.push_back({RoundCone{a, b, ra, rb}, 0.012});
        };
        lock({0.016, 1.710, 0.066}, {0.012, 1.732, 0.020}, 0.017, 0.020);
        lock({0.042, 1.702, 0.060}, {0.036, 1.726, 0.010}, 0.015, 0.020);
        lock({0.064, 1.682, 0.044}, {0.058, 1.708, -0.004}, 0.013, 0.020);
    }
    return cap;
}

}  // namespace

HumanoidJoints humanoid_joints() {
    HumanoidJoints j;
    Vec3d down_out = Vec3d(1, -1, 0).normalized();
    Vec3d forearm = turn(down_out, Vec3d(-1, -1, 0), -8.0);
    if (forearm.z() < 0) forearm.z() = -forearm.z();
    j.lower_arm = j.upper_arm + 0.275 * down_out;
    j.hand = j.lower_arm + 0.250 * forearm;
    j.hand_axes = frame_along(forearm, Vec3d::UnitZ());
    j.hand_end = j.hand + 0.10 * forearm;
    place_fingers(j);
    Vec3d toeward(std::sin(0.12), 0, std::cos(0.12));
    j.foot_axes.col(0) = Vec3d::UnitY().cross(toeward);
    j.foot_axes.col(1) = Vec3d::UnitY();
    j.foot_axes.col(2) = toeward;
    j.toes = Vec3d(j.foot.x(), 0.030, j.foot.z()) + 0.135 * toeward;
    j.toes_end = j.toes + 0.075 * toeward;
    return j;
}

Field humanoid_field(const HumanoidJoints& j) {
    std::vector<Part> parts{pelvis_part()};
    auto both = [&](const Part& part) {
        parts.push_back(part);
        Part right = mirrored(part);
        right.limb += right_limb;
        parts.push_back(right);
    };
    both(leg_part());
    parts.push_back(torso_part());
    both(sleeve_part(j));
    std::vector<Part> left;
    add_shoe(j, left);
    add_arm(j, left);
    add_hand(j, left);
    for (const Part& part : left) both(part);
    parts.push_back(neck_part(j));
    std::vector<Part> skull;
    add_head(skull);
    skull.push_back(hair_part());
    for (const Part& part : skull) parts.push_back(scaled(part, head_center, head_scale));
    parts.push_back(collar_part());
    return Field(std::move(parts));
}

}  // namespace sinew::shape
