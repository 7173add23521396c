// Pictures of inverse kinematics and retargeting for the pages under docs/.
//   bench_reach_pictures --solvers OUT.png              one chain, one goal: what each solver does in its first rounds
//   bench_reach_pictures --hands OUT.png                hands on hips of other bodies, rotations alone and with touch
//   bench_reach_pictures --feet OUT.png MOTION BODY     a toe's height and speed, rotations alone and with planted feet
//   bench_reach_pictures --bodies OUT.png FILE…  the first clip of each file, two moments below each other
#include <sinew/ik/ik.h>
#include <sinew/image/encode_png.h>
#include <sinew/io/read.h>
#include <sinew/motion/retarget.h>
#include <sinew/pipeline/animate.h>
#include <sinew/render/plot/canvas.h>
#include <sinew/render/plot/plot.h>
#include <sinew/render/preview.h>
#include <sinew/skeleton/pose.h>

#include "motion/touch_gestures.h"
#include "support.h"

namespace {

using namespace sinew;

template <class T>
T or_exit(Result<T> result) {
    if (result) return std::move(*result);
    fmt::print(stderr, "bench_reach_pictures: {}\n", to_string(result.error()));
    std::exit(1);
}

void save(const Picture& picture, const std::string& file) {
    const Bytes bytes = or_exit(encode_png(picture));
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// A chain of equal bones in a plane, a little bent.
std::vector<Transform> bent_chain(size_t bones) {
    std::vector<Transform> pose(bones + 1);
    for (size_t j = 0; j < pose.size(); ++j) {
        if (j > 0) pose[j].translation = Vec3(0, 1, 0);
        pose[j].rotation = Quat(Eigen::AngleAxisf(j == 0 ? 0.5f : -0.12f, Vec3::UnitZ()));
    }
    return pose;
}

Picture draw_solver(IkSolver solver, int32_t side) {
    constexpr size_t bones = 6;
    const std::vector<Transform> start = bent_chain(bones);
    std::vector<int32_t> parents(start.size());
    for (size_t j = 0; j < parents.size(); ++j) parents[j] = static_cast<int32_t>(j) - 1;
    const IkChain chain{.root = 0, .tip = static_cast<int32_t>(bones)};
    const IkGoal goal{.joint = chain.tip, .position = Vec3d(3.2, 1.4, 0.0)};
    Canvas canvas(side, side);
    const auto place = [&](const Vec3d& at) {
        return Vec2(static_cast<float>(side * (0.30 + 0.14 * at.x())),
                    static_cast<float>(side * (0.94 - 0.14 * at.y())));
    };
    const auto draw = [&](const std::vector<Transform>& pose, const Ink& ink, float thickness) {
        std::vector<AffineD> world(pose.size());
        local_to_world(parents, pose, world);
        for (size_t j = 1; j < world.size(); ++j)
            canvas.line(place(world[j - 1].translation()), place(world[j].translation()), thickness, ink);
        for (const AffineD& joint : world) canvas.dot(place(joint.translation()), 1.8f * thickness, ink);
    };
    draw(start, {0.75f, 0.75f, 0.78f, 1.0f}, 3.0f);
    const IkProblem problem{.parents = parents, .pose = start, .chains = {&chain, 1}, .goals = {&goal, 1}};
    const int needed = std::max(1, solve_ik(problem, solver).iterations);
    constexpr int shown = 5;
    int last = 0;
    for (int i = 1; i <= shown; ++i) {
        const int rounds = std::max(1, (needed * i + shown - 1) / shown);
        if (rounds == last) continue;
        last = rounds;
        const float share = static_cast<float>(rounds) / static_cast<float>(needed);
        draw(solve_ik(problem, solver, {.max_iterations = rounds}).pose,
             {0.55f - 0.40f * share, 0.72f - 0.36f * share, 0.90f - 0.30f * share, 1.0f},
             rounds == needed ? 4.5f : 2.5f);
    }
    canvas.dot(place(*goal.position), 11.0f, {0.85f, 0.25f, 0.15f, 1.0f});
    canvas.text({8, 8}, fmt::format("{}: {} rounds", to_string(solver), needed), {0.15f, 0.15f, 0.2f, 1.0f});
    return canvas.picture();
}

void draw_solvers(const std::string& file) {
    std::vector<Picture> pictures;
    for (const IkSolver solver : {IkSolver::ccd, IkSolver::fabrik, IkSolver::jacobian_transpose,
                                  IkSolver::pseudo_inverse, IkSolver::damped_least_squares, IkSolver::newton})
        pictures.push_back(draw_solver(solver, 300));
    save(or_exit(tile_pictures(pictures, 3)), file);
}

Picture draw_at(const Character& character, const Clip& clip, float time, float azimuth, int32_t width = 190,
                int32_t height = 300) {
    PreviewOptions how;
    how.width = width;
    how.height = height;
    how.clip = &clip;
    how.times = {time};
    how.camera.azimuth = azimuth;
    how.follow = true;
    return or_exit(render_preview(character, how)).front();
}

void draw_hands(const std::string& file) {
    const test::SkinnedBody source = test::make_body(HumanoidBuild::average);
    const test::GestureClip made = test::make_gesture(source, test::Gesture::hands_on_hips);
    const float time = made.times[made.times.size() / 2];
    std::vector<Picture> pictures;
    for (const bool touch : {false, true}) {
        pictures.push_back(draw_at(source.character, made.clip, time, radians(25.0f)));
        for (const HumanoidBuild build : {HumanoidBuild::fat, HumanoidBuild::thin, HumanoidBuild::child}) {
            const test::SkinnedBody target = test::make_body(build);
            const RetargetResult result =
                or_exit(retarget(source.character.skeleton, made.clip, target.character.skeleton,
                                 {.skin = target.skin, .source_skin = source.skin, .touch = touch}));
            pictures.push_back(draw_at(target.character, result.clip, time, radians(25.0f)));
        }
    }
    save(or_exit(tile_pictures(pictures, 4)), file);
}

Clip clip_on(const Character& motion, const Character& body, bool lock_feet) {
    return or_exit(retarget(motion.skeleton, motion.clips.at(0), body.skeleton, {.lock_feet = lock_feet})).clip;
}

void draw_feet(const std::string& file, const std::string& motion_file, const std::string& body_file) {
    const Character motion = or_exit(read_character(motion_file)), body = or_exit(read_character(body_file));
    const int32_t toe = recognise_humanoid(body.skeleton)[Role::left_toes];
    if (toe < 0) return;
    std::array<PlotPanel, 2> panels = {PlotPanel{"height of the left toes, cm", {}},
                                       PlotPanel{"speed over the ground, cm/s, up to 60", {}}};
    for (const bool lock : {false, true}) {
        const Clip clip = clip_on(motion, body, lock);
        std::array<PlotLine, 2> lines;
        for (PlotLine& line : lines) line.name = lock ? "planted" : "rotations alone";
        Vec3d before = Vec3d::Zero();
        constexpr float step = 1 / 60.0f;
        for (float time = 0; time <= std::min(4.0f, duration(clip)); time += step) {
            Pose pose{body.skeleton.rest(), {}};
            sample(clip, time, pose);
            std::vector<AffineD> world(pose.local.size());
            local_to_world(body.skeleton.parents(), pose.local, world);
            const Vec3d at = 100 * world[static_cast<size_t>(toe)].translation();
            const Vec3d way = at - before;
            before = at;
            if (time == 0) continue;
            lines[0].x.push_back(time);
            lines[0].y.push_back(at.y());
            lines[1].x.push_back(time);
            lines[1].y.push_back(std::min(60.0, std::hypot(way.x(), way.z()) / double{step}));
        }
        for (size_t i = 0; i < 2; ++i) panels[i].lines.push_back(lines[i]);
    }
    save(plot_panels(panels, 900, 420), file);
}

void draw_bodies(const std::string& file, std::span<const std::string> names) {
    std::vector<Picture> pictures;
    for (const float share : {0.5f, 0.85f})
        for (const std::string& name : names) {
            const Character body = or_exit(read_character(name));
            const Clip& clip = body.clips.at(0);
            pictures.push_back(draw_at(body, clip, share * duration(clip), radians(60.0f), 150, 170));
        }
    save(or_exit(tile_pictures(pictures, static_cast<int32_t>(names.size()))), file);
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words;
    for (int i = 3; i < argc; ++i) words.emplace_back(argv[i]);
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "--solvers") return draw_solvers(argv[2]), 0;
    if (what == "--hands") return draw_hands(argv[2]), 0;
    if (what == "--feet" && words.size() == 2) return draw_feet(argv[2], words[0], words[1]), 0;
    if (what == "--bodies" && !words.empty()) return draw_bodies(argv[2], words), 0;
    fmt::print(stderr,
               "bench_reach_pictures --solvers OUT | --hands OUT | --feet OUT MOTION BODY | --bodies OUT FILE…\n");
    return 1;
}
