#include <sinew/skin/compiled/joint_sets.h>

#include <sinew/skin/compiled/joint_tails.h>
#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

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

// Takes what fills blocks or octets of its own set; the rest is a tail.
JointTail take_whole(std::vector<uint32_t> set, std::span<const uint32_t> vertices, JointSets& sets) {
    const bool as_run = best_layout(set.size(), vertices.size(), false, Looseness::none).in_run > 0;
    const size_t size = as_run ? block_size : octet_size, whole = vertices.size() / size * size;
    const auto first = vertices.first(whole), rest = vertices.subspan(whole);
    JointTail tail{std::move(set), {rest.begin(), rest.end()}};
    if (as_run && whole > 0) tail.run = static_cast<int32_t>(sets.runs.size());
    if (whole > 0) (as_run ? sets.runs : sets.octets).push_back({tail.joints, {first.begin(), first.end()}});
    return tail;
}

// What merging left: to a run, to octets, or to be loose.
void place(const JointTail& tail, Looseness looseness, JointSets& sets, std::vector<uint32_t>& alone) {
    const SetLayout layout = layout_of(tail, looseness);
    const auto in_run = tail.vertices.begin() + static_cast<ptrdiff_t>(layout.in_run);
    const auto in_octets = in_run + static_cast<ptrdiff_t>(layout.in_octets);
    if (layout.in_run > 0 && tail.run >= 0) {
        auto& vertices = sets.runs[static_cast<size_t>(tail.run)].vertices;
        vertices.insert(vertices.end(), tail.vertices.begin(), in_run);
    } else if (layout.in_run > 0) {
        sets.runs.push_back({tail.joints, {tail.vertices.begin(), in_run}});
    }
    if (layout.in_octets > 0) sets.octets.push_back({tail.joints, {in_run, in_octets}});
    alone.insert(alone.end(), in_octets, tail.vertices.end());
}

// What tails cost, and what it takes to have loose vertices at all.
double total_cost(std::span<const JointTail> tails, Looseness looseness) {
    double cost = 0.0;
    std::vector<uint32_t> loose_joints;
    for (const JointTail& tail : tails) {
        const SetLayout layout = layout_of(tail, looseness);
        cost += layout.cost;
        if (layout.in_run + layout.in_octets < tail.vertices.size())
            loose_joints.insert(loose_joints.end(), tail.joints.begin(), tail.joints.end());
    }
    if (loose_joints.empty()) return cost;
    std::ranges::sort(loose_joints);
    const auto used = std::unique(loose_joints.begin(), loose_joints.end()) - loose_joints.begin();
    return cost + loose_begin_cost + loose_joint_cost * static_cast<double>(used);
}

// Merges with loose vertices and without, and keeps what costs less.
Looseness merge_best(std::vector<JointTail>& tails) {
    std::vector<JointTail> loose = tails;
    merge_tails(loose, Looseness::allowed);
    merge_tails(tails, Looseness::none);
    if (total_cost(loose, Looseness::allowed) >= total_cost(tails, Looseness::none)) return Looseness::none;
    tails = std::move(loose);
    return Looseness::allowed;
}

// Those that fill their blocks or octets come first, so that most results are stored to whole cache lines; then fewer
// joints first, so that one after the other takes the same path through a kernel.
void put_in_order(std::vector<JointRun>& runs, uint32_t size) {
    std::vector<JointRun> rests;
    for (JointRun& run : runs) {
        const size_t whole = run.vertices.size() / size * size;
        if (size == block_size || whole == 0 || whole == run.vertices.size()) continue;
        rests.push_back({run.joints, {run.vertices.begin() + static_cast<ptrdiff_t>(whole), run.vertices.end()}});
        run.vertices.resize(whole);
    }
    runs.insert(runs.end(), rests.begin(), rests.end());
    std::ranges::stable_sort(runs, {}, [&](const JointRun& run) {
        return std::tuple(run.vertices.size() % size != 0, run.joints.size(), run.joints);
    });
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
    std::vector<JointTail> tails;
    std::vector<uint32_t> alone;
    for (size_t begin = 0, end; begin < order.size(); begin = end) {
        for (end = begin; end < order.size() && std::ranges::equal(joints.of(order[end]), joints.of(order[begin]));)
            ++end;
        const auto set = joints.of(order[begin]);
        const auto same = std::span<const uint32_t>(order).subspan(begin, end - begin);
        if (set.size() > largest_run) {
            alone.insert(alone.end(), same.begin(), same.end());
        } else if (set.back() == no_joint) {
            sets.runs.push_back({{no_joint}, {same.begin(), same.end()}});
        } else {
            tails.push_back(take_whole({set.begin(), set.end()}, same, sets));
        }
    }
    const Looseness looseness = merge_best(tails);
    for (const JointTail& tail : tails) place(tail, looseness, sets, alone);
    put_in_order(sets.runs, block_size);
    put_in_order(sets.octets, octet_size);
    std::ranges::sort(alone);
    sets.loose = pair_up(alone, joints);
    return sets;
}

}  // namespace sinew
