#include <sinew/rig/body/pieces.h>

#include <sinew/core/union_find.h>
#include <sinew/mesh/topology.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us, on the tests' characters with things in their hands (tests/rig/props_test.cpp). Sizes
// of pieces are standard deviations along their axes; "size" is the whole's longest side.
// More pieces than this are a heap.
constexpr size_t most_pieces = 400;
// Contacts are found on a grid of so many cells along the longest side, with room for one more at each end; triangles
// are sampled at steps of this share of a cell.
constexpr double contact_cells = 40.0, contact_step = 0.7;
constexpr uint32_t cell_stride = 64;
// Two pieces are congruent when extents differ by less than this share of the longest, areas by less than this of the
// larger. About as large: an arm with a bracer is still the other's partner.
constexpr double same_extents = 0.06, same_areas = 0.08, about_same_extents = 0.2, about_same_areas = 0.35;
// Centres of two pieces that mirror each other are this near, as a share of the size; the centre of one that mirrors
// itself is this near to the plane, and its spread differs from the mirrored one by this share at most.
constexpr double mirrored_centre = 0.05, centre_on_plane = 0.03, same_spread = 0.35;
// Half the length of a rod in standard deviations.
constexpr double half_length = 1.7;
// A long piece, as a share of the size. A limb is longer than wide by the first factor, a long piece alone by the
// second.
constexpr double long_piece = 0.06, elongated_limb = 1.3, elongated_alone = 1.5;
// A thing goes on along a limb when their axes are within 41 degrees (cosine), and the limb is not shorter than this
// share of it: a thumb does not go on in the handle of an axe. What continues a limb is longer than this share of it:
// the guard of a sword is shorter.
constexpr double straight_on = 0.75, shortest_limb = 0.4, shortest_continuation = 0.3;
// Limbs in two poses, at most: a heap of sticks has more.
constexpr size_t most_limb_pairs = 8;
// Carried things are no more than this share of the surface; pieces below the other share stay: buttons and buckles.
constexpr double most_carried = 0.55, small_piece = 0.002;

bool usable(std::span<const Vec3> positions, std::span<const uint32_t> triangles, size_t t) {
    for (size_t k = 0; k < 3; ++k)
        if (triangles[t + k] >= positions.size() || !positions[triangles[t + k]].allFinite()) return false;
    return true;
}

// Numbers the pieces in the order of their first triangle.
std::vector<uint32_t> label_triangles(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                                      size_t& count) {
    std::vector<Vec3> finite(positions.begin(), positions.end());
    for (Vec3& p : finite)
        if (!p.allFinite()) p.setZero();
    const std::vector<uint32_t> weld = weld_exact(finite);
    UnionFind sets(positions.size());
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        if (!usable(positions, triangles, t)) continue;
        sets.join(weld[triangles[t]], weld[triangles[t + 1]]);
        sets.join(weld[triangles[t]], weld[triangles[t + 2]]);
    }
    std::vector<uint32_t> number(positions.size(), UINT32_MAX), of_triangle(triangles.size() / 3, UINT32_MAX);
    count = 0;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        if (!usable(positions, triangles, t)) continue;
        uint32_t& id = number[sets.find(weld[triangles[t]])];
        if (id == UINT32_MAX) id = static_cast<uint32_t>(count++);
        of_triangle[t / 3] = id;
    }
    return of_triangle;
}

// Pieces whose surfaces pass through the same cell of a coarse grid.
std::vector<std::vector<char>> find_contacts(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                                             const Pieces& pieces) {
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    const auto corner = [&](size_t t, size_t k) -> Vec3d { return positions[triangles[3 * t + k]].cast<double>(); };
    for (size_t t = 0; t < pieces.of_triangle.size(); ++t)
        for (size_t k = 0; k < 3 && pieces.of_triangle[t] != UINT32_MAX; ++k)
            low = low.cwiseMin(corner(t, k)), high = high.cwiseMax(corner(t, k));
    const double cell = (high - low).maxCoeff() / contact_cells;
    std::vector<std::pair<uint32_t, uint32_t>> passed;
    for (size_t t = 0; t < pieces.of_triangle.size() && cell > 0.0; ++t) {
        if (pieces.of_triangle[t] == UINT32_MAX) continue;
        const Vec3d a = corner(t, 0), b = corner(t, 1) - a, c = corner(t, 2) - a;
        const int steps = 1 + static_cast<int>(std::max({b.norm(), c.norm(), (b - c).norm()}) / (contact_step * cell));
        for (int i = 0; i <= steps; ++i)
            for (int j = 0; i + j <= steps; ++j) {
                const Vec3d g = (a + b * (double(i) / steps) + c * (double(j) / steps) - low) / cell;
                const uint32_t at =
                    (static_cast<uint32_t>(g.z()) * cell_stride + static_cast<uint32_t>(g.y())) * cell_stride +
                    static_cast<uint32_t>(g.x());
                if (passed.empty() || passed.back() != std::pair(at, pieces.of_triangle[t]))
                    passed.emplace_back(at, pieces.of_triangle[t]);
            }
    }
    std::sort(passed.begin(), passed.end());
    passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
    std::vector<std::vector<char>> touches(pieces.list.size(), std::vector<char>(pieces.list.size(), 0));
    for (size_t i = 0; i < passed.size(); ++i)
        for (size_t j = i + 1; j < passed.size() && passed[j].first == passed[i].first; ++j)
            touches[passed[i].second][passed[j].second] = touches[passed[j].second][passed[i].second] = 1;
    return touches;
}

