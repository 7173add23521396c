#include <gif_lib.h>

#include <sinew/render/image/quantize.h>
#include <sinew/render/preview.h>
#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew {

namespace {

constexpr int transparent = 255;  // the palette's last entry is never a colour: it means "as before"

tl::unexpected<Error> gif_failed() {
    return fail(ErrorCode::io, "the GIF could not be encoded; choose a smaller picture or fewer frames");
}

int append(GifFileType* gif, const GifByteType* data, int count) {
    auto& out = *static_cast<Bytes*>(gif->UserData);
    const auto* first = reinterpret_cast<const std::byte*>(data);
    out.insert(out.end(), first, first + count);
    return count;
}

struct Rect {
    int32_t left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are outside
};

// The part of the picture that differs from the one before; one pixel when nothing does.
Rect changed_part(const std::vector<uint8_t>& now, const std::vector<uint8_t>& before, int32_t width, int32_t height) {
    if (before.empty()) return {0, 0, width, height};
    Rect rect{width, height, 0, 0};
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const size_t at = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
            if (now[at] == before[at]) continue;
            rect = {std::min(rect.left, x), std::min(rect.top, y), std::max(rect.right, x + 1),
                    std::max(rect.bottom, y + 1)};
        }
    }
    return rect.right > rect.left ? rect : Rect{0, 0, 1, 1};
}

bool put_frame(GifFileType* gif, const std::vector<uint8_t>& now, const std::vector<uint8_t>& before, int32_t width,
               int32_t height, int delay_hundredths) {
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = delay_hundredths;
    control.TransparentColor = before.empty() ? NO_TRANSPARENT_COLOR : transparent;
    GifByteType extension[4];
    EGifGCBToExtension(&control, extension);
    if (EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, sizeof extension, extension) == GIF_ERROR) return false;
    const Rect rect = changed_part(now, before, width, height);
    if (EGifPutImageDesc(gif, rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top, false, nullptr) ==
        GIF_ERROR)
        return false;
    std::vector<GifByteType> row(static_cast<size_t>(rect.right - rect.left));
    for (int32_t y = rect.top; y < rect.bottom; ++y) {
        for (int32_t x = rect.left; x < rect.right; ++x) {
            const size_t at = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
            const bool same = !before.empty() && now[at] == before[at];
            row[static_cast<size_t>(x - rect.left)] = same ? GifByteType{transparent} : now[at];
        }
        if (EGifPutLine(gif, row.data(), static_cast<int>(row.size())) == GIF_ERROR) return false;
    }
    return true;
}

bool put_loop_forever(GifFileType* gif) {
    const GifByteType loop[3] = {1, 0, 0};
    return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) != GIF_ERROR &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") != GIF_ERROR &&
           EGifPutExtensionBlock(gif, sizeof loop, loop) != GIF_ERROR && EGifPutExtensionTrailer(gif) != GIF_ERROR;
}

bool put_screen(GifFileType* gif, const std::vector<Rgb>& palette, int32_t width, int32_t height) {
    std::vector<GifColorType> colors(256, GifColorType{0, 0, 0});
    for (size_t i = 0; i < palette.size(); ++i) colors[i] = {palette[i][0], palette[i][1], palette[i][2]};
    std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(GifMakeMapObject(256, colors.data()),
                                                                   GifFreeMapObject);
    EGifSetGifVersion(gif, true);
    return map && EGifPutScreenDesc(gif, width, height, 8, 0, map.get()) != GIF_ERROR;
}

}  // namespace

Result<Bytes> encode_gif(std::span<const Picture> pictures, float milliseconds) {
    const int32_t width = pictures[0].width, height = pictures[0].height;
    const std::vector<Rgb> palette = choose_palette(pictures, transparent);
    Quantizer quantizer(palette);
    Bytes out;
    int error = 0;
    GifFileType* gif = EGifOpen(&out, append, &error);
    if (!gif) return gif_failed();
    bool done = put_screen(gif, palette, width, height) && (pictures.size() == 1 || put_loop_forever(gif));
    std::vector<uint8_t> before, now(static_cast<size_t>(width) * static_cast<size_t>(height));
    const auto shown_at = [&](size_t i) {
        return static_cast<int>(std::lround(0.1f * milliseconds * static_cast<float>(i)));
    };
    for (size_t i = 0; i < pictures.size() && done; ++i) {
        for (int32_t y = 0; y < height; ++y)
            for (int32_t x = 0; x < width; ++x) {
                const size_t at = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
                now[at] = quantizer.index(&pictures[i].rgba[4 * at], x, y);
            }
        // Browsers slow down anything shorter than 2/100 s.
        done = put_frame(gif, now, before, width, height, std::max(2, shown_at(i + 1) - shown_at(i)));
        before = now;
    }
    done = EGifCloseFile(gif, &error) != GIF_ERROR && done;
    if (!done) return gif_failed();
    return out;
}

}  // namespace sinew
