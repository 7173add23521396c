#include <fmt/format.h>

#include <sinew/io/fbx/joints.h>
#include <algorithm>

namespace sinew::fbx {
namespace {

Inherit inherit_of(const Object& model) {
    const int64_t type = model.integer("InheritType", int64_t(Inherit::normal));
    return type >= 0 && type <= 2 ? Inherit(type) : Inherit::normal;
}

// Depth first from the scene down, then from what hangs nowhere. A model that is reached twice counts once.
class ModelFinder {
public:
    ModelFinder(const Graph& graph, Models& models) : graph_(graph), models_(models) {
        models.of_object.assign(graph.objects.size(), -1);
    }

    void find() {
        descend(0, -1);
        for (size_t o = 1; o < graph_.objects.size(); ++o)
            if (graph_.objects[o].kind == "Model" && graph_.parents_of(int32_t(o), "Model").empty()) visit(int32_t(o));
        for (size_t o = 1; o < graph_.objects.size(); ++o)
            if (graph_.objects[o].kind == "Model") visit(int32_t(o));  // rings
    }

private:
    void visit(int32_t object) {
        if (models_.of_object[size_t(object)] >= 0) return;
        const int32_t model = add(object, -1);
        descend(object, model);
    }

    void descend(int32_t from, int32_t parent_model) {
        std::vector<std::pair<int32_t, int32_t>> stack{{from, parent_model}};
        while (!stack.empty()) {
            const auto [object, parent] = stack.back();
            stack.pop_back();
            int32_t model = parent;
            if (object != from) {
                if (models_.of_object[size_t(object)] >= 0) continue;
                model = add(object, parent);
            }
            const std::vector<int32_t> children = graph_.children_of(object, "Model");
            for (auto child = children.rbegin(); child != children.rend(); ++child) stack.emplace_back(*child, model);
        }
    }

    int32_t add(int32_t object, int32_t parent) {
        const Object& source = graph_.objects[size_t(object)];
        Model model;
        model.object = object;
        model.parent = parent;
        model.chain = chain_of(source);
        model.rest = rest_values(source);
        model.geometric = geometric_transform(source);
        model.inherit = parent < 0 ? Inherit::normal : inherit_of(source);
        const auto index = int32_t(models_.all.size());
        models_.of_object[size_t(object)] = index;
        models_.all.push_back(model);
        return index;
    }

