#include <sinew/clip/compiled/encode_segment.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/shell_error.h>
#include <sinew/math/affine_product.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int loosening_rounds = 10;   // in which tolerances are moved to where they save most
constexpr int tightening_rounds = 20;  // more, while the bound is not kept
constexpr int rounds_of_hope = 6;      // of these, before one that is far off is given up
constexpr double hopeless = 1.5;       // of the bound: far off
constexpr double first_share = 0.4;    // of the bound, for each joint to begin with
constexpr double translation_share = 0.25, scale_share = 0.15;
constexpr double aim = 0.98;  // of the bound: between the places that are measured it may be a little more
constexpr double least_change = 0.6, most_change = 1.5;  // of a tolerance in a round
constexpr double growth = 0.5;                           // power of the room that is left
constexpr double tightening = 0.97;                      // a little more than an error asks for
constexpr double least_tolerance = 1e-4;                 // of the bound: below, floats cannot follow
// Intervals of the splines that are tried: about a third more each time.
constexpr std::array cubic_intervals = {1, 2, 4, 7, 12, 20, 34, 58, 98, 165, 255};
constexpr int most_linear_intervals = 255;

class SegmentEncoder {
public:
    SegmentEncoder(const Clip& clip, const Skeleton& skeleton, const SegmentPlan& plan, const Movers& movers,
                   const CompileOptions& options, double bound)
        : clip_(clip), parents_(skeleton.parents()), plan_(plan), movers_(movers), options_(options), bound_(bound) {
        joints_ = parents_.size(), samples_ = plan.times.size();
        sample_truth();
        find_levers();
        prepare_fits();
        rotation_.resize(joints_), translation_.resize(joints_), scale_.resize(joints_);
        for (size_t j = 0; j < joints_; ++j) {
            rotation_[j].tolerance = first_share * bound_ / bone_[j];
            translation_[j].tolerance = translation_share * bound_;
            scale_[j].tolerance = scale_share * bound_ / reach_[j];
        }
        worst_.resize(joints_), own_worst_.resize(joints_), worst_sample_.resize(joints_);
        encoder_.fits = fits_;
    }

    EncodedSegment run() {
        EncodedSegment best;
        double best_bytes = INFINITY;
        const std::vector<EncodedItem> floats = encode_floats();
        for (int round = 0; round < loosening_rounds + tightening_rounds; ++round) {
            if (round >= loosening_rounds && best_bytes < INFINITY) break;
            const double bytes = encode_joints();
            if (worst_[0] <= aim * bound_ && bytes < best_bytes) best = collect(), best_bytes = bytes;
            if (round >= loosening_rounds + rounds_of_hope && worst_[0] > hopeless * bound_) break;
            if (!move_tolerances(round < loosening_rounds)) break;
        }
        if (best_bytes == INFINITY) {
            for (auto* all : {&rotation_, &translation_, &scale_})
                for (Slot& slot : *all) slot.raw = true;
            best = collect();
            best.kept = false;
        }
        best.items.insert(best.items.end(), floats.begin(), floats.end());
        for (const uint16_t f : raw_floats_) add_raw(best, TrackPath::morphs, f);
        return best;
    }

    EncodedSegment all_raw() {
        for (auto* all : {&rotation_, &translation_, &scale_})
            for (Slot& slot : *all) slot.raw = true;
        EncodedSegment result = collect();
        for (const uint16_t f : movers_.floats) add_raw(result, TrackPath::morphs, f);
        return result;
    }

private:
    struct Slot {
        double tolerance = 0.0;
        EncodedItem item;
        bool raw = false;
    };

    struct Blame {
        size_t joint;
        ItemKind kind;
        double share;
    };

    size_t at(size_t j, size_t s) const { return j * samples_ + s; }
    bool moves(size_t j, ItemKind kind) const { return movers_.joints[j][static_cast<size_t>(kind)]; }

