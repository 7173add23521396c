#include <sinew/sets/clean/clean_joint.h>

#include <sinew/core/parallel.h>
#include <sinew/sets/clean/body_curves.h>
#include <sinew/sets/clean/calm_together.h>
#include <sinew/sets/clean/filters.h>
#include <sinew/sets/clean/find_damage.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// What a spike or a lost joint moves by at least. Half angles: a quaternion moves by half of what it turns.
constexpr double least_turn = 0.5 * 0.1, least_move_m = 0.012;
// Noise below this is left alone: a tenth of a millimetre at the end of an arm.
constexpr double quiet_turn = 0.5 * 2e-4, quiet_move_m = 1e-4;

// The rotation or translation of one joint over the frames.
struct JointCurve {
    const Track* track = nullptr;
    Signal signal;
    std::vector<CleanChange> changes = {};
    std::vector<char> known = {};
    std::vector<std::pair<CleanKind, FrameRun>> bad = {};
    Signal aligned = {};  // as it came, q or −q alike
    Signal unsmoothed = {};
    double noise = 0.0, cutoff = 0.0;  // of smoothing, in 1/frames; 0 where there was none
    bool is_rotation() const { return track->path == TrackPath::rotation; }
};

Signal signal_of(const Track& track, const ClipFrames& frames) {
    const bool rotation = track.path == TrackPath::rotation;
    Signal signal(static_cast<Eigen::Index>(frames.poses.size()), rotation ? 4 : 3);
    const auto j = static_cast<size_t>(track.target);
    for (Eigen::Index f = 0; f < signal.rows(); ++f) {
        const Transform& local = frames.poses[static_cast<size_t>(f)].local[j];
        if (!rotation) {
            signal.row(f) = local.translation.cast<double>();
            continue;
        }
        signal.row(f) = local.rotation.coeffs().cast<double>();
        if (f > 0 && signal.row(f).dot(signal.row(f - 1)) < 0.0) signal.row(f) *= -1.0;
    }
    return signal;
}

// Of q and −q the one nearer to the last that is believed, so that a spike does not turn the sign of all that follows.
void align_signs(const std::vector<char>& known, Signal& signal) {
    Eigen::Index last = -1;
    for (Eigen::Index f = 0; f < signal.rows(); ++f) {
        if (last >= 0 && signal.row(f).dot(signal.row(last)) < 0.0) signal.row(f) *= -1.0;
        if (known[static_cast<size_t>(f)]) last = f;
    }
}

void store_signal(const JointCurve& curve, ClipFrames& frames) {
    const auto j = static_cast<size_t>(curve.track->target);
    for (Eigen::Index f = 0; f < curve.signal.rows(); ++f) {
        Transform& local = frames.poses[static_cast<size_t>(f)].local[j];
        if (!curve.is_rotation()) {
            local.translation = curve.signal.row(f).transpose().cast<float>();
            continue;
        }
        Quatd q;
        q.coeffs() = curve.signal.row(f).transpose();
        if (q.norm() > 1e-6) local.rotation = q.normalized().cast<float>();
    }
}

// Degrees or millimetres between two samples.
float amount_between(const Signal& a, const Signal& b, Eigen::Index f, bool rotation, double metres) {
    const double off = (a.row(f) - b.row(f)).norm();
    constexpr double degrees_per_half_turn = 2.0 * 180.0 / static_cast<double>(pi);
    return static_cast<float>(rotation ? degrees_per_half_turn * std::min(off, 1.5) : 1000.0 * metres * off);
}

class JointCleaner {
public:
    JointCleaner(double fps, double metres, const CleanOptions& options, const ClipFrames& frames)
        : fps_(fps), metres_(metres), options_(options), times_(frames.times) {}

    // Which samples are not believed; they are filled first so that nothing jumps while the rest is measured.
    void look(JointCurve& curve) const {
        curve.known.assign(times_.size(), 1);
        find_bad(curve, curve.known, curve.bad);
        if (curve.is_rotation()) align_signs(curve.known, curve.signal);
        curve.aligned = curve.signal;
        curve.noise = noise_level(curve.signal, curve.known);
        if (curve.noise < (curve.is_rotation() ? quiet_turn : quiet_move_m / metres_)) curve.noise = 0.0;
        if (curve.noise > 0.0) {
            // Through noise the way on cannot be seen from single samples.
            const Signal smooth =
                smoothed_curve(curve.signal, curve.known, best_cutoff(curve.signal, curve.known, curve.noise));
            for (Eigen::Index f = 0; f < smooth.rows(); ++f)
                if (!curve.known[static_cast<size_t>(f)]) curve.signal.row(f) = smooth.row(f);
        }
    }

