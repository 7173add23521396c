#include <sinew/io/write.h>
#include <sinew/pipeline/bake.h>
#include <sinew/pipeline/info.h>
#include <sinew/pipeline/job/file_job.h>
#include <iterator>

#include <fmt/format.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

bool is_json(const fs::path& output) {
    return output == "-" || lower_extension(output) == ".json";
}

Result<void> check_type(const fs::path& output) {
    const std::string extension = lower_extension(output);
    if (is_json(output) || extension == ".obj" || extension == ".glb" || extension == ".gltf") return {};
    return fail(ErrorCode::unsupported, fmt::format("cannot bake to \"{}\"; use .json, .obj or .glb", extension));
}

// Before the work: a rate typed with too many zeros would fill the memory.
Result<void> check_amount(const Character& character, const Clip* clip, const BakeJob& job) {
    size_t vertices = 1;
    for (const MeshInstance& instance : character.instances)
        for (const Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            vertices += primitive.mesh.positions.size();
    double frames = static_cast<double>(job.times.size());
    if (job.times.empty() && clip) frames = double{duration(*clip)} * double{job.fps};
    constexpr double most_frames = 100'000;
    const auto most_vertices = static_cast<double>(Limits{}.max_vertices);
    if (frames <= most_frames && frames * static_cast<double>(vertices) <= most_vertices) return {};
    return fail(
        ErrorCode::limit_exceeded,
        fmt::format("{:.0f} frames of {} vertices are too many; lower --fps or give fewer --times", frames, vertices));
}

std::vector<float> choose_times(const Clip* clip, const BakeJob& job) {
    if (!job.times.empty()) return job.times;
    if (job.fps > 0.0f && clip) return frame_times(*clip, job.fps);
    return {0.0f};
}

// hero.obj for one frame; hero_0000.obj, hero_0001.obj, … for several: an OBJ holds one moment.
Result<std::vector<OutputFile>> encode_objs(const Character& character, std::span<const BakedFrame> frames,
                                            const fs::path& output) {
    std::vector<OutputFile> files;
    for (size_t k = 0; k < frames.size(); ++k) {
        fs::path path = output;
        if (frames.size() > 1)
            path.replace_filename(fmt::format("{}_{:04}{}", output.stem().string(), k, output.extension().string()));
        SINEW_TRY(auto encoded, encode_character(baked_character(character, frames.subspan(k, 1)), path));
        std::move(encoded.begin(), encoded.end(), std::back_inserter(files));
    }
    return files;
}

Result<std::vector<OutputFile>> encode(const Character& character, const Clip* clip, std::span<const BakedFrame> frames,
                                       const BakeJob& job) {
    if (lower_extension(job.output) == ".obj") return encode_objs(character, frames, job.output);
    if (!is_json(job.output)) return encode_character(baked_character(character, frames), job.output);
    std::vector<OutputFile> files;
    files.push_back({job.output, encode_bake_json(character, job.input.string(), clip, frames)});
    return files;
}

}  // namespace

Result<BakeReport> bake_file(const BakeJob& job) {
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}}, {job.input}));
    SINEW_TRY_VOID(in_file(check_type(job.output), job.output));
    SINEW_TRY(const Character character, read_input(job.input, job.listener));
    const Clip* clip = nullptr;
    if (!job.clip.empty() || !job.times.empty() || job.fps != 0.0f) {
        SINEW_TRY(clip, in_file(find_clip(character, job.clip), job.input));
    }
    SINEW_TRY_VOID(in_file(check_amount(character, clip, job), job.input));
    DeformOptions deform = job.deform;
    deform.normals = !is_json(job.output);
    deform.surface_normals = true;  // files outlast the milliseconds
    const auto frames = bake(character, clip, choose_times(clip, job), deform);
    SINEW_TRY(const std::vector<OutputFile> files, in_file(encode(character, clip, frames, job), job.output));
    SINEW_TRY_VOID(in_file(write_files(files), job.output));
    return BakeReport{job.input.string(), job.output.string(), frames.size()};
}

}  // namespace sinew
