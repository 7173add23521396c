#include <sinew/sets/index/motion_index.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

using RowMap = Eigen::Map<const Eigen::Array<float, motion_features, 1>>;

// The mean of the rows and how much they vary: what a motion is as a whole.
struct WholeMotion {
    Eigen::Array<float, motion_features, 1> mean, spread;
};
WholeMotion summarise(const std::vector<MotionRow>& rows) {
    WholeMotion whole;
    whole.mean.setZero();
    whole.spread.setZero();
    for (const MotionRow& row : rows) whole.mean += RowMap(row.data());
    whole.mean /= static_cast<float>(rows.size());
    for (const MotionRow& row : rows) whole.spread += (RowMap(row.data()) - whole.mean).square();
    whole.spread = (whole.spread / static_cast<float>(rows.size())).sqrt();
    return whole;
}

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

Comparison compare_motions(const std::vector<MotionRow>& query, const WholeMotion& whole,
                           const std::vector<MotionRow>& rows, size_t length, bool part) {
    // Shares of the three ways to compare; those of a part look at the clip with the query's eyes alone.
    constexpr float there = 0.5f, back = 0.25f, overall = 0.5f;
    Comparison found;
    std::vector<size_t> matches;
    // |a − b|² = |a|² + |b|² − 2a·b: all pairs as one product.
    const auto q = as_matrix(query), r = as_matrix(rows);
    Eigen::MatrixXf apart = (-2.0f * q.transpose() * r).colwise() + q.colwise().squaredNorm().transpose();
    apart.rowwise() += r.colwise().squaredNorm();
    apart = apart.cwiseMax(0.0f).cwiseSqrt();
    float sum = 0;
    for (Eigen::Index i = 0; i < apart.rows(); ++i) {
        Eigen::Index at = 0;
        sum += apart.row(i).minCoeff(&at);
        matches.push_back(static_cast<size_t>(at));
    }
    found.distance = there * sum / static_cast<float>(query.size());
    find_stretch(matches, rows.size(), length, found);
    if (part) {
        found.distance /= there;
        return found;
    }
    const float returned = apart.colwise().minCoeff().sum();
    const WholeMotion other = summarise(rows);
    found.distance += back * returned / static_cast<float>(rows.size());
    found.distance +=
        overall * std::sqrt((whole.mean - other.mean).square().sum() + (whole.spread - other.spread).square().sum());
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

}  // namespace

std::vector<FoundMotion> find_like(const MotionIndex& index, const std::vector<MotionRow>& query, bool part,
                                   std::string_view name) {
    std::vector<FoundMotion> found;
    for (size_t f = 0; f < index.files.size(); ++f)
        for (size_t c = 0; c < index.files[f].clips.size(); ++c)
            if (!index.files[f].clips[c].motion.rows.empty() && is_named(index.files[f], index.files[f].clips[c], name))
                found.push_back({f, c, 0, 0, 0, false});
    if (query.empty()) return {};
    std::vector<MotionRow> mirrored;
    const std::vector<MotionRow> plain = thinned(query);
    for (const MotionRow& row : plain) mirrored.push_back(mirrored_row(row));
    const WholeMotion whole = summarise(plain), mirrored_whole = summarise(mirrored);
    parallel_for(found.size(), 1, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            FoundMotion& f = found[i];
            const std::vector<MotionRow>& rows = index.files[f.file].clips[f.clip].motion.rows;
            const Comparison as_is = compare_motions(plain, whole, rows, query.size(), part),
                             swapped = compare_motions(mirrored, mirrored_whole, rows, query.size(), part);
            f.mirrored = swapped.distance < as_is.distance;
            const Comparison& best = f.mirrored ? swapped : as_is;
            constexpr float unlike = 3.0f;  // the distance of motions that have nothing in common
            f.distance = best.distance / unlike;
            f.from = static_cast<float>(static_cast<double>(best.first) / motion_feature_rate);
            f.to = static_cast<float>(static_cast<double>(best.last + 1) / motion_feature_rate);
        }
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
