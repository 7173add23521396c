#include <fmt/format.h>

#include <sinew/io/mocap/asf.h>
#include <sinew/io/mocap/asf_amc.h>
#include <sinew/io/mocap/euler.h>
#include <sinew/io/text_scan.h>

namespace sinew {
namespace {

constexpr double metres_per_inch = 0.0254;
constexpr size_t max_dofs = 32;

std::optional<int> parse_axis(char c) {
    const size_t axis = std::string_view("xyz").find(static_cast<char>(c | 0x20));
    return axis == std::string_view::npos ? std::nullopt : std::optional(static_cast<int>(axis));
}

std::optional<AsfDof> parse_dof(std::string_view word) {
    if (equals_ignoring_case(word, "l")) return AsfDof{};
    if (word.size() != 2) return std::nullopt;
    const auto axis = parse_axis(word[1]);
    const char kind = static_cast<char>(word[0] | 0x20);
    if (!axis || (kind != 'r' && kind != 't')) return std::nullopt;
    return AsfDof{kind == 'r' ? AsfDof::Kind::rotate : AsfDof::Kind::translate, *axis};
}

class AsfReader {
public:
    AsfReader(std::string_view text, const Limits& limits) : scan_(text, {}), limits_(limits) {
        asf_.radians = degree;
        asf_.bones.emplace_back().name = "root";
        asf_.bone_of_name["root"] = 0;
        has_parent_.push_back(true);
    }

    Result<AsfSkeleton> read() {
        std::string_view section;
        while (scan_.next_line()) {
            const std::string_view word = scan_.word();
            if (word.starts_with(':')) {
                section = word;
                saw_bones_ |= equals_ignoring_case(word, ":bonedata");
            } else if (section.empty()) {
                return error("an ASF file starts with ':version'");
            } else {
                SINEW_TRY_VOID(read_line(section, word));
            }
        }
        if (open_) return error("a bone's 'end' is missing; is the file cut off?");
        if (!saw_bones_) return fail(ErrorCode::invalid_data, "the file has no ':bonedata'; is it an ASF file?");
        put_in_order();
        return std::move(asf_);
    }

private:
    tl::unexpected<Error> error(std::string message) const {
        return fail(ErrorCode::invalid_data, std::move(message), scan_.where());
    }

    Result<void> read_line(std::string_view section, std::string_view word) {
        if (equals_ignoring_case(section, ":units")) return read_unit(word);
        if (equals_ignoring_case(section, ":root")) return read_root(word);
        if (equals_ignoring_case(section, ":bonedata")) return read_bone(word);
        if (equals_ignoring_case(section, ":hierarchy")) return read_hierarchy(word);
        return {};
    }

    Result<void> read_unit(std::string_view word) {
        if (equals_ignoring_case(word, "length")) {
            SINEW_TRY(const double unit, scan_.number("the unit of length"));
            if (!(unit > 1e-9)) return error("the unit of length must be greater than 0; CMU's files have 0.45");
            asf_.metres = metres_per_inch / unit;
        } else if (equals_ignoring_case(word, "angle")) {
            asf_.radians = starts_ignoring_case(scan_.word(), "rad") ? 1.0 : degree;
        }
        return {};
    }

    Result<void> read_root(std::string_view word) {
        AsfBone& root = asf_.bones[0];
        if (equals_ignoring_case(word, "order")) return read_dofs(root);
        if (equals_ignoring_case(word, "axis")) {
            root_axis_order_ = scan_.word();
        } else if (equals_ignoring_case(word, "position")) {
            SINEW_TRY(asf_.root_position, read_vector("the root's position"));
        } else if (equals_ignoring_case(word, "orientation")) {
            SINEW_TRY(const Vec3d angles, read_vector("the root's orientation"));
            SINEW_TRY(root.world_from_axis, rotation(angles, root_axis_order_));
        }
        return {};
    }

    Result<void> read_bone(std::string_view word) {
        if (equals_ignoring_case(word, "begin")) return begin_bone();
        if (!open_)
            return error(fmt::format("{} is not between a 'begin' and an 'end'; move it into a bone", in_quotes(word)));
        AsfBone& bone = asf_.bones.back();
        if (equals_ignoring_case(word, "end")) {
            open_ = false;
            if (!asf_.bone_of_name.try_emplace(bone.name, int32_t(asf_.bones.size() - 1)).second)
                return error(fmt::format("two bones are called {}; give each its own name", in_quotes(bone.name)));
        } else if (equals_ignoring_case(word, "name")) {
            bone.name = scan_.rest_of_line();
        } else if (equals_ignoring_case(word, "direction")) {
            SINEW_TRY(bone.direction, read_vector("a bone's direction"));
            if (bone.direction.norm() > 0) bone.direction.normalize();
        } else if (equals_ignoring_case(word, "length")) {
            SINEW_TRY(bone.length, scan_.number("a bone's length"));
        } else if (equals_ignoring_case(word, "axis")) {
            SINEW_TRY(const Vec3d angles, read_vector("a bone's axis"));
            SINEW_TRY(bone.world_from_axis, rotation(angles, scan_.word()));
        } else if (equals_ignoring_case(word, "dof")) {
            return read_dofs(bone);
        }
        return {};  // id, mass, limits: not needed to place a bone
    }

    Result<void> begin_bone() {
        if (open_) return error("a bone begins before the last one has ended; an 'end' is missing");
        // A leaf makes two joints.
        if (2 * asf_.bones.size() >= limits_.max_joints)
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("the file has too many bones; the limit is {} joints", limits_.max_joints),
                        scan_.where());
        open_ = true;
        asf_.bones.emplace_back();
        has_parent_.push_back(false);
        return {};
    }

