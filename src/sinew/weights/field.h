// WeightField: weights while they are being made. A few joints per vertex of a Surface, largest first.
// Data flow: the methods → *here* → clean.h → Influences.
#pragma once

#include <sinew/skin/influences.h>
#include <algorithm>
#include <span>
#include <vector>

namespace sinew {

// Keeps up to `capacity` joints per vertex, 8 bytes each, however many bones there are. When a vertex is full, adding
// keeps the largest. A vertex that was never given a weight has none.
class WeightField {
public:
    // Chosen: twice the four joints that most engines take, so that smoothing and limiting have something to choose
    // from.
    static constexpr size_t usual_capacity = 8;

    WeightField() = default;
    explicit WeightField(size_t vertices, size_t capacity = usual_capacity)
        : capacity_(capacity), entries_(vertices * capacity), counts_(vertices, 0) {}

    size_t capacity() const { return capacity_; }
    size_t vertex_count() const { return counts_.size(); }
    std::span<const Influence> of(size_t v) const { return {&entries_[v * capacity_], counts_[v]}; }
    std::span<Influence> of(size_t v) { return {&entries_[v * capacity_], counts_[v]}; }

    // Adds to the joint's weight, or adds the joint.
    void add(size_t v, uint32_t joint, float weight) {
        if (!(weight > 0.0f)) return;
        Influence* list = &entries_[v * capacity_];
        size_t at = 0;
        while (at < counts_[v] && list[at].joint != joint) ++at;
        if (at == counts_[v]) {
            if (counts_[v] < capacity_)
                list[counts_[v]++] = {joint, 0.0f};
            else if (list[--at].weight >= weight)
                return;
            list[at] = {joint, 0.0f};
        }
        Influence entry = {joint, list[at].weight + weight};
        for (; at > 0 && list[at - 1].weight < entry.weight; --at) list[at] = list[at - 1];
        list[at] = entry;
    }
    void clear(size_t v) { counts_[v] = 0; }
    // Replaces all weights of a vertex, sorted; keeps the largest.
    void set(size_t v, std::span<const Influence> list) {
        clear(v);
        for (const Influence& i : list) add(v, i.joint, i.weight);
    }
    void normalise(size_t v) {
        double sum = 0.0;
        for (const Influence& i : of(v)) sum += i.weight;
        if (!(sum > 0.0)) return clear(v);
        for (Influence& i : of(v)) i.weight = static_cast<float>(i.weight / sum);
    }

private:
    size_t capacity_ = usual_capacity;
    std::vector<Influence> entries_;
    std::vector<uint32_t> counts_;
};

}  // namespace sinew