    void sample_truth() {
        truth_.resize(joints_ * samples_), model_.resize(truth_.size()), decoded_.resize(truth_.size());
        turned_.resize(truth_.size()), decoded_turned_.resize(truth_.size());
        float_truth_.resize(samples_);
        Pose pose = movers_.rest;
        for (size_t s = 0; s < samples_; ++s) {
            sample(clip_, plan_.times[s], pose);
            for (size_t j = 0; j < joints_; ++j) {
                truth_[at(j, s)] = pose.local[j];
                step_down(j, s, pose.local[j], model_, turned_);
            }
            for (const uint16_t f : movers_.floats) float_truth_[s].push_back(pose.morphs[f]);
        }
    }

    // One joint of forward kinematics: its matrix, and its rotation alone.
    void step_down(size_t j, size_t s, const Transform& local, std::vector<AffineD>& model,
                   std::vector<Quatd>& turned) {
        const Quatd rotation = local.rotation.cast<double>();
        if (parents_[j] < 0) {
            model[at(j, s)] = to_affine_d(local), turned[at(j, s)] = rotation;
            return;
        }
        const size_t parent = at(static_cast<size_t>(parents_[j]), s);
        multiply(model[parent], to_affine_d(local), model[at(j, s)]);
        turned[at(j, s)] = turned[parent] * rotation;
    }

    // The longest bone below a joint, or the shell: how far its turning moves others, with the loop closed. (A joint
    // may not be looser than those below: they would have to follow its errors.) Its scale moves all below.
    void find_levers() {
        mover_.resize(joints_);
        for (size_t j = 0; j < joints_; ++j) {
            const auto& kinds = movers_.joints[j];
            const bool own = kinds[0] || kinds[1] || kinds[2] || parents_[j] < 0;
            mover_[j] = own ? j : mover_[static_cast<size_t>(parents_[j])];
        }
        bone_.assign(joints_, options_.shell), reach_.assign(joints_, options_.shell);
        const size_t middle = samples_ / 2;
        for (size_t j = joints_; j-- > 0;) {
            if (parents_[j] < 0) continue;
            const auto parent = static_cast<size_t>(parents_[j]);
            const double bone = (model_[at(j, middle)].translation() - model_[at(parent, middle)].translation()).norm();
            bone_[parent] = std::max({bone_[parent], bone, bone_[j]});
            reach_[parent] = std::max(reach_[parent], bone + reach_[j]);
        }
    }

    void prepare_fits() {
        std::vector<float> places;
        const float per_second = plan_.end > plan_.start ? 1.0f / (plan_.end - plan_.start) : 0.0f;
        for (float time : plan_.times) places.push_back(std::clamp((time - plan_.start) * per_second, 0.0f, 1.0f));
        fits_.emplace_back(SplineKind::constant, 0, places);
        if (samples_ < 2) return;
        for (const int intervals : cubic_intervals)
            if (static_cast<size_t>(control_points(SplineKind::cubic, intervals)) <= samples_ * 3 / 4)
                fits_.emplace_back(SplineKind::cubic, intervals, places);
        // Straight lines between keys follow what was straight lines between keys; lines between samples, everything.
        for (int intervals = plan_.intervals; intervals % 2 == 0; intervals /= 2)
            fits_.emplace_back(SplineKind::linear, intervals / 2, places);
        for (int intervals = plan_.intervals, last = intervals * plan_.parts; intervals <= last; intervals *= 2)
            if (intervals <= most_linear_intervals) fits_.emplace_back(SplineKind::linear, intervals, places);
        std::ranges::stable_sort(fits_, {}, [](const SplineFit& fit) { return fit.points(); });
    }

    double raw_bytes() const { return 20.0 * (plan_.intervals + 1.0); }  // of a track: times and values

    // Encodes one item; what cannot be encoded becomes raw.
    bool encode(Slot& slot, uint32_t id, double scale = 1.0) {
        slot.item.id = id;
        const double least = least_tolerance * bound_;
        if (!slot.raw && !encoder_.encode(target_, std::max(slot.tolerance * scale, least), slot.item)) slot.raw = true;
        return !slot.raw;
    }

