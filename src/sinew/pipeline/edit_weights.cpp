#include <sinew/pipeline/edit_weights.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/write.h>
#include <sinew/pipeline/job/file_job.h>
#include <sinew/pipeline/job/report_json.h>
#include <sinew/skeleton/pose.h>
#include <sinew/weights/clean.h>
#include <sinew/weights/mirror.h>
#include <sinew/weights/transfer.h>
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr size_t capacity = 16;

// All skinned primitives as they stand at rest, as one surface, with their weights by skeleton joint.
struct SkinnedSurface {
    std::vector<DeformedPrimitive> primitives;
    Surface surface;
    WeightField field;
};

const Skin& skin_of(const Character& character, const DeformedPrimitive& d) {
    return character.skins[static_cast<size_t>(character.instances[static_cast<size_t>(d.instance)].skin)];
}

const Primitive& source_of(const Character& character, const DeformedPrimitive& d) {
    const MeshInstance& instance = character.instances[static_cast<size_t>(d.instance)];
    return character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(d.primitive)];
}

Result<SkinnedSurface> gather(const Character& character) {
    SkinnedSurface all;
    deform(character, rest_pose(character), {.normals = false}, all.primitives);
    std::set<const Primitive*> seen;  // a mesh that is shown twice has one set of weights
    std::erase_if(all.primitives, [&](const DeformedPrimitive& d) {
        const Primitive& primitive = source_of(character, d);
        return character.instances[static_cast<size_t>(d.instance)].skin < 0 || primitive.influences.empty() ||
               !seen.insert(&primitive).second;
    });
    if (all.primitives.empty())
        return fail(ErrorCode::not_found, "has no skinned mesh; bind it to a skeleton first (sinew bind)");
    std::vector<WeightMesh> meshes;
    for (const DeformedPrimitive& d : all.primitives)
        meshes.push_back({d.positions, source_of(character, d).mesh.triangles});
    all.surface = make_surface(meshes);
    all.field = WeightField(all.surface.vertex_count(), capacity);
    for (size_t m = 0; m < all.primitives.size(); ++m) {
        const Influences& influences = source_of(character, all.primitives[m]).influences;
        const Skin& skin = skin_of(character, all.primitives[m]);
        for (size_t v = 0; v < influences.vertex_count(); ++v)
            for (const Influence& i : influences.of(v))
                all.field.add(all.surface.vertex_of[all.surface.mesh_begin[m] + v],
                              static_cast<uint32_t>(skin.joints[i.joint]), i.weight);
    }
    for (size_t v = 0; v < all.field.vertex_count(); ++v) all.field.normalise(v);
    return all;
}

Result<void> transfer(const Character& character, const Character& from, SkinnedSurface& all,
                      EditWeightsReport& report) {
    auto gathered = gather(from);
    if (!gathered) return fail(gathered.error().code, gathered.error().message, "transfer");
    const SkinnedSurface source = *std::move(gathered);
    std::vector<uint8_t> usable(character.skeleton.size(), 0);
    for (const DeformedPrimitive& d : all.primitives)
        for (int32_t joint : skin_of(character, d).joints) usable[static_cast<size_t>(joint)] = 1;
    // A joint that the character lacks hands its weight to its nearest ancestor that it has.
    std::vector<int32_t> here(from.skeleton.size(), -1);
    for (size_t j = 0; j < here.size(); ++j) {
        const int32_t same = character.skeleton.find(from.skeleton.names()[j]);
        const int32_t parent = from.skeleton.parents()[j];
        here[j] = same >= 0 && usable[static_cast<size_t>(same)] ? same
                  : parent >= 0                                  ? here[static_cast<size_t>(parent)]
                                                                 : -1;
    }
    if (std::all_of(here.begin(), here.end(), [](int32_t j) { return j < 0; }))
        return fail(ErrorCode::not_found, "has no joint whose name the other file has too; rename the joints first");
    WeightField mapped(source.field.vertex_count(), capacity);
    for (size_t v = 0; v < mapped.vertex_count(); ++v) {
        for (const Influence& i : source.field.of(v))
            if (here[i.joint] >= 0) mapped.add(v, static_cast<uint32_t>(here[i.joint]), i.weight);
        mapped.normalise(v);
    }
    TransferResult result = transfer_weights(source.surface, mapped, all.surface);
    report.transferred = result.matched;
    if (2 * result.matched < all.surface.vertex_count())
        report.warnings.push_back(
            fmt::format("only {} of {} vertices lie on the other surface; the others took the weights around them",
                        result.matched, all.surface.vertex_count()));
    for (size_t v = 0; v < all.field.vertex_count(); ++v)
        if (!result.field.of(v).empty()) all.field.set(v, result.field.of(v));
    return {};
}

void mirror(const Character& character, int axis, SkinnedSurface& all, EditWeightsReport& report) {
    std::vector<Vec3d> positions;
    double middle = 0.0;
    for (const AffineD& frame : rest_world(character.skeleton)) {
        positions.push_back(frame.translation());
        middle += frame.translation()[axis];
    }
    middle /= static_cast<double>(positions.size());
    const auto twins = mirror_joints(character.skeleton, positions, axis, 0.02 * all.surface.size);
    // Only joints of the skins may take weight.
    std::vector<uint8_t> usable(positions.size(), 0);
    for (const DeformedPrimitive& d : all.primitives)
        for (int32_t joint : skin_of(character, d).joints) usable[static_cast<size_t>(joint)] = 1;
    std::vector<int32_t> safe = twins;
    for (size_t j = 0; j < safe.size(); ++j)
        if (!usable[static_cast<size_t>(safe[j])]) safe[j] = static_cast<int32_t>(j);
    const double plane = (middle - all.surface.center[axis]) / all.surface.size;
    report.mirror_unmatched = mirror_weights(all.field, all.surface, safe, axis, plane).unmatched;
    if (report.mirror_unmatched > 0)
        report.warnings.push_back(fmt::format("{} vertices have no surface on the other side and keep their weights",
                                              report.mirror_unmatched));
}

