// Posing: the verb pose, and a solver that follows a pointer.
#include <sinew/pipeline/job/report_json.h>
#include <sinew/pipeline/pose/reach.h>
#include <sinew/pipeline/pose_character.h>
#include <sinew/skeleton/joint_label.h>

#include <fmt/format.h>

#include "choices.h"

namespace sinew::web {
namespace {

std::vector<NamedVector> named_vectors(Call& call, const char* name) {
    std::vector<NamedVector> vectors;
    call.args.each(name, [&](Arguments& args) {
        NamedVector& vector = vectors.emplace_back();
        args.need("name", vector.name);
        args.need("value", vector.value);
    });
    return vectors;
}

Result<Json> pose(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    PoseOptions options;
    std::string as = "both";
    call.args.read("clip", options.clip);
    call.args.read("time", options.time);
    options.rotate = named_vectors(call, "rotate");
    call.args.read("world_axes", options.world_axes);
    options.targets = named_vectors(call, "targets");
    options.moves = named_vectors(call, "moves");
    options.poles = named_vectors(call, "poles");
    call.args.read("hold", options.hold);
    call.args.read("solver", options.solver);
    call.args.read("anatomical", options.anatomical);
    call.args.read("as", as);
    if (as != "both" && as != "nodes" && as != "clip") call.args.complain("as", "is not both, nodes or clip");
    SINEW_TRY_VOID(call.args.check());
    options.as = as == "both" ? PoseAs::both : as == "nodes" ? PoseAs::nodes : PoseAs::clip;
    Document changed = *document;
    PoseFileReport report{.input = document->file};
    SINEW_TRY(report.pose, pose_character(changed.character, options));
    report.warnings = report.pose.warnings;
    return finish(call, std::move(changed), {{"report", parsed(encode_json(report))}});
}

// Full-body posing from one pose: every drag is solved from there, so that a joint dragged back comes back.
struct Solver : Prepared {
    static constexpr PreparedKind own_kind = PreparedKind::solver;
    explicit Solver(DocumentPtr posed)
        : Prepared(own_kind), document(std::move(posed)), body(make_pose_body(document->character)) {}

