#include <sinew/ik/ik.h>

#include <sinew/core/closest.h>
#include <sinew/ik/body/free_chain.h>
#include <sinew/ik/body/ik_loop.h>
#include <sinew/ik/solvers/ik_solvers.h>
#include <algorithm>
#include <array>
#include <numbers>

namespace sinew {
namespace {

struct SolverTraits {
    std::string_view name;
    int budget;           // iterations: with these, 99 of 100 goals within reach are reached (bench/ik_bench.cpp)
    double largest_turn;  // radians
};
constexpr std::array<SolverTraits, 8> solvers = {{
    {"two-bone", 1, std::numbers::pi},
    {"ccd", 400, std::numbers::pi},
    {"fabrik", 400, std::numbers::pi},
    {"jacobian-transpose", 200, 0.5},
    {"pseudo-inverse", 100, 0.5},
    {"damped-least-squares", 100, 0.5},
    {"newton", 50, 0.5},
    {"full-body", 50, 0.5},
}};
constexpr auto solver_names = [] {
    std::array<std::string_view, solvers.size()> names;
    for (size_t i = 0; i < solvers.size(); ++i) names[i] = solvers[i].name;
    return names;
}();

const SolverTraits& traits(IkSolver solver) {
    return solvers[static_cast<size_t>(solver)];
}

int run(IkMemory& memory, IkSolver solver, const IkTask& task) {
    switch (solver) {
        case IkSolver::two_bone:
            return solve_two_bone_chains(memory.body, task);
        case IkSolver::ccd:
            return solve_ccd(memory.body, task);
        case IkSolver::fabrik:
            return solve_fabrik(memory, task);
        case IkSolver::jacobian_transpose:
            return solve_jacobian_transpose(memory, task);
        case IkSolver::pseudo_inverse:
            return solve_pseudo_inverse(memory, task);
        case IkSolver::damped_least_squares:
            return solve_damped_least_squares(memory, task);
        case IkSolver::newton:
            return solve_newton(memory, task);
        case IkSolver::full_body:
            return solve_full_body(memory, task);
    }
    return 0;
}

// Whether all that is asked for is the place of one tip, which the lengths of the bones decide.
bool asks_for_a_place_alone(const IkProblem& problem, IkSolver solver) {
    if (solver == IkSolver::two_bone) return false;
    if (solver == IkSolver::newton) return problem.preferred.empty();
    return solver != IkSolver::full_body || (problem.preferred.empty() && problem.moving_root < 0 && !problem.balance);
}

}  // namespace

IkWorkspace::IkWorkspace() : memory_(std::make_unique<IkMemory>()) {}
IkWorkspace::~IkWorkspace() = default;
IkWorkspace::IkWorkspace(IkWorkspace&&) noexcept = default;
IkWorkspace& IkWorkspace::operator=(IkWorkspace&&) noexcept = default;

std::vector<std::string_view> ik_solver_names() {
    return {solver_names.begin(), solver_names.end()};
}

std::string_view to_string(IkSolver solver) {
    return traits(solver).name;
}

Result<IkSolver> parse_ik_solver(std::string_view name) {
    const auto found = std::ranges::find(solver_names, name);
    if (found == solver_names.end())
        return fail(ErrorCode::invalid_argument, unknown_name("solver", name, solver_names));
    return static_cast<IkSolver>(found - solver_names.begin());
}

int ik_budget(IkSolver solver) {
    return traits(solver).budget;
}

void solve_ik(const IkProblem& problem, IkSolver solver, const IkOptions& options, IkWorkspace& workspace,
              IkResult& result) {
    IkMemory& memory = workspace.memory();
    IkBody& body = memory.body;
    build_body(problem, body, solver == IkSolver::full_body ? problem.moving_root : -1);
    clamp_joints(body);
    const IkTask task{problem, options, options.max_iterations > 0 ? options.max_iterations : ik_budget(solver),
                      options.largest_turn > 0.0 ? options.largest_turn : traits(solver).largest_turn};
    result.iterations = 0;
    const bool asks_more = !body.goals.empty() && !all_reached(body, options);
    if (asks_more && asks_for_a_place_alone(problem, solver) &&
        answer_out_of_reach(body, options, memory.points, memory.lengths))
        turn_tips(body);
    else if (!body.goals.empty())
        result.iterations = run(memory, solver, task);

    if (result.pose.data() != problem.pose.data()) result.pose.assign(problem.pose.begin(), problem.pose.end());
    write_pose(body, result.pose);
    report_errors(problem, body, options, result);
}

IkResult solve_ik(const IkProblem& problem, IkSolver solver, const IkOptions& options) {
    IkWorkspace workspace;
    IkResult result;
    solve_ik(problem, solver, options, workspace, result);
    return result;
}

}  // namespace sinew
