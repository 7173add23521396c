#include <sinew/skin/joint_sets.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace sinew {
namespace {

// What a kernel spends, in nanoseconds of a machine with AVX2 (only ratios matter): halfway between positions alone and
// all attributes. A block blends the entries of one set of matrices, which its run has prepared; an octet blends for
// half as many, with nothing prepared; a loose vertex is moved on its own, which costs most when rotations are blended.
constexpr double block_cost(size_t joints) {
    return 4.6 * static_cast<double>(joints) + 9.0;
}
constexpr double run_cost(size_t joints) {
    return 2.3 * static_cast<double>(joints) + 3.5;
}
constexpr double octet_cost(size_t joints) {
    return 2.6 * static_cast<double>(joints) + 6.5;
}
constexpr double loose_cost = 7.0;
// Having any loose vertices: their kernel begins, and reads joints in a form of its own.
constexpr double loose_begin_cost = 50.0, loose_joint_cost = 6.0;

constexpr size_t pieces(size_t vertices, size_t size) {
    return (vertices + size - 1) / size;
}

// How vertices of one joint set are laid out: so many in blocks of a run, then so many in octets, the others loose.
struct Layout {
    size_t in_run = 0, in_octets = 0;
    double cost = 0.0;
};

enum class Looseness { none, allowed };

// The cheapest.
Layout best_layout(size_t k, size_t vertices, bool has_run, Looseness looseness = Looseness::allowed) {
    const size_t whole = vertices / block_size * block_size;
    const auto cost = [&](size_t in_run, size_t in_octets) {
        const double run = in_run > 0 && !has_run ? run_cost(k) : 0.0;
        return run + block_cost(k) * static_cast<double>(pieces(in_run, block_size)) +
               octet_cost(k) * static_cast<double>(pieces(in_octets, octet_size)) +
               loose_cost * static_cast<double>(vertices - in_run - in_octets);
    };
    Layout best{vertices, 0, cost(vertices, 0)};
    const auto offer = [&](size_t in_run, size_t in_octets) {
        if (const double c = cost(in_run, in_octets); c < best.cost) best = {in_run, in_octets, c};
    };
    offer(whole, vertices - whole);
    offer(0, vertices);
    if (k > 1 && looseness == Looseness::allowed) offer(0, vertices / octet_size * octet_size);
    return best;
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

// The vertices that do not fill their set's blocks or octets, and may share some with those of other sets.
struct Tail {
    std::vector<uint32_t> joints;
    std::vector<uint32_t> vertices;
    int32_t run = -1;  // a run of exactly these joints that exists anyway: joining it costs no new run
};

Layout layout_of(const Tail& tail, Looseness looseness = Looseness::allowed) {
    return best_layout(tail.joints.size(), tail.vertices.size(), tail.run >= 0, looseness);
}

double cost_of(const Tail& tail) {
    return tail.vertices.empty() ? 0.0 : layout_of(tail).cost;
}

// The tail that two would make together, and what that saves.
double gain(const Tail& a, const Tail& b, std::vector<uint32_t>& joined) {
    joined.clear();
    std::ranges::set_union(a.joints, b.joints, std::back_inserter(joined));
    if (joined.size() > largest_union) return 0.0;
    const bool has_run = (a.run >= 0 && joined == a.joints) || (b.run >= 0 && joined == b.joints);
    const double together = best_layout(joined.size(), a.vertices.size() + b.vertices.size(), has_run).cost;
    return cost_of(a) + cost_of(b) - together;
}

// Joins tails, the two that save most first, until nothing is saved any more.
class Merger {
public:
    explicit Merger(std::vector<Tail>& tails) : tails_(tails), version_(tails.size(), 0) {}

    void run() {
        for (size_t i = 0; i < tails_.size(); ++i) {
            offer(i);
            enter(i, tails_[i].joints);
        }
        while (!offers_.empty()) {
            const Offer best = offers_.top();
            offers_.pop();
            if (best.version != std::pair(version_[best.into], version_[best.from])) continue;
            join(best.into, best.from);
            offer(best.into);
        }
    }

private:
    static constexpr size_t candidates_per_joint = 64;

    struct Offer {
        double saved = 0.0;
        size_t into = 0, from = 0;
        std::pair<uint32_t, uint32_t> version;  // of the two when this was found

        bool operator<(const Offer& other) const {
            return std::tuple(saved, other.into, other.from) < std::tuple(other.saved, into, from);
        }
    };

    // The tails with one joint. Long lists are looked through a stretch at a time, so that the work stays linear.
    struct Candidates {
        std::vector<size_t> tails;
        size_t next = 0;
    };

    void enter(size_t tail, std::span<const uint32_t> joints) {
        for (const uint32_t joint : joints) with_joint_[joint].tails.push_back(tail);
    }

    // Offers to join `i` with each of those that share a joint with it.
    void offer(size_t i) {
        if (tails_[i].vertices.empty()) return;
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
                if (saved > 0.0) offers_.push({saved, other, i, {version_[other], version_[i]}});
            }
        }
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
        std::vector<uint32_t> added;
        std::ranges::set_difference(joined_, a.joints, std::back_inserter(added));
        enter(into, added);
        a.joints = joined_;
        a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
        b.vertices.clear();
        ++version_[into], ++version_[from];
    }

