// The browser's core has no decoders: the page decodes what it draws.
#include <sinew/image/decode_image.h>

namespace sinew {

Result<ImagePixels> decode_image(ByteSpan) {
    return fail(ErrorCode::unsupported, "the studio does not decode pictures; convert the file first: sinew convert");
}

}  // namespace sinew
