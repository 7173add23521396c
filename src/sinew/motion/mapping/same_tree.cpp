#include <sinew/motion/mapping/same_tree.h>

#include <sinew/skeleton/creature/creature_words.h>
#include <sinew/skeleton/pose.h>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double same_length = 0.01;  // bones differ by less, as a share of the longest one

// Of the two ways to lay one body on the other in least squares [Umeyama1991], turning alone must fit better than
// turning a mirror image.
bool is_mirror_image(const std::vector<AffineD>& a, const std::vector<AffineD>& b) {
    Vec3d mean_a = Vec3d::Zero(), mean_b = Vec3d::Zero();
    const double n = static_cast<double>(a.size());
    for (size_t j = 0; j < a.size(); ++j) {
        mean_a += a[j].translation() / n;
        mean_b += b[j].translation() / n;
    }
    Mat3d covariance = Mat3d::Zero();
    for (size_t j = 0; j < a.size(); ++j)
        covariance += (b[j].translation() - mean_b) * (a[j].translation() - mean_a).transpose();
    const Eigen::JacobiSVD<Mat3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    constexpr double flat = 1e-6;  // a flat body is its own mirror image
    return (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 &&
           svd.singularValues()[2] > flat * svd.singularValues()[0];
}

size_t telling_names(const Skeleton& skeleton) {
    return static_cast<size_t>(std::ranges::count_if(skeleton.names(), [](const std::string& name) {
        const CreaturePart part = parse_creature_name(name).part;
        return part != CreaturePart::none && part != CreaturePart::helper;
    }));
}

}  // namespace

bool is_same_tree(const Skeleton& a, const Skeleton& b) {
    if (a.size() != b.size() || a.size() < 2 || a.parents() != b.parents()) return false;
    const std::vector<AffineD> world_a = rest_world(a), world_b = rest_world(b);
    double sum_a = 0, sum_b = 0, longest = 0;
    const auto bone = [&](const std::vector<AffineD>& world, size_t j) {
        const auto parent = static_cast<size_t>(a.parents()[j]);
        return (world[j].translation() - world[parent].translation()).norm();
    };
    for (size_t j = 0; j < a.size(); ++j) {
        if (a.parents()[j] < 0) continue;
        sum_a += bone(world_a, j);
        sum_b += bone(world_b, j);
        longest = std::max(longest, bone(world_b, j));
    }
    if (!(sum_a > 0) || !(sum_b > 0)) return false;
    for (size_t j = 0; j < a.size(); ++j)
        if (a.parents()[j] >= 0 &&
            std::abs(bone(world_a, j) * sum_b / sum_a - bone(world_b, j)) > same_length * longest)
            return false;
    return !is_mirror_image(world_a, world_b);
}

void share_roles(const Skeleton& a, const Skeleton& b, HumanoidMap& map_a, HumanoidMap& map_b) {
    if (map_a.is_body() && (telling_names(a) >= telling_names(b) || !map_b.is_body()))
        map_b = map_a;
    else if (map_b.is_body())
        map_a = map_b;
}

void share_roles(const Skeleton& a, const Skeleton& b, CreatureMap& map_a, CreatureMap& map_b) {
    if (map_a.kind != map_b.kind) return;
    const bool first = telling_names(a) >= telling_names(b);
    const CreatureMap &from = first ? map_a : map_b, &to = first ? map_b : map_a;
    CreatureMap shared = from;
    shared.up = to.up;
    shared.forward = to.forward;
    shared.ground = to.ground;
    (first ? map_b : map_a) = shared;
}

}  // namespace sinew
