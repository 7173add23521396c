#include <sinew/skin/joint_sets.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

// What a kernel spends, in multiply-adds of a whole register, as measured with script/bench skin: a block blends
// 12 (K − 1) matrix entries and transforms; a run prepares its matrices; a loose vertex is moved on its own.
constexpr double block_cost(size_t joints) {
    return 12.0 * static_cast<double>(joints - 1) + 26.0;
}
constexpr double run_cost(size_t joints) {
    return 8.0 * static_cast<double>(joints) + 14.0;
}
constexpr double loose_cost = 20.0;

double cost_of(size_t joints, size_t vertices) {
    return run_cost(joints) + block_cost(joints) * static_cast<double>((vertices + block_size - 1) / block_size);
}

// Each vertex's joints in increasing order.
class SortedJoints {
public:
    explicit SortedJoints(const Influences& influences) {
        first_.reserve(influences.vertex_count() + 1);
        for (size_t v = 0; v < influences.vertex_count(); ++v) {
            first_.push_back(all_.size());
            for (const Influence& i : influences.of(v)) all_.push_back(i.joint);
            if (influences.of(v).empty()) all_.push_back(no_joint);
            std::sort(all_.begin() + static_cast<ptrdiff_t>(first_[v]), all_.end());
        }
        first_.push_back(all_.size());
    }
    std::span<const uint32_t> of(size_t vertex) const {
        return std::span(all_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }

private:
    std::vector<size_t> first_;
    std::vector<uint32_t> all_;
};

// The vertices that do not fill their set's blocks, and may share blocks with those of other sets.
struct Tail {
    std::vector<uint32_t> joints;
    std::vector<uint32_t> vertices;
    int32_t run = -1;  // a run of exactly these joints that exists anyway: joining it costs no new run
};

double cost_of(const Tail& tail) {
    if (tail.vertices.empty()) return 0.0;
    return cost_of(tail.joints.size(), tail.vertices.size()) - (tail.run >= 0 ? run_cost(tail.joints.size()) : 0.0);
}

// The tail that two would make together, and what that saves.
double gain(const Tail& a, const Tail& b, std::vector<uint32_t>& joined) {
    joined.clear();
    std::ranges::set_union(a.joints, b.joints, std::back_inserter(joined));
    if (joined.size() > largest_union) return 0.0;
    double together = cost_of(joined.size(), a.vertices.size() + b.vertices.size());
    const bool has_run = (a.run >= 0 && joined == a.joints) || (b.run >= 0 && joined == b.joints);
    if (has_run) together -= run_cost(joined.size());
    return cost_of(a) + cost_of(b) - together;
}

class Merger {
public:
    explicit Merger(std::vector<Tail>& tails) : tails_(tails) {
        for (size_t i = 0; i < tails.size(); ++i) enter(i);
    }

    // Joins tails while that saves anything; each pass visits the smallest first.
    void run() {
        std::vector<size_t> order(tails_.size());
        for (int pass = 0; pass < 8; ++pass) {
            std::iota(order.begin(), order.end(), size_t{0});
            std::ranges::sort(order, {}, [&](size_t i) { return std::pair(tails_[i].vertices.size(), i); });
            size_t merged = 0;
            for (const size_t i : order) merged += !tails_[i].vertices.empty() && merge_best(i);
            if (merged == 0) break;
        }
    }

private:
    static constexpr size_t candidates_per_joint = 64;

    // The tails with one joint. Long lists are looked through a stretch at a time, so that the work stays linear.
    struct Candidates {
        std::vector<size_t> tails;
        size_t next = 0;
    };

    void enter(size_t tail) {
        for (const uint32_t joint : tails_[tail].joints) with_joint_[joint].tails.push_back(tail);
    }

    bool merge_best(size_t i) {
        double best = 0.0;
        size_t partner = i;
        for (const uint32_t joint : tails_[i].joints) {
            Candidates& list = with_joint_[joint];
            for (size_t k = 0; k < std::min(candidates_per_joint, list.tails.size());) {
                list.next = list.next < list.tails.size() ? list.next : 0;
                const size_t other = list.tails[list.next];
                if (tails_[other].vertices.empty()) {
                    list.tails[list.next] = list.tails.back();
                    list.tails.pop_back();
                    continue;
                }
                ++list.next, ++k;
                const double saved = other == i ? 0.0 : gain(tails_[i], tails_[other], joined_);
                if (saved > best || (saved == best && saved > 0.0 && other < partner)) best = saved, partner = other;
            }
        }
        if (partner == i) return false;
        join(partner, i);
        return true;
    }