bool same_extent(const Piece& a, const Piece& b) {
    const double size = std::max(a.extent[2], b.extent[2]);
    return (a.extent - b.extent).cwiseAbs().maxCoeff() < same_extents * size &&
           std::abs(a.area - b.area) < same_areas * std::max(a.area, b.area);
}

bool about_as_large(const Piece& a, const Piece& b) {
    return (a.extent - b.extent).cwiseAbs().maxCoeff() < about_same_extents * std::max(a.extent[2], b.extent[2]) &&
           std::abs(a.area - b.area) < about_same_areas * std::max(a.area, b.area);
}

bool mirrors_other(const Piece& a, const Piece& b, const MirrorPlane& plane, double size) {
    return (plane.mirror(a.centre) - b.centre).norm() < mirrored_centre * size && about_as_large(a, b);
}

bool mirrors_itself(const Piece& piece, const MirrorPlane& plane, double size) {
    if (std::abs(plane.side(piece.centre)) > centre_on_plane * size) return false;
    const Mat3d mirror = Mat3d::Identity() - 2.0 * plane.normal * plane.normal.transpose();
    return (mirror * piece.spread * mirror - piece.spread).norm() < same_spread * piece.spread.norm();
}

// What each piece is to the body: `core` is trunk or head, `paired` is one of two.
struct Roles {
    std::vector<char> core, paired;
    double size = 0.0;  // the whole's longest side, roughly
};

double size_of(const Pieces& pieces) {
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    for (const Piece& piece : pieces.list) {
        const Vec3d half = half_length * piece.spread.diagonal().cwiseMax(0.0).cwiseSqrt();
        low = low.cwiseMin(piece.centre - half), high = high.cwiseMax(piece.centre + half);
    }
    return (high - low).maxCoeff();
}

Roles find_roles(const Pieces& pieces, const MirrorPlane& plane) {
    const size_t count = pieces.list.size();
    Roles roles{std::vector<char>(count, 0), std::vector<char>(count, 0), size_of(pieces)};
    for (size_t i = 0; i < count; ++i) {
        roles.core[i] = mirrors_itself(pieces.list[i], plane, roles.size);
        const double side = plane.side(pieces.list[i].centre);
        for (size_t j = 0; j < count && !roles.paired[i]; ++j)
            roles.paired[i] = j != i && side * plane.side(pieces.list[j].centre) < 0.0 &&
                              (same_extent(pieces.list[i], pieces.list[j]) ||
                               mirrors_other(pieces.list[i], pieces.list[j], plane, roles.size));
    }
    return roles;
}

bool touches_core(const Pieces& pieces, const Roles& roles, size_t i) {
    for (size_t j = 0; j < pieces.list.size(); ++j)
        if (j != i && roles.core[j] && pieces.touches[i][j]) return true;
    return false;
}

void measure(Piece& piece) {
    const Eigen::SelfAdjointEigenSolver<Mat3d> eigen(piece.spread);
    piece.axis = eigen.eigenvectors().col(2);
    piece.extent = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
}

using Dropped = std::vector<char>;

// Pieces that touch each other, but neither trunk nor head: a blade, its guard and its grip.
struct Group {
    std::vector<size_t> members;
    Piece whole;
};

