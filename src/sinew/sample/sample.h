// Sample characters made by code: for the demo, the tests, the docs. Deterministic, small, free of anyone's rights.
// Data flow: *here* → Character → everything.
#pragma once

#include <sinew/character/character.h>
#include <string_view>
#include <vector>

namespace sinew {

// Names accepted by make_sample: "humanoid" (a bare mesh), "humanoid-rigged", "quadruped", "arm".
std::vector<std::string_view> sample_names();

// A smooth, closed body of 8–15k triangles, 1.75 m tall in A-pose, standing on y = 0, facing +Z; UVs, a plain material.
Character make_humanoid();
// The same with a skeleton of VRM-named joints and smooth weights.
Character make_rigged_humanoid();
// A four-legged animal with a tail, rigged.
Character make_quadruped();
// A cylinder-like arm along +X with two joints in a row and a hand: for bending and twisting.
Character make_arm();

// One of these by its name. An unknown name fails, listing the closest ones.
Result<Character> make_sample(std::string_view name);

}  // namespace sinew
