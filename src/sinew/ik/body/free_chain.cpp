#include <sinew/ik/body/free_chain.h>

#include <sinew/math/rotation.h>
#include <algorithm>
#include <numeric>

namespace sinew {

bool is_free_chain(const IkBody& body) {
    return body.goals.size() == 1 && body.goals[0].has_position && body.goals[0].meets < 0 && !body.limited;
}

void chain_points(const IkBody& body, std::vector<Vec3d>& points, std::vector<double>& lengths) {
    points.clear(), lengths.clear();
    const int32_t tip = body.goals[0].joint;
    for (size_t j = body.first; j < at(tip); ++j)
        if (body.joints[j].turns) points.push_back(body.position[j]);
    points.push_back(body.position[at(tip)]);
    for (size_t i = 0; i + 1 < points.size(); ++i) lengths.push_back((points[i + 1] - points[i]).norm());
}

void turn_to_points(IkBody& body, std::span<const Vec3d> points) {
    const size_t tip = at(body.goals[0].joint);
    Quatd turned = Quatd::Identity();  // by all joints above
    size_t i = 0;
    for (size_t j = body.first; j < tip; ++j) {
        if (!body.joints[j].turns) continue;
        size_t next = j + 1;  // a body with one goal is a row of joints
        while (next != tip && !body.joints[next].turns) ++next;
        // Places and frames are still the old ones: all above has turned them.
        const Vec3d bone = turned * (body.position[next] - body.position[j]);
        const Quatd turn = shortest_rotation(bone, points[i + 1] - points[i]),
                    parent = turned * parent_rotation(body, j);
        body.local[j] = (parent.conjugate() * turn * parent * body.local[j]).normalized();
        turned = turn * turned;
        ++i;
    }
    place_joints(body);
}

bool answer_out_of_reach(IkBody& body, const IkOptions& options, std::vector<Vec3d>& points,
                         std::vector<double>& lengths) {
    if (!is_free_chain(body)) return false;
    chain_points(body, points, lengths);
    if (lengths.empty()) return false;
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    const auto longest = std::ranges::max_element(lengths);
    Vec3d way = body.goals[0].target - points[0];
    double distance = way.norm();
    const double room = 0.5 * options.tolerance * body.goals[0].length;
    const bool too_far = distance >= sum - room, too_near = distance <= 2.0 * *longest - sum + room;
    if (!too_far && !too_near) return false;
    if (!(distance > 0.0)) {  // a goal at the root is approached along the longest bone
        const auto bone = static_cast<size_t>(longest - lengths.begin());
        way = points[bone + 1] - points[bone], distance = *longest;
        if (!(distance > 0.0)) return false;
    }
    for (size_t i = 0; i < lengths.size(); ++i) {
        const bool forwards = too_far || lengths.begin() + static_cast<std::ptrdiff_t>(i) == longest;
        points[i + 1] = points[i] + (forwards ? lengths[i] : -lengths[i]) / distance * way;
    }
    turn_to_points(body, points);
    return true;
}

}  // namespace sinew
