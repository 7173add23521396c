#include <sinew/sets/index/motion_index.h>

#include <sinew/core/parallel.h>
#include <sinew/sets/index/motion_summary.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

using RowMatrix = Eigen::Matrix<float, motion_features, Eigen::Dynamic>;
Eigen::Map<const RowMatrix> as_matrix(const std::vector<MotionRow>& rows) {
    return {rows.front().data(), static_cast<Eigen::Index>(motion_features), static_cast<Eigen::Index>(rows.size())};
}

// A long query is thinned out: neighbours say much the same.
std::vector<MotionRow> thinned(const std::vector<MotionRow>& rows) {
    constexpr size_t most = 150;
    const size_t step = (rows.size() + most - 1) / most;
    std::vector<MotionRow> out;
    for (size_t r = 0; r < rows.size(); r += std::max<size_t>(step, 1)) out.push_back(rows[r]);
    return out;
}

struct Comparison {
    float distance = INFINITY;
    size_t first = 0, last = 0;  // rows of the clip
};

// The stretch of the clip, about as long as the query, whose rows are most often the best match.
void find_stretch(const std::vector<size_t>& matches, size_t rows, size_t length, Comparison& found) {
    std::vector<int> votes(rows + 1, 0);
    for (const size_t m : matches) ++votes[m];
    length = std::min(length, rows);
    int sum = 0, best = -1;
    for (size_t r = 0; r < rows; ++r) {
        sum += votes[r];
        if (r >= length) sum -= votes[r - length];
        if (r + 1 >= length && sum > best) {
            best = sum;
            found.last = r;
            found.first = r + 1 - length;
        }
    }
}

// How far each row of the query is from the most similar row of the clip, and the other way round; of a part, the
// query's rows alone count.
Comparison compare_rows(const std::vector<MotionRow>& query, const std::vector<MotionRow>& rows, size_t length,
                        bool part) {
    Comparison found;
    std::vector<size_t> matches;
    // |a − b|² = |a|² + |b|² − 2a·b: all pairs as one product.
    const auto q = as_matrix(query), r = as_matrix(rows);
    Eigen::MatrixXf apart = (-2.0f * q.transpose() * r).colwise() + q.colwise().squaredNorm().transpose();
    apart.rowwise() += r.colwise().squaredNorm();
    apart = apart.cwiseMax(0.0f).cwiseSqrt();
    float there = 0;
    for (Eigen::Index i = 0; i < apart.rows(); ++i) {
        Eigen::Index at = 0;
        there += apart.row(i).minCoeff(&at) / static_cast<float>(apart.rows());
        matches.push_back(static_cast<size_t>(at));
    }
    const float back = apart.colwise().minCoeff().mean();
    constexpr float unlike = 2.0f;  // the distance of rows that have nothing in common
    found.distance = (part ? there : 0.5f * (there + back)) / unlike;
    find_stretch(matches, rows.size(), length, found);
    return found;
}

bool has_text(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool is_named(const IndexedFile& file, const IndexedClip& clip, std::string_view name) {
    return name.empty() || has_text(clip.name, name) || has_text(file.path, name);
}

std::vector<MotionRow> mirrored_rows(const std::vector<MotionRow>& rows) {
    std::vector<MotionRow> out;
    for (const MotionRow& row : rows) out.push_back(mirrored_row(row));
    return out;
}

const std::vector<MotionRow>& rows_of(const MotionIndex& index, const FoundMotion& found) {
    return index.files[found.file].clips[found.clip].motion.rows;
}

std::vector<FoundMotion> clips_with_rows(const MotionIndex& index) {
    std::vector<FoundMotion> clips;
    for (size_t f = 0; f < index.files.size(); ++f)
        for (size_t c = 0; c < index.files[f].clips.size(); ++c)
            if (!index.files[f].clips[c].motion.rows.empty()) clips.push_back({f, c, 0, 0, 0, false});
    return clips;
}

// How far each clip is from the query as a whole; zeros for a part.
std::vector<float> whole_distances(const MotionIndex& index, const std::vector<FoundMotion>& clips,
                                   const std::vector<MotionRow>& query, bool part) {
    std::vector<float> distances(clips.size(), 0.0f);
    if (part) return distances;
    std::vector<MotionSummary> summaries(clips.size());
    parallel_for(clips.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) summaries[i] = summarise_motion(rows_of(index, clips[i]));
    });
    const MotionSummary weights = summary_weights(summaries), own = summarise_motion(query);
    for (size_t i = 0; i < clips.size(); ++i) distances[i] = summary_distance(own, summaries[i], weights);
    return distances;
}

}  // namespace

std::vector<FoundMotion> find_like(const MotionIndex& index, const std::vector<MotionRow>& query, bool part,
                                   std::string_view name) {
    if (query.empty()) return {};
    // What the motions as a whole count against their rows: the best of 0.3 to 1 for captures (bench/find_bench.cpp).
    const float whole_share = part ? 0.0f : 0.6f;
    std::vector<FoundMotion> found = clips_with_rows(index);
    for (FoundMotion& f : found) f.distance = INFINITY;
    for (const bool mirrored : {false, true}) {
        const std::vector<MotionRow> rows = mirrored ? mirrored_rows(query) : query, few = thinned(rows);
        const std::vector<float> whole = whole_distances(index, found, rows, part);
        parallel_for(found.size(), 1, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                FoundMotion& f = found[i];
                const Comparison by_rows = compare_rows(few, rows_of(index, f), query.size(), part);
                const float distance = whole_share * whole[i] + (1.0f - whole_share) * by_rows.distance;
                if (!(distance < f.distance)) continue;
                f.distance = distance;
                f.mirrored = mirrored;
                f.from = static_cast<float>(static_cast<double>(by_rows.first) / motion_feature_rate);
                f.to = static_cast<float>(static_cast<double>(by_rows.last + 1) / motion_feature_rate);
            }
        });
    }
    std::erase_if(found, [&](const FoundMotion& f) {
        return !is_named(index.files[f.file], index.files[f.file].clips[f.clip], name);
    });
    std::ranges::stable_sort(found, {}, &FoundMotion::distance);
    return found;
}

std::vector<FoundMotion> find_named(const MotionIndex& index, std::string_view name) {
    std::vector<FoundMotion> found;
    for (size_t f = 0; f < index.files.size(); ++f)
        for (size_t c = 0; c < index.files[f].clips.size(); ++c)
            if (const IndexedClip& clip = index.files[f].clips[c]; is_named(index.files[f], clip, name))
                found.push_back({f, c, 0, 0, clip.motion.seconds, false});
    return found;
}

}  // namespace sinew
