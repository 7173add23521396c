#include <sinew/pipeline/crowd/crowd_scene.h>

#include <sinew/core/closest.h>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {
namespace {

using SceneJson = nlohmann::json;

constexpr double farthest_place = 1e5;  // metres: beyond this floats lose millimetres
constexpr size_t most_scene_items = 10'000;

tl::unexpected<Error> wrong(const std::string& where, const std::string& message) {
    return fail(ErrorCode::invalid_data, message, where);
}

// Names that the object may have; another one is a typing error, and told with the nearest.
Result<void> check_names(const SceneJson& object, const std::string& where, std::vector<std::string_view> names) {
    if (!object.is_object()) return wrong(where, "is not an object; write {…}");
    for (const auto& [name, value] : object.items())
        if (std::ranges::find(names, name) == names.end())
            return wrong(where + "/" + name, unknown_name("field", name, names));
    return {};
}

Result<float> number_of(const SceneJson& object, const std::string& where, const char* name, float usual, float least,
                        float most) {
    if (!object.contains(name)) return usual;
    const SceneJson& value = object[name];
    if (value.is_number() && value.get<double>() >= double{least} && value.get<double>() <= double{most})
        return value.get<float>();
    return wrong(where + "/" + name, fmt::format("is not a number from {} to {}; give one", least, most));
}

// [x, z], or [x, y, z] where `solid`.
Result<Vec3> place_of(const SceneJson& value, const std::string& where, bool solid) {
    const bool fits = value.is_array() && (value.size() == 2 || (solid && value.size() == 3));
    if (!fits)
        return wrong(where, solid ? "is not a place; give [x, z] or [x, y, z] in metres"
                                  : "is not a place on the ground; give [x, z] in metres");
    for (const SceneJson& number : value)
        if (!number.is_number() || !(std::abs(number.get<double>()) <= farthest_place))
            return wrong(where, fmt::format("has something that is no number within {}; give metres", farthest_place));
    if (value.size() == 2) return Vec3(value[0].get<float>(), 0.0f, value[1].get<float>());
    return Vec3(value[0].get<float>(), value[1].get<float>(), value[2].get<float>());
}

Result<Vec2> ground_place(const SceneJson& value, const std::string& where) {
    SINEW_TRY(const Vec3 place, place_of(value, where, false));
    return Vec2(place.x(), place.z());
}

Result<std::vector<Vec2>> ground_places(const SceneJson& value, const std::string& where, size_t least, size_t most) {
    if (!value.is_array() || value.size() < least || value.size() > most)
        return wrong(where, least == most ? fmt::format("needs {} places; give [[x, z], …]", least)
                                          : fmt::format("needs {} to {} places; give [[x, z], …]", least, most));
    std::vector<Vec2> places;
    for (size_t i = 0; i < value.size(); ++i) {
        SINEW_TRY(const Vec2 place, ground_place(value[i], fmt::format("{}/{}", where, i)));
        places.push_back(place);
    }
    return places;
}

bool is_convex(std::span<const Vec2> corners) {
    bool left = false, right = false;
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()], &c = corners[(i + 2) % corners.size()];
        const float turn = (b - a).x() * (c - b).y() - (b - a).y() * (c - b).x();
        left = left || turn > 0.0f, right = right || turn < 0.0f;
    }
    return !(left && right);
}

Result<GroundObstacle> read_obstacle(const SceneJson& json, const std::string& where) {
    SINEW_TRY_VOID(check_names(json, where, {"circle", "radius", "wall", "thickness", "box", "polygon"}));
    GroundObstacle obstacle;
    if (json.contains("circle")) {
        SINEW_TRY(const Vec2 middle, ground_place(json["circle"], where + "/circle"));
        SINEW_TRY(obstacle.radius, number_of(json, where, "radius", 1.0f, 0.01f, 1e4f));
        obstacle.corners = {middle};
    } else if (json.contains("wall")) {
        SINEW_TRY(obstacle.corners, ground_places(json["wall"], where + "/wall", 2, 2));
        SINEW_TRY(const float thickness, number_of(json, where, "thickness", 0.2f, 0.01f, 1e4f));
        obstacle.radius = 0.5f * thickness;
    } else if (json.contains("box")) {
        SINEW_TRY(const auto ends, ground_places(json["box"], where + "/box", 2, 2));
        obstacle.corners = {ends[0], {ends[1].x(), ends[0].y()}, ends[1], {ends[0].x(), ends[1].y()}};
    } else if (json.contains("polygon")) {
        SINEW_TRY(obstacle.corners, ground_places(json["polygon"], where + "/polygon", 3, 64));
        if (!is_convex(obstacle.corners)) return wrong(where + "/polygon", "is not convex; divide it into convex ones");
    } else {
        return wrong(where, "has no shape; give a circle, a wall, a box or a polygon");
    }
    return obstacle;
}

