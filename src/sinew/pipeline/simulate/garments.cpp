#include <sinew/pipeline/simulate/garments.h>

#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Of a person's height: how far over the hips the waist is, and how thin at least.
constexpr float waist_share = 0.04f, least_waist_share = 0.05f;
// Metres between skin and garment as it is put on, beyond the cloth's own thickness; and below the waist, so that legs
// that step out do not tear at it.
constexpr float ease_of_fit = 0.003f, ease_below = 0.012f;
constexpr size_t hull_directions = 64;
// Seen at less than this cosine, a side of a hull says nothing.
constexpr float least_along = 0.2f;
// Where a cape is wider than the body, it hangs this share of the body's depth behind it: arms are in front of it.
constexpr float beside_share = 0.8f;

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

// A slice through the body as its convex hull, as a tape measure lies around it: how far it reaches in each direction
// from the axis. Hulls are smooth where skin is not, and the larger of two reaches is the hull of both.
struct Hull {
    std::array<float, hull_directions> reach;
    Hull() { reach.fill(0.0f); }

    static Vec2 direction(size_t k) {
        const float turn = 2 * pi * static_cast<float>(k) / hull_directions;
        return {std::cos(turn), std::sin(turn)};
    }
    // How far the rim is from the axis, seen in this direction.
    float radius(const Vec2& towards) const {
        float out = INFINITY;
        for (size_t k = 0; k < hull_directions; ++k)
            if (const float along = direction(k).dot(towards); along > least_along)
                out = std::min(out, reach[k] / along);
        return out;
    }
    // How far behind the axis the rim is, this far beside it; beside the body, nearly as far as behind it.
    float behind(float x) const {
        float out = INFINITY, middle = INFINITY;
        for (size_t k = 0; k < hull_directions; ++k) {
            const Vec2 d = direction(k);
            if (-d.y() <= least_along) continue;
            out = std::min(out, (reach[k] - x * d.x()) / -d.y());
            middle = std::min(middle, reach[k] / -d.y());
        }
        return std::max(out, beside_share * middle);
    }
};

// Which joints carry arms and hands: garments for trunk and legs are not cut around them.
std::vector<uint8_t> arm_joints(const Character& character, const HumanoidMap& roles) {
    const auto& parents = character.skeleton.parents();
    std::vector<uint8_t> arm(parents.size(), 0);
    for (size_t j = 0; j < parents.size(); ++j)
        arm[j] = static_cast<int32_t>(j) == roles[Role::left_upper_arm] ||
                 static_cast<int32_t>(j) == roles[Role::right_upper_arm] ||
                 (parents[j] >= 0 && arm[static_cast<size_t>(parents[j])]);
    return arm;
}

// Trunk and legs at this height.
Hull slice(const Actor& actor, const std::vector<uint8_t>& arm, const Vec3& axis, float y) {
    Hull hull;
    const auto skin = actor.skin().positions();
    const auto triangles = actor.skin().triangles();
    for (size_t t = 0; t < triangles.size(); ++t) {
        const uint32_t one = triangles[t], other = triangles[t % 3 == 2 ? t - 2 : t + 1];
        const Vec3 &a = skin[one], &b = skin[other];
        if ((a.y() > y) == (b.y() > y)) continue;
        const int32_t owner = actor.owner(one);
        if (owner >= 0 && arm[static_cast<size_t>(owner)]) continue;
        const Vec3 p = a + (y - a.y()) / (b.y() - a.y()) * (b - a) - axis;
        for (size_t k = 0; k < hull_directions; ++k)
            hull.reach[k] = std::max(hull.reach[k], Hull::direction(k).dot(Vec2(p.x(), p.z())));
    }
    return hull;
}

Result<Garment> make_skirt(const SceneCloth& cloth, const Actor& actor) {
    const HumanoidMap roles = recognise_humanoid(actor.character().skeleton);
    if (roles[Role::hips] < 0 || roles[Role::left_upper_leg] < 0)
        return fail(ErrorCode::unsupported, "the character has no hips to wear a skirt on; give a person");
    const float height = actor.skin().bounds().size().y(), ease = cloth.options.thickness + ease_of_fit;
    const Vec3 hips = actor.world()[static_cast<size_t>(roles[Role::hips])].translation().cast<float>();
    const auto arm = arm_joints(actor.character(), roles);
    const float top = hips.y() + waist_share * height;
    Hull rim = slice(actor, arm, hips, top);
    float mean = 0.0f;
    for (float& reach : rim.reach)
        reach = std::max(reach, least_waist_share * height) + ease, mean += reach / hull_directions;
    const Hull waist = rim;
    Garment g;
    const int rows = steps(cloth.height, cloth.edge) + 1;
    const int columns = std::max(steps(2 * pi * mean * 0.5f * (1.0f + cloth.flare), cloth.edge), 12);
    for (int j = 0; j < rows; ++j) {
        const float t = static_cast<float>(j) / static_cast<float>(rows - 1), y = top - cloth.height * t;
        const Hull body = slice(actor, arm, hips, y);
        for (size_t k = 0; j > 0 && k < hull_directions; ++k)  // it hangs: no row is narrower than the one above
            rim.reach[k] = std::max({rim.reach[k], body.reach[k] + cloth.options.thickness + ease_below,
                                     waist.reach[k] + (cloth.flare - 1.0f) * mean * t});
        for (int i = 0; i < columns; ++i) {
            const float turn = 2 * pi * static_cast<float>(i) / static_cast<float>(columns);
            const Vec2 towards(std::cos(turn), std::sin(turn));
            const float r = rim.radius(towards);
            g.positions.emplace_back(hips.x() + r * towards.x(), y, hips.z() + r * towards.y());
            if (j == 0) g.pins.push_back(static_cast<uint32_t>(i));
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
    const float shoulders = 0.75f * (left - right).norm(), ease = cloth.options.thickness + ease_of_fit;
    const auto arm = arm_joints(actor.character(), roles);
    const int columns = steps(std::max(cloth.width, shoulders), cloth.edge) + 1,
              rows = steps(cloth.height, cloth.edge) + 1;
    Garment g;
    Hull back;
    for (int j = 0; j < rows; ++j) {
        const float t = static_cast<float>(j) / static_cast<float>(rows - 1);
        const float width = shoulders + (std::max(cloth.width, shoulders) - shoulders) * t;
        const float y = 0.5f * (left.y() + neck.y()) + 0.01f - cloth.height * t;
        const Hull body = slice(actor, arm, neck, y);
        for (size_t k = 0; k < hull_directions; ++k) back.reach[k] = std::max(back.reach[k], body.reach[k] + ease);
        for (int i = 0; i < columns; ++i) {
            const float x = width * (static_cast<float>(i) / static_cast<float>(columns - 1) - 0.5f);
            Vec3 place(neck.x() + x, y, neck.z() - back.behind(x));
            if (j == 0) {  // along the shoulders, on the skin
                const SurfaceHit on = actor.skin().nearest(place, 1e6f);
                if (on.found()) place = on.place + ease * on.normal;
                g.pins.push_back(static_cast<uint32_t>(i));
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