    std::vector<Tail>& tails_;
    std::vector<uint32_t> version_;
    std::priority_queue<Offer> offers_;
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

// Takes what fills blocks or octets of its own set; the rest is a tail.
Tail take_whole(std::vector<uint32_t> set, std::span<const uint32_t> vertices, JointSets& sets) {
    const bool as_run = best_layout(set.size(), vertices.size(), false).in_run > 0;
    const size_t size = as_run ? block_size : octet_size, whole = vertices.size() / size * size;
    const auto first = vertices.first(whole), rest = vertices.subspan(whole);
    Tail tail{std::move(set), {rest.begin(), rest.end()}};
    if (as_run && whole > 0) tail.run = static_cast<int32_t>(sets.runs.size());
    if (whole > 0) (as_run ? sets.runs : sets.octets).push_back({tail.joints, {first.begin(), first.end()}});
    return tail;
}

// What merging left: to a run, to octets, or to be loose.
void place(const Tail& tail, Looseness looseness, JointSets& sets, std::vector<uint32_t>& alone) {
    const Layout layout = layout_of(tail, looseness);
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

// Whether loose vertices save more than they cost to begin with.
Looseness choose_looseness(std::span<const Tail> tails) {
    double saved = 0.0;
    std::vector<uint32_t> joints;
    for (const Tail& tail : tails) {
        const Layout with = layout_of(tail);
        saved += layout_of(tail, Looseness::none).cost - with.cost;
        if (with.in_run + with.in_octets < tail.vertices.size())
            joints.insert(joints.end(), tail.joints.begin(), tail.joints.end());
    }
    std::ranges::sort(joints);
    const auto used = static_cast<double>(std::ranges::unique(joints).begin() - joints.begin());
    return saved > loose_begin_cost + loose_joint_cost * used ? Looseness::allowed : Looseness::none;
}

bool fewer_joints_first(const JointRun& a, const JointRun& b) {
    return a.joints.size() != b.joints.size() ? a.joints.size() < b.joints.size() : a.joints < b.joints;
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
    Merger(tails).run();
    std::erase_if(tails, [](const Tail& tail) { return tail.vertices.empty(); });
    const Looseness looseness = choose_looseness(tails);
    for (const Tail& tail : tails) place(tail, looseness, sets, alone);
    std::ranges::stable_sort(sets.runs, fewer_joints_first);
    std::ranges::stable_sort(sets.octets, fewer_joints_first);
    std::ranges::sort(alone);
    sets.loose = pair_up(alone, joints);
    return sets;
}

}  // namespace sinew
