// Elastic posing: drag vertices or joints of a skinned character, and the rest of the body follows as an elastic one
// would. Data flow: Skeleton, skinned meshes → ElasticPoser, once; handles → *here* → a pose.
//
//   auto poser = ElasticPoser::create(skeleton, skeleton.rest(), meshes);
//   const ElasticHandle handles[] = {{.joint = foot, .target = where_it_is}, {.vertex = 1203, .target = there}};
//   std::vector<Transform> pose = skeleton.rest();
//   ElasticResult result = poser->solve(handles, pose);
#pragma once

#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// A mesh at rest and what it follows: positions in the space that its skin was bound in. Vertices without influences
// and triangles without area count for nothing.
struct ElasticMesh {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;  // three indices each
    const Influences* influences = nullptr;
    const Skin* skin = nullptr;
};

// What is held or dragged, in world space: a joint, or a vertex of one of the meshes.
struct ElasticHandle {
    int32_t joint = -1;   // of the skeleton; −1: the vertex below
    int32_t vertex = -1;  // of mesh number `mesh`
    int32_t mesh = 0;
    Vec3d target = Vec3d::Zero();
    std::optional<Quatd> rotation = {};  // a joint only: the way it shall stand in the world, too
    double weight = 1.0;                 // who wins where handles pull against each other
};

struct ElasticOptions {
    // Rotations that the surface is given, for each pair of joints that blend: more are nearer to the exact energy, and
    // slower. 0: one for each vertex, which is exact and slow.
    int rotations_per_blend = 3;
    bool move_root = true;             // the topmost joints that carry skin may also move, not only turn
    std::vector<int32_t> locked = {};  // joints that keep their own rotation
    int iterations = 100;              // at most
    double tolerance = 1e-4;           // stops when a step gains less than this share of what is left
    double reached_within = 1e-3;      // of the body's size: a handle that near its target has reached it
};

struct ElasticResult {
    bool reached = false;        // all handles
    std::vector<double> errors;  // how far each handle is from its target
    double energy = 0.0;         // of the pose; see ElasticPoser::energy
    int iterations = 0;
};

// The energy is that of "as rigid as possible" [Sorkine2007] on the surface that linear blend skinning makes of a pose:
// how much each vertex's neighbourhood differs from a turned copy of what it was in the reference pose. Handles pull
// with springs that are stiff beside it. Bending thus costs where skin is bent, and a drag spreads over all joints as
// their flesh allows.
//
// The energy is reduced once to the joints and a few rotations of skin that blends alike [JacobsonFast2012], so that a
// solve does not depend on the number of vertices: each step costs O(joints² + rotations · depth) to set up and
// O(joints³) to solve. The published method lets joints stretch and shear and leaves that to the user. Here the
// unknowns are the joints' rotations, and the places of the topmost ones, so that every step is a pose: no bone changes
// its length, no joint its scale. A step is Gauss–Newton's with the skin's rotations eliminated: they follow the joints
// within the step, which a plain alternation of the two takes dozens of rounds for.
class ElasticPoser {
public:
    // `reference`: the pose, one transform per joint, that counts as undeformed. Dragging nothing gives it back.
    // Fails if sizes do not match, an index is out of range, or no joint carries skin. O(vertices).
    static Result<ElasticPoser> create(const Skeleton& skeleton, std::span<const Transform> reference,
                                       std::span<const ElasticMesh> meshes, const ElasticOptions& options = {});
    ~ElasticPoser();
    ElasticPoser(ElasticPoser&&) noexcept;
    ElasticPoser& operator=(ElasticPoser&&) noexcept;

    // Starts at `pose`, which has one transform per joint, and leaves the result in it; only rotations of joints that
    // carry skin, or stand between such joints, and places of the topmost of them change. Where handles contradict each
    // other or are out of reach it ends where they balance. Finite handles never give NaN; a handle that is not finite,
    // or names no joint or vertex, is left out, with an infinite error. Deterministic; may be called from several
    // threads at once.
    ElasticResult solve(std::span<const ElasticHandle> handles, std::span<Transform> pose) const;

    // The energy of a pose, as a share of the surface: 0 for the reference pose however it is moved and turned, about
    // the mean square of the skin's strain otherwise.
    double energy(std::span<const Transform> pose) const;

    size_t rotation_count() const;  // that the surface was given
    size_t joint_count() const;     // that may turn
    double body_size() const;       // the diagonal of the box around the reference pose

private:
    struct Prepared;
    explicit ElasticPoser(std::unique_ptr<const Prepared> prepared);
    std::unique_ptr<const Prepared> prepared_;
};

}  // namespace sinew
