// Skinning against the memory floor of the same run: copying the attributes, and reading weights and indices as a file
// holds them (16-bit joints, all weights but the last). The floor is its minimum over the whole run.
#include <hwy/targets.h>
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/skin/compiled/compiled_deform.h>
#include <sinew/skin/compiled/compiled_skin.h>
#include <sinew/skin/deform.h>
#include <support/places.h>
#include <cstring>
#include <functional>

#include "support.h"

namespace {

using namespace sinew;

volatile uint64_t sink;
std::string only_measure;

struct Shape {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
    Influences influences;
    std::vector<Affine> palette;
};

Vec3 random_vector(Random& random) {
    return Vec3(static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1)),
                static_cast<float>(random.uniform(-1, 1)));
}

// Joints that turn and move as a pose would have them.
void make_palette(size_t joints, Shape& shape) {
    Random random(2);
    shape.palette.resize(joints);
    for (Affine& matrix : shape.palette) {
        matrix = Affine::Identity();
        matrix.linear() =
            Eigen::AngleAxisf(0.8f * static_cast<float>(random.uniform()), random_vector(random).normalized())
                .toRotationMatrix();
        matrix.translation() = random_vector(random);
    }
}

void make_directions(Shape& shape) {
    Random random(3);
    const size_t n = shape.positions.size();
    shape.normals.resize(n), shape.tangents.resize(n);
    for (size_t v = 0; v < n; ++v) {
        shape.normals[v] = random_vector(random).normalized();
        shape.tangents[v].head<3>() = shape.normals[v].unitOrthogonal();
        shape.tangents[v].w() = 1.0f;
    }
}

