// A small PNG writer (RFC 1951, ISO 15948): runs and repeats of the row above, fixed Huffman codes. Our textures are
// flat colours, for which this comes close to zlib, and the bytes are the same everywhere.
#include <sinew/sample/paint.h>

#include <algorithm>
#include <array>

namespace sinew::shape {

namespace {

class Deflater {
public:
    // Bits enter a byte from the bottom; Huffman codes enter with their top bit first.
    void bits(uint32_t value, int count) {
        for (int i = 0; i < count; ++i) {
            if (used_ == 0) out_.push_back(std::byte{0});
            if (value >> i & 1) out_.back() |= std::byte{1} << used_;
            used_ = (used_ + 1) % 8;
        }
    }
    void code(uint32_t value, int count) {
        for (int i = count - 1; i >= 0; --i) bits(value >> i & 1, 1);
    }
    void symbol(int s) {
        if (s < 144)
            code(0x30 + s, 8);
        else if (s < 256)
            code(0x190 + s - 144, 9);
        else if (s < 280)
            code(s - 256, 7);
        else
            code(0xc0 + s - 280, 8);
    }
    void copy(int length, int distance) {
        int s = 0, step = 0, base = 3;
        // Length codes: 8 of step 1, then 4 of each doubled step; 258 has its own.
        static constexpr int length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
        while (s < 28 && length_base[s + 1] <= length) ++s;
        base = length_base[s];
        step = s < 8 || s == 28 ? 0 : (s - 4) / 4;
        symbol(257 + s);
        bits(length - base, step);
        int d = 0, first = 1, extra = 0;
        while (true) {
            extra = d < 2 ? 0 : d / 2 - 1;
            if (distance < first + (1 << extra)) break;
            first += 1 << extra;
            ++d;
        }
        code(d, 5);
        bits(distance - first, extra);
    }
    Bytes take() { return std::move(out_); }

private:
    Bytes out_;
    int used_ = 0;
};

Bytes deflate(const std::vector<uint8_t>& data, int row) {
    Deflater d;
    d.bits(1, 1);
    d.bits(1, 2);
    size_t n = data.size();
    for (size_t i = 0; i < n;) {
        size_t best = 0, from = 0;
        for (size_t distance :
             {size_t{3}, static_cast<size_t>(row), static_cast<size_t>(row) + 3, static_cast<size_t>(row) - 3}) {
            if (distance > i) continue;
            size_t length = 0;
            while (length < 258 && i + length < n && data[i + length] == data[i + length - distance]) ++length;
            if (length > best) {
                best = length;
                from = distance;
            }
        }
        if (best >= 4) {
            d.copy(static_cast<int>(best), static_cast<int>(from));
            i += best;
        } else {
            d.symbol(data[i++]);
        }
    }
    d.symbol(256);
    return d.take();
}

void put32(Bytes& out, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(std::byte(value >> shift & 0xff));
}

uint32_t crc(const Bytes& bytes, size_t from) {
    uint32_t c = 0xffffffffu;
    for (size_t i = from; i < bytes.size(); ++i) {
        c ^= static_cast<uint32_t>(bytes[i]);
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    }
    return ~c;
}

void chunk(Bytes& out, const char* type, const Bytes& data) {
    put32(out, static_cast<uint32_t>(data.size()));
    size_t from = out.size();
    for (int i = 0; i < 4; ++i) out.push_back(std::byte(type[i]));
    out.insert(out.end(), data.begin(), data.end());
    put32(out, crc(out, from));
}

}  // namespace

Bytes encode_png(const Picture& picture) {
    int row = 3 * picture.size + 1;
    std::vector<uint8_t> raw;
    for (int y = 0; y < picture.size; ++y) {
        raw.push_back(0);  // no filter
        for (int x = 0; x < picture.size; ++x) {
            const auto& p = picture.pixels[static_cast<size_t>(y) * picture.size + x];
            raw.insert(raw.end(), p.begin(), p.end());
        }
    }
    Bytes stream{std::byte{0x78}, std::byte{0x01}};
    Bytes packed = deflate(raw, row);
    stream.insert(stream.end(), packed.begin(), packed.end());
    uint32_t a = 1, b = 0;
    for (uint8_t value : raw) {
        a = (a + value) % 65521;
        b = (b + a) % 65521;
    }
    put32(stream, b << 16 | a);

    Bytes out;
    for (int value : {0x89, 'P' + 0, 'N' + 0, 'G' + 0, 13, 10, 26, 10}) out.push_back(std::byte(value));
    Bytes header;
    put32(header, static_cast<uint32_t>(picture.size));
    put32(header, static_cast<uint32_t>(picture.size));
    for (int value : {8, 2, 0, 0, 0}) header.push_back(std::byte(value));  // 8 bits, RGB, plain
    chunk(out, "IHDR", header);
    chunk(out, "sRGB", Bytes{std::byte{0}});
    chunk(out, "IDAT", stream);
    chunk(out, "IEND", {});
    return out;
}

}  // namespace sinew::shape
