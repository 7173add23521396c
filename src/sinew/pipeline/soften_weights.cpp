#include <sinew/pipeline/soften_weights.h>

#include <sinew/core/parallel.h>
#include <sinew/mesh/topology.h>
#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace sinew {
namespace {

constexpr double right_angle = 1.4142135623730951;  // how far a point moves at distance 1, when turned by it

using Weights = std::vector<std::pair<int, double>>;  // (index in the skin, weight), by index

// The places of all primitives of one skin's meshes; vertices at one place are one.
struct Places {
    std::vector<Vec3> position;
    std::vector<Weights> weights;
    std::vector<std::array<int, 2>> edges;
};

// visit(joint, weight in a, weight in b) for every joint of either; both by index.
template <class Visit>
void each_pair(const Weights& a, const Weights& b, const Visit& visit) {
    for (size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const bool first = k == b.size() || (i < a.size() && a[i].first <= b[k].first);
        const bool second = i == a.size() || (k < b.size() && b[k].first <= a[i].first);
        visit(first ? a[i].first : b[k].first, first ? a[i].second : 0.0, second ? b[k].second : 0.0);
        i += first;
        k += second;
    }
}

// share·a + (1 − share)·b
Weights mix(const Weights& a, const Weights& b, double share) {
    Weights sum;
    sum.reserve(a.size() + b.size());
    each_pair(a, b, [&](int joint, double w, double v) { sum.push_back({joint, share * w + (1.0 - share) * v}); });
    return sum;
}

struct Softener {
    const Skeleton& skeleton;
    const Skin& skin;
    std::vector<Vec3> pivot;               // of each joint of the skin, mesh space
    std::vector<std::vector<int>> above;   // of each joint of the skin: itself and those of the skin it hangs on
    std::vector<std::vector<int>> shared;  // of each two joints: how many of those above are above both

    Softener(const Skeleton& s, const Skin& k) : skeleton(s), skin(k) {
        std::map<int32_t, int> index;
        for (size_t i = 0; i < skin.joints.size(); ++i) index[skin.joints[i]] = static_cast<int>(i);
        for (size_t i = 0; i < skin.joints.size(); ++i) {
            pivot.push_back(skin.inverse_bind[i].inverse().translation());
            above.emplace_back();
            for (int32_t j = skin.joints[i]; j >= 0; j = skeleton.parents()[static_cast<size_t>(j)])
                if (const auto found = index.find(j); found != index.end()) above.back().push_back(found->second);
        }
        for (const std::vector<int>& a : above) {
            shared.emplace_back();
            for (const std::vector<int>& b : above) {
                const auto [end, other] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
                shared.back().push_back(static_cast<int>(end - a.rbegin()));
            }
        }
    }

    struct Scratch {
        Weights differing;
        std::vector<double> difference;
        std::vector<int> touched;
    };