// `pick(vertex, list)` names the joints of a vertex.
Shape synthetic(size_t vertices, size_t joints, const std::function<void(size_t, std::vector<uint32_t>&)>& pick) {
    Random random(1);
    Shape shape;
    shape.positions.resize(vertices);
    for (Vec3& p : shape.positions) p = random_vector(random);
    make_directions(shape);
    std::vector<uint32_t> first{0}, list;
    std::vector<Influence> raw;
    for (size_t v = 0; v < vertices; ++v) {
        pick(v, list);
        for (const uint32_t joint : list) raw.push_back({joint, static_cast<float>(0.1 + random.uniform())});
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    shape.influences = *Influences::create(std::move(first), std::move(raw), joints);
    make_palette(joints, shape);
    return shape;
}

// `count` different joints of [begin, begin + range).
void choose(Random& random, uint32_t begin, uint32_t range, uint32_t count, std::vector<uint32_t>& list) {
    list.clear();
    while (list.size() < count) {
        const auto joint = begin + static_cast<uint32_t>(random.below(range));
        if (std::ranges::find(list, joint) == list.end()) list.push_back(joint);
    }
}

// As body parts have it: stretches of 150 vertices share their joints.
Shape by_parts(size_t vertices, uint32_t influences) {
    Random random(5);
    return synthetic(vertices, 64, [&, influences](size_t v, std::vector<uint32_t>& list) {
        if (v % 150 == 0) choose(random, 0, 64, influences, list);
    });
}

Shape windowed(size_t vertices) {
    Random random(5);
    return synthetic(vertices, 64, [&, vertices](size_t v, std::vector<uint32_t>& list) {
        choose(random, static_cast<uint32_t>(v * 57 / vertices), 8, 4, list);
    });
}

Shape scrambled(size_t vertices) {
    Random random(5);
    return synthetic(vertices, 64, [&](size_t, std::vector<uint32_t>& list) { choose(random, 0, 64, 4, list); });
}

// All skinned primitives of a file as one mesh, as many times as it takes to reach `least` vertices.
std::optional<Shape> from_file(const std::filesystem::path& path, size_t least) {
    const auto character = read_character(path);
    if (!character) return {};
    Shape shape;
    std::vector<uint32_t> first{0};
    std::vector<Influence> raw;
    size_t joints = 0;
    do {
        for (const MeshInstance& instance : character->instances) {
            if (instance.skin < 0) continue;
            for (const Primitive& p : character->meshes[static_cast<size_t>(instance.mesh)].primitives) {
                shape.positions.insert(shape.positions.end(), p.mesh.positions.begin(), p.mesh.positions.end());
                for (size_t v = 0; v < p.influences.vertex_count(); ++v) {
                    for (const Influence& i : p.influences.of(v)) {
                        raw.push_back(i);
                        joints = std::max<size_t>(joints, i.joint + 1);
                    }
                    first.push_back(static_cast<uint32_t>(raw.size()));
                }
            }
        }
        if (shape.positions.empty() || first.size() != shape.positions.size() + 1) return {};
    } while (shape.positions.size() < least);
    make_directions(shape);
    shape.influences = *Influences::create(std::move(first), std::move(raw), joints);
    make_palette(joints, shape);
    return shape;
}

// On cache lines, as the vertex buffers of graphics drivers are.
struct Buffers {
    AlignedVector<Vec3> positions, normals;
    AlignedVector<Vec4> tangents;
    explicit Buffers(size_t n) : positions(n), normals(n), tangents(n) {}
};

// Copies the attributes and reads the influences.
class Floor {
public:
    Floor(const Shape& shape, Buffers& out) : shape_(shape), out_(out) {
        const size_t k = std::max<size_t>(1, shape.influences.max_per_vertex());
        const size_t bytes = shape.positions.size() * (2 * k + 4 * (k - 1));
        words_.resize(bytes / sizeof(Word), Word{});
    }
    void run(bool all) const {
        copy(shape_.positions, out_.positions);
        if (all) copy(shape_.normals, out_.normals), copy(shape_.tangents, out_.tangents);
        Word a{}, b{}, c{}, d{};
        for (const Word *w = words_.data(), *end = w + words_.size() / 4 * 4; w < end; w += 4)
            a += w[0], b += w[1], c += w[2], d += w[3];
        a += b + c + d;
        sink = a[0] + a[1];
    }

private:
    template <class T>
    static void copy(const std::vector<T>& from, AlignedVector<T>& to) {
        std::memcpy(static_cast<void*>(to.data()), from.data(), from.size() * sizeof(T));
    }
    const Shape& shape_;
    Buffers& out_;
    // Whole registers, in four sums: the memory should be waited for, not the adder.
    using Word = uint64_t __attribute__((vector_size(16)));
    std::vector<Word> words_;
};

struct Targets {
    std::optional<double> positions, all, dual_quaternion;
};

void measure(const std::string& name, const Shape& shape, const Targets& targets, bench::Table& table) {
    if (name.find(only_measure) == std::string::npos) return;
    // Centres, and the weights of their own that carry them, matter to the kernel only as numbers to read.
    const CompiledSkin skin =
        compile_skin(shape.influences, {shape.positions, shape.normals, shape.tangents, shape.positions},
                     shape.palette.size(), &shape.influences);
    Buffers out(shape.positions.size());
    const Floor floor(shape, out);
    SkinScratch scratch;
    const SkinOutput positions{.positions = {out.positions[0].data()}, .normals = {}, .tangents = {}};
    const SkinOutput all{{out.positions[0].data()}, {out.normals[0].data()}, {out.tangents[0].data()}};
    const auto lbs = [&](const SkinOutput& to, CompiledDeformOptions options) {
        options.parallel = false;
        return [&, options, &to = to] { deform_linear_blend(skin, shape.palette, options, scratch, to); };
    };
    const auto serial = [&](auto deform) {
        return [&, deform] { deform(skin, shape.palette, {.parallel = false}, scratch, positions); };
    };
    using Compiled = void (*)(const CompiledSkin&, std::span<const Affine>, const CompiledDeformOptions&, SkinScratch&,
                              const SkinOutput&);
    const auto t = bench::race(
        0.3, {[&] { floor.run(false); }, [&] { floor.run(true); }, lbs(positions, {}),
              lbs(all, {.normals = NormalMethod::approximate, .unit = false}), lbs(all, {.unit = false}),
              lbs(positions, {.order = VertexOrder::original}), lbs(all, {.order = VertexOrder::original}),
              lbs(all, {}), serial(Compiled(deform_dual_quaternion)), serial(Compiled(deform_centres_of_rotation)),
              [&] { deform_linear_blend(skin, shape.palette, {}, scratch, positions); },
              [&] { deform_linear_blend(skin, shape.palette, {}, scratch, all); }});
    fmt::print("{:<20} {:>8} vertices, {} runs, {} octets, {} loose runs; floor {:.2f} and {:.2f} ns a vertex\n", name,
               shape.positions.size(), skin.runs.size(), skin.octets.size(), skin.loose.size(),
               t[0] / shape.positions.size() * 1e9, t[1] / shape.positions.size() * 1e9);
    table.add(name + ", positions / floor", t[2] / t[0], "x", targets.positions);
    table.add(name + ", positions+normals+tangents / floor", t[3] / t[1], "x", targets.all);
    table.add(name + ", exact normals / approximate", t[4] / t[3], "x", 1.55);
    table.add(name + ", exact unit normals and tangents, all / floor", t[7] / t[1], "x");
    table.add(name + ", dual quaternions / linear blend", t[8] / t[2], "x", targets.dual_quaternion);
    table.add(name + ", centres of rotation / linear blend", t[9] / t[2], "x", 2.5);
    if (thread_count() == 2 && shape.positions.size() == 50'000) {
        table.add(name + ", positions, 2 threads, times faster", t[2] / t[10], "x", 1.8);
        table.add(name + ", all, 2 threads, times faster", t[7] / t[11], "x", 1.8);
    }
    table.add(name + ", original order, positions / floor", t[5] / t[0], "x");
    table.add(name + ", original order, all / floor", t[6] / t[1], "x");
}

// Keeps the kernels to one instruction set, by its name in Highway (AVX2, say).
bool use_target(const std::string& name) {
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (name != hwy::TargetName(target)) continue;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        return true;
    }
    return false;
}

}  // namespace

