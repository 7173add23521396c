#include <sinew/render/scene/framing.h>

#include <sinew/render/scene/bone_shapes.h>
#include <sinew/skeleton/creature.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr float fill = 0.84f;              // of the picture, for the figure
constexpr float bones_thickness = 0.012f;  // how far a ball reaches below its joint, scene units
constexpr int32_t separator = 2;
constexpr int ground_samples = 32;
constexpr float same_height = 0.02f;  // of the figure's size

// Where the character looks at rest, as an azimuth; 0 is +Z, and also where nobody can tell. Small turns are a pose,
// not a facing.
float facing_azimuth(const Character& character) {
    constexpr float posed = radians(20.0f);
    constexpr double level = 0.5;  // a body that looks up or down has no azimuth
    if (character.skeleton.size() < 2) return 0.0f;
    const CreatureMap body = recognise_creature(character.skeleton);
    if (body.kind == CreatureKind::other) return 0.0f;
    if (!(std::hypot(body.forward.x(), body.forward.z()) > level)) return 0.0f;
    const auto azimuth = static_cast<float>(std::atan2(body.forward.x(), body.forward.z()));
    return std::abs(azimuth) > posed ? azimuth : 0.0f;
}

std::vector<ViewAngles> angles_of(const Character& character, const PreviewOptions& options) {
    const float front = facing_azimuth(character);
    if (options.views == 1) return {{front + options.camera.azimuth, options.camera.elevation}};
    const float level = radians(7.0f);
    const PreviewCamera three_quarter;
    return {{front, level},
            {front + radians(90.0f), level},
            {front + radians(180.0f), level},
            {front + three_quarter.azimuth, three_quarter.elevation}};
}

// Visits every point that must be in view at this moment.
template <class Visit>
void for_each_point(const Moment& moment, const Subject& subject, const std::vector<bool>& shown, Visit&& visit) {
    if (subject.figure) subject.figure->for_each_point(moment.deformed, visit);
    if (!subject.figure || subject.bones)
        for (size_t j = 0; j < shown.size(); ++j)
            if (shown[j]) visit(Vec3(moment.world_from_joint[j].translation().cast<float>()));
}

Box bounds_of(const Moment& moment, const Subject& subject, const std::vector<bool>& shown) {
    Box box;
    for_each_point(moment, subject, shown, [&](const Vec3& p) {
        if (p.allFinite()) box.add(p);
    });
    return box;
}

// How far the camera has gone along with the figure at this moment, from the pivot.
Vec3d travel_of(const PreviewOptions& options, const Moment& moment, const Box& box, const Vec3d& pivot) {
    if (options.focus_joint >= 0) {
        const Vec3d joint = moment.world_from_joint[static_cast<size_t>(options.focus_joint)].translation();
        return joint.allFinite() ? Vec3d(joint - pivot) : Vec3d(Vec3d::Zero());
    }
    if (!options.follow || box.empty()) return Vec3d::Zero();
    const Vec3d way = 0.5 * (box.min.cast<double>() + box.max.cast<double>()) - pivot;
    return {way.x(), 0.0, way.z()};
}

double diagonal(const Box& box) {
    return (box.max.cast<double>() - box.min.cast<double>()).norm();
}

// The lowest point of the figure, and of its joints alone.
struct Depth {
    float figure = INFINITY, joints = INFINITY;

    void add(const Moment& moment, const Box& box, const std::vector<bool>& shown) {
        if (!box.empty()) figure = std::min(figure, box.min.y());
        for (size_t j = 0; j < shown.size(); ++j)
            if (shown[j]) joints = std::min(joints, static_cast<float>(moment.world_from_joint[j].translation().y()));
    }
};

// The ground is where the figure stands at rest, if its joints come down just as far in the clip: what goes deeper (the
// tip of a sword) is in the ground. Else it is the lowest point of all.
float ground_height(const Depth& rest, const Depth& motion, double size) {
    const float same = same_height * static_cast<float>(size);
    const bool stands = std::abs(motion.joints - rest.joints) < same;
    return stands && motion.figure < rest.figure - same ? rest.figure : motion.figure;
}

}  // namespace

Moment::Moment(const Character& character, const PreviewOptions& options)
    : character_(character),
      clip_(options.clip),
      deformer_(character, {.skinning = options.skinning, .surface_normals = true, .delta_mush = options.delta_mush}),
      outline_(character, {.normals = false, .skinning = options.skinning, .delta_mush = options.delta_mush}) {}

void Moment::set(float time) {
    set(pose_at(character_, clip_, time), deformer_);
}

void Moment::set_outline(float time) {
    set(pose_at(character_, clip_, time), outline_);
}

void Moment::set_outline_at_rest() {
    set(pose_at(character_, nullptr, 0.0f), outline_);
}

void Moment::set(const Pose& pose, CharacterDeformer& deformer) {
    deformer.deform(pose, deformed);
    const std::span<const AffineD> world = deformer.world_from_joint();
    world_from_joint.assign(world.begin(), world.end());
}

