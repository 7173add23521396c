// Framing a motion: where the cameras stand, how large the character is, where the ground lies.
// Data flow: Character, clip, times → *here* → camera.h, scene.h's units.
#pragma once

#include <sinew/render/camera.h>
#include <sinew/render/scene/figure.h>

namespace sinew {

// The character at one time: pose, joints, vertices. Reused from time to time.
class Moment {
public:
    Moment(const Character& character, const PreviewOptions& options);
    void set(float time);
    void set_rest();
    std::vector<Vec3> joints_in_scene(const Placement& placement) const;

    std::vector<DeformedPrimitive> deformed;
    std::vector<AffineD> world_from_joint;

private:
    void set(const Pose& pose);

    const Character& character_;
    const Clip* clip_;
    CharacterDeformer deformer_;
};

struct View {
    ViewAngles angles;
    Camera camera;    // in scene units, standing where it stands before any turn
    Vec3 eye_offset;  // of the camera from the pivot, in the camera's own axes
};

// How all pictures of a preview are taken. Scene units: the pivot is the origin, the character is 1 large.
struct Shot {
    Placement placement;
    float ground = 0.0f;
    std::vector<View> views;
};

struct Subject {
    const Figure* figure = nullptr;  // null: only bones
    bool bones = false;
};

// Goes through all times once; for a still of a clip, the ground is that of the whole clip. `moment` is left at one of
// them.
Shot frame_motion(const Character& character, const PreviewOptions& options, const Subject& subject, Moment& moment);

// The view's camera after turning about the vertical axis through the pivot.
Camera camera_of(const Shot& shot, size_t view, float turn);

}  // namespace sinew
