// The built-in motions of creatures, measured and drawn: drift of planted feet (also between keys), duty factors, and
// how long a clip takes to make, for each gait on every quadruped at hand. Motion matching comes first (motion_sets.h).
//   bench_motions [--json FILE] [--only matching]
//   bench_motions --parts FILE                     what the motions see of its body
//   bench_motions --footfalls OUT.png              the table of gaits as footfall diagrams
//   bench_motions --sheet OUT.png [--columns N] [--width W] [--height H] [--side 1] [--ms T] MOTION=FILE…
//                                                  a row of moments for each file, in place
#include <sinew/clip/clip.h>
#include <sinew/image/encode_png.h>
#include <sinew/io/read.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/creatures/gait_table.h>
#include <sinew/pipeline/animate.h>
#include <sinew/render/preview.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <support/places.h>
#include <filesystem>

#include "motion_sets.h"
#include "support.h"

namespace {

using namespace sinew;
namespace fs = std::filesystem;

template <class T>
T or_exit(Result<T> result) {
    if (result) return std::move(*result);
    fmt::print(stderr, "bench_motions: {}\n", to_string(result.error()));
    std::exit(1);
}

// A picture that others are put on.
struct Canvas {
    int32_t width, height;
    std::vector<uint8_t> rgba;

    Canvas(int32_t w, int32_t h)
        : width(w), height(h), rgba(static_cast<size_t>(w) * static_cast<size_t>(h) * 4, 255) {}
    void put(const Picture& picture, int32_t left, int32_t top) {
        for (int32_t y = 0; y < picture.height; ++y)
            std::copy_n(&picture.rgba[static_cast<size_t>(y * picture.width) * 4], picture.width * 4,
                        &rgba[static_cast<size_t>((top + y) * width + left) * 4]);
    }
    void box(int32_t left, int32_t top, int32_t w, int32_t h, std::array<uint8_t, 3> colour) {
        for (int32_t y = std::max(top, 0); y < std::min(top + h, height); ++y)
            for (int32_t x = std::max(left, 0); x < std::min(left + w, width); ++x)
                std::copy(colour.begin(), colour.end(), &rgba[static_cast<size_t>(y * width + x) * 4]);
    }
    void save(const std::string& file) const {
        const Bytes bytes = or_exit(encode_png(width, height, rgba));
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
};

// One stride and a half, four feet from top to bottom: front left, front right, hind left, hind right. Dark: down.
void draw_footfalls(const std::string& file) {
    constexpr int32_t cell_w = 300, bar_h = 16, gap = 5, margin = 14;
    const auto gaits = quadruped_gaits();
    const int32_t columns = 3, rows = static_cast<int32_t>((gaits.size() + 2) / 3), cell_h = 4 * (bar_h + gap) + margin;
    Canvas canvas(columns * (cell_w + margin) + margin, rows * (cell_h + margin) + margin);
    for (size_t g = 0; g < gaits.size(); ++g) {
        const int32_t left = margin + static_cast<int32_t>(g % 3) * (cell_w + margin);
        const int32_t top = margin + static_cast<int32_t>(g / 3) * (cell_h + margin);
        for (int32_t leg = 0; leg < 4; ++leg) {
            const double duty = leg < 2 ? gaits[g].front_duty : gaits[g].hind_duty;
            for (int32_t x = 0; x < cell_w; ++x) {
                const double own = 1.5 * x / cell_w - gaits[g].phase[static_cast<size_t>(leg)];
                const bool down = own - std::floor(own) < duty;
                canvas.box(left + x, top + leg * (bar_h + gap), 1, bar_h,
                           !down     ? std::array<uint8_t, 3>{232, 234, 238}
                           : leg < 2 ? std::array<uint8_t, 3>{42, 92, 150}
                                     : std::array<uint8_t, 3>{190, 94, 42});
            }
        }
        for (const double tick : {0.0, 0.5, 1.0, 1.5})
            canvas.box(left + static_cast<int32_t>(tick / 1.5 * cell_w), top + 4 * (bar_h + gap), 1, 6, {90, 90, 90});
    }
    canvas.save(file);
}

void draw_sheet(const std::string& file, int argc, char** argv) {
    const auto number = [&](const char* name, int usual) {
        const std::string text = bench::argument(argc, argv, name);
        return text.empty() ? usual : std::stoi(text);
    };
    const int32_t columns = number("--columns", 6), width = number("--width", 260), height = number("--height", 220);
    const bool side = number("--side", 1) != 0;
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]).starts_with("--"))
            ++i;
        else
            words.emplace_back(argv[i]);
    }
    const auto rows = static_cast<int32_t>(words.size());
    Canvas canvas(columns * width, rows * height);
    for (int32_t row = 0; row < rows; ++row) {
        const std::string& word = words[static_cast<size_t>(row)];
        const std::string motion = word.substr(0, word.find('=')), input = word.substr(word.find('=') + 1);
        const AnimateResult moved = or_exit(animate(or_exit(read_character(input)), std::vector<std::string>{motion},
                                                    {.motion = {.in_place_root = true}}));
        for (const std::string& warning : moved.report.warnings) fmt::print("{}\n", warning);
        const Clip& clip = moved.character.clips.front();
        // One cycle of a gait is the first that ends where the clip does; six moments spread over at most one second.
        PreviewOptions look{.width = width, .height = height, .samples = 2, .clip = &clip};
        look.times.clear();
        const float span =
            std::min(duration(clip), number("--ms", 0) > 0 ? number("--ms", 0) * 0.001f : duration(clip));
        for (int32_t i = 0; i < columns; ++i)
            look.times.push_back(span * static_cast<float>(i) / static_cast<float>(columns));
        if (side) look.turns.assign(look.times.size(), radians(90.0f - 32.0f));
        const std::vector<Picture> pictures = or_exit(render_preview(moved.character, look));
        for (int32_t i = 0; i < columns; ++i) canvas.put(pictures[static_cast<size_t>(i)], i * width, row * height);
        fmt::print("{}: {:.2f} s\n", word, duration(clip));
    }
    canvas.save(file);
}

