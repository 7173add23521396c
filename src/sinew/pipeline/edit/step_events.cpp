#include <sinew/pipeline/edit/step_events.h>

#include <sinew/motion/plant/foot_contacts.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct StepFoot {
    const char* event;
    Role hip, ankle, toes;
};
constexpr StepFoot step_feet[] = {{"step_left", Role::left_upper_leg, Role::left_foot, Role::left_toes},
                                  {"step_right", Role::right_upper_leg, Role::right_foot, Role::right_toes}};

// A foot is on the ground up to this height, in legs, and off it from the other.
constexpr double on_ground = 0.035, off_ground = 0.06;

double percentile(std::vector<double> values, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<size_t>(at)];
}

// Feet that never stand still walk on the spot: they land where they come down.
std::vector<size_t> landings_by_height(const std::vector<double>& heights, double leg) {
    std::vector<size_t> frames;
    bool down = true;  // what is down at the start has not landed
    for (size_t f = 0; f < heights.size(); ++f) {
        if (!down && heights[f] < on_ground * leg) frames.push_back(f);
        down = down ? heights[f] < off_ground * leg : heights[f] < on_ground * leg;
    }
    return frames;
}

}  // namespace

Result<std::vector<ClipEvent>> find_steps(const Clip& clip, const ClipBody& body) {
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    for (const StepFoot& foot : step_feet)
        if (roles[foot.ankle] < 0 || roles[foot.hip] < 0)
            return fail(ErrorCode::unsupported,
                        "steps are found on a person's feet, and this body has none; add events with --event");
    const double fps = clip_rate(clip);
    const ClipFrames frames = sample_frames(clip, body, fps);
    std::vector<AffineD> world(body.skeleton.size());
    std::vector<std::vector<Vec3d>> paths(std::size(step_feet));
    for (const Pose& pose : frames.poses) {
        local_to_world(body.skeleton.parents(), pose.local, world);
        for (size_t side = 0; side < std::size(step_feet); ++side) {
            const int32_t toes = roles[step_feet[side].toes], ankle = roles[step_feet[side].ankle];
            paths[side].push_back(world[static_cast<size_t>(toes >= 0 ? toes : ankle)].translation());
        }
    }
    local_to_world(body.skeleton.parents(), body.rest.local, world);
    std::vector<ClipEvent> events;
    for (size_t side = 0; side < std::size(step_feet); ++side) {
        const StepFoot& foot = step_feet[side];
        const double leg = (world[static_cast<size_t>(roles[foot.hip])].translation() -
                            world[static_cast<size_t>(roles[foot.ankle])].translation())
                               .norm();
        std::vector<double> heights;
        for (const Vec3d& place : paths[side]) heights.push_back(place.y());
        constexpr double low_share = 0.05;  // of the frames: what is lower is noise
        const double ground = percentile(heights, low_share);
        for (double& height : heights) height -= ground;
        std::vector<size_t> landings;
        const std::vector<Contact> contacts = find_contacts(paths[side], Vec3d::UnitY(), ground, leg, fps);
        bool stands = false;
        for (const Contact& contact : contacts) {
            stands |= !contact.raised;
            if (!contact.raised && contact.first > 0) landings.push_back(static_cast<size_t>(contact.first));
        }
        if (!stands) landings = landings_by_height(heights, leg);
        for (const size_t f : landings) events.push_back({frames.times[f], foot.event});
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const ClipEvent& a, const ClipEvent& b) { return a.time < b.time; });
    return events;
}

}  // namespace sinew