// --only TEXT: what has the text in its name. --target NAME: an instruction set, else the best here.
int main(int argc, char** argv) {
    bench::Table table;
    if (const std::string target = bench::argument(argc, argv, "--target"); !target.empty() && !use_target(target))
        return std::fprintf(stderr, "this machine has no %s\n", target.c_str()), 2;
    fmt::print("instruction set {}\n", hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()));
    only_measure = bench::argument(argc, argv, "--only");
    const std::filesystem::path data = test::data_folder();
    for (const auto& [file, p, a] :
         std::vector<std::tuple<std::string, double, double>>{{"rigged-gt/m2m_var_human-female.glb", 2.0, 1.6},
                                                              {"rigged-gt/m2m_var_human-male.glb", 2.0, 1.6},
                                                              {"rigged-gt/kaykit_Knight.glb", 2.0, 1.6},
                                                              {"gltf-khronos/Fox.glb", 2.0, 1.6},
                                                              {"gltf-khronos/CesiumMan.glb", 2.0, 1.6},
                                                              {"rigged-gt/m2m_var_bird-eagle.glb", 3.3, 2.3}}) {
        if (const auto shape = from_file(data / file, 0))
            measure(std::filesystem::path(file).stem().string(), *shape, {p, a, 1.9}, table);
        else
            fmt::print("SKIP: {} is not there\n", file);
    }
    for (const size_t n : {5'000, 50'000, 500'000}) {
        const std::string size = fmt::format(", {}k", n / 1000);
        const auto large = n == 500'000 ? std::optional(1.0) : std::nullopt;
        for (const uint32_t k : {1u, 2u, 4u, 8u})
            measure(fmt::format("{} by parts of 150", k) + size, by_parts(n, k),
                    {k == 1 ? std::optional(1.2) : std::nullopt, large, k == 4 ? std::optional(1.45) : std::nullopt},
                    table);
        measure("4 of a window of 8" + size, windowed(n), {2.5, large ? large : 2.0, {}}, table);
        measure("4 of 64 at random" + size, scrambled(n), {4.5, 3.2, {}}, table);
    }
    return table.finish(argc, argv);
}