std::vector<Vec3> Moment::joints_in_scene(const Placement& placement) const {
    std::vector<Vec3> joints;
    for (const AffineD& m : world_from_joint) {
        const Vec3d p = (m.translation() - placement.pivot) * placement.scale;
        joints.push_back(p.allFinite() && p.cwiseAbs().maxCoeff() < 1e6 ? Vec3(p.cast<float>()) : Vec3(Vec3::Zero()));
    }
    return joints;
}

Shot frame_motion(const Character& character, const PreviewOptions& options, const Subject& subject, Moment& moment) {
    const std::vector<bool> shown = shown_joints(character);
    const std::vector<ViewAngles> angles = angles_of(character, options);
    const int32_t width = options.views == 4 ? (options.width - separator) / 2 : options.width;
    const int32_t height = options.views == 4 ? (options.height - separator) / 2 : options.height;
    moment.set_outline(options.times[0]);
    const Box first = bounds_of(moment, subject, shown);
    Shot shot;
    if (!first.empty()) shot.placement.pivot = 0.5 * (first.min.cast<double>() + first.max.cast<double>());
    const Placement about_pivot{shot.placement.pivot, 1.0};

    Depth rest, depth;
    if (options.clip) {
        moment.set_outline_at_rest();
        rest.add(moment, bounds_of(moment, subject, shown), shown);
    }
    // A still shows one moment, but has the ground of the whole clip: a jumping character is above it.
    for (int i = 0; options.clip && options.times.size() == 1 && i < ground_samples; ++i) {
        moment.set_outline(duration(*options.clip) * static_cast<float>(i) / static_cast<float>(ground_samples - 1));
        depth.add(moment, bounds_of(moment, subject, shown), shown);
    }
    double size = 0.0;
    Box motion;
    std::vector<Framing> framings(angles.size(), Framing(fill));
    std::vector<Vec3d> travel;
    for (size_t i = 0; i < options.times.size(); ++i) {
        const float turn = options.turns.empty() ? 0.0f : options.turns[i];
        moment.set_outline(options.times[i]);
        const Box box = bounds_of(moment, subject, shown);
        travel.push_back(travel_of(options, moment, box, shot.placement.pivot));
        if (box.empty()) continue;
        const Placement about_target{shot.placement.pivot + travel[i], 1.0};
        size = std::max(size, diagonal(box));
        motion.add(box);
        depth.add(moment, box, shown);
        for (size_t v = 0; v < angles.size(); ++v) {
            const Camera camera = make_camera({angles[v].azimuth + turn, angles[v].elevation}, width, height);
            for_each_point(moment, subject, shown,
                           [&](const Vec3& p) { framings[v].add(camera, about_target.to_scene(p)); });
        }
    }
    const float lowest = ground_height(rest, depth, size);
    shot.has_extent = size > 0.0;
    shot.placement.scale = size > 0.0 ? 1.0 / size : 1.0;
    shot.ground = std::isfinite(lowest) ? shot.placement.to_scene(Vec3(0.0f, lowest, 0.0f)).y() : 0.0f;
    if (!subject.figure) shot.ground -= bones_thickness;

    for (const Vec3d& way : travel) shot.travel.push_back((way * shot.placement.scale).cast<float>());

    // All views of a sheet have the same distance and so the same scale.
    const bool moving = options.follow || options.focus_joint >= 0;
    const Vec3 middle = moving ? Vec3(shot.placement.pivot.cast<float>()) : motion.center();
    const Vec3 contact(middle.x(), lowest, middle.z());
    float farthest = 0.0f;
    for (size_t v = 0; v < angles.size(); ++v) {
        const Camera camera = make_camera(angles[v], width, height);
        if (options.focus_joint < 0) framings[v].add(camera, about_pivot.to_scene(contact));
        shot.views.push_back(
            {angles[v], camera, framings[v].eye_offset(camera) * static_cast<float>(shot.placement.scale)});
        farthest = std::min(farthest, shot.views.back().eye_offset.z());
    }
    for (View& view : shot.views) {
        view.eye_offset.z() = farthest * options.camera.distance;
        view.camera.tan_x /= options.zoom, view.camera.tan_y /= options.zoom;
        if (options.focus_joint >= 0) view.eye_offset.x() = view.eye_offset.y() = 0.0f;  // the joint is in the middle
    }
    for (size_t v = 0; v < angles.size(); ++v) shot.views[v].camera = camera_of(shot, v, 0.0f);
    return shot;
}

Camera camera_of(const Shot& shot, size_t view, float turn, size_t picture) {
    const View& v = shot.views[view];
    Camera camera = make_camera({v.angles.azimuth + turn, v.angles.elevation}, v.camera.width, v.camera.height);
    camera.tan_x = v.camera.tan_x, camera.tan_y = v.camera.tan_y;
    camera.eye = shot.travel[picture] + v.eye_offset.x() * camera.right + v.eye_offset.y() * camera.up +
                 v.eye_offset.z() * camera.forward;
    return camera;
}

}  // namespace sinew
