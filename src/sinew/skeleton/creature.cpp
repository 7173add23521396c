#include <sinew/skeleton/creature.h>

#include <sinew/skeleton/creature_pairs.h>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr double stands_cos = 0.6;       // a leg goes down by this share of its straight length, at least
constexpr double lone_pair_cos = 0.75;   // a body's only pair of legs; the fins of a fish slant more
constexpr double near_ground = 0.25;     // feet end within this share of their leg above the lowest foot
constexpr double sole_share = 0.12;      // the joint that meets the ground lies this low, as a share of the leg
constexpr double least_leg = 0.06;       // of the body's size: shorter pairs are ears and whiskers
constexpr double flat_trunk_sin = 0.42;  // 25 degrees: a bird's trunk rises less, a biped's more
constexpr double wing_over_leg = 1.5;    // wings are longer than legs by this much, arms are not
constexpr double least_tail = 0.05;      // of the body's size
constexpr double legs_apart = 0.15;      // of a leg: front and hind legs stand this far from each other, at least
constexpr size_t least_serpent = 5;      // joints
constexpr double serpent_slope = 0.7;  // a snake lies: its ends differ in height by less than this share of its length

struct LegFit {
    size_t socket = 0, low = 0;  // indices into the chain
    double drop = 0;             // from the socket to the lowest joint
    double down = 0;             // cosine of the straight line from socket to foot, downwards
    double ground = 0;           // height of the lowest joint
};

double height(const CreatureTree& tree, int32_t joint, const Vec3d& up) {
    return tree.at(joint).dot(up);
}

LegFit fit_leg(const CreatureTree& tree, const JointChain& chain, const Vec3d& up) {
    LegFit fit;
    fit.ground = INFINITY;
    double top = -INFINITY;
    for (const int32_t joint : chain) {
        fit.ground = std::min(fit.ground, height(tree, joint, up));
        top = std::max(top, height(tree, joint, up));
    }
    while (fit.low + 1 < chain.size() &&
           height(tree, chain[fit.low], up) - fit.ground > sole_share * (top - fit.ground))
        ++fit.low;
    // A pelvis or a shoulder blade may come first: the leg begins where the way down is straightest.
    for (size_t i = 0; i < std::min<size_t>(2, fit.low); ++i) {
        const Vec3d way = tree.at(chain[fit.low]) - tree.at(chain[i]);
        const double down = way.norm() > 0 ? -way.dot(up) / way.norm() : 0.0;
        if (i > 0 && down < fit.down + 0.02) continue;
        fit.socket = i;
        fit.down = down;
        fit.drop = -way.dot(up);
    }
    return fit;
}

// Everything that is found out about one body, with one direction taken as up.
struct Reading {
    const CreatureTree& tree;
    PairedBody body;
    Vec3d up;
    std::vector<const BranchPair*> legs, others;  // others: arms, wings, fins; ears and the like are in neither
    double ground = 0;

    bool on_trunk(int32_t joint) const { return !body.paired[static_cast<size_t>(joint)]; }
};

double pair_height(const CreatureTree& tree, const BranchPair& pair, const Vec3d& up) {
    return std::min(fit_leg(tree, pair.chain[0], up).ground, fit_leg(tree, pair.chain[1], up).ground);
}

bool may_stand(const CreatureTree& tree, const BranchPair& pair) {
    return pair.part != CreaturePart::wing && pair.part != CreaturePart::fin && pair.part != CreaturePart::face &&
           pair.part != CreaturePart::jaw && pair.length > least_leg * tree.size && pair.chain[0].size() >= 2;
}

Reading read_body(const CreatureTree& tree, const Vec3d& up) {
    Reading reading{tree, find_pairs(tree, up), up, {}, {}, 0};
    double floor = INFINITY;
    for (const BranchPair& pair : reading.body.pairs)
        if (may_stand(tree, pair)) floor = std::min(floor, pair_height(tree, pair, up));
    for (const BranchPair& pair : reading.body.pairs) {
        const LegFit a = fit_leg(tree, pair.chain[0], up), b = fit_leg(tree, pair.chain[1], up);
        const double drop = 0.5 * (a.drop + b.drop);
        const bool stands = may_stand(tree, pair) && 0.5 * (a.down + b.down) >= stands_cos &&
                            std::min(a.ground, b.ground) - floor < near_ground * drop && drop > least_leg * tree.size;
        if (stands)
            reading.legs.push_back(&pair);
        else if (pair.part != CreaturePart::face && pair.part != CreaturePart::jaw &&
                 pair.length > least_leg * tree.size)
            reading.others.push_back(&pair);
    }
    // One pair that slants much is a pair of fins or of drooping arms, unless its names say legs.
    if (reading.legs.size() == 1 && reading.legs[0]->part != CreaturePart::leg &&
        fit_leg(tree, reading.legs[0]->chain[0], up).down < lone_pair_cos) {
        reading.others.push_back(reading.legs[0]);
        reading.legs.clear();
    }
    reading.ground = INFINITY;
    for (const BranchPair* leg : reading.legs) reading.ground = std::min(reading.ground, pair_height(tree, *leg, up));
    for (size_t j = 0; reading.legs.empty() && j < tree.position.size(); ++j)
        if (!tree.out[j]) reading.ground = std::min(reading.ground, tree.position[j].dot(up));
    if (!std::isfinite(reading.ground)) reading.ground = 0;
    return reading;
}

