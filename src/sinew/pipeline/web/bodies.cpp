// In a browser there is no Bullet: scenes with bodies that have mass are for the command line.
#include <sinew/pipeline/simulate/bodies.h>

namespace sinew {

Result<BodyFrames> run_bodies(const Scene&, const Character&, const Clip*, const Progress&, std::vector<std::string>&) {
    return fail(ErrorCode::unsupported, "ragdolls and walkers do not run in the browser; use `sinew simulate`");
}

void add_further_bodies(Character&, const Character&, const BodyFrames&, std::span<const float>) {}

}  // namespace sinew
