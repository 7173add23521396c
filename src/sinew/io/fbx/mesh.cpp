#include <sinew/io/fbx/mesh.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace sinew::fbx {
namespace {

constexpr float shortest_normal = 1e-12f;

// What a vertex is made of; equal bits make equal vertices.
struct CornerLook {
    uint32_t point = 0;
    Vec3 normal = Vec3::Zero();
    Vec2 uv = Vec2::Zero();
    Vec4 color = Vec4::Ones();

    bool operator==(const CornerLook& other) const {
        return point == other.point && normal == other.normal && uv == other.uv && color == other.color;
    }
    uint64_t hash() const {
        uint64_t h = point;
        const auto mix = [&h](float x) {
            h = (h ^ std::bit_cast<uint32_t>(x + 0.0f)) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
        };
        for (int i = 0; i < 3; ++i) mix(normal[i]);
        for (int i = 0; i < 2; ++i) mix(uv[i]);
        for (int i = 0; i < 4; ++i) mix(color[i]);
        return h ^ (h >> 32);
    }
};

// The vertices of one primitive while it grows: a hash table that doubles.
class VertexPool {
public:
    uint32_t add(const CornerLook& look) {
        if (2 * (looks_.size() + 1) > slots_.size()) grow();
        size_t i = look.hash() & (slots_.size() - 1);
        while (slots_[i] != none && !(looks_[slots_[i]] == look)) i = (i + 1) & (slots_.size() - 1);
        if (slots_[i] == none) {
            slots_[i] = uint32_t(looks_.size());
            looks_.push_back(look);
        }
        return slots_[i];
    }
    const std::vector<CornerLook>& looks() const { return looks_; }

private:
    static constexpr uint32_t none = ~0u;

    void grow() {
        slots_.assign(std::max<size_t>(64, slots_.size() * 2), none);
        for (uint32_t v = 0; v < looks_.size(); ++v) {
            size_t i = looks_[v].hash() & (slots_.size() - 1);
            while (slots_[i] != none) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = v;
        }
    }

    std::vector<CornerLook> looks_;
    std::vector<uint32_t> slots_;
};

class PrimitiveMaker {
public:
    PrimitiveMaker(const Geometry& geometry, const AffineD& geometric, const Space& space, Triangulator& triangulator)
        : geometry_(geometry), triangulator_(triangulator) {
        positions_.reserve(geometry.points.size());
        for (const Vec3d& p : geometry.points) {
            const Vec3 q = space.point(geometric * p).cast<float>();
            positions_.push_back(q.allFinite() ? q : Vec3(Vec3::Zero()));
        }
        const Mat3d linear = geometric.linear();
        const double volume = linear.determinant();
        flipped_ = (volume < 0) != space.mirrored;
        // The cofactors turn normals as the inverse transpose does, and exist where it does not.
        Mat3d cofactors;
        for (int i = 0; i < 3; ++i) cofactors.col(i) = linear.col((i + 1) % 3).cross(linear.col((i + 2) % 3));
        if (volume < 0) cofactors = -cofactors;
        if (space.mirrored) cofactors.row(0) *= -1;
        normal_from_file_ = cofactors;
    }

    std::vector<PrimitiveSource> make(const std::vector<int32_t>& materials) {
        for (size_t p = 0; p < geometry_.polygon_count(); ++p) add_polygon(p, slot_of(p, materials.size()));
        if (pools_.empty()) add_points();
        add_edge_points();
        std::vector<PrimitiveSource> result;
        for (const auto& [slot, pool] : pools_) {
            PrimitiveSource& source = result.emplace_back(finish(pool));
            source.primitive.mesh.triangles = std::move(triangles_[slot]);
            if (slot < materials.size()) source.primitive.material = materials[slot];
        }
        return result;
    }

private:
    size_t slot_of(size_t polygon, size_t count) const {
        const int64_t place = geometry_.materials.at(0, geometry_.polygon_in_file[polygon], 0);
        if (place < 0 || count == 0) return 0;
        const double slot = *geometry_.materials.value(place);
        return slot >= 0 && slot < double(count) ? size_t(slot) : 0;
    }

