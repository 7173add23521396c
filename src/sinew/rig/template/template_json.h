// Templates as JSON: the library's own and the users'. docs/rig.md describes the format.
// Data flow: bytes → *here* → RigTemplate.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/rig/template/rig_template.h>

namespace sinew {

// At most 4 MB and 4096 joints. Errors name the place ("byte 17", "/joints/3/parent") and what to write there.
Result<RigTemplate> parse_template(ByteSpan json);

// The library's own for biped, quadruped and bird; generic has none and is empty.
const RigTemplate& builtin_template(RigKind kind);

// The text of templates/KIND.json, compiled in; empty for generic.
std::string_view builtin_template_text(RigKind kind);

}  // namespace sinew
