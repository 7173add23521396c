// What the checks share: the body that they measure, and how a measurement becomes a row of the report.
// Data flow: Character → CheckedBody → skin_checks, bend_checks, clip_checks → rows → check_character.h.
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/pipeline/check/check_character.h>

namespace sinew {

// A character at rest, with what every check needs of it.
struct CheckedBody {
    const Character& character;
    std::vector<DeformedPrimitive> rest;  // the visible vertices in world space
    std::vector<AffineD> world;           // of the joints
    Box bounds;                           // of the visible vertices
    double height = 0;                    // of the bounds; never 0

    // The primitive and the skin of a deformed one. The skin is null where it has none.
    const Primitive& primitive(const DeformedPrimitive& part) const;
    const Skin* skin(const DeformedPrimitive& part) const;
    std::string joint_name(int32_t joint) const;
};
CheckedBody make_checked_body(const Character& character);

// How bad it is to be beyond the limit.
struct CheckLimit {
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    Grade beyond = Grade::fault;
};
CheckRow make_row(std::string name, double value, std::string unit, const CheckLimit& limit, std::string where,
                  std::string advice);

// Weights, joints, names, and how the body stands at rest.
void check_skin(const CheckedBody& body, std::vector<CheckRow>& rows);
// How far edges stretch when each joint is bent.
void check_bends(const CheckedBody& body, const Progress& progress, std::vector<CheckRow>& rows);
// Joints that flip, feet that slide, skin that stretches or goes below the floor in the clips.
void check_clips(const CheckedBody& body, const Progress& progress, std::vector<CheckRow>& rows);

// The edges of one part that are long enough to say something, and their lengths at rest.
struct EdgeStretch {
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    std::vector<float> rest_length;
};
EdgeStretch find_edges(const CheckedBody& body, size_t part);

// How many times as long as at rest the edges of all parts are in a pose: one edge in a thousand is longer. `scratch`
// is reused from call to call.
float worst_stretch(std::span<const EdgeStretch> edges, std::span<const DeformedPrimitive> posed,
                    std::vector<float>& scratch);

}  // namespace sinew
