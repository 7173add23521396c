#include <sinew/render/raster/coverage.h>

#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace sinew {

namespace {

constexpr float near_depth = 1e-4f;  // scene units; nothing nearer to the eye is drawn
constexpr size_t most_samples = max_samples * max_samples;
constexpr size_t lanes = 4;  // samples are looked at in groups
using Lanes = Eigen::Array<float, lanes, 1>;
constexpr uint32_t nobody = 0xffffffffu;

// A function that is linear over the picture, measured from a tile's corner.
struct Slope {
    float at, x, y;
    float operator()(float px, float py) const { return at + x * px + y * py; }
};

// An edge of a triangle; inside it is not negative. The two triangles at an edge must agree on which side a sample
// lies, or samples between them would see neither. So it is computed from its ends in a fixed order, and then turned.
template <class Corner>
Slope edge_slope(const Corner& from, const Corner& to, double left, double top) {
    const bool turned = to.x < from.x || (to.x == from.x && to.y < from.y);
    const Corner &p = turned ? to : from, &q = turned ? from : to;
    const double a = double{p.y} - double{q.y}, b = double{q.x} - double{p.x};
    const double at = a * (left - double{p.x}) + b * (top - double{p.y});
    const float sign = turned ? -1.0f : 1.0f;
    return {sign * static_cast<float>(at), sign * static_cast<float>(a), sign * static_cast<float>(b)};
}

// A triangle as one tile sees it.
struct TileTriangle {
    std::array<Slope, 3> edge;
    Slope w;  // 1 / depth
    float least_w, most_w;
    int32_t x0, x1, y0, y1;  // the pixels of the tile that it may touch
};

// False where the triangle has no area.
template <class Corner>
bool set_up(std::array<Corner, 3> c, int32_t left, int32_t top, int32_t tile, TileTriangle& out) {
    const double area =
        (double{c[1].x} - c[0].x) * (double{c[2].y} - c[0].y) - (double{c[1].y} - c[0].y) * (double{c[2].x} - c[0].x);
    if (area == 0.0 || !std::isfinite(area)) return false;
    if (area < 0.0) std::swap(c[1], c[2]);
    double at = 0.0, x = 0.0, y = 0.0;
    for (size_t i = 0; i < 3; ++i) {
        const Slope& e = out.edge[i] = edge_slope(c[(i + 1) % 3], c[(i + 2) % 3], left, top);  // faces corner i
        at += double{e.at} * c[i].w;
        x += double{e.x} * c[i].w;
        y += double{e.y} * c[i].w;
    }
    const double scale = 1.0 / std::abs(area);
    out.w = {static_cast<float>(at * scale), static_cast<float>(x * scale), static_cast<float>(y * scale)};
    std::tie(out.least_w, out.most_w) = std::minmax({c[0].w, c[1].w, c[2].w});
    const auto inside = [&](float p, int32_t from) {
        return static_cast<int32_t>(std::clamp(p - static_cast<float>(from), 0.0f, static_cast<float>(tile - 1)));
    };
    out.x0 = inside(std::min({c[0].x, c[1].x, c[2].x}), left);
    out.x1 = inside(std::max({c[0].x, c[1].x, c[2].x}), left);
    out.y0 = inside(std::min({c[0].y, c[1].y, c[2].y}), top);
    out.y1 = inside(std::max({c[0].y, c[1].y, c[2].y}), top);
    return true;
}

}  // namespace

float GroundPlane::nearness(const Camera& camera, float x, float y) const {
    const float above = camera.eye.y() - height;
    if (!(above > 0.0f)) return 0.0f;
    return std::max(0.0f, -camera.toward(x, y).y() / above);
}

Coverage::Coverage(int32_t samples) {
    SINEW_CHECK(samples >= 1 && samples <= max_samples);
    // A sequence that fills the pixel evenly at every length [Roberts2018]. Its first point is the centre.
    for (int i = 0; i < sample_count(samples); ++i) {
        const double x = 0.5 + 0.7548776662466927 * i, y = 0.5 + 0.5698402909980532 * i;
        offsets_.emplace_back(static_cast<float>(x - std::floor(x)), static_cast<float>(y - std::floor(y)));
        offset_x_[static_cast<size_t>(i)] = offsets_.back().x();
        offset_y_[static_cast<size_t>(i)] = offsets_.back().y();
    }
}

