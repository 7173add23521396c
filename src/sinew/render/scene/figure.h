// Figure: the surfaces of a character that are drawn, in its own materials, coloured by weights, or in plain clay.
// Data flow: Character and its deformed vertices (character/character_deformer.h) → *here* → surfaces (surface.h).
#pragma once

#include <sinew/character/character_deformer.h>
#include <sinew/render/preview.h>
#include <sinew/render/scene/surface.h>
#include <memory>

namespace sinew {

// scene = (world − pivot) · scale.
struct Placement {
    Vec3d pivot = Vec3d::Zero();
    double scale = 1.0;
    Vec3 to_scene(const Vec3& world) const { return ((world.cast<double>() - pivot) * scale).cast<float>(); }
};

class Figure {
public:
    // `deformed` lists the primitives as deform() gives them. Decodes the textures; where that fails, the material's
    // plain colour is shown. The figure and the character must outlive the surfaces.
    Figure(const Character& character, const PreviewOptions& options, std::span<const DeformedPrimitive> deformed);

    // One surface per primitive that has triangles.
    std::vector<SceneSurface> surfaces(std::span<const DeformedPrimitive> deformed, const Placement& placement) const;
    void place(std::span<const DeformedPrimitive> deformed, const Placement& placement,
               std::span<SceneSurface> surfaces) const;

    bool empty() const { return parts_.empty(); }
    // Calls visit(point) for every vertex that a triangle uses, in world space.
    template <class Visit>
    void for_each_point(std::span<const DeformedPrimitive> deformed, Visit&& visit) const {
        for (const Part& part : parts_)
            for (uint32_t v : shapes_[part.shape].used) visit(deformed[part.index].positions[v]);
    }

private:
    // What the instances of a primitive share.
    struct Shape {
        std::vector<uint32_t> used;              // vertices, increasing
        std::vector<uint32_t> representative;    // for meshes without normals: one vertex for all at the same place
        std::vector<uint32_t> welded_triangles;  // the triangles among representatives
    };
    struct Part {
        size_t index = 0;  // into the deformed primitives
        size_t shape = 0;  // into shapes_
        const Primitive* primitive = nullptr;
        Material material;
        const Texture* texture = nullptr;
        bool mesh_colors = true;  // show the mesh's own vertex colours, else `colors`
        std::vector<Vec4> colors;
    };

    static Shape make_shape(const Mesh& mesh);

    std::vector<Part> parts_;
    std::vector<Shape> shapes_;
    std::vector<std::unique_ptr<Texture>> textures_;  // per image; null when it is not used or not readable
};

}  // namespace sinew
