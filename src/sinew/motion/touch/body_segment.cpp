#include <sinew/motion/touch/body_segment.h>

#include <sinew/math/interpolate.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double half_turn = 3.14159265358979323846;
constexpr double tiny = 1e-12;

// The axis at one place: a point of it, its direction, and the body's front and side across it.
struct AxisFrame {
    Vec3d point, tangent, front, side;
};

AxisFrame frame_at(const PosedPart& posed, size_t segment, double u) {
    AxisFrame frame;
    const Vec3d &a = posed.node[segment], &b = posed.node[segment + 1];
    frame.point = a + u * (b - a);
    frame.tangent =
        posed.inverse[segment] > 0 ? Vec3d(posed.way[segment] * std::sqrt(posed.inverse[segment])) : Vec3d::UnitY();
    const Vec3d &front = posed.part->front, fa = posed.turn[segment] * front, fb = posed.turn[segment + 1] * front;
    frame.front = (1 - u) * fa + u * fb;
    frame.front -= frame.tangent * frame.tangent.dot(frame.front);
    frame.front = frame.front.norm() > tiny ? Vec3d(frame.front.normalized()) : Vec3d(frame.tangent.unitOrthogonal());
    frame.side = frame.tangent.cross(frame.front);
    return frame;
}

// The nearest place of the axis: a segment, the share of the way along it, and how far away it is.
struct AxisPlace {
    size_t segment = 0;
    double u = 0, squared_distance = INFINITY;
};

AxisPlace nearest_on_axis(const PosedPart& posed, const Vec3d& point) {
    AxisPlace best;
    for (size_t i = 0; i + 1 < posed.part->nodes.size(); ++i) {
        const Vec3d from = point - posed.node[i];
        const double u = std::clamp(from.dot(posed.way[i]) * posed.inverse[i], 0.0, 1.0);
        const double squared = (from - u * posed.way[i]).squaredNorm();
        if (squared < best.squared_distance) best = {i, u, squared};
    }
    return best;
}

// A row of the radii, with a fraction.
double row_of(double along) {
    constexpr auto ends = static_cast<double>(BodySegment::end_rows),
                   middle = static_cast<double>(BodySegment::middle_rows);
    const double row = along < 0   ? (1 + along) * ends
                       : along > 1 ? ends + middle + (along - 1) * ends
                                   : ends + along * middle;
    return std::clamp(row - 0.5, 0.0, static_cast<double>(BodySegment::rows - 1));
}

size_t wrapped(ptrdiff_t column) {
    constexpr auto n = static_cast<ptrdiff_t>(BodySegment::columns);
    return static_cast<size_t>(((column % n) + n) % n);
}

struct Located {
    PartPlace place;
    AxisFrame frame;
    Vec3d out;  // from the axis to the point; unit
};

Located locate(const PosedPart& posed, const Vec3d& point, const AxisPlace& nearest) {
    Located found;
    const size_t segment = nearest.segment;
    const double u = nearest.u;
    found.frame = frame_at(posed, segment, u);
    const BodySegment& part = *posed.part;
    const Vec3d from = point - found.frame.point;
    found.place.distance = from.norm();
    found.out = found.place.distance > tiny ? Vec3d(from / found.place.distance) : found.frame.front;
    found.place.around = std::atan2(from.dot(found.frame.side), from.dot(found.frame.front));
    const double latitude = std::asin(std::clamp(found.out.dot(found.frame.tangent), -1.0, 1.0)) / (0.5 * half_turn);
    if (segment == 0 && u <= 0)
        found.place.along = std::min(0.0, latitude);
    else if (segment + 2 == part.nodes.size() && u >= 1)
        found.place.along = 1 + std::max(0.0, latitude);
    else
        found.place.along = part.share[segment] + u * (part.share[segment + 1] - part.share[segment]);
    return found;
}

