#include <sinew/pipeline/crowd/crowd_build.h>
#include <cmath>

namespace sinew {
namespace {

constexpr int outline_corners = 32;

// The outline of a convex polygon that is thicker all round: its farthest point in every direction.
std::vector<Vec2> outline_of(const GroundObstacle& obstacle) {
    std::vector<Vec2> outline;
    for (int i = 0; i < outline_corners; ++i) {
        // Half a step off the axes, so that the sides of a box are whole.
        const float angle = 2.0f * pi * (static_cast<float>(i) + 0.5f) / outline_corners;
        const Vec2 direction(std::cos(angle), std::sin(angle));
        const Vec2* farthest = &obstacle.corners[0];
        for (const Vec2& corner : obstacle.corners)
            if (corner.dot(direction) > farthest->dot(direction)) farthest = &corner;
        outline.push_back(*farthest + direction * obstacle.radius);
    }
    return outline;
}

void add_block(Mesh& mesh, std::span<const Vec2> outline, float height) {
    const auto vertex = [&](const Vec2& p, float y, const Vec3& normal) {
        mesh.positions.emplace_back(p.x(), y, p.y());
        mesh.normals.push_back(normal);
        return static_cast<uint32_t>(mesh.positions.size() - 1);
    };
    std::vector<uint32_t> top;
    for (const Vec2& p : outline) top.push_back(vertex(p, height, Vec3::UnitY()));
    // Seen from above, angles that grow from x to z turn clockwise.
    for (size_t i = 1; i + 1 < top.size(); ++i)
        mesh.triangles.insert(mesh.triangles.end(), {top[0], top[i + 1], top[i]});
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec2 &a = outline[i], &b = outline[(i + 1) % outline.size()];
        const Vec2 along = b - a;
        if (!(along.squaredNorm() > 0.0f)) continue;
        const Vec3 normal = Vec3(along.y(), 0.0f, -along.x()).normalized();
        const uint32_t a0 = vertex(a, 0.0f, normal), b0 = vertex(b, 0.0f, normal), a1 = vertex(a, height, normal),
                       b1 = vertex(b, height, normal);
        mesh.triangles.insert(mesh.triangles.end(), {a0, a1, b1, a0, b1, b0});
    }
}

}  // namespace

void add_obstacles(Character& crowd, std::span<const GroundObstacle> obstacles, float height) {
    if (obstacles.empty()) return;
    Primitive primitive;
    for (const GroundObstacle& obstacle : obstacles) add_block(primitive.mesh, outline_of(obstacle), height);
    Material stone{.name = "obstacles", .base_color = Vec4(0.55f, 0.52f, 0.47f, 1.0f), .roughness = 0.9f};
    primitive.material = static_cast<int32_t>(crowd.materials.size());
    crowd.materials.push_back(stone);
    MeshGroup group{.name = "obstacles"};
    group.primitives.push_back(std::move(primitive));
    crowd.meshes.push_back(std::move(group));

    std::vector<std::string> names = crowd.skeleton.names();
    std::vector<int32_t> parents = crowd.skeleton.parents();
    std::vector<Transform> rest = crowd.skeleton.rest();
    names.emplace_back("obstacles"), parents.push_back(-1), rest.emplace_back();
    crowd.skeleton = *Skeleton::create(std::move(names), std::move(parents), std::move(rest));
    crowd.joint_source.push_back(-1);
    crowd.instances.push_back({.joint = static_cast<int32_t>(crowd.skeleton.size()) - 1,
                               .mesh = static_cast<int32_t>(crowd.meshes.size()) - 1});
    layout_morphs(crowd);
}

}  // namespace sinew
