#include <sinew/ragdoll/control/walk_trial.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double ground_friction = 0.9;

}  // namespace

Result<WalkOutcome> try_walk(const RagdollBody& body, const WalkStyle& style, const WalkTrial& trial) {
    SINEW_TRY(BalancedWalker walker, BalancedWalker::create(body, style));
    RagdollWorld world(walking_world);
    world.add_plane(Vec3d::Zero(), Eigen::AngleAxisd(-trial.slope, body.left) * body.up, ground_friction);
    const size_t me = world.add(body, walker.stand(Vec3d::Zero()), walker.limpness());
    const auto chest = static_cast<size_t>(body.find(PartKind::chest));
    WalkOutcome out;
    const Vec3d start = world.parts(me)[0].position;
    double restless = 0.0, first_push = INFINITY;
    for (const WalkPush& push : trial.pushes) first_push = std::min(first_push, push.at);
    const auto look = [&] {
        const Vec3d gone = world.parts(me)[0].position - start;
        out.steps = walker.steps(), out.seconds = world.time();
        out.distance = gone.dot(body.ahead), out.sideways = gone.dot(body.left);
        out.effort = restless / std::max(out.seconds, world.step_seconds());
    };
    while (world.time() < trial.seconds && walker.steps() < trial.steps && !out.fell) {
        if (world.time() < first_push && world.time() + world.step_seconds() >= first_push) look(), out.calm = out;
        for (const WalkPush& push : trial.pushes)
            if (world.time() >= push.at && world.time() < push.at + push.seconds)
                world.push(me, chest, push.force, world.parts(me)[chest].position);
        walker.apply(world, me);
        world.step();
        out.fell = walker.fallen(world, me);
        if (!out.fell) out.worst_yaw = std::max(out.worst_yaw, std::abs(walker.yaw(world, me)));
        restless += world.parts(me)[chest].spin.squaredNorm() * world.step_seconds();
    }
    look();
    if (world.time() < first_push) out.calm = out;
    out.last = world.parts(me);
    return out;
}

}  // namespace sinew
