#include <sinew/sample/remesh.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <sinew/core/check.h>

namespace sinew::shape {

namespace {

using Triangle = std::array<uint32_t, 3>;

// Triangles, and which of them touch each vertex. A dead triangle has equal corners.
class Remesher {
public:
    Remesher(const Field& field, HalfMesh mesh, const RemeshOptions& options) : field_(field), options_(options) {
        position_ = std::move(mesh.positions);
        on_plane_ = std::move(mesh.on_plane);
        around_.resize(position_.size());
        for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
            add({mesh.triangles[t], mesh.triangles[t + 1], mesh.triangles[t + 2]});
        }
        normal_.resize(position_.size());
        for (size_t v = 0; v < position_.size(); ++v) normal_[v] = field_.gradient(position_[v]).normalized();
        choose_lengths();
    }

    void run() {
        for (int round = 0; round < options_.rounds; ++round) {
            collapse_short();
            split_long();
            flip();
            relax();
        }
        for (size_t v = 0; v < position_.size(); ++v) {
            for (int step = 0; step < 3 && !around_[v].empty(); ++step) settle(v);
        }
    }

    HalfMesh take() const {
        HalfMesh out;
        std::vector<uint32_t> place(position_.size(), UINT32_MAX);
        for (const Triangle& t : triangles_) {
            if (t[0] == t[1]) continue;
            for (uint32_t v : t) {
                if (place[v] == UINT32_MAX) {
                    place[v] = static_cast<uint32_t>(out.positions.size());
                    out.positions.push_back(position_[v]);
                    out.on_plane.push_back(on_plane_[v]);
                }
                out.triangles.push_back(place[v]);
            }
        }
        return out;
    }

private:
    void add(const Triangle& t) {
        for (uint32_t v : t) around_[v].push_back(static_cast<uint32_t>(triangles_.size()));
        triangles_.push_back(t);
    }
    void detach(uint32_t v, uint32_t t) {
        auto& list = around_[v];
        auto found = std::find(list.begin(), list.end(), t);
        SINEW_CHECK(found != list.end());
        list.erase(found);
    }
    void kill(uint32_t t) {
        for (uint32_t v : triangles_[t]) detach(v, t);
        triangles_[t] = {0, 0, 0};
    }
    static bool has(const Triangle& t, uint32_t v) { return t[0] == v || t[1] == v || t[2] == v; }
    static uint32_t third(const Triangle& t, uint32_t a, uint32_t b) {
        for (uint32_t v : t) {
            if (v != a && v != b) return v;
        }
        return a;
    }
    // The triangles on an edge: two inside, one on the mirror plane.
    std::vector<uint32_t> on_edge(uint32_t a, uint32_t b) const {
        std::vector<uint32_t> found;
        for (uint32_t t : around_[a]) {
            if (has(triangles_[t], b)) found.push_back(t);
        }
        return found;
    }
    std::vector<uint32_t> neighbours(uint32_t v) const {
        std::vector<uint32_t> found;
        for (uint32_t t : around_[v]) {
            for (uint32_t w : triangles_[t]) {
                if (w != v && std::find(found.begin(), found.end(), w) == found.end()) found.push_back(w);
            }
        }
        return found;
    }
    double target(uint32_t a, uint32_t b) const { return std::min(length_[a], length_[b]); }

    // One step towards the surface; vertices on the mirror plane stay on it. The normal is that before the step.
    void settle(size_t v) {
        Vec3d& p = position_[v];
        Vec3d g = field_.gradient(p);
        p -= g * (std::clamp(field_.distance(p), -0.01, 0.01) / std::max(g.squaredNorm(), 0.1));
        if (on_plane_[v]) p.x() = g.x() = 0;
        normal_[v] = g.normalized();
    }

    // A chord of length L = √(8 ε r) on a curve of radius r is ε away from it, to first order.
    void choose_lengths() {
        std::vector<double> curvature(position_.size(), 1e-3);
        std::vector<std::pair<uint32_t, uint32_t>> edges;
        for (const Triangle& t : triangles_) {
            for (int e = 0; e < 3; ++e) edges.emplace_back(t[e], t[(e + 1) % 3]);
        }
        for (auto [v, w] : edges) {
            double gap = (position_[w] - position_[v]).norm();
            if (gap < 1e-4) continue;
            double bend = (normal_[w] - normal_[v]).norm() / gap;
            curvature[v] = std::max(curvature[v], bend);
            curvature[w] = std::max(curvature[w], bend);
        }
        length_.resize(position_.size());
        for (size_t v = 0; v < position_.size(); ++v) {
            // Edges longer than 3/4 of the radius would leave a tube with too few sides.
            double wanted = std::min(std::sqrt(8 * options_.tolerance / curvature[v]), 0.75 / curvature[v]);
            double scale = options_.scale ? options_.scale(position_[v]) : 1.0;
            length_[v] = scale * std::clamp(wanted, options_.shortest, options_.longest);
        }
        for (int sweep = 0; sweep < 12; ++sweep) {
            for (auto [v, w] : edges) {
                double grown = options_.grading * (position_[w] - position_[v]).norm();
                length_[v] = std::min(length_[v], length_[w] + grown);
                length_[w] = std::min(length_[w], length_[v] + grown);
            }
        }
    }

