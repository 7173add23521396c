#include <sinew/rig/user_template.h>

#include <sinew/skeleton/forward_kinematics.h>
#include <cmath>

namespace sinew {
namespace {

// Rows: left, up, ahead of a body with these shoulders, hips and neck.
Mat3d body_axes(const Vec3d& left, const Vec3d& right, const Vec3d& hips, const Vec3d& head) {
    Mat3d axes;
    const Vec3d up = (head - hips).normalized();
    const Vec3d across = ((left - right) - (left - right).dot(up) * up).normalized();
    axes.row(0) = across;
    axes.row(1) = up;
    axes.row(2) = across.cross(up);
    return axes;
}

struct Transfer {
    const std::vector<int32_t>& parents;
    std::vector<AffineD> was;
    std::vector<Vec3d> now;
    std::vector<char> fitted;  // `now` is known
    std::vector<int> next;     // the nearest fitted joint below, −1: none
    Mat3d turn;                // of the whole body
    double scale = 1.0;

    Vec3d old(int j) const { return was[static_cast<size_t>(j)].translation(); }

    // How the bone that starts at a fitted joint has turned.
    Mat3d bone_turn(int j) const {
        const int n = next[static_cast<size_t>(j)];
        if (n < 0) return turn;
        const Vec3d before = turn * (old(n) - old(j)),
                    after = now[static_cast<size_t>(n)] - now[static_cast<size_t>(j)];
        if (!(before.norm() > 1e-12) || !(after.norm() > 1e-12)) return turn;
        return Eigen::Quaterniond::FromTwoVectors(before, after).toRotationMatrix() * turn;
    }

    int fitted_above(int j) const {
        int at = parents[static_cast<size_t>(j)];
        while (at >= 0 && !fitted[static_cast<size_t>(at)]) at = parents[static_cast<size_t>(at)];
        return at;
    }

    Vec3d place(int j, int hips) const {
        const int above = fitted_above(j), below = next[static_cast<size_t>(j)];
        if (above < 0) return now[static_cast<size_t>(hips)] + scale * (turn * (old(j) - old(hips)));
        const Vec3d from = old(j) - old(above);
        if (below < 0) return now[static_cast<size_t>(above)] + scale * (bone_turn(above) * from);
        const Vec3d bone = old(below) - old(above);
        const double share = bone.squaredNorm() > 0.0 ? from.dot(bone) / bone.squaredNorm() : 0.0;
        return now[static_cast<size_t>(above)] +
               share * (now[static_cast<size_t>(below)] - now[static_cast<size_t>(above)]) +
               scale * (bone_turn(above) * (from - share * bone));
    }
};

}  // namespace

Result<RigResult> apply_template(RigResult rig, const Skeleton& user) {
    const HumanoidMap map = recognise_humanoid(user);
    if (!map.is_body() || map[Role::head] < 0)
        return fail(ErrorCode::unsupported,
                    "is no humanoid skeleton, which a template must be; give one with hips, head, arms and legs");
    if (rig.kind != RigKind::biped)
        return fail(ErrorCode::unsupported, "is no biped, so that a humanoid template does not fit it");
    Transfer t{.parents = user.parents(),
               .was = rest_world(user),
               .now = std::vector<Vec3d>(user.size()),
               .fitted = std::vector<char>(user.size(), 0),
               .next = std::vector<int>(user.size(), -1),
               .turn = Mat3d::Identity()};
    std::vector<double> confidence(user.size(), rig.confidence);
    const auto fitted_at = [&](Role role) {
        for (size_t j = 0; j < rig.roles.size(); ++j)
            if (rig.roles[j] == role) return static_cast<int>(j);
        return -1;
    };
    for (size_t r = 0; r < role_count; ++r) {
        const int from = fitted_at(static_cast<Role>(r));
        if (map.joint[r] < 0 || from < 0) continue;
        const auto j = static_cast<size_t>(map.joint[r]);
        t.now[j] = rig.positions[static_cast<size_t>(from)].cast<double>();
        t.fitted[j] = 1;
        confidence[j] = rig.joint_confidence[static_cast<size_t>(from)];
    }
    for (size_t j = user.size(); j-- > 0;) {
        const int parent = user.parents()[j];
        const int below = t.fitted[j] ? static_cast<int>(j) : t.next[j];
        // The main line goes on through the joint whose line is the longest: the spine before the legs.
        if (parent >= 0 && below >= 0 &&
            (t.next[static_cast<size_t>(parent)] < 0 || user.parents()[j] + 1 == static_cast<int>(j)))
            t.next[static_cast<size_t>(parent)] = below;
    }
    const auto now = [&](Role role) { return t.now[static_cast<size_t>(map[role])]; };
    const auto old = [&](Role role) { return t.old(map[role]); };
    const Mat3d after =
        body_axes(now(Role::left_upper_arm), now(Role::right_upper_arm), now(Role::hips), now(Role::head));
    const Mat3d before =
        body_axes(old(Role::left_upper_arm), old(Role::right_upper_arm), old(Role::hips), old(Role::head));
    t.turn = after.transpose() * before;
    t.scale = (now(Role::head) - now(Role::left_lower_leg)).norm() /
              std::max(1e-12, (old(Role::head) - old(Role::left_lower_leg)).norm());

    std::vector<AffineD> world(user.size());
    std::vector<Transform> rest(user.size());
    rig.positions.clear();
    for (size_t j = 0; j < user.size(); ++j) {
        const int id = static_cast<int>(j), above = t.fitted_above(id);
        if (!t.fitted[j]) t.now[j] = t.place(id, map[Role::hips]);
        world[j] = AffineD::Identity();
        world[j].linear() = (t.fitted[j]  ? t.bone_turn(id)
                             : above >= 0 ? t.bone_turn(above)
                                          : t.turn) *
                            decompose(t.was[j]).transform.rotation.cast<double>().toRotationMatrix();
        world[j].translation() = t.now[j];
        const int parent = user.parents()[j];
        const AffineD local =
            parent < 0 ? world[j] : AffineD(world[static_cast<size_t>(parent)].inverse(Eigen::Isometry) * world[j]);
        rest[j].translation = local.translation().cast<float>();
        rest[j].rotation = Quatd(Mat3d(local.linear())).normalized().cast<float>();
        rig.positions.push_back(t.now[j].cast<float>());
    }
    rig.roles = map.roles(user.size());
    rig.joint_confidence = std::move(confidence);
    SINEW_TRY(rig.skeleton, Skeleton::create(user.names(), user.parents(), std::move(rest)));
    return rig;
}

}  // namespace sinew
