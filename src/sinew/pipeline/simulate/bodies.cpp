#include <sinew/pipeline/simulate/bodies.h>

#include <sinew/core/check.h>
#include <sinew/core/closest.h>
#include <sinew/pipeline/job/add_instances.h>
#include <sinew/pipeline/simulate/recording.h>
#include <sinew/ragdoll/control/get_up.h>
#include <sinew/ragdoll/control/learn_walk.h>
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double falling_seconds = 1.0;  // after which a body that lies still may get up
constexpr double velocity_step = 1.0 / 120.0;

// One body on its way: it follows, walks, falls, gets up, goes on.
struct RunningBody {
    const SceneBody* scene = nullptr;
    RagdollBody body;
    std::optional<PoseTracker> tracker;
    std::optional<BalancedWalker> walker;
    size_t number = 0;  // in the world
    bool limp = false;
    std::optional<GetUp> getting_up;
    double up_since = 0.0;
    double ground = 0.0;         // that it stands on when it is up
    Pose last;                   // as recorded
    std::vector<size_t> pushed;  // the part of each push
};

std::vector<PartState> placed(std::vector<PartState> parts, const Quatd& turn, const Vec3d& at) {
    for (PartState& p : parts) {
        p.position = turn * p.position + at, p.rotation = (turn * p.rotation).normalized();
        p.velocity = turn * p.velocity, p.spin = turn * p.spin;
    }
    return parts;
}

Result<size_t> find_pushed_part(const RagdollBody& body, const std::string& name) {
    const auto of = [&](PartKind kind) { return static_cast<size_t>(std::max(body.find(kind), 0)); };
    if (name == "chest") return of(PartKind::chest);
    if (name == "pelvis") return of(PartKind::pelvis);
    if (name == "head") return of(PartKind::head);
    std::vector<std::string_view> names = {"chest", "pelvis", "head"};
    for (size_t i = 0; i < body.parts.size(); ++i) {
        const std::string& joint = body.skeleton.names()[static_cast<size_t>(body.parts[i].joint)];
        if (joint == name) return i;
        names.push_back(joint);
    }
    return fail(ErrorCode::not_found, unknown_name("part", name, names));
}

class BodiesRun {
public:
    BodiesRun(const Scene& scene, const Character& character, const Clip* clip, std::vector<std::string>& warnings)
        : scene_(scene), character_(character), clip_(clip), warnings_(warnings), world_(options(scene)) {}

    Result<BodyFrames> run(const Progress& progress) {
        progress_ = progress;
        add_solids();
        for (size_t i = 0; i < scene_.bodies.size(); ++i) {
            auto added = add(scene_.bodies[i]);
            if (!added) {
                Error error = added.error();
                error.where = fmt::format("body {}", i + 1) + (error.where.empty() ? "" : ": " + error.where);
                return fail(std::move(error));
            }
        }
        const auto frames = static_cast<size_t>(std::lround(scene_.seconds * scene_.fps)) + 1;
        BodyFrames out(bodies_.size());
        for (size_t f = 0; f < frames; ++f) {
            report(progress, "falling and walking", static_cast<double>(f) / static_cast<double>(frames));
            while (world_.time() < static_cast<double>(f) / scene_.fps - 0.5 * world_.step_seconds()) step();
            for (size_t i = 0; i < bodies_.size(); ++i) {
                for (const PartState& part : world_.parts(bodies_[i].number))
                    if (!(part.position.cwiseAbs().maxCoeff() < end_of_world))
                        return fail(ErrorCode::invalid_data,
                                    fmt::format("body {} flew apart after {:.2f} s; push it less hard, or let it begin "
                                                "outside of what is solid",
                                                i + 1, world_.time()));
                record(bodies_[i]);
                out[i].push_back(bodies_[i].last);
            }
        }
        return out;
    }

private:
    static RagdollWorldOptions options(const Scene& scene) {
        RagdollWorldOptions o;
        const bool walks = std::ranges::any_of(scene.bodies, &SceneBody::walks);
        const bool all_walk = std::ranges::all_of(scene.bodies, &SceneBody::walks);
        const bool follows = std::ranges::any_of(scene.bodies, [](const SceneBody& b) { return b.limp > 0.0; });
        if (walks || follows) o.step = walking_world.step;  // what works by torques needs short steps
        if (walks) o.iterations = all_walk ? walking_world.iterations : 2 * walking_world.iterations;
        o.gravity = scene.gravity;
        return o;
    }

