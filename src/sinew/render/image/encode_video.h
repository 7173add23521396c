// Video: pictures → an MP4 or WebM file, made by the program ffmpeg where it is installed.
// Data flow: render_preview() → *here* → bytes of a file. No shell is involved: the program gets its arguments as they
// are.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/render/preview.h>
#include <span>
#include <string_view>

namespace sinew {

// "mp4" and "webm".
bool is_video_format(std::string_view format);

// Fails, and says what to install, when there is no ffmpeg in the folders of $PATH.
Result<void> check_video_encoder();

// `pictures`: one or more, of one size. Fails where ffmpeg does.
Result<Bytes> encode_video(std::span<const Picture> pictures, float fps, std::string_view format);

}  // namespace sinew