    void encode_rotation(size_t j, std::span<Transform> locals) {
        target_.kind = ItemKind::rotation;
        target_.rotations.resize(samples_);
        for (size_t s = 0; s < samples_; ++s) {
            Quatd wanted = turned_[at(j, s)];
            if (parents_[j] >= 0)
                wanted = decoded_turned_[at(static_cast<size_t>(parents_[j]), s)].conjugate() * wanted;
            target_.rotations[s] = wanted.normalized();
        }
        if (!to_chart(target_)) rotation_[j].raw = true;
        if (!encode(rotation_[j], static_cast<uint32_t>(j))) return;
        for (size_t s = 0; s < samples_; ++s)
            for (size_t c = 0; c < 4; ++c) locals[s].rotation.coeffs().data()[c] = encoder_.decoded[s][c];
    }

    void encode_vector(size_t j, ItemKind kind, Vec3 Transform::*member, Slot& slot, std::span<Transform> locals) {
        target_.kind = kind;
        target_.values.resize(samples_);
        double scale = 0.0;
        for (size_t s = 0; s < samples_; ++s) {
            const Vec3& v = truth_[at(j, s)].*member;
            target_.values[s] = {v.x(), v.y(), v.z()};
            if (parents_[j] >= 0) {
                const auto linear = decoded_[at(static_cast<size_t>(parents_[j]), s)].linear();
                scale = std::max(scale, linear.colwise().squaredNorm().maxCoeff());
            }
        }
        if (!encode(slot, static_cast<uint32_t>(j), scale > 0.0 ? 1.0 / std::sqrt(scale) : 1.0)) return;
        for (size_t s = 0; s < samples_; ++s)
            (locals[s].*member) = {encoder_.decoded[s][0], encoder_.decoded[s][1], encoder_.decoded[s][2]};
    }

    // All joints, parents first. Returns the bytes; worst_[j] is then the largest error in the subtree of j, and
    // worst_[0] that of all.
    double encode_joints() {
        double bytes = 0.0;
        std::vector<Transform> locals(samples_);
        for (size_t j = 0; j < joints_; ++j) {
            for (size_t s = 0; s < samples_; ++s) {
                const Transform &truth = truth_[at(j, s)], &base = movers_.base.local[j];
                locals[s].rotation = moves(j, ItemKind::rotation) ? truth.rotation : base.rotation;
                locals[s].translation = moves(j, ItemKind::translation) ? truth.translation : base.translation;
                locals[s].scale = moves(j, ItemKind::scale) ? truth.scale : base.scale;
            }
            if (moves(j, ItemKind::translation))
                encode_vector(j, ItemKind::translation, &Transform::translation, translation_[j], locals);
            if (moves(j, ItemKind::scale)) encode_vector(j, ItemKind::scale, &Transform::scale, scale_[j], locals);
            if (moves(j, ItemKind::rotation)) encode_rotation(j, locals);
            worst_[j] = 0.0;
            for (size_t s = 0; s < samples_; ++s) {
                step_down(j, s, locals[s], decoded_, decoded_turned_);
                const AffineD &wanted = model_[at(j, s)], &got = decoded_[at(j, s)];
                if (!shell_error_may_reach(wanted, got, options_.shell, worst_[j])) continue;
                const double error = shell_error(wanted, got, options_.shell);
                if (error >= worst_[j]) worst_[j] = error, worst_sample_[j] = s;
            }
            own_worst_[j] = worst_[j];
            for (const ItemKind kind : joint_kinds)
                if (moves(j, kind)) bytes += slot(j, kind).raw ? raw_bytes() : slot(j, kind).item.bytes();
        }
        for (size_t j = joints_; j-- > 1;) {
            const size_t parent = parents_[j] < 0 ? 0 : static_cast<size_t>(parents_[j]);
            if (parents_[j] < 0)
                other_roots_ = std::max(other_roots_, worst_[j]);
            else
                worst_[parent] = std::max(worst_[parent], worst_[j]);
        }
        root_worst_ = worst_[0];
        worst_[0] = std::max(worst_[0], std::exchange(other_roots_, 0.0));
        return bytes;
    }

