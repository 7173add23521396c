#include <sinew/io/fbx/motion/curve.h>
#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew::fbx {
namespace {

// KeyAttrFlags.
constexpr uint32_t flag_constant = 0x2, flag_linear = 0x4, flag_cubic = 0x8;
constexpr uint32_t flag_constant_next = 0x100, flag_tcb = 0x200, flag_user = 0x400;
constexpr uint32_t flag_clamp = 0x1000, flag_time_independent = 0x2000, flag_clamp_progressive = 0x4000;
constexpr uint32_t flag_right_weight = 0x1000000, flag_next_left_weight = 0x2000000;

// What the file says of a key beyond its time and value.
struct KeyAttribute {
    uint32_t flags = flag_linear;
    double data[3] = {};  // right slope, the next key's left slope; or tension, continuity, bias
    uint32_t packed_weights = 0;
};

// Two weights in one number: its bits hold two integers, in ten-thousandths.
void unpack_weights(const KeyAttribute& attribute, Key& key, Key* next) {
    const uint32_t bits = attribute.packed_weights;
    if ((attribute.flags & flag_right_weight) != 0) key.right_weight = (bits & 0xffff) * 1e-4;
    if ((attribute.flags & flag_next_left_weight) != 0 && next != nullptr) next->left_weight = (bits >> 16) * 1e-4;
}

// Text files write floats as integers with the same bits.
std::vector<float> floats_of(const Node* node) {
    std::vector<float> result;
    if (node == nullptr) return result;
    if (const Node* inner = node->find("a"); inner != nullptr) node = inner;
    if (!node->values.empty() && node->values[0].kind == Value::Kind::array) {
        for (const int64_t bits : node->values[0].array->integers)
            result.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
        for (const double number : node->values[0].array->reals) result.push_back(float(number));
    }
    return result;
}

double slope_between(const Key& a, const Key& b) {
    return (b.value - a.value) / (b.time - a.time);
}

// Tension, continuity and bias, as Kochanek and Bartels have them, on slopes instead of differences.
void set_tcb(std::vector<Key>& keys, size_t k, const KeyAttribute& attribute) {
    const bool has_previous = k > 0, has_next = k + 1 < keys.size();
    const double before = has_previous ? slope_between(keys[k - 1], keys[k]) : 0;
    const double after = has_next ? slope_between(keys[k], keys[k + 1]) : 0;
    const double tension = attribute.data[0], continuity = attribute.data[1], bias = attribute.data[2];
    const double factor = (has_previous && has_next ? 0.5 : 1.0) * (1 - tension);
    keys[k].left_slope = factor * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * after);
    keys[k].right_slope = factor * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * after);
}

// Left slopes come from the attribute of the key before.
void set_auto(std::vector<Key>& keys, size_t k, uint32_t flags, double left_bias, double right_bias) {
    AutoSlope how;
    how.clamp = (flags & flag_clamp) != 0;
    how.time_independent = (flags & flag_time_independent) != 0;
    how.clamp_progressive = (flags & flag_clamp_progressive) != 0;
    constexpr double same_bias = 1e-4;
    how.bias = right_bias;
    const bool at_end = k == 0 || k + 1 == keys.size();
    if (at_end && k > 0) how.bias = -left_bias;
    const double right = auto_slope(keys, k, how);
    double left = right;
    if (!at_end && std::abs(left_bias + right_bias) > same_bias) {
        how.bias = -left_bias;
        left = auto_slope(keys, k, how);
    }
    keys[k].left_slope = left;
    keys[k].right_slope = right;
}

