// One whole frame of a character through CharacterDeformer (sample, forward kinematics, palettes, morph, skin with
// normals and tangents) against its kernels alone: the same morph weights and palettes given, and nothing else done.
// Also the same with the pose given, and what a frame allocates, counted.
#include <sinew/character/character_deformer.h>
#include <sinew/character/compiled_morphs.h>
#include <sinew/clip/clip.h>
#include <sinew/io/read.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skin/compiled/compiled_deform.h>
#include <support/places.h>
#include <cmath>

#include "support.h"
#include "support/count_allocations.h"
#include "weights/makehuman.h"

#include "morph/makehuman_face.h"

namespace {

using namespace sinew;
using test::allocations;

constexpr size_t frames = 16;  // one after another in time, a sixtieth of a second apart

// Every attribute is there, as in a character that was made for an engine.
void add_directions(Character& character) {
    for (MeshGroup& group : character.meshes) {
        for (Primitive& p : group.primitives) {
            if (p.mesh.normals.empty()) p.mesh.normals = compute_normals(p.mesh.positions, p.mesh.triangles);
            p.mesh.tangents.clear();
            for (const Vec3& n : p.mesh.normals) {
                const Vec3 t = n.unitOrthogonal();
                p.mesh.tangents.emplace_back(t.x(), t.y(), t.z(), 1.0f);
            }
        }
    }
}

// A built-in walk, for characters that bring no motion.
void add_walk(Character& character) {
    const Motion motion = builtin_motion("walk").value();
    auto walk = retarget(motion.skeleton, motion.clip, character.skeleton);
    if (walk) character.clips.push_back(std::move(walk->clip));
}

std::optional<Character> from_file(const std::filesystem::path& path) {
    auto character = read_character(path);
    if (!character) return {};
    if (character->clips.empty()) add_walk(*character);
    if (character->clips.empty()) return {};
    return std::move(*character);
}

// MakeHuman's body with its facial expressions, about half of which are at work at any time while it walks.
std::optional<Character> morphing_face(const std::filesystem::path& data) {
    const auto face = test::makehuman_face();
    if (!face) return {};
    Character character = test::read_makehuman(data / "makehuman")->character;
    std::vector<uint8_t> unused;
    Mesh numbered = test::read_makehuman_body(data / "makehuman" / "base.obj", unused);
    const std::vector<int64_t> number = test::drop_unused(numbered);
    Primitive& body = character.meshes[0].primitives[0];
    const std::vector<Vec3> neutral = compute_normals(body.mesh.positions, body.mesh.triangles);
    for (const MorphTarget& whole : face->targets) {
        std::vector<std::pair<uint32_t, Vec3>> moved;
        for (size_t i = 0; i < whole.vertices.size(); ++i)
            if (const int64_t v = number[whole.vertices[i]]; v >= 0)
                moved.emplace_back(static_cast<uint32_t>(v), whole.positions[i]);
        std::ranges::sort(moved, {}, &std::pair<uint32_t, Vec3>::first);
        MorphTarget target{.name = whole.name};
        std::vector<Vec3> at_full = body.mesh.positions;
        for (const auto& [v, delta] : moved) {
            target.vertices.push_back(v);
            target.positions.push_back(delta);
            at_full[v] += delta;
        }
        const std::vector<Vec3> normals = compute_normals(at_full, body.mesh.triangles);
        for (const uint32_t v : target.vertices) target.normals.push_back(normals[v] - neutral[v]);
        body.morphs.push_back(std::move(target));
    }
    layout_morphs(character);
    add_walk(character);
    if (character.clips.empty()) return {};
    const auto width = static_cast<int32_t>(body.morphs.size());
    Track track{.target = 0, .path = TrackPath::morphs, .width = width, .times = {}, .values = {}};
    for (int key = 0; key < 30; ++key) {
        track.times.push_back(static_cast<float>(key) / 15.0f);
        for (int32_t t = 0; t < width; ++t)
            track.values.push_back(std::max(0.0f, std::sin(0.3f * static_cast<float>(key) + static_cast<float>(t))));
    }
    character.clips[0].tracks.push_back(std::move(track));
    return character;
}

struct Buffers {
    AlignedVector<Vec3> positions, normals;
    AlignedVector<Vec4> tangents;
    explicit Buffers(size_t n) : positions(n), normals(n), tangents(n) {}
    SkinOutput output() {
        if (positions.empty()) return {};
        return {{positions[0].data()}, {normals[0].data()}, {tangents[0].data()}};
    }
};

// A part as its kernels see it: compiled, with the palette and the morph weights of every frame.
struct BarePart {
    CompiledSkin skin;
    CompiledMorphs morphs;
    std::vector<std::vector<Affine>> palettes;
    std::vector<std::vector<float>> weights;

