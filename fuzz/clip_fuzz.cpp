// Fuzzes the reader of compiled clips: whatever it accepts can be sampled at any time. The checksum is mended first, or
// nothing would get past it.
#include <sinew/clip/compiled/clip_bytes.h>
#include <sinew/clip/compiled/compiled_clip.h>

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Skeleton skeleton =
        *Skeleton::create({"root", "middle", "tip"}, {-1, 0, 1}, std::vector<Transform>(3));
    Bytes bytes(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
    if (size >= sizeof(ClipHead)) {
        ClipHead head;
        std::memcpy(&head, bytes.data(), sizeof(head));
        std::memcpy(head.magic, ClipHead().magic, sizeof(head.magic));
        head.version = ClipHead().version, head.skeleton = skeleton_mark(skeleton), head.joints = 3;
        std::memcpy(bytes.data(), &head, sizeof(head));
        head.checksum = mark_bytes(ByteSpan(bytes).subspan(checked_from));
        std::memcpy(bytes.data(), &head, sizeof(head));
    }
    const auto clip = read_compiled_clip(bytes, skeleton);
    if (!clip) return 0;
    Pose pose{.local = skeleton.rest(), .morphs = std::vector<float>(clip->float_count())};
    for (const float time : {clip->start(), 0.5f * (clip->start() + clip->end()), clip->end(), 1e30f}) {
        sample(*clip, time, pose);
        sample_scalar(*clip, time, pose);
    }
    return 0;
}