void set_tangents(std::vector<Key>& keys, const std::vector<KeyAttribute>& attributes) {
    for (size_t k = 0; k < keys.size(); ++k) {
        Key* next = k + 1 < keys.size() ? &keys[k + 1] : nullptr;
        const KeyAttribute& attribute = attributes[k];
        if ((attribute.flags & flag_constant) != 0)
            keys[k].mode = (attribute.flags & flag_constant_next) != 0 ? KeyMode::constant_next : KeyMode::constant;
        else
            keys[k].mode = (attribute.flags & flag_cubic) != 0 ? KeyMode::cubic : KeyMode::linear;
        if (keys[k].mode == KeyMode::cubic && (attribute.flags & flag_tcb) == 0)
            unpack_weights(attribute, keys[k], next);
    }
    for (size_t k = 0; k < keys.size(); ++k) {
        Key* next = k + 1 < keys.size() ? &keys[k + 1] : nullptr;
        const KeyAttribute& attribute = attributes[k];
        double next_left = 0;
        if (keys[k].mode == KeyMode::linear) {
            if (next != nullptr) next_left = keys[k].right_slope = slope_between(keys[k], *next);
        } else if (keys[k].mode == KeyMode::cubic && (attribute.flags & flag_tcb) != 0) {
            set_tcb(keys, k, attribute);
        } else if (keys[k].mode == KeyMode::cubic) {
            next_left = attribute.data[1];
            if ((attribute.flags & flag_user) != 0)
                keys[k].right_slope = attribute.data[0];
            else
                set_auto(keys, k, attribute.flags, keys[k].left_slope, attribute.data[0]);
        }
        if (next != nullptr) next->left_slope = next_left;
    }
}

// Drops keys that are not finite or not later than the one before. `attributes` go along.
void keep_increasing(std::vector<Key>& keys, std::vector<KeyAttribute>& attributes) {
    size_t kept = 0;
    for (size_t k = 0; k < keys.size(); ++k) {
        if (!std::isfinite(keys[k].time) || !std::isfinite(keys[k].value)) continue;
        if (kept > 0 && !(keys[k].time > keys[kept - 1].time)) continue;
        keys[kept] = keys[k];
        attributes[kept++] = attributes[k];
    }
    keys.resize(kept);
    attributes.resize(kept);
}

void make_finite(std::vector<Key>& keys) {
    for (Key& key : keys)
        for (double* x : {&key.left_slope, &key.right_slope, &key.left_weight, &key.right_weight})
            if (!std::isfinite(*x)) *x = 0;
}

// A letter: text in text files, a number in binary ones.
char letter_of(const Value& value) {
    if (value.kind == Value::Kind::text) return value.text.empty() ? '\0' : value.text[0];
    const int64_t code = value.as_integer();
    return code > 0 && code < 128 ? char(code) : '\0';
}

Extrapolation read_extrapolation(const Node* node) {
    Extrapolation result;
    const Node* type = node != nullptr ? node->find("Type") : nullptr;
    if (type == nullptr || type->values.empty()) return result;
    using Mode = Extrapolation::Mode;
    switch (letter_of(type->values[0])) {
        case 'A':
            result.mode = Mode::repeat_onward;
            break;
        case 'K':
            result.mode = Mode::slope;
            break;
        case 'M':
            result.mode = Mode::mirror;
            break;
        case 'R':
            result.mode = Mode::repeat;
            break;
        default:
            break;
    }
    if (const Node* times = node->find("Repetition")) result.times = std::max<int64_t>(times->integer(0, -1), -1);
    return result;
}

// Reads the keys of a take: time, value, a letter for the mode, and what that mode has behind it.
class OldKeyReader {
public:
    OldKeyReader(const Node& channel, double ticks_per_second)
        : ticks_per_second_(ticks_per_second), version_(number_of(channel, "KeyVer", 4005)) {
        if (const Node* key = channel.find("Key")) values_ = key->values;
        count_ = size_t(std::clamp<int64_t>(number_of(channel, "KeyCount", 0), 0, int64_t(values_.size())));
    }

    std::vector<Key> read() {
        std::vector<bool> is_auto;
        for (size_t k = 0; k < count_ && at_ + 2 < values_.size(); ++k) {
            Key key;
            key.time = take() / ticks_per_second_;
            key.value = take();
            key.left_slope = next_left_slope_;
            key.left_weight = next_left_weight_;
            next_left_slope_ = 0;
            next_left_weight_ = default_weight;
            const bool solve = read_mode(key);
            const bool fine =
                std::isfinite(key.time) && std::isfinite(key.value) && (keys_.empty() || key.time > keys_.back().time);
            if (!fine) continue;
            keys_.push_back(key);
            is_auto.push_back(solve);
        }
        for (size_t k = 0; k < keys_.size(); ++k) finish(k, is_auto[k]);
        make_finite(keys_);
        return std::move(keys_);
    }

private:
    static int64_t number_of(const Node& node, std::string_view name, int64_t otherwise) {
        const Node* found = node.find(name);
        return found != nullptr ? found->integer(0, otherwise) : otherwise;
    }
    double take() { return at_ < values_.size() ? values_[at_++].as_real() : 0; }
    char take_letter() { return at_ < values_.size() ? letter_of(values_[at_++]) : '\0'; }

