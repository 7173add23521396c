#include <sinew/flock/gait/gait.h>

#include <sinew/clip/runtime/blend.h>
#include <sinew/flock/gait/gait_cycle.h>
#include <sinew/ik/two_bone.h>
#include <sinew/skeleton/creature.h>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr float full_walk = 0.5f;        // of the walk's speed: slower is mixed with standing
constexpr float walk_until = 1.25f;      // times the walk's speed: quicker is mixed with the faster gait
constexpr float speed_seconds = 0.2f;    // in which the shown speed follows the actual one
constexpr float let_go_seconds = 0.08f;  // in which a lifted foot goes back to its clip
constexpr float farthest_hold = 0.3f;    // leg lengths: a foot that is left behind farther steps
constexpr float most_turn = 0.6f;        // radians: the same of a foot that the body turns away from
constexpr float step_seconds = 0.25f, step_height = 0.08f;      // of such a step; leg lengths
constexpr float slow_height = 0.04f, least_lift = 0.025f;       // of a foot in a walk that is almost standing; the same
constexpr float lift_ramp = 0.12f;                              // of a swing, in which it is up
constexpr float dragged = 0.04f;                                // the same: with more to go, a foot is lifted
constexpr float near_ground = 0.015f;                           // the same: a foot that is lower may not slide
constexpr float quick_lift = 0.026f;                            // the same: more than that, for a foot that swings
constexpr float first_lift = 0.02f;                             // the same: before a foot that steps goes on
constexpr float let_go_within = 1e-4f;                          // leg lengths: less is nothing
constexpr double straightest_leg = 0.999, deepest_drop = 0.12;  // of its length, to hold a foot
constexpr double heel_behind = 0.4;                             // of the way from ankle to ball, behind the ankle
constexpr double sole_height = 0.25;                            // of the ankle's, that skin of the sole has at most
constexpr double end_share = 0.1;                               // of the sole's length
constexpr float rolled = 0.01f;                                 // leg lengths that the ball is above the heel
constexpr float landing_share = 0.75f;                          // of a swing, from which on a foot comes down
constexpr float still = 0.02f;                                  // of walking in the mix: less is standing

float part_of(float value) {
    return value - std::floor(value);
}

std::array<float, most_gait_clips> mix(float speed, std::span<const GaitCycle> cycles, size_t walk) {
    std::array<float, most_gait_clips> weights{};
    const float natural = cycles[walk].speed();
    weights[walk] = 1.0f;
    if (walk > 0 && speed < full_walk * natural) {
        weights[walk] = std::clamp(speed / (full_walk * natural), 0.0f, 1.0f);
        weights[0] = 1.0f - weights[walk];
    }
    if (walk + 1 < cycles.size()) {
        const float begin = walk_until * natural, end = std::max(cycles[walk + 1].speed(), begin * 1.05f);
        const float share = std::clamp((speed - begin) / (end - begin), 0.0f, 1.0f);
        weights[walk + 1] = share;
        weights[walk] *= 1.0f - share;
    }
    return weights;
}

std::vector<GaitLeg> find_bare_legs(const Skeleton& skeleton) {
    std::vector<GaitLeg> legs;
    const HumanoidMap map = recognise_humanoid(skeleton);
    if (map.is_body() && map[Role::left_foot] >= 0 && map[Role::right_foot] >= 0) {
        for (const auto& [hip, knee, foot, toes] :
             {std::array{Role::left_upper_leg, Role::left_lower_leg, Role::left_foot, Role::left_toes},
              std::array{Role::right_upper_leg, Role::right_lower_leg, Role::right_foot, Role::right_toes}})
            legs.push_back({.hip = map[hip],
                            .knee = map[knee],
                            .ankle = map[foot],
                            .ball = map[toes] >= 0 ? map[toes] : map[foot]});
        return legs;
    }
    for (const CreatureLimb& limb : recognise_creature(skeleton).legs) {
        if (limb.foot < limb.socket + 2 || legs.size() == most_gait_legs) continue;
        legs.push_back({.hip = limb.joints[limb.socket],
                        .knee = limb.joints[limb.socket + 1],
                        .ankle = limb.joints[limb.foot],
                        .ball = limb.joints[limb.foot]});
    }
    return legs;
}

