// Linear blend skinning against the memory floor: copying the attributes and reading the weights, in the same run.
#include <sinew/core/random.h>
#include <sinew/skin/deform.h>
#include <cstring>

#include "support.h"

namespace {

using namespace sinew;

struct Case {
    size_t vertices;
    uint32_t influences;
};

volatile uint64_t sink;

void measure(const Case& c, bench::Table& table) {
    constexpr uint32_t joints = 64;
    Random random(1);
    std::vector<Vec3> in(c.vertices), out(c.vertices);
    for (Vec3& p : in) p = Vec3(random.uniform(), random.uniform(), random.uniform());
    std::vector<uint32_t> first(c.vertices + 1);
    std::vector<Influence> raw(c.vertices * c.influences);
    for (size_t v = 0; v <= c.vertices; ++v) first[v] = static_cast<uint32_t>(v * c.influences);
    for (size_t i = 0; i < raw.size(); ++i) {
        raw[i] = {static_cast<uint32_t>((i / c.influences * 7 + i % c.influences) % joints),
                  static_cast<float>(0.1 + random.uniform())};
    }
    std::vector<uint64_t> words(raw.size());
    static_assert(sizeof(Influence) == sizeof(uint64_t));
    std::memcpy(words.data(), raw.data(), raw.size() * sizeof(Influence));
    const Influences influences = *Influences::create(std::move(first), std::move(raw), joints);
    std::vector<Affine> palette(joints, Affine::Identity());
    for (Affine& matrix : palette) matrix.translation().x() = static_cast<float>(random.uniform());

    const int runs = c.vertices > 100'000 ? 20 : 200;
    const double floor = bench::best_seconds(runs, [&] {
        std::memcpy(static_cast<void*>(out.data()), in.data(), in.size() * sizeof(Vec3));
        // Integer adds vectorise; a float sum would wait for itself and measure the adder.
        uint64_t sum = 0;
        for (uint64_t word : words) sum += word;
        sink = sum;
    });
    const double skin = bench::best_seconds(runs, [&] {
        deform_linear_blend(palette, {.influences = influences}, {.positions_in = in, .positions_out = out});
    });
    table.add(fmt::format("scalar LBS, {} vertices, {} influences / memory floor", c.vertices, c.influences),
              skin / floor, "x");
}

}  // namespace

int main(int argc, char** argv) {
    bench::Table table;
    for (size_t vertices : {5'000, 50'000, 500'000}) {
        for (uint32_t influences : {1u, 2u, 4u, 8u}) measure({vertices, influences}, table);
    }
    return table.finish(argc, argv);
}