    // True where the slopes follow from the neighbours.
    bool read_mode(Key& key) {
        constexpr int64_t first_with_constant_kind = 4004, last_with_one_weight = 4004, without_weights = 4003;
        switch (take_letter()) {
            case 'C':
                key.mode = KeyMode::constant;
                if (version_ >= first_with_constant_kind && take_letter() == 'n') key.mode = KeyMode::constant_next;
                return false;
            case 'L':
                key.mode = KeyMode::linear;
                return false;
            default:
                break;
        }
        const char kind = take_letter();
        const double first = kind != '\0' ? take() : 0;
        const double second = kind != 'd' ? take() : 0;
        if (kind == 't') {
            take();
            return true;
        }
        const bool given = kind == 's' || kind == 'b';
        if (given) {
            key.right_slope = first;
            next_left_slope_ = second;
            if (version_ != without_weights) read_weights(key);
        } else {
            read_weights(key);
            if (version_ > last_with_one_weight && kind != 'd') read_weights(key);
        }
        return !given;
    }

    void read_weights(Key& key) {
        const char kind = take_letter();
        if (kind == 'a' || kind == 'r') key.right_weight = take();
        if (kind == 'a' || kind == 'l') next_left_weight_ = take();
    }

    void finish(size_t k, bool solve) {
        if (solve) {
            AutoSlope how;
            how.time_independent = how.clamp_progressive = true;
            keys_[k].left_slope = keys_[k].right_slope = auto_slope(keys_, k, how);
        }
        if (k + 1 < keys_.size() && keys_[k].mode == KeyMode::linear)
            keys_[k].right_slope = keys_[k + 1].left_slope = slope_between(keys_[k], keys_[k + 1]);
    }

    double ticks_per_second_;
    int64_t version_;
    std::vector<Value> values_;
    size_t count_ = 0, at_ = 0;
    double next_left_slope_ = 0, next_left_weight_ = default_weight;
    std::vector<Key> keys_;
};

}  // namespace

Curve read_curve(const Node& node, double ticks_per_second) {
    Curve curve;
    const std::vector<int64_t> times = integers_of(node.find("KeyTime"));
    const std::vector<double> values = reals_of(node.find("KeyValueFloat"));
    const std::vector<int64_t> flags = integers_of(node.find("KeyAttrFlags"));
    const std::vector<float> data = floats_of(node.find("KeyAttrDataFloat"));
    const std::vector<int64_t> runs = integers_of(node.find("KeyAttrRefCount"));
    const size_t count = std::min(times.size(), values.size());
    std::vector<KeyAttribute> attributes(count);
    curve.keys.resize(count);
    for (size_t k = 0; k < count; ++k) {
        curve.keys[k].time = double(times[k]) / ticks_per_second;
        curve.keys[k].value = values[k];
    }
    // Each attribute holds for a run of keys.
    size_t k = 0;
    for (size_t a = 0; a < std::min(flags.size(), runs.size()); ++a) {
        KeyAttribute attribute;
        attribute.flags = uint32_t(flags[a]);
        if (4 * a + 3 < data.size()) {
            std::copy_n(&data[4 * a], 3, attribute.data);
            attribute.packed_weights = std::bit_cast<uint32_t>(data[4 * a + 2]);
        }
        for (int64_t i = 0; i < runs[a] && k < count; ++i) attributes[k++] = attribute;
    }
    keep_increasing(curve.keys, attributes);
    set_tangents(curve.keys, attributes);
    make_finite(curve.keys);
    curve.before = read_extrapolation(node.find("Pre-Extrapolation"));
    curve.after = read_extrapolation(node.find("Post-Extrapolation"));
    return curve;
}

Curve read_old_curve(const Node& channel, double ticks_per_second) {
    Curve curve;
    curve.keys = OldKeyReader(channel, ticks_per_second).read();
    curve.before = read_extrapolation(channel.find("Pre-Extrapolation"));
    curve.after = read_extrapolation(channel.find("Post-Extrapolation"));
    return curve;
}

}  // namespace sinew::fbx
