// Framing a motion: finds where the cameras stand, how large the character is, and where the ground lies.
// Data flow: Character, clip, times → *here* → camera.h, surface.h's units.
#pragma once

#include <sinew/render/camera.h>
#include <sinew/render/scene/figure.h>

namespace sinew {

// The character at one time: pose, joints, vertices. One object serves for all times.
class Moment {
public:
    Moment(const Character& character, const PreviewOptions& options);
    void set(float time);
    // Positions and joints alone, without normals, which cost most: enough to see how far it reaches.
    void set_outline(float time);
    void set_outline_at_rest();
    std::vector<Vec3> joints_in_scene(const Placement& placement) const;

    std::vector<DeformedPrimitive> deformed;
    std::vector<AffineD> world_from_joint;

private:
    void set(const Pose& pose, CharacterDeformer& deformer);

    const Character& character_;
    const Clip* clip_;
    CharacterDeformer deformer_, outline_;
};

struct View {
    ViewAngles angles;
    Camera camera;    // in scene units, before any turn
    Vec3 eye_offset;  // of the camera from the pivot, in the camera's own axes
};

// How all pictures of a preview are taken, in scene units: the pivot is the origin and the character's size is 1.
struct Shot {
    Placement placement;
    float ground = 0.0f;
    bool has_extent = false;  // false where everything is in one point, or nowhere
    std::vector<View> views;
    std::vector<Vec3> travel;  // per picture, how far the camera has gone along with the figure
};

struct Subject {
    const Figure* figure = nullptr;  // null: only bones
    bool bones = false;
};

// Visits all times once, and leaves `moment` at the outline of one of them. A still of a clip gets the ground of the
// whole clip.
Shot frame_motion(const Character& character, const PreviewOptions& options, const Subject& subject, Moment& moment);

// The view's camera for a picture, after turning about the vertical axis through the pivot.
Camera camera_of(const Shot& shot, size_t view, float turn, size_t picture = 0);

}  // namespace sinew
