#include <sinew/sample/sample.h>

#include <sinew/math/segment.h>
#include <algorithm>
#include <cmath>

#include <sinew/sample/humanoid_build.h>
#include <sinew/sample/humanoid_shape.h>
#include <sinew/sample/humanoid_weights.h>
#include <sinew/sample/surface.h>

namespace sinew {

namespace {

using namespace shape;

enum ChartName { head_chart, torso_chart, arm_chart, palm_chart, back_chart = 6, leg_chart = 8, foot_chart = 10 };

std::vector<Chart> charts(const HumanoidJoints& j) {
    auto m = [](const Vec3d& p, double side) { return Vec3d(side * p.x(), p.y(), p.z()); };
    std::vector<Chart> list;
    list.push_back({Chart::unrolled, {0, 1.50, 0}, {0, 1.66, 0}, Vec3d::UnitZ(), 0.01, 0.01, 0.57, 0.61, 0.6});
    list.push_back({Chart::unrolled, {0, 0.95, 0}, {0, 1.36, 0}, Vec3d::UnitZ(), 0.01, 0.63, 0.57, 0.99});
    auto pair = [&](auto chart_of) {
        list.push_back(chart_of(1.0));
        list.push_back(chart_of(-1.0));
    };
    auto column = [](double side, double left, double width, double gap) {
        return side > 0 ? left : left + width + gap;
    };
    pair([&](double s) {
        double x = column(s, 0.59, 0.095, 0.01);
        return Chart{Chart::unrolled, m(j.hand, s), m(j.upper_arm, s), Vec3d::UnitZ(), x, 0.01, x + 0.095, 0.30};
    });
    for (double way : {1.0, -1.0}) {
        pair([&](double s) {
            double x = column(s, way > 0 ? 0.80 : 0.90, 0.0, 0.0), y = s > 0 ? 0.01 : 0.16;
            return Chart{Chart::flat, m(j.hand, s), m(j.hand_end, s), m(way * j.hand_axes.col(1), s), x,
                         y,           x + 0.09,     y + 0.14};
        });
    }
    pair([&](double s) {
        double x = column(s, 0.59, 0.195, 0.01);
        return Chart{Chart::unrolled, m(j.foot, s), m(j.upper_leg, s), Vec3d::UnitX() * s, x, 0.32, x + 0.195, 0.76};
    });
    pair([&](double s) {
        double x = column(s, 0.59, 0.195, 0.01);
        Vec3d heel = j.foot - 0.05 * Vec3d::UnitY();
        return Chart{Chart::unrolled, m(heel, s), m(j.toes, s), Vec3d::UnitY(), x, 0.78, x + 0.195, 0.99};
    });
    return list;
}

int chart_of(const Part& part, const Vec3d& center, const Vec3d& normal, const HumanoidJoints& j) {
    int limb = part.limb % right_limb, side = center.x() > 0 ? 0 : 1;
    switch (limb) {
        case torso:
            return torso_chart;
        case head:
            return head_chart;
        case arm:
            return arm_chart + side;
        case leg:
            return leg_chart + side;
        case foot:
            return foot_chart + side;
        default:
            break;
    }
    Vec3d inside = j.hand_axes.col(1);
    if (side == 1) inside.x() = -inside.x();
    return (normal.dot(inside) > 0 ? palm_chart : back_chart) + side;
}

Vec3 rgb(int r, int g, int b) {
    return Vec3(r / 255.0f, g / 255.0f, b / 255.0f);
}

// The distance to a brow's arch less half its thickness, which tapers outwards; negative inside.
double brow_gap(const Eigen::Vector2d& p) {
    const Eigen::Vector2d arch[3] = {{0.0145, 1.6475}, {0.0330, 1.6530}, {0.0505, 1.6465}};
    double gap = 1;
    for (int i = 0; i < 2; ++i) {
        Eigen::Vector2d along = arch[i + 1] - arch[i];
        double u = place_on_segment(p, arch[i], arch[i + 1]);
        double half = 0.0036 - 0.0011 * (i + u);
        gap = std::min(gap, (p - arch[i] - u * along).norm() - half);
    }
    return gap;
}

// What a point is made of. Around the neck the collar's plane decides: a cleaner line than where the surfaces meet.
int region_of(const Part& part, const Vec3d& p) {
    double above = p.y() - (1.459 - 0.29 * p.z());
    bool near_neck = std::hypot(p.x(), p.z() + 0.016) < 0.066 && p.y() > 1.41 && p.y() < 1.51;
    if (!near_neck) return part.region;
    if (part.region == skin && above < 0) return shirt;
    if (part.region == shirt && above > 0) return skin;
    return part.region;
}

// sRGB colour of a surface point: by what it is made of, then the details drawn on it.
Vec3 color_of(int region, const Vec3d& p, const HumanoidJoints& j) {
    double x = std::abs(p.x());
    switch (region) {
        case shirt: {
            bool band = (p.y() > 1.196 && p.y() < 1.232 && x < 0.19) || (p.y() > 1.160 && p.y() < 1.172 && x < 0.19);
            return band ? rgb(244, 236, 218) : rgb(38, 122, 138);
        }
        case trousers:
            return rgb(58, 64, 88);
        case shoe: {
            Vec3d q(x, p.y(), p.z());
            double ahead = (q - j.foot).dot(j.foot_axes.col(2));
            return ahead > 0.150 ? rgb(244, 236, 218) : rgb(217, 96, 59);
        }
        case sole:
            return rgb(240, 238, 232);
        case hair:
            return rgb(78, 49, 34);
        case lips:
            return rgb(196, 118, 100);
        case eye: {
            Vec3d center = head_center + head_scale * (eye_center - head_center);
            double gap = std::hypot(x - center.x(), p.y() - center.y()) / head_scale;
            double shine =
                std::hypot(p.x() - (p.x() > 0 ? center.x() : -center.x()) - 0.003, p.y() - center.y() - 0.0035);
            if (shine < 0.0016) return rgb(255, 255, 255);
            if (gap < 0.0040) return rgb(18, 14, 12);
            if (gap < 0.0082) return rgb(86, 58, 34);
            return rgb(246, 246, 244);
        }
        default:
            break;
    }
    Vec3d h = head_center + (p - head_center) / head_scale;  // as the head was drawn
    if (h.z() > 0.04 && brow_gap({std::abs(h.x()), h.y()}) < 0) return rgb(74, 47, 33);
    Vec3d cheek(0.042, 1.583, 0.072);
    cheek = head_center + head_scale * (cheek - head_center);
    auto blush = static_cast<float>(std::exp(-(Vec3d(x, p.y(), p.z()) - cheek).squaredNorm() / (2 * 0.016 * 0.016)));
    return rgb(229, 178, 146) + 0.35f * blush * (rgb(226, 140, 116) - rgb(229, 178, 146));
}

// Finer on the face, the ears and the hands.
double detail(const Vec3d& p) {
    double face = ramp(p.y(), 1.48, 1.53) * std::max(ramp(p.z(), 0.035, 0.065), ramp(p.x(), 0.074, 0.080));
    double hand = ramp(p.x(), 0.46, 0.53);
    return 1.0 - 0.38 * std::max(face, hand);
}

Surface make_body_surface(const HumanoidJoints& joints, const Field& field) {
    SurfaceOptions options;
    options.box.add(Vec3(0, 0, -0.16f));
    options.box.add(Vec3(0.68f, 1.79f, 0.22f));
    options.remesh = {
        .tolerance = 0.0018, .shortest = 0.0115, .longest = 0.040, .grading = 0.5, .rounds = 6, .scale = detail};
    options.charts = charts(joints);
    options.chart_of = [&](const Part& part, const Vec3d& center, const Vec3d& normal) {
        return chart_of(part, center, normal, joints);
    };
    options.color_of = [&](const Part& part, const Vec3d& p) { return color_of(region_of(part, p), p, joints); };
    return make_surface(field, options);
}

const Look look{.name = "humanoid", .base_color = Vec4::Ones(), .roughness = 0.75f};

}  // namespace

Character make_humanoid() {
    HumanoidJoints joints = humanoid_joints();
    Surface body = make_body_surface(joints, humanoid_field(joints));
    return assemble(std::move(body.skin.mesh), {}, {}, look, std::move(body.texture));
}

Character make_rigged_humanoid(HumanoidBuild build) {
    HumanoidJoints joints = humanoid_joints();
    Field field = humanoid_field(joints);
    Surface body = make_body_surface(joints, field);
    JointList list = humanoid_joint_list(joints);
    std::vector<double> weights = humanoid_weights(body.closed, field, joints, list);
    Influences influences = make_influences(weights, list.size(), body.skin.source);
    Character character =
        assemble(std::move(body.skin.mesh), std::move(influences), list, look, std::move(body.texture));
    reshape_humanoid(build, character);
    return character;
}

}  // namespace sinew
