// Rig and bind: seconds at 24k and 200k vertices, peak memory, and Blender's binding alone beside them where Blender is
// installed. Takes a minute; times mean something only on a machine that does nothing else.
//   bench_rig_time [--json FILE]
#include <sys/resource.h>

#include <sinew/core/file.h>
#include <sinew/pipeline/rig_character.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <array>
#include <cstdlib>
#include <map>

#include "blender.h"
#include "refine.h"
#include "support.h"

namespace {

using namespace sinew;

Character figure_of(size_t vertices) {
    Character c = make_humanoid();
    Mesh& mesh = c.meshes.front().primitives.front().mesh;
    // Without texture seams: halved edges must meet.
    Mesh plain;
    std::map<std::array<float, 3>, uint32_t> known;
    std::vector<uint32_t> place;
    for (const Vec3& p : mesh.positions) {
        const auto [found, fresh] =
            known.try_emplace({p.x(), p.y(), p.z()}, static_cast<uint32_t>(plain.positions.size()));
        if (fresh) plain.positions.push_back(p);
        place.push_back(found->second);
    }
    for (uint32_t v : mesh.triangles) plain.triangles.push_back(place[v]);
    bench::refine(plain.positions, plain.triangles, vertices);
    mesh = plain;
    c.source.reset();
    return c;
}

double blender_seconds(const Character& c) {
    if (!bench::blender_installed() || c.skins.empty()) return 0.0;
    const Skeleton& skeleton = c.skeleton;
    const std::vector<AffineD> world = rest_world(skeleton);
    const auto& joints = c.skins.front().joints;
    std::vector<std::pair<Vec3d, Vec3d>> bones;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent < 0 || std::find(joints.begin(), joints.end(), parent) == joints.end()) continue;
        const Vec3d a = world[static_cast<size_t>(parent)].translation(), b = world[j].translation();
        if ((a - b).norm() > 1e-6) bones.emplace_back(a, b);
    }
    const Mesh& mesh = c.meshes.front().primitives.front().mesh;
    return bench::blender_seconds(mesh.positions, mesh.triangles, bones);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    const Character small = figure_of(24000), large = figure_of(200000);
    double rig = 0.0, bind = 0.0;
    Character rigged;
    const auto run = [&](const Character& from) {
        Character c = from;
        const auto report = rig_character(c);
        if (!report) return;
        rig = report->rig_seconds, bind = report->bind_seconds;
        rigged = std::move(c);
    };
    const double at_24k = bench::best_seconds(3, [&] { run(small); });
    fmt::print("24k vertices: rig {:.2f} s, bind {:.2f} s\n", rig, bind);
    const double blender = blender_seconds(rigged);
    const double at_200k = bench::best_seconds(3, [&] { run(large); });
    fmt::print("200k vertices: rig {:.2f} s, bind {:.2f} s\n", rig, bind);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    table.add("rig and bind, 24k vertices", at_24k, "s");
    if (blender > 0.0) {
        table.add("Blender's binding alone, 24k vertices", blender, "s");
        table.add("rig and bind / Blender's binding", at_24k / blender, "x", 1.0);
    }
    if (blender > 0.0) table.add("200k vertices / Blender's binding of 24k", at_200k / blender, "x", 4.0);
    table.add("200k vertices / 24k vertices", at_200k / at_24k, "x", 4.0);
    table.add("peak memory", static_cast<double>(usage.ru_maxrss) / 1024.0, "MB", 2048.0);
    return table.finish(argc, argv);
}
