// Faces: what a morph shows, by the names that ARKit and VRM use, and expressions carried from face to face by them.
// Data flow: names of morphs, a VRM's own expressions → *here* → controls, and Clip → Clip of another face.
#pragma once

#include <sinew/edit/controls/controls.h>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

// A face: its morphs, and what its file says of them.
struct Face {
    std::vector<std::string> morphs;                             // in the order of Pose::morphs
    std::vector<std::pair<int32_t, int32_t>> morph_ranges = {};  // as in ControlBody
    std::vector<FileExpression> expressions = {};
};

// The name that ARKit ("eyeBlinkLeft") or VRM 1.0 ("happy") has for what a morph is called: prefixes, case, "_L" for
// left, VRM 0's and VRoid's names ("Fcl_MTH_A") and plain English ("smile") are understood. Empty where it says
// nothing.
std::string standard_face_name(std::string_view morph);

// All standard names: ARKit's 52, then VRM 1.0's 18.
std::vector<std::string> standard_face_names();

// How to show a standard expression on this face: morphs and weights. By its file's own description, else by the morph
// of that name, else put together from others: VRM's "happy" from ARKit's smile and cheeks, "eyeBlinkLeft" from
// "blinkLeft". Empty where the face cannot.
std::vector<std::pair<int32_t, float>> show_expression(const Face& face, std::string_view standard_name);

// A control, 0 to 1, for each standard name that the face can show.
std::vector<Control> face_controls(const Face& face);

// The morph tracks of a clip, and its numbers that have standard names (as VRM animations have them), as morph tracks
// of another face. Times and curves stay as they are where all that moves a mesh shares them; else keys are linear at
// all times of both. Names that the face cannot show are counted in `lost`.
struct FaceTransfer {
    std::vector<Track> tracks;
    std::vector<std::string> carried, lost;  // names of morphs that move, each once
};
FaceTransfer transfer_expressions(const Clip& clip, std::span<const std::string> source_morphs, const Face& target);

}  // namespace sinew
