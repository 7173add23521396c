// Retargeting a captured motion onto characters: milliseconds a frame on one core, the whole call and its steps.
#include <sinew/io/read.h>
#include <sinew/motion/plant/plant_feet.h>
#include <sinew/motion/retarget/transfer.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/skeleton/pose.h>
#include <support/places.h>
#include <algorithm>

#include "support.h"

namespace {

using namespace sinew;

constexpr float fps = 30.0f;
constexpr double most_ms = 0.1;  // a frame

// The steps of a retarget, each on what the one before it made.
struct Steps {
    SourceClip clip;
    Body source, target;
    SourcePaths paths;
    SourceContacts contacts;
    Footing footing;
    Alignment alignment;
    TargetMotion motion, planted;

    Steps(const MotionSource& from, const Skeleton& to)
        : clip(make_source_clip(from.skeleton, from.clip, fps).value()),
          source(measure_body(from.skeleton, recognise_humanoid(from.skeleton),
                              world_pose(from.skeleton, from.skeleton.rest()))),
          target(measure_body(to, recognise_humanoid(to), world_pose(to, to.rest()))) {
        trace();
        find_contacts();
        footing = find_footing(target, {});
        alignment = align(source, target, contacts.sole_up);
        transfer();
        plant();
    }
    void trace() { paths = trace_paths(clip, source); }
    void find_contacts() { contacts = find_source_contacts(source, paths, fps); }
    void transfer() {
        motion = transfer_motion(clip, paths, source, target, alignment, {contacts.level.ankle, footing.ankle});
    }
    PlantPlan plan() const { return {target, alignment.drives, footing, contacts, alignment.scale, fps}; }
    void plant() {
        planted = motion;
        plant_feet(plan(), planted);
    }
    void measure() const { measure_feet(plan(), planted, 0, planted.hips.size() - 1); }
    void write() const { write_clip("clip", target, alignment.drives, clip.times, planted); }
};

// One pass of forward kinematics over the whole clip, as it is done to show it: what every figure is compared with.
void pose_all(const Skeleton& skeleton, size_t frames, std::vector<AffineD>& model) {
    model.resize(skeleton.size());
    for (size_t f = 0; f < frames; ++f) local_to_world(skeleton.parents(), skeleton.rest(), model);
}

void measure(const std::string& name, const MotionSource& motion, const Character& character, bench::Table& table) {
    Steps steps(motion, character.skeleton);
    const size_t frames = steps.clip.times.size();
    std::vector<AffineD> model;
    const auto t = bench::race(0.4, {[&] { (void)retarget(motion, character, {.fps = fps}); }, [&] { steps.trace(); },
                                     [&] { steps.find_contacts(); }, [&] { steps.transfer(); }, [&] { steps.plant(); },
                                     [&] { steps.measure(); }, [&] { steps.write(); },
                                     [&] { (void)retarget(motion, character, {.fps = fps, .touch = false}); },
                                     [&] { pose_all(character.skeleton, frames, model); }});
    const auto ms = [&](size_t i) { return 1e3 * t[i] / static_cast<double>(frames); };
    fmt::print(
        "{:<32} {:>5} frames, {:>3} joints: reading the source {:.4f}, contacts {:.4f}, transfer {:.4f}, "
        "feet {:.4f}, measuring {:.4f}, writing {:.4f}, hands and floor {:.4f} ms a frame; "
        "all of it {:.0f} ns a frame, {:.0f} passes of forward kinematics\n",
        name, frames, character.skeleton.size(), ms(1), ms(2), ms(3), ms(4), ms(5), ms(6), ms(0) - ms(7), 1e6 * ms(0),
        t[0] / t[8]);
    table.add(name + ", whole", ms(0), "ms/frame", most_ms);
}

}  // namespace

// --only TEXT: pairs with the text in their name.
int main(int argc, char** argv) {
    bench::Table table;
    const std::string only = bench::argument(argc, argv, "--only");
    const std::filesystem::path data = test::data_folder();
    for (const char* clip : {"bvh-cmu/02_01.bvh", "bvh-cmu/05_13.bvh", "bvh-cmu/90_31.bvh"}) {
        const auto motion = load_motion((data / clip).string());
        for (const char* body : {"rigged-gt/m2m_var_human-female.glb", "gltf-khronos/CesiumMan.glb"}) {
            const std::string name =
                std::filesystem::path(clip).stem().string() + " on " + std::filesystem::path(body).stem().string();
            if (name.find(only) == std::string::npos) continue;
            const auto character = read_character(data / body);
            if (motion && character)
                measure(name, *motion, *character, table);
            else
                fmt::print("SKIP: {} is not there\n", name);
        }
    }
    return table.finish(argc, argv);
}
