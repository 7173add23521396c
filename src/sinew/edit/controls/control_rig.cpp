#include <sinew/core/closest.h>
#include <sinew/curve/curve.h>
#include <sinew/curve/expression.h>
#include <sinew/curve/rotation_curve.h>
#include <sinew/curve/tangents.h>
#include <sinew/edit/controls/body_axes.h>
#include <sinew/edit/controls/controls.h>
#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

// How much of a drive, as a function of its driver.
struct Amount {
    Curve<double> curve;
    std::optional<Expression> formula;
};

Curve<double> drive_curve(const ControlDrive& drive) {
    constexpr std::array<Between, 3> between = {Between::linear, Between::cubic, Between::step};
    Curve<double> curve;
    for (const auto& [x, y] : drive.keys)
        curve.keys.push_back({.time = x, .value = y, .between = between[static_cast<size_t>(drive.shape)]});
    if (drive.shape == ControlShape::smooth) set_monotone_slopes(curve);
    // A straight drive goes on beyond its keys: amount 0.8 means 0.8 x for all x that the control's range allows.
    if (drive.shape == ControlShape::linear) curve.before = curve.after = Outside::extend;
    return curve;
}

// Control names that a formula can spell.
std::vector<std::string> formula_variables(const std::vector<std::string>& controls) {
    std::vector<std::string> names = {"x", "t"};
    names.insert(names.end(), controls.begin(), controls.end());
    return names;
}

Result<Amount> bind_amount(const ControlDrive& drive, const std::vector<std::string>& controls,
                           const std::string& where) {
    Amount amount{drive_curve(drive), {}};
    if (drive.formula.empty()) return amount;
    auto formula = Expression::parse(drive.formula, formula_variables(controls));
    if (!formula) return fail(ErrorCode::invalid_data, formula.error().message, where + ": " + formula.error().where);
    amount.formula = std::move(*formula);
    return amount;
}

// A weight that stays where faces make sense: within 0 and 1, or where the clip already had it.
float add_weight(float weight, double more) {
    const double low = std::min(0.0, static_cast<double>(weight)), high = std::max(1.0, static_cast<double>(weight));
    return static_cast<float>(std::clamp(weight + more, low, high));
}

}  // namespace

struct ControlRig::BoundDrive {
    Driven what = Driven::morph;
    int32_t source = -1;           // a control, or for driven keys a joint
    Vec3d source_axis;             // of a driven key, in the joint's own axes
    std::vector<int32_t> targets;  // joints, morphs, poses or controls
    std::vector<Vec3d> axes;       // turn: in the joint's own axes; move: in its parent's, per metre; size: on x, y, z
    double share = 1.0;
    Amount amount;
};

struct ControlRig::BoundPose {
    std::string name;
    std::vector<std::pair<int32_t, Transform>> joints;  // where they stand
    std::vector<std::pair<int32_t, float>> morphs;
};

struct ControlRig::Impl {
    ControlBody body;
    std::vector<double> low, high;
    std::vector<BoundDrive> drives;  // in the order of their controls, each control after those that drive it
    std::vector<BoundDrive> driven;
    std::vector<BoundPose> poses;
};

