// Blender's bone heat (ARMATURE_AUTO) on a mesh and bones: seconds of the binding alone, for benchmarks that stand
// beside it.
#pragma once

#include <sinew/math/types.h>
#include <support/places.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace sinew::bench {

inline bool blender_installed() {
    return std::system("command -v blender > /dev/null 2>&1") == 0;
}

// Bones are pairs of head and tail. 0 when Blender failed.
inline double blender_seconds(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                              std::span<const std::pair<Vec3d, Vec3d>> bones) {
    char name[] = "/tmp/sinew-bench-XXXXXX";
    if (!::mkdtemp(name)) return 0.0;
    const std::filesystem::path folder = name;
    std::ofstream file(folder / "figure.txt");
    for (const Vec3& p : positions) file << fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (size_t i = 0; i + 2 < triangles.size(); i += 3)
        file << fmt::format("f {} {} {}\n", triangles[i], triangles[i + 1], triangles[i + 2]);
    for (const auto& [a, b] : bones)
        file << fmt::format("b {} {} {} {} {} {}\n", a.x(), a.y(), a.z(), b.x(), b.y(), b.z());
    file.close();
    const std::string command = fmt::format(
        "blender -b --factory-startup -P {0}/bench/blender_weights.py -- {1}/figure.txt {1}/seconds.txt > /dev/null "
        "2>&1",
        test::source_dir().string(), folder.string());
    double seconds = 0.0;
    if (std::system(command.c_str()) == 0) std::ifstream(folder / "seconds.txt") >> seconds;
    std::filesystem::remove_all(folder);
    return seconds;
}

}  // namespace sinew::bench