    // A scene without a plane or a box has a floor.
    void add_solids() {
        bool floor = false;
        for (const SceneCollider& c : scene_.colliders) {
            const double friction = c.collider.friction;
            if (c.box) {
                floor = true;
                for (int k = 0; k < 3; ++k)
                    for (const double side : {-1.0, 1.0})
                        if (k != 1 || side < 0.0)
                            world_.add_plane(c.at + 0.5 * side * c.size[k] * Vec3d::Unit(k), -side * Vec3d::Unit(k),
                                             friction);
            } else if (c.collider.shape == ColliderShape::plane) {
                floor = true;
                world_.add_plane(c.collider.a, c.collider.normal, friction);
            } else if (!c.collider.hollow && c.collider.shape == ColliderShape::sphere) {
                world_.add_ball(c.collider.a, c.collider.radius, friction);
            } else if (!c.collider.hollow) {
                world_.add_capsule(c.collider.a, c.collider.b, c.collider.radius, friction);
            }
        }
        if (!floor) world_.add_plane(Vec3d::Zero(), Vec3d::UnitY());
    }

    Quatd turn_of(const RunningBody& b) const {
        return Quatd(Eigen::AngleAxisd(b.scene->turn_deg * std::numbers::pi / 180.0, b.body.up));
    }
    void motion_at(double time, Pose& pose) const {
        pose = rest_pose(character_);
        if (!clip_) return;
        const double length = std::max(static_cast<double>(duration(*clip_)), 1e-3);
        sample(*clip_, static_cast<float>(time - std::floor(time / length) * length), pose);
    }
    std::vector<PartState> target_at(const RunningBody& b, double time) const {
        Pose before, now;
        motion_at(std::max(0.0, time - velocity_step), before), motion_at(std::max(time, velocity_step), now);
        std::vector<PartState> parts = parts_of_pose(b.body, before, now, velocity_step);
        return placed(std::move(parts), turn_of(b), b.scene->at);
    }

    Result<void> add(const SceneBody& asked) {
        RunningBody b;
        b.scene = &asked;
        SINEW_TRY(b.body, fit_ragdoll(character_, asked.walks ? walking_parts : RagdollOptions{}));
        motion_at(0.0, b.last);
        std::vector<PartState> start;
        if (asked.walks) {
            if (!style_) {  // all walkers are of one character
                SINEW_TRY(style_, walk_style_for(b.body, progress_));
            }
            SINEW_TRY(b.walker, BalancedWalker::create(b.body, *style_));
            start = placed(b.walker->stand(Vec3d::Zero()), turn_of(b), asked.at);
            b.number = world_.add(b.body, start, b.walker->limpness());
        } else {
            start = asked.pose
                        ? placed(parts_of_pose(b.body, random_ragdoll_pose(b.body, *asked.pose)), turn_of(b), asked.at)
                        : target_at(b, 0.0);
            b.limp = !(asked.limp > 0.0);
            b.tracker.emplace(b.body);
            b.number = world_.add(b.body, start, b.limp ? RagdollLimpness{} : RagdollLimpness{.damping = 0.0});
        }
        for (const ScenePush& push : asked.pushes) {
            SINEW_TRY(const size_t part, find_pushed_part(b.body, push.part));
            b.pushed.push_back(part);
        }
        bodies_.push_back(std::move(b));
        return {};
    }

    void warn_of_fall(const RunningBody& b) {
        for (const ScenePush& push : b.scene->pushes)
            if (push.at <= world_.time()) return;
        warnings_.push_back(
            fmt::format("body {} falls after {:.1f} s, though nothing pushed it: it has not learnt to walk, as bodies "
                        "with heavy heads or short legs may not",
                        b.scene - scene_.bodies.data() + 1, world_.time()));
    }

    void step() {
        const double time = world_.time();
        for (RunningBody& b : bodies_) {
            for (size_t k = 0; k < b.pushed.size(); ++k) {
                const ScenePush& push = b.scene->pushes[k];
                if (time >= push.at && time < push.at + push.seconds)
                    world_.push(b.number, b.pushed[k], push.force, world_.parts(b.number)[b.pushed[k]].position);
            }
            if (b.getting_up || b.limp) continue;
            const bool falls = b.walker ? b.walker->fallen(world_, b.number) : time >= b.scene->limp;
            if (falls) {
                if (b.walker) warn_of_fall(b);
                b.limp = true, world_.set_limpness(b.number, {});
            } else if (b.walker) {
                b.walker->apply(world_, b.number, b.scene->turn_deg * std::numbers::pi / 180.0);
            } else {
                b.tracker->apply(world_, b.number, target_at(b, time));
            }
        }
        world_.step();
    }

