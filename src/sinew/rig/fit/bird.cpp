#include <sinew/rig/fit/bird.h>

#include <sinew/rig/embed/embed.h>
#include <sinew/rig/embed/user_template.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/priors/cues.h>
#include <sinew/rig/template/template_json.h>

namespace sinew {

Fit fit_bird(const Upright& upright) {
    Fit fit;
    if (upright.arms[0] < 0) {
        fit.warnings.emplace_back("no wings were found");
        return fit;
    }
    const RigTemplate& bird = builtin_template(RigKind::bird);
    const Embedding embedding = embed_template(upright, bird, {.upright = true});
    fit = carry_template(bird, embedding.position, 0.0);
    fit.joints.erase(fit.joints.begin());  // the root
    for (FitJoint& joint : fit.joints) --joint.parent;
    rate_bird(upright, fit);
    fit.confidence *= weigh(fit, cues::like_the_template, embedding.confidence);
    return fit;
}

}  // namespace sinew