// What the motions see of a file's body.
void print_parts(const std::string& file) {
    const Character character = or_exit(read_character(file));
    const CreatureBody body = creature_body(character.skeleton, recognise_creature(character.skeleton));
    const auto chain = [&](const char* what, const JointChain& joints, size_t socket, size_t foot) {
        fmt::print("{:<6}", what);
        for (size_t i = 0; i < joints.size(); ++i)
            fmt::print(" {}{}", character.skeleton.names()[static_cast<size_t>(joints[i])],
                       foot == 0     ? ""
                       : i == socket ? "(socket)"
                       : i == foot   ? "(foot)"
                                     : "");
        fmt::print("\n");
    };
    fmt::print("{}, hips {:.3f}, length {:.3f}\n", to_string(body.map.kind), body.hip_height, body.length);
    chain("root", {body.map.root}, 0, 0);
    chain("spine", body.map.spine, 0, 0);
    chain("neck", body.map.neck, 0, 0);
    chain("head", body.map.head, 0, 0);
    chain("tail", body.map.tail, 0, 0);
    for (const CreatureLeg& leg : body.legs) chain("leg", leg.joints, leg.socket, leg.foot);
    for (const CreatureLimb& wing : body.map.wings) chain("wing", wing.joints, 0, 0);
    for (const CreatureLimb& fin : body.map.fins) chain("fin", fin.joints, 0, 0);
    for (const CreatureLimb& arm : body.map.arms) chain("arm", arm.joints, 0, 0);
    for (const JointChain& limb : body.map.limbs) chain("limb", limb, 0, 0);
}

struct Measured {
    double drift = 0.0;               // of planted feet, in % of the body's length
    std::array<double, 4> duty = {};  // per leg
    double speed = 0.0, hips = 0.0;   // metres per second, metres
};