    // It stands up on what is below the place where its feet will be, which it may have fallen down to.
    void get_up(RunningBody& b, const Pose& stands) const {
        const Vec3d up = b.body.up, lies = world_.parts(b.number)[0].position;
        b.ground = world_.ground_below(lies, up, b.scene->at.dot(up));
        b.getting_up.emplace(b.body, b.last, stands, b.ground);
        const Vec3d feet = b.getting_up->turn() * parts_of_pose(b.body, stands)[0].position + b.getting_up->move();
        b.ground = world_.ground_below(feet + (lies - feet).dot(up) * up, up, b.ground);
        b.getting_up.emplace(b.body, b.last, stands, b.ground);
    }

    // From the world while it falls; from getting up on, from there and the motion.
    void record(RunningBody& b) {
        const double time = world_.time();
        if (!b.getting_up) {
            pose_of_parts(b.body, world_.parts(b.number), b.last);
            const double from =
                std::max(b.scene->get_up.value_or(INFINITY), b.walker ? 0.0 : b.scene->limp + falling_seconds);
            if (!(b.limp && time >= from && world_.at_rest(b.number))) return;
            Pose stands;
            motion_at(0.0, stands);
            get_up(b, stands);
            b.up_since = time;
            return;
        }
        const double since = time - b.up_since;
        if (since <= b.getting_up->seconds()) return b.getting_up->pose_at(since, b.last);
        motion_at(since - b.getting_up->seconds(), b.last);
        const Vec3d lift = b.ground * b.body.up;
        const auto parts = placed(parts_of_pose(b.body, b.last), b.getting_up->turn(), b.getting_up->move() + lift);
        pose_of_parts(b.body, parts, b.last);
    }

    const Scene& scene_;
    const Character& character_;
    const Clip* clip_;
    std::vector<std::string>& warnings_;
    RagdollWorld world_;
    std::vector<RunningBody> bodies_;
    std::optional<WalkStyle> style_;
    Progress progress_;
};

void add_body_tracks(Clip& clip, size_t first, const Skeleton& skeleton, const std::vector<Pose>& frames,
                     std::span<const float> times) {
    for (size_t j = 0; j < skeleton.size(); ++j) {
        Track turn{.target = static_cast<int32_t>(first + j), .path = TrackPath::rotation, .width = 4};
        Track move{.target = static_cast<int32_t>(first + j), .path = TrackPath::translation, .width = 3};
        Quat before = frames[0].local[j].rotation;
        bool turns = false, moves = false;
        for (size_t f = 0; f < times.size(); ++f) {
            Quat q = frames[f].local[j].rotation;
            if (q.dot(before) < 0.0f) q.coeffs() *= -1.0f;
            before = q;
            const Vec3& t = frames[f].local[j].translation;
            turn.times.push_back(times[f]),
                turn.values.insert(turn.values.end(), q.coeffs().data(), q.coeffs().data() + 4);
            move.times.push_back(times[f]), move.values.insert(move.values.end(), t.data(), t.data() + 3);
            turns = turns || !(q.coeffs() == skeleton.rest()[j].rotation.coeffs());
            moves = moves || !(t == skeleton.rest()[j].translation);
        }
        if (turns) clip.tracks.push_back(std::move(turn));
        if (moves) clip.tracks.push_back(std::move(move));
    }
}

}  // namespace

Result<BodyFrames> run_bodies(const Scene& scene, const Character& character, const Clip* clip,
                              const Progress& progress, std::vector<std::string>& warnings) {
    return BodiesRun(scene, character, clip, warnings).run(progress);
}

void add_further_bodies(Character& character, const Character& original, const BodyFrames& frames,
                        std::span<const float> times) {
    for (size_t b = 1; b < frames.size(); ++b) {
        auto names = character.skeleton.names();
        auto parents = character.skeleton.parents();
        auto rest = character.skeleton.rest();
        const auto first = static_cast<int32_t>(names.size());
        const Skeleton& one = original.skeleton;
        names.insert(names.end(), one.names().begin(), one.names().end());
        rest.insert(rest.end(), one.rest().begin(), one.rest().end());
        for (const int32_t p : one.parents()) parents.push_back(p < 0 ? -1 : p + first);
        character.joint_source.resize(names.size(), -1);
        auto skeleton = Skeleton::create(std::move(names), std::move(parents), std::move(rest));
        SINEW_CHECK(skeleton.has_value());
        character.skeleton = *std::move(skeleton);
        add_instances(original, static_cast<size_t>(first), character);
        add_body_tracks(character.clips.front(), static_cast<size_t>(first), one, frames[b], times);
    }
    layout_morphs(character);
}

}  // namespace sinew
