#include <sinew/render/preview.h>

#include <sinew/image/encode_png.h>
#include <sinew/render/image/encode_video.h>

#include <fmt/format.h>

#include <cmath>

namespace sinew {

namespace {

Result<void> check(std::span<const Picture> pictures) {
    if (pictures.empty()) return fail(ErrorCode::invalid_argument, "there is no picture to write; render one first");
    for (const Picture& picture : pictures) {
        if (picture.width < 1 || picture.height < 1 || picture.width > max_picture_side ||
            picture.height > max_picture_side ||
            picture.rgba.size() != static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height) * 4)
            return fail(ErrorCode::invalid_argument, "a picture's size and its pixels disagree; render it again");
        if (picture.width != pictures[0].width || picture.height != pictures[0].height)
            return fail(ErrorCode::invalid_argument, "the pictures of a loop differ in size; render all in one size");
    }
    return {};
}

}  // namespace

Result<Bytes> encode_png(const Picture& picture) {
    return encode_png(picture.width, picture.height, picture.rgba);
}

Result<Bytes> encode_pictures(std::span<const Picture> pictures, float fps, std::string_view format) {
    SINEW_TRY_VOID(check(pictures));
    if (pictures.size() > 1 && !(fps >= 0.1f && fps <= 100.0f))
        return fail(ErrorCode::invalid_argument, "frames per second are out of range; choose 0.1 to 100");
    const float milliseconds = pictures.size() > 1 ? 1000.0f / fps : 1000.0f;
    if (format == "webp") return encode_webp(pictures, milliseconds);
    if (format == "gif") return encode_gif(pictures, milliseconds);
    if (is_video_format(format)) return encode_video(pictures, pictures.size() > 1 ? fps : 1.0f, format);
    if (format != "png")
        return fail(ErrorCode::unsupported,
                    fmt::format("pictures cannot be written as \"{}\"; choose png, webp, gif, mp4 or webm", format));
    if (pictures.size() > 1)
        return fail(ErrorCode::invalid_argument,
                    "a PNG holds one picture; choose .webp, .gif or .mp4 for a moving one");
    return encode_png(pictures[0]);
}

}  // namespace sinew