Result<CrowdGoal> read_goal(const SceneJson& json, const std::string& where, size_t goals) {
    SINEW_TRY_VOID(check_names(json, where, {"at", "radius", "next"}));
    if (!json.contains("at")) return wrong(where, "has no place; give \"at\": [x, z]");
    CrowdGoal goal;
    SINEW_TRY(goal.at, place_of(json["at"], where + "/at", true));
    SINEW_TRY(goal.radius, number_of(json, where, "radius", 1.0f, 0.05f, 1e4f));
    if (json.contains("next")) {
        if (!json["next"].is_number_integer() || json["next"] < 0 || json["next"] >= goals)
            return wrong(where + "/next", fmt::format("is not the number of a goal; give 0 to {}", goals - 1));
        goal.next = json["next"].get<int32_t>();
    }
    return goal;
}

Result<CrowdGroup> read_group(const SceneJson& json, const std::string& where, size_t goals) {
    SINEW_TRY_VOID(check_names(json, where, {"from", "to", "share", "goals", "speed"}));
    CrowdGroup group;
    if (!json.contains("from") || !json.contains("to"))
        return wrong(where, "has no area to start in; give two corners, \"from\": [x, z] and \"to\": [x, z]");
    SINEW_TRY(const Vec2 a, ground_place(json["from"], where + "/from"));
    SINEW_TRY(const Vec2 b, ground_place(json["to"], where + "/to"));
    group.from = a.cwiseMin(b), group.to = a.cwiseMax(b);
    SINEW_TRY(group.share, number_of(json, where, "share", 1.0f, 0.001f, 1e6f));
    if (json.contains("goals")) {
        if (!json["goals"].is_array())
            return wrong(where + "/goals", "is not a list; give the numbers of goals: [0, 1]");
        for (size_t i = 0; i < json["goals"].size(); ++i) {
            const SceneJson& number = json["goals"][i];
            if (!number.is_number_integer() || number < 0 || number >= goals)
                return wrong(fmt::format("{}/goals/{}", where, i),
                             fmt::format("is not the number of a goal; there are {}, counted from 0", goals));
            group.goals.push_back(number.get<int32_t>());
        }
    }
    if (json.contains("speed")) {
        const SceneJson& speed = json["speed"];
        const bool fits = speed.is_array() && speed.size() == 2 && speed[0].is_number() && speed[1].is_number() &&
                          speed[0].get<double>() > 0.0 && speed[0] <= speed[1] && speed[1].get<double>() <= 10.0;
        if (!fits)
            return wrong(where + "/speed",
                         "is not a range; give the least and the most, times the motion's own speed: [0.8, 1.2]");
        group.slowest = speed[0].get<float>(), group.fastest = speed[1].get<float>();
    }
    return group;
}

template <class T, class Read>
Result<std::vector<T>> read_list(const SceneJson& scene, const char* name, const Read& read) {
    std::vector<T> items;
    if (!scene.contains(name)) return items;
    const std::string where = std::string("/") + name;
    if (!scene[name].is_array() || scene[name].size() > most_scene_items)
        return wrong(where, fmt::format("is not a list of at most {}; write […]", most_scene_items));
    for (size_t i = 0; i < scene[name].size(); ++i) {
        SINEW_TRY(T item, read(scene[name][i], fmt::format("{}/{}", where, i)));
        items.push_back(std::move(item));
    }
    return items;
}

}  // namespace

Result<CrowdScene> parse_crowd_scene(std::string_view text) {
    const SceneJson json = SceneJson::parse(text, nullptr, false, true);
    if (json.is_discarded())
        return fail(ErrorCode::invalid_data,
                    "is not JSON; write {\"goals\": […], \"obstacles\": […], \"groups\": […]}");
    SINEW_TRY_VOID(check_names(json, "", {"goals", "obstacles", "groups", "leaders", "predators"}));
    CrowdScene scene;
    const size_t goals = json.contains("goals") && json["goals"].is_array() ? json["goals"].size() : 0;
    SINEW_TRY(scene.goals, read_list<CrowdGoal>(json, "goals", [&](const SceneJson& item, const std::string& where) {
                  return read_goal(item, where, goals);
              }));
    SINEW_TRY(scene.obstacles, read_list<GroundObstacle>(json, "obstacles", read_obstacle));
    SINEW_TRY(scene.groups, read_list<CrowdGroup>(json, "groups", [&](const SceneJson& item, const std::string& where) {
                  return read_group(item, where, goals);
              }));
    SINEW_TRY(const float leaders, number_of(json, "", "leaders", 0.0f, 0.0f, 1000.0f));
    SINEW_TRY(const float predators, number_of(json, "", "predators", 0.0f, 0.0f, 1000.0f));
    scene.leaders = static_cast<int32_t>(leaders), scene.predators = static_cast<int32_t>(predators);
    return scene;
}

}  // namespace sinew
