// Drawing: one view of one moment → pixels of a picture.
// Data flow: scene.h, lighting.h, shade.h → *here* → Picture.
#pragma once

#include <sinew/render/preview.h>
#include <sinew/render/scene/lighting.h>

namespace sinew {

struct DrawOptions {
    int32_t samples = 4;             // samples² per pixel where edges need smoothing, fewer elsewhere
    bool wire = false;               // triangle edges on the figure
    const Scene* overlay = nullptr;  // drawn over the figure; dimmed where the figure is in front of it
};

// Draws into the rectangle of the camera's size whose top left corner is (left, top). The picture must contain it.
void draw_view(const Stage& stage, const DrawOptions& options, Picture& picture, int32_t left, int32_t top);

}  // namespace sinew
