// Painting weights, and weights along a bone.
#include <sinew/character/character_deformer.h>
#include <sinew/curve/tangents.h>
#include <sinew/weights/mirror.h>
#include <sinew/weights/paint/bone_profile.h>
#include <sinew/weights/paint/paint.h>
#include <algorithm>

#include "choices.h"
#include "skin_parts.h"

namespace sinew::web {
namespace {

constexpr size_t most_joints = 16;   // per vertex, while painting
constexpr size_t usual_joints = 4;   // that engines take
constexpr int mirror_axis = 0;       // left and right
constexpr double twin_share = 0.02;  // of the body's size: as near as a mirrored joint must be

// All skinned parts at rest as one surface, with weights by skeleton joint.
struct Canvas {
    std::vector<SkinnedPart> parts;
    Surface surface;
    Neighbours around;
    WeightField field;
    size_t influences = usual_joints;
};

Result<Canvas> make_canvas(const Character& character) {
    Canvas canvas;
    std::vector<const Primitive*> seen;  // a mesh that is shown twice has one set of weights
    std::vector<DeformedPrimitive> shown;
    deform(character, rest_pose(character), {.normals = false}, shown);
    std::vector<WeightMesh> meshes;
    for (const SkinnedPart& part : skinned_parts(character)) {
        const Primitive& primitive = part.primitive_of(character);
        if (std::ranges::find(seen, &primitive) != seen.end()) continue;
        const auto own = std::ranges::find_if(shown, [&](const DeformedPrimitive& d) {
            return d.instance == part.instance && d.primitive == part.primitive;
        });
        if (own == shown.end()) continue;
        seen.push_back(&primitive);
        canvas.parts.push_back(part);
        canvas.influences = std::max(canvas.influences, primitive.influences.max_per_vertex());
        meshes.push_back({own->positions, primitive.mesh.triangles});
    }
    if (meshes.empty()) return fail(ErrorCode::not_found, "has no skinned mesh; rig it first");
    canvas.surface = make_surface(meshes);
    canvas.around = neighbours(canvas.surface);
    canvas.field = WeightField(canvas.surface.vertex_count(), most_joints);
    for (size_t m = 0; m < canvas.parts.size(); ++m) {
        const SkinnedPart& part = canvas.parts[m];
        const std::vector<int32_t>& joints = character.skins[static_cast<size_t>(part.skin)].joints;
        const Influences& influences = part.primitive_of(character).influences;
        for (size_t v = 0; v < influences.vertex_count(); ++v)
            for (const Influence& i : influences.of(v))
                canvas.field.add(canvas.surface.vertex_of[canvas.surface.mesh_begin[m] + v],
                                 static_cast<uint32_t>(joints[i.joint]), i.weight);
    }
    for (size_t v = 0; v < canvas.field.vertex_count(); ++v) canvas.field.normalise(v);
    return canvas;
}

// The new weights of the vertices of one part that lie at changed places of the surface.
struct PartChange {
    std::vector<uint32_t> vertices;
    WeightArrays arrays;
};
PartChange change_of(const Character& character, const Canvas& canvas, size_t m, const std::vector<char>& changed) {
    const SkinnedPart& part = canvas.parts[m];
    const std::vector<int32_t>& joints = character.skins[static_cast<size_t>(part.skin)].joints;
    std::vector<int32_t> slot(character.skeleton.size(), -1);
    for (size_t i = joints.size(); i-- > 0;) slot[static_cast<size_t>(joints[i])] = static_cast<int32_t>(i);
    PartChange change;
    change.arrays.first.push_back(0);
    const size_t begin = canvas.surface.mesh_begin[m], end = canvas.surface.mesh_begin[m + 1];
    for (size_t v = begin; v < end; ++v) {
        const uint32_t place = canvas.surface.vertex_of[v];
        if (!changed[place]) continue;
        const size_t before = change.arrays.joint.size();
        for (const Influence& i : canvas.field.of(place)) {
            if (slot[i.joint] < 0 || !(i.weight > 0.0f)) continue;
            change.arrays.joint.push_back(static_cast<uint32_t>(slot[i.joint]));
            change.arrays.weight.push_back(i.weight);
        }
        if (change.arrays.joint.size() == before) continue;  // it follows joints that this skin lacks
        change.vertices.push_back(static_cast<uint32_t>(v - begin));
        change.arrays.first.push_back(static_cast<uint32_t>(change.arrays.joint.size()));
    }
    return change;
}

Result<void> put_back(const Canvas& canvas, const std::vector<char>& changed, Character& character) {
    for (size_t m = 0; m < canvas.parts.size(); ++m) {
        const SkinnedPart& part = canvas.parts[m];
        const PartChange change = change_of(character, canvas, m, changed);
        Influences& own = part.primitive_of(character).influences;
        const size_t joints = character.skins[static_cast<size_t>(part.skin)].joints.size();
        SINEW_TRY(own, with_weights(own, change.vertices, change.arrays, joints));
    }
    return {};
}

struct Painter : Prepared {
    static constexpr PreparedKind own_kind = PreparedKind::painter;
    Painter(int32_t id, DocumentPtr painted, Canvas canvas)
        : Prepared(own_kind), id(id), document(std::move(painted)), canvas(std::move(canvas)) {}