namespace {

using BoundDrive = ControlRig::BoundDrive;
using BoundPose = ControlRig::BoundPose;

// What names mean on a body.
struct ControlBinding {
    const ControlSet& set;
    const ControlBody& body;
    BodyAxes axes;
    std::vector<std::string> controls;
};

std::vector<std::string_view> views(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
}

std::vector<int32_t> morphs_named(const ControlBody& body, const std::string& name) {
    std::vector<int32_t> found;
    for (size_t m = 0; m < body.morphs.size(); ++m)
        if (body.morphs[m] == name) found.push_back(static_cast<int32_t>(m));
    return found;
}

Result<std::vector<int32_t>> find_targets(const ControlBinding& b, const ControlDrive& drive,
                                          const std::string& where) {
    std::vector<int32_t> found;
    for (const std::string& name : drive.targets) {
        std::vector<int32_t> here;
        std::string_view what = "joint";
        std::vector<std::string_view> known;
        if (drive.what == Driven::morph) {
            here = morphs_named(b.body, name);
            what = "morph", known = views(b.body.morphs);
        } else if (drive.what == Driven::pose) {
            for (size_t i = 0; i < b.set.poses.size(); ++i) {
                if (b.set.poses[i].name == name) here.push_back(static_cast<int32_t>(i));
                known.push_back(b.set.poses[i].name);
            }
            what = "pose";
        } else if (drive.what == Driven::control) {
            const auto at = std::ranges::find(b.controls, name);
            if (at != b.controls.end()) here.push_back(static_cast<int32_t>(at - b.controls.begin()));
            what = "control", known = views(b.controls);
        } else {
            const int32_t joint = find_control_joint(b.body.skeleton, b.axes.roles, name);
            if (joint >= 0) here.push_back(joint);
            known = views(b.body.skeleton.names());
        }
        if (here.empty() && !drive.optional)
            return fail(ErrorCode::not_found,
                        unknown_name(what, name, known) + "; \"optional\": true leaves out what is not there", where);
        found.insert(found.end(), here.begin(), here.end());
    }
    return found;
}

Vec3d own_axis(const ControlBinding& b, size_t joint, ControlAxis axis) {
    return Quatd(b.axes.world[joint].rotation()).conjugate() * model_axis(b.axes, joint, axis);
}

Vec3d target_axis(const ControlBinding& b, const ControlDrive& drive, size_t joint) {
    if (drive.what == Driven::turn) return own_axis(b, joint, drive.axis);
    if (drive.what == Driven::size) return own_axis(b, joint, drive.axis).cwiseAbs();
    const int32_t parent = b.body.skeleton.parents()[joint];
    const Vec3d axis = model_axis(b.axes, joint, drive.axis);
    if (parent < 0) return axis;
    constexpr double flat = 1e-12;  // a parent of no size moves nothing
    const Mat3d linear = b.axes.world[static_cast<size_t>(parent)].linear();
    return std::abs(linear.determinant()) > flat ? Vec3d(linear.inverse() * axis) : Vec3d(Vec3d::Zero());
}

Result<BoundDrive> bind_drive(const ControlBinding& b, const ControlDrive& drive, int32_t source,
                              const std::string& where) {
    BoundDrive bound{.what = drive.what, .source = source, .source_axis = Vec3d::Zero(), .targets = {}, .axes = {}};
    SINEW_TRY(bound.targets, find_targets(b, drive, where));
    SINEW_TRY(bound.amount, bind_amount(drive, b.controls, where));
    if (drive.what == Driven::turn || drive.what == Driven::move || drive.what == Driven::size)
        for (const int32_t joint : bound.targets)
            bound.axes.push_back(target_axis(b, drive, static_cast<size_t>(joint)));
    if (drive.what == Driven::turn || drive.what == Driven::move)
        bound.share = 1.0 / static_cast<double>(std::max<size_t>(bound.targets.size(), 1));
    return bound;
}

// Poses leave out what the body does not have: a library serves many bodies.
BoundPose bind_pose(const ControlBinding& b, const LibraryPose& pose) {
    BoundPose bound{.name = pose.name, .joints = {}, .morphs = {}};
    for (const PosedJoint& posed : pose.joints) {
        const int32_t joint = find_control_joint(b.body.skeleton, b.axes.roles, posed.joint);
        if (joint < 0) continue;
        const auto j = static_cast<size_t>(joint);
        const Quatd world = Quatd(b.axes.world[j].rotation()), frame(b.axes.frame);
        const Quatd turn = frame * Quatd(posed.turn.cast<double>()) * frame.conjugate();
        Transform local = b.body.rest.local[j];
        const Quatd rotation = Quatd(local.rotation.cast<double>()) * (world.conjugate() * turn * world);
        local.rotation = Quat(rotation.normalized().cast<float>());
        local.translation += posed.move;
        bound.joints.emplace_back(joint, local);
    }
    for (const auto& [name, weight] : pose.morphs)
        for (const int32_t morph : morphs_named(b.body, name)) bound.morphs.emplace_back(morph, weight);
    return bound;
}

// The controls in an order in which each comes after those that drive it.
Result<std::vector<size_t>> order_controls(const ControlBinding& b) {
    const size_t count = b.controls.size();
    std::vector<std::vector<size_t>> drives(count);
    std::vector<size_t> drivers(count, 0);
    for (size_t c = 0; c < count; ++c)
        for (const ControlDrive& drive : b.set.controls[c].drives)
            for (const std::string& target : drive.targets) {
                const auto at = std::ranges::find(b.controls, target);
                if (drive.what != Driven::control || at == b.controls.end()) continue;
                drives[c].push_back(static_cast<size_t>(at - b.controls.begin()));
                ++drivers[drives[c].back()];
            }
    std::vector<size_t> order;
    for (size_t c = 0; c < count; ++c)
        if (drivers[c] == 0) order.push_back(c);
    for (size_t i = 0; i < order.size(); ++i)
        for (const size_t next : drives[order[i]])
            if (--drivers[next] == 0) order.push_back(next);
    if (order.size() == count) return order;
    const auto stuck = std::ranges::find_if(drivers, [](size_t left) { return left > 0; });
    const std::string& name = b.controls[static_cast<size_t>(stuck - drivers.begin())];
    return fail(ErrorCode::invalid_data, "the control drives itself, by way of others; break the circle",
                "controls/" + name);
}

double evaluate_amount(const Amount& amount, double x, double time, std::span<const double> values) {
    if (!amount.formula) return evaluate(amount.curve, x);
    std::vector<double> variables = {x, time};
    variables.insert(variables.end(), values.begin(), values.end());
    return amount.formula->evaluate(variables);
}

void blend_towards(const BoundPose& pose, double weight, Pose& out) {
    for (const auto& [joint, to] : pose.joints) {
        Transform& local = out.local[static_cast<size_t>(joint)];
        local.rotation = slerp(local.rotation, to.rotation, weight);
        local.translation += static_cast<float>(weight) * (to.translation - local.translation);
    }
    for (const auto& [morph, to] : pose.morphs) {
        float& own = out.morphs[static_cast<size_t>(morph)];
        own += static_cast<float>(weight) * (to - own);
    }
}

void apply_drive(const BoundDrive& drive, double amount, std::span<const BoundPose> poses, Pose& pose) {
    amount *= drive.share;
    if (amount == 0.0 || !std::isfinite(amount)) return;
    for (size_t i = 0; i < drive.targets.size(); ++i) {
        const auto target = static_cast<size_t>(drive.targets[i]);
        switch (drive.what) {
            case Driven::morph:
                pose.morphs[target] = add_weight(pose.morphs[target], amount);
                break;
            case Driven::turn: {
                const Quatd turned = Quatd(pose.local[target].rotation.cast<double>()) *
                                     Quatd(Eigen::AngleAxisd(amount * degree, drive.axes[i]));
                pose.local[target].rotation = Quat(turned.normalized().cast<float>());
                break;
            }
            case Driven::move:
                pose.local[target].translation += (amount * drive.axes[i]).cast<float>();
                break;
            case Driven::size:
                pose.local[target].scale =
                    pose.local[target].scale.cwiseProduct((Vec3d::Ones() + amount * drive.axes[i]).cast<float>());
                break;
            case Driven::pose:
                blend_towards(poses[target], std::clamp(amount, 0.0, 1.0), pose);
                break;
            case Driven::control:
                break;
        }
    }
}

}  // namespace