    Slot& slot(size_t j, ItemKind kind) {
        return kind == ItemKind::rotation ? rotation_[j] : kind == ItemKind::translation ? translation_[j] : scale_[j];
    }

    // How much of the error of joint k at sample s each joint above it, and k itself, is to blame for: what its turning
    // and its own place add along the error's direction. blame(j, kind, share), the shares relative to the largest.
    void share_blame(size_t k, size_t s, const auto& blame) {
        const auto error_at = [&](size_t j) -> Vec3d {
            return decoded_[at(j, s)].translation() - model_[at(j, s)].translation();
        };
        const Vec3d along = error_at(k).normalized();
        shares_.clear();
        const double turned = (decoded_[at(k, s)].linear() - model_[at(k, s)].linear()).norm() * options_.shell;
        shares_.push_back({k, ItemKind::rotation, turned});
        for (size_t j = k;; j = static_cast<size_t>(parents_[j])) {
            if (parents_[j] < 0) {
                shares_.push_back({j, ItemKind::translation, std::max(0.0, along.dot(error_at(j)))});
                break;
            }
            const auto parent = static_cast<size_t>(parents_[j]);
            const Vec3d added = error_at(j) - error_at(parent);
            const Vec3d placed = decoded_[at(j, s)].translation() -
                                 decoded_[at(parent, s)] * truth_[at(j, s)].translation.template cast<double>();
            if (moves(j, ItemKind::translation))
                shares_.push_back({j, ItemKind::translation, std::max(0.0, along.dot(placed))});
            shares_.push_back({parent, ItemKind::rotation, std::max(0.0, along.dot(added - placed))});
        }
        double most = 0.0;
        for (const Blame& b : shares_) most = std::max(most, b.share);
        // What does not move itself passes the blame on to what moves it.
        for (const Blame& b : shares_)
            blame(b.kind == ItemKind::translation ? b.joint : mover_[b.joint], b.kind,
                  most > 0.0 ? b.share / most : 1.0);
    }

    // Tolerances grow where all that hangs on them is far from the bound, and shrink by blame where an error passes it.
    // Returns whether there is anything to move.
    bool move_tolerances(bool may_grow) {
        for (auto& change : change_) change.assign(joints_, 1.0);
        for (size_t j = 0; j < joints_; ++j) {
            const double room = aim * bound_ / std::max(j == 0 ? root_worst_ : worst_[j], 1e-3 * bound_);
            if (!may_grow || room <= 1.0) continue;
            for (auto& change : change_) change[j] = std::min(std::pow(room, growth), most_change);
        }
        for (size_t k = 0; k < joints_; ++k) {
            const double ratio = tightening * aim * bound_ / own_worst_[k];
            if (own_worst_[k] <= aim * bound_) continue;
            share_blame(k, worst_sample_[k], [&](size_t j, ItemKind kind, double share) {
                double& change = change_[kind == ItemKind::translation][j];
                change = std::min(change, std::max(least_change, 1.0 - (1.0 - ratio) * share));
            });
        }
        bool any = false;
        for (size_t j = 0; j < joints_; ++j)
            for (const ItemKind kind : joint_kinds) {
                slot(j, kind).tolerance *= change_[kind == ItemKind::translation][j];
                any |= moves(j, kind);
            }
        // A joint that is looser than those below would burden them with errors that their splines cannot follow.
        for (size_t j = joints_; j-- > 1;)
            if (parents_[j] >= 0) {
                double& parent = rotation_[static_cast<size_t>(parents_[j])].tolerance;
                parent = std::min(parent, rotation_[j].tolerance);
            }
        return any;
    }

