#include <sinew/pipeline/edit/plot_file.h>

#include <sinew/core/closest.h>
#include <sinew/core/file.h>
#include <sinew/edit/frames.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/render/plot/plot.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>

namespace sinew {
namespace {

Result<std::vector<int32_t>> joints_called(const Character& character, const std::string& names) {
    std::vector<int32_t> joints;
    const HumanoidMap roles = recognise_humanoid(character.skeleton);
    for (size_t at = 0; at <= names.size();) {
        const size_t comma = std::min(names.find(',', at), names.size());
        const std::string name = names.substr(at, comma - at);
        at = comma + 1;
        int32_t joint = character.skeleton.find(name);
        for (size_t r = 0; joint < 0 && r < role_count; ++r)
            if (to_string(static_cast<Role>(r)) == name) joint = roles.joint[r];
        if (joint < 0) {
            const std::vector<std::string_view> known(character.skeleton.names().begin(),
                                                      character.skeleton.names().end());
            return fail(ErrorCode::not_found, unknown_name("joint", name, known), "--joint");
        }
        joints.push_back(joint);
    }
    return joints;
}

std::vector<int32_t> usual_joints(const Character& character, const Clip& clip, bool trail) {
    const HumanoidMap roles = recognise_humanoid(character.skeleton);
    std::vector<int32_t> joints;
    const auto add = [&](Role role) {
        const int32_t joint = roles.joint[static_cast<size_t>(role)];
        if (joint >= 0) joints.push_back(joint);
    };
    if (trail)
        for (const Role role : {Role::left_hand, Role::right_hand, Role::left_foot, Role::right_foot}) add(role);
    else
        for (const Role role : {Role::left_upper_arm, Role::left_lower_arm}) add(role);
    const int32_t carrier = find_carrier(clip, {character.skeleton, rest_pose(character)});
    if (!trail || joints.empty()) joints.insert(joints.begin(), carrier);
    return joints;
}

}  // namespace

Result<PreviewReport> plot_file(const PreviewJob& job, const std::string& what) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.input}));
    SINEW_TRY_VOID(check_picture_type(job.output));
    SINEW_TRY(const Character character, read_input(job.input, job.listener));
    SINEW_TRY(const Clip* clip, in_file(find_clip(character, job.clip), job.input));
    if (!clip)
        return fail(ErrorCode::not_found, "has no animation to plot; give a file that has one", job.input.string());
    const bool trail = what == "trail";
    std::vector<int32_t> joints = usual_joints(character, *clip, trail);
    if (!job.joint.empty()) {
        SINEW_TRY(joints, in_file(joints_called(character, job.joint), job.input));
    }
    Picture picture;
    if (trail) {
        picture = plot_trails(character, *clip, joints, job.look.camera, job.look.width, job.look.height);
    } else {
        const std::vector<PlotPanel> panels = clip_panels(character, *clip, joints);
        if (panels.empty())
            return fail(ErrorCode::not_found, "the clip does not move these joints; choose others with --joint",
                        job.input.string());
        picture = plot_panels(panels, job.look.width, job.look.height);
    }
    const std::string extension = job.output == "-" ? ".png" : lower_extension(job.output);
    SINEW_TRY(const Bytes bytes, in_file(encode_pictures({&picture, 1}, 1.0f, extension.substr(1)), job.output));
    SINEW_TRY_VOID(in_file(write_file(job.output, bytes), job.output));
    return PreviewReport{job.input.string(), job.output.string(), 1, bytes.size()};
}

}  // namespace sinew