    void note_filled(JointCurve& curve) const {
        for (const auto& [kind, run] : curve.bad) note(kind, run, curve.aligned, curve);
    }

    void note_smoothed(JointCurve& curve) const {
        if (!(curve.cutoff > 0.0)) return;
        note(CleanKind::noise, {0, times_.size() - 1}, curve.unsmoothed, curve);
        curve.changes.back().cutoff = static_cast<float>(fps_ * curve.cutoff);
    }

    void filter(JointCurve& curve) const {
        curve.unsmoothed = curve.signal;
        if (options_.filter == CleanFilter::automatic) {
            if (!(curve.noise > 0.0)) return;
            const double cutoff = best_cutoff(curve.signal, curve.known, curve.noise);
            if (cutoff >= 0.5) return;
            curve.signal = smoothed_curve(curve.signal, curve.known, cutoff);
            curve.cutoff = cutoff;
            return;
        }
        const double unit = curve.is_rotation() ? 2.0 : 10.0 * metres_;  // radians, decimetres
        for (Eigen::Index c = 0; c < curve.signal.cols(); ++c) {
            const std::span<double> channel(curve.signal.col(c).data(), static_cast<size_t>(curve.signal.rows()));
            if (options_.filter == CleanFilter::butterworth) butterworth(channel, options_.cutoff, fps_);
            if (options_.filter == CleanFilter::one_euro)
                one_euro(channel, {.cutoff = options_.cutoff, .beta = options_.beta * unit}, fps_);
        }
        curve.cutoff = options_.cutoff / fps_;
    }

private:
    double least(const JointCurve& curve) const { return curve.is_rotation() ? least_turn : least_move_m / metres_; }

    void find_bad(JointCurve& curve, std::vector<char>& known, std::vector<std::pair<CleanKind, FrameRun>>& bad) const {
        const auto add = [&](CleanKind kind, const std::vector<FrameRun>& runs) {
            for (const FrameRun& run : runs) {
                const auto length = static_cast<double>(run.last - run.first + 1);
                if (length > options_.longest_gap * fps_ || known[run.first] == 0) continue;
                std::fill(known.begin() + static_cast<std::ptrdiff_t>(run.first),
                          known.begin() + static_cast<std::ptrdiff_t>(run.last) + 1, char{0});
                bad.emplace_back(kind, run);
            }
        };
        if (options_.gaps) {
            std::vector<float> keys = curve.track->times;
            for (float& time : keys) time -= times_.front();
            std::erase_if(keys, [](float time) { return time < 0.0f; });
            add(CleanKind::gap, find_key_holes(keys, fps_, times_.size()));
        }
        if (options_.spikes) add(CleanKind::spike, real_spikes(known, curve));
        if (options_.gaps) add(CleanKind::gap, find_held(believed(known, curve), fps_, least(curve)));
        // Once more where a held stretch hid them.
        if (options_.spikes && std::ranges::any_of(bad, [](const auto& b) { return b.first == CleanKind::gap; }))
            add(CleanKind::spike, real_spikes(known, curve));
    }

    // Without those that the samples around them explain: a sharp turn is none.
    std::vector<FrameRun> real_spikes(std::vector<char> known, JointCurve& curve) const {
        const Signal now = believed(known, curve);
        std::vector<FrameRun> runs = find_spikes(now, fps_, least(curve));
        for (const FrameRun& run : runs)
            std::fill(known.begin() + static_cast<std::ptrdiff_t>(run.first),
                      known.begin() + static_cast<std::ptrdiff_t>(run.last) + 1, char{0});
        const Signal without = believed(known, curve);
        std::erase_if(runs, [&](const FrameRun& run) {
            const auto first = static_cast<Eigen::Index>(run.first);
            const auto count = static_cast<Eigen::Index>(run.last - run.first + 1);
            return (without - now).middleRows(first, count).rowwise().norm().maxCoeff() < least(curve);
        });
        return runs;
    }

