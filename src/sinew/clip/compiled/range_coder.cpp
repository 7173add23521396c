#include <sinew/clip/compiled/range_coder.h>

#include <algorithm>

namespace sinew {
namespace {

// After so many bits a model learns no slower: what it models changes along a clip.
constexpr size_t slowest = 120;
constexpr auto learning_rates = [] {
    std::array<uint16_t, slowest> rates{};
    for (size_t n = 0; n < slowest; ++n) rates[n] = static_cast<uint16_t>(65536.0 / (static_cast<double>(n) + 1.6));
    return rates;
}();
constexpr int mixing_rate = 10;  // a smaller shift learns faster

// e^x for |x| ≤ 8, by the compiler: a table must not depend on a library's last bit.
constexpr double exponential(double x) {
    double sum = 1.0, term = 1.0;
    for (int n = 1; n < 24; ++n) sum += term *= x / 64.0 / n;
    for (int i = 0; i < 6; ++i) sum *= sum;
    return sum;
}

// The logistic function and its inverse: 256ths of the natural logarithm of the odds, from −2047 to 2047.
constexpr int most_odds = 2047;
constexpr auto squash_table = [] {
    std::array<uint16_t, 2 * most_odds + 1> table{};
    for (int d = -most_odds; d <= most_odds; ++d)
        table[static_cast<size_t>(d + most_odds)] = static_cast<uint16_t>(65535.0 / (1.0 + exponential(-d / 256.0)));
    return table;
}();
constexpr auto stretch_table = [] {
    std::array<int16_t, 4096> table{};
    int d = -most_odds;
    for (size_t p = 0; p < table.size(); ++p) {
        while (d < most_odds && squash_table[static_cast<size_t>(d + most_odds)] < 16 * p + 8) ++d;
        table[p] = static_cast<int16_t>(d);
    }
    return table;
}();

constexpr uint32_t least_probability = 24;
uint32_t within(uint32_t one) {
    return std::clamp(one, least_probability, 65536 - least_probability);
}

struct Mixed {
    std::array<int32_t, BitMixer::guesses> odds;
    uint32_t one;
};

Mixed mix(const Guesses& models, const BitMixer& mixer) {
    Mixed mixed{};
    int64_t sum = 0;
    for (size_t i = 0; i < models.size(); ++i) {
        mixed.odds[i] = stretch_table[models[i]->one >> 4];
        sum += static_cast<int64_t>(mixed.odds[i]) * mixer.weights[i];
    }
    const auto odds = static_cast<int>(std::clamp<int64_t>(sum >> 16, -most_odds, most_odds));
    mixed.one = within(squash_table[static_cast<size_t>(odds + most_odds)]);
    return mixed;
}

void learn(const Guesses& models, BitMixer& mixer, const Mixed& mixed, bool bit) {
    const int32_t error = (bit ? 65535 : 0) - static_cast<int32_t>(mixed.one);
    for (size_t i = 0; i < models.size(); ++i) {
        const int64_t change = static_cast<int64_t>(mixed.odds[i]) * error >> mixing_rate;
        mixer.weights[i] =
            static_cast<int32_t>(std::clamp<int64_t>(mixer.weights[i] + (change >> 4), -(1 << 18), 1 << 18));
        models[i]->learn(bit);
    }
}

uint32_t middle(uint32_t low, uint32_t high, uint32_t one) {
    return low + static_cast<uint32_t>(static_cast<uint64_t>(high - low) * one >> 16);
}

}  // namespace

void BitModel::learn(bool bit) {
    const int64_t wanted = bit ? 65535 : 0;
    one = static_cast<uint16_t>(one + ((wanted - one) * learning_rates[seen] >> 16));
    if (seen + 1u < slowest) ++seen;
}

bool RangeEncoder::narrow(uint32_t one, bool value) {
    const uint32_t between = middle(low_, high_, one);
    (value ? high_ : low_) = value ? between : between + 1;
    while ((low_ ^ high_) >> 24 == 0) {
        to_.push_back(static_cast<std::byte>(low_ >> 24));
        low_ <<= 8, high_ = high_ << 8 | 255;
    }
    return value;
}

bool RangeEncoder::bit(BitModel& model, bool value) {
    narrow(within(model.one), value);
    model.learn(value);
    return value;
}

bool RangeEncoder::bit(const Guesses& models, BitMixer& mixer, bool value) {
    const Mixed mixed = mix(models, mixer);
    narrow(mixed.one, value);
    learn(models, mixer, mixed, value);
    return value;
}

// Zeros follow where the bytes end: one byte within the interval is enough, or two.
void RangeEncoder::finish() {
    for (int kept = 1; kept <= 4; ++kept) {
        const uint32_t unit = kept == 4 ? 1u : 1u << (32 - 8 * kept);
        const uint64_t up = (static_cast<uint64_t>(low_) + unit - 1) / unit * unit;
        if (up > high_) continue;
        for (int i = 0; i < kept; ++i) to_.push_back(static_cast<std::byte>(up >> (24 - 8 * i) & 255));
        return;
    }
}

RangeDecoder::RangeDecoder(ByteSpan bytes) : bytes_(bytes) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next();
}

uint32_t RangeDecoder::next() {
    const uint32_t byte = at_ < bytes_.size() ? static_cast<uint32_t>(bytes_[at_]) : 0;
    ++at_;
    return byte;
}

bool RangeDecoder::narrow(uint32_t one) {
    const uint32_t between = middle(low_, high_, one);
    const bool value = code_ <= between;
    (value ? high_ : low_) = value ? between : between + 1;
    while ((low_ ^ high_) >> 24 == 0) {
        low_ <<= 8, high_ = high_ << 8 | 255;
        code_ = code_ << 8 | next();
    }
    return value;
}

bool RangeDecoder::bit(BitModel& model, bool) {
    const bool value = narrow(within(model.one));
    model.learn(value);
    return value;
}

bool RangeDecoder::bit(const Guesses& models, BitMixer& mixer, bool) {
    const Mixed mixed = mix(models, mixer);
    const bool value = narrow(mixed.one);
    learn(models, mixer, mixed, value);
    return value;
}

}  // namespace sinew