// The ends of a foot's sole, rear and front: the lowest of the skin there.
struct SoleEnds {
    Vec3d heel = Vec3d::Zero(), tip = Vec3d::Zero();
};
std::optional<SoleEnds> ends_of_sole(const GaitLeg& leg, const Vec3d& ankle, const Vec3d& ball,
                                     std::span<const GaitSkinPoint> skin) {
    const auto of_foot = [&](const GaitSkinPoint& p) { return p.joint == leg.ankle || p.joint == leg.ball; };
    const Vec3d ahead = Vec3d(ball.x() - ankle.x(), 0.0, ball.z() - ankle.z()).normalized();
    double low = INFINITY, rear = INFINITY, front = -INFINITY;
    for (const GaitSkinPoint& p : skin)
        if (of_foot(p)) low = std::min(low, double{p.rest.y()});
    std::vector<Vec3d> sole;
    for (const GaitSkinPoint& p : skin) {
        const Vec3d at = p.rest.cast<double>();
        if (!of_foot(p) || at.y() > low + sole_height * (ankle.y() - low)) continue;
        sole.push_back(at);
        rear = std::min(rear, at.dot(ahead)), front = std::max(front, at.dot(ahead));
    }
    if (!(rear < ankle.dot(ahead)) || !(front > ball.dot(ahead))) return std::nullopt;
    const auto end = [&](double along) {
        Vec3d sum = Vec3d::Zero();
        double count = 0.0, lowest = INFINITY;
        for (const Vec3d& at : sole) {
            if (std::abs(at.dot(ahead) - along) > end_share * (front - rear)) continue;
            sum += at, count += 1.0, lowest = std::min(lowest, at.y());
        }
        Vec3d middle = sum / count + (along - sum.dot(ahead) / count) * ahead;
        middle.y() = lowest;
        return middle;
    };
    return SoleEnds{end(rear), end(front)};
}

}  // namespace

std::vector<GaitLeg> find_gait_legs(const Skeleton& skeleton, std::span<const GaitSkinPoint> skin) {
    std::vector<GaitLeg> legs = find_bare_legs(skeleton);
    const std::vector<AffineD> rest = rest_world(skeleton);
    for (GaitLeg& leg : legs) {
        if (leg.ball == leg.ankle) continue;
        const AffineD& ankle = rest[static_cast<size_t>(leg.ankle)];
        const Vec3d ball = rest[static_cast<size_t>(leg.ball)].translation();
        const Vec3d along = ball - ankle.translation();
        Vec3d heel = ankle.translation() - heel_behind * Vec3d(along.x(), 0.0, along.z());
        heel.y() = std::min(ball.y(), heel.y());
        if (const auto ends = ends_of_sole(leg, ankle.translation(), ball, skin)) {
            heel = ends->heel;
            leg.tip = (rest[static_cast<size_t>(leg.ball)].inverse() * ends->tip).cast<float>();
        }
        leg.heel = (ankle.inverse() * heel).cast<float>();
    }
    return legs;
}

Result<GroundGait> GroundGait::create(const Skeleton& skeleton, const Clip& walk, const Clip* stand, const Clip* faster,
                                      float speed_in_place, std::span<const GaitSkinPoint> skin) {
    GroundGait gait;
    gait.skeleton_ = skeleton;
    gait.legs_ = find_gait_legs(skeleton, skin);
    if (stand) gait.cycles_.push_back(read_gait_cycle(skeleton, gait.legs_, *stand, true));
    gait.walk_ = gait.cycles_.size();
    gait.cycles_.push_back(read_gait_cycle(skeleton, gait.legs_, walk, false));
    GaitCycle& walking = gait.cycles_[gait.walk_];
    if (!(walking.stride() > 0.0f)) walking.velocity = Vec3(0.0f, 0.0f, speed_in_place);
    if (!(walking.stride() > 0.0f) || !std::isfinite(walking.stride()))
        return fail(ErrorCode::invalid_data, "the motion goes nowhere; give one that walks, swims or flies ahead");
    gait.forward_ = std::atan2(walking.velocity.x(), walking.velocity.z());
    if (faster) {
        GaitCycle run = read_gait_cycle(skeleton, gait.legs_, *faster, false);
        // Worth mixing only where it is one, and goes the same way.
        if (run.speed() > walk_until * walking.speed() && run.velocity.dot(walking.velocity) > 0.0f)
            gait.cycles_.push_back(std::move(run));
    }
    const std::vector<AffineD> rest = rest_world(skeleton);
    const auto at = [&](int32_t j) { return Vec3d(rest[static_cast<size_t>(j)].translation()); };
    for (const GaitLeg& leg : gait.legs_) {
        gait.leg_lengths_.push_back(
            static_cast<float>((at(leg.hip) - at(leg.knee)).norm() + (at(leg.knee) - at(leg.ankle)).norm()));
        gait.ball_heights_.push_back(static_cast<float>(std::min(at(leg.ball).y(), at(leg.ankle).y())));
        const Vec3d heel = rest[static_cast<size_t>(leg.ankle)] * leg.heel.cast<double>();
        const Vec3d tip = rest[static_cast<size_t>(leg.ball)] * leg.tip.cast<double>();
        gait.heel_heights_.push_back(static_cast<float>(heel.y()));
        gait.tip_heights_.push_back(static_cast<float>(tip.y()));
    }
    return gait;
}