    void join(size_t into, size_t from) {
        Tail& a = tails_[into];
        Tail& b = tails_[from];
        gain(a, b, joined_);
        if (joined_ == b.joints && b.run >= 0) {
            a.run = b.run;
        } else if (joined_ != a.joints) {
            a.run = -1;
        }
        for (const uint32_t joint : joined_)
            if (!std::ranges::binary_search(a.joints, joint)) with_joint_[joint].tails.push_back(into);
        a.joints = joined_;
        a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
        b.vertices.clear();
    }

    std::vector<Tail>& tails_;
    std::map<uint32_t, Candidates> with_joint_;
    std::vector<uint32_t> joined_;
};

// Each loose vertex takes the pair of its joints that most loose vertices have.
std::vector<LooseVertex> pair_up(const std::vector<uint32_t>& vertices, const SortedJoints& joints) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> count;
    const auto each_pair = [&](uint32_t v, const auto& visit) {
        const auto list = joints.of(v);
        const size_t used = std::min<size_t>(list.size(), largest_union);
        for (size_t a = 0; a < used; ++a)
            for (size_t b = std::min(a + 1, used - 1); b < used; ++b)
                if (a != b || used == 1) visit(std::pair(list[a], list[b]));
    };
    for (const uint32_t v : vertices) each_pair(v, [&](const auto& pair) { ++count[pair]; });
    std::vector<LooseVertex> loose;
    for (const uint32_t v : vertices) {
        std::pair<uint32_t, uint32_t> best{joints.of(v).front(), joints.of(v).back()};
        uint32_t most = 0;
        each_pair(v, [&](const auto& pair) {
            if (const uint32_t c = count.at(pair); c > most) most = c, best = pair;
        });
        loose.push_back({v, {best.first, best.second}});
    }
    std::ranges::sort(loose, {}, [&](const LooseVertex& l) {
        return std::tuple(joints.of(l.vertex).size(), l.pair[0], l.pair[1], l.vertex);
    });
    return loose;
}

}  // namespace

JointSets group_by_joints(const Influences& influences) {
    const SortedJoints joints(influences);
    std::vector<uint32_t> order(influences.vertex_count());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
        const auto x = joints.of(a), y = joints.of(b);
        if (x.size() != y.size()) return x.size() < y.size();
        const auto [i, j] = std::ranges::mismatch(x, y);
        return i != x.end() ? *i < *j : a < b;
    });

    JointSets sets;
    std::vector<Tail> tails;
    std::vector<uint32_t> alone;
    for (size_t begin = 0, end; begin < order.size(); begin = end) {
        for (end = begin; end < order.size() && std::ranges::equal(joints.of(order[end]), joints.of(order[begin]));)
            ++end;
        const std::vector<uint32_t> set(joints.of(order[begin]).begin(), joints.of(order[begin]).end());
        if (set.size() > largest_run) {
            alone.insert(alone.end(), order.begin() + static_cast<ptrdiff_t>(begin),
                         order.begin() + static_cast<ptrdiff_t>(end));
            continue;
        }
        const size_t full = begin + (end - begin) / block_size * block_size;
        const auto at = [&](size_t i) { return order.begin() + static_cast<ptrdiff_t>(i); };
        if (full > begin) sets.runs.push_back({set, {at(begin), at(full)}});
        if (full < end) {
            const int32_t run = full > begin ? static_cast<int32_t>(sets.runs.size()) - 1 : -1;
            tails.push_back({set, {at(full), at(end)}, run});
        }
    }
    Merger(tails).run();
    for (Tail& tail : tails) {
        if (tail.vertices.empty()) continue;
        if (cost_of(tail) > loose_cost * static_cast<double>(tail.vertices.size()) && tail.joints.size() > 1) {
            alone.insert(alone.end(), tail.vertices.begin(), tail.vertices.end());
        } else if (tail.run >= 0) {
            auto& vertices = sets.runs[static_cast<size_t>(tail.run)].vertices;
            vertices.insert(vertices.end(), tail.vertices.begin(), tail.vertices.end());
        } else {
            sets.runs.push_back({std::move(tail.joints), std::move(tail.vertices)});
        }
    }
    std::ranges::sort(sets.runs, [](const JointRun& a, const JointRun& b) {
        return a.joints.size() != b.joints.size() ? a.joints.size() < b.joints.size() : a.joints < b.joints;
    });
    std::ranges::sort(alone);
    sets.loose = pair_up(alone, joints);
    return sets;
}

}  // namespace sinew
