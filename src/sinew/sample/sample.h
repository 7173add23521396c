// Sample characters made by code, for the demo, the tests and the docs: always the same, small, nobody's property.
// Data flow: *here* → Character → everything.
#pragma once

#include <sinew/character/character.h>
#include <string_view>
#include <vector>

namespace sinew {

// Names accepted by make_sample: "humanoid" (a bare mesh), "humanoid-rigged", "humanoid-fat", "humanoid-thin",
// "humanoid-tall", "humanoid-child" (rigged too), "quadruped", "arm".
std::vector<std::string_view> sample_names();

// A smooth, closed body without a skeleton: 8–15k triangles, 1.75 m tall, in A-pose, standing on y = 0 and facing +Z.
// It has UVs and a painted texture.
Character make_humanoid();
// The same body with a skeleton, its joints named as in VRM, and smooth weights. The other builds differ from it in the
// lengths and girths of their parts, to try a motion on unlike bodies; the child is as tall as one of six years.
enum class HumanoidBuild : uint8_t { average, fat, thin, tall, child };
Character make_rigged_humanoid(HumanoidBuild build = HumanoidBuild::average);
// A rigged animal with four legs and a tail.
Character make_quadruped();
// A rigged arm along +X, nearly a cylinder, with elbow and hand: for trying out bends and twists.
Character make_arm();

// An unknown name fails with not_found; the message suggests the known ones.
Result<Character> make_sample(std::string_view name);

}  // namespace sinew
