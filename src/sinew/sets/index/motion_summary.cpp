#include <sinew/sets/index/motion_summary.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// The measures of one moment, one after another, with the part that each belongs to.
class MeasureList {
public:
    void part(std::initializer_list<float> numbers) {
        values.insert(values.end(), numbers);
        part_sizes.insert(part_sizes.end(), numbers.size(), static_cast<float>(numbers.size()));
    }
    void part(const Vec3& v) { part({v.x(), v.y(), v.z()}); }
    void part(const std::array<Vec3, 2>& v) { part({v[0].x(), v[0].y(), v[0].z(), v[1].x(), v[1].y(), v[1].z()}); }
    std::vector<float> values, part_sizes;
};

struct Feet {
    std::array<float, 2> height, speed;  // over the ground
    std::array<bool, 2> stands;
};
Feet feet_of(const RowMeasures& row) {
    constexpr float stands_near = 0.15f, stands_slow = 0.5f;  // legs, legs a second
    Feet feet{};
    for (size_t side = 0; side < 2; ++side) {
        feet.height[side] = row.height + row.foot[side].y();
        feet.speed[side] = (row.foot_speed[side] + row.way).norm();
        feet.stands[side] = feet.height[side] < stands_near && feet.speed[side] < stands_slow;
    }
    return feet;
}

MeasureList measure(const RowMeasures& row) {
    MeasureList list;
    list.part(row.head);
    list.part(row.hand);
    list.part(row.elbow);
    list.part(row.knee);
    list.part(row.foot);
    list.part(row.trunk);
    const Feet feet = feet_of(row);
    list.part({row.height});
    list.part({feet.height[0], feet.height[1]});
    list.part({std::min(feet.height[0], feet.height[1])});
    list.part({row.height + row.hand[0].y(), row.height + row.hand[1].y()});
    list.part({row.height + row.head.y()});
    list.part({(row.hand[0] - row.hand[1]).norm()});
    list.part({(row.foot[0] - row.foot[1]).norm()});
    list.part({(row.hand[0] - row.head).norm(), (row.hand[1] - row.head).norm()});
    list.part(row.head_speed);
    list.part(row.hand_speed);
    list.part(row.foot_speed);
    list.part({(row.head_speed + row.way).norm()});
    list.part({(row.hand_speed[0] + row.way).norm(), (row.hand_speed[1] + row.way).norm()});
    list.part({feet.speed[0], feet.speed[1]});
    list.part({row.way.z()});
    list.part({row.way.x()});
    list.part({row.way.y()});
    list.part({std::hypot(row.way.x(), row.way.z())});
    list.part({row.turn});
    list.part({std::abs(row.turn)});
    list.part({feet.stands[0] ? 1.0f : 0.0f, feet.stands[1] ? 1.0f : 0.0f});
    list.part({feet.stands[0] && feet.stands[1] ? 1.0f : 0.0f});
    list.part({!feet.stands[0] && !feet.stands[1] ? 1.0f : 0.0f});
    return list;
}

// What each row counts: one in which much moves says more of an action than the standing before and after it. Their
// sum is 1.
Eigen::ArrayXf activity_shares(const std::vector<MotionRow>& rows) {
    constexpr float at_rest = 0.1f;  // legs a second: what a body counts that stands still
    Eigen::ArrayXf share(static_cast<Eigen::Index>(rows.size()));
    for (size_t r = 0; r < rows.size(); ++r) {
        const RowMeasures row = read_row(rows[r]);
        float& speed = share[static_cast<Eigen::Index>(r)] = at_rest + (row.head_speed + row.way).norm();
        for (size_t side = 0; side < 2; ++side)
            speed += (row.hand_speed[side] + row.way).norm() + (row.foot_speed[side] + row.way).norm();
    }
    return share / share.sum();
}

constexpr int summary_statistics = 4;

}  // namespace

MotionSummary summarise_motion(const std::vector<MotionRow>& rows) {
    const auto moments = static_cast<Eigen::Index>(rows.size());
    Eigen::ArrayXXf all;
    const Eigen::ArrayXf share = activity_shares(rows);
    for (Eigen::Index r = 0; r < moments; ++r) {
        const MeasureList list = measure(read_row(rows[static_cast<size_t>(r)]));
        if (r == 0) all.resize(moments, static_cast<Eigen::Index>(list.values.size()));
        all.row(r) = Eigen::Map<const Eigen::ArrayXf>(list.values.data(), all.cols()).transpose();
    }
    constexpr double outer_share = 0.03;
    const auto low = static_cast<Eigen::Index>(outer_share * static_cast<double>(moments));
    MotionSummary summary(summary_statistics * all.cols());
    for (Eigen::Index m = 0; m < all.cols(); ++m) {
        const float mean = (all.col(m) * share).sum(), spread = std::sqrt(((all.col(m) - mean).square() * share).sum());
        float* const column = all.col(m).data();
        std::nth_element(column, column + low, column + moments);
        const float lowest = column[low];
        std::nth_element(column, column + (moments - 1 - low), column + moments);
        summary.segment(summary_statistics * m, summary_statistics) << mean, spread, lowest, column[moments - 1 - low];
    }
    return summary;
}

MotionSummary summary_weights(const std::vector<MotionSummary>& summaries) {
    const std::vector<float> part_sizes = measure(read_row(MotionRow{})).part_sizes;
    const auto size = summary_statistics * static_cast<Eigen::Index>(part_sizes.size());
    MotionSummary mean = MotionSummary::Zero(size), squares = MotionSummary::Zero(size), weights(size);
    for (const MotionSummary& summary : summaries) mean += summary / static_cast<float>(summaries.size());
    for (const MotionSummary& summary : summaries)
        squares += (summary - mean).square() / static_cast<float>(summaries.size());
    // What differs by less, in legs and seconds, nobody sees.
    constexpr float seen = 0.02f;
    // Two numbers taken at random from a bell curve differ by 1.13 times its spread.
    constexpr float typical = 1.13f;
    float parts = 0;
    for (const float part : part_sizes) parts += 1.0f / part;
    for (Eigen::Index i = 0; i < size; ++i)
        weights[i] = 1.0f / ((std::sqrt(squares[i]) + seen) * part_sizes[static_cast<size_t>(i / summary_statistics)] *
                             typical * parts * static_cast<float>(summary_statistics));
    return weights;
}

float summary_distance(const MotionSummary& a, const MotionSummary& b, const MotionSummary& weights) {
    return ((a - b).abs() * weights).sum();
}

}  // namespace sinew