SkinHeight height_at(const PosedPart& posed, const Located& found) {
    const BodySegment& part = *posed.part;
    const auto& [along, around, distance] = found.place;
    const double radius = part.radius_at(along, around);
    // The slope of the skin against the sphere or cylinder through the point, over a bin to either side.
    constexpr double step_around = 2 * half_turn / BodySegment::columns;
    constexpr double step_along = 1.0 / BodySegment::middle_rows;
    const double d_around =
        (part.radius_at(along, around + step_around) - part.radius_at(along, around - step_around)) / (2 * step_around);
    const bool end = along < 0 || along > 1;
    const double unit_length = end ? 0.5 * half_turn * std::max(radius, tiny) : part.length;
    const double d_along =
        (part.radius_at(along + step_along, around) - part.radius_at(along - step_along, around)) / (2 * step_along);
    const double slope_along = d_along / std::max(tiny, unit_length), slope_around = d_around / std::max(tiny, radius);
    const Vec3d up_axis = found.frame.tangent - found.out * found.out.dot(found.frame.tangent);
    const Vec3d round_axis = found.frame.tangent.cross(found.out);
    SkinHeight result;
    const Vec3d gradient = found.out - slope_around * round_axis - slope_along * up_axis;
    const double steep = gradient.norm();
    result.out = gradient / steep;
    result.height = (distance - radius) / steep;
    return result;
}

}  // namespace

PosedShape body_pose(const Body& body, const WorldPose& pose) {
    PosedShape result;
    for (size_t r = 0; r < body_role_count; ++r) {
        const int32_t joint = body.map.joint[r];
        const auto j = static_cast<size_t>(joint);
        result.position[r] = joint < 0 ? Vec3d(Vec3d::Zero()) : pose.position[j];
        result.turn[r] = joint < 0 ? Quatd::Identity() : pose.rotation[j] * body.reference.rotation[j].conjugate();
    }
    return result;
}

double BodySegment::radius_at(double along, double around) const {
    const double row = row_of(along), column = (around / (2 * half_turn) + 0.5) * columns - 0.5;
    const auto r = static_cast<size_t>(row);
    const auto c = static_cast<ptrdiff_t>(std::floor(column));
    const double v = row - static_cast<double>(r), u = column - static_cast<double>(c);
    const size_t next = std::min(r + 1, rows - 1), c0 = wrapped(c), c1 = wrapped(c + 1);
    const auto mix = [&](size_t at) { return (1 - u) * radius[at * columns + c0] + u * radius[at * columns + c1]; };
    return (1 - v) * mix(r) + v * mix(next);
}

void set_axis(BodySegment& part, const Body& body, std::vector<PartNode> nodes) {
    part.nodes = std::move(nodes);
    part.share.assign(part.nodes.size(), 0.0);
    const PosedShape pose = body_pose(body, body.reference);
    for (size_t i = 1; i < part.nodes.size(); ++i) {
        const auto place = [&](size_t k) { return Vec3d(pose.at(part.nodes[k].joint) + part.nodes[k].offset); };
        part.share[i] = part.share[i - 1] + (place(i) - place(i - 1)).norm();
    }
    part.length = part.share.empty() ? 0 : part.share.back();
    if (!(part.length > 0)) part.nodes.clear();
    for (double& share : part.share) share /= std::max(tiny, part.length);
    part.front = body.frame.col(2);
}

PosedPart pose_part(const BodySegment& part, const PosedShape& pose) {
    PosedPart posed;
    posed.part = &part;
    for (size_t i = 0; i < part.nodes.size(); ++i) {
        posed.turn[i] = pose.turn_of(part.nodes[i].joint);
        posed.node[i] = pose.at(part.nodes[i].joint) + posed.turn[i] * part.nodes[i].offset;
    }
    // A limb's last node is the next joint, which may turn about the limb: the skin between follows the first.
    if (part.nodes.size() == 2) posed.turn[1] = posed.turn[0];
    for (size_t i = 0; i + 1 < part.nodes.size(); ++i) {
        posed.way[i] = posed.node[i + 1] - posed.node[i];
        const double squared = posed.way[i].squaredNorm();
        posed.inverse[i] = squared > tiny * tiny ? 1.0 / squared : 0.0;
    }
    return posed;
}

PartPlace place_on(const PosedPart& posed, const Vec3d& point) {
    return locate(posed, point, nearest_on_axis(posed, point)).place;
}

Vec3d point_at(const PosedPart& posed, const PartPlace& place) {
    const BodySegment& part = *posed.part;
    const double middle = std::clamp(place.along, 0.0, 1.0);
    size_t segment = 0;
    while (segment + 2 < part.nodes.size() && part.share[segment + 1] < middle) ++segment;
    const double span = part.share[segment + 1] - part.share[segment];
    const AxisFrame frame =
        frame_at(posed, segment, span > 0 ? std::clamp((middle - part.share[segment]) / span, 0.0, 1.0) : 0.0);
    const double latitude = 0.5 * half_turn * (place.along - middle);
    const Vec3d across = std::cos(place.around) * frame.front + std::sin(place.around) * frame.side;
    return frame.point + place.distance * (std::cos(latitude) * across + std::sin(latitude) * frame.tangent);
}