// Plays the clip at `finer` times its keys and looks at the feet alone: low and still is planted.
Measured measure(const Skeleton& skeleton, const CreatureMap& map, const Clip& clip, const Gait& gait) {
    const CreatureBody body = creature_body(skeleton, map);
    const auto& keys = clip.tracks.front().times;
    constexpr int finer = 4;
    Measured out;
    Pose pose{skeleton.rest(), {}};
    std::vector<AffineD> world(skeleton.size());
    std::vector<Vec3d> last(body.legs.size()), anchor(body.legs.size());
    std::vector<bool> was(body.legs.size(), false);
    std::vector<double> down(body.legs.size(), 0.0);
    const int count = static_cast<int>(keys.size() - 1) * finer;
    const double lifted = 0.01 * gait.clearance * body.hip_height;
    for (int k = 0; k <= count; ++k) {
        sample(clip, duration(clip) * static_cast<float>(k) / static_cast<float>(count), pose);
        local_to_world(skeleton.parents(), pose.local, world);
        for (size_t i = 0; i < body.legs.size(); ++i) {
            const Vec3d at =
                body.world_from_body.transpose() * world[static_cast<size_t>(body.legs[i].foot_joint())].translation();
            const bool low = at.y() - map.ground - body.legs[i].home.y() < lifted;
            if (low && !was[i]) anchor[i] = at;
            if (low && was[i]) out.drift = std::max(out.drift, 100.0 * (at - anchor[i]).norm() / body.length);
            if (low && k < count) down[i] += 1.0 / count;
            was[i] = low;
        }
    }
    for (size_t i = 0; i < std::min<size_t>(4, down.size()); ++i) out.duty[i] = down[i];
    out.hips = metres(body, body.hip_height);
    const Track& way = clip.tracks.front();
    const Eigen::Map<const Vec3> from(way.values.data()), to(way.values.data() + way.values.size() - 3);
    out.speed = metres(body, (to - from).norm()) / duration(clip);
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (const std::string file = bench::argument(argc, argv, "--parts"); !file.empty()) return print_parts(file), 0;
    if (const std::string file = bench::argument(argc, argv, "--footfalls"); !file.empty())
        return draw_footfalls(file), 0;
    if (const std::string file = bench::argument(argc, argv, "--sheet"); !file.empty())
        return draw_sheet(file, argc, argv), 0;
    bench::Table table;
    const fs::path data = test::data_folder();
    bench::add_motion_sets(table, data);
    if (bench::argument(argc, argv, "--only") == "matching") return table.finish(argc, argv);
    std::vector<std::pair<std::string, Character>> bodies;
    bodies.emplace_back("sample", make_quadruped());
    for (const char* name :
         {"rigged-gt/m2m_rig-fox.glb", "rigged-gt/m2m_rig-horse.glb", "rigged-gt/m2m_var_fox-dog.glb",
          "rigged-gt/m2m_var_fox-panda.glb", "gltf-khronos/Fox.glb"})
        if (fs::exists(data / name))
            bodies.emplace_back(fs::path(name).stem().string(), or_exit(read_character(data / name)));
    for (const auto& [name, character] : bodies) {
        const CreatureMap map = recognise_creature(character.skeleton);
        for (const Gait& gait : quadruped_gaits()) {
            if (map.kind != CreatureKind::quadruped) continue;
            CreatureMotion motion;
            const double seconds =
                bench::best_seconds(3, [&] { motion = or_exit(creature_motion(character.skeleton, map, gait.name)); });
            const Measured seen = measure(character.skeleton, map, motion.clip, gait);
            table.add(fmt::format("{} {}: drift", name, gait.name), seen.drift, "%", 0.5);
            table.add(
                fmt::format("{} {}: duty front {:.2f} hind {:.2f}; speed", name, gait.name, seen.duty[0], seen.duty[2]),
                seen.speed / gait_speed(gait, seen.hips), "x");
            table.add(fmt::format("{} {}: making the clip", name, gait.name), 1e3 * seconds, "ms");
        }
    }
    return table.finish(argc, argv);
}
