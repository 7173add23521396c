// Plot: a clip's curves or a joint's path, as a picture file. Data flow: a file → *here* (render/plot/plot.h) → a .png
// or .webp.
#pragma once

#include <sinew/pipeline/bake.h>
#include <string>

namespace sinew {

// `job.joint`: joints with commas between them, by name or role; empty: the joint that carries the body and, for
// curves, the arms; for a trail, hands and feet. `what` is "curves" or "trail".
Result<PreviewReport> plot_file(const PreviewJob& job, const std::string& what);

}  // namespace sinew