SkinHeight height_over(const PosedPart& posed, const Vec3d& point) {
    return height_at(posed, locate(posed, point, nearest_on_axis(posed, point)));
}

std::optional<SkinHeight> height_within(const PosedPart& posed, const Vec3d& point, double most) {
    const AxisPlace nearest = nearest_on_axis(posed, point);
    const double reach = posed.part->widest_beside[nearest.segment] + most;
    if (reach < 0 || nearest.squared_distance > reach * reach) return std::nullopt;
    return height_at(posed, locate(posed, point, nearest));
}

double height_bound(const PosedPart& posed, const Vec3d& point) {
    return std::sqrt(nearest_on_axis(posed, point).squared_distance) - posed.part->widest;
}

void set_widest(BodySegment& part) {
    part.widest = *std::ranges::max_element(part.radius);
    for (size_t i = 0; i + 1 < part.nodes.size(); ++i) {
        const size_t first = i == 0 ? 0 : static_cast<size_t>(row_of(part.share[i]));
        const size_t last = i + 2 == part.nodes.size() ? BodySegment::rows - 1
                                                       : static_cast<size_t>(std::ceil(row_of(part.share[i + 1])));
        part.widest_beside[i] = *std::max_element(part.radius.data() + first * BodySegment::columns,
                                                  part.radius.data() + (last + 1) * BodySegment::columns);
    }
}

void measure_radii(BodySegment& part, const PosedShape& reference, std::span<const Vec3d> skin) {
    constexpr size_t fewest = 24;          // points that can say anything about a part's shape
    constexpr double outer = 0.8;          // of the farthest point in a bin: what lies deeper is another layer
    constexpr double nearby = 1.0 / 40.0;  // weight of a bin one step away; falls off with the square of the steps
    constexpr auto half_around = static_cast<ptrdiff_t>(BodySegment::columns / 2);
    if (skin.size() < fewest) return;
    const PosedPart posed = pose_part(part, reference);
    constexpr size_t rows = BodySegment::rows, columns = BodySegment::columns;
    std::array<double, rows * columns> farthest{}, sum{}, count{};
    std::vector<std::pair<size_t, double>> found;
    found.reserve(skin.size());
    for (const Vec3d& point : skin) {
        const PartPlace place = place_on(posed, point);
        const auto row = static_cast<size_t>(std::lround(row_of(place.along)));
        const auto column = wrapped(std::lround((place.around / (2 * half_turn) + 0.5) * columns - 0.5));
        found.emplace_back(row * columns + column, place.distance);
        farthest[found.back().first] = std::max(farthest[found.back().first], place.distance);
    }
    for (const auto& [bin, distance] : found) {
        if (distance < outer * farthest[bin]) continue;
        sum[bin] += distance;
        count[bin] += 1;
    }
    std::array<double, rows * columns> mean{};  // 0 where nothing is known
    for (size_t bin = 0; bin < mean.size(); ++bin)
        if (count[bin] > 0) mean[bin] = sum[bin] / count[bin];
    const auto mean_around = [&](size_t row, size_t column, ptrdiff_t reach) {
        double weighted = 0, weight = 0;
        for (ptrdiff_t dr = -reach; dr <= reach; ++dr) {
            const ptrdiff_t r = static_cast<ptrdiff_t>(row) + dr;
            if (r < 0 || r >= static_cast<ptrdiff_t>(rows)) continue;
            const double* const ring = mean.data() + static_cast<size_t>(r) * columns;
            const ptrdiff_t first = -std::min(reach, half_around), end = std::min(reach + 1, half_around);
            size_t c = wrapped(static_cast<ptrdiff_t>(column) + first);
            for (ptrdiff_t dc = first; dc < end; ++dc, c = c + 1 == columns ? 0 : c + 1) {
                if (ring[c] <= 0) continue;
                const auto steps = static_cast<double>(dr * dr + dc * dc);
                const double w = dr == 0 && dc == 0 ? 1.0 : nearby / (steps * steps);
                weighted += w * ring[c];
                weight += w;
            }
        }
        return weight > 0 ? weighted / weight : 0.0;
    };
    for (size_t row = 0; row < rows; ++row) {
        for (size_t column = 0; column < columns; ++column) {
            double& radius = part.radius[row * columns + column];
            const double close = mean_around(row, column, 4);
            radius = close > 0 ? close : mean_around(row, column, static_cast<ptrdiff_t>(rows));
        }
    }
    set_widest(part);
}

}  // namespace sinew
