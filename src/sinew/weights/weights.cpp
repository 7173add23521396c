#include <sinew/weights/weights.h>

#include <sinew/core/check.h>
#include <sinew/core/closest.h>
#include <sinew/core/parallel.h>
#include <sinew/skeleton/joint_label.h>
#include <sinew/weights/bbw/bbw.h>
#include <sinew/weights/boneless_parts.h>
#include <sinew/weights/bones/distance.h>
#include <sinew/weights/clean.h>
#include <sinew/weights/find_leaks.h>
#include <sinew/weights/heat/heat.h>
#include <sinew/weights/surface/shreds.h>
#include <sinew/weights/volume/voxel.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 6> method_names = {"auto", "heat", "voxel", "bbw", "distance", "rigid"};

// Chosen: when the user is told.
constexpr double leak_told = 0.02;  // of the inside that is a guess; heat_sources.cpp distrusts the solid from there on
constexpr double one_spot = 0.02;   // of the mesh's diagonal: all bones in so small a box are of another scale
constexpr size_t pieces_told = 1000;  // hair and foliage have tens of thousands, and a report is for reading
constexpr int most_influences = 16;   // more joints per vertex than any engine takes
// Roughly how much of the work is done after each stage.
constexpr double welded = 0.15, chosen = 0.25, solved = 0.8, cleaned = 0.9;

