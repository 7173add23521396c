#include <sinew/io/fbx/document/objects.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace sinew::fbx {
namespace {

constexpr std::string_view binary_separator("\0\1", 2);

const Node* find_property(const Node* list, std::string_view name) {
    if (list == nullptr) return nullptr;
    // Of a property that stands there twice the last one counts.
    for (auto p = list->children.rbegin(); p != list->children.rend(); ++p)
        if (p->text(0) == name && (p->name == "P" || p->name == "Property")) return &*p;
    return nullptr;
}

const Node* properties_of(const Node* node) {
    if (node == nullptr) return nullptr;
    const Node* list = node->find("Properties70");
    return list != nullptr ? list : node->find("Properties60");
}

std::vector<int32_t> objects_of(const Graph& graph, const std::vector<Link>& links, std::string_view kind,
                                std::string_view type) {
    std::vector<int32_t> result;
    for (const Link& link : links) {
        const Object& object = graph.objects[size_t(link.object)];
        if (object.kind == kind && (type.empty() || object.type == type)) result.push_back(link.object);
    }
    return result;
}

// "Model::Body" for both spellings of a full name: what old files connect by.
std::string key_of(std::string_view full) {
    const size_t cut = full.find(binary_separator);
    if (cut == std::string_view::npos) return std::string(full);
    return std::string(full.substr(cut + 2)) + "::" + std::string(full.substr(0, cut));
}

class GraphBuilder {
public:
    GraphBuilder(const Document& document, Graph& graph) : document_(document), graph_(graph) {
        graph.document = &document;
        graph.objects.emplace_back().kind = "Scene";
        by_name_["Model::Scene"] = by_name_["Model::RootNode"] = 0;
        by_id_[0] = 0;
    }

    void build() {
        if (const Node* definitions = document_.root.find("Definitions")) add_defaults(*definitions);
        for (const Node& list : document_.root.children)
            if (list.name == "Objects")
                for (const Node& node : list.children) add_object(node);
        if (document_.version < first_version_with_properties)
            for (const Node& node : document_.root.children)
                if (node.name == "Model") add_object(node);
        find_settings();
        graph_.children.resize(graph_.objects.size());
        graph_.parents.resize(graph_.objects.size());
        for (const Node& list : document_.root.children)
            if (list.name == "Connections")
                for (const Node& node : list.children) add_link(node);
    }

private:
    void add_defaults(const Node& definitions) {
        for (const Node& type : definitions.children)
            if (const Node* found = type.find("PropertyTemplate"))
                if (const Node* list = properties_of(found)) defaults_.try_emplace(type.text(0), list);
    }

    void add_object(const Node& node) {
        const bool has_id = !node.values.empty() && node.values[0].is_number();
        Object object;
        object.kind = node.name;
        object.node = &node;
        const std::string_view full = node.text(has_id ? 1 : 0);
        object.name = name_of(full);
        object.type = node.text(has_id ? 2 : 1);
        if (const auto found = defaults_.find(node.name); found != defaults_.end()) object.defaults = found->second;
        const auto index = static_cast<int32_t>(graph_.objects.size());
        // Of two with one identity the first counts: nothing could be connected to the other.
        const bool is_new = has_id ? by_id_.try_emplace(node.values[0].as_integer(), index).second
                                   : by_name_.try_emplace(key_of(full), index).second;
        if (!is_new && !(full.empty() && !has_id)) return;
        graph_.objects.push_back(std::move(object));
    }

    void find_settings() {
        graph_.settings.node = document_.root.find("GlobalSettings");
        for (const Object& object : graph_.objects)
            if (object.kind == "GlobalSettings" && graph_.settings.node == nullptr) graph_.settings.node = object.node;
    }

    int32_t end_of(const Node& node, size_t value) const {
        if (value >= node.values.size()) return -1;
        if (node.values[value].is_number()) {
            const auto found = by_id_.find(node.values[value].as_integer());
            return found == by_id_.end() ? -1 : found->second;
        }
        const auto found = by_name_.find(key_of(node.text(value)));
        return found == by_name_.end() ? -1 : found->second;
    }

    // OO: child, parent. OP: child, parent, the parent's property. PO and PP say that one property follows another, as
    // constraints do; they are left out.
    void add_link(const Node& node) {
        const std::string_view how = node.text(0);
        if (how.starts_with('P')) return;
        const int32_t child = end_of(node, 1), parent = end_of(node, 2);
        if (child <= 0 || parent < 0 || child == parent) return;
        const std::string_view property = how.ends_with('P') ? node.text(3) : std::string_view();
        graph_.children[size_t(parent)].push_back({child, property});
        graph_.parents[size_t(child)].push_back({parent, property});
    }

    const Document& document_;
    Graph& graph_;
    std::map<std::string_view, const Node*> defaults_;
    std::unordered_map<int64_t, int32_t> by_id_;
    std::unordered_map<std::string, int32_t> by_name_;
};

}  // namespace

size_t first_value_of(const Node& property) {
    return property.name == "P" ? 4 : 3;
}

const Node* Object::find(std::string_view property) const {
    const Node* found = find_property(properties_of(node), property);
    return found != nullptr ? found : find_property(defaults, property);
}

bool Object::has(std::string_view property) const {
    return find(property) != nullptr;
}

double Object::real(std::string_view property, double otherwise) const {
    for (const auto& [known, value] : old_values)
        if (known == property) return value.x();
    const Node* found = find(property);
    if (found == nullptr) return otherwise;
    const double value = found->real(first_value_of(*found), otherwise);
    return std::isfinite(value) ? value : otherwise;
}

int64_t Object::integer(std::string_view property, int64_t otherwise) const {
    const Node* found = find(property);
    return found != nullptr ? found->integer(first_value_of(*found), otherwise) : otherwise;
}

Vec3d Object::vector(std::string_view property, const Vec3d& otherwise) const {
    for (const auto& [known, value] : old_values)
        if (known == property) return value;
    const Node* found = find(property);
    if (found == nullptr) return otherwise;
    const size_t first = first_value_of(*found);
    const Vec3d value(found->real(first, otherwise.x()), found->real(first + 1, otherwise.y()),
                      found->real(first + 2, otherwise.z()));
    return value.allFinite() ? value : otherwise;
}

std::string_view Object::text(std::string_view property) const {
    const Node* found = find(property);
    return found != nullptr ? found->text(first_value_of(*found)) : std::string_view();
}

std::vector<int32_t> Graph::children_of(int32_t object, std::string_view kind, std::string_view type) const {
    return objects_of(*this, children[size_t(object)], kind, type);
}

std::vector<int32_t> Graph::parents_of(int32_t object, std::string_view kind, std::string_view type) const {
    return objects_of(*this, parents[size_t(object)], kind, type);
}

std::string name_of(std::string_view full) {
    if (const size_t cut = full.find(binary_separator); cut != std::string_view::npos)
        return as_utf8(full.substr(0, cut));
    if (const size_t cut = full.find("::"); cut != std::string_view::npos) return as_utf8(full.substr(cut + 2));
    return as_utf8(full);
}

Graph make_graph(const Document& document) {
    Graph graph;
    GraphBuilder(document, graph).build();
    if (document.version < first_version_with_properties) add_old_records(document, graph);
    if (document.version < first_version_with_ids) add_embedded_geometry(graph);
    return graph;
}

}  // namespace sinew::fbx
