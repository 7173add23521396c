// UnionFind: which things hang together, learned pair by pair. Data flow: used wherever pieces are counted or vertices
// are welded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sinew {

// Sets of the numbers 0 … size − 1, each alone at first. A set's name is its smallest member, whatever the order in
// which sets were joined. Paths are halved on the way, so a call takes practically constant time.
class UnionFind {
public:
    explicit UnionFind(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }

    uint32_t find(uint32_t i) {
        while (parent_[i] != i) {
            parent_[i] = parent_[parent_[i]];
            i = parent_[i];
        }
        return i;
    }

    // True when the two were apart before.
    bool join(uint32_t a, uint32_t b) {
        a = find(a), b = find(b);
        if (a == b) return false;
        if (a < b) {
            parent_[b] = a;
        } else {
            parent_[a] = b;
        }
        return true;
    }

    bool joined(uint32_t a, uint32_t b) { return find(a) == find(b); }
    size_t size() const { return parent_.size(); }

private:
    std::vector<uint32_t> parent_;
};

}  // namespace sinew
