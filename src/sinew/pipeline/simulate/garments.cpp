#include <sinew/pipeline/simulate/garments.h>

#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Of a person's height: what is farther from the middle at the waist's height is an arm or a hand.
constexpr float trunk_share = 0.13f;
// Metres between skin and garment as it is put on.
constexpr float ease_of_fit = 0.015f;
constexpr int waist_directions = 48;

void add_quads(Garment& g, int columns, int rows, bool closed) {
    const auto at = [&](int i, int j) { return static_cast<uint32_t>(j * columns + i % columns); };
    for (int j = 0; j + 1 < rows; ++j)
        for (int i = 0; i + (closed ? 0 : 1) < columns; ++i) {
            const uint32_t a = at(i, j), b = at(i + 1, j), c = at(i, j + 1), d = at(i + 1, j + 1);
            if ((i + j) % 2)
                g.triangles.insert(g.triangles.end(), {a, c, d, a, d, b});
            else
                g.triangles.insert(g.triangles.end(), {a, c, b, b, c, d});
        }
}

int steps(float length, float edge) {
    return std::max(static_cast<int>(std::lround(length / edge)), 1);
}

Garment make_sheet(const SceneCloth& cloth) {
    Garment g;
    const int columns = steps(cloth.width, cloth.edge) + 1, rows = steps(cloth.height, cloth.edge) + 1;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const float u = cloth.width * (static_cast<float>(i) / static_cast<float>(columns - 1) - 0.5f),
                        v = cloth.height * (0.5f - static_cast<float>(j) / static_cast<float>(rows - 1));
            g.positions.push_back(cloth.at + (cloth.upright ? Vec3(u, v, 0) : Vec3(u, 0, -v)));
        }
    add_quads(g, columns, rows, false);
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const bool side = i == 0 || i + 1 == columns;
            const bool held = std::ranges::any_of(cloth.pins, [&](const std::string& pin) {
                return (pin == "top" && j == 0) || (pin == "corners" && j == 0 && side) || (pin == "left" && i == 0) ||
                       (pin == "right" && i + 1 == columns);
            });
            if (held) g.pins.push_back(static_cast<uint32_t>(j * columns + i));
        }
    return g;
}

// How far the trunk and legs reach in each direction from the axis, around this height.
std::vector<float> girth_at(std::span<const Vec3> skin, const Vec3& axis, float y, float band, float most) {
    std::vector<float> reach(waist_directions, 0.0f);
    for (const Vec3& p : skin) {
        const Vec3 out(p.x() - axis.x(), 0, p.z() - axis.z());
        const float r = out.norm();
        if (std::abs(p.y() - y) > band || r > most) continue;
        const float turn = std::atan2(out.z(), out.x()) / (2 * pi) + 1.0f;
        const int d = static_cast<int>(std::lround(turn * waist_directions)) % waist_directions;
        for (int k = -1; k <= 1; ++k) {
            float& here = reach[static_cast<size_t>((d + k + waist_directions) % waist_directions)];
            here = std::max(here, r);
        }
    }
    return reach;
}

