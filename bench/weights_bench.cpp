// Automatic weights: seconds per size, growth per doubling, and Blender's bone heat beside it where Blender is
// installed.
#include <sys/resource.h>

#include <sinew/core/file.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/weights.h>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>

#include "blender.h"
#include "refine.h"
#include "support.h"

namespace {

using namespace sinew;

struct Figure {
    Character character = make_rigged_humanoid();
    WeightRig rig;
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;

    explicit Figure(size_t vertices) {
        const Mesh& mesh = character.meshes[0].primitives[0].mesh;
        const WeightMesh one{mesh.positions, mesh.triangles};
        const Surface welded = make_surface({&one, 1});  // for Blender too: it needs one piece
        for (const Vec3d& p : welded.positions) positions.push_back(welded.from_surface(p).cast<float>());
        triangles = welded.triangles;
        bench::refine(positions, triangles, vertices);
        rig = {.skeleton = &character.skeleton, .joints = character.skins[0].joints};
    }

    // Twist joints half way along limbs, until the skin has that many joints.
    void add_joints(size_t count) {
        std::vector<std::string> names = character.skeleton.names();
        std::vector<int32_t> parents = character.skeleton.parents();
        std::vector<Transform> rest = character.skeleton.rest();
        const std::vector<int32_t> joints = rig.joints;
        for (size_t i = 0; i < joints.size() && rig.joints.size() < count; ++i) {
            const auto j = static_cast<size_t>(joints[i]);
            if (parents[j] < 0 || rest[j].translation.norm() < 0.2f) continue;
            names.push_back(names[j] + "Twist");
            parents.push_back(parents[j]);
            rest.push_back(rest[j]);
            rest.back().translation *= 0.5f;
            rig.joints.push_back(static_cast<int32_t>(names.size()) - 1);
        }
        character.skeleton = Skeleton::create(names, parents, rest).value();
    }

    // The skin's joints without fingers, at most so many.
    void keep_joints(size_t count) {
        std::erase_if(rig.joints, [&](int32_t joint) {
            const std::string& name = character.skeleton.names()[static_cast<size_t>(joint)];
            for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Little"})
                if (name.find(finger) != std::string::npos) return true;
            return false;
        });
        rig.joints.resize(std::min(rig.joints.size(), count));
    }
};

double seconds(const Figure& figure, WeightMethod method, int runs) {
    const WeightMesh mesh{figure.positions, figure.triangles};
    return bench::best_seconds(runs, [&] {
        (void)compute_weights({&mesh, 1}, figure.rig, {.method = method}).value();
    });
}

// On the same mesh and the same bones.
double blender_seconds(const Figure& figure) {
    const WeightMesh mesh{figure.positions, figure.triangles};
    const Surface surface = make_surface({&mesh, 1});
    const BoneChoice choice = choose_bones(figure.rig, surface).value();
    std::vector<std::pair<Vec3d, Vec3d>> bones;
    for (const Bone& bone : choice.bones)
        bones.emplace_back(surface.from_surface(bone.head), surface.from_surface(bone.tail));
    return bench::blender_seconds(figure.positions, figure.triangles, bones);
}

// Of all threads: on a shared machine growth shows in work done, not in hours passed.
double cpu_seconds(const Figure& figure) {
    const auto used = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
    };
    const WeightMesh mesh{figure.positions, figure.triangles};
    const double before = used();
    (void)compute_weights({&mesh, 1}, figure.rig).value();
    return used() - before;
}

double peak_gigabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    const bool blender = bench::blender_installed();
    for (size_t vertices : {7'000, 24'000, 50'000}) {
        const Figure figure(vertices);
        const double ours = seconds(figure, WeightMethod::automatic, 3);
        table.add(fmt::format("auto, {} vertices, {} joints", vertices, figure.rig.joints.size()), ours, "s");
        if (!blender) continue;
        const double theirs = blender_seconds(figure);
        table.add(fmt::format("Blender bone heat, {} vertices", vertices), theirs, "s");
        const auto target = vertices >= 24'000 ? std::optional<double>(4.0) : std::nullopt;
        table.add(fmt::format("Blender / auto, {} vertices", vertices), theirs / ours, "x", target);
    }
    if (!blender) fmt::print("Blender is not installed: no comparison\n");
    Figure body(24'000);
    body.keep_joints(20);
    const double voxel = seconds(body, WeightMethod::voxel, 3), bbw = seconds(body, WeightMethod::bbw, 3);
    table.add(fmt::format("voxel, 24000 vertices, {} joints", body.rig.joints.size()), voxel, "s");
    table.add("bbw / voxel, 24000 vertices", bbw / voxel, "x", 4.0);
    // Round by round, so that a slow minute of the machine falls on all sizes alike; the least of the rounds counts.
    std::vector<std::unique_ptr<Figure>> ladder;
    for (size_t vertices : {7'812, 15'625, 31'250, 62'500, 125'000, 250'000, 500'000, 1'000'000}) {
        ladder.push_back(std::make_unique<Figure>(vertices));
        ladder.back()->add_joints(60);
    }
    std::vector<double> least(ladder.size(), 1e300);
    for (int round = 0; round < 4; ++round)
        for (size_t i = 0; i < ladder.size(); ++i) least[i] = std::min(least[i], cpu_seconds(*ladder[i]));
    for (size_t i = 0; i < ladder.size(); ++i) {
        const size_t vertices = ladder[i]->positions.size();
        table.add(fmt::format("auto, {} vertices, {} joints, processor time", vertices, ladder[i]->rig.joints.size()),
                  least[i], "s");
        if (i > 0)
            table.add(fmt::format("auto, {} vertices / half as many, processor time", vertices),
                      least[i] / least[i - 1], "x", 2.3);
    }
    table.add("peak memory at 1,000,000 vertices", peak_gigabytes(), "GB", 3.0);
    return table.finish(argc, argv);
}
