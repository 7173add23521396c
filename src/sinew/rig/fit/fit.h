// What the fitters share: the body turned upright, and the joints they find in it.
// Data flow: reading.h → stand_upright → biped.h, quadruped.h, bird.h, generic.h → Fit → fit_skeleton.h, which makes a
// skeleton of it.
#pragma once

#include <sinew/rig/body/traced_limb.h>
#include <sinew/rig/body/voxel_body.h>
#include <sinew/rig/priors/prior.h>
#include <sinew/rig/stand/reading.h>
#include <sinew/skeleton/humanoid.h>
#include <optional>
#include <string>

namespace sinew {

// The body in canonical space: +X is its left, +Y up, +Z ahead; it stands on y = 0 and is mirrored at x = 0. `legs`,
// `arms` and `hind_legs` are the extremities that the reading took for them: the left (+X) one, the right one; −1:
// none.
struct Upright {
    VoxelBody body;
    Extremities ends;
    Reading reading;
    int legs[2] = {-1, -1}, arms[2] = {-1, -1}, hind_legs[2] = {-1, -1};
    double height = 0.0;

    const Extremity& end(int e) const { return ends.list[static_cast<size_t>(e)]; }
    uint32_t middle() const { return ends.middle; }
};
// Mesh space to canonical space.
std::vector<Vec3> turn_upright(std::span<const Vec3> positions, const Reading& reading);
// Looks up the tips that the reading names. The tips are in mesh space, `body` and `ends` in canonical space.
Upright stand_upright(VoxelBody body, Extremities ends, const Reading& reading);

// What one cue said of a fit.
struct FitCue {
    const Cue* cue = nullptr;
    double measured = 0.0;
    double value = 1.0;  // 0…1: what it leaves of the confidence
};

// Joints in order, a parent before its children; positions in canonical space. Names are Sinew's own: those of VRM for
// humanoids.
struct FitJoint {
    std::string name;
    int parent = -1;
    Vec3d position = Vec3d::Zero();
    double confidence = 1.0;
    Role role = Role::count;
    std::optional<Vec3d> tip;   // where a last bone ends, if known
    int mirror = -1;            // its partner; −1: by name, if it has one
    std::optional<Vec3d> bend;  // which way its bone swings, canonical; none: forward
    std::optional<Mat3d> axes;  // its own; none: find_joint_frames chooses
    std::optional<FitCue> why;  // what speaks most against this joint, if anything does
};

struct Fit {
    std::vector<FitJoint> joints;
    double confidence = 0.0;    // 0…1; the attempt with the most is kept
    double sure_of_kind = 0.0;  // 0…1, of a biped: arms in different poses make its joints doubtful, but not what it is
    double caution = 1.0;       // 0…1; the result's confidence is multiplied by it: the fit is good, but unusual
    std::vector<FitCue> cues;    // their product is `confidence`
    std::vector<FitCue> doubts;  // their product is `caution`
    std::vector<std::string> warnings;

    int add(std::string name, int parent, const Vec3d& position, double sure = 1.0, Role role = Role::count);
    int find(std::string_view name) const;
};

// A horizontal cut through the body: the voxels of one level that hang together.
struct Cut {
    Vec3d centre = Vec3d::Zero();
    double half_width = 0.0, half_depth = 0.0, area = 0.0;
    bool found = false;
};
// The cut at height y that is nearest to `near`. What is farther than `width` from it along x (an arm) is left out.
Cut cut_level(const VoxelBody& body, double y, const Vec3d& near, double width);

// The highest place on the shortest way from one foot to the other.
Vec3d find_crotch(const VoxelBody& body, const TracedLimb& left, uint32_t right_tip);

// The mirror image in canonical space.
inline Vec3d mirrored(const Vec3d& p) {
    return {-p.x(), p.y(), p.z()};
}

// Makes left and right exact mirror images of each other, if they already are within `tolerance`.
void agree(Vec3d& left, Vec3d& right, double tolerance);

// Adds `count` joints along a limb from its root (a slice of it) toward its tip, the first at the root.
void add_chain(Fit& fit, int parent, const std::string& name, const TracedLimb& limb, double root_slice, int count);

// A point moved to the middle of the limb around it, where the body is thickest, no farther than `most`.
Vec3d centre_in_body(const VoxelBody& body, const Vec3d& point, double most);

}  // namespace sinew
