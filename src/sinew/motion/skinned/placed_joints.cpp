#include <sinew/motion/skinned/placed_joints.h>

#include <sinew/motion/clip_writer.h>
#include <algorithm>

namespace sinew {

std::vector<float> longest_times(const Clip& clip) {
    const auto longest =
        std::ranges::max_element(clip.tracks, {}, [](const Track& track) { return track.times.size(); });
    return longest == clip.tracks.end() ? std::vector<float>() : longest->times;
}

AffineD place_above(const std::vector<AffineD>& world, int32_t parent) {
    return parent < 0 ? AffineD(AffineD::Identity()) : world[static_cast<size_t>(parent)];
}

void PlacedJoint::add(const AffineD& parent_from_joint) {
    const Transform local = decompose(parent_from_joint).transform;
    positions.push_back(local.translation.cast<double>());
    rotations.push_back(Quatd(local.rotation.cast<double>()).normalized());
}

void PlacedJoint::write(int32_t joint, const std::vector<float>& times, Clip& clip) const {
    std::erase_if(clip.tracks, [&](const Track& track) {
        return track.target == joint && (track.path == TrackPath::translation || track.path == TrackPath::rotation);
    });
    clip.tracks.push_back(translation_track(joint, times, positions));
    clip.tracks.push_back(rotation_track(joint, times, rotations));
}

}  // namespace sinew
