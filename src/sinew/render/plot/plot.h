// Plots: curves of a clip over time, and the paths of joints. Data flow: Character, Clip → *here* (canvas.h) → Picture.
#pragma once

#include <sinew/character/character.h>
#include <sinew/render/preview.h>
#include <span>
#include <string>

namespace sinew {

// One line over x, and where its keys are.
struct PlotLine {
    std::string name;
    std::vector<double> x, y;
    std::vector<double> key_x, key_y;  // drawn as dots
};
struct PlotPanel {
    std::string title;
    std::vector<PlotLine> lines;
};
// Panels below each other over one axis, each scaled to its own lines; up to six colours, in this order.
Picture plot_panels(std::span<const PlotPanel> panels, int32_t width, int32_t height);

// What the clip does to these joints: rotations in degrees about the joint's own axes, from its rest; translations and
// scales where they are animated. Red is x, green y, blue z.
std::vector<PlotPanel> clip_panels(const Character& character, const Clip& clip, std::span<const int32_t> joints);

// The paths of these joints through the clip, seen along the camera's direction, over the figure at a few moments. The
// ticks on a path are a tenth of a second apart: far apart is fast.
Picture plot_trails(const Character& character, const Clip& clip, std::span<const int32_t> joints,
                    const PreviewCamera& camera, int32_t width, int32_t height);

}  // namespace sinew