Vec2 Coverage::centroid(uint64_t samples) const {
    Vec2 sum = Vec2::Zero();
    for (uint64_t rest = samples; rest != 0; rest &= rest - 1)
        sum += offsets_[static_cast<size_t>(std::countr_zero(rest))];
    return sum / static_cast<float>(std::popcount(samples));
}

std::span<const Fragment> Coverage::solid(int32_t x, int32_t y) const {
    const Tile& t = tiles_[tile_index(x / tile, y / tile)];
    if (!t.used) return {};
    const size_t i = pixel_index(x, y);
    return std::span(t.solid).subspan(t.solid_first[i], t.solid_first[i + 1] - t.solid_first[i]);
}

std::span<const Fragment> Coverage::clear(int32_t x, int32_t y) const {
    const Tile& t = tiles_[tile_index(x / tile, y / tile)];
    if (!t.used || t.clear.empty()) return {};
    const size_t i = pixel_index(x, y);
    return std::span(t.clear).subspan(t.clear_first[i], t.clear_first[i + 1] - t.clear_first[i]);
}

void Coverage::draw(std::span<const SceneSurface> surfaces, const Camera& camera, const GroundPlane& ground) {
    width_ = camera.width;
    height_ = camera.height;
    columns_ = (width_ + tile - 1) / tile;
    rows_ = (height_ + tile - 1) / tile;
    tiles_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
    project(surfaces, camera);
    sort_into_tiles();
    parallel_for(tiles_.size(), 1, [&](size_t i, size_t) {
        const auto column = static_cast<int32_t>(i % static_cast<size_t>(columns_));
        draw_tile(surfaces, camera, ground, column, static_cast<int32_t>(i / static_cast<size_t>(columns_)));
    });
}

void Coverage::project(std::span<const SceneSurface> surfaces, const Camera& camera) {
    triangles_.clear();
    for (uint32_t s = 0; s < surfaces.size(); ++s) {
        const SceneSurface& surface = surfaces[s];
        corners_.resize(surface.positions.size());
        parallel_for(corners_.size(), 4096, [&](size_t begin, size_t end) {
            for (size_t v = begin; v < end; ++v) {
                const Vec3 p = camera.project(surface.positions[v]);
                corners_[v] = {p.x(), p.y(), p.z() >= near_depth ? 1.0f / p.z() : -1.0f};
            }
        });
        for (uint32_t t = 0; t < surface.triangles.size() / 3; ++t) {
            const auto [i, j, k] = corners(surface, t);
            const Triangle triangle{{corners_[i], corners_[j], corners_[k]}, s, t};
            const auto hidden = [](const Corner& c) { return !(c.w > 0.0f); };
            const auto count = std::ranges::count_if(triangle.corner, hidden);
            if (count == 0) triangles_.push_back(triangle);
            if (count == 1 || count == 2)
                add_clipped({surface.positions[i], surface.positions[j], surface.positions[k]}, s, t, camera);
        }
    }
}

// A triangle that reaches behind the eye: the part in front of it, as one or two triangles.
void Coverage::add_clipped(const std::array<Vec3, 3>& in_view, uint32_t surface, uint32_t triangle,
                           const Camera& camera) {
    std::array<Corner, 4> kept;
    size_t count = 0;
    const auto depth = [&](const Vec3& p) { return (p - camera.eye).dot(camera.forward); };
    const auto keep = [&](const Vec3& p) {
        const Vec3 q = camera.project(p);
        kept[count++] = {q.x(), q.y(), 1.0f / std::max(q.z(), 0.5f * near_depth)};
    };
    for (size_t i = 0; i < 3; ++i) {
        const Vec3 &p = in_view[i], &q = in_view[(i + 1) % 3];
        const float dp = depth(p), dq = depth(q);
        if (dp >= near_depth) keep(p);
        if ((dp >= near_depth) != (dq >= near_depth)) keep(p + (near_depth - dp) / (dq - dp) * (q - p));
    }
    for (size_t i = 2; i < count; ++i) triangles_.push_back({{kept[0], kept[i - 1], kept[i]}, surface, triangle});
}

