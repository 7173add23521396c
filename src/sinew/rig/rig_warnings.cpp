#include <sinew/rig/rig_warnings.h>

#include <sinew/skeleton/joint_label.h>
#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

// A warning names this many reasons and joints at most; more are in the report.
constexpr size_t most_reasons = 2, most_joints = 3;
// A cue that leaves more of the confidence than this is no reason to tell.
constexpr double no_reason = 0.95;
// Two readings whose scores differ by less are about as good. Chosen: what facing +Z and standing on +Y add together.
constexpr double as_good = 0.03;
// Readings that are turned against each other by less than 26 degrees (trace of the rotation) are one.
constexpr double same_axis_cosines = 2.8;
// The ways to help a fit along, as options of the command line and of RigOptions alike.
constexpr std::string_view what_to_do =
    "set joints that are wrong (--joint NAME=x,y,z), say what it is (--template) or how it stands (--up, --facing)";

std::string says(const FitCue& said) {
    if (said.value >= 1.0) return "as expected";
    const std::string_view complaint = said.measured > said.cue->high ? said.cue->too_high : said.cue->too_low;
    return std::string(complaint.empty() ? said.cue->meaning : complaint);
}

// The cues that leave least, worst first.
std::string reasons(const std::vector<RigCue>& cues) {
    std::vector<const RigCue*> weak;
    for (const RigCue& cue : cues)
        if (cue.value < no_reason) weak.push_back(&cue);
    std::stable_sort(weak.begin(), weak.end(), [](const RigCue* a, const RigCue* b) { return a->value < b->value; });
    std::string text;
    for (size_t k = 0; k < std::min(most_reasons, weak.size()); ++k) text += (k ? ", and " : ": ") + weak[k]->text;
    return text;
}

std::string weakest_joints(const RigResult& result) {
    std::vector<std::pair<double, size_t>> weak;
    for (size_t j = 0; j < result.joint_confidence.size(); ++j) weak.push_back({result.joint_confidence[j], j});
    std::stable_sort(weak.begin(), weak.end());
    std::string names;
    for (size_t k = 0; k < std::min(most_joints, weak.size()); ++k)
        names += (k ? ", " : "") + joint_label(result.skeleton, static_cast<int32_t>(weak[k].second));
    return names;
}

}  // namespace

std::vector<RigCue> tell_cues(const Fit& fit) {
    std::vector<RigCue> told;
    for (const std::vector<FitCue>* list : {&fit.cues, &fit.doubts})
        for (const FitCue& said : *list)
            told.push_back({std::string(said.cue->name), said.value, said.measured, says(said)});
    return told;
}

std::string tell_doubt(const FitJoint& joint) {
    return joint.why && joint.confidence < no_reason ? says(*joint.why) : std::string();
}

std::string tell_low_confidence(const RigResult& result, double wanted) {
    return fmt::format(
        "the fit is less sure ({:.2f}) than the {:.2f} asked for (--min-confidence){}; look at {}, and {}",
        result.confidence, wanted, reasons(result.cues), weakest_joints(result), what_to_do);
}

void add_warnings(const std::vector<Reading>& readings, RigResult& result) {
    if (result.confidence < accepted_confidence)
        result.warnings.push_back(fmt::format("the fit is uncertain ({:.2f}){}; look at {}, and {}", result.confidence,
                                              reasons(result.cues), weakest_joints(result), what_to_do));
    for (const Reading& other : readings) {
        const Mat3d turn = readings.front().axes * other.axes.transpose();
        const bool differs = other.kind != readings.front().kind || turn.trace() < same_axis_cosines;
        if (!differs || result.kind == RigKind::generic) continue;
        if (readings.front().score - other.score < as_good)
            result.warnings.push_back(
                "the shape can be read in two ways that are about as good; give its up and facing directions to "
                "decide");
        break;
    }
}

}  // namespace sinew