Vec3d middle(const CreatureTree& tree, const JointChain& joints) {
    Vec3d sum = Vec3d::Zero();
    for (const int32_t joint : joints) sum += tree.at(joint);
    return joints.empty() ? sum : Vec3d(sum / static_cast<double>(joints.size()));
}

// A signed vote for `axis` (positive) or against it, from −1 to 1 by how far it leans; nothing below 2% of the size.
double lean(const CreatureTree& tree, const Vec3d& offset, const Vec3d& axis) {
    const double along = offset.dot(axis);
    return std::abs(along) < 0.02 * tree.size ? 0.0 : (along > 0 ? 1.0 : -1.0);
}

struct NamedPlaces {
    JointChain head, tail, front, hind, all;
};

NamedPlaces find_named_places(const CreatureTree& tree) {
    NamedPlaces places;
    for (size_t j = 0; j < tree.names.size(); ++j) {
        if (tree.out[j]) continue;
        const auto joint = static_cast<int32_t>(j);
        const CreatureName& name = tree.names[j];
        const bool head = name.part == CreaturePart::head || name.part == CreaturePart::neck ||
                          name.part == CreaturePart::face || name.part == CreaturePart::jaw;
        if (head) places.head.push_back(joint);
        if (name.part == CreaturePart::tail) places.tail.push_back(joint);
        if (name.place == LegPlace::front) places.front.push_back(joint);
        if (name.place == LegPlace::hind) places.hind.push_back(joint);
        if (tree.parent(joint) >= 0) places.all.push_back(joint);
    }
    return places;
}

// Which way along `axis` the names say is ahead; zero where they say nothing.
double vote_by_names(const Reading& reading, const Vec3d& axis) {
    const CreatureTree& tree = reading.tree;
    const NamedPlaces places = find_named_places(tree);
    double vote = 0;
    const Vec3d all = middle(tree, places.all);
    const Vec3d head = places.head.empty() ? all : middle(tree, places.head);
    const Vec3d tail = places.tail.empty() ? all : middle(tree, places.tail);
    if (!places.head.empty() || !places.tail.empty()) vote += 10 * lean(tree, head - tail, axis);
    if (!places.front.empty() && !places.hind.empty())
        vote += 6 * lean(tree, middle(tree, places.front) - middle(tree, places.hind), axis);
    Vec3d left = Vec3d::Zero();
    for (const BranchPair& pair : reading.body.pairs) {
        for (size_t i = 0; i < pair.chain[0].size(); ++i) {
            const Side side = tree.name(pair.chain[0][i]).side;
            const Vec3d d = tree.at(pair.chain[0][i]) - tree.at(pair.chain[1][i]);
            if (side != Side::none) left += side == Side::left ? d : Vec3d(-d);
        }
    }
    return vote + 8 * lean(tree, left.cross(reading.up), axis);
}