    const Graph& graph_;
    Models& models_;
};

// Where scales are uniform and do not move, taking them over component by component is the normal way.
void simplify_inheritance(Models& models, const std::vector<bool>& scale_moves) {
    std::vector<bool> plain(models.all.size());  // so with all models above it
    for (size_t m = 0; m < models.all.size(); ++m) {
        Model& model = models.all[m];
        const bool plain_above = model.parent < 0 || plain[size_t(model.parent)];
        if (model.inherit == Inherit::componentwise && plain_above) model.inherit = Inherit::normal;
        const Vec3d& s = model.rest.scaling;
        plain[m] =
            plain_above && model.inherit == Inherit::normal && !scale_moves[m] && s.x() == s.y() && s.y() == s.z();
    }
}

void find_scale_sources(Models& models, const std::vector<bool>& scale_moves) {
    for (size_t m = 0; m < models.all.size(); ++m) {
        Model& model = models.all[m];
        if (model.inherit == Inherit::normal) continue;
        const Model& parent = models.all[size_t(model.parent)];
        if (model.inherit == Inherit::componentwise)
            model.scale_from = model.parent;
        else if (parent.inherit != Inherit::normal)
            model.scale_from = parent.scale_from;
    }
    for (const Model& model : models.all) {
        if (model.inherit == Inherit::normal) continue;
        Model& parent = models.all[size_t(model.parent)];
        const bool scaled =
            scale_moves[size_t(model.parent)] || parent.scale_from >= 0 || parent.rest.scaling != Vec3d::Ones();
        parent.scale_apart = parent.scale_apart || scaled;
    }
}

// The scale that a model hands down to children who take it component by component.
Vec3d handed_scale(const Models& models, int32_t index, const ValuesOf& values) {
    Vec3d scale = Vec3d::Ones();
    while (index >= 0) {
        const Model& model = models.all[size_t(index)];
        scale = scale.cwiseProduct(values(index).scaling);
        index = model.inherit == Inherit::componentwise ? model.parent : -1;
    }
    return scale;
}

Vec3d whole_scale(const Models& models, const Model& model, const Vec3d& own, const ValuesOf& values) {
    return model.scale_from < 0 ? own : Vec3d(own.cwiseProduct(handed_scale(models, model.scale_from, values)));
}

Transform to_transform(const Placement& placement) {
    Transform result;
    result.translation = placement.translation.cast<float>();
    result.rotation = placement.rotation.normalized().cast<float>();
    result.scale = placement.scale.cast<float>();
    return result;
}

}  // namespace

Models find_models(const Graph& graph) {
    Models models;
    models.space = space_of(graph);
    ModelFinder(graph, models).find();
    return models;
}

Placement joint_placement(const Models& models, int32_t index, const ValuesOf& values) {
    const Model& model = models.all[size_t(index)];
    const LocalValues own = values(index);
    Placement placement = model.chain.place(own);
    if (model.inherit != Inherit::normal) {
        placement.translation = placement.translation.cwiseProduct(handed_scale(models, model.parent, values));
        placement.scale = whole_scale(models, model, placement.scale, values);
    }
    if (model.scale_apart) placement.scale.setOnes();
    return models.space.placement(placement, model.parent < 0);
}

Placement scaled_joint_placement(const Models& models, int32_t index, const ValuesOf& values) {
    Placement placement;
    placement.scale = whole_scale(models, models.all[size_t(index)], values(index).scaling, values);
    return placement;
}

void each_scale_source(const Models& models, int32_t index, const std::function<void(int32_t)>& use) {
    const Model& model = models.all[size_t(index)];
    if (model.inherit == Inherit::normal) return;
    for (int32_t m = model.parent; m >= 0; m = models.all[size_t(m)].parent) use(m);
}

Result<Skeleton> make_skeleton(Models& models, const Graph& graph, const std::vector<bool>& scale_moves,
                               const Limits& limits, std::vector<std::string>& warnings) {
    simplify_inheritance(models, scale_moves);
    find_scale_sources(models, scale_moves);
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    const ValuesOf at_rest = [&](int32_t m) { return models.all[size_t(m)].rest; };
    size_t broken = 0;
    const auto add = [&](std::string name, int32_t parent, const Placement& placement) {
        Transform transform = to_transform(placement);
        const bool finite =
            transform.translation.allFinite() && transform.scale.allFinite() && transform.rotation.coeffs().allFinite();
        if (!finite) transform = {}, ++broken;
        names.push_back(std::move(name));
        parents.push_back(parent);
        rest.push_back(transform);
        return int32_t(names.size() - 1);
    };
    for (size_t m = 0; m < models.all.size(); ++m) {
        if (names.size() + 1 >= limits.max_joints)
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("the file has more than {} nodes, which is the limit", limits.max_joints));
        Model& model = models.all[m];
        const std::string& name = graph.objects[size_t(model.object)].name;
        int32_t parent = -1;
        if (model.parent >= 0) {
            const Model& above = models.all[size_t(model.parent)];
            parent = model.inherit == Inherit::normal ? above.scaled_joint : above.joint;
        }
        model.joint = model.scaled_joint = add(name, parent, joint_placement(models, int32_t(m), at_rest));
        if (model.scale_apart)
            model.scaled_joint = add(name + " scale", model.joint, scaled_joint_placement(models, int32_t(m), at_rest));
    }
    if (broken > 0)
        warnings.push_back(
            fmt::format("{} nodes have transforms that are not finite; they were put at the origin", broken));
    return Skeleton::create(std::move(names), std::move(parents), std::move(rest));
}

}  // namespace sinew::fbx