GaitState GroundGait::begin(const Vec2& place, float heading, float phase) const {
    return {.phase = phase_end * part_of(phase / phase_end), .place = place, .heading = heading};
}

float GroundGait::top_speed() const {
    return cycles_.back().speed();
}

void GroundGait::advance(GaitState& state, const Vec2& place, float heading, float seconds) const {
    const Vec2 gone = place - state.place;
    state.place = place, state.heading = heading;
    if (!(seconds > 0.0f)) return;
    const float ahead = gone.norm();  // aside and back too: legs must step for it all the same
    state.speed += (ahead / seconds - state.speed) * (1.0f - std::exp(-seconds / speed_seconds));
    const auto weights = mix(state.speed, cycles_, walk_);
    float stride = 0.0f;
    for (size_t k = 0; k < cycles_.size(); ++k) stride += weights[k] * cycles_[k].stride();
    if (stride > still * cycles_[walk_].stride())
        state.phase = phase_end * part_of((state.phase + ahead / stride) / phase_end);
}

std::array<CrowdLayer, most_gait_clips> GroundGait::layers(const GaitState& state) const {
    std::array<CrowdLayer, most_gait_clips> layers{};
    const auto weights = mix(state.speed, cycles_, walk_);
    for (size_t k = 0; k < cycles_.size(); ++k)
        layers[k] = {
            static_cast<uint32_t>(k),
            part_of((state.phase + cycles_[k].shift) / static_cast<float>(cycles_[k].strides)) * cycles_[k].seconds,
            weights[k]};
    for (size_t k = cycles_.size(); k < most_gait_clips; ++k) layers[k].weight = 0.0f;
    return layers;
}

Vec3 GroundGait::travel(const GaitState& state) const {
    const auto played = layers(state);
    Vec3 sum = Vec3::Zero();
    for (size_t k = 0; k < cycles_.size(); ++k)
        sum += played[k].weight * (cycles_[k].start + cycles_[k].in_clip * played[k].time);
    return sum;
}

Affine GroundGait::world_from_body(const GaitState& state) const {
    Affine root = Affine::Identity();
    root.translate(Vec3(state.place.x(), 0.0f, state.place.y()));
    root.rotate(Eigen::AngleAxisf(state.heading - forward_, Vec3::UnitY()));
    root.translate(-travel(state));
    return root;
}

GroundGait::Stance GroundGait::stance(const GaitState& state, size_t leg) const {
    const auto weights = mix(state.speed, cycles_, walk_);
    if (walk_ > 0 && weights[0] > 1.0f - still) return {.stands = true};
    Stance stance{.length = 0.0f};
    float sum = 0.0f;
    for (size_t k = walk_; k < cycles_.size(); ++k) {
        const FootContact& contact = cycles_[k].contacts[leg];
        stance.touch += weights[k] * contact.touch, stance.length += weights[k] * (contact.lift - contact.touch);
        sum += weights[k];
    }
    if (sum > 0.0f) stance.touch /= sum, stance.length /= sum;
    return stance;
}

bool GroundGait::is_down(const GaitState& state, size_t leg) const {
    const Stance s = stance(state, leg);
    return s.stands || part_of(state.phase - s.touch) < s.length;
}

float GroundGait::swing_lift(const GaitState& state, size_t leg) const {
    const Stance s = stance(state, leg);
    const float since_lift = part_of(state.phase - s.touch) - s.length, swing = 1.0f - s.length;
    if (s.stands || since_lift < 0.0f || !(swing > 0.0f)) return 0.0f;
    const float standing = walk_ == 0 ? 0.0f : mix(state.speed, cycles_, walk_)[0];
    const float share = std::min(since_lift / swing, 1.0f);
    // Soon up and late down, so that neither heel nor toes brush the ground.
    const float ramp = std::clamp(std::min(share, 1.0f - share) / lift_ramp, 0.0f, 1.0f);
    const float least = std::lerp(quick_lift, least_lift, std::min(4.0f * standing, 1.0f));
    return leg_lengths_[leg] * (least * ramp + standing * slow_height * std::sin(pi * share));
}