// The same from structure: front legs and wings hang deeper in the tree than hind legs; toes point ahead; ears and
// other small pairs are on the head; fins sweep back; a head is carried higher than a tail.
double vote_by_structure(const Reading& reading, const Vec3d& axis) {
    const CreatureTree& tree = reading.tree;
    double vote = 0;
    const BranchPair *deep = nullptr, *shallow = nullptr;
    std::vector<const BranchPair*> limbs = reading.legs;
    if (reading.legs.size() < 2) limbs.insert(limbs.end(), reading.others.begin(), reading.others.end());
    for (const BranchPair* pair : limbs) {
        const auto depth = [&](const BranchPair* p) { return tree.depth[static_cast<size_t>(p->base)]; };
        if (!deep || depth(pair) > depth(deep)) deep = pair;
        if (!shallow || depth(pair) < depth(shallow)) shallow = pair;
    }
    if (!reading.legs.empty() && deep != shallow && tree.is_above(shallow->base, deep->base))
        vote += 2 * lean(tree, tree.at(deep->base) - tree.at(shallow->base), axis);
    for (const BranchPair* leg : reading.legs) {
        Vec3d toes = Vec3d::Zero();
        for (const JointChain& chain : leg->chain) {
            const size_t low = fit_leg(tree, chain, reading.up).low;
            toes += tree.at(chain.back()) - tree.at(chain[low > 0 && low + 1 == chain.size() ? low - 1 : low]);
        }
        const double along = toes.dot(axis);
        if (std::abs(along) > 0.02 * leg->length) vote += along > 0 ? 1.0 : -1.0;
    }
    Vec3d small = Vec3d::Zero(), trunk = Vec3d::Zero();
    double small_count = 0, trunk_count = 0;
    Vec3d highest = Vec3d::Zero();
    double top = -INFINITY;
    for (const BranchPair& pair : reading.body.pairs) {
        const bool limb = std::ranges::find(reading.legs, &pair) != reading.legs.end() ||
                          std::ranges::find(reading.others, &pair) != reading.others.end();
        if (limb) continue;
        small += tree.at(pair.base);
        small_count += 1;
    }
    for (size_t j = 0; j < tree.position.size(); ++j) {
        if (tree.out[j] || !reading.on_trunk(static_cast<int32_t>(j)) || tree.parent(static_cast<int32_t>(j)) < 0)
            continue;
        trunk += tree.position[j];
        trunk_count += 1;
        if (tree.position[j].dot(reading.up) > top) {
            top = tree.position[j].dot(reading.up);
            highest = tree.position[j];
        }
    }
    if (trunk_count == 0) return vote;
    trunk /= trunk_count;
    if (small_count > 0) vote += 2 * lean(tree, small / small_count - trunk, axis);
    if (!reading.legs.empty()) vote += lean(tree, highest - trunk, axis);
    for (const BranchPair* pair : reading.others)
        if (reading.legs.empty())
            vote +=
                2 * lean(tree,
                         tree.at(pair->base) - 0.5 * (tree.at(pair->chain[0].back()) + tree.at(pair->chain[1].back())),
                         axis);
    return vote;
}

Vec3d find_forward(const Reading& reading) {
    Vec3d axis = Vec3d::Zero();
    if (!reading.body.across.isZero()) {
        axis = reading.body.across.cross(reading.up).normalized();
    } else {
        // Without pairs, the body's longest horizontal extent.
        const CreatureTree& tree = reading.tree;
        Vec3d mean = Vec3d::Zero();
        double count = 0;
        for (size_t j = 0; j < tree.position.size(); ++j)
            if (!tree.out[j]) mean += tree.position[j], count += 1;
        mean /= std::max(count, 1.0);
        Vec3d far = Vec3d::Zero();
        for (size_t j = 0; j < tree.position.size(); ++j) {
            Vec3d d = tree.position[j] - mean;
            d -= d.dot(reading.up) * reading.up;
            if (!tree.out[j] && d.norm() > far.norm() * (1 + 1e-9)) far = d;
        }
        if (far.norm() > 1e-9 * std::max(tree.size, 1e-12)) axis = far.normalized();
    }
    if (axis.isZero() || !axis.allFinite()) {
        axis = Vec3d::UnitZ() - reading.up.z() * reading.up;
        if (axis.norm() < 0.5) axis = Vec3d::UnitX();
        axis.normalize();
    }
    double vote = vote_by_names(reading, axis);
    if (vote == 0) vote = vote_by_structure(reading, axis);
    // A tie: characters face +Z, and where they cannot, +X.
    if (vote == 0) vote = std::abs(axis.z()) > 1e-3 ? axis.z() : axis.x() + axis.y();
    return vote < 0 ? Vec3d(-axis) : axis;
}

// The way from one trunk joint to another, both included.
JointChain path_between(const CreatureTree& tree, int32_t from, int32_t to) {
    const int32_t top = tree.meet(from, to);
    if (top < 0) return {from};
    JointChain path, down;
    for (int32_t j = from; j != top; j = tree.parent(j)) path.push_back(j);
    path.push_back(top);
    for (int32_t j = to; j != top; j = tree.parent(j)) down.push_back(j);
    path.insert(path.end(), down.rbegin(), down.rend());
    return path;
}

struct ScoredPath {
    JointChain joints;
    double score = 0;
};