    DocumentPtr document;
    PoseBody body;
    ReachOptions how;
    std::vector<Transform> start;
};

Result<Json> begin_solving(Call& call) {
    SINEW_TRY(DocumentPtr document, document_of(call));
    const Character& character = document->character;
    SINEW_TRY(const Clip* clip, clip_of(call, character));
    float time = 0.0f;
    std::vector<float> numbers;
    std::vector<std::string> hold;
    bool anatomical = false;
    call.args.read("time", time);
    call.args.read("pose", numbers);
    call.args.read("anatomical", anatomical);
    call.args.read("hold", hold);
    SINEW_TRY_VOID(call.args.check());
    auto solver = std::make_unique<Solver>(document);
    solver->how.anatomical = anatomical;
    for (const std::string& name : hold) {
        SINEW_TRY(const int32_t joint, find_pose_joint(solver->body, name, "hold"));
        solver->how.hold.push_back(joint);
    }
    solver->start = pose_at(character, clip, time).local;
    if (!numbers.empty()) {
        SINEW_TRY(solver->start, pose_of_numbers(numbers, character.skeleton.size()));
    }
    Json shown = call.array(pose_numbers(solver->start));
    return Json{{"solver", call.documents.keep(std::move(solver))}, {"pose", std::move(shown)}};
}

Result<Solver*> solver_of(Call& call) {
    int32_t id = 0;
    call.args.need("solver", id);
    SINEW_TRY_VOID(call.args.check());
    return call.documents.prepared<Solver>(id);
}

struct Goals {
    std::vector<PoseGoal> places;
    std::vector<std::pair<int32_t, Quatd>> turns;  // the way joints shall stand in the world
};

Result<Goals> goals_of(Call& call, const Solver& solver) {
    struct Words {
        std::string joint;
        std::optional<Vec3> position;
        std::optional<Quatd> rotation;
    };
    std::vector<Words> words;
    call.args.each("goals", [&](Arguments& args) {
        Words& goal = words.emplace_back();
        double weight = 1.0;
        args.need("joint", goal.joint);
        args.read("position", goal.position);
        args.read("rotation", goal.rotation);
        args.read("weight", weight);
        if (weight == 0.0) words.pop_back();
    });
    SINEW_TRY_VOID(call.args.check());
    Goals goals;
    for (const Words& goal : words) {
        SINEW_TRY(const int32_t joint, find_pose_joint(solver.body, goal.joint, "goals"));
        if (goal.position)
            goals.places.push_back({.joint = joint,
                                    .name = joint_label(*solver.body.skeleton, joint),
                                    .target = goal.position->cast<double>()});
        if (goal.rotation) goals.turns.emplace_back(joint, *goal.rotation);
    }
    return goals;
}

// Turns a joint so that it stands in the world as asked for; what is above it stays.
void turn_in_world(const Skeleton& skeleton, int32_t joint, const Quatd& rotation, std::vector<Transform>& pose) {
    std::vector<AffineD> world(pose.size());
    local_to_world(skeleton.parents(), pose, world);
    const int32_t parent = skeleton.parents()[static_cast<size_t>(joint)];
    Quatd above = Quatd::Identity();
    if (parent >= 0) {
        Mat3d axes = world[static_cast<size_t>(parent)].linear().colwise().normalized();
        if (axes.determinant() < 0.0) axes = -axes;
        above = Quatd(axes).normalized();
    }
    pose[static_cast<size_t>(joint)].rotation = (above.conjugate() * rotation).normalized().cast<float>();
}

Result<Json> drag_joints(Call& call) {
    SINEW_TRY(const Solver* solver, solver_of(call));
    SINEW_TRY(const Goals goals, goals_of(call, *solver));
    PoseOutcome outcome{.pose = solver->start};
    if (!goals.places.empty()) {
        SINEW_TRY(outcome, reach(solver->body, solver->start, goals.places, solver->how));
    }
    bool reached = true;
    for (const bool each : outcome.reached) reached = reached && each;
    for (const auto& [joint, rotation] : goals.turns)
        turn_in_world(*solver->body.skeleton, joint, rotation, outcome.pose);
    return Json{{"pose", call.array(pose_numbers(outcome.pose))}, {"errors", outcome.errors}, {"reached", reached}};
}

Result<Json> set(Call& call) {
    SINEW_TRY(Solver * solver, solver_of(call));
    std::vector<float> numbers;
    call.args.need("pose", numbers);
    SINEW_TRY_VOID(call.args.check());
    SINEW_TRY(solver->start, pose_of_numbers(numbers, solver->start.size()));
    return Json::object();
}

Result<Json> end_solving(Call& call) {
    int32_t id = 0;
    call.args.need("solver", id);
    SINEW_TRY_VOID(solver_of(call));
    call.documents.drop(id);
    return Json::object();
}

Json limit_json(const Skeleton& skeleton, const IkLimit& limit) {
    const Quatd& q = limit.reference;
    Json out = {{"joint", joint_label(skeleton, limit.joint)},
                {"kind", "hinge"},
                {"axis", {1.0, 0.0, 0.0}},
                {"reference", {q.x(), q.y(), q.z(), q.w()}},
                {"min", 0.0},
                {"max", 0.0},
                {"swing", 0.0}};
    const auto set_axis = [&](const Vec3d& axis) { out["axis"] = {axis.x(), axis.y(), axis.z()}; };
    if (const auto* hinge = std::get_if<HingeLimit>(&limit.shape)) {
        set_axis(hinge->axis);
        out["min"] = hinge->min, out["max"] = hinge->max;
    } else if (const auto* cone = std::get_if<SwingTwistLimit>(&limit.shape)) {
        out["kind"] = "cone";
        set_axis(cone->axis);
        out["min"] = cone->twist_min, out["max"] = cone->twist_max, out["swing"] = cone->swing;
    } else {
        out["kind"] = "euler";
    }
    return out;
}

Result<Json> limits(Call& call) {
    SINEW_TRY(const DocumentPtr document, document_of(call));
    const PoseBody body = make_pose_body(document->character);
    Json list = Json::array();
    if (body.roles.is_body())
        for (const IkLimit& limit : anatomical_limits(body.roles, document->character.skeleton))
            list.push_back(limit_json(document->character.skeleton, limit));
    return Json{{"limits", list}};
}

}  // namespace

void add_pose_operations(Operations& operations) {
    operations.push_back({"pose",
                          {"id", "clip", "time", "rotate", "world_axes", "targets", "moves", "poles", "hold", "solver",
                           "anatomical", "as"},
                          pose});
    operations.push_back({"solver_begin", {"id", "clip", "time", "pose", "anatomical", "hold"}, begin_solving});
    operations.push_back({"solver_drag", {"solver", "goals"}, drag_joints});
    operations.push_back({"solver_set", {"solver", "pose"}, set});
    operations.push_back({"solver_end", {"solver"}, end_solving});
    operations.push_back({"joint_limits", {"id"}, limits});
}

}  // namespace sinew::web
