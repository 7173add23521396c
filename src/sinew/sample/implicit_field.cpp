#include <sinew/sample/implicit_field.h>

#include <algorithm>
#include <cmath>

namespace sinew::shape {

namespace {

double round_cone(const RoundCone& s, const Vec3d& p) {
    Vec3d axis = s.b - s.a;
    double length2 = axis.squaredNorm();
    double drop = s.radius_a - s.radius_b;
    if (length2 <= drop * drop) {
        return std::min((p - s.a).norm() - s.radius_a, (p - s.b).norm() - s.radius_b);
    }
    double length = std::sqrt(length2);
    Vec3d d = p - s.a;
    double along = d.dot(axis) / length;
    double across = (d - axis * (along / length)).norm();
    // The cone's side leans by this sine. Where a point's perpendicular meets the side decides between side and balls.
    double sine = drop / length, cosine = std::sqrt(1 - sine * sine);
    double foot = along - across * sine / cosine;
    if (foot <= 0) return d.norm() - s.radius_a;
    if (foot >= length) return (p - s.b).norm() - s.radius_b;
    return across * cosine + along * sine - s.radius_a;
}

// (k − 1) / |∇k| for the gauge k(p) = |p / radii|: first-order distance, exact on the axes.
double ellipsoid(const Ellipsoid& s, const Vec3d& p) {
    Vec3d q = (s.axes.transpose() * (p - s.center)).cwiseQuotient(s.radii);
    double k = q.norm();
    if (k < 1e-6) return -s.radii.minCoeff();
    return k * (k - 1) / q.cwiseQuotient(s.radii).norm();
}

double ring(const Ring& s, const Vec3d& p) {
    Vec3d q = s.axes.transpose() * (p - s.center);
    double u = q.x() / s.radius_u, v = q.y() / s.radius_v;
    double k = std::hypot(u, v);
    double in_plane =
        k < 1e-6 ? -std::min(s.radius_u, s.radius_v) : k * (k - 1) / std::hypot(u / s.radius_u, v / s.radius_v);
    return std::hypot(in_plane, q.z()) - s.thickness;
}

// Cubic through four values with Catmull–Rom slopes for uneven spacing.
double through(double p0, double p1, double p2, double p3, double t0, double t1, double t2, double t3, double t) {
    double h = t2 - t1, u = (t - t1) / h;
    double m1 = (p2 - p0) / (t2 - t0) * h, m2 = (p3 - p1) / (t3 - t1) * h;
    double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p1 + (u3 - 2 * u2 + u) * m1 + (3 * u2 - 2 * u3) * p2 + (u3 - u2) * m2;
}

Station station_at(const std::vector<Station>& stations, double t) {
    size_t n = stations.size();
    if (t <= stations.front().t || n == 1) return stations.front();
    if (t >= stations.back().t) return stations.back();
    size_t i = 0;
    while (stations[i + 1].t < t) ++i;
    const Station& b = stations[i];
    const Station& c = stations[i + 1];
    Station a = i > 0 ? stations[i - 1] : b;
    Station d = i + 2 < n ? stations[i + 2] : c;
    if (i == 0) a.t = b.t - (c.t - b.t);
    if (i + 2 >= n) d.t = c.t + (c.t - b.t);
    auto mix = [&](double Station::*m) { return through(a.*m, b.*m, c.*m, d.*m, a.t, b.t, c.t, d.t, t); };
    return {t,
            mix(&Station::center_u),
            mix(&Station::center_v),
            mix(&Station::right),
            mix(&Station::left),
            mix(&Station::front),
            mix(&Station::back)};
}

double loft(const Loft& s, const Vec3d& p) {
    Vec3d q = s.axes.transpose() * (p - s.origin);
    Station c = station_at(s.stations, q.z());
    double u = q.x() - c.center_u, v = q.y() - c.center_v;
    double w = 0, cap = 1;
    if (q.z() < s.stations.front().t) {
        w = s.stations.front().t - q.z();
        cap = s.cap_low;
    } else if (q.z() > s.stations.back().t) {
        w = q.z() - s.stations.back().t;
        cap = s.cap_high;
    }
    double ru = u > 0 ? c.right : c.left, rv = v > 0 ? c.front : c.back;
    double x = std::abs(u) / ru, y = std::abs(v) / rv, z = w / cap;
    if (s.power == 2.0) {
        double k = std::sqrt(x * x + y * y + z * z);
        if (k < 1e-6) return -std::min(ru, rv);
        double gx = x / ru, gy = y / rv, gz = z / cap;
        return k * (k - 1) / std::sqrt(gx * gx + gy * gy + gz * gz);
    }
    double n = s.power;
    double xs = std::pow(x, n - 1), ys = std::pow(y, n - 1), zs = z > 0 ? std::pow(z, n - 1) : 0.0;
    double sum = xs * x + ys * y + zs * z;
    if (sum < 1e-9) return -std::min(ru, rv);
    double k = std::pow(sum, 1 / n);
    double gradient = k / sum * std::sqrt(xs * xs / (ru * ru) + ys * ys / (rv * rv) + zs * zs / (cap * cap));
    return (k - 1) / gradient;
}

Box box_of(const Shape& shape) {
    Box box;
    auto ball = [&](const Vec3d& center, double radius) {
        box.add((center - Vec3d::Constant(radius)).cast<float>());
        box.add((center + Vec3d::Constant(radius)).cast<float>());
    };
    if (auto* cone = std::get_if<RoundCone>(&shape)) {
        ball(cone->a, cone->radius_a);
        ball(cone->b, cone->radius_b);
    } else if (auto* egg = std::get_if<Ellipsoid>(&shape)) {
        ball(egg->center, egg->radii.maxCoeff());
    } else if (auto* ring_shape = std::get_if<Ring>(&shape)) {
        ball(ring_shape->center, std::max(ring_shape->radius_u, ring_shape->radius_v) + ring_shape->thickness);
    } else if (auto* tube = std::get_if<Loft>(&shape)) {
        for (const Station& c : tube->stations) {
            ball(tube->origin + tube->axes * Vec3d(c.center_u, c.center_v, c.t),
                 1.1 * std::max({c.right, c.left, c.front, c.back}));
        }
        const Station &first = tube->stations.front(), &last = tube->stations.back();
        ball(tube->origin + tube->axes * Vec3d(first.center_u, first.center_v, first.t - tube->cap_low), 0.0);
        ball(tube->origin + tube->axes * Vec3d(last.center_u, last.center_v, last.t + tube->cap_high), 0.0);
    }
    return box;
}

}  // namespace

double smooth_min(double a, double b, double k) {
    double low = std::min(a, b);
    if (k <= 0) return low;
    double h = std::max(k - std::abs(a - b), 0.0) / k;
    return low - h * h * k * 0.25;
}

double distance(const Shape& shape, const Vec3d& p) {
    if (auto* s = std::get_if<RoundCone>(&shape)) return round_cone(*s, p);
    if (auto* s = std::get_if<Ellipsoid>(&shape)) return ellipsoid(*s, p);
    if (auto* s = std::get_if<Ring>(&shape)) return ring(*s, p);
    if (auto* s = std::get_if<HalfSpace>(&shape)) return s->normal.dot(p) - s->offset;
    return loft(std::get<Loft>(shape), p);
}

Field::Field(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (const Part& part : parts_) {
        Box all;
        double blend = 0;
        std::vector<Ball> steps;
        for (const Step& step : part.steps) {
            Box box = box_of(step.shape);
            if (step.op == Op::unite) all.add(box);
            steps.push_back({box.center().cast<double>(), 0.5 * box.diagonal()});
            blend = std::max(blend, step.blend);
        }
        all_.push_back(static_cast<int>(all_.size()));
        balls_.push_back({all.center().cast<double>(), 0.5 * all.diagonal() + 0.25 * blend});
        step_balls_.push_back(std::move(steps));
        max_blend_ = std::max(max_blend_, part.blend);
    }
}

double Field::part_distance(size_t part, const Vec3d& p) const {
    double d = 1e9;
    const auto& steps = parts_[part].steps;
    for (size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        if (step.op == Op::unite) {
            if (step_balls_[part][i].outside(p) > d + step.blend) continue;
            d = smooth_min(d, shape::distance(step.shape, p), step.blend);
        } else {
            double s = shape::distance(step.shape, p);
            d = -smooth_min(-d, step.op == Op::subtract ? s : -s, step.blend);
        }
    }
    return d;
}

double Field::distance(const Vec3d& p, std::span<const int> parts) const {
    double d = 1e9;
    for (int i : parts) {
        if (balls_[i].outside(p) > d + parts_[i].blend) continue;
        d = smooth_min(d, part_distance(i, p), parts_[i].blend);
    }
    return d;
}

Vec3d Field::gradient(const Vec3d& p, std::span<const int> parts) const {
    constexpr double h = 4e-4;
    Vec3d sum = Vec3d::Zero();
    for (Vec3d corner : {Vec3d(1, -1, -1), Vec3d(-1, -1, 1), Vec3d(-1, 1, -1), Vec3d(1, 1, 1)}) {
        sum += corner * distance(p + h * corner, parts);
    }
    return sum / (4 * h);
}

std::vector<int> Field::near(const Vec3d& center, double radius, std::span<const int> parts) const {
    std::vector<double> low(parts.size());
    double best = 1e9;
    for (size_t n = 0; n < parts.size(); ++n) {
        low[n] = balls_[parts[n]].outside(center);
        if (low[n] > best + 3 * radius + max_blend_) continue;
        low[n] = part_distance(parts[n], center);
        best = std::min(best, low[n]);
    }
    std::vector<int> found;
    for (size_t n = 0; n < parts.size(); ++n) {
        // 3, not 2: the fields of some parts are up to 1.5 times as steep as a true distance.
        if (low[n] <= best + 3 * radius + max_blend_) found.push_back(parts[n]);
    }
    return found;
}

int Field::owner(const Vec3d& p, std::span<const int> parts) const {
    int best = 0;
    double least = 1e9;
    for (int i : parts) {
        if (balls_[i].outside(p) > least) continue;
        double d = part_distance(i, p);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

std::span<const int> LocalField::parts_at(const Vec3d& p) {
    constexpr double cell = 0.02;
    Eigen::Array3i c = (p.array() / cell).floor().cast<int>();
    uint64_t key = 0;
    for (int a = 0; a < 3; ++a) key = key << 21 | (static_cast<uint64_t>(c[a] + (1 << 20)) & 0x1fffff);
    auto [found, fresh] = cells_.try_emplace(key);
    if (fresh) {
        Vec3d center = (c.cast<double>() + 0.5).matrix() * cell;
        found->second = field_.near(center, 0.87 * cell + 0.001, field_.all());
    }
    return found->second;
}

Mat3d frame_along(const Vec3d& axis, const Vec3d& side) {
    Mat3d frame;
    frame.col(2) = axis.normalized();
    frame.col(0) = (side - frame.col(2) * side.dot(frame.col(2))).normalized();
    frame.col(1) = frame.col(2).cross(frame.col(0));
    return frame;
}

Part scaled(const Part& part, const Vec3d& center, double factor) {
    auto move = [&](const Vec3d& p) { return Vec3d(center + factor * (p - center)); };
    Part out = part;
    out.blend *= factor;
    for (Step& step : out.steps) {
        step.blend *= factor;
        if (auto* cone = std::get_if<RoundCone>(&step.shape)) {
            *cone = {move(cone->a), move(cone->b), factor * cone->radius_a, factor * cone->radius_b};
        } else if (auto* ball = std::get_if<Ellipsoid>(&step.shape)) {
            *ball = {move(ball->center), factor * ball->radii, ball->axes};
        } else if (auto* ring_shape = std::get_if<Ring>(&step.shape)) {
            *ring_shape = {move(ring_shape->center), factor * ring_shape->radius_u, factor * ring_shape->radius_v,
                           factor * ring_shape->thickness, ring_shape->axes};
        } else if (auto* half = std::get_if<HalfSpace>(&step.shape)) {
            half->offset = half->normal.dot(center) + factor * (half->offset - half->normal.dot(center));
        } else if (auto* tube = std::get_if<Loft>(&step.shape)) {
            tube->origin = move(tube->origin);
            for (Station& c : tube->stations) {
                c = {factor * c.t,    factor * c.center_u, factor * c.center_v, factor * c.right,
                     factor * c.left, factor * c.front,    factor * c.back};
            }
            tube->cap_low *= factor;
            tube->cap_high *= factor;
        }
    }
    return out;
}

Part mirrored(const Part& part) {
    const Vec3d flip(-1, 1, 1);
    Part out = part;
    for (Step& step : out.steps) {
        if (auto* cone = std::get_if<RoundCone>(&step.shape)) {
            cone->a = cone->a.cwiseProduct(flip);
            cone->b = cone->b.cwiseProduct(flip);
        } else if (auto* ball = std::get_if<Ellipsoid>(&step.shape)) {
            ball->center = ball->center.cwiseProduct(flip);
            ball->axes = flip.asDiagonal() * ball->axes;
        } else if (auto* ring_shape = std::get_if<Ring>(&step.shape)) {
            ring_shape->center = ring_shape->center.cwiseProduct(flip);
            ring_shape->axes = flip.asDiagonal() * ring_shape->axes;
        } else if (auto* half = std::get_if<HalfSpace>(&step.shape)) {
            half->normal = half->normal.cwiseProduct(flip);
        } else if (auto* tube = std::get_if<Loft>(&step.shape)) {
            tube->origin = tube->origin.cwiseProduct(flip);
            tube->axes = flip.asDiagonal() * tube->axes;
        }
    }
    return out;
}

}  // namespace sinew::shape