    // The curve with what is not believed filled in.
    static Signal believed(const std::vector<char>& known, JointCurve& curve) {
        if (curve.is_rotation()) align_signs(known, curve.signal);
        Signal filled = curve.signal;
        fill_unknown(filled, known);
        return filled;
    }

    void note(CleanKind kind, const FrameRun& run, const Signal& before, JointCurve& curve) const {
        CleanChange change{kind, curve.track->target, times_[run.first], times_[run.last], 0, 0, curve.is_rotation()};
        for (size_t f = run.first; f <= run.last; ++f)
            change.amount = std::max(change.amount, amount_between(curve.signal, before, static_cast<Eigen::Index>(f),
                                                                   curve.is_rotation(), metres_));
        curve.changes.push_back(change);
    }

    double fps_, metres_;
    const CleanOptions& options_;
    const std::vector<float>& times_;
};

// How the joint above this one is turned in the world; nothing where one on the way was lost in the same frames.
Signal turns_above(std::span<const int32_t> parents, const std::vector<JointCurve>& curves, size_t i,
                   const ClipFrames& frames) {
    const auto frame_count = static_cast<Eigen::Index>(frames.poses.size());
    Signal above(frame_count, 4);
    for (Eigen::Index f = 0; f < frame_count; ++f) {
        Quatd turn = Quatd::Identity();
        for (int32_t j = parents[static_cast<size_t>(curves[i].track->target)]; j >= 0;
             j = parents[static_cast<size_t>(j)])
            turn = frames.poses[static_cast<size_t>(f)].local[static_cast<size_t>(j)].rotation.cast<double>() * turn;
        above.row(f) = turn.normalized().coeffs().transpose();
    }
    for (int32_t j = parents[static_cast<size_t>(curves[i].track->target)]; j >= 0; j = parents[static_cast<size_t>(j)])
        for (const JointCurve& curve : curves)
            if (curve.track->target == j && curve.is_rotation())
                for (size_t f = 0; f < curve.known.size(); ++f)
                    if (!curve.known[f] && !curves[i].known[f]) return {};
    return above;
}

void smooth_joints(const JointCleaner& cleaner, const CleanOptions& options, std::vector<JointCurve>& curves) {
    parallel_for(curves.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) cleaner.filter(curves[i]);
    });
    std::vector<SmoothedCurve> smoothed;
    for (JointCurve& curve : curves)
        if (options.filter == CleanFilter::automatic && curve.is_rotation() && curve.cutoff > 0.0)
            smoothed.push_back({&curve.signal, curve.noise, curve.cutoff});
    calm_together(smoothed);
    for (JointCurve& curve : curves) cleaner.note_smoothed(curve);
}

}  // namespace

void clean_joints(std::span<const int32_t> parents, const Clip& clip, double fps, double metres,
                  const CleanOptions& options, ClipFrames& frames, CleanResult& result) {
    std::vector<JointCurve> curves;
    for (const Track& track : clip.tracks)
        if ((track.path == TrackPath::rotation || track.path == TrackPath::translation) && track.times.size() > 1)
            curves.push_back({&track, signal_of(track, frames)});
    const JointCleaner cleaner(fps, metres, options, frames);
    parallel_for(curves.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) cleaner.look(curves[i]);
    });
    std::vector<BodyCurve> body;
    for (const JointCurve& curve : curves)
        body.push_back(
            {curve.signal, curve.known, {}, curve.track->target, parents[static_cast<size_t>(curve.track->target)]});
    for (size_t i = 0; i < curves.size(); ++i) {
        if (curves[i].bad.empty()) continue;
        if (curves[i].is_rotation()) body[i].above = turns_above(parents, curves, i, frames);
        fill_from_body(body, i, fps);
        curves[i].signal = body[i].signal;
        cleaner.note_filled(curves[i]);
    }
    if (options.filter != CleanFilter::off) smooth_joints(cleaner, options, curves);
    for (const JointCurve& curve : curves) {
        store_signal(curve, frames);
        result.changes.insert(result.changes.end(), curve.changes.begin(), curve.changes.end());
    }
}

}  // namespace sinew
