#include <doctest/doctest.h>

#include <sinew/sample/sample.h>
#include <sinew/weights/paint/paint.h>
#include <cmath>
#include <random>

using namespace sinew;

namespace {

constexpr uint32_t joint_count = 7;
constexpr size_t most = 4;

// The sample's surface with four random joints on every vertex.
struct Painted {
    Surface surface;
    Neighbours around;
    WeightField field;

    Painted() {
        const Character body = make_rigged_humanoid();
        const Mesh& mesh = body.meshes.front().primitives.front().mesh;
        const WeightMesh one{mesh.positions, mesh.triangles};
        surface = make_surface({&one, 1});
        around = neighbours(surface);
        field = WeightField(surface.vertex_count(), 16);
        std::mt19937 random(5);
        for (size_t v = 0; v < surface.vertex_count(); ++v) {
            while (field.of(v).size() < most)
                field.add(v, static_cast<uint32_t>(random() % joint_count), 0.05f + static_cast<float>(random() % 100));
            field.normalise(v);
        }
    }
};

float weight_at(const WeightField& field, size_t v, uint32_t joint) {
    for (const Influence& i : field.of(v))
        if (i.joint == joint) return i.weight;
    return 0.0f;
}

float sum_at(const WeightField& field, size_t v) {
    float sum = 0.0f;
    for (const Influence& i : field.of(v)) sum += i.weight;
    return sum;
}

Brush brush_on(const Surface& surface, BrushMode mode) {
    return {.mode = mode, .joint = 2, .center = surface.positions[100], .radius = 0.1, .strength = 0.7};
}

}  // namespace

TEST_CASE("paint: locked joints keep their weights in every mode, on vertices that have no place left") {
    const Painted start;
    const std::vector<uint8_t> locked = {1, 0, 0, 1, 0, 0, 0};
    for (BrushMode mode : {BrushMode::add, BrushMode::subtract, BrushMode::replace, BrushMode::smooth}) {
        Painted body = start;
        Brush brush = brush_on(body.surface, mode);
        brush.locked = locked;
        std::vector<uint32_t> touched;
        for (int dab = 0; dab < 5; ++dab) touched = paint(brush, body.surface, body.around, body.field);
        REQUIRE(touched.size() > 20);
        float largest = 0.0f, changed = 0.0f;
        for (uint32_t v : touched) {
            for (uint32_t j : {0u, 3u})
                largest = std::max(largest, std::abs(weight_at(body.field, v, j) - weight_at(start.field, v, j)));
            changed = std::max(changed, std::abs(weight_at(body.field, v, 2) - weight_at(start.field, v, 2)));
            CHECK(std::abs(sum_at(body.field, v) - 1.0f) < 1e-5f);
            CHECK(body.field.of(v).size() <= most);
        }
        CHECK(largest < 1e-5f);
        CHECK(changed > 0.01f);
    }
}

TEST_CASE("paint: the painted joint takes the place of the smallest, however soft the brush") {
    Painted body;
    Brush brush = brush_on(body.surface, BrushMode::add);
    brush.strength = 0.001;
    const Dab dab = find_dab(body.surface, body.around, brush.center, brush.radius);
    std::vector<float> before;
    for (uint32_t v : dab.vertices) before.push_back(weight_at(body.field, v, 2));
    paint(brush, body.surface, body.around, body.field);
    for (size_t i = 0; i < dab.vertices.size(); ++i)
        if (before[i] < 0.999f && dab.amount[i] > 0.01f) CHECK(weight_at(body.field, dab.vertices[i], 2) > before[i]);
}

TEST_CASE("paint: vertices whose places are all locked stay as they are") {
    Painted body;
    const WeightField before = body.field;
    const std::vector<uint8_t> locked = {1, 1, 0, 1, 1, 1, 1};
    Brush brush = brush_on(body.surface, BrushMode::add);
    brush.locked = locked;
    for (uint32_t v : paint(brush, body.surface, body.around, body.field)) {
        if (weight_at(before, v, 2) > 0.0f) continue;
        for (const Influence& i : before.of(v)) CHECK(std::abs(weight_at(body.field, v, i.joint) - i.weight) < 1e-6f);
    }
}