class Stages {
public:
    Stages(WeightReport& report, const Progress& progress) : report_(report), progress_(progress) {}
    void done(std::string stage, double fraction) {
        const auto now = std::chrono::steady_clock::now();
        report_.seconds.emplace_back(std::move(stage), std::chrono::duration<double>(now - last_).count());
        last_ = now;
        report(progress_, "binding", fraction);
    }

private:
    WeightReport& report_;
    const Progress& progress_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// voxel and bbw need an inside. Without one they return nothing, and weights are made by distance.
WeightField or_distance(WeightField field, const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    if (field.vertex_count() == surface.vertex_count()) return field;
    report.warnings.push_back("the mesh encloses nothing, so the weights were made by distance");
    return distance_weights(surface, bones);
}

void tell_leak(double leak, WeightReport& report) {
    if (leak > leak_told)
        report.warnings.push_back(fmt::format(
            "the surface has holes, so {:.0f}% of its inside is a guess; check the weights there", 100 * leak));
}

WeightField run_voxel(const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    VoxelResult voxel = voxel_weights(surface, bones);
    tell_leak(voxel.leak, report);
    return or_distance(std::move(voxel.field), surface, bones, report);
}

WeightField run_bbw(const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    BbwResult bbw = bbw_weights(surface, {.bones = bones});
    tell_leak(bbw.leak, report);
    if (!bbw.solution.converged && bbw.cells > 0)
        report.warnings.push_back(fmt::format(
            "the solver stopped early; the weights may be off by {:.4f} from the smoothest ones", bbw.solution.breach));
    return or_distance(std::move(bbw.field), surface, bones, report);
}

WeightField run_heat(const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    HeatResult heat = heat_weights(surface, bones);
    if (!heat.solved)
        report.warnings.push_back(
            "the heat equation could not be solved, so every vertex follows its nearest bone alone");
    return std::move(heat.field);
}

// With cracks mended and shreds counted from both sides, heat does better than voxel on most damage
// (bench/weight_quality_bench.cpp). Voxel is for what heat cannot solve.
WeightField run_auto(const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    HeatResult heat = heat_weights(surface, bones);
    if (heat.solved) return std::move(heat.field);
    report.warnings.push_back("the heat equation could not be solved, so the weights were made by voxel");
    return run_voxel(surface, bones, report);
}

WeightField run_method(WeightMethod method, const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    switch (method) {
        case WeightMethod::distance:
            return distance_weights(surface, bones);
        case WeightMethod::rigid:
            return rigid_weights(surface, bones);
        case WeightMethod::voxel:
            return run_voxel(surface, bones, report);
        case WeightMethod::bbw:
            return run_bbw(surface, bones, report);
        case WeightMethod::heat:
            return run_heat(surface, bones, report);
        case WeightMethod::automatic:
            break;
    }
    return run_auto(surface, bones, report);
}

void count_joints(const std::vector<Influences>& influences, std::span<const int32_t> joints, WeightReport& report) {
    report.joints.resize(joints.size());
    for (size_t j = 0; j < joints.size(); ++j) report.joints[j].joint = joints[j];
    for (const Influences& mesh : influences) {
        report.vertices += mesh.vertex_count();
        report.max_influences = std::max(report.max_influences, mesh.max_per_vertex());
        report.unweighted_vertices += mesh.unweighted_vertices();
        for (size_t v = 0; v < mesh.vertex_count(); ++v) {
            double sum = 0.0;
            for (const Influence& i : mesh.of(v)) {
                sum += i.weight;
                ++report.joints[i.joint].vertices;
                report.joints[i.joint].total += i.weight;
            }
            if (!mesh.of(v).empty()) report.largest_sum_error = std::max(report.largest_sum_error, std::abs(sum - 1.0));
        }
    }
}

Result<void> write_influences(const WeightField& field, const Surface& surface, std::span<const uint32_t> slot,
                              WeightResult& result) {
    SINEW_TRY(result.influences, to_influences(field, surface, slot, result.joints.size()));
    count_joints(result.influences, result.joints, result.report);
    return {};
}

// What auto took a piece for, which is why it bound it so.
std::string auto_reason(size_t vertices, size_t open, bool shredded) {
    const double share = 100.0 * static_cast<double>(open) / static_cast<double>(std::max<size_t>(vertices, 1));
    if (shredded)
        return fmt::format("heat, both sides alike: a shred with {:.0f}% of its vertices on open edges", share);
    if (open == 0) return "heat: a closed surface";
    return fmt::format("heat: a surface with {:.0f}% of its vertices on open edges", share);
}

// The pieces by size, and how each was bound.
void tell_pieces(const Surface& surface, std::span<const PartBinding> parts, const Shreds& shreds,
                 const Skeleton& skeleton, WeightReport& report) {
    report.pieces.assign(surface.piece_count, {.vertices = 0, .how = report.method});
    std::vector<size_t> open(surface.piece_count, 0);
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        if (surface.piece[v] < 0) continue;
        ++report.pieces[static_cast<size_t>(surface.piece[v])].vertices;
        open[static_cast<size_t>(surface.piece[v])] += surface.open[v];
    }
    size_t rigid = 0;
    for (size_t p = 0; p < parts.size(); ++p) {
        if (report.method == "auto")
            report.pieces[p].how = auto_reason(report.pieces[p].vertices, open[p], shreds.of_piece[p] != 0);
        if (parts[p].pivot >= 0)
            report.pieces[p].how = fmt::format("rigid, around its joint ({})", joint_label(skeleton, parts[p].pivot));
        if (parts[p].on_skin) report.pieces[p].how = "as the skin that it lies on";
        if (parts[p].follows < 0) continue;
        ++rigid;
        report.pieces[p].how = fmt::format("rigid, with what it touches ({})", joint_label(skeleton, parts[p].follows));
    }
    std::stable_sort(report.pieces.begin(), report.pieces.end(),
                     [](const PieceReport& a, const PieceReport& b) { return a.vertices > b.vertices; });
    if (report.pieces.size() > pieces_told) report.pieces.resize(pieces_told);
    if (rigid > 0)
        report.warnings.push_back(fmt::format("{} of {} pieces have no bone of their own and follow what they touch",
                                              rigid, surface.piece_count));
}

// Joints that stand outside the mesh, or all in one spot of it, most often have another scale or another up axis.
void warn_of_misfit(const Surface& surface, std::span<const Bone> bones, WeightReport& report) {
    Eigen::AlignedBox3d box, bone_box;
    for (const Vec3d& p : surface.positions) box.extend(p);
    if (box.isEmpty() || bones.empty()) return;
    size_t outside = 0;
    for (const Bone& bone : bones) {
        outside += !box.contains(0.5 * (bone.head + bone.tail));
        bone_box.extend(bone.head);  // not the tail: an end bone's reaches for the skin, however far
    }
    if (2 * outside > bones.size())
        report.warnings.push_back(
            fmt::format("{} of {} bones lie outside the mesh; check that mesh and skeleton stand in the "
                        "same place, have the same units and the same up axis",
                        outside, bones.size()));
    else if (bones.size() > 1 && bone_box.diagonal().norm() < one_spot * box.diagonal().norm())
        report.warnings.push_back(
            "all bones lie in one spot of the mesh; check that mesh and skeleton have the same units");
}