// The best way through trunk joints, from a neighbour of one of `from` to a leaf, that avoids the joints in `from`.
template <typename Score>
ScoredPath best_path(const Reading& reading, const JointChain& from, const Score& score) {
    ScoredPath best;
    const CreatureTree& tree = reading.tree;
    const auto in_from = [&](int32_t joint) { return std::ranges::find(from, joint) != from.end(); };
    for (size_t leaf = 0; leaf < tree.position.size(); ++leaf) {
        const auto tip = static_cast<int32_t>(leaf);
        if (tree.out[leaf] || !reading.on_trunk(tip) || in_from(tip)) continue;
        const bool ends = std::ranges::none_of(tree.below(tip), [&](int32_t child) { return reading.on_trunk(child); });
        if (!ends) continue;
        JointChain path;
        int32_t joint = tip;
        while (joint >= 0 && !in_from(joint)) {
            path.push_back(joint);
            joint = tree.parent(joint);
        }
        if (joint < 0) continue;
        std::ranges::reverse(path);
        const double s = score(joint, path);
        if (s > best.score + 1e-9) best = {std::move(path), s};
    }
    return best;
}

bool names_any(const CreatureTree& tree, const JointChain& chain, std::initializer_list<CreaturePart> parts) {
    return std::ranges::any_of(
        chain, [&](int32_t joint) { return std::ranges::find(parts, tree.name(joint).part) != parts.end(); });
}

// Neck and head: the way ahead and up from the front of the spine.
void find_neck_and_head(const Reading& reading, const Vec3d& forward, CreatureMap& map) {
    const CreatureTree& tree = reading.tree;
    const JointChain& spine = map.spine;
    const auto score = [&](int32_t start, const JointChain& path) {
        const Vec3d reach = tree.at(path.back()) - tree.at(spine.back());
        double s = (reach.dot(forward) + 0.5 * reach.dot(reading.up)) / std::max(tree.size, 1e-12);
        if (s < 0.02 && !names_any(tree, path, {CreaturePart::head})) return 0.0;
        if (names_any(tree, path, {CreaturePart::tail})) return 0.0;
        if (names_any(tree, path, {CreaturePart::head})) s += 3;
        if (names_any(tree, path, {CreaturePart::neck})) s += 1;
        if (names_any(tree, path, {CreaturePart::jaw})) s -= 0.5;
        const auto steps = spine.end() - std::ranges::find(spine, start) - 1;
        return s - 0.1 * static_cast<double>(steps);
    };
    const JointChain path = best_path(reading, spine, score).joints;
    if (path.empty()) return;
    size_t head = path.size();
    for (size_t i = 0; i < path.size() && head == path.size(); ++i)
        if (tree.name(path[i]).part == CreaturePart::head) head = i;
    // Ears, eyes and jaws branch off the head.
    for (size_t i = 0; i < path.size() && head == path.size(); ++i)
        if (tree.below(path[i]).size() >= 2) head = i;
    if (head == path.size()) head = path.size() >= 3 ? path.size() - 2 : path.size() - 1;
    map.neck.assign(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(head));
    map.head.assign(path.begin() + static_cast<std::ptrdiff_t>(head), path.end());
    JointChain above = map.neck;  // a jaw may hang beside the head
    above.insert(above.end(), map.head.begin(), map.head.end());
    const auto jaw_score = [&](int32_t start, const JointChain& way) {
        if (names_any(tree, way, {CreaturePart::jaw})) return 3.0 - 0.01 * static_cast<double>(way.size());
        if (std::ranges::find(map.head, start) == map.head.end()) return 0.0;
        const Vec3d off = tree.at(way.back()) - tree.at(map.head.back());
        return names_any(tree, way, {CreaturePart::face}) ? 0.0 : -off.dot(reading.up) / std::max(tree.size, 1e-12);
    };
    map.jaw = best_path(reading, above, jaw_score).joints;
    const auto begin =
        std::ranges::find_if(map.jaw, [&](int32_t joint) { return tree.name(joint).part == CreaturePart::jaw; });
    if (begin != map.jaw.end()) map.jaw.erase(map.jaw.begin(), begin);
}

// The tail: the way behind the hind legs. Rigify calls it spine.
void find_tail(const Reading& reading, const Vec3d& forward, CreatureMap& map) {
    const CreatureTree& tree = reading.tree;
    const auto score = [&](int32_t start, const JointChain& path) {
        const Vec3d reach = tree.at(path.back()) - tree.at(map.spine.front());
        const double back = -reach.dot(forward), drop = -reach.dot(reading.up);
        const bool named = names_any(tree, path, {CreaturePart::tail});
        if (names_any(tree, path, {CreaturePart::head, CreaturePart::neck, CreaturePart::jaw})) return 0.0;
        if (!named && (back < least_tail * tree.size || back < 0.5 * drop)) return 0.0;
        const auto steps = std::ranges::find(map.spine, start) - map.spine.begin();
        return (named ? 3.0 : 0.0) + back / std::max(tree.size, 1e-12) - 0.1 * static_cast<double>(steps);
    };
    JointChain taken = map.spine;
    taken.insert(taken.end(), map.neck.begin(), map.neck.end());
    taken.insert(taken.end(), map.head.begin(), map.head.end());
    JointChain path = best_path(reading, taken, score).joints;
    map.tail = std::move(path);
}

