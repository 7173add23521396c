// Artists' weights as the truth: how far is each method from them?
#include <doctest/doctest.h>

#include <support/data_case.h>

#include <map>

#include <fmt/format.h>

#include "models.h"

using namespace sinew;
using namespace sinew::test;

namespace {

struct Mean {
    double sum = 0.0;
    int count = 0;
    void add(double value) {
        sum += value;
        ++count;
    }
    double value() const { return count ? sum / count : 0.0; }
};

}  // namespace

DATA_TEST_CASE("truth: mean L1 distance to the weights of rigged characters") {
    std::map<std::string, std::map<std::string, Mean>> means;  // group, method
    for (size_t m = 0; m < model_count; ++m) {
        const Model& model = models[m];
        const auto rigged = read_model(data, model);
        std::map<std::string, double> l1;
        for (std::string_view method : weight_method_names()) {
            if (method == "bbw" && model.painter != Painter::artist) continue;  // the slowest; the bench does all
            const auto result =
                compute_weights(rigged->meshes(), rigged->rig, {.method = parse_weight_method(method).value()});
            REQUIRE(result.has_value());
            CHECK(result->report.unweighted_vertices == 0);
            CHECK(result->report.largest_sum_error < 1e-5);
            l1[std::string(method)] = mean_l1(*rigged, result->influences);
            if (model.painter == Painter::makehuman) continue;  // a row of its own: half of its bones move the face
            for (const char* group : {"16 glTFs", model.painter == Painter::artist ? "artists" : "Mesh2Motion",
                                      is_held_out(m) ? "held out" : "not held out"})
                means[group][std::string(method)].add(l1[std::string(method)]);
        }
        std::string line =
            fmt::format("{:<26}{}{}", rigged->name, model.painter == Painter::artist ? " artist" : "       ",
                        is_held_out(m) ? " held out" : "         ");
        for (const auto& [method, value] : l1) line += fmt::format("  {} {:.3f}", method, value);
        MESSAGE(line);
        CHECK_MESSAGE(l1["heat"] < l1["distance"], model.file);
        CHECK_MESSAGE(l1["auto"] < l1["distance"], model.file);
    }
    for (const auto& [group, methods] : means) {
        std::string line = fmt::format("mean of {:<34}", group);
        for (const auto& [method, mean] : methods) line += fmt::format("  {} {:.3f}", method, mean.value());
        MESSAGE(line);
    }
    CHECK(means["16 glTFs"]["auto"].value() <= 0.12);
    CHECK(means["16 glTFs"]["heat"].value() <= 0.12);
    CHECK(means["16 glTFs"]["voxel"].value() <= 0.25);
    CHECK(means["artists"]["auto"].value() <= 0.21);
    CHECK(means["artists"]["heat"].value() <= 0.21);
}