bool same_row(std::span<const Influence> a, std::span<const Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Influence& x, const Influence& y) {
        return x.joint == y.joint && x.weight == y.weight;
    });
}

Result<void> put_back(Character& character, const SkinnedSurface& all, EditWeightsReport& report) {
    for (size_t m = 0; m < all.primitives.size(); ++m) {
        const DeformedPrimitive& d = all.primitives[m];
        const Skin& skin = skin_of(character, d);
        std::vector<uint32_t> slot(character.skeleton.size(), 0);
        for (size_t i = skin.joints.size(); i-- > 0;)
            slot[static_cast<size_t>(skin.joints[i])] = static_cast<uint32_t>(i);
        const MeshInstance& instance = character.instances[static_cast<size_t>(d.instance)];
        Influences& now = character.meshes[static_cast<size_t>(instance.mesh)]
                              .primitives[static_cast<size_t>(d.primitive)]
                              .influences;
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (size_t v = 0; v < now.vertex_count(); ++v) {
            // Welded across two skins, a vertex may follow joints that this skin lacks; when it lacks all, nothing
            // changes.
            for (const Influence& i : all.field.of(all.surface.vertex_of[all.surface.mesh_begin[m] + v]))
                if (skin.joints[slot[i.joint]] == static_cast<int32_t>(i.joint))
                    raw.push_back({slot[i.joint], i.weight});
            if (raw.size() == first.back()) raw.insert(raw.end(), now.of(v).begin(), now.of(v).end());
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        SINEW_TRY(Influences edited, Influences::create(std::move(first), std::move(raw), skin.joints.size()));
        report.vertices += edited.vertex_count();
        report.max_influences = std::max(report.max_influences, edited.max_per_vertex());
        report.unweighted_vertices += edited.unweighted_vertices();
        for (size_t v = 0; v < edited.vertex_count(); ++v) {
            report.changed += !same_row(edited.of(v), now.of(v));
            double sum = edited.of(v).empty() ? 1.0 : 0.0;
            for (const Influence& i : edited.of(v)) sum += i.weight;
            report.largest_sum_error = std::max(report.largest_sum_error, std::abs(sum - 1.0));
        }
        now = std::move(edited);
    }
    return {};
}

}  // namespace

Result<EditWeightsReport> edit_weights(Character& character, const EditWeightsOptions& options) {
    EditWeightsReport report;
    SINEW_TRY(SkinnedSurface all, gather(character));
    if (options.transfer_from) SINEW_TRY_VOID(transfer(character, *options.transfer_from, all, report));
    if (options.mirror) mirror(character, *options.mirror, all, report);
    if (options.smooth > 0) smooth(all.field, all.surface, neighbours(all.surface), options.smooth);
    if (options.prune > 0.0f) prune(all.field, options.prune);
    if (options.influences > 0) limit_influences(all.field, static_cast<size_t>(options.influences));
    SINEW_TRY_VOID(put_back(character, all, report));
    if (report.unweighted_vertices > 0)
        report.warnings.push_back(fmt::format(
            "{} vertices follow no joint; smooth the weights (--smooth 1), or bind the mesh again (sinew bind)",
            report.unweighted_vertices));
    return report;
}

namespace {

bool asks_for_anything(const EditWeightsOptions& options) {
    return options.transfer_from || options.mirror || options.smooth > 0 || options.influences > 0 ||
           options.prune > 0.0f;
}

}  // namespace

Result<EditWeightsFileReport> edit_weights_file(const EditWeightsJob& job) {
    std::vector<std::filesystem::path> inputs = {job.input};
    if (!job.transfer_from.empty()) inputs.push_back(job.transfer_from);
    SINEW_TRY_VOID(check_outputs({{job.output, job.replace_input}, {job.report}}, inputs));
    SINEW_TRY_VOID(in_file(check_skin_type(job.output), job.output));
    EditWeightsFileReport done{.input = job.input.string(), .output = job.output.string()};
    Stopwatch stopwatch;
    SINEW_TRY(Character character, read_input(job.input, job.listener));
    done.warnings = character.warnings;
    EditWeightsOptions how = job.options;
    Character source;
    if (!job.transfer_from.empty()) {
        SINEW_TRY(source, read_input(job.transfer_from, job.listener));
        how.transfer_from = &source;
    }
    done.seconds.emplace_back("read", stopwatch.lap());
    auto edited = edit_weights(character, how);
    if (!edited && edited.error().where == "transfer")
        return fail(edited.error().code, edited.error().message, job.transfer_from.string());
    SINEW_TRY(done.edit, in_file(std::move(edited), job.input));
    done.seconds.emplace_back("edit", stopwatch.lap());
    if (!asks_for_anything(how))
        done.edit.warnings.push_back("no edit was asked for; give --smooth, --mirror, --prune, …");
    warn(job.listener, done.input, done.edit.warnings, done.warnings);
    SINEW_TRY(std::vector<OutputFile> files, in_file(encode_character(character, job.output), job.output));
    done.seconds.emplace_back("write", stopwatch.lap());
    SINEW_TRY_VOID(write_outputs(std::move(files), job.report, job.report.empty() ? "" : encode_json(done)));
    return done;
}

}  // namespace sinew