CreatureLimb make_limb(const Reading& reading, const JointChain& chain, const Vec3d& left, const Vec3d& middle_at,
                       bool leg) {
    CreatureLimb limb{chain, Side::none, 0, chain.size() - 1};
    limb.side = (middle(reading.tree, chain) - middle_at).dot(left) >= 0 ? Side::left : Side::right;
    if (leg) {
        const LegFit fit = fit_leg(reading.tree, chain, reading.up);
        limb.socket = fit.socket;
        limb.foot = fit.low;
    }
    return limb;
}

std::vector<CreatureLimb> make_limbs(const Reading& reading, std::vector<const BranchPair*> pairs, const Vec3d& forward,
                                     bool legs) {
    const auto ahead = [&](const BranchPair* pair) {
        const size_t at = std::min<size_t>(1, pair->chain[0].size() - 1);  // shoulder blades lie far back
        return (reading.tree.at(pair->chain[0][at]) + reading.tree.at(pair->chain[1][at])).dot(forward);
    };
    std::ranges::stable_sort(pairs, [&](const auto* a, const auto* b) { return ahead(a) > ahead(b); });
    const Vec3d left = reading.up.cross(forward);
    std::vector<CreatureLimb> limbs;
    for (const BranchPair* pair : pairs) {
        const Vec3d mid = 0.5 * (middle(reading.tree, pair->chain[0]) + middle(reading.tree, pair->chain[1]));
        CreatureLimb a = make_limb(reading, pair->chain[0], left, mid, legs);
        CreatureLimb b = make_limb(reading, pair->chain[1], left, mid, legs);
        b.socket = a.socket = std::min(a.socket, b.socket);  // both sides alike
        b.foot = a.foot = std::max(a.foot, b.foot);
        b.side = a.side == Side::left ? Side::right : Side::left;
        if (a.side == Side::right) std::swap(a, b);
        limbs.push_back(std::move(a));
        limbs.push_back(std::move(b));
    }
    return limbs;
}

// All chains of a body of no known kind: at each joint the longest branch goes on, the others begin chains of their
// own.
std::vector<JointChain> decompose(const CreatureTree& tree) {
    std::vector<JointChain> chains;
    std::vector<char> done(tree.position.size(), 0);
    for (size_t j = 0; j < tree.position.size(); ++j) {
        if (tree.out[j] || done[j]) continue;
        JointChain chain = tree.longest_chain(static_cast<int32_t>(j));
        for (const int32_t joint : chain) done[static_cast<size_t>(joint)] = 1;
        if (chain.size() >= 2) chains.push_back(std::move(chain));
    }
    return chains;
}

double trunk_rise(const CreatureTree& tree, const JointChain& spine, const Vec3d& up) {
    const Vec3d way = tree.at(spine.back()) - tree.at(spine.front());
    return way.norm() > 0 ? way.dot(up) / way.norm() : 0.0;
}

// The joint at which the ways to all chains part.
int32_t common_root(const CreatureTree& tree, const CreatureMap& map) {
    int32_t root = -2;
    const auto add = [&](const JointChain& chain, bool with_parent) {
        if (chain.empty()) return;
        const int32_t joint = with_parent ? tree.parent(chain.front()) : chain.front();
        root = root == -2 ? joint : tree.meet(root, joint);
    };
    for (const int32_t joint : map.spine) add({joint}, false);
    for (const JointChain* chain : {&map.neck, &map.head, &map.tail}) add(*chain, true);
    for (const auto* limbs : {&map.legs, &map.arms, &map.wings})
        for (const CreatureLimb& limb : *limbs) add(limb.joints, true);
    return std::max(root, -1);
}

