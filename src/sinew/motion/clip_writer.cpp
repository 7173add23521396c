#include <sinew/motion/clip_writer.h>

#include <sinew/math/noise.h>

namespace sinew {

Track rotation_track(int32_t joint, const std::vector<float>& times, const std::vector<Quatd>& rotations) {
    Track track{joint, TrackPath::rotation, Interpolation::linear, 4, times, {}};
    track.values.reserve(4 * rotations.size());
    Quatd last = Quatd::Identity();
    for (const Quatd& rotation : rotations) {
        Quatd q = rotation.normalized();
        if (q.dot(last) < 0) q.coeffs() *= -1;
        last = q;
        for (int i = 0; i < 4; ++i) track.values.push_back(without_noise(q.coeffs()[i]));
    }
    return track;
}

Track translation_track(int32_t joint, const std::vector<float>& times, const std::vector<Vec3d>& positions) {
    Track track{joint, TrackPath::translation, Interpolation::linear, 3, times, {}};
    track.values.reserve(3 * positions.size());
    for (const Vec3d& p : positions)
        for (int i = 0; i < 3; ++i) track.values.push_back(without_noise(p[i]));
    return track;
}

}  // namespace sinew