    CornerLook look_at(size_t corner, size_t polygon) const {
        CornerLook look;
        look.point = geometry_.corners[corner];
        const size_t in_file = geometry_.corner_in_file[corner];
        if (const int64_t at = geometry_.normals.at(in_file, polygon, look.point); at >= 0) {
            const Vec3 n = (normal_from_file_ * Eigen::Map<const Vec3d>(geometry_.normals.value(at))).cast<float>();
            if (n.allFinite() && n.norm() > shortest_normal) look.normal = n.normalized();
        }
        if (const int64_t at = geometry_.uvs.at(in_file, polygon, look.point); at >= 0) {
            const Vec2 uv = Eigen::Map<const Eigen::Vector2d>(geometry_.uvs.value(at)).cast<float>();
            if (uv.allFinite()) look.uv = Vec2(uv.x(), 1.0f - uv.y());
        }
        if (const int64_t at = geometry_.colors.at(in_file, polygon, look.point); at >= 0) {
            const Vec4 color = Eigen::Map<const Eigen::Vector4d>(geometry_.colors.value(at)).cast<float>();
            if (color.allFinite()) look.color = color.cwiseMax(0.0f).cwiseMin(1.0f);
        }
        return look;
    }

    void add_polygon(size_t polygon, size_t slot) {
        const size_t first = geometry_.first_corner[polygon], end = geometry_.first_corner[polygon + 1];
        corner_positions_.clear();
        corner_vertices_.clear();
        for (size_t c = first; c < end; ++c) corner_positions_.push_back(positions_[geometry_.corners[c]]);
        const Vec3 flat = newell_normal() * (flipped_ ? -1.0f : 1.0f);
        VertexPool& pool = pools_[slot];
        for (size_t c = first; c < end; ++c) {
            CornerLook look = look_at(c, geometry_.polygon_in_file[polygon]);
            if (geometry_.normals.mapping != Mapping::none && look.normal.isZero(0)) look.normal = flat;
            corner_vertices_.push_back(pool.add(look));
        }
        std::vector<uint32_t>& triangles = triangles_[slot];
        const size_t before = triangles.size();
        triangulator_.split(corner_positions_, triangles);
        for (size_t i = before; i < triangles.size(); ++i) triangles[i] = corner_vertices_[triangles[i]];
        if (flipped_)
            for (size_t i = before; i + 2 < triangles.size(); i += 3) std::swap(triangles[i + 1], triangles[i + 2]);
    }

    Vec3 newell_normal() const {
        Vec3d sum = Vec3d::Zero();
        for (size_t i = 0; i < corner_positions_.size(); ++i)
            sum += corner_positions_[i].cast<double>().cross(
                corner_positions_[(i + 1) % corner_positions_.size()].cast<double>());
        const double length = sum.norm();
        return length > 0 && std::isfinite(length) ? Vec3((sum / length).cast<float>()) : Vec3(Vec3::UnitY());
    }

    // A mesh without faces: its points alone.
    void add_points() {
        if (positions_.empty()) return;
        VertexPool& pool = pools_[0];
        for (uint32_t p = 0; p < positions_.size(); ++p) {
            CornerLook look;
            look.point = p;
            pool.add(look);
        }
        points_only_ = true;
    }

    // Edges without a face keep their points.
    void add_edge_points() {
        if (geometry_.edge_points.empty() || points_only_ || pools_.empty()) return;
        std::vector<bool> used(positions_.size(), false);
        for (const uint32_t p : geometry_.corners) used[p] = true;
        VertexPool& pool = pools_.begin()->second;
        for (const uint32_t p : geometry_.edge_points) {
            CornerLook look;
            look.point = p;
            look.normal = Vec3::UnitY();
            if (!used[p]) pool.add(look);
            used[p] = true;
        }
    }

    PrimitiveSource finish(const VertexPool& pool) const {
        PrimitiveSource source;
        Mesh& mesh = source.primitive.mesh;
        for (const CornerLook& look : pool.looks()) {
            source.points.push_back(look.point);
            mesh.positions.push_back(positions_[look.point]);
            if (points_only_) continue;
            if (geometry_.normals.mapping != Mapping::none) mesh.normals.push_back(look.normal);
            if (geometry_.uvs.mapping != Mapping::none) mesh.uvs.push_back(look.uv);
            if (geometry_.colors.mapping != Mapping::none) mesh.colors.push_back(look.color);
        }
        return source;
    }

    const Geometry& geometry_;
    Triangulator& triangulator_;
    std::vector<Vec3> positions_;
    Mat3d normal_from_file_;
    bool flipped_ = false;
    bool points_only_ = false;
    std::map<size_t, VertexPool> pools_;  // by the slot of their material
    std::map<size_t, std::vector<uint32_t>> triangles_;
    std::vector<Vec3> corner_positions_;
    std::vector<uint32_t> corner_vertices_;
};

}  // namespace

std::vector<PrimitiveSource> make_primitives(const Geometry& geometry, const AffineD& geometric, const Space& space,
                                             const std::vector<int32_t>& materials, Triangulator& triangulator) {
    return PrimitiveMaker(geometry, geometric, space, triangulator).make(materials);
}

}  // namespace sinew::fbx