void place_others(const Reading& reading, const Vec3d& forward, CreatureMap& map) {
    std::vector<const BranchPair*> arms, wings, fins;
    const auto legs = static_cast<double>(reading.legs.size());
    double leg_length = 0;
    for (const BranchPair* leg : reading.legs) leg_length += leg->length / legs;
    for (const BranchPair* pair : reading.others) {
        const bool on_head = std::ranges::find(map.head, pair->base) != map.head.end();
        if (on_head && pair->part == CreaturePart::none) continue;  // ears
        const bool flat = reading.legs.size() == 1 && trunk_rise(reading.tree, map.spine, reading.up) < flat_trunk_sin;
        const bool wing =
            pair->part == CreaturePart::wing || (pair->part == CreaturePart::none && !reading.legs.empty() &&
                                                 (flat || pair->length > wing_over_leg * leg_length));
        if (wing)
            wings.push_back(pair);
        else if (pair->part == CreaturePart::fin || reading.legs.empty())
            fins.push_back(pair);
        else if (pair->part != CreaturePart::tail && pair->part != CreaturePart::trunk)
            arms.push_back(pair);
    }
    map.arms = make_limbs(reading, arms, forward, false);
    map.wings = make_limbs(reading, wings, forward, false);
    map.fins = make_limbs(reading, fins, forward, false);
}

// The pair of arms or wings that is longest: its base ends the spine of a body on two legs.
const BranchPair* main_upper_pair(const Reading& reading, int32_t hips) {
    const BranchPair* best = nullptr;
    for (const BranchPair* pair : reading.others)
        if (pair->base != hips && pair->part != CreaturePart::tail && (!best || pair->length > best->length))
            best = pair;
    return best;
}

std::optional<CreatureMap> with_legs(const Reading& reading, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    CreatureMap map;
    map.legs = make_limbs(reading, reading.legs, forward, true);
    const int32_t hind = tree.parent(map.legs.back().joints.front());
    int32_t front = tree.parent(map.legs.front().joints.front());
    if (reading.legs.size() == 1) {
        const BranchPair* upper = main_upper_pair(reading, hind);
        front = upper ? upper->base : hind;
    } else {
        const auto socket = [&](const CreatureLimb& leg) { return tree.at(leg.joints[leg.socket]); };
        const double apart = (socket(map.legs.front()) - socket(map.legs.back())).dot(forward);
        if (apart < legs_apart * reading.legs[0]->length) return std::nullopt;
    }
    map.spine = path_between(tree, hind, front);
    find_neck_and_head(reading, forward, map);
    find_tail(reading, forward, map);
    place_others(reading, forward, map);
    if (reading.legs.size() == 2) {
        if (map.head.empty() && map.tail.empty()) return std::nullopt;  // a table
        map.kind = CreatureKind::quadruped;
    } else {
        if (map.wings.empty() && map.arms.empty() && map.head.empty()) return std::nullopt;
        map.kind = !map.wings.empty() && map.arms.empty() ? CreatureKind::bird : CreatureKind::biped;
        if (map.wings.empty() && map.arms.empty() && trunk_rise(tree, map.spine, reading.up) < flat_trunk_sin &&
            map.spine.size() > 1)
            map.kind = CreatureKind::bird;
    }
    return map;
}

// A root that only places the body, beside its chain: not as far from its child as bones are from each other, or not in
// line with them.
bool is_plain_root(const CreatureTree& tree, int32_t joint) {
    if (tree.parent(joint) >= 0 || tree.below(joint).size() != 1) return false;
    const int32_t child = tree.below(joint)[0];
    if (tree.below(child).size() != 1) return true;
    const Vec3d first = tree.at(child) - tree.at(joint), second = tree.at(tree.below(child)[0]) - tree.at(child);
    const double a = first.norm(), b = second.norm();
    constexpr double alike = 3.0, in_line_cos = 0.5;
    return !(a * alike > b && b * alike > a && first.dot(second) > in_line_cos * a * b);
}

// Five or more long branches of like length on one joint: an octopus, a starfish, an insect.
bool is_radial(const CreatureTree& tree) {
    constexpr double like = 0.8, least = 0.2;
    constexpr size_t arms = 5;
    for (size_t j = 0; j < tree.children.size(); ++j) {
        const double longest = tree.reach[j];
        if (longest < least * tree.size || tree.children[j].size() < arms) continue;
        const auto long_branches = std::ranges::count_if(tree.children[j], [&](int32_t child) {
            const double length = (tree.at(child) - tree.position[j]).norm() + tree.reach[static_cast<size_t>(child)];
            return length > like * longest;
        });
        if (static_cast<size_t>(long_branches) >= arms) return true;
    }
    return false;
}