    Result<int32_t> find(std::string_view name) const {
        const auto found = asf_.bone_of_name.find(std::string(name));
        if (found != asf_.bone_of_name.end()) return found->second;
        return error(
            fmt::format("the hierarchy names {}, but no bone has that name; correct one of them", in_quotes(name)));
    }

    Result<void> read_hierarchy(std::string_view word) {
        if (equals_ignoring_case(word, "begin") || equals_ignoring_case(word, "end")) return {};
        SINEW_TRY(const int32_t parent, find(word));
        for (word = scan_.word(); !word.empty(); word = scan_.word()) {
            SINEW_TRY(const int32_t child, find(word));
            if (has_parent_[size_t(child)])
                return error(fmt::format("{} has two parents; list it under one bone only", in_quotes(word)));
            asf_.bones[size_t(child)].parent = parent;
            has_parent_[size_t(child)] = true;
        }
        return {};
    }

    Result<void> read_dofs(AsfBone& bone) {
        bone.dofs.clear();
        for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
            const auto dof = parse_dof(word);
            if (!dof || bone.dofs.size() == max_dofs)
                return error(
                    fmt::format("{} is not a degree of freedom; use rx, ry, rz, tx, ty, tz or l", in_quotes(word)));
            bone.dofs.push_back(*dof);
        }
        return {};
    }

    Result<Vec3d> read_vector(std::string_view what) {
        Vec3d v;
        for (int i = 0; i < 3; ++i) {
            SINEW_TRY(v[i], scan_.number(what));
        }
        return v;
    }

    // "XYZ": about x first, then y, then z, all of them fixed axes.
    Result<Quatd> rotation(const Vec3d& angles, std::string_view order) const {
        if (order.empty()) order = "XYZ";
        Quatd q = Quatd::Identity();
        for (size_t i = 0; i < 3; ++i) {
            const auto axis = order.size() == 3 ? parse_axis(order[i]) : std::nullopt;
            if (!axis)
                return error(fmt::format("{} is not an order of axes; write XYZ, ZYX or another order of the three",
                                         in_quotes(order)));
            q = axis_rotation(*axis, angles[Eigen::Index(i)] * asf_.radians) * q;
        }
        return q;
    }

    // Depth first from the root; bones that no line of the hierarchy reaches are left out.
    void put_in_order() {
        std::vector<AsfBone>& bones = asf_.bones;
        std::vector<std::vector<int32_t>> children(bones.size());
        for (size_t b = 1; b < bones.size(); ++b)
            if (has_parent_[b]) children[size_t(bones[b].parent)].push_back(int32_t(b));
        std::vector<AsfBone> ordered;
        std::vector<std::pair<int32_t, int32_t>> stack{{0, -1}};  // bone, its parent's new number
        while (!stack.empty()) {
            const auto [bone, parent] = stack.back();
            stack.pop_back();
            const int32_t number = int32_t(ordered.size());
            ordered.push_back(std::move(bones[size_t(bone)]));
            ordered.back().parent = parent;
            const auto& below = children[size_t(bone)];
            for (auto child = below.rbegin(); child != below.rend(); ++child) stack.emplace_back(*child, number);
        }
        if (ordered.size() < bones.size())
            asf_.warnings.push_back(fmt::format("{} bones have no parent in the hierarchy and were left out",
                                                bones.size() - ordered.size()));
        bones = std::move(ordered);
        asf_.bone_of_name.clear();
        for (size_t b = 0; b < bones.size(); ++b) asf_.bone_of_name[bones[b].name] = int32_t(b);
    }

    TextScan scan_;
    const Limits& limits_;
    AsfSkeleton asf_;
    std::vector<char> has_parent_;
    std::string_view root_axis_order_;
    bool open_ = false, saw_bones_ = false;
};

}  // namespace

Result<AsfSkeleton> parse_asf(std::string_view text, const Limits& limits) {
    return AsfReader(text, limits).read();
}

Result<AsfCharacter> make_character(const AsfSkeleton& asf) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    const auto add = [&](std::string name, int32_t parent, const Vec3d& translation) {
        names.push_back(std::move(name));
        parents.push_back(parent);
        rest.push_back({.translation = (translation * asf.metres).cast<float>()});
    };
    const auto end_of = [](const AsfBone& bone) { return Vec3d(bone.direction * bone.length); };

    std::vector<char> is_leaf(asf.bones.size(), true);
    for (const AsfBone& bone : asf.bones)
        if (bone.parent >= 0) is_leaf[size_t(bone.parent)] = false;
    AsfCharacter made;
    for (size_t b = 0; b < asf.bones.size(); ++b) {
        const AsfBone& bone = asf.bones[b];
        made.joint_of_bone.push_back(int32_t(names.size()));
        if (bone.parent < 0) {
            add(bone.name, -1, asf.root_position);
            continue;
        }
        add(bone.name, made.joint_of_bone[size_t(bone.parent)], end_of(asf.bones[size_t(bone.parent)]));
        if (is_leaf[b]) add(bone.name + "_end", made.joint_of_bone[b], end_of(bone));
    }
    made.character.warnings = asf.warnings;
    SINEW_TRY(made.character.skeleton, Skeleton::create(std::move(names), std::move(parents), std::move(rest)));
    return made;
}

Result<Character> read_asf(SharedBytes file, const ReadOptions& options) {
    SINEW_TRY(const AsfSkeleton asf, parse_asf(as_text(file.view), options.limits));
    SINEW_TRY(AsfCharacter made, make_character(asf));
    made.character.format = "asf";
    return std::move(made.character);
}

}  // namespace sinew
