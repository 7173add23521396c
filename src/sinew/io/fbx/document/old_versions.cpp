// What versions before 7000 hold elsewhere: geometry inside models; before 6000 also bones inside them.
#include <sinew/io/fbx/document/objects.h>
#include <unordered_map>

namespace sinew::fbx {
namespace {

// Before 6000: models name their children, and hold their bones, materials and values.
class OldRecordReader {
public:
    OldRecordReader(const Document& document, Graph& graph) : document_(document), graph_(graph) {
        for (size_t o = 1; o < graph.objects.size(); ++o) by_name_.try_emplace(graph.objects[o].name, int32_t(o));
    }

    void read() {
        const size_t count = graph_.objects.size();
        for (size_t o = 1; o < count; ++o)
            if (graph_.objects[o].kind == "Model") read_model(int32_t(o));
    }

private:
    int32_t find(std::string_view full) const {
        const auto found = by_name_.find(name_of(full));
        return found == by_name_.end() ? -1 : found->second;
    }

    void link(int32_t child, int32_t parent) {
        if (child < 0 || child == parent) return;
        graph_.children[size_t(parent)].push_back({child, {}});
        graph_.parents[size_t(child)].push_back({parent, {}});
    }

    int32_t add(std::string_view kind, std::string_view type, const Node& node, int32_t parent) {
        Object object;
        object.kind = kind;
        object.type = type;
        object.name = name_of(node.text(0));
        object.node = &node;
        graph_.objects.push_back(std::move(object));
        graph_.children.emplace_back();
        graph_.parents.emplace_back();
        link(int32_t(graph_.objects.size() - 1), parent);
        return int32_t(graph_.objects.size() - 1);
    }

    void read_model(int32_t model) {
        const Node& node = *graph_.objects[size_t(model)].node;
        int32_t skin = -1;
        bool has_values = false;
        for (const Node& part : node.children) {
            if (part.name == "Children")
                for (const Value& name : part.values) link(find(name.text), model);
            if (part.name == "Material") add("Material", "", part, model);
            if (part.name == "Link") {
                if (skin < 0) skin = add("Deformer", "Skin", node, model);
                link(find(part.text(0)), add("Deformer", "Cluster", part, skin));
            }
            has_values = has_values || part.name == "Channel";
        }
        if (has_values)
            read_values(node, model);
        else if (const Node* take = take_of(node.text(0)))
            read_values(*take, model);
    }

    const Node* take_of(std::string_view model) const {
        const Node* takes = document_.root.find("Takes");
        if (takes == nullptr) return nullptr;
        for (const Node& take : takes->children)
            for (const Node& node : take.children)
                if (take.name == "Take" && node.name == "Model" && node.text(0) == model) return &node;
        return nullptr;
    }

    void read_values(const Node& node, int32_t model) {
        for (const Node& channel : node.children) {
            if (channel.name != "Channel") continue;
            if (channel.text(0) != "Transform") {
                const Node* value = channel.find("Default");
                if (value != nullptr) set(model, channel_name(channel.text(0)), Vec3d::Constant(value->real(0)));
                continue;
            }
            for (const Node& part : channel.children) {
                const std::string_view name = part.text(0);
                if (name == "T") set(model, "Lcl Translation", vector_of(part, 0));
                if (name == "R") set(model, "Lcl Rotation", vector_of(part, 0));
                if (name == "S") set(model, "Lcl Scaling", vector_of(part, 1));
            }
        }
    }

    static Vec3d vector_of(const Node& part, double otherwise) {
        Vec3d result = Vec3d::Constant(otherwise);
        for (const Node& axis : part.children) {
            const std::string_view name = axis.text(0);
            const Node* value = axis.find("Default");
            if (value != nullptr && (name == "X" || name == "Y" || name == "Z"))
                result[name[0] - 'X'] = value->real(0, otherwise);
        }
        return result;
    }

    void set(int32_t model, std::string_view property, const Vec3d& value) {
        if (value.allFinite()) graph_.objects[size_t(model)].old_values.emplace_back(property, value);
    }

    const Document& document_;
    Graph& graph_;
    std::unordered_map<std::string, int32_t> by_name_;
};

}  // namespace

std::string_view channel_name(std::string_view channel) {
    constexpr std::string_view of_shapes = " (Shape)";
    return channel.ends_with(of_shapes) ? channel.substr(0, channel.size() - of_shapes.size()) : channel;
}

void add_embedded_geometry(Graph& graph) {
    const size_t count = graph.objects.size();
    for (size_t o = 1; o < count; ++o) {
        const Object model = graph.objects[o];
        if (model.kind != "Model" || model.node->find("Vertices") == nullptr) continue;
        Object geometry;
        geometry.kind = "Geometry";
        geometry.type = "Mesh";
        geometry.node = model.node;
        const auto index = int32_t(graph.objects.size());
        graph.objects.push_back(std::move(geometry));
        graph.children.emplace_back();
        graph.parents.push_back({{int32_t(o), {}}});
        for (const Link& link : graph.children[o]) {
            if (graph.objects[size_t(link.object)].kind != "Deformer") continue;
            graph.children.back().push_back(link);
            graph.parents[size_t(link.object)].push_back({index, {}});
        }
        graph.children[o].push_back({index, {}});
    }
}

void add_old_records(const Document& document, Graph& graph) {
    OldRecordReader(document, graph).read();
}

}  // namespace sinew::fbx