    BarePart(const Character& c, const DeformedPart& part) {
        const MeshInstance& instance = c.instances[static_cast<size_t>(part.instance)];
        const Primitive& p =
            c.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)];
        const bool skinned = instance.skin >= 0 && !p.influences.empty();
        Influences influences = p.influences;
        if (!skinned) {
            std::vector<uint32_t> first(part.vertex_count + 1);
            for (size_t v = 0; v < first.size(); ++v) first[v] = static_cast<uint32_t>(v);
            influences = Influences::create(first, std::vector<Influence>(part.vertex_count, {0, 1.0f}), 1).value();
        }
        skin = compile_skin(influences, {p.mesh.positions, p.mesh.normals, p.mesh.tangents, {}},
                            skinned ? c.skins[static_cast<size_t>(instance.skin)].joints.size() : 1);
        morphs = compile_morphs(p.morphs, skin);
    }
};

struct Subject {
    const Character& character;
    const Clip& clip;
    CharacterDeformer deformer, scalar;
    std::vector<Buffers> buffers;
    std::vector<BarePart> bare;
    std::vector<DeformedPrimitive> arrays, scalar_arrays;
    std::vector<AffineD> world;
    SkinScratch scratch;
    Pose pose;
    std::vector<Pose> poses;  // of every frame

    Subject(const Character& c, const Clip& of)
        : character(c),
          clip(of),
          deformer(c, {.parallel = false}),
          scalar(c, {.kernels = false}),
          world(c.skeleton.size()) {
        for (const DeformedPart& part : deformer.parts()) {
            buffers.emplace_back(part.vertex_count);
            bare.emplace_back(c, part);
        }
        for (size_t f = 0; f < frames; ++f) {
            sample_pose(character, &clip, time_of(f), pose);
            poses.push_back(pose);
            deformer.set_pose(pose);
            for (size_t k = 0; k < bare.size(); ++k) {
                const auto palette = deformer.palette(k);
                bare[k].palettes.emplace_back(palette.begin(), palette.end());
                const auto first = c.instances[static_cast<size_t>(deformer.parts()[k].instance)].first_morph;
                const auto weights =
                    std::span(pose.morphs).subspan(static_cast<size_t>(first), bare[k].morphs.targets.size());
                bare[k].weights.emplace_back(weights.begin(), weights.end());
            }
        }
    }

    float time_of(size_t frame) const { return std::fmod(0.1f + static_cast<float>(frame) / 60.0f, duration(clip)); }

    void deform_into_buffers(const Pose& at) {
        deformer.set_pose(at);
        for (size_t k = 0; k < buffers.size(); ++k) deformer.write(k, buffers[k].output(), VertexOrder::compiled);
    }
    void whole_frames() {
        for (size_t f = 0; f < frames; ++f) {
            sample_pose(character, &clip, time_of(f), pose);
            deform_into_buffers(pose);
        }
    }
    void frames_from_poses() {
        for (const Pose& at : poses) deform_into_buffers(at);
    }
    void kernels() {
        for (size_t f = 0; f < frames; ++f) {
            for (size_t k = 0; k < bare.size(); ++k) {
                morph_rest(bare[k].morphs, bare[k].weights[f], bare[k].skin);
                deform_linear_blend(bare[k].skin, bare[k].palettes[f], {.parallel = false}, scratch,
                                    buffers[k].output());
            }
        }
    }
    void sample_only() {
        for (size_t f = 0; f < frames; ++f) sample_pose(character, &clip, time_of(f), pose);
    }
    void forward_kinematics_only() {
        for (size_t f = 0; f < frames; ++f) local_to_world(character.skeleton.parents(), pose.local, world);
    }
    void whole_arrays(CharacterDeformer& by, std::vector<DeformedPrimitive>& out) {
        for (size_t f = 0; f < frames; ++f) {
            sample_pose(character, &clip, time_of(f), pose);
            by.deform(pose, out);
        }
    }
};

