#include <webp/encode.h>
#include <webp/mux.h>

#include <sinew/render/preview.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace sinew {

namespace {

tl::unexpected<Error> webp_failed() {
    return fail(ErrorCode::io, "the WebP could not be encoded; choose a smaller picture or fewer frames");
}

struct FreePicture {
    void operator()(WebPPicture* picture) const {
        WebPPictureFree(picture);
        delete picture;
    }
};

Bytes to_bytes(const uint8_t* data, size_t count) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    return Bytes(first, first + count);
}

std::optional<Bytes> encode_one(const Picture& source, const WebPConfig& config) {
    std::unique_ptr<WebPPicture, FreePicture> picture(new WebPPicture);
    if (!WebPPictureInit(picture.get())) return std::nullopt;
    picture->width = source.width;
    picture->height = source.height;
    picture->use_argb = 1;
    if (!WebPPictureImportRGBA(picture.get(), source.rgba.data(), source.width * 4)) return std::nullopt;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture->writer = WebPMemoryWrite;
    picture->custom_ptr = &writer;
    const bool done = WebPEncode(&config, picture.get());
    Bytes bytes = to_bytes(writer.mem, writer.size);
    WebPMemoryWriterClear(&writer);
    if (!done) return std::nullopt;
    return bytes;
}

Result<Bytes> encode_still(const Picture& source) {
    WebPConfig config;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, 6)) return webp_failed();
    config.near_lossless = 80;
    auto bytes = encode_one(source, config);
    if (!bytes) return webp_failed();
    return *std::move(bytes);
}

bool loop_config(WebPConfig& config) {
    if (!WebPConfigInit(&config)) return false;
    config.quality = 82.0f;
    config.method = 2;         // 4 takes twice as long for files that are a twentieth smaller
    config.sns_strength = 90;  // spend the bits where it is smooth: there the eye sees blocks first
    return true;
}

struct Patch {
    Picture picture;
    int32_t left = 0, top = 0;
};

constexpr int32_t block = 16;  // WebP's macroblock

// Whether any pixel of a block is more than a rounding away from what is on the screen.
bool block_changed(const Picture& now, const Picture& shown, int32_t left, int32_t top) {
    for (int32_t y = top; y < std::min(top + block, now.height); ++y) {
        const size_t first = 4 * (static_cast<size_t>(y) * static_cast<size_t>(now.width) + static_cast<size_t>(left));
        const size_t count = 4 * static_cast<size_t>(std::min(block, now.width - left));
        if (std::equal(&now.rgba[first], &now.rgba[first] + count, &shown.rgba[first])) continue;
        for (size_t i = first; i < first + count; ++i)
            if (std::abs(int{now.rgba[i]} - int{shown.rgba[i]}) > 1) return true;
    }
    return false;
}

// The blocks that differ from what is shown, cut out of the rest, which is clear; `shown` is brought up to date.
// WebPAnimEncoder would decide pixel by pixel and take larger differences for none: that leaves ghosts of faint shadows
// and costs more for the mask than whole blocks do for their pixels.
Patch take_changes(const Picture& now, Picture& shown) {
    const int32_t columns = (now.width + block - 1) / block, rows = (now.height + block - 1) / block;
    std::vector<bool> changed(static_cast<size_t>(columns) * static_cast<size_t>(rows));
    int32_t left = columns, top = rows, right = 0, bottom = 0;
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t c = 0; c < columns; ++c) {
            if (!block_changed(now, shown, c * block, r * block)) continue;
            changed[static_cast<size_t>(r) * static_cast<size_t>(columns) + static_cast<size_t>(c)] = true;
            left = std::min(left, c);
            top = std::min(top, r);
            right = std::max(right, c + 1);
            bottom = std::max(bottom, r + 1);
        }
    }
    if (right <= left) return {{1, 1, {0, 0, 0, 0}}, 0, 0};
    left *= block;
    top *= block;
    right = std::min(right * block, now.width);
    bottom = std::min(bottom * block, now.height);
    Patch patch{{right - left, bottom - top, {}}, left, top};
    patch.picture.rgba.assign(static_cast<size_t>(right - left) * static_cast<size_t>(bottom - top) * 4, 0);
    uint8_t* out = patch.picture.rgba.data();
    for (int32_t y = top; y < bottom; ++y) {
        for (int32_t x = left; x < right; ++x, out += 4) {
            if (!changed[static_cast<size_t>(y / block) * static_cast<size_t>(columns) +
                         static_cast<size_t>(x / block)])
                continue;
            const size_t at = 4 * (static_cast<size_t>(y) * static_cast<size_t>(now.width) + static_cast<size_t>(x));
            std::copy_n(&now.rgba[at], 4, out);
            std::copy_n(&now.rgba[at], 4, &shown.rgba[at]);
        }
    }
    return patch;
}

bool push_frame(WebPMux* mux, const Patch& patch, int milliseconds, const WebPConfig& config) {
    const auto bytes = encode_one(patch.picture, config);
    if (!bytes) return false;
    WebPMuxFrameInfo frame{};
    frame.bitstream = {reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()};
    frame.x_offset = patch.left;
    frame.y_offset = patch.top;
    frame.duration = milliseconds;
    frame.id = WEBP_CHUNK_ANMF;
    frame.dispose_method = WEBP_MUX_DISPOSE_NONE;
    frame.blend_method = WEBP_MUX_BLEND;
    return WebPMuxPushFrame(mux, &frame, 1) == WEBP_MUX_OK;
}

}  // namespace

Result<Bytes> encode_webp(std::span<const Picture> pictures, float milliseconds) {
    if (pictures.size() == 1) return encode_still(pictures[0]);
    WebPConfig config;
    std::unique_ptr<WebPMux, void (*)(WebPMux*)> mux(WebPMuxNew(), WebPMuxDelete);
    if (!mux || !loop_config(config)) return webp_failed();
    const WebPMuxAnimParams loop{.bgcolor = 0xffffffff, .loop_count = 0};
    if (WebPMuxSetAnimationParams(mux.get(), &loop) != WEBP_MUX_OK ||
        WebPMuxSetCanvasSize(mux.get(), pictures[0].width, pictures[0].height) != WEBP_MUX_OK)
        return webp_failed();
    const auto time = [&](size_t i) { return static_cast<int>(std::lround(milliseconds * static_cast<float>(i))); };
    Picture shown = pictures[0];
    for (size_t i = 0; i < pictures.size(); ++i) {
        const Patch patch = i == 0 ? Patch{pictures[0], 0, 0} : take_changes(pictures[i], shown);
        if (!push_frame(mux.get(), patch, time(i + 1) - time(i), config)) return webp_failed();
    }
    WebPData data;
    WebPDataInit(&data);
    if (WebPMuxAssemble(mux.get(), &data) != WEBP_MUX_OK) return webp_failed();
    Bytes bytes = to_bytes(data.bytes, data.size);
    WebPDataClear(&data);
    return bytes;
}

}  // namespace sinew