Affine GroundGait::pose_free(const GaitState& state, Pose& pose, Scratch& scratch) const {
    const auto played = layers(state);
    std::array<BlendLayer, most_gait_clips> blend;
    size_t count = 0;
    scratch.rest.local = skeleton_.rest();
    for (size_t k = 0; k < cycles_.size(); ++k) {
        if (played[k].weight == 0.0f) continue;
        scratch.poses[k].local = skeleton_.rest();
        scratch.poses[k].morphs.clear();
        sample(cycles_[k].clip, played[k].time, scratch.poses[k]);
        blend[count++] = {.pose = &scratch.poses[k], .weight = played[k].weight, .mask = {}};
    }
    pose.local.resize(skeleton_.size());
    pose.morphs.clear();
    blend_poses(std::span(blend).first(count), scratch.rest, pose);
    return world_from_body(state);
}

Affine GroundGait::pose(GaitState& state, float seconds, Pose& pose, Scratch& scratch) const {
    Affine root = pose_free(state, pose, scratch);
    hold_feet(state, seconds, root, pose, scratch);
    return root;
}

// Where a foot should be instead of where the clips put it: it is held while it is down, and let go slowly after. One
// that is left too far behind, by a body that is pushed aside or turns on the spot, is lifted and takes a step; so is
// one that has far to go when its clip lifts it.
void GroundGait::place_foot(GaitState::Foot& foot, const PlayedFoot& played, float leg_length, float seconds) const {
    foot.step_left = std::max(0.0f, foot.step_left - seconds);
    const float step_lift = step_height * leg_length * std::sin(pi * foot.step_left / step_seconds);
    const float height = std::max({played.clearance, played.lift, step_lift});
    const bool low = height < near_ground * leg_length;
    if (low && foot.step_left < 0.5f * step_seconds) foot.step_left = 0.0f;
    // Clips say when a foot stands for a body that goes straight. One that turns or is pushed aside carries its feet
    // over the ground before they touch and after they lift: what is low is held too.
    const bool stays = played.down || (low && (foot.down || played.lands));
    const bool down = stays && foot.step_left == 0.0f;
    // What stood until now stands at this moment, wherever the clips have gone on to.
    if (foot.down) {
        const Vec3& stood = foot.on_heel ? played.heel : played.ball;
        foot.offset.x() = foot.held.x() - stood.x(), foot.offset.z() = foot.held.z() - stood.z();
    }
    const auto let_go = [&] {
        foot.offset.y() = 0.0f;
        if (foot.down && foot.offset.norm() > dragged * leg_length) foot.step_left = step_seconds;
        if (foot.step_left == step_seconds) {  // up first, then on
            foot.offset.y() = std::max(0.0f, first_lift * leg_length - played.clearance);
            return;
        }
        if (!foot.down) foot.offset *= std::exp(-seconds / let_go_seconds);
        if (foot.offset.norm() < let_go_within * leg_length) foot.offset.setZero();
        foot.offset.y() = std::max(0.0f, std::max(played.lift, step_lift) - played.clearance);
    };
    if (!down) {
        let_go();
    } else {
        const Vec3& rests = played.on_heel ? played.heel : played.ball;
        // From the heel to the ball without a jump.
        if (!foot.down || foot.on_heel != played.on_heel) foot.held = rests + foot.offset;
        foot.on_heel = played.on_heel;
        // Not through the floor, where the mix of clips puts it too low.
        foot.offset = Vec3(foot.held.x() - rests.x(), std::max(0.0f, -played.clearance), foot.held.z() - rests.z());
    }
    // Who has no other foot on the ground waits a little longer.
    const float farthest = (played.carried ? 1.0f : 2.0f) * farthest_hold * leg_length;
    const bool near = std::hypot(foot.offset.x(), foot.offset.z()) <= farthest && std::abs(foot.turn) <= most_turn;
    const bool held = down && near;
    if (down && !held) {
        foot.step_left = step_seconds;
        let_go();
    }
    foot.down = held;
}