void measure(const std::string& name, Character character, bench::Table& table) {
    add_directions(character);
    // The clip that moves most.
    const Clip& clip = *std::ranges::max_element(character.clips, {}, [](const Clip& c) { return c.tracks.size(); });
    Subject s(character, clip);
    size_t vertices = 0, joints = character.skeleton.size();
    for (const DeformedPart& part : s.deformer.parts()) vertices += part.vertex_count;
    const auto t =
        bench::race(0.4, {[&] { s.whole_frames(); }, [&] { s.kernels(); }, [&] { s.sample_only(); },
                          [&] { s.forward_kinematics_only(); }, [&] { s.whole_arrays(s.deformer, s.arrays); },
                          [&] { s.whole_arrays(s.scalar, s.scalar_arrays); }, [&] { s.frames_from_poses(); }});
    const size_t before = allocations;
    s.whole_frames();
    s.whole_arrays(s.deformer, s.arrays);
    const auto allocated = static_cast<double>(allocations - before) / (2 * frames);
    const auto ns = [&](double seconds, size_t count) { return seconds / frames / static_cast<double>(count) * 1e9; };
    fmt::print(
        "{:<14} {:>6} vertices, {:>2} parts, {:>3} joints, {:>3} tracks: frame {:.1f} µs = {:.2f} ns a vertex; "
        "sampling {:.0f} ns a track, forward kinematics {:.0f} ns a joint\n",
        name, vertices, s.buffers.size(), joints, clip.tracks.size(), t[0] / frames * 1e6, ns(t[0], vertices),
        ns(t[2], clip.tracks.size()), ns(t[3], joints));
    table.add(name + ", frame / kernels alone", t[0] / t[1], "x", 1.25);
    table.add(name + ", frame with the pose given / kernels alone", t[6] / t[1], "x", 1.25);
    table.add(name + ", allocations a frame", allocated, "", 0.0);
    table.add(name + ", sampling / kernels alone", t[2] / t[1], "x");
    table.add(name + ", forward kinematics / kernels alone", t[3] / t[1], "x");
    table.add(name + ", frame into arrays, mesh's order / kernels", t[4] / t[1], "x");
    table.add(name + ", scalar deformers / frame into arrays", t[5] / t[4], "x");
}

}  // namespace

// --only TEXT: what has the text in its name.
int main(int argc, char** argv) {
    bench::Table table;
    const std::string only = bench::argument(argc, argv, "--only");
    const std::filesystem::path data = test::data_folder();
    for (const char* file : {"rigged-gt/m2m_var_human-female.glb", "rigged-gt/kaykit_Knight.glb",
                             "gltf-khronos/CesiumMan.glb", "gltf-khronos/Fox.glb", "gltf-khronos/BrainStem.glb"}) {
        const std::string name = std::filesystem::path(file).stem().string();
        if (name.find(only) == std::string::npos) continue;
        if (auto character = from_file(data / file))
            measure(name, std::move(*character), table);
        else
            fmt::print("SKIP: {} is not there\n", file);
    }
    if (std::string("face").find(only) != std::string::npos) {
        if (auto character = morphing_face(data))
            measure("face", std::move(*character), table);
        else
            fmt::print("SKIP: makehuman is not there\n");
    }
    return table.finish(argc, argv);
}