Piece unite(const Pieces& pieces, const std::vector<size_t>& members) {
    Piece whole;
    for (size_t i : members) {
        whole.area += pieces.list[i].area;
        whole.centre += pieces.list[i].area * pieces.list[i].centre;
    }
    if (!(whole.area > 0.0)) return whole;
    whole.centre /= whole.area;
    for (size_t i : members) {
        const Vec3d off = pieces.list[i].centre - whole.centre;
        whole.spread += pieces.list[i].area / whole.area * (pieces.list[i].spread + off * off.transpose());
    }
    measure(whole);
    return whole;
}

// Whether a thing goes on as the limb it touches does.
bool along(const Piece& thing, const Piece& limb) {
    return limb.extent[2] > elongated_limb * limb.extent[1] && limb.extent[2] > shortest_limb * thing.extent[2] &&
           std::abs(thing.axis.dot(limb.axis)) > straight_on;
}

// Arms and legs: pairs that touch trunk or head, and pairs that go on as those do.
std::vector<char> find_limbs(const Pieces& pieces, const Roles& roles, const Dropped& dropped) {
    const size_t count = pieces.list.size();
    std::vector<char> limb(count);
    for (size_t i = 0; i < count; ++i)
        limb[i] = !dropped[i] && !roles.core[i] && roles.paired[i] && touches_core(pieces, roles, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; ++i) {
            if (limb[i] || dropped[i] || roles.core[i] || !roles.paired[i]) continue;
            for (size_t j = 0; j < count && !limb[i]; ++j)
                limb[i] = limb[j] && pieces.touches[i][j] && along(pieces.list[i], pieces.list[j]) &&
                          pieces.list[i].extent[2] > shortest_continuation * pieces.list[j].extent[2];
            changed |= limb[i] != 0;
        }
    }
    return limb;
}

std::vector<Group> group_outer(const Pieces& pieces, const Roles& roles, const std::vector<char>& limb,
                               const Dropped& dropped) {
    const size_t count = pieces.list.size();
    std::vector<char> outer(count);
    for (size_t i = 0; i < count; ++i)
        outer[i] = !dropped[i] && !roles.core[i] && !limb[i] && !touches_core(pieces, roles, i);
    std::vector<Group> groups;
    for (size_t first = 0; first < count; ++first) {
        if (!outer[first]) continue;
        Group group{.members = {first}, .whole = {}};
        outer[first] = 0;
        for (size_t k = 0; k < group.members.size(); ++k)
            for (size_t j = 0; j < count; ++j)
                if (outer[j] && pieces.touches[group.members[k]][j]) outer[j] = 0, group.members.push_back(j);
        group.whole = unite(pieces, group.members);
        groups.push_back(std::move(group));
    }
    return groups;
}

// Something long at an angle to the limb it touches: a weapon in a hand. Shoes and hands are shorter, forearms go on as
// the limb does.
bool lies_across(const Pieces& pieces, const Roles& roles, const std::vector<char>& limb, const Group& group) {
    if (group.whole.extent[2] < long_piece * roles.size) return false;
    bool any = false;
    for (size_t i : group.members)
        for (size_t j = 0; j < pieces.list.size(); ++j) {
            if (!pieces.touches[i][j] || !limb[j]) continue;
            if (along(group.whole, pieces.list[j])) return false;
            any = true;
        }
    return any;
}

bool is_long_alone(const Pieces& pieces, const Roles& roles, const Dropped& dropped, size_t i) {
    const Piece& piece = pieces.list[i];
    if (roles.core[i] || piece.extent[2] < long_piece * roles.size ||
        piece.extent[2] < elongated_alone * piece.extent[1])
        return false;
    for (size_t j = 0; j < pieces.list.size(); ++j)
        if (j != i && pieces.touches[i][j] && !roles.core[j] && !dropped[j] && along(piece, pieces.list[j]))
            return false;
    return true;
}

// Drops pieces that touch nothing but dropped ones.
void drop_followers(const Pieces& pieces, const Roles& roles, Dropped& dropped) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < pieces.list.size(); ++i) {
            if (dropped[i] || roles.core[i]) continue;
            bool gone = false, held = false;
            for (size_t j = 0; j < pieces.list.size(); ++j)
                if (j != i && pieces.touches[i][j]) (dropped[j] ? gone : held) = true;
            if (gone && !held) dropped[i] = 1, changed = true;
        }
    }
}

}  // namespace