void Coverage::sort_into_tiles() {
    const auto for_each_tile = [&](const Triangle& t, auto&& visit) {
        const auto& c = t.corner;
        const auto [x0, x1] = std::minmax({c[0].x, c[1].x, c[2].x});
        const auto [y0, y1] = std::minmax({c[0].y, c[1].y, c[2].y});
        const auto width = static_cast<float>(width_), height = static_cast<float>(height_);
        if (!(x1 >= 0.0f && y1 >= 0.0f && x0 < width && y0 < height)) return;
        const auto cell = [](float at, int32_t most) {
            return static_cast<int32_t>(std::clamp(at, 0.0f, static_cast<float>(most - 1))) / tile;
        };
        const int32_t last_column = cell(x1, width_), last_row = cell(y1, height_);
        for (int32_t row = cell(y0, height_); row <= last_row; ++row)
            for (int32_t column = cell(x0, width_); column <= last_column; ++column) visit(tile_index(column, row));
    };
    first_in_tile_.assign(tiles_.size() + 1, 0);
    for (const Triangle& t : triangles_) for_each_tile(t, [&](size_t i) { ++first_in_tile_[i + 1]; });
    for (size_t i = 0; i < tiles_.size(); ++i) first_in_tile_[i + 1] += first_in_tile_[i];
    in_tiles_.resize(first_in_tile_.back());
    for (uint32_t n = 0; n < triangles_.size(); ++n)
        for_each_tile(triangles_[n], [&](size_t i) { in_tiles_[first_in_tile_[i]++] = n; });
    // Each start has moved to the next tile's.
    for (size_t i = tiles_.size(); i > 0; --i) first_in_tile_[i] = first_in_tile_[i - 1];
    first_in_tile_[0] = 0;
}

// One tile while it is drawn: for each sample who is nearest, and how near.
class Coverage::Drawer {
public:
    Drawer(const Coverage& coverage, std::span<const SceneSurface> surfaces, const Camera& camera, int32_t column,
           int32_t row)
        : all_(coverage),
          surfaces_(surfaces),
          camera_(camera),
          left_(column * tile),
          top_(row * tile),
          count_(coverage.offsets_.size()),
          stride_((count_ + lanes - 1) / lanes * lanes) {}

    void clear(const GroundPlane& ground);
    void draw_solid(uint32_t number);
    bool faces_eye(uint32_t number) const;
    void draw_clear(uint32_t number);
    void list_solid(Tile& out) const;
    void list_clear(Tile& out);

private:
    struct Clear {
        uint32_t pixel;
        float nearness;
        Fragment fragment;
    };

    // Calls visit(pixel, px, py, edges at the pixel's corner) for the pixels that the triangle may touch.
    template <class Visit>
    void for_each_pixel(const TileTriangle& t, Visit&& visit) const {
        for (int32_t y = t.y0; y <= t.y1; ++y) {
            for (int32_t x = t.x0; x <= t.x1; ++x) {
                if (t.most_w <= farthest_[pixel_index(x, y)]) continue;  // hidden
                const auto px = static_cast<float>(x), py = static_cast<float>(y);
                std::array<float, 3> at;
                bool outside = false;
                for (size_t i = 0; i < 3; ++i) {
                    at[i] = t.edge[i](px, py);
                    outside |= at[i] + std::max(t.edge[i].x, 0.0f) + std::max(t.edge[i].y, 0.0f) < 0.0f;
                }
                if (!outside) visit(pixel_index(x, y), px, py, at);
            }
        }
    }
    bool is_seen(const Triangle& triangle, float px, float py) const {
        const SceneSurface& surface = surfaces_[triangle.surface];
        const Vec3 toward = camera_.toward(static_cast<float>(left_) + px, static_cast<float>(top_) + py);
        return is_visible(surface, triangle.triangle,
                          barycentric_on_line(surface, triangle.triangle, camera_.eye, toward));
    }
    // Which samples of a pixel the triangle covers, nearer than all that is solid.
    uint64_t covered(const TileTriangle& t, size_t pixel, float px, float py, const std::array<float, 3>& at) const;

