// What several operations share: documents as arguments and results, and the choices of the verbs.
// Data flow: Arguments → *here* → options of pipeline; Document → *here* → JSON.
#pragma once

#include <sinew/pipeline/retarget_character.h>
#include <sinew/pipeline/rig_character.h>
#include <sinew/skin/skinning.h>

#include "call.h"

namespace sinew::web {

// The document that the argument `id` (or `name`) means.
Result<DocumentPtr> document_of(Call& call, const char* name = "id");

// Puts the changed document in the place of the one that `id` means, and adds its state to the result.
Json finish(Call& call, Document document, Json result = Json::object());

// What the page wants to know of a document at any time; `info` is what `sinew info --json` says.
Json state_json(int32_t id, const Document& document);

// A report of pipeline as JSON.
Json parsed(const std::string& encoded);

// What became of each motion: its clip, and which joint moves which.
Json motions_json(std::span<const MotionReport> reports);

// The options of `sinew rig` and `sinew animate`, as words and numbers.
Result<RigCharacterOptions> rig_options(Call& call);
// Those of motions. `map` goes through a file in memory, as the option --map goes through a file.
Result<MotionOptions> motion_options(Call& call);

Result<Skinning> skinning_of(Call& call);

// A clip of the document that the argument `clip` means; null where it is absent.
Result<const Clip*> clip_of(Call& call, const Character& character, const char* name = "clip");
// The joint of a name, a role or "joint 7".
Result<int32_t> joint_of(const Character& character, const std::string& name);

// Local transforms as ten numbers each: translation, rotation x y z w, scale.
constexpr size_t numbers_per_joint = 10;
std::vector<float> pose_numbers(std::span<const Transform> local);
Result<std::vector<Transform>> pose_of_numbers(std::span<const float> numbers, size_t joints);

// Points as the numbers that they are.
std::span<const float> flat(std::span<const Vec3> points);

}  // namespace sinew::web
