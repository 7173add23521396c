// How often fits are right, by how sure they are: the tests' characters as they are, posed, with things worn and
// carried, and damaged. Data flow: tests/rig/characters.h, variants.h, sweep.h → *here* → rig_bench.cpp's table and the
// plot of docs/rig.md.
#pragma once

#include <rig/sweep.h>
#include <rig/variants.h>
#include <sinew/render/plot/canvas.h>
#include <fstream>

#include "support.h"

namespace sinew::bench {

struct CalibrationBin {
    double sum = 0.0;  // of confidences
    int right = 0, all = 0;
};

// A fit as it was rated before calibration (the product of its cues), and whether it is right.
struct RatedFit {
    double product = 1.0;
    bool right = false;
};

class Calibration {
public:
    static constexpr int bins = 5;

    // Right: the kind, and a mean error that the tests allow (a body that faces backwards has its hands swapped).
    void add(const test::BareCharacter& c, const RigResult& rig) {
        const test::Score score = test::compare(c, rig);
        if (!score.any || c.kind == "generic") return;
        const double most = c.kind == "biped" ? 3.5 : 5.0;
        const bool right = to_string(rig.kind) == c.kind && score.mean <= most;
        CalibrationBin& bin = bins_[std::min(bins - 1, static_cast<int>(rig.confidence * bins))];
        bin.sum += rig.confidence, ++bin.all, bin.right += right;
        RatedFit rated{.right = right};
        for (const RigCue& cue : rig.cues) rated.product *= cue.value;
        fits_.push_back(rated);
    }

    // The rising curve that is nearest to what was right (isotonic regression by pooling neighbours [Ayer1955]), as
    // rows for priors/calibration.h: the mean product of each pool, and the share that is right in it.
    void print_curve() const {
        struct Pool {
            double product = 0.0, right = 0.0, count = 0.0;
            double share() const { return right / count; }
        };
        std::vector<RatedFit> sorted = fits_;
        std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.product < b.product; });
        std::vector<Pool> pools;
        for (const RatedFit& fit : sorted) {
            pools.push_back({fit.product, fit.right ? 1.0 : 0.0, 1.0});
            while (pools.size() > 1 && pools[pools.size() - 2].share() >= pools.back().share()) {
                const Pool last = pools.back();
                pools.pop_back();
                pools.back().product += last.product, pools.back().right += last.right,
                    pools.back().count += last.count;
            }
        }
        for (const Pool& pool : pools)
            fmt::print("  product {:.3f}: right {:.3f} of {:.0f}\n", pool.product / pool.count, pool.share(),
                       pool.count);
    }

    // Prints each bin, and how far confidence and share are apart over all of them.
    void print(Table& table) const {
        double apart = 0.0, all = 0.0;
        for (int b = 0; b < bins; ++b) {
            const CalibrationBin& bin = bins_[b];
            if (bin.all == 0) continue;
            const double said = bin.sum / bin.all, share = static_cast<double>(bin.right) / bin.all;
            fmt::print("confidence {:.1f} to {:.1f}: {:4} fits, mean {:.2f}, right {:.2f}\n", 0.2 * b, 0.2 * (b + 1),
                       bin.all, said, share);
            apart += std::abs(said - share) * bin.all, all += bin.all;
            table.add(fmt::format("calibration: right of those given {:.1f} to {:.1f}", 0.2 * b, 0.2 * (b + 1)),
                      100.0 * share, "%");
        }
        table.add("calibration: confidence and share right are apart by", 100.0 * apart / std::max(1.0, all), "%");
    }

    // Confidence to the right, the share of right fits upwards; on the grey line both are equal.
    void draw(const std::string& path) const {
        constexpr int size = 420, margin = 50;
        constexpr Ink grey{0.7f, 0.7f, 0.7f}, black{0.1f, 0.1f, 0.1f}, blue{0.1f, 0.35f, 0.75f};
        Canvas canvas(size, size);
        const auto at = [](double x, double y) {
            constexpr double side = size - 2 * margin;
            return Vec2(static_cast<float>(margin + x * side), static_cast<float>(size - margin - y * side));
        };
        canvas.line(at(0, 0), at(1, 1), 1.5f, grey);
        canvas.line(at(0, 0), at(1, 0), 1.5f, black), canvas.line(at(0, 0), at(0, 1), 1.5f, black);
        for (int k = 0; k <= bins; ++k) {
            const double v = static_cast<double>(k) / bins;
            canvas.text(at(v, 0) + Vec2(-12, 8), fmt::format("{:.1f}", v), black);
            canvas.text(at(0, v) + Vec2(-32, -6), fmt::format("{:.1f}", v), black);
        }
        canvas.text({130, size - 22}, "confidence of the fit", black);
        canvas.text({14, 14}, "share of fits that are right, and how many fits", black);
        std::optional<Vec2> before;
        for (const CalibrationBin& bin : bins_) {
            if (bin.all == 0) continue;
            const Vec2 here = at(bin.sum / bin.all, static_cast<double>(bin.right) / bin.all);
            if (before) canvas.line(*before, here, 2.0f, blue);
            canvas.dot(here, 9.0f, blue);
            // Below the point and to the right of it, where the line from the left does not pass; at the edge to the
            // left.
            const std::string count = std::to_string(bin.all);
            const bool edge = here.x() > static_cast<float>(size - margin - 40);
            canvas.text(here + Vec2(edge ? -8.0f - 8.0f * static_cast<float>(count.size()) : 9.0f, 7.0f), count, blue);
            before = here;
        }
        if (const auto bytes = encode_png(canvas.picture()))
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
    }

private:
    CalibrationBin bins_[bins];
    std::vector<RatedFit> fits_;
};

// Every character as it is and stretched; bipeds in every pose and with everything worn; `dirty` damaged ones of each.
// The table in priors/calibration.h was made of these. With a seed of your own each of them is also turned, scaled and
// damaged by it first: fits that the table has not seen.
inline Calibration calibrate(size_t dirty, uint64_t seed, const std::string& only) {
    using namespace test;
    constexpr uint64_t table_seed = 77;
    Calibration all;
    Random random(seed);
    const auto add = [&](const BareCharacter& c) {
        const RigResult rig = fit_skeleton(c.positions, c.triangles).value();
        all.add(c, seed == 0 ? rig : run_changed(c, rig, dirty_changes(1, 1 + random.below(1u << 30))[0]).rig);
    };
    for (const CharacterFile& file : character_files()) {
        if (!only.empty() && only.find(file.name) == std::string::npos) continue;
        const BareCharacter base = load_bare(file);
        if (base.name == "kaiju") continue;  // a reptile: no person to compare with
        add(base);
        if (base.kind == "biped") {
            if (base.name != "makehuman")  // it has no skin to pose
                for (const auto& names : {pose_names(), hard_pose_names()})
                    for (const std::string& pose : names) add(posed(file, pose));
            for (const std::string& what : accessory_names()) add(with_accessory(base, what));
        }
        for (const Stretch& stretch : stretches()) add(stretched(base, stretch));
        if (seed != 0) continue;
        const RigResult untouched = fit_skeleton(base.positions, base.triangles).value();
        for (const Change& change : dirty_changes(dirty, table_seed))
            all.add(base, run_changed(base, untouched, change).rig);
    }
    return all;
}

}  // namespace sinew::bench