Pieces find_pieces(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    Pieces pieces;
    size_t count = 0;
    pieces.of_triangle = label_triangles(positions, triangles, count);
    pieces.list.resize(count);
    const auto corner = [&](size_t t, size_t k) -> Vec3d { return positions[triangles[3 * t + k]].cast<double>(); };
    for (size_t t = 0; t < pieces.of_triangle.size(); ++t) {
        if (pieces.of_triangle[t] == UINT32_MAX) continue;
        Piece& piece = pieces.list[pieces.of_triangle[t]];
        const Vec3d a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
        const double area = 0.5 * (b - a).cross(c - a).norm();
        piece.area += area;
        piece.centre += area / 3.0 * (a + b + c);
    }
    for (Piece& piece : pieces.list) {
        if (piece.area > 0.0) piece.centre /= piece.area;
        pieces.area += piece.area;
    }
    for (size_t t = 0; t < pieces.of_triangle.size(); ++t) {
        if (pieces.of_triangle[t] == UINT32_MAX) continue;
        Piece& piece = pieces.list[pieces.of_triangle[t]];
        const Vec3d a = corner(t, 0) - piece.centre, b = corner(t, 1) - piece.centre, c = corner(t, 2) - piece.centre;
        const Vec3d s = a + b + c;
        const double area = 0.5 * (b - a).cross(c - a).norm();
        // The second moments of a triangle about a point, from its corners there and their sum.
        piece.spread += area / 12.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
    for (Piece& piece : pieces.list) {
        if (piece.area > 0.0) piece.spread /= piece.area;
        measure(piece);
    }
    if (pieces.list.size() > 1 && pieces.list.size() <= most_pieces)
        pieces.touches = find_contacts(positions, triangles, pieces);
    return pieces;
}

std::vector<std::pair<uint32_t, uint32_t>> pairs_in_two_poses(const Pieces& pieces, const MirrorPlane& plane) {
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    if (pieces.touches.empty()) return pairs;
    const double size = size_of(pieces);
    const auto count = static_cast<uint32_t>(pieces.list.size());
    const auto at = [&](uint32_t i) -> const Piece& { return pieces.list[i]; };
    // Pieces that mirror another are left alone. Of the others, the most alike are paired first.
    std::vector<char> taken(count, 0);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = 0; j < count; ++j)
            if (j != i && mirrors_other(at(i), at(j), plane, size)) taken[i] = 1;
    std::vector<std::pair<double, std::pair<uint32_t, uint32_t>>> offers;
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = 0; j < count; ++j)
            if (!taken[i] && !taken[j] && plane.side(at(i).centre) > 0.0 && plane.side(at(j).centre) < 0.0 &&
                at(i).extent[2] >= long_piece * size && about_as_large(at(i), at(j)))
                offers.push_back({(at(i).extent - at(j).extent).cwiseAbs().maxCoeff(), {i, j}});
    std::stable_sort(offers.begin(), offers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [unlike, pair] : offers) {
        if (pairs.size() == most_limb_pairs) break;
        if (taken[pair.first] || taken[pair.second]) continue;
        taken[pair.first] = taken[pair.second] = 1;
        pairs.push_back(pair);
    }
    return pairs;
}

std::vector<uint32_t> without_props(const Pieces& pieces, std::span<const uint32_t> triangles, const MirrorPlane& plane,
                                    Props props) {
    if (pieces.touches.empty()) return {};
    const Roles roles = find_roles(pieces, plane);
    const size_t count = pieces.list.size();
    Dropped dropped(count, 0);
    for (size_t i = 0; i < count; ++i)
        dropped[i] = pieces.list[i].area >= small_piece * pieces.area && !roles.core[i] && !roles.paired[i];
    const std::vector<char> limb = find_limbs(pieces, roles, dropped);
    for (const Group& group : group_outer(pieces, roles, limb, dropped))
        if (lies_across(pieces, roles, limb, group))
            for (size_t i : group.members) dropped[i] = 1;
    if (props == Props::paired) {
        const Dropped before = dropped;
        for (size_t i = 0; i < count; ++i)
            if (is_long_alone(pieces, roles, before, i)) dropped[i] = 1;
    }
    drop_followers(pieces, roles, dropped);
    double area = 0.0;
    for (size_t i = 0; i < count; ++i)
        if (dropped[i]) area += pieces.list[i].area;
    if (area == 0.0 || area > most_carried * pieces.area) return {};
    std::vector<uint32_t> left;
    for (size_t t = 0; t < pieces.of_triangle.size(); ++t)
        if (pieces.of_triangle[t] != UINT32_MAX && !dropped[pieces.of_triangle[t]])
            left.insert(left.end(), {triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]});
    return left;
}

}  // namespace sinew
