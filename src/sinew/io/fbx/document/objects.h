// Graph: the objects of an FBX file with their properties, and who is connected to whom. The same for all versions:
// before 7000 a model holds its own geometry, which becomes an object of its own here.
// Data flow: Document → *here* → joints, geometry, skins, shapes, materials, animation.
#pragma once

#include <sinew/io/fbx/document/document.h>
#include <sinew/math/types.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::fbx {

// Every function that looks something up returns `otherwise` where the file does not say, or says what is not finite.
struct Object {
    std::string_view kind;  // "Model", "Geometry", "Deformer", …
    std::string_view type;  // "Mesh", "LimbNode", "Skin", "Cluster", …
    std::string name;
    const Node* node = nullptr;
    const Node* defaults = nullptr;                              // the properties that objects of its kind share
    std::vector<std::pair<std::string_view, Vec3d>> old_values;  // before 6000: what takes say instead of properties

    bool has(std::string_view property) const;
    double real(std::string_view property, double otherwise) const;
    int64_t integer(std::string_view property, int64_t otherwise) const;
    Vec3d vector(std::string_view property, const Vec3d& otherwise) const;
    std::string_view text(std::string_view property) const;

    const Node* find(std::string_view property) const;
};
// A value of a property record: both spellings, "P" and "Property", put a few words before the first value.
size_t first_value_of(const Node& property);

struct Link {
    int32_t object = 0;
    std::string_view property;  // which of the parent's properties the child feeds; empty: it just belongs to it
};

struct Graph {
    const Document* document = nullptr;
    std::vector<Object> objects;  // objects[0] is the scene
    std::vector<std::vector<Link>> children, parents;
    Object settings;

    // The children, or parents, of one kind and type (empty: any type), in the file's order.
    std::vector<int32_t> children_of(int32_t object, std::string_view kind, std::string_view type = {}) const;
    std::vector<int32_t> parents_of(int32_t object, std::string_view kind, std::string_view type = {}) const;
};

constexpr uint32_t first_version_with_ids = 7000;
constexpr uint32_t first_version_with_properties = 6000;

Graph make_graph(const Document& document);

// "Body" of "Model::Body", or of the binary form, which has the class behind the name.
std::string name_of(std::string_view full);
// Before 7000: the property that a channel of a take animates.
std::string_view channel_name(std::string_view channel);

// For make_graph: what versions before 7000, and before 6000, hold elsewhere.
void add_embedded_geometry(Graph& graph);
void add_old_records(const Document& document, Graph& graph);

}  // namespace sinew::fbx
