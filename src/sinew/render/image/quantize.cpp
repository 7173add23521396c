#include <sinew/render/image/quantize.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sinew {

namespace {

struct Entry {
    std::array<float, 3> color;
    float count = 0.0f;
};

// Distinct colours with how often they occur, in a fixed order. Channels keep 7 bits, which is finer than a palette of
// 256 can be.
std::vector<Entry> histogram(std::span<const Picture> pictures) {
    std::vector<uint32_t> counts(size_t{1} << 21, 0);
    for (const Picture& picture : pictures)
        for (size_t i = 0; i + 3 < picture.rgba.size(); i += 4) {
            const uint8_t* p = &picture.rgba[i];
            ++counts[(size_t{p[0]} >> 1) << 14 | (size_t{p[1]} >> 1) << 7 | size_t{p[2]} >> 1];
        }
    std::vector<Entry> entries;
    for (size_t key = 0; key < counts.size(); ++key) {
        if (counts[key] == 0) continue;
        const auto channel = [&](int shift) { return static_cast<float>((key >> shift & 127) << 1) + 0.5f; };
        // The root keeps a large plain background from taking all colours.
        entries.push_back({{channel(14), channel(7), channel(0)}, std::sqrt(static_cast<float>(counts[key]))});
    }
    return entries;
}

struct Bucket {
    size_t begin, end;
    size_t axis;
    float spread;  // weight × variance along the axis
};

Bucket measure(const std::vector<Entry>& entries, size_t begin, size_t end) {
    Bucket bucket{begin, end, 0, -1.0f};
    for (size_t c = 0; c < 3; ++c) {
        double weight = 0.0, sum = 0.0, squares = 0.0;
        for (size_t i = begin; i < end; ++i) {
            weight += entries[i].count;
            sum += entries[i].count * entries[i].color[c];
            squares += entries[i].count * entries[i].color[c] * entries[i].color[c];
        }
        const float spread = static_cast<float>(squares - sum * sum / weight);
        if (spread > bucket.spread) bucket = {begin, end, c, spread};
    }
    return bucket;
}

std::array<float, 3> mean(const std::vector<Entry>& entries, size_t begin, size_t end) {
    std::array<double, 3> sum{};
    double weight = 0.0;
    for (size_t i = begin; i < end; ++i) {
        weight += entries[i].count;
        for (size_t c = 0; c < 3; ++c) sum[c] += entries[i].count * entries[i].color[c];
    }
    return {static_cast<float>(sum[0] / weight), static_cast<float>(sum[1] / weight),
            static_cast<float>(sum[2] / weight)};
}

std::vector<std::array<float, 3>> median_cut(std::vector<Entry>& entries, size_t count) {
    std::vector<Bucket> buckets = {measure(entries, 0, entries.size())};
    while (buckets.size() < count) {
        const auto widest = std::max_element(buckets.begin(), buckets.end(),
                                             [](const Bucket& a, const Bucket& b) { return a.spread < b.spread; });
        if (widest->end - widest->begin < 2 || widest->spread <= 0.0f) break;
        const Bucket old = *widest;
        std::sort(entries.begin() + static_cast<std::ptrdiff_t>(old.begin),
                  entries.begin() + static_cast<std::ptrdiff_t>(old.end), [&](const Entry& a, const Entry& b) {
                      return a.color[old.axis] != b.color[old.axis] ? a.color[old.axis] < b.color[old.axis]
                                                                    : a.color < b.color;
                  });
        const float middle = mean(entries, old.begin, old.end)[old.axis];
        size_t cut = old.begin + 1;
        while (cut + 1 < old.end && entries[cut].color[old.axis] < middle) ++cut;
        *widest = measure(entries, old.begin, cut);
        buckets.push_back(measure(entries, cut, old.end));
    }
    std::vector<std::array<float, 3>> centers;
    for (const Bucket& bucket : buckets) centers.push_back(mean(entries, bucket.begin, bucket.end));
    return centers;
}

float distance(const std::array<float, 3>& a, const std::array<float, 3>& b) {
    // The eye is most sensitive to green and least to blue.
    const float r = a[0] - b[0], g = a[1] - b[1], bl = a[2] - b[2];
    return 2.0f * r * r + 4.0f * g * g + 3.0f * bl * bl;
}

void refine(const std::vector<Entry>& entries, std::vector<std::array<float, 3>>& centers) {
    const size_t step = 1 + entries.size() / 20000;  // enough to find centres by
    std::vector<std::array<double, 4>> sums(centers.size(), std::array<double, 4>{});
    for (size_t i = 0; i < entries.size(); i += step) {
        size_t best = 0;
        for (size_t k = 1; k < centers.size(); ++k)
            if (distance(entries[i].color, centers[k]) < distance(entries[i].color, centers[best])) best = k;
        for (size_t c = 0; c < 3; ++c) sums[best][c] += entries[i].count * entries[i].color[c];
        sums[best][3] += entries[i].count;
    }
    for (size_t k = 0; k < centers.size(); ++k)
        for (size_t c = 0; c < 3; ++c)
            if (sums[k][3] > 0.0) centers[k][c] = static_cast<float>(sums[k][c] / sums[k][3]);
}

// Threshold of an 8×8 Bayer matrix, −0.5 … 0.5.
float bayer(int32_t x, int32_t y) {
    int32_t value = 0;
    for (int bit = 0; bit < 3; ++bit) {
        const int32_t xb = x >> bit & 1, yb = y >> bit & 1;
        value |= ((xb ^ yb) << 1 | yb) << (2 * (2 - bit));
    }
    return (static_cast<float>(value) + 0.5f) / 64.0f - 0.5f;
}

}  // namespace

