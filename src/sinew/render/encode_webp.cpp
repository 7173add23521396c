#include <webp/encode.h>
#include <webp/mux.h>

#include <sinew/render/encode.h>
#include <cmath>
#include <memory>

namespace sinew {

namespace {

tl::unexpected<Error> failed() {
    return fail(ErrorCode::io, "the WebP could not be encoded; choose a smaller picture or fewer frames");
}

struct FreePicture {
    void operator()(WebPPicture* picture) const {
        WebPPictureFree(picture);
        delete picture;
    }
};

std::unique_ptr<WebPPicture, FreePicture> import(const Picture& source) {
    std::unique_ptr<WebPPicture, FreePicture> picture(new WebPPicture);
    if (!WebPPictureInit(picture.get())) return nullptr;
    picture->width = source.width;
    picture->height = source.height;
    picture->use_argb = 1;
    if (!WebPPictureImportRGBA(picture.get(), source.rgba.data(), source.width * 4)) return nullptr;
    return picture;
}

Bytes to_bytes(const uint8_t* data, size_t count) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    return Bytes(first, first + count);
}

Result<Bytes> encode_still(const Picture& source) {
    WebPConfig config;
    auto picture = import(source);
    if (!picture || !WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, 6)) return failed();
    config.near_lossless = 80;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture->writer = WebPMemoryWrite;
    picture->custom_ptr = &writer;
    const bool done = WebPEncode(&config, picture.get());
    Bytes bytes = to_bytes(writer.mem, writer.size);
    WebPMemoryWriterClear(&writer);
    if (!done) return failed();
    return bytes;
}

}  // namespace

Result<Bytes> encode_webp(std::span<const Picture> pictures, float milliseconds) {
    if (pictures.size() == 1) return encode_still(pictures[0]);
    WebPAnimEncoderOptions options;
    WebPConfig config;
    if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&config)) return failed();
    options.anim_params.loop_count = 0;
    config.quality = 80.0f;
    config.method = 4;
    config.use_sharp_yuv = 1;  // saturated bones and weights would bleed otherwise
    std::unique_ptr<WebPAnimEncoder, void (*)(WebPAnimEncoder*)> encoder(
        WebPAnimEncoderNew(pictures[0].width, pictures[0].height, &options), WebPAnimEncoderDelete);
    if (!encoder) return failed();
    const auto time = [&](size_t i) { return static_cast<int>(std::lround(milliseconds * static_cast<float>(i))); };
    for (size_t i = 0; i < pictures.size(); ++i) {
        auto picture = import(pictures[i]);
        if (!picture || !WebPAnimEncoderAdd(encoder.get(), picture.get(), time(i), &config)) return failed();
    }
    if (!WebPAnimEncoderAdd(encoder.get(), nullptr, time(pictures.size()), nullptr)) return failed();
    WebPData data;
    WebPDataInit(&data);
    if (!WebPAnimEncoderAssemble(encoder.get(), &data)) return failed();
    Bytes bytes = to_bytes(data.bytes, data.size);
    WebPDataClear(&data);
    return bytes;
}

}  // namespace sinew