void GroundGait::hold_feet(GaitState& state, float seconds, Affine& root, Pose& pose, Scratch& scratch) const {
    std::vector<AffineD>& world = scratch.world;
    world.resize(skeleton_.size());
    local_to_world(skeleton_.parents(), pose.local, world);
    AffineD placed = root.cast<double>();
    const auto at = [&](int32_t j) { return Vec3d(placed * world[static_cast<size_t>(j)].translation()); };
    std::array<Vec3d, most_gait_legs> targets;
    double drop = 0.0;
    bool any = false;
    for (size_t l = 0; l < legs_.size(); ++l) {
        const GaitLeg& leg = legs_[l];
        GaitState::Foot& foot = state.feet[l];
        const Stance when = stance(state, l);
        const float since = part_of(state.phase - when.touch);
        foot.turn = foot.down ? std::remainder(foot.heading - state.heading, 2.0f * pi)
                              : foot.turn * std::exp(-seconds / let_go_seconds);
        const Eigen::AngleAxisd turned(double{foot.turn}, Vec3d::UnitY());
        const Vec3d ankle = at(leg.ankle);
        const auto shown = [&](const Vec3d& point) { return Vec3((ankle + turned * (point - ankle)).cast<float>()); };
        PlayedFoot played{.ball = shown(at(leg.ball)), .lift = swing_lift(state, l)};
        played.heel = shown(placed * (world[static_cast<size_t>(leg.ankle)] * leg.heel.cast<double>()));
        const Vec3 tip = shown(placed * (world[static_cast<size_t>(leg.ball)] * leg.tip.cast<double>()));
        const float on_ball = played.ball.y() - ball_heights_[l], on_heel = played.heel.y() - heel_heights_[l];
        played.clearance = std::min({on_ball, on_heel, tip.y() - tip_heights_[l]});
        played.down = when.stands || since < when.length;
        played.lands = since - when.length > landing_share * (1.0f - when.length);
        // Down on its heel, it stays on it until the ball is down too.
        played.on_heel = (!foot.down || foot.on_heel) && on_ball - on_heel > rolled * leg_lengths_[l];
        for (size_t other = 0; other < legs_.size(); ++other)
            played.carried = played.carried || (other != l && state.feet[other].down);
        const bool stood = foot.down;
        place_foot(foot, played, leg_lengths_[l], seconds);
        if (!stood) foot.heading = state.heading + foot.turn;
        targets[l] = ankle + foot.offset.cast<double>();
        any = any || foot.offset.squaredNorm() > 0.0f || foot.turn != 0.0f;
        // Where the leg is too short for it, the body comes down until it is not.
        const Vec3d down = targets[l] - at(leg.hip);
        const double reach =
            straightest_leg * ((at(leg.hip) - at(leg.knee)).norm() + (at(leg.knee) - at(leg.ankle)).norm());
        const double across = std::hypot(down.x(), down.z()), room = reach * reach - across * across;
        if (!foot.down || foot.offset.squaredNorm() == 0.0f) continue;
        const double needed = -down.y() - std::sqrt(std::max(room, 0.0));
        if (room > 0.0 && needed <= deepest_drop * double{leg_lengths_[l]}) {
            drop = std::max(drop, needed);
        } else {  // out of reach: it steps from the next moment on
            foot.down = false;
            foot.step_left = step_seconds;
        }
    }
    if (!any) return;
    root.pretranslate(Vec3(0.0f, -static_cast<float>(drop), 0.0f));
    placed = root.cast<double>();
    for (size_t l = 0; l < legs_.size(); ++l) bend_leg(legs_[l], targets[l], state.feet[l].turn, placed, world, pose);
}

// The world turns of a leg that reaches its target, as local ones: of the hip in its parent, of the knee in the hip;
// the foot keeps its own but for its turn.
void GroundGait::bend_leg(const GaitLeg& leg, const Vec3d& target, float turn, const AffineD& placed,
                          std::span<const AffineD> world, Pose& pose) const {
    const auto at = [&](int32_t j) { return Vec3d(placed * world[static_cast<size_t>(j)].translation()); };
    const TwoBoneSolution solved = solve_two_bone({at(leg.hip), at(leg.knee), at(leg.ankle)}, {.target = target});
    const auto turn_of = [&](int32_t j) {
        Mat3d linear = placed.linear();
        if (j >= 0) linear = linear * world[static_cast<size_t>(j)].linear();
        for (int c = 0; c < 3; ++c) linear.col(c).normalize();
        return Quatd(Quatd(linear).normalized());
    };
    const auto set = [&](int32_t j, const Quatd& parent, const Quatd& turned) {
        pose.local[static_cast<size_t>(j)].rotation = (parent.conjugate() * turned).normalized().cast<float>();
    };
    const auto parent_of = [&](int32_t j) { return skeleton_.parents()[static_cast<size_t>(j)]; };
    const Quatd upper = solved.upper_turn, lower = solved.lower_turn * solved.upper_turn;
    set(leg.hip, turn_of(parent_of(leg.hip)), upper * turn_of(leg.hip));
    set(leg.knee, upper * turn_of(parent_of(leg.knee)), lower * turn_of(leg.knee));
    const Quatd turned(Eigen::AngleAxisd(double{turn}, Vec3d::UnitY()));
    set(leg.ankle, lower * turn_of(parent_of(leg.ankle)), turned * turn_of(leg.ankle));
}

}  // namespace sinew