// A body without legs: the longest way along the middle, from behind to ahead.
std::optional<CreatureMap> without_legs(const Reading& reading, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    int32_t ahead = -1, behind = -1;
    const auto along = [&](int32_t joint) { return tree.at(joint).dot(forward); };
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (tree.out[j] || !reading.on_trunk(joint)) continue;
        if (ahead < 0 || along(joint) > along(ahead) + 1e-9) ahead = joint;
    }
    if (ahead < 0) return std::nullopt;
    size_t most = 0;
    JointChain whole;
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        if (tree.out[j] || !reading.on_trunk(joint) || tree.meet(joint, ahead) < 0) continue;
        JointChain path = path_between(tree, joint, ahead);
        if (is_plain_root(tree, joint)) continue;
        if (path.size() < most || (path.size() == most && behind >= 0 && along(joint) >= along(behind))) continue;
        most = path.size();
        behind = joint;
        whole = std::move(path);
    }
    const Vec3d extent = tree.at(ahead) - tree.at(std::max(behind, 0));
    if (whole.size() < least_serpent || std::abs(extent.dot(reading.up)) > serpent_slope * extent.norm())
        return std::nullopt;
    CreatureMap map;
    const auto share = [&](const JointChain& chain) {
        double length = 0;
        for (size_t i = 1; i < chain.size(); ++i) length += (tree.at(chain[i]) - tree.at(chain[i - 1])).norm();
        return length;
    };
    place_others(reading, forward, map);
    const bool fish = !map.fins.empty();
    // A snake is little more than its one chain.
    if (!fish && share(whole) < 0.6 * tree.size) return std::nullopt;
    double all = 0;
    for (size_t j = 0; j < tree.position.size(); ++j)
        if (!tree.out[j] && tree.parent(static_cast<int32_t>(j)) >= 0)
            all += (tree.position[j] - tree.at(tree.parent(static_cast<int32_t>(j)))).norm();
    if (!fish && share(whole) < 0.5 * all) return std::nullopt;
    map.kind = fish ? CreatureKind::fish : CreatureKind::serpent;
    if (fish) {
        const int32_t root = tree.meet(behind, ahead);
        map.spine = {root};
        find_neck_and_head(reading, forward, map);
        find_tail(reading, forward, map);
        return map;
    }
    map.spine = whole;
    const size_t head = whole.size() >= 3 && tree.name(whole[whole.size() - 2]).part == CreaturePart::head
                            ? whole.size() - 2
                            : whole.size() - 1;
    map.head.assign(whole.begin() + static_cast<std::ptrdiff_t>(head), whole.end());
    map.spine.resize(head);
    return map;
}

// A human body, as recognise_humanoid sees it, in the words of pairs.
std::optional<Reading> humanoid_reading(const CreatureTree& tree, const HumanoidMap& roles,
                                        std::vector<BranchPair>& pairs, Vec3d& forward) {
    if (!roles.is_body()) return std::nullopt;
    const auto chain_to = [&](int32_t base, std::initializer_list<Role> tips, bool to_tip) {
        int32_t tip = -1;
        for (const Role role : tips)
            if (tip < 0) tip = roles[role];
        JointChain chain;
        for (int32_t j = tip; j > base; j = tree.parent(j)) chain.push_back(j);
        std::ranges::reverse(chain);
        if (to_tip && !chain.empty()) {
            const JointChain rest = tree.longest_chain(chain.back());
            chain.insert(chain.end(), rest.begin() + 1, rest.end());
        }
        return chain;
    };
    const int32_t hips = tree.meet(roles[Role::left_upper_leg], roles[Role::right_upper_leg]);
    const int32_t chest = tree.meet(roles[Role::left_upper_arm], roles[Role::right_upper_arm]);
    if (hips < 0 || chest < 0 || tree.meet(hips, chest) < 0) return std::nullopt;
    pairs.resize(2);
    pairs[0].base = hips;
    pairs[0].part = CreaturePart::leg;
    pairs[0].chain = {chain_to(hips, {Role::left_toes, Role::left_foot, Role::left_lower_leg}, true),
                      chain_to(hips, {Role::right_toes, Role::right_foot, Role::right_lower_leg}, true)};
    pairs[1].base = chest;
    pairs[1].part = CreaturePart::arm;
    pairs[1].chain = {chain_to(chest, {Role::left_hand, Role::left_lower_arm}, false),
                      chain_to(chest, {Role::right_hand, Role::right_lower_arm}, false)};
    Vec3d left = Vec3d::Zero(), rise = Vec3d::Zero();
    for (BranchPair& pair : pairs) {
        const size_t n = std::min(pair.chain[0].size(), pair.chain[1].size());
        if (n == 0) return std::nullopt;
        for (JointChain& chain : pair.chain) chain.resize(n);
        const int32_t first = pair.chain[0][0];
        pair.length = (tree.at(first) - tree.at(pair.base)).norm() + tree.reach[static_cast<size_t>(first)];
        left += middle(tree, pair.chain[0]) - middle(tree, pair.chain[1]);
    }
    rise = tree.at(roles[Role::left_upper_arm]) + tree.at(roles[Role::right_upper_arm]) -
           tree.at(roles[Role::left_lower_leg]) - tree.at(roles[Role::right_lower_leg]);
    Eigen::Index axis = 1;
    if (rise.norm() > 0 && std::abs(rise.y()) < 0.5 * rise.norm()) rise.cwiseAbs().maxCoeff(&axis);
    const Vec3d up = Vec3d::Unit(axis) * (rise[axis] < 0 ? -1.0 : 1.0);
    left -= left.dot(up) * up;
    if (!(left.norm() > 0)) return std::nullopt;
    forward = left.normalized().cross(up);
    Reading reading{tree, {{}, std::vector<char>(tree.position.size(), 0), left.normalized()}, up, {}, {}, 0};
    for (size_t j = 0; j < tree.position.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        const int32_t parent = tree.parent(joint);
        bool in = parent >= 0 && reading.body.paired[static_cast<size_t>(parent)];
        for (const BranchPair& pair : pairs) in |= joint == pair.chain[0][0] || joint == pair.chain[1][0];
        reading.body.paired[j] = in;
    }
    reading.legs = {&pairs[0]};
    reading.others = {&pairs[1]};
    reading.ground = pair_height(tree, pairs[0], up);
    return reading;
}

