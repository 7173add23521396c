#include <sinew/sets/index/motion_index.h>

#include <cmath>
#include <cstring>

namespace sinew {
namespace {

// Little-endian: a magic word, a version, then files and clips one after another. Text and arrays have their count
// before them.
constexpr char index_magic[8] = {'s', 'i', 'n', 'e', 'w', 'i', 'd', 'x'};
constexpr uint32_t index_version = 2;
constexpr float largest_feature = 1e6f;  // metres, metres a second: far beyond a person, and its square is a number

class IndexWriter {
public:
    template <class Number>
    void number(Number value) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        out.insert(out.end(), bytes, bytes + sizeof value);
    }
    void text(const std::string& words) {
        number(static_cast<uint32_t>(words.size()));
        const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
        out.insert(out.end(), bytes, bytes + words.size());
    }
    Bytes out;
};

class IndexReader {
public:
    explicit IndexReader(ByteSpan bytes) : left_(bytes) {}
    template <class Number>
    bool number(Number& value) {
        if (left_.size() < sizeof value) return false;
        std::memcpy(&value, left_.data(), sizeof value);
        left_ = left_.subspan(sizeof value);
        return true;
    }
    bool text(std::string& words) {
        uint32_t size = 0;
        if (!number(size) || size > left_.size()) return false;
        words.assign(reinterpret_cast<const char*>(left_.data()), size);
        left_ = left_.subspan(size);
        return true;
    }
    // A count of things that take at least `each` bytes.
    bool count(uint32_t& value, size_t each) { return number(value) && value <= left_.size() / each; }
    bool at_end() const { return left_.empty(); }

private:
    ByteSpan left_;
};

bool read_clip_entry(IndexReader& in, IndexedClip& clip) {
    uint32_t rows = 0;
    if (!in.text(clip.name) || !in.number(clip.motion.seconds) || !std::isfinite(clip.motion.seconds) ||
        !in.count(rows, sizeof(MotionRow) + 1))
        return false;
    clip.motion.rows.resize(rows);
    clip.motion.contacts.resize(rows);
    for (uint32_t r = 0; r < rows; ++r) {
        if (!in.number(clip.motion.contacts[r]) || !in.number(clip.motion.rows[r])) return false;
        for (const float value : clip.motion.rows[r])
            if (!(std::abs(value) <= largest_feature)) return false;
    }
    return true;
}

bool read_file_entry(IndexReader& in, IndexedFile& file) {
    uint32_t clips = 0;
    if (!in.text(file.path) || !in.number(file.size) || !in.number(file.hash) || !in.number(file.time) ||
        !in.text(file.problem) || !in.count(clips, 12))
        return false;
    file.clips.resize(clips);
    for (IndexedClip& clip : file.clips)
        if (!read_clip_entry(in, clip)) return false;
    return true;
}

}  // namespace

Bytes encode_index(const MotionIndex& index) {
    IndexWriter out;
    for (const char letter : index_magic) out.number(letter);
    out.number(index_version);
    out.number(static_cast<uint32_t>(index.files.size()));
    for (const IndexedFile& file : index.files) {
        out.text(file.path);
        out.number(file.size);
        out.number(file.hash);
        out.number(file.time);
        out.text(file.problem);
        out.number(static_cast<uint32_t>(file.clips.size()));
        for (const IndexedClip& clip : file.clips) {
            out.text(clip.name);
            out.number(clip.motion.seconds);
            out.number(static_cast<uint32_t>(clip.motion.rows.size()));
            for (size_t r = 0; r < clip.motion.rows.size(); ++r) {
                out.number(clip.motion.contacts[r]);
                out.number(clip.motion.rows[r]);
            }
        }
    }
    return std::move(out.out);
}

Result<MotionIndex> decode_index(ByteSpan bytes) {
    const auto damaged = [] {
        return fail(ErrorCode::invalid_data, "is no index of motions, or a damaged one; delete it");
    };
    IndexReader in(bytes);
    char magic[8];
    uint32_t version = 0, files = 0;
    if (!in.number(magic) || std::memcmp(magic, index_magic, sizeof magic) != 0 || !in.number(version))
        return damaged();
    if (version != index_version)
        return fail(ErrorCode::unsupported, "is an index of another version of Sinew; delete it");
    if (!in.count(files, 32)) return damaged();
    MotionIndex index;
    index.files.resize(files);
    for (IndexedFile& file : index.files)
        if (!read_file_entry(in, file)) return damaged();
    if (!in.at_end()) return damaged();
    return index;
}

uint64_t content_hash(ByteSpan bytes) {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (const std::byte byte : bytes) hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3ull;
    return hash;
}

}  // namespace sinew