void warn_of_loose_vertices(const Surface& surface, WeightReport& report) {
    const auto loose = static_cast<size_t>(std::count(surface.piece.begin(), surface.piece.end(), -1));
    if (loose == 0) return;
    report.warnings.push_back(
        loose == surface.vertex_count()
            ? "the mesh has no faces; every vertex follows the bones nearest to it"
            : fmt::format("{} vertices belong to no face; they follow the bones nearest to them", loose));
}

}  // namespace

std::vector<std::string_view> weight_method_names() {
    return {method_names.begin(), method_names.end()};
}

std::string_view to_string(WeightMethod method) {
    return method_names[static_cast<size_t>(method)];
}

Result<WeightMethod> parse_weight_method(std::string_view name) {
    const auto found = std::find(method_names.begin(), method_names.end(), name);
    if (found == method_names.end())
        return fail(ErrorCode::invalid_argument, unknown_name("method", name, method_names));
    return static_cast<WeightMethod>(found - method_names.begin());
}

Result<WeightResult> compute_weights(std::span<const WeightMesh> meshes, const WeightRig& rig,
                                     const WeightOptions& options) {
    if (!rig.skeleton || rig.skeleton->size() == 0)
        return fail(ErrorCode::invalid_argument, "the skeleton has no joints; give one that has");
    for (int32_t joint : rig.joints) SINEW_CHECK(joint >= 0 && static_cast<size_t>(joint) < rig.skeleton->size());
    WeightResult result;
    WeightReport& report = result.report;
    report.method = to_string(options.method);
    Stages stages(report, options.progress);

    const Surface surface = make_surface(meshes);
    report.welded_vertices = surface.vertex_count();
    report.triangles = surface.triangle_count();
    report.piece_count = surface.piece_count;
    if (surface.broken_positions > 0)
        report.warnings.push_back(fmt::format("{} positions are not numbers; they were moved to the middle of the mesh",
                                              surface.broken_positions));
    stages.done("weld", welded);

    SINEW_TRY(BoneChoice choice, choose_bones(rig, surface, options.bones));
    report.bones = std::move(choice.table);
    report.bone_axis = choice.axis;
    warn_of_misfit(surface, choice.bones, report);
    warn_of_loose_vertices(surface, report);
    stages.done("bones", chosen);

    const Shreds shreds = find_shreds(surface);
    if (shreds.pieces > 0)
        report.warnings.push_back(
            fmt::format("{} pieces, {:.0f}% of the surface, are shreds that hang on nothing; check their weights",
                        shreds.pieces, 100 * shreds.area_share));
    if (surface.mended > 0)
        report.warnings.push_back(fmt::format("{} vertices were joined across cracks between pieces", surface.mended));
    WeightField field = run_method(options.method, surface, choice.bones, report);
    stages.done(std::string(to_string(options.method)), solved);

    if (options.method != WeightMethod::rigid) fade_small(field, {});
    std::vector<PartBinding> parts(surface.piece_count);
    if (options.method == WeightMethod::automatic && shreds.pieces == 0)
        parts = bind_boneless_parts(field, surface, choice);
    limit_influences(field, static_cast<size_t>(std::clamp(options.influences, 1, most_influences)));
    tell_pieces(surface, parts, shreds, *rig.skeleton, report);
    stages.done("clean", cleaned);

    result.joints = rig.joints;
    if (result.joints.empty()) {
        result.joints.resize(rig.skeleton->size());
        std::iota(result.joints.begin(), result.joints.end(), 0);
    }
    for (const Bone& bone : choice.bones)  // chosen by hand, though the skin does not list it
        if (std::find(result.joints.begin(), result.joints.end(), bone.joint) == result.joints.end())
            result.joints.push_back(bone.joint);
    std::vector<uint32_t> slot(rig.skeleton->size(), 0);
    for (size_t i = result.joints.size(); i-- > 0;)
        slot[static_cast<size_t>(result.joints[i])] = static_cast<uint32_t>(i);
    Result<void> made;
    // Writing the weights out and looking for leaks do not depend on each other.
    parallel_for(2, 1, [&](size_t part, size_t) {
        if (part == 0)
            report.leaks = find_leaks(field, surface, neighbours(surface));
        else
            made = write_influences(field, surface, slot, result);
    });
    SINEW_TRY_VOID(std::move(made));
    for (const LeakSuspect& leak : report.leaks)
        report.warnings.push_back(
            fmt::format("{} vertices follow {} but lie apart from the rest of its skin; check them", leak.vertices,
                        joint_label(*rig.skeleton, leak.joint)));
    stages.done("report", 1.0);
    return result;
}

}  // namespace sinew