CreatureMap read_humanoid(const Reading& reading, const HumanoidMap& roles, const Vec3d& forward) {
    const CreatureTree& tree = reading.tree;
    CreatureMap map;
    map.kind = CreatureKind::biped;
    map.legs = make_limbs(reading, reading.legs, forward, true);
    map.arms = make_limbs(reading, reading.others, forward, false);
    map.spine = path_between(tree, reading.legs[0]->base, reading.others[0]->base);
    if (const int32_t hips = roles[Role::hips];
        hips >= 0 && hips < map.spine.front() && tree.is_above(hips, map.spine.front()))
        map.spine = path_between(tree, hips, map.spine.back());
    if (const int32_t head = roles[Role::head]; head >= 0) {
        JointChain path;
        for (int32_t j = head; j >= 0 && std::ranges::find(map.spine, j) == map.spine.end(); j = tree.parent(j))
            path.push_back(j);
        std::ranges::reverse(path);
        if (!path.empty()) {
            map.neck.assign(path.begin(), path.end() - 1);
            map.head = {head};
        }
        if (roles[Role::jaw] >= 0) map.jaw = {roles[Role::jaw]};
    }
    find_tail(reading, forward, map);
    return map;
}

void finish(const Reading& reading, const Vec3d& forward, CreatureMap& map) {
    map.up = reading.up;
    map.forward = forward;
    map.ground = reading.ground;
    map.root = common_root(reading.tree, map);
    if (map.kind == CreatureKind::other) {
        map.limbs = decompose(reading.tree);
        map.root = map.limbs.empty() ? (reading.tree.position.empty() ? -1 : 0) : map.limbs.front().front();
    }
}

}  // namespace

std::string_view to_string(CreatureKind kind) {
    constexpr std::string_view names[] = {"biped", "quadruped", "bird", "fish", "serpent", "other"};
    return names[static_cast<size_t>(kind)];
}

CreatureMap recognise_creature(const Skeleton& skeleton) {
    const CreatureTree tree = make_creature_tree(skeleton);
    const HumanoidMap roles = recognise_humanoid(skeleton);
    std::vector<BranchPair> pairs;
    Vec3d forward = Vec3d::UnitZ();
    if (const auto human = humanoid_reading(tree, roles, pairs, forward)) {
        CreatureMap map = read_humanoid(*human, roles, forward);
        finish(*human, forward, map);
        return map;
    }
    // Sinew's up is +Y; a motion file may have kept its own.
    CreatureMap first;
    for (const Vec3d& up : {Vec3d(Vec3d::UnitY()), Vec3d(Vec3d::UnitZ()), Vec3d(Vec3d::UnitX())}) {
        const Reading reading = read_body(tree, up);
        forward = find_forward(reading);
        std::optional<CreatureMap> map;
        const bool radial = is_radial(tree);
        if (radial) {
            map.emplace();
        } else if (reading.legs.size() == 1 || reading.legs.size() == 2) {
            map = with_legs(reading, forward);
        }
        if (!map && up.y() > 0 && reading.legs.empty()) map = without_legs(reading, forward);
        const bool found = map.has_value();
        if (!map) map.emplace();
        finish(reading, forward, *map);
        if (found) return *std::move(map);
        if (up.y() > 0) first = *std::move(map);
    }
    return first;
}

}  // namespace sinew