    std::vector<EncodedItem> encode_floats() {
        std::vector<EncodedItem> items;
        for (size_t first = 0; first < movers_.floats.size(); first += 3) {
            Slot slot{.tolerance = aim * options_.float_bound, .item = {}, .raw = false};
            target_.kind = ItemKind::floats;
            target_.values.assign(samples_, {0, 0, 0});
            const size_t count = std::min<size_t>(3, movers_.floats.size() - first);
            for (size_t s = 0; s < samples_; ++s)
                for (size_t c = 0; c < count; ++c) target_.values[s][c] = float_truth_[s][first + c];
            if (encode(slot, static_cast<uint32_t>(first / 3)))
                items.push_back(slot.item);
            else
                for (size_t c = 0; c < count; ++c) raw_floats_.push_back(movers_.floats[first + c]);
        }
        return items;
    }

    EncodedSegment collect() {
        EncodedSegment result;
        for (size_t j = 0; j < joints_; ++j)
            for (const ItemKind kind : joint_kinds) {
                if (!moves(j, kind)) continue;
                if (!slot(j, kind).raw)
                    result.items.push_back(slot(j, kind).item);
                else
                    add_raw(result,
                            kind == ItemKind::rotation      ? TrackPath::rotation
                            : kind == ItemKind::translation ? TrackPath::translation
                                                            : TrackPath::scale,
                            static_cast<int32_t>(j));
            }
        return result;
    }

    // The keys of the track that moves this, as far as the segment needs them. The last track that does counts.
    void add_raw(EncodedSegment& to, TrackPath path, int32_t target) const {
        for (auto track = clip_.tracks.rbegin(); track != clip_.tracks.rend(); ++track) {
            const int32_t span = path == TrackPath::morphs ? track->width : 1;
            if (track->path != path || target < track->target || target >= track->target + span) continue;
            Track part{.target = track->target,
                       .path = track->path,
                       .interpolation = track->interpolation,
                       .width = track->width,
                       .times = {},
                       .values = {}};
            const auto& times = track->times;
            const auto after = std::ranges::upper_bound(times, plan_.start),
                       end = std::ranges::lower_bound(times, plan_.end);
            const size_t first = static_cast<size_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0));
            const size_t last = std::min(static_cast<size_t>(end - times.begin()) + 1, times.size());
            part.times.assign(times.begin() + static_cast<std::ptrdiff_t>(first),
                              times.begin() + static_cast<std::ptrdiff_t>(last));
            const auto per_key = static_cast<std::ptrdiff_t>(track->values_per_key());
            part.values.assign(track->values.begin() + static_cast<std::ptrdiff_t>(first) * per_key,
                               track->values.begin() + static_cast<std::ptrdiff_t>(last) * per_key);
            if (std::ranges::find(to.raw, part) == to.raw.end()) to.raw.push_back(std::move(part));
            return;
        }
    }

    const Clip& clip_;
    const std::vector<int32_t>& parents_;
    const SegmentPlan& plan_;
    const Movers& movers_;
    const CompileOptions& options_;
    const double bound_;
    size_t joints_ = 0, samples_ = 0;
    std::vector<Transform> truth_;                // joint after joint, sample after sample; so are the next four
    std::vector<AffineD> model_, decoded_;        // model_from_joint
    std::vector<Quatd> turned_, decoded_turned_;  // its rotation, without scales
    std::vector<std::vector<float>> float_truth_;
    std::vector<double> bone_, reach_, worst_, own_worst_;
    std::array<std::vector<double>, 2> change_;  // of tolerances: of turns and scales, of translations
    std::vector<size_t> worst_sample_, mover_;
    std::vector<Blame> shares_;
    double other_roots_ = 0.0, root_worst_ = 0.0;
    std::vector<SplineFit> fits_;
    std::vector<Slot> rotation_, translation_, scale_;
    std::vector<uint16_t> raw_floats_;
    ItemEncoder encoder_;
    ItemTarget target_;
};

}  // namespace

EncodedSegment encode_segment(const Clip& clip, const Skeleton& skeleton, const SegmentPlan& plan, const Movers& movers,
                              const CompileOptions& options, double bound, bool all_raw) {
    SegmentEncoder encoder(clip, skeleton, plan, movers, options, bound);
    return all_raw ? encoder.all_raw() : encoder.run();
}

}  // namespace sinew