    // How much an edge can grow when one joint bends: what hangs on the joint moves, the rest does not. What hangs
    // above all that differs carries as much on both sides, and is not looked at.
    double growth(const Places& places, const std::array<int, 2>& edge, Scratch& scratch) const {
        auto& [differing, difference, touched] = scratch;
        differing.clear();
        touched.clear();
        difference.resize(pivot.size(), 0.0);  // of the weight of everything that hangs on a joint
        int common = INT_MAX;
        each_pair(places.weights[static_cast<size_t>(edge[0])], places.weights[static_cast<size_t>(edge[1])],
                  [&](int j, double w, double v) {
                      if (w == v) return;
                      differing.push_back({j, w - v});
                      const std::vector<int>& with = shared[static_cast<size_t>(differing.front().first)];
                      common = std::min(common, with[static_cast<size_t>(j)]);
                  });
        for (const auto& [j, by] : differing) {
            const std::vector<int>& chain = above[static_cast<size_t>(j)];
            for (size_t k = 0; k + static_cast<size_t>(common) < chain.size(); ++k) {
                double& sum = difference[static_cast<size_t>(chain[k])];
                if (sum == 0.0) touched.push_back(chain[k]);
                sum += by;
            }
        }
        const Vec3 &p = places.position[static_cast<size_t>(edge[0])],
                   &q = places.position[static_cast<size_t>(edge[1])];
        const Vec3 middle = 0.5f * (p + q);
        double most = 0.0;
        for (int j : touched) {
            const double share = std::abs(std::exchange(difference[static_cast<size_t>(j)], 0.0));
            const auto lever = static_cast<double>((middle - pivot[static_cast<size_t>(j)]).norm());
            most = std::max(most, share * right_angle * lever);
        }
        return 1.0 + most / static_cast<double>((p - q).norm());
    }
};

// The ends of the edges that grow too much as things are: all the others wait until a neighbour changes.
std::vector<char> ends_to_soften(const Softener& softener, const SoftenOptions& options, const Places& places) {
    constexpr size_t grain = 8192;
    std::vector<char> grows(places.edges.size(), 0), ends(places.position.size(), 0);
    parallel_for(places.edges.size(), grain, [&](size_t begin, size_t end) {
        Softener::Scratch scratch;
        for (size_t e = begin; e < end; ++e)
            grows[e] = softener.growth(places, places.edges[e], scratch) > options.stretch;
    });
    for (size_t e = 0; e < grows.size(); ++e)
        if (grows[e])
            for (int end : places.edges[e]) ends[static_cast<size_t>(end)] = 1;
    return ends;
}

size_t soften_places(const Softener& softener, const SoftenOptions& options, Places& places) {
    std::vector<char> changed(places.position.size(), 0), last = ends_to_soften(softener, options, places), now;
    Softener::Scratch scratch;
    for (int round = 0; round < options.rounds; ++round) {
        now.assign(places.position.size(), 0);
        for (const std::array<int, 2>& edge : places.edges) {
            const auto i = static_cast<size_t>(edge[0]), k = static_cast<size_t>(edge[1]);
            if (!last[i] && !last[k] && !now[i] && !now[k]) continue;
            const double growth = softener.growth(places, edge, scratch);
            if (growth <= options.stretch) continue;
            // Growth beyond 1 shrinks in proportion to the difference.
            const double keep = (options.stretch - 1.0) / (growth - 1.0), share = 0.5 + 0.5 * keep;
            const Weights mixed = mix(places.weights[i], places.weights[k], share);
            places.weights[k] = mix(places.weights[k], places.weights[i], share);
            places.weights[i] = mixed;
            now[i] = now[k] = changed[i] = changed[k] = 1;
        }
        last.swap(now);
        if (std::find(last.begin(), last.end(), 1) == last.end()) break;
    }
    return static_cast<size_t>(std::count(changed.begin(), changed.end(), 1));
}

// By their lower ends, then by their higher ones; each once.
void sort_edges(Places& places) {
    std::vector<uint32_t> first(places.position.size() + 1, 0);
    for (const auto& [low, high] : places.edges) ++first[static_cast<size_t>(low) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> highs(places.edges.size());
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (const auto& [low, high] : places.edges) highs[at[static_cast<size_t>(low)]++] = high;
    places.edges.clear();
    for (size_t v = 0; v < places.position.size(); ++v) {
        const auto begin = highs.begin() + first[v], end = highs.begin() + first[v + 1];
        std::sort(begin, end);
        for (auto i = begin; i != end; ++i)
            if (i == begin || *i != *(i - 1)) places.edges.push_back({static_cast<int>(v), *i});
    }
}

struct Part {
    Primitive* primitive = nullptr;
    std::vector<int> place;  // per vertex; −1: not bound
};

std::vector<Part> gather(Character& character, int skin, Places& places) {
    std::vector<Part> parts;
    std::set<int32_t> seen;
    for (const MeshInstance& instance : character.instances) {
        if (instance.skin != skin || !seen.insert(instance.mesh).second) continue;
        for (Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            if (!primitive.influences.empty()) parts.push_back({&primitive, {}});
    }
    std::vector<Vec3> all;
    for (const Part& part : parts)
        for (const Vec3& p : part.primitive->mesh.positions) all.push_back(p.allFinite() ? p : Vec3::Zero());
    const std::vector<uint32_t> first = weld_exact(all);
    std::vector<int> place_of(all.size(), -1);  // of the first vertex of each place
    size_t base = 0;
    for (Part& part : parts) {
        const Mesh& mesh = part.primitive->mesh;
        for (size_t v = 0; v < mesh.positions.size(); ++v) {
            const auto list = part.primitive->influences.of(v);
            if (list.empty() || !mesh.positions[v].allFinite()) {
                part.place.push_back(-1);
                continue;
            }
            int& place = place_of[first[base + v]];
            if (place < 0) {
                place = static_cast<int>(places.position.size());
                places.position.push_back(mesh.positions[v]);
                Weights weights;
                weights.reserve(list.size());
                for (const Influence& i : list)
                    weights.push_back({static_cast<int>(i.joint), static_cast<double>(i.weight)});
                std::sort(weights.begin(), weights.end());
                places.weights.push_back(std::move(weights));
            }
            part.place.push_back(place);
        }
        base += mesh.positions.size();
        const auto& t = mesh.triangles;
        for (size_t i = 0; i + 2 < t.size(); i += 3)
            for (size_t k = 0; k < 3; ++k) {
                const int a = part.place[t[i + k]], b = part.place[t[i + (k + 1) % 3]];
                if (a < 0 || b < 0 || a == b) continue;
                const auto length = static_cast<double>(
                    (places.position[static_cast<size_t>(a)] - places.position[static_cast<size_t>(b)]).norm());
                if (length > 0.0) places.edges.push_back({std::min(a, b), std::max(a, b)});
            }
    }
    sort_edges(places);
    return parts;
}

void write_back(const Places& places, const std::vector<Part>& parts, size_t joints, int most) {
    for (const Part& part : parts) {
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (size_t v = 0; v < part.place.size(); ++v) {
            if (part.place[v] < 0) {
                for (const Influence& i : part.primitive->influences.of(v)) raw.push_back(i);
            } else {
                Weights weights = places.weights[static_cast<size_t>(part.place[v])];
                std::stable_sort(weights.begin(), weights.end(),
                                 [](const auto& a, const auto& b) { return a.second > b.second; });
                if (static_cast<int>(weights.size()) > most) weights.resize(static_cast<size_t>(most));
                for (const auto& [j, w] : weights) raw.push_back({static_cast<uint32_t>(j), static_cast<float>(w)});
            }
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
        if (auto made = Influences::create(std::move(first), std::move(raw), joints))
            part.primitive->influences = *std::move(made);
    }
}

}  // namespace

size_t soften_weights(Character& character, const SoftenOptions& options) {
    size_t changed = 0;
    for (size_t s = 0; s < character.skins.size(); ++s) {
        Places places;
        const std::vector<Part> parts = gather(character, static_cast<int>(s), places);
        const size_t here = soften_places(Softener(character.skeleton, character.skins[s]), options, places);
        if (here > 0) write_back(places, parts, character.skins[s].joints.size(), options.influences);
        changed += here;
    }
    return changed;
}

}  // namespace sinew