std::vector<Rgb> choose_palette(std::span<const Picture> pictures, size_t count) {
    std::vector<Entry> entries = histogram(pictures);
    if (entries.empty()) return {Rgb{0, 0, 0}};
    std::vector<std::array<float, 3>> centers = median_cut(entries, count);
    for (int round = 0; round < 4; ++round) refine(entries, centers);
    std::vector<Rgb> palette;
    for (const auto& center : centers) {
        Rgb color;
        for (size_t c = 0; c < 3; ++c)
            color[c] = static_cast<uint8_t>(std::lround(std::clamp(center[c], 0.0f, 255.0f)));
        palette.push_back(color);
    }
    std::sort(palette.begin(), palette.end());
    palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
    return palette;
}

Quantizer::Quantizer(std::vector<Rgb> palette) : palette_(std::move(palette)), nearest_(size_t{1} << 18, -1) {}

uint8_t Quantizer::index(const uint8_t* rgb, int32_t x, int32_t y) {
    constexpr float amplitude = 6.0f;  // about the distance of neighbouring palette entries
    size_t key = 0;
    std::array<float, 3> rounded{};
    for (size_t c = 0; c < 3; ++c) {
        const float shifted = std::clamp(static_cast<float>(rgb[c]) + amplitude * bayer(x, y), 0.0f, 255.0f);
        const size_t level = static_cast<size_t>(shifted) >> 2;
        key = key << 6 | level;
        rounded[c] = static_cast<float>(level << 2) + 1.5f;
    }
    if (nearest_[key] < 0) {
        size_t best = 0;
        std::array<float, 3> candidate{};
        float best_distance = INFINITY;
        for (size_t k = 0; k < palette_.size(); ++k) {
            for (size_t c = 0; c < 3; ++c) candidate[c] = palette_[k][c];
            const float d = distance(rounded, candidate);
            if (d < best_distance) {
                best_distance = d;
                best = k;
            }
        }
        nearest_[key] = static_cast<int16_t>(best);
    }
    return static_cast<uint8_t>(nearest_[key]);
}

}  // namespace sinew