Result<ControlRig> ControlRig::create(const ControlSet& set, const ControlBody& body) {
    ControlRig rig;
    auto impl = std::make_shared<Impl>();
    impl->body = body;
    ControlBinding binding{set, body, find_body_axes(body), {}};
    for (const Control& control : set.controls) {
        if (std::ranges::find(binding.controls, control.name) != binding.controls.end())
            return fail(ErrorCode::invalid_data, "there are two controls of this name", "controls/" + control.name);
        binding.controls.push_back(control.name);
        rig.rest_.push_back(control.rest);
        impl->low.push_back(control.low);
        impl->high.push_back(control.high);
    }
    SINEW_TRY(const std::vector<size_t> order, order_controls(binding));
    for (const size_t c : order)
        for (const ControlDrive& drive : set.controls[c].drives) {
            const std::string where = "controls/" + set.controls[c].name;
            SINEW_TRY(BoundDrive bound, bind_drive(binding, drive, static_cast<int32_t>(c), where));
            impl->drives.push_back(std::move(bound));
        }
    for (size_t i = 0; i < set.driven.size(); ++i) {
        const DrivenKey& key = set.driven[i];
        const std::string where = fmt::format("driven/{}", i);
        const int32_t joint = find_control_joint(body.skeleton, binding.axes.roles, key.joint);
        if (joint < 0 && key.drive.optional) continue;
        if (joint < 0)
            return fail(ErrorCode::not_found, unknown_name("joint", key.joint, views(body.skeleton.names())), where);
        SINEW_TRY(BoundDrive bound, bind_drive(binding, key.drive, joint, where));
        bound.source_axis = own_axis(binding, static_cast<size_t>(joint), key.axis);
        impl->driven.push_back(std::move(bound));
    }
    for (const LibraryPose& pose : set.poses) impl->poses.push_back(bind_pose(binding, pose));
    rig.names_ = std::move(binding.controls);
    rig.impl_ = std::move(impl);
    return rig;
}