    // Splits each edge at most once per round; what is still too long waits for the next.
    void split_long() {
        for (size_t t = 0, count = triangles_.size(); t < count; ++t) {
            Triangle c = triangles_[t];
            if (c[0] == c[1]) continue;
            int longest = 0;
            double excess = 0;
            for (int e = 0; e < 3; ++e) {
                uint32_t a = c[e], b = c[(e + 1) % 3];
                double ratio = (position_[a] - position_[b]).norm() / target(a, b);
                if (ratio > excess) {
                    excess = ratio;
                    longest = e;
                }
            }
            if (excess > 4.0 / 3.0) split(c[longest], c[(longest + 1) % 3]);
        }
    }

    void split(uint32_t a, uint32_t b) {
        std::vector<uint32_t> both = on_edge(a, b);
        auto m = static_cast<uint32_t>(position_.size());
        position_.push_back(0.5 * (position_[a] + position_[b]));
        normal_.push_back((normal_[a] + normal_[b]).normalized());
        length_.push_back(0.5 * (length_[a] + length_[b]));
        on_plane_.push_back(both.size() == 1);
        around_.emplace_back();
        for (uint32_t t : both) {
            Triangle old = triangles_[t], first = old, second = old;
            std::replace(first.begin(), first.end(), a, m);
            std::replace(second.begin(), second.end(), b, m);
            kill(t);
            add(first);
            add(second);
        }
    }

    void collapse_short() {
        for (size_t t = 0; t < triangles_.size(); ++t) {
            for (int e = 0; e < 3; ++e) {
                const Triangle& c = triangles_[t];
                if (c[0] == c[1]) break;
                uint32_t a = c[e], b = c[(e + 1) % 3];
                if ((position_[a] - position_[b]).norm() < 0.8 * target(a, b) && collapse(a, b)) break;
            }
        }
    }

    // Moves a to b or to the middle between them, unless that would pinch or fold the surface or make too long an edge.
    bool collapse(uint32_t a, uint32_t b) {
        std::vector<uint32_t> both = on_edge(a, b);
        if (on_plane_[a] && on_plane_[b] && both.size() == 2) return false;
        if (on_plane_[a] && !on_plane_[b]) std::swap(a, b);
        Vec3d place = on_plane_[a] == on_plane_[b] ? Vec3d(0.5 * (position_[a] + position_[b])) : position_[b];
        auto na = neighbours(a), nb = neighbours(b);
        size_t shared = 0;
        for (uint32_t v : na) shared += std::find(nb.begin(), nb.end(), v) != nb.end();
        if (shared != both.size()) return false;
        for (uint32_t v : na) {
            if (v != b && (position_[v] - place).norm() > 4.0 / 3.0 * target(v, b)) return false;
        }
        if (folds(a, b, place) || folds(b, a, place)) return false;
        for (uint32_t t : both) {
            if (around_[third(triangles_[t], a, b)].size() <= 3) return false;
        }
        for (uint32_t t : both) kill(t);
        for (uint32_t t : std::vector<uint32_t>(around_[a])) {
            detach(a, t);
            around_[b].push_back(t);
            std::replace(triangles_[t].begin(), triangles_[t].end(), a, b);
        }
        position_[b] = place;
        length_[b] = 0.5 * (length_[a] + length_[b]);
        settle(b);
        return true;
    }

    // Compares with the surface's own normals: compared with the triangle's old one, small turns would add up unseen.
    bool folds(uint32_t v, uint32_t except, const Vec3d& place) const {
        for (uint32_t t : around_[v]) {
            const Triangle& c = triangles_[t];
            if (has(c, except)) continue;
            std::array<Vec3d, 3> after;
            for (int i = 0; i < 3; ++i) after[i] = c[i] == v ? place : position_[c[i]];
            Vec3d m = (after[1] - after[0]).cross(after[2] - after[0]);
            for (uint32_t w : c) {
                if (m.dot(normal_[w]) <= 0.3 * m.norm()) return true;
            }
        }
        return false;
    }

