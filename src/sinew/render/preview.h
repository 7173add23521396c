// Previews: Character, clip and time → pictures one would show to a person.
// Data flow: Character → deform → *here* (Embree) → Picture → bytes of a PNG, WebP or GIF file.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/core/bytes.h>
#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// 8-bit sRGB, RGBA, rows from the top.
struct Picture {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<uint8_t> rgba;
};

struct PreviewOptions {
    int32_t width = 640;
    int32_t height = 640;
    int32_t samples = 4;         // antialiasing: samples² rays per pixel
    bool skin = true;            // the shaded surface
    bool weights = false;        // the surface coloured by joint, or by one joint's weight as a heat map
    bool bones = false;          // the skeleton, drawn over the surface
    bool wire = false;           // triangle edges
    int32_t weight_joint = -1;   // skeleton joint for the heat map; −1: every joint its colour
    int32_t views = 1;           // 1: three-quarter view; 4: front, side, back, three-quarter in a 2×2 sheet
    const Clip* clip = nullptr;  // null: at rest
    std::vector<float> times = {0.0f};
    // How far the camera has gone round the character in each picture, radians; empty: 0
    std::vector<float> turns = {};
    Skinning skinning = Skinning::linear_blend;
    int32_t delta_mush = 0;  // iterations
    Progress progress = {};
};

constexpr int32_t max_picture_side = 8192;

// One picture per time. The camera frames the character at all of these times and stands still (unless it turns);
// ground with a soft shadow where the character stands at rest, or else at the lowest point of the clip. Without
// meshes, the bones are shown whatever the options say. Fails when there is nothing to show at all. The same bytes for
// any number of threads.
Result<std::vector<Picture>> render_preview(const Character& character, const PreviewOptions& options);

// Pictures as the bytes of an image file. `format`: "png" (one picture), "webp" or "gif" (one, or several as an
// endless loop at `fps`). All pictures have the same size. Deterministic: no time stamps, no threads. A single WebP is
// all but lossless, a moving one lossy.
Result<Bytes> encode_pictures(std::span<const Picture> pictures, float fps, std::string_view format);

// The same for one format each. `milliseconds` is how long one picture is shown.
Result<Bytes> encode_png(const Picture& picture);
Result<Bytes> encode_webp(std::span<const Picture> pictures, float milliseconds);
Result<Bytes> encode_gif(std::span<const Picture> pictures, float milliseconds);

}  // namespace sinew
