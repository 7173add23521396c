// What a change leaves behind in a document. Accessors and bufferViews that only replaced data used make room for the
// new ones behind them; nothing that an unknown extension might refer to is moved.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <sinew/io/gltf/write/draft.h>

namespace sinew::gltf {
namespace {

using Visit = std::function<void(Json&)>;

void visit_member(Json& object, const char* key, const Visit& visit) {
    const auto it = object.find(key);
    if (it != object.end()) visit(*it);
}

void visit_all(Json& root, const char* key, const Visit& visit) {
    const auto it = root.find(key);
    if (it == root.end()) return;
    for (Json& item : *it) visit(item);
}

void visit_accessors(Json& root, const Visit& visit) {
    visit_all(root, "meshes", [&](Json& mesh) {
        for (Json& primitive : mesh["primitives"]) {
            for (Json& accessor : primitive["attributes"]) visit(accessor);
            visit_member(primitive, "indices", visit);
            visit_all(primitive, "targets", [&](Json& target) {
                for (Json& accessor : target) visit(accessor);
            });
        }
    });
    visit_all(root, "animations", [&](Json& animation) {
        for (Json& sampler : animation["samplers"]) {
            visit(sampler["input"]);
            visit(sampler["output"]);
        }
    });
    visit_all(root, "skins", [&](Json& skin) { visit_member(skin, "inverseBindMatrices", visit); });
}

void visit_views(Json& root, const Visit& visit) {
    visit_all(root, "accessors", [&](Json& accessor) {
        visit_member(accessor, "bufferView", visit);
        if (!accessor.contains("sparse")) return;
        visit(accessor["sparse"]["indices"]["bufferView"]);
        visit(accessor["sparse"]["values"]["bufferView"]);
    });
    visit_all(root, "images", [&](Json& image) { visit_member(image, "bufferView", visit); });
}

void visit_nodes(Json& root, const Visit& visit) {
    visit_all(root, "nodes", [&](Json& node) { visit_all(node, "children", visit); });
    visit_all(root, "scenes", [&](Json& scene) { visit_all(scene, "nodes", visit); });
    visit_all(root, "skins", [&](Json& skin) {
        visit_all(skin, "joints", visit);
        visit_member(skin, "skeleton", visit);
    });
    visit_all(root, "animations", [&](Json& animation) {
        for (Json& channel : animation["channels"]) visit_member(channel["target"], "node", visit);
    });
}

void visit_node_member(Json& root, const char* key, const Visit& visit) {
    visit_all(root, "nodes", [&](Json& node) { visit_member(node, key, visit); });
}

void visit_materials(Json& root, const Visit& visit) {
    visit_all(root, "meshes", [&](Json& mesh) {
        for (Json& primitive : mesh["primitives"]) visit_member(primitive, "material", visit);
    });
}

using Walk = void (*)(Json&, const Visit&);

std::set<size_t> referenced(Json& root, Walk walk) {
    std::set<size_t> numbers;
    walk(root, [&](Json& number) { numbers.insert(number.get<size_t>()); });
    return numbers;
}

// Every integer inside extensions and extras: any of them may be a number of anything.
void foreign_numbers(const Json& value, bool inside, std::set<size_t>& out) {
    if (inside && value.is_number_unsigned()) out.insert(value.get<size_t>());
    if (value.is_array()) {
        for (const Json& item : value) foreign_numbers(item, inside, out);
    }
    if (value.is_object()) {
        for (const auto& [key, item] : value.items()) {
            foreign_numbers(item, inside || key == "extensions" || key == "extras", out);
        }
    }
}

// Fills the slots that nothing refers to any more with the newest items, and drops the empty end of the array. What
// remains in between becomes `filler`, which is valid and costs next to nothing.
void fill_slots(Draft& draft, const char* array, Walk walk, const std::set<size_t>& foreign, const Json& filler) {
    if (!draft.json.contains(array)) return;
    Json source = draft.source.json;
    const std::set<size_t> before = referenced(source, walk), after = referenced(draft.json, walk);
    const size_t existing = array_at(draft.source.json, array).size();
    std::vector<size_t> free;
    for (const size_t number : before) {
        if (!after.contains(number) && !foreign.contains(number)) free.push_back(number);
    }
    Json& items = draft.json[array];
    std::map<size_t, size_t> moved;
    for (const size_t slot : free) {
        if (items.size() > existing) {
            moved[items.size() - 1] = slot;
            items[slot] = std::move(items.back());
            items.erase(items.size() - 1);
        } else {
            items[slot] = nullptr;
        }
    }
    while (!items.empty() && items.back().is_null()) items.erase(items.size() - 1);
    for (Json& item : items) {
        if (item.is_null()) item = filler;
    }
    if (!moved.empty()) {
        walk(draft.json, [&](Json& number) {
            const auto it = moved.find(number.get<size_t>());
            if (it != moved.end()) number = it->second;
        });
    }
    if (items.empty()) draft.json.erase(array);
}

// Removes items and renumbers the rest.
void erase_items(Json& root, const char* array, const std::vector<size_t>& gone, const Walk walk) {
    if (gone.empty()) return;
    const std::set<size_t> used = referenced(root, walk);
    const auto keep = [&](size_t i) { return !std::binary_search(gone.begin(), gone.end(), i) || used.contains(i); };
    std::vector<size_t> number(root[array].size(), 0);
    size_t count = 0;
    for (size_t i = 0; i < number.size(); ++i) number[i] = keep(i) ? count++ : count;
    // Before anything moves: nodes refer to each other.
    walk(root, [&](Json& value) { value = number[value.get<size_t>()]; });
    Json kept = Json::array();
    for (size_t i = 0; i < number.size(); ++i)
        if (keep(i)) kept.push_back(std::move(root[array][i]));
    root[array] = std::move(kept);
    if (root[array].empty()) root.erase(array);
}

bool bounds_match(const Json& stated, const std::vector<double>& actual) {
    if (!stated.is_array() || stated.size() != actual.size()) return false;
    for (size_t c = 0; c < actual.size(); ++c) {
        if (static_cast<float>(stated[c].get<double>()) != static_cast<float>(actual[c])) return false;
    }
    return true;
}

Json bounds_json(const std::vector<double>& values, bool integer) {
    Json array = Json::array();
    for (const double value : values) {
        if (integer) array.push_back(static_cast<int64_t>(value));
        if (!integer) array.push_back(value);
    }
    return array;
}

}  // namespace

void drop_abandoned(Draft& draft, const Numbers& numbers) {
    std::set<size_t> foreign;
    foreign_numbers(draft.json, false, foreign);
    if (!foreign.empty()) return;
    Json& root = draft.json;
    erase_items(root, "meshes", numbers.abandoned_meshes,
                [](Json& json, const Visit& visit) { visit_node_member(json, "mesh", visit); });
    erase_items(root, "skins", numbers.abandoned_skins,
                [](Json& json, const Visit& visit) { visit_node_member(json, "skin", visit); });
    // After the skins, whose joints they were.
    erase_items(root, "nodes", numbers.abandoned_nodes, visit_nodes);
    erase_items(root, "materials", numbers.abandoned_materials, visit_materials);
}

void drop_replaced_data(Draft& draft) {
    std::set<size_t> foreign;
    foreign_numbers(draft.json, false, foreign);
    fill_slots(draft, "accessors", visit_accessors, foreign,
               {{"componentType", 5126}, {"count", 1}, {"type", "SCALAR"}});
    fill_slots(draft, "bufferViews", visit_views, foreign,
               {{"buffer", draft.source.buffers.size()}, {"byteLength", 1}});
}

void mend_bounds(Draft& draft) {
    std::set<size_t> demanded;
    for (const Json& mesh : array_at(draft.json, "meshes")) {
        for (const Json& primitive : mesh["primitives"]) {
            demanded.insert(count_at(primitive["attributes"], "POSITION", SIZE_MAX));
            for (const Json& target : array_at(primitive, "targets"))
                demanded.insert(count_at(target, "POSITION", SIZE_MAX));
        }
    }
    for (const Json& animation : array_at(draft.json, "animations")) {
        for (const Json& sampler : animation["samplers"]) demanded.insert(count_at(sampler, "input"));
    }
    const size_t existing =
        std::min(array_at(draft.source.json, "accessors").size(), array_at(draft.json, "accessors").size());
    for (size_t i = 0; i < existing; ++i) {
        Json& json = draft.json["accessors"][i];
        if (json != draft.source.json["accessors"][i]) continue;  // one of ours, in a slot that was free
        if (!demanded.contains(i) && !json.contains("min") && !json.contains("max")) continue;
        const auto accessor = open_accessor(draft.source, i);
        if (!accessor || accessor->count == 0) continue;
        const ValueRange range = value_range(*accessor);
        const bool integer = accessor->component != Component::f32;
        const auto mend = [&](const char* key, const std::vector<double>& actual) {
            if (!json.contains(key) && !demanded.contains(i)) return;
            if (bounds_match(member(json, key), actual)) return;
            const bool finite = std::all_of(actual.begin(), actual.end(), [](double v) { return std::isfinite(v); });
            if (finite) json[key] = bounds_json(actual, integer);
        };
        mend("min", range.min);
        mend("max", range.max);
    }
}

}  // namespace sinew::gltf