    const Coverage& all_;
    std::span<const SceneSurface> surfaces_;
    const Camera& camera_;
    int32_t left_, top_;
    size_t count_, stride_;
    std::array<float, tile_pixels * most_samples> nearness_;
    std::array<uint32_t, tile_pixels * most_samples> triangle_;  // into triangles_, or `nobody`
    std::array<float, tile_pixels> farthest_;  // of the samples of a pixel: less near than this is hidden
    std::vector<Clear> clear_;
};

void Coverage::Drawer::clear(const GroundPlane& ground) {
    for (int32_t y = 0; y < tile; ++y)
        for (int32_t x = 0; x < tile; ++x) {
            const float w =
                ground.nearness(camera_, static_cast<float>(left_ + x) + 0.5f, static_cast<float>(top_ + y) + 0.5f);
            const size_t first = pixel_index(x, y) * stride_;
            std::fill_n(&nearness_[first], count_, w / (1.0f + GroundPlane::slack * w));
            std::fill_n(&nearness_[first + count_], stride_ - count_, INFINITY);  // nothing is nearer
            std::fill_n(&triangle_[first], stride_, nobody);
        }
    farthest_.fill(-INFINITY);
}

bool Coverage::Drawer::faces_eye(uint32_t number) const {
    const auto& c = all_.triangles_[number].corner;
    return (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x) < 0.0f;
}

void Coverage::Drawer::draw_solid(uint32_t number) {
    const Triangle& triangle = all_.triangles_[number];
    TileTriangle t;
    if (!set_up(triangle.corner, left_, top_, tile, t)) return;
    if (surfaces_[triangle.surface].material.alpha_mode == AlphaMode::mask) {
        for_each_pixel(t, [&](size_t pixel, float px, float py, const std::array<float, 3>& at) {
            for (uint64_t rest = covered(t, pixel, px, py, at); rest != 0; rest &= rest - 1) {
                const auto s = static_cast<size_t>(std::countr_zero(rest));
                const float sx = px + all_.offset_x_[s], sy = py + all_.offset_y_[s];
                if (!is_seen(triangle, sx, sy)) continue;
                nearness_[pixel * stride_ + s] = std::clamp(t.w(sx, sy), t.least_w, t.most_w);
                triangle_[pixel * stride_ + s] = number;
            }
        });
        return;
    }
    const Slope e0 = t.edge[0], e1 = t.edge[1], e2 = t.edge[2], w = t.w;
    for_each_pixel(t, [&](size_t pixel, float px, float py, const std::array<float, 3>& at) {
        const float w_at = w(px, py);
        Lanes farthest = Lanes::Constant(INFINITY);
        for (size_t group = 0; group < stride_; group += lanes) {
            Eigen::Map<Lanes> nearness(&nearness_[pixel * stride_ + group]);
            const Eigen::Map<const Lanes> dx(&all_.offset_x_[group]), dy(&all_.offset_y_[group]);
            const Lanes inside =
                (at[0] + e0.x * dx + e0.y * dy).min(at[1] + e1.x * dx + e1.y * dy).min(at[2] + e2.x * dx + e2.y * dy);
            const Lanes near = (w_at + w.x * dx + w.y * dy).max(t.least_w).min(t.most_w);
            uint32_t* who = &triangle_[pixel * stride_ + group];
            for (size_t l = 0; l < lanes; ++l) {
                const auto lane = static_cast<Eigen::Index>(l);
                if (!(inside[lane] >= 0.0f && near[lane] > nearness[lane])) continue;
                nearness[lane] = near[lane];
                who[l] = number;
            }
            farthest = farthest.min(nearness);
        }
        farthest_[pixel] = farthest.minCoeff();
    });
}

