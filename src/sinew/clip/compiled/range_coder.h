// Bits that are likely cost little: an adaptive binary range coder, and the models that say how likely a bit is.
// Data flow: code_items.cpp → *here* ⇄ bytes. Integers only, so that every machine decodes the same.
//
// A coder narrows an interval of 32 bits by each bit's probability [Martin1979]; bytes leave it once they are settled.
// Several models may guess at one bit, each by what it looks at; a mixer weighs them by how well each has done
// [Mahoney2005]. Encoder and decoder have the same call, bit(…): one function then describes a format for both.
#pragma once

#include <sinew/core/bytes.h>
#include <array>
#include <cstdint>

namespace sinew {

// How likely a bit is to be 1, in 65,536ths, from those seen so far: at first it learns quickly, then slowly.
struct BitModel {
    uint16_t one = 1 << 15;
    uint16_t seen = 0;
    void learn(bool bit);
};

// Weighs guesses, in the logistic domain. 65,536 is the whole of one guess.
struct BitMixer {
    static constexpr size_t guesses = 3;
    std::array<int32_t, guesses> weights = {28'000, 28'000, 28'000};
};
using Guesses = std::array<BitModel*, BitMixer::guesses>;

// Both coders: narrowing the interval is the same, and so is learning.
class RangeEncoder {
public:
    explicit RangeEncoder(Bytes& to) : to_(to) {}
    // `value` with the probability that one model, or several together, give it. Returns it.
    bool bit(BitModel& model, bool value);
    bool bit(const Guesses& models, BitMixer& mixer, bool value);
    bool even(bool value) { return narrow(1 << 15, value); }  // as likely as not
    void finish();
    bool failed() const { return false; }

private:
    bool narrow(uint32_t one, bool value);
    Bytes& to_;
    uint32_t low_ = 0, high_ = UINT32_MAX;
};

class RangeDecoder {
public:
    explicit RangeDecoder(ByteSpan bytes);
    // The bit that was encoded; the argument is there for the encoder's sake.
    bool bit(BitModel& model, bool = false);
    bool bit(const Guesses& models, BitMixer& mixer, bool = false);
    bool even(bool = false) { return narrow(1 << 15); }
    // More was asked for than was ever written.
    bool failed() const { return at_ > bytes_.size() + 4; }

private:
    bool narrow(uint32_t one);
    uint32_t next();
    ByteSpan bytes_;
    size_t at_ = 0;
    uint32_t low_ = 0, high_ = UINT32_MAX, code_ = 0;
};

}  // namespace sinew