Result<size_t> ControlRig::find(std::string_view name) const {
    const auto at = std::ranges::find(names_, name);
    if (at != names_.end()) return static_cast<size_t>(at - names_.begin());
    if (names_.empty())
        return fail(ErrorCode::not_found,
                    fmt::format("there is no control \"{}\": the character has no joints or morphs that Sinew knows; "
                                "describe controls of your own in a JSON file",
                                name));
    return fail(ErrorCode::not_found, unknown_name("control", name, views(names_)));
}

void ControlRig::apply(std::span<const double> values, double time, Pose& pose) const {
    std::vector<double> given(names_.size()), now(names_.size());
    for (size_t c = 0; c < names_.size(); ++c)
        now[c] = given[c] = std::clamp(c < values.size() && std::isfinite(values[c]) ? values[c] : rest_[c],
                                       impl_->low[c], impl_->high[c]);
    for (const BoundDrive& drive : impl_->drives) {
        const auto c = static_cast<size_t>(drive.source);
        const double x = std::clamp(now[c], impl_->low[c], impl_->high[c]);
        const double amount = evaluate_amount(drive.amount, x, time, given);
        if (drive.what == Driven::control)
            for (const int32_t target : drive.targets) now[static_cast<size_t>(target)] += amount;
        else
            apply_drive(drive, amount, impl_->poses, pose);
    }
    for (const BoundDrive& drive : impl_->driven) {
        const auto j = static_cast<size_t>(drive.source);
        const Quatd rest(impl_->body.rest.local[j].rotation.cast<double>());
        const Vec3d turn = log_map(rest.conjugate() * Quatd(pose.local[j].rotation.cast<double>()));
        apply_drive(drive, evaluate_amount(drive.amount, turn.dot(drive.source_axis) / degree, time, given),
                    impl_->poses, pose);
    }
}

Result<void> ControlRig::apply_pose(std::string_view name, double weight, Pose& out) const {
    std::vector<std::string_view> known;
    for (const BoundPose& pose : impl_->poses) {
        known.push_back(pose.name);
        if (pose.name != name) continue;
        blend_towards(pose, weight, out);
        return {};
    }
    return fail(ErrorCode::not_found, unknown_name("pose", name, known));
}

const ControlBody& ControlRig::body() const {
    return impl_->body;
}

LibraryPose make_library_pose(std::string name, const Pose& pose, const ControlBody& body) {
    constexpr double still = 1e-5;  // radians and metres: less is rounding
    LibraryPose made{std::move(name), {}, {}};
    const BodyAxes axes = find_body_axes(body);
    const std::vector<Role> roles = axes.roles.roles(body.skeleton.size());
    const Quatd frame(axes.frame);
    for (size_t j = 0; j < body.skeleton.size(); ++j) {
        const Transform &rest = body.rest.local[j], &now = pose.local[j];
        const Quatd turn = Quatd(rest.rotation.cast<double>()).conjugate() * Quatd(now.rotation.cast<double>());
        const Vec3 move = now.translation - rest.translation;
        const bool turned = turn.angularDistance(Quatd::Identity()) > still, moved = move.norm() > still;
        if (!turned && !moved) continue;
        const Quatd world(axes.world[j].rotation());
        PosedJoint posed{roles[j] == Role::count ? body.skeleton.names()[j] : std::string(to_string(roles[j]))};
        const Quatd from_rest = frame.conjugate() * (world * turn * world.conjugate()) * frame;
        posed.turn = Quat(from_rest.normalized().cast<float>());
        if (moved) posed.move = move;
        made.joints.push_back(std::move(posed));
    }
    for (size_t m = 0; m < body.morphs.size(); ++m)
        if (!body.morphs[m].empty() && pose.morphs[m] != body.rest.morphs[m])
            made.morphs.emplace_back(body.morphs[m], pose.morphs[m]);
    return made;
}

}  // namespace sinew
