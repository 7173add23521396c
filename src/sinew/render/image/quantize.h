// Quantising: true-colour pictures → 256 colours, for GIF.
// Data flow: encode_gif.cpp asks.
#pragma once

#include <sinew/render/preview.h>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

using Rgb = std::array<uint8_t, 3>;

// At most `count` colours for all pictures together: median cut on a histogram, then a few rounds of k-means.
std::vector<Rgb> choose_palette(std::span<const Picture> pictures, size_t count);

// Maps pixels to palette entries with an ordered dither that depends on the pixel's place alone, so that what stands
// still in a loop does not flicker.
class Quantizer {
public:
    explicit Quantizer(std::vector<Rgb> palette);
    uint8_t index(const uint8_t* rgb, int32_t x, int32_t y);

private:
    std::vector<Rgb> palette_;
    std::vector<int16_t> nearest_;  // by 6 bits per channel, filled on demand; −1: not yet
};

}  // namespace sinew