    // Flips edges towards six neighbours per vertex, four on the mirror plane.
    void flip() {
        for (size_t t = 0; t < triangles_.size(); ++t) {
            for (int e = 0; e < 3; ++e) {
                Triangle c = triangles_[t];
                if (c[0] == c[1]) break;
                flip_edge(static_cast<uint32_t>(t), c[e], c[(e + 1) % 3], c[(e + 2) % 3]);
            }
        }
    }

    void flip_edge(uint32_t t, uint32_t a, uint32_t b, uint32_t c) {
        std::vector<uint32_t> both = on_edge(a, b);
        if (both.size() != 2) return;
        uint32_t other = both[0] == t ? both[1] : both[0];
        uint32_t d = third(triangles_[other], a, b);
        if (c == d || !on_edge(c, d).empty()) return;
        auto off = [&](uint32_t v, int change) {
            int wanted = on_plane_[v] ? 3 : 6;
            int has = static_cast<int>(around_[v].size()) + change - wanted;
            return has * has;
        };
        int before = off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0);
        int after = off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1);
        if (after >= before) return;
        Vec3d n1 = (position_[d] - position_[c]).cross(position_[b] - position_[c]);
        Vec3d n2 = (position_[a] - position_[c]).cross(position_[d] - position_[c]);
        Vec3d mean = normal_[a] + normal_[b] + normal_[c] + normal_[d];
        double least = 0.5 * mean.norm();
        if (n1.dot(mean) < least * n1.norm() || n2.dot(mean) < least * n2.norm()) return;
        kill(t);
        kill(other);
        add({c, d, b});
        add({c, a, d});
    }

    // Moves each vertex, within its tangent plane, towards the mean of its neighbours, weighted by area over wanted
    // area.
    void relax() {
        std::vector<Vec3d> goal = position_;
        for (uint32_t v = 0; v < position_.size(); ++v) {
            if (around_[v].empty()) continue;
            Vec3d sum = Vec3d::Zero();
            double weight = 0;
            for (uint32_t t : around_[v]) {
                const Triangle& c = triangles_[t];
                Vec3d center = (position_[c[0]] + position_[c[1]] + position_[c[2]]) / 3;
                double area = 0.5 * (position_[c[1]] - position_[c[0]]).cross(position_[c[2]] - position_[c[0]]).norm();
                double wanted = (length_[c[0]] + length_[c[1]] + length_[c[2]]) / 3;
                double w = area / (wanted * wanted);
                sum += w * center;
                weight += w;
            }
            if (weight <= 0) continue;
            Vec3d move = sum / weight - position_[v];
            if (on_plane_[v]) move.x() = 0;
            goal[v] = position_[v] + 0.7 * (move - normal_[v] * normal_[v].dot(move));
        }
        position_ = std::move(goal);
        for (uint32_t v = 0; v < position_.size(); ++v) {
            if (!around_[v].empty()) settle(v);
        }
    }

    LocalField field_;
    RemeshOptions options_;
    std::vector<Vec3d> position_, normal_;
    std::vector<double> length_;
    std::vector<bool> on_plane_;
    std::vector<Triangle> triangles_;
    std::vector<std::vector<uint32_t>> around_;
};

}  // namespace

HalfMesh remesh(const Field& field, HalfMesh mesh, const RemeshOptions& options) {
    Remesher remesher(field, std::move(mesh), options);
    remesher.run();
    return remesher.take();
}

Mesh mirror_halves(const Field& field, const HalfMesh& half) {
    Mesh mesh;
    LocalField local(field);
    std::vector<uint32_t> twin(half.positions.size());
    for (size_t v = 0; v < half.positions.size(); ++v) {
        Vec3d normal = local.gradient(half.positions[v]);
        if (half.on_plane[v]) normal.x() = 0;
        mesh.positions.push_back(half.positions[v].cast<float>());
        mesh.normals.push_back(normal.normalized().cast<float>());
        twin[v] = static_cast<uint32_t>(v);
    }
    for (size_t v = 0; v < half.positions.size(); ++v) {
        if (half.on_plane[v]) continue;
        twin[v] = static_cast<uint32_t>(mesh.positions.size());
        Vec3 p = mesh.positions[v], n = mesh.normals[v];
        mesh.positions.emplace_back(-p.x(), p.y(), p.z());
        mesh.normals.emplace_back(-n.x(), n.y(), n.z());
    }
    mesh.triangles = half.triangles;
    for (size_t t = 0; t < half.triangles.size(); t += 3) {
        mesh.triangles.insert(mesh.triangles.end(),
                              {twin[half.triangles[t]], twin[half.triangles[t + 2]], twin[half.triangles[t + 1]]});
    }
    return mesh;
}

}  // namespace sinew::shape
