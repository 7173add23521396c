#include <sinew/skeleton/skeleton.h>

#include <sinew/skeleton/joint_label.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {

Result<Skeleton> Skeleton::create(std::vector<std::string> names, std::vector<int32_t> parents,
                                  std::vector<Transform> rest) {
    if (names.size() != parents.size() || rest.size() != parents.size()) {
        return fail(ErrorCode::invalid_data, "a skeleton needs one name, one parent and one transform per joint");
    }
    for (size_t j = 0; j < parents.size(); ++j) {
        if (parents[j] < -1 || parents[j] >= static_cast<int32_t>(j)) {
            return fail(ErrorCode::invalid_data,
                        fmt::format("joint {} comes before its parent {}; parents come first", j, parents[j]),
                        fmt::format("joint {}", j));
        }
        Transform& t = rest[j];
        const float length = t.rotation.coeffs().norm();
        if (!t.translation.allFinite() || !t.scale.allFinite() || !(std::abs(length - 1.0f) < 1e-3f)) {
            return fail(ErrorCode::invalid_data,
                        fmt::format("{} has a rest transform that is not finite, or whose rotation is not a unit "
                                    "quaternion",
                                    joint_label(names[j], j)),
                        fmt::format("joint {}", j));
        }
        // In double, normalising leaves a quaternion that is already unit unchanged.
        if (std::abs(length - 1.0f) > 1e-6f) t.rotation = Quatd(t.rotation.cast<double>()).normalized().cast<float>();
    }
    Skeleton skeleton;
    skeleton.names_ = std::move(names);
    skeleton.parents_ = std::move(parents);
    skeleton.rest_ = std::move(rest);
    return skeleton;
}

int32_t Skeleton::find(std::string_view name) const {
    const auto it = std::find(names_.begin(), names_.end(), name);
    return it == names_.end() ? -1 : static_cast<int32_t>(it - names_.begin());
}

std::vector<std::vector<int32_t>> children_of(std::span<const int32_t> parents) {
    std::vector<std::vector<int32_t>> children(parents.size());
    for (size_t j = 0; j < parents.size(); ++j) {
        if (parents[j] >= 0) children[parents[j]].push_back(static_cast<int32_t>(j));
    }
    return children;
}

}  // namespace sinew
