// Previews: draws a character, at rest or in a clip, as a person would like to see it.
// Data flow: Character → character/character_deformer.h → *here* → Picture → bytes of a PNG, WebP or GIF file.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/bytes.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// 8-bit sRGB with alpha, row by row from the top.
struct Picture {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<uint8_t> rgba;
};

// Where a picture is taken from. Azimuth 0 sees the front, which is where the character looks at rest, as its skeleton
// tells (+Z where that tells nothing); π/2 sees its left side; a positive elevation looks down.
struct PreviewCamera {
    float azimuth = radians(32.0f), elevation = radians(11.0f);
    float distance = 1.0f;  // times that at which the figure just fits into the picture; (0, 100]
};

struct PreviewOptions {
    int32_t width = 640;
    int32_t height = 640;
    int32_t samples = 4;        // antialiasing: samples² per pixel; 1 to 8
    bool skin = true;           // the shaded surface
    bool weights = false;       // the surface coloured by joint, or by one joint's weight as a heat map
    bool bones = false;         // the skeleton, drawn over the surface
    bool wire = false;          // triangle edges
    int32_t weight_joint = -1;  // the joint whose weight is shown as a heat map; −1: each joint has its own colour
    int32_t views = 1;          // 1: as `camera` says; 4: front, side, back, three-quarter in a 2×2 sheet
    PreviewCamera camera = {};
    float zoom = 1.0f;           // enlarges the middle of the picture; [0.1, 100]
    bool follow = false;         // the camera goes along with the figure, over the ground
    int32_t focus_joint = -1;    // the camera looks at this joint and goes along with it; −1: at the whole figure
    const Clip* clip = nullptr;  // null: at rest
    std::vector<float> times = {0.0f};  // of the clip, in seconds: one picture each
    std::vector<float> turns = {};  // per picture, how far the camera has gone round the character, radians; empty: 0
    Skinning skinning = Skinning::linear_blend;
    int32_t delta_mush = 0;  // iterations of delta mush smoothing
    Progress progress = {};
};

constexpr int32_t min_picture_side = 16, max_picture_side = 8192;

// Draws one picture per time. The camera stands still (unless it turns, follows or is focused on a joint) and has the
// character in view at all times (unless it zooms). The ground is where the character stands at rest, or else at the
// lowest point of the clip. A character without meshes shows its bones, whatever the options say. Fails on options out
// of range and when there is nothing to show. Gives the same bytes for any number of threads.
Result<std::vector<Picture>> render_preview(const Character& character, const PreviewOptions& options);

// Pictures of one size as one: row after row from the top left, `columns` in each. Cells that are left over are white.
// Fails where the sheet would be larger than max_picture_side.
Result<Picture> tile_pictures(std::span<const Picture> pictures, int32_t columns);

// Pictures as the bytes of an image file. `format`: "png" (one picture), "webp" or "gif" (one, or several as an
// endless loop at `fps`), "mp4" or "webm" (made by the program ffmpeg; fails where that is not installed). All pictures
// have the same size. Deterministic: no time stamps, no threads. A single WebP is all but lossless, a moving one lossy.
Result<Bytes> encode_pictures(std::span<const Picture> pictures, float fps, std::string_view format);

// The same for one format each. `milliseconds` is how long one picture is shown.
Result<Bytes> encode_png(const Picture& picture);
Result<Bytes> encode_webp(std::span<const Picture> pictures, float milliseconds);
Result<Bytes> encode_gif(std::span<const Picture> pictures, float milliseconds);

}  // namespace sinew
