// Edit the weights that a character has: transfer, mirror, smooth, prune, limit.
// Data flow: Character with skins → *here* (weights) → the same Character.
#pragma once

#include <sinew/character/character.h>
#include <sinew/core/progress.h>
#include <filesystem>
#include <optional>

namespace sinew {

// Done in this order; what is not asked for is not done. Vertices at one place get equal weights in any case.
struct EditWeightsOptions {
    // Takes weights from the surface of this character, joint by name. Both stand at rest.
    const Character* transfer_from = nullptr;
    std::optional<int> mirror = {};  // axis 0…2: its positive side onto the negative one
    int smooth = 0;                  // passes
    float prune = 0.0f;              // weights below this go
    int influences = 0;              // at most, per vertex; 0: as many as there are
};

struct EditWeightsReport {
    size_t vertices = 0, changed = 0;
    size_t max_influences = 0, unweighted_vertices = 0;
    double largest_sum_error = 0.0;
    size_t transferred = 0;       // vertices that matched the source's surface; the others were filled in
    size_t mirror_unmatched = 0;  // vertices that found nothing at their mirror image
    std::vector<std::string> warnings;
};

// All skinned meshes in the scene are edited as one surface. Fails when there are none, or when the source shares no
// joint name with the character; an error that is the source's says "transfer" in `where`.
Result<EditWeightsReport> edit_weights(Character& character, const EditWeightsOptions& options);

// The whole job on files, as `sinew weights` does it. "-" is standard input or output; empty paths are not written.
struct EditWeightsJob {
    std::filesystem::path input = {};
    std::filesystem::path transfer_from = {};  // empty: from none
    std::filesystem::path output = {};         // .glb, .gltf, .vrm or .fbx
    std::filesystem::path report = {};         // encode_json() of the report
    bool replace_input = false;                // the output may be one of the inputs
    EditWeightsOptions options = {};
    Listener listener = {};
};
struct EditWeightsFileReport {
    std::string input, output;
    EditWeightsReport edit;
    StageSeconds seconds;
    std::vector<std::string> warnings;
};
// All or nothing is written. Errors name their file first in `where`.
Result<EditWeightsFileReport> edit_weights_file(const EditWeightsJob& job);

// The report as one JSON object, indented; fields are only ever added.
std::string encode_json(const EditWeightsFileReport& report);

}  // namespace sinew