    int32_t id;  // of the document
    DocumentPtr document;
    Canvas canvas;
    std::vector<char> changed;      // per vertex of the surface, since painting began
    std::vector<int32_t> mirrored;  // per joint
    double plane = 0.0;             // across which left and right mirror each other, in the surface's units
};

void prepare_mirror(Painter& painter) {
    const Skeleton& skeleton = painter.document->character.skeleton;
    std::vector<Vec3d> positions;
    double middle = 0.0;
    for (const AffineD& frame : rest_world(skeleton)) {
        positions.push_back(frame.translation());
        middle += frame.translation()[mirror_axis];
    }
    middle /= static_cast<double>(std::max<size_t>(positions.size(), 1));
    const Surface& surface = painter.canvas.surface;
    painter.mirrored = mirror_joints(skeleton, positions, mirror_axis, twin_share * surface.size);
    painter.plane = (middle - surface.center[mirror_axis]) / surface.size;
}

Result<Json> begin_painting(Call& call) {
    int32_t id = 0;
    call.args.need("id", id);
    SINEW_TRY(const DocumentPtr document, document_of(call));
    SINEW_TRY(Canvas canvas, make_canvas(document->character));
    auto painter = std::make_unique<Painter>(id, document, std::move(canvas));
    painter->changed.assign(painter->canvas.surface.vertex_count(), 0);
    prepare_mirror(*painter);
    return Json{{"painter", call.documents.keep(std::move(painter))}};
}

Result<Painter*> painter_of(Call& call) {
    int32_t id = 0;
    call.args.need("painter", id);
    SINEW_TRY_VOID(call.args.check());
    return call.documents.prepared<Painter>(id);
}

Result<BrushMode> mode_of(const std::string& name) {
    if (name == "add") return BrushMode::add;
    if (name == "subtract") return BrushMode::subtract;
    if (name == "replace") return BrushMode::replace;
    if (name == "smooth") return BrushMode::smooth;
    return fail(ErrorCode::invalid_argument, "is not add, subtract, replace or smooth", "mode");
}

struct Stroke {
    Brush brush;
    std::vector<uint8_t> locked;
    bool mirror = false;
};

Result<void> read_stroke(Call& call, const Painter& painter, Stroke& stroke) {
    std::string joint, mode;
    Vec3 center = Vec3::Zero();
    std::vector<std::string> locked;
    call.args.need("joint", joint);
    call.args.need("mode", mode);
    call.args.need("centre", center);
    call.args.need("radius", stroke.brush.radius);
    call.args.need("strength", stroke.brush.strength);
    call.args.read("mirror", stroke.mirror);
    call.args.read("locked", locked);
    SINEW_TRY_VOID(call.args.check());
    const Character& character = painter.document->character;
    const Surface& surface = painter.canvas.surface;
    SINEW_TRY(const int32_t number, joint_of(character, joint));
    SINEW_TRY(stroke.brush.mode, mode_of(mode));
    stroke.brush.joint = static_cast<uint32_t>(number);
    stroke.brush.center = surface.to_surface(center.cast<double>());
    stroke.brush.radius /= surface.size;
    stroke.brush.influences = painter.canvas.influences;
    stroke.locked.assign(character.skeleton.size(), 0);
    for (const std::string& name : locked) {
        SINEW_TRY(const int32_t one, joint_of(character, name));
        stroke.locked[static_cast<size_t>(one)] = 1;
    }
    stroke.brush.locked = stroke.locked;
    return {};
}

Result<Json> paint_dab(Call& call) {
    SINEW_TRY(Painter * painter, painter_of(call));
    Stroke stroke;
    SINEW_TRY_VOID(read_stroke(call, *painter, stroke));
    Canvas& canvas = painter->canvas;
    std::vector<char> changed(canvas.surface.vertex_count(), 0);
    const auto dab = [&](const Brush& brush) {
        for (uint32_t v : paint(brush, canvas.surface, canvas.around, canvas.field))
            changed[v] = painter->changed[v] = 1;
    };
    dab(stroke.brush);
    if (stroke.mirror) {
        stroke.brush.joint = static_cast<uint32_t>(painter->mirrored[stroke.brush.joint]);
        stroke.brush.center[mirror_axis] = 2.0 * painter->plane - stroke.brush.center[mirror_axis];
        std::vector<uint8_t> locked(stroke.locked.size(), 0);
        for (size_t j = 0; j < locked.size(); ++j)
            locked[static_cast<size_t>(painter->mirrored[j])] |= stroke.locked[j];
        stroke.brush.locked = locked;
        dab(stroke.brush);
    }
    Json parts = Json::array();
    for (size_t m = 0; m < canvas.parts.size(); ++m) {
        const PartChange change = change_of(painter->document->character, canvas, m, changed);
        if (change.vertices.empty()) continue;
        parts.push_back({{"instance", canvas.parts[m].instance},
                         {"primitive", canvas.parts[m].primitive},
                         {"vertices", call.array(change.vertices)},
                         {"first", call.array(change.arrays.first)},
                         {"joint", call.array(change.arrays.joint)},
                         {"weight", call.array(change.arrays.weight)}});
    }
    return Json{{"parts", parts}};
}

Result<Json> end_painting(Call& call) {
    int32_t number = 0;
    bool keep = true;
    call.args.need("painter", number);
    call.args.read("keep", keep);
    SINEW_TRY(const Painter* painter, painter_of(call));
    Json result = Json::object();
    if (keep) {
        SINEW_TRY_VOID(call.documents.find(painter->id));
        Document changed = *painter->document;
        SINEW_TRY_VOID(put_back(painter->canvas, painter->changed, changed.character));
        auto kept = std::make_shared<const Document>(std::move(changed));
        call.documents.set(painter->id, kept);
        result["state"] = state_json(painter->id, *kept);
    }
    call.documents.drop(number);
    return result;
}

// The way of a joint from its parent to the child that goes on farthest.
Result<BoneWay> way_of(const Character& character, const Surface& surface, const std::string& name) {
    SINEW_TRY(const int32_t joint, joint_of(character, name));
    const std::vector<int32_t>& parents = character.skeleton.parents();
    const int32_t parent = parents[static_cast<size_t>(joint)];
    if (parent < 0) return fail(ErrorCode::invalid_argument, "has no parent, and so no bone to edit along", name);
    const std::vector<AffineD> world = rest_world(character.skeleton);
    const auto place = [&](int32_t j) { return surface.to_surface(world[static_cast<size_t>(j)].translation()); };
    BoneWay way{static_cast<uint32_t>(joint), static_cast<uint32_t>(parent), place(parent), place(joint), place(joint)};
    double farthest = 0.0;
    for (size_t j = 0; j < parents.size(); ++j) {
        const double length = (place(static_cast<int32_t>(j)) - way.middle).norm();
        if (parents[j] == joint && length > farthest) farthest = length, way.to = place(static_cast<int32_t>(j));
    }
    if (farthest == 0.0) way.to = way.middle + (way.middle - way.from);  // a last joint: as far again
    return way;
}

constexpr int32_t usual_samples = 31;  // a knot at every sixth, as the page has them

Result<Json> bone_curve(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    std::string joint;
    int32_t samples = usual_samples;
    call.args.need("joint", joint);
    call.args.read("samples", samples);
    SINEW_TRY_VOID(call.args.check());
    if (samples < 2 || samples > 1000) return fail(ErrorCode::invalid_argument, "is not between 2 and 1000", "samples");
    SINEW_TRY(const Canvas canvas, make_canvas(document->character));
    SINEW_TRY(const BoneWay way, way_of(document->character, canvas.surface, joint));
    const std::vector<float> profile = bone_profile(canvas.surface, canvas.field, way, static_cast<size_t>(samples));
    std::vector<float> at;
    for (int32_t i = 0; i < samples; ++i) at.push_back(static_cast<float>(i) / static_cast<float>(samples - 1));
    return Json{{"at", call.array(at)}, {"weight", call.array(profile)}};
}

Result<Curve<double>> through_knots(const std::vector<float>& at, const std::vector<float>& weight) {
    Curve<double> curve = make_curve<double>(std::vector<double>(at.begin(), at.end()),
                                             std::vector<double>(weight.begin(), weight.end()));
    SINEW_TRY_VOID(validate(curve));
    set_monotone_slopes(curve);
    return curve;
}

// The samples' straight lines at other places from 0 to 1.
std::vector<float> values_at(const std::vector<float>& samples, const std::vector<float>& places) {
    std::vector<float> values;
    for (const float place : places) {
        const float x = std::clamp(place, 0.0f, 1.0f) * static_cast<float>(samples.size() - 1);
        const auto i = std::min(static_cast<size_t>(x), samples.size() - 2);
        const float u = x - static_cast<float>(i);
        values.push_back((1.0f - u) * samples[i] + u * samples[i + 1]);
    }
    return values;
}

Result<Json> set_bone_curve(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    std::string joint;
    std::vector<float> at, weight;
    call.args.need("joint", joint);
    call.args.need("at", at);
    call.args.need("weight", weight);
    SINEW_TRY_VOID(call.args.check());
    if (at.size() != weight.size() || at.size() < 2)
        return fail(ErrorCode::invalid_argument, "has not a weight for each of at least two places", "at");
    Document changed = *document;
    SINEW_TRY(Canvas canvas, make_canvas(changed.character));
    SINEW_TRY(const BoneWay way, way_of(changed.character, canvas.surface, joint));
    // Few knots do not say how steep the weights are between them: what the knots change is added to what is there.
    std::vector<float> profile = bone_profile(canvas.surface, canvas.field, way, usual_samples);
    SINEW_TRY(const Curve<double> wanted, through_knots(at, weight));
    SINEW_TRY(const Curve<double> present, through_knots(at, values_at(profile, at)));
    for (int32_t i = 0; i < usual_samples; ++i) {
        const double place = static_cast<double>(i) / (usual_samples - 1);
        float& share = profile[static_cast<size_t>(i)];
        share = std::clamp(share + static_cast<float>(evaluate(wanted, place) - evaluate(present, place)), 0.0f, 1.0f);
    }
    std::vector<char> touched(canvas.surface.vertex_count(), 0);
    for (uint32_t v : set_bone_profile(canvas.surface, way, profile, canvas.field)) touched[v] = 1;
    SINEW_TRY_VOID(put_back(canvas, touched, changed.character));
    return finish(call, std::move(changed));
}

}  // namespace

void add_paint_operations(Operations& operations) {
    operations.push_back({"paint_begin", {"id"}, begin_painting});
    operations.push_back(
        {"paint", {"painter", "joint", "mode", "centre", "radius", "strength", "mirror", "locked"}, paint_dab});
    operations.push_back({"paint_end", {"painter", "keep"}, end_painting});
    operations.push_back({"bone_curve", {"id", "joint", "samples"}, bone_curve});
    operations.push_back({"set_bone_curve", {"id", "joint", "at", "weight"}, set_bone_curve});
}

}  // namespace sinew::web
