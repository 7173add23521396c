// How good automatic weights are: every method against the weights that rigged characters came with, on the meshes as
// they are and on ruined copies of them. `weight_quality truth [METHOD…]`, `… ruins [METHOD…]` or `… dirty` does one
// part; `… files [METHOD…] FILE…` takes any rigged characters, and with `--joints` tells which joint's skin went where.
#include <sinew/pipeline/bind_character.h>
#include <support/data.h>
#include <map>

#include "../tests/weights/damage.h"
#include "../tests/weights/models.h"
#include "support.h"

namespace {

using namespace sinew;
using namespace sinew::test;

struct Mean {
    double sum = 0.0;
    int count = 0;
    void add(double value) { sum += value, ++count; }
    double value() const { return count ? sum / count : 0.0; }
};
using Means = std::map<std::string, std::map<std::string, Mean>>;  // group, method

void print_row(const std::string& name, const std::map<std::string, double>& row) {
    fmt::print("{:<40}", name);
    for (const auto& [method, value] : row) fmt::print("  {} {:.3f}", method, value);
    fmt::print("\n");
    std::fflush(stdout);
}

void add_means(const Means& means, const std::string& what, bench::Table& table) {
    for (const auto& [group, methods] : means)
        for (const auto& [method, mean] : methods)
            table.add(fmt::format("{}, {}, {}", what, group, method), mean.value(), "L1");
}

std::vector<std::string> methods_of(const std::vector<std::string>& wanted) {
    std::vector<std::string> all;
    for (std::string_view name : weight_method_names())
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) all.emplace_back(name);
    return all;
}

void truth(const std::filesystem::path& data, const std::vector<std::string>& methods, bench::Table& table) {
    Means means;
    for (size_t i = 0; i < model_count; ++i) {
        const auto rigged = read_model(data, models[i]);
        std::map<std::string, double> row;
        for (const std::string& method : methods) {
            const auto result =
                compute_weights(rigged->meshes(), rigged->rig, {.method = parse_weight_method(method).value()}).value();
            row[method] = mean_l1(*rigged, result.influences);
            if (models[i].painter == Painter::makehuman) continue;
            for (const char* group : {"16 glTFs", models[i].painter == Painter::artist ? "artists" : "Mesh2Motion",
                                      is_held_out(i) ? "held out" : "not held out"})
                means[group][method].add(row[method]);
        }
        print_row(rigged->name + (is_held_out(i) ? " (held out)" : ""), row);
    }
    add_means(means, "truth", table);
}

// Where most of the distance comes from. Paired joints are told apart, so that a fault of one side shows.
void print_flows(const Character& truth, const Character& bound) {
    constexpr size_t most = 16;
    const auto& names = truth.skeleton.names();
    const std::vector<WeightFlow> flows = weight_flows(truth, bound);
    for (size_t i = 0; i < std::min(most, flows.size()); ++i)
        fmt::print("    {:.4f}  {} → {}\n", 2.0 * flows[i].amount, names[flows[i].from], names[flows[i].to]);
}

// Characters given by name, bound anew as `sinew bind FILE` does.
void files(const std::vector<std::string>& names, bool joints, bench::Table& table) {
    std::vector<std::string> methods, paths;
    for (const std::string& name : names) (parse_weight_method(name) ? methods : paths).push_back(name);
    Means means;
    for (const std::string& path : paths) {
        const auto truth = read_character(path);
        if (!truth) {
            fmt::print("{}: {}\n", path, truth.error().message);
            continue;
        }
        std::map<std::string, double> row;
        std::map<std::string, Character> all;
        for (const std::string& method : methods_of(methods)) {
            Character bound = *truth;
            const auto report = rebind_skin(bound, {.method = parse_weight_method(method).value()});
            if (!report) continue;
            means["files"][method].add(row[method] = mean_l1(*truth, bound));
            if (joints) all.emplace(method, std::move(bound));
        }
        print_row(path, row);
        for (const auto& [method, bound] : all) print_flows(*truth, bound);
    }
    add_means(means, "truth", table);
}

void ruined(const std::filesystem::path& data, const std::vector<std::string>& methods, bench::Table& table) {
    Means means;
    for (const Damage& ruin : ruins)
        for (size_t i = 0; i < model_count; ++i) {
            if (models[i].painter == Painter::makehuman) continue;
            const auto rigged = read_model(data, models[i]);
            Random random(77 + i);
            DirtyMesh mesh = joined(*rigged);
            ruin.apply(mesh, random);
            const WeightMesh one{mesh.positions, mesh.triangles};
            std::map<std::string, double> row;
            for (const std::string& method : methods) {
                const auto result =
                    compute_weights({&one, 1}, rigged->rig, {.method = parse_weight_method(method).value()}).value();
                row[method] = mean_l1(*rigged, mesh, result.influences[0]);
                for (const char* group :
                     {ruin.name, is_held_out(i) ? "all ruins, held out" : "all ruins, not held out"})
                    means[group][method].add(row[method]);
            }
            print_row(rigged->name + ", " + ruin.name, row);
        }
    add_means(means, "ruined", table);
}

// 200 variants with one to three kinds of damage, a turn and a scale.
void dirty(bench::Table& table) {
    const auto list = victims(data_dir());
    std::vector<Influences> clean;
    for (const auto& rigged : list) clean.push_back(clean_weights(*rigged));
    DirtyOutcome worst;
    Mean kept, others;
    for (uint64_t variant = 0; variant < 200; ++variant) {
        const size_t who = variant % list.size();
        WeightRig rig;
        const DirtyMesh mesh = damaged(*list[who], 1000 + variant, rig);
        const DirtyOutcome outcome = bind_damaged(mesh, rig, clean[who]);
        worst.unweighted += outcome.unweighted;
        worst.cracks += outcome.cracks;
        worst.broken += outcome.broken;
        worst.sum_error = std::max(worst.sum_error, outcome.sum_error);
        (mesh.keeps_shape ? kept : others).add(outcome.l1_to_clean);
        if (mesh.keeps_shape) worst.l1_to_clean = std::max(worst.l1_to_clean, outcome.l1_to_clean);
    }
    table.add("dirty, vertices without weights", static_cast<double>(worst.unweighted), "", 0.0);
    table.add("dirty, coincident vertices that differ", static_cast<double>(worst.cracks), "", 0.0);
    table.add("dirty, weights that are no numbers", static_cast<double>(worst.broken), "", 0.0);
    table.add("dirty, largest error of a sum", worst.sum_error, "", 1e-5);
    table.add(fmt::format("dirty, {} variants that keep the shape, to clean", kept.count), kept.value(), "L1", 0.10);
    table.add("dirty, the worst of them", worst.l1_to_clean, "L1");
    table.add(fmt::format("dirty, {} others, to clean", others.count), others.value(), "L1");
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    const std::string part = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
    std::vector<std::string> methods;
    for (int i = 2; i < argc && argv[i][0] != '-'; ++i) methods.emplace_back(argv[i]);
    if (part == "files") {
        files(methods, std::find(argv + 1, argv + argc, std::string_view("--joints")) != argv + argc, table);
        return table.finish(argc, argv);
    }
    const auto data = data_dir();
    if (!data) return 0;
    if (part.empty() || part == "truth") truth(*data, methods_of(methods), table);
    if (part.empty() || part == "ruins") ruined(*data, methods_of(methods), table);
    if (part.empty() || part == "dirty") dirty(table);
    return table.finish(argc, argv);
}
