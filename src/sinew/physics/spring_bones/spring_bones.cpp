#include <sinew/physics/spring_bones/spring_bones.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace sinew {
namespace {

// VRM 0.x: the bone behind the last joint of a chain is this long.
constexpr double last_bone = 0.07;

Quatd turn_between(const Vec3d& from, const Vec3d& to) {
    return Quatd(Eigen::Quaterniond::FromTwoVectors(from, to));
}

// Words in the names of joints that swing, and how: stiffness and drag as VRM files have them for such parts.
struct SwingingPart {
    std::string_view word;
    double stiffness, gravity, drag;
};
constexpr std::array swinging_parts = {SwingingPart{"hair", 1.0, 0.1, 0.4},     SwingingPart{"bang", 1.2, 0.05, 0.4},
                                       SwingingPart{"ponytail", 0.8, 0.2, 0.4}, SwingingPart{"tail", 1.0, 0.05, 0.4},
                                       SwingingPart{"ear", 1.6, 0.0, 0.5},      SwingingPart{"skirt", 0.8, 0.3, 0.5},
                                       SwingingPart{"cape", 0.6, 0.3, 0.5},     SwingingPart{"cloak", 0.6, 0.3, 0.5},
                                       SwingingPart{"ribbon", 0.6, 0.3, 0.4},   SwingingPart{"bust", 2.0, 0.0, 0.5},
                                       SwingingPart{"breast", 2.0, 0.0, 0.5},   SwingingPart{"belly", 2.5, 0.0, 0.5},
                                       SwingingPart{"scarf", 0.6, 0.3, 0.4},    SwingingPart{"antenna", 1.2, 0.0, 0.4},
                                       SwingingPart{"sleeve", 0.8, 0.3, 0.5}};

std::string in_small_letters(std::string_view name) {
    std::string small(name);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

const SwingingPart* swinging(std::string_view name) {
    for (const SwingingPart& part : swinging_parts)
        if (name_has_word(name, part.word)) return &part;
    return nullptr;
}

// The longest side of the box around all joints, in those of a person.
double size_in_persons(const Skeleton& skeleton) {
    constexpr double person = 1.6;  // metres, from the toes to the crown's joint
    Eigen::AlignedBox3d box;
    for (const AffineD& joint : rest_world(skeleton)) box.extend(Vec3d(joint.translation()));
    return box.isEmpty() ? 1.0 : box.sizes().maxCoeff() / person;
}

}  // namespace

bool name_has_word(std::string_view name, std::string_view word) {
    const std::string small = in_small_letters(name);
    for (size_t at = small.find(word); at != std::string::npos; at = small.find(word, at + 1)) {
        const bool starts = at == 0 || !std::isalpha(static_cast<unsigned char>(name[at - 1])) ||
                            std::isupper(static_cast<unsigned char>(name[at]));
        const size_t end = at + word.size();
        const bool ends =
            end == name.size() || !std::islower(static_cast<unsigned char>(name[end])) ||
            (name[end] == 's' && (end + 1 == name.size() || !std::islower(static_cast<unsigned char>(name[end + 1]))));
        if (starts && ends) return true;
    }
    return false;
}

SpringBoneSimulation::SpringBoneSimulation(SpringBones bones, const Skeleton& skeleton, std::span<const Transform> rest)
    : set_(std::move(bones)),
      parents_(skeleton.parents()),
      rest_(rest.begin(), rest.end()),
      tails_(set_.bones.size()),
      last_tails_(set_.bones.size()),
      child_places_(set_.bones.size()),
      world_(skeleton.size()) {
    for (size_t i = 0; i < set_.bones.size(); ++i) {
        const SpringBone& bone = set_.bones[i];
        const auto from = static_cast<size_t>(bone.child >= 0 ? bone.child : bone.joint);
        child_places_[i] = rest_[from].translation.cast<double>();
        if (bone.child < 0) child_places_[i] = last_bone * child_places_[i].normalized();
    }
    reset(rest_);
}

AffineD SpringBoneSimulation::center_of(const SpringBone& bone) const {
    return bone.center >= 0 ? world_[static_cast<size_t>(bone.center)] : AffineD::Identity();
}

void SpringBoneSimulation::update(int32_t joint, std::span<const Transform> pose) {
    const auto j = static_cast<size_t>(joint);
    const int32_t parent = parents_[j];
    world_[j] = parent < 0 ? to_affine_d(pose[j]) : AffineD(world_[static_cast<size_t>(parent)] * to_affine_d(pose[j]));
}

void SpringBoneSimulation::reset(std::span<const Transform> pose) {
    local_to_world(parents_, pose, world_);
    for (size_t i = 0; i < set_.bones.size(); ++i) {
        const SpringBone& bone = set_.bones[i];
        tails_[i] = last_tails_[i] =
            center_of(bone).inverse() * (world_[static_cast<size_t>(bone.joint)] * child_places_[i]);
    }
}

void SpringBoneSimulation::leave_colliders(const SpringBone& bone, const Vec3d& head, double length,
                                           Vec3d& tail) const {
    for (const uint32_t id : bone.colliders) {
        const SpringCollider& c = set_.colliders[id];
        const AffineD& space = world_[static_cast<size_t>(c.joint)];
        Vec3d away = tail - space * c.offset;
        if (c.capsule) {
            const Vec3d axis = space * c.tail - space * c.offset;
            const double squared = axis.squaredNorm();
            if (squared > 0.0) away -= std::clamp(axis.dot(away) / squared, 0.0, 1.0) * axis;
        }
        const double far = away.norm();
        const double gap = c.inside ? c.radius - bone.hit_radius - far : far - bone.hit_radius - c.radius;
        if (gap >= 0.0 || !(far > 0.0)) continue;
        tail += (c.inside ? gap : -gap) / far * away;
        const Vec3d out = tail - head;
        if (out.norm() > 0.0) tail = head + length * out.normalized();
    }
}

void SpringBoneSimulation::step(double seconds, std::span<Transform> pose, const Vec3d& air) {
    if (!(seconds > 0.0)) return;
    // Bones start from where they rest in their parents: what a clip does to them is what swings.
    for (const SpringBone& bone : set_.bones)
        pose[static_cast<size_t>(bone.joint)].rotation = rest_[static_cast<size_t>(bone.joint)].rotation;
    local_to_world(parents_, pose, world_);
    int32_t done = 0;
    for (size_t i = 0; i < set_.bones.size(); ++i) {
        const SpringBone& bone = set_.bones[i];
        const auto j = static_cast<size_t>(bone.joint);
        for (; done <= bone.joint; ++done) update(done, pose);  // what hangs on bones that have turned
        const AffineD at_rest = world_[j];
        const Vec3d head = at_rest.translation(), ahead = at_rest * child_places_[i] - head;
        const double length = ahead.norm();
        if (!(length > 0.0)) continue;
        const AffineD center = center_of(bone);
        Vec3d next = center * (tails_[i] + (1.0 - bone.drag) * (tails_[i] - last_tails_[i])) + bone.drag * air;
        next += seconds * (bone.stiffness * ahead.normalized() + bone.gravity_power * bone.gravity_direction);
        const Vec3d out = next - head;
        next = out.norm() > 0.0 ? Vec3d(head + length * out.normalized()) : Vec3d(head + ahead);
        leave_colliders(bone, head, length, next);
        last_tails_[i] = tails_[i];
        tails_[i] = center.inverse() * next;
        const Vec3d to = at_rest.inverse() * next;
        if (to.norm() > 0.0)
            pose[j].rotation = (Quatd(rest_[j].rotation.cast<double>()) * turn_between(child_places_[i], to))
                                   .normalized()
                                   .cast<float>();
        update(bone.joint, pose);
    }
}

SpringBones find_spring_bones(const Skeleton& skeleton) {
    const double size = size_in_persons(skeleton);
    SpringBones found{.by_name = true};
    const auto children = children_of(skeleton.parents());
    std::vector<const SwingingPart*> part(skeleton.size(), nullptr);
    for (size_t j = 0; j < skeleton.size(); ++j) {
        part[j] = swinging(skeleton.names()[j]);
        const int32_t parent = skeleton.parents()[j];
        if (!part[j] && parent >= 0) part[j] = part[static_cast<size_t>(parent)];  // what hangs on hair is hair
        if (!part[j] || parent < 0) continue;
        const int32_t child = children[j].empty() ? -1 : children[j].front();
        if (child < 0 && !(skeleton.rest()[j].translation.norm() > 0.0f)) continue;
        found.bones.push_back({.joint = static_cast<int32_t>(j),
                               .child = child,
                               .stiffness = size * part[j]->stiffness,
                               .gravity_power = size * part[j]->gravity,
                               .drag = part[j]->drag});
    }
    return found;
}

}  // namespace sinew