Result<Garment> make_skirt(const SceneCloth& cloth, const Actor& actor) {
    const HumanoidMap roles = recognise_humanoid(actor.character().skeleton);
    if (roles[Role::hips] < 0 || roles[Role::left_upper_leg] < 0)
        return fail(ErrorCode::unsupported, "the character has no hips to wear a skirt on; give a person");
    const auto skin = actor.skin().positions();
    const Box box = actor.skin().bounds();
    const Vec3 hips = actor.world()[static_cast<size_t>(roles[Role::hips])].translation().cast<float>();
    const float top = hips.y() + 0.04f * box.size().y(), most = trunk_share * box.size().y();
    Garment g;
    const int rows = steps(cloth.height, cloth.edge) + 1;
    std::vector<float> waist = girth_at(skin, hips, top, cloth.edge, most);
    float mean = 0.0f;
    for (float& r : waist) r = std::max(r, 0.05f * box.size().y()), mean += r / waist_directions;
    const int columns = std::max(steps(2 * pi * mean * 0.5f * (1.0f + cloth.flare), cloth.edge), 12);
    std::vector<float> last(waist_directions, 0.0f);
    for (int j = 0; j < rows; ++j) {
        const float t = static_cast<float>(j) / static_cast<float>(rows - 1), y = top - cloth.height * t;
        const std::vector<float> body = girth_at(skin, hips, y, cloth.edge, most);
        for (int d = 0; d < waist_directions; ++d)  // it hangs: no row is narrower than the one above
            last[static_cast<size_t>(d)] = std::max(
                {last[static_cast<size_t>(d)], body[static_cast<size_t>(d)] + ease_of_fit,
                 (waist[static_cast<size_t>(d)] + ease_of_fit) * (j == 0 ? 1.0f : 1.0f + (cloth.flare - 1.0f) * t)});
        for (int i = 0; i < columns; ++i) {
            const float turn = static_cast<float>(i) / static_cast<float>(columns), d = turn * waist_directions;
            const auto k = static_cast<size_t>(d);
            const float r =
                last[k % waist_directions] +
                (d - static_cast<float>(k)) * (last[(k + 1) % waist_directions] - last[k % waist_directions]);
            g.positions.emplace_back(hips.x() + r * std::cos(2 * pi * turn), y, hips.z() + r * std::sin(2 * pi * turn));
            if (j == 0) g.pins.push_back(static_cast<uint32_t>(g.positions.size() - 1));
        }
    }
    add_quads(g, columns, rows, true);
    return g;
}

Result<Garment> make_cape(const SceneCloth& cloth, const Actor& actor) {
    const HumanoidMap roles = recognise_humanoid(actor.character().skeleton);
    if (roles[Role::left_upper_arm] < 0 || roles[Role::right_upper_arm] < 0 || roles[Role::neck] < 0)
        return fail(ErrorCode::unsupported, "the character has no shoulders to wear a cape on; give a person");
    const auto at = [&](Role role) {
        return Vec3(actor.world()[static_cast<size_t>(roles[role])].translation().cast<float>());
    };
    const Vec3 left = at(Role::left_upper_arm), right = at(Role::right_upper_arm), neck = at(Role::neck);
    const float shoulders = 0.75f * (left - right).norm();
    const int columns = steps(std::max(cloth.width, shoulders), cloth.edge) + 1,
              rows = steps(cloth.height, cloth.edge) + 1;
    const auto skin = actor.skin().positions();
    Garment g;
    std::vector<float> behind(static_cast<size_t>(columns), INFINITY);
    for (int j = 0; j < rows; ++j) {
        const float t = static_cast<float>(j) / static_cast<float>(rows - 1);
        const float width = shoulders + (std::max(cloth.width, shoulders) - shoulders) * t;
        for (int i = 0; i < columns; ++i) {
            const float u = static_cast<float>(i) / static_cast<float>(columns - 1) - 0.5f;
            const float x = neck.x() + width * u, y = 0.5f * (left.y() + neck.y()) + 0.01f - cloth.height * t;
            float back = behind[static_cast<size_t>(i)];
            for (const Vec3& p : skin)
                if (std::abs(p.y() - y) < cloth.edge && std::abs(p.x() - x) < cloth.edge)
                    back = std::min(back, p.z() - ease_of_fit);
            if (!std::isfinite(back)) back = neck.z() - 4.0f * ease_of_fit;
            behind[static_cast<size_t>(i)] = back;
            Vec3 place(x, y, back);
            if (j == 0) {  // along the shoulders, on the skin
                const SurfaceHit on = actor.skin().nearest(place, 1e6f);
                if (on.found()) place = on.place + ease_of_fit * on.normal;
                g.pins.push_back(static_cast<uint32_t>(g.positions.size()));
            }
            g.positions.push_back(place);
        }
    }
    add_quads(g, columns, rows, false);
    return g;
}

}  // namespace

Result<Garment> make_garment(const SceneCloth& cloth, const Actor* actor) {
    if (cloth.shape == ClothShape::sheet) return make_sheet(cloth);
    if (!actor) return fail(ErrorCode::invalid_argument, "there is no character to wear it");
    return cloth.shape == ClothShape::skirt ? make_skirt(cloth, *actor) : make_cape(cloth, *actor);
}

}  // namespace sinew
