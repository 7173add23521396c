#include <sinew/skin/compiled/joint_tails.h>

#include <algorithm>
#include <map>
#include <queue>

namespace sinew {
namespace {

double cost_of(const JointTail& tail, Looseness looseness) {
    return tail.vertices.empty() ? 0.0 : layout_of(tail, looseness).cost;
}

// The tail that two would make together, and what that saves.
double gain(const JointTail& a, const JointTail& b, Looseness looseness, std::vector<uint32_t>& joined) {
    joined.clear();
    std::ranges::set_union(a.joints, b.joints, std::back_inserter(joined));
    if (joined.size() > largest_union) return 0.0;
    const bool has_run = (a.run >= 0 && joined == a.joints) || (b.run >= 0 && joined == b.joints);
    const double together = best_layout(joined.size(), a.vertices.size() + b.vertices.size(), has_run, looseness).cost;
    return cost_of(a, looseness) + cost_of(b, looseness) - together;
}

class Merger {
public:
    Merger(std::vector<JointTail>& tails, Looseness looseness)
        : tails_(tails),
          looseness_(looseness),
          version_(tails.size(), 0),
          candidates_per_joint_(std::clamp<size_t>((size_t{1} << 20) / (tails.size() + 1), 24, 256)) {}

    void run() {
        for (size_t i = 0; i < tails_.size(); ++i) {
            offer(i);
            enter(i, tails_[i].joints);
        }
        while (!offers_.empty()) {
            const Offer best = offers_.top();
            offers_.pop();
            if (best.from_version != version_[best.from]) continue;  // it has a newer offer, or is gone
            if (best.into_version != version_[best.into]) {
                offer(best.from);
            } else {
                join(best.into, best.from);
                offer(best.into);
            }
        }
    }

private:
    struct Offer {
        double saved = 0.0;
        size_t into = 0, from = 0;
        uint32_t into_version = 0, from_version = 0;  // when this was found

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

    // Offers to join `i` with the best of those that share a joint with it.
    void offer(size_t i) {
        if (tails_[i].vertices.empty()) return;
        Offer best{.from = i, .from_version = version_[i]};
        for (const uint32_t joint : tails_[i].joints) {
            Candidates& list = with_joint_[joint];
            for (size_t k = 0; k < std::min(candidates_per_joint_, list.tails.size());) {
                list.next = list.next < list.tails.size() ? list.next : 0;
                const size_t other = list.tails[list.next];
                if (tails_[other].vertices.empty()) {
                    list.tails[list.next] = list.tails.back();
                    list.tails.pop_back();
                    continue;
                }
                ++list.next, ++k;
                const double saved = other == i ? 0.0 : gain(tails_[i], tails_[other], looseness_, joined_);
                if (saved > best.saved || (saved == best.saved && saved > 0.0 && other < best.into))
                    best.saved = saved, best.into = other, best.into_version = version_[other];
            }
        }
        if (best.saved > 0.0) offers_.push(best);
    }

    void join(size_t into, size_t from) {
        JointTail& a = tails_[into];
        JointTail& b = tails_[from];
        gain(a, b, looseness_, joined_);
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

    std::vector<JointTail>& tails_;
    Looseness looseness_;
    std::vector<uint32_t> version_;
    size_t candidates_per_joint_;  // fewer where there are many tails, so that all takes seconds at most
    std::priority_queue<Offer> offers_;
    std::map<uint32_t, Candidates> with_joint_;
    std::vector<uint32_t> joined_;
};

}  // namespace

SetLayout layout_of(const JointTail& tail, Looseness looseness) {
    return best_layout(tail.joints.size(), tail.vertices.size(), tail.run >= 0, looseness);
}

void merge_tails(std::vector<JointTail>& tails, Looseness looseness) {
    Merger(tails, looseness).run();
    std::erase_if(tails, [](const JointTail& tail) { return tail.vertices.empty(); });
}

}  // namespace sinew