uint64_t Coverage::Drawer::covered(const TileTriangle& t, size_t pixel, float px, float py,
                                   const std::array<float, 3>& at) const {
    uint64_t samples = 0;
    for (size_t s = 0; s < count_; ++s) {
        const float dx = all_.offset_x_[s], dy = all_.offset_y_[s];
        bool inside = true;
        for (size_t i = 0; i < 3; ++i) inside &= at[i] + t.edge[i].x * dx + t.edge[i].y * dy >= 0.0f;
        if (inside && std::clamp(t.w(px + dx, py + dy), t.least_w, t.most_w) > nearness_[pixel * stride_ + s])
            samples |= uint64_t{1} << s;
    }
    return samples;
}

void Coverage::Drawer::draw_clear(uint32_t number) {
    const Triangle& triangle = all_.triangles_[number];
    TileTriangle t;
    if (!set_up(triangle.corner, left_, top_, tile, t)) return;
    for_each_pixel(t, [&](size_t pixel, float px, float py, const std::array<float, 3>& at) {
        const uint64_t samples = covered(t, pixel, px, py, at);
        if (samples == 0) return;
        const Vec2 middle = all_.centroid(samples);
        clear_.push_back({static_cast<uint32_t>(pixel),
                          t.w(px + middle.x(), py + middle.y()),
                          {triangle.surface, triangle.triangle, samples}});
    });
}

// Samples that see the same triangle become one fragment.
void Coverage::Drawer::list_solid(Tile& out) const {
    std::array<uint32_t, most_samples> who;
    for (size_t pixel = 0; pixel < tile_pixels; ++pixel) {
        out.solid_first[pixel] = static_cast<uint32_t>(out.solid.size());
        size_t found = 0;
        const auto begin = static_cast<std::ptrdiff_t>(out.solid.size());
        for (size_t s = 0; s < count_; ++s) {
            const uint32_t number = triangle_[pixel * stride_ + s];
            if (number == nobody) continue;
            size_t i = 0;
            while (i < found && who[i] != number) ++i;
            if (i == found) {
                who[found++] = number;
                out.solid.push_back({all_.triangles_[number].surface, all_.triangles_[number].triangle, 0});
            }
            out.solid[static_cast<size_t>(begin) + i].samples |= uint64_t{1} << s;
        }
        if (found > 1)
            std::sort(out.solid.begin() + begin, out.solid.end(), [](const Fragment& a, const Fragment& b) {
                return std::popcount(a.samples) > std::popcount(b.samples);
            });
    }
    out.solid_first[tile_pixels] = static_cast<uint32_t>(out.solid.size());
}

void Coverage::Drawer::list_clear(Tile& out) {
    std::ranges::stable_sort(clear_, [](const Clear& a, const Clear& b) {
        return a.pixel != b.pixel ? a.pixel < b.pixel : a.nearness > b.nearness;
    });
    out.clear_first.fill(0);
    for (const Clear& c : clear_) {
        out.clear.push_back(c.fragment);
        ++out.clear_first[c.pixel + 1];
    }
    for (size_t i = 0; i < tile_pixels; ++i) out.clear_first[i + 1] += out.clear_first[i];
}

void Coverage::draw_tile(std::span<const SceneSurface> surfaces, const Camera& camera, const GroundPlane& ground,
                         int32_t column, int32_t row) {
    const size_t index = tile_index(column, row);
    Tile& out = tiles_[index];
    const auto mine =
        std::span(in_tiles_).subspan(first_in_tile_[index], first_in_tile_[index + 1] - first_in_tile_[index]);
    out.used = !mine.empty();
    out.solid.clear();
    out.clear.clear();
    if (mine.empty()) return;
    const auto is_clear = [&](uint32_t number) {
        return surfaces[triangles_[number].surface].material.alpha_mode == AlphaMode::blend;
    };
    Drawer drawer(*this, surfaces, camera, column, row);
    drawer.clear(ground);
    // What faces the eye is mostly in front of what does not, and hides it before it costs anything.
    for (const bool facing : {true, false})
        for (uint32_t number : mine)
            if (!is_clear(number) && drawer.faces_eye(number) == facing) drawer.draw_solid(number);
    drawer.list_solid(out);
    for (uint32_t number : mine)
        if (is_clear(number)) drawer.draw_clear(number);
    drawer.list_clear(out);
}

}  // namespace sinew
