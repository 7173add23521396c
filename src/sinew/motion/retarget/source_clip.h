// SourceClip: the motion to be retargeted, as world poses, and the paths of its hips and feet.
// Data flow: Clip of a motion file → *here* → contacts.h, reference_stance.h, transfer.h.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/motion/retarget/contacts.h>
#include <sinew/motion/retarget/motion_body.h>
#include <string>

namespace sinew {

// How a motion that loops goes on: after `frames` each pose comes again, turned and moved over the ground.
struct Cycle {
    size_t frames = 0;  // none: the motion does not loop
    Quatd turn = Quatd::Identity();
    Vec3d shift = Vec3d::Zero();
};
// The pose a number of rounds later.
WorldPose carry(WorldPose pose, const Cycle& cycle, std::ptrdiff_t rounds);

struct SourceClip {
    const Skeleton& skeleton;
    Clip clip;                 // without morph weights
    std::vector<float> times;  // of the frames
    float start = 0;           // the motion begins here; frames before it show this moment
    // A motion that loops goes on before its beginning and after its end (cycle.h): its own frames are those from
    // `lead` to `lead` + cycle.frames, both included.
    Cycle cycle = {};
    size_t lead = 0;

    WorldPose pose_at(size_t frame) const;
    // The times of the clip's own frames.
    std::vector<float> own_times() const;
};

// The tracks of joints alone: what morph weights do is not the concern of retargeting.
Clip joints_only(const Clip& motion);

// Frames at `fps`, and one at the clip's end. Fails on a clip that does not fit the skeleton, a rate that is not
// positive, and more than a million frames.
Result<SourceClip> make_source_clip(const Skeleton& skeleton, const Clip& motion, float fps);

// The pose that the motion is measured from: `stance`, or the rest pose where that is empty. Some files rest in a heap:
// then the frame that looks most like standing, with a warning.
WorldPose find_reference_pose(const SourceClip& source, const HumanoidMap& map, const std::vector<Transform>& stance,
                              std::vector<std::string>& warnings);

// The source's hips and feet over all frames.
struct SourcePaths {
    std::vector<Vec3d> sockets;  // midway between the hip sockets
    bool has_feet = false;       // where false, what follows is empty
    std::array<FootPath, 2> feet;
    std::array<std::vector<Quatd>, 2> foot_rotation;
};
SourcePaths trace_paths(const SourceClip& clip, const Body& body);

// The direction of a foot, in the reference pose, that points up while the foot stands flat: while its ankle is low and
// slow. Captures differ from their rest pose by up to 30 degrees here. Zero where the clip does not show it.
Vec3d find_sole_up(const Body& body, const SourcePaths& paths, size_t side, double fps);

}  // namespace sinew
