#include <sinew/pipeline/simulate/worn_cloth.h>

#include <sinew/core/check.h>
#include <sinew/pipeline/simulate/actor.h>
#include <sinew/pipeline/simulate/cloth_joints.h>
#include <sinew/pipeline/simulate/cloth_measures.h>
#include <sinew/pipeline/simulate/recording.h>
#include <sinew/pipeline/simulate/worn.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double steps_a_second = 60.0;
// What swings has come to what it does in a cycle within this time.
constexpr double settling = 2.0;
// At the end of a cycle, this share of it goes over to what the cloth did one cycle before.
constexpr double closing_share = 0.3;
// Thickness is meant for a person of this height.
constexpr float usual_height = 1.7f;
constexpr double fit_error = 0.004;

struct Take {
    std::vector<float> times;
    std::vector<Pose> poses;
    std::vector<std::vector<Vec3>> positions;  // per garment, frame after frame
};

class Dresser {
public:
    Dresser(const Character& character, const Clip& clip, std::span<const Worn> worn, std::span<ClothReport> reports)
        : character_(character), clip_(clip), worn_(worn), reports_(reports), actor_(character, &clip, worn) {
        const float scale = std::max(actor_.skin().bounds().size().y() / usual_height, 1e-3f);
        for (size_t g = 0; g < worn.size(); ++g) {
            ClothOptions options;
            options.thickness *= scale;
            pins_.push_back(find_pins(worn[g], character, actor_.skin()));
            cloths_.push_back(std::make_unique<Cloth>(worn[g].positions, worn[g].triangles, options));
            for (const uint32_t pin : pins_[g]) cloths_[g]->pin(pin);
            reports_[g].pins = pins_[g].size();
            source_.push_back(sources(worn[g]));
            hinges_.push_back(find_hinges(worn[g].positions, worn[g].triangles));
        }
    }

    // Simulates the clip; of one that loops, as many rounds as it takes to settle, and one more to close the loop with.
    Result<Take> run() {
        const double length = duration(clip_), fps = clip_rate(clip_);
        const auto intervals = static_cast<size_t>(std::max(1.0, std::round(length * fps)));
        const double frame = length / static_cast<double>(intervals);
        const auto ticks = static_cast<int>(std::max(1.0, std::round(frame * steps_a_second)));
        step_ = frame / ticks;
        time_ = -Actor::lead;
        const auto lead = static_cast<int>(std::lround(Actor::lead / step_));
        for (int i = 0; i < lead; ++i) tick();
        time_ = 0.0;
        const Vec3 first = actor_.first_velocity();
        for (auto& cloth : cloths_)
            for (size_t v = 0; v < cloth->size(); ++v) cloth->set_velocity(v, cloth->velocity(v) + first);
        const bool loops = actor_.loops();
        const int rounds = loops ? static_cast<int>(std::ceil(settling / length)) + 2 : 1;
        Take take, last;
        for (int round = 0; round < rounds; ++round) {
            last = std::move(take);
            take = {};
            take.positions.resize(worn_.size());
            const AffineD back = actor_.round_place(round).inverse();
            for (size_t f = 0; f <= intervals; ++f) {
                for (int t = 0; f > 0 && t < ticks; ++t) tick();
                SINEW_TRY_VOID(
                    record(take, static_cast<float>(static_cast<double>(f) * frame), back, round + 1 == rounds));
            }
        }
        if (loops) close(take, last);
        for (const float time : take.times) take.poses.push_back(pose_at(character_, &clip_, time));
        return take;
    }

private:
    struct Source {
        size_t part;
        uint32_t vertex;
    };
    // Where the deformed place of each vertex of the cloth stands.
    std::vector<Source> sources(const Worn& worn) const {
        std::vector<Source> out(worn.positions.size());
        for (size_t p = 0; p < actor_.parts().size(); ++p) {
            const DeformedPrimitive& part = actor_.parts()[p];
            if (part.instance != worn.instance) continue;
            const auto& mine = worn.cloth_vertex[static_cast<size_t>(part.primitive)];
            for (uint32_t v = 0; v < mine.size(); ++v)
                if (mine[v] >= 0) out[static_cast<size_t>(mine[v])] = {p, v};
        }
        return out;
    }

    void tick() {
        actor_.move_to(time_ + step_, step_);
        const ClothBody body = actor_.body();
        for (size_t g = 0; g < cloths_.size(); ++g) {
            for (size_t k = 0; k < pins_[g].size(); ++k) {
                const Source from = source_[g][pins_[g][k]];
                cloths_[g]->set_pin(k, actor_.parts()[from.part].positions[from.vertex]);
            }
            cloths_[g]->step(static_cast<float>(step_),
                             {.colliders = actor_.capsules(), .bodies = std::span(&body, 1)});
        }
        time_ += step_;
    }

    Result<void> record(Take& take, float time, const AffineD& back, bool count) {
        take.times.push_back(time);
        for (size_t g = 0; g < cloths_.size(); ++g) {
            const Cloth& cloth = *cloths_[g];
            std::vector<Vec3> now(cloth.size());
            cloth.copy_positions(now);
            for (size_t v = 0; v < cloth.size(); ++v) {
                if (!(now[v].cwiseAbs().maxCoeff() < end_of_world))
                    return fail(ErrorCode::invalid_data,
                                fmt::format("the garment \"{}\" flew apart after {:.2f} s of \"{}\"; leave it out, or "
                                            "mend its mesh",
                                            worn_[g].name, time_, clip_.name));
                take.positions[g].push_back((back * now[v].cast<double>()).cast<float>());
            }
            if (count)
                note_moment({.positions = now,
                             .triangles = worn_[g].triangles,
                             .hinges = hinges_[g],
                             .cloth = &cloth,
                             .skin = &actor_.skin(),
                             .held = pins_[g]},
                            reports_[g]);
        }
        return {};
    }

    // The end of the round before is the beginning of this one: whoever arrives there starts again without a jump.
    static void close(Take& take, const Take& last) {
        const size_t frames = take.times.size();
        for (size_t g = 0; g < take.positions.size(); ++g) {
            const size_t vertices = take.positions[g].size() / frames;
            for (size_t f = 0; f < frames; ++f) {
                const double through = static_cast<double>(f) / static_cast<double>(frames - 1);
                const double t = std::max(0.0, (through - 1.0 + closing_share) / closing_share);
                const auto share = static_cast<float>(t * t * (3.0 - 2.0 * t));
                for (size_t v = f * vertices; v < (f + 1) * vertices; ++v)
                    take.positions[g][v] += share * (last.positions[g][v] - take.positions[g][v]);
            }
        }
    }

    const Character& character_;
    const Clip& clip_;
    std::span<const Worn> worn_;
    std::span<ClothReport> reports_;
    Actor actor_;
    std::vector<std::vector<uint32_t>> pins_;
    std::vector<std::vector<Source>> source_;
    std::vector<std::vector<Hinge>> hinges_;
    std::vector<std::unique_ptr<Cloth>> cloths_;
    double time_ = 0.0, step_ = 1.0 / steps_a_second;
};

// Which way the mesh's space became the world's, as one turn, size and place.
AffineD world_from_mesh(const Worn& worn) {
    Eigen::Matrix3Xd from(3, static_cast<Eigen::Index>(worn.positions.size())), to = from;
    for (size_t v = 0; v < worn.positions.size(); ++v) {
        from.col(static_cast<Eigen::Index>(v)) = worn.in_mesh[v].cast<double>();
        to.col(static_cast<Eigen::Index>(v)) = worn.positions[v].cast<double>();
    }
    const Eigen::Matrix4d found = Eigen::umeyama(from, to, true);
    AffineD out;
    out.matrix() = found.topRows<3>();
    return out;
}

// The garment's vertices follow the new joints, all others of its mesh what they followed.
void bind_garment(Character& character, const Worn& worn, const ClothJoints& made, const AffineD& to_world,
                  std::span<const Vec3> rest) {
    MeshInstance& instance = character.instances[static_cast<size_t>(worn.instance)];
    Skin skin{.name = worn.name, .joints = {instance.joint}, .inverse_bind = {Affine::Identity()}};
    if (instance.skin >= 0) {
        skin = character.skins[static_cast<size_t>(instance.skin)];
        skin.source = -1;
    }
    const auto base = static_cast<uint32_t>(skin.joints.size());
    for (size_t k = 0; k < made.patches.centers.size(); ++k) {
        skin.joints.push_back(made.first + static_cast<int32_t>(k));
        AffineD bind = to_world;
        bind.pretranslate(Vec3d(-rest[made.patches.centers[k]].cast<double>()));
        skin.inverse_bind.push_back(bind.cast<float>());
    }
    MeshGroup& group = character.meshes[static_cast<size_t>(instance.mesh)];
    for (size_t p = 0; p < group.primitives.size(); ++p) {
        Primitive& primitive = group.primitives[p];
        std::vector<uint32_t> first{0};
        std::vector<Influence> all;
        for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
            if (const int32_t mine = worn.cloth_vertex[p][v]; mine >= 0) {
                for (size_t i = 0; i < Patches::per_vertex; ++i) {
                    const PatchWeight w = made.patches.weights[static_cast<size_t>(mine) * Patches::per_vertex + i];
                    if (w.weight > 0.0f) all.push_back({base + w.patch, w.weight});
                }
            } else if (primitive.influences.empty()) {
                all.push_back({0, 1.0f});
            } else {
                const auto old = primitive.influences.of(v);
                all.insert(all.end(), old.begin(), old.end());
            }
            first.push_back(static_cast<uint32_t>(all.size()));
        }
        auto influences = Influences::create(std::move(first), std::move(all), skin.joints.size());
        SINEW_CHECK(influences.has_value());
        primitive.influences = *std::move(influences);
    }
    instance.skin = static_cast<int32_t>(character.skins.size());
    character.skins.push_back(std::move(skin));
}

}  // namespace

void leave_out_worn(const Character& character, const std::string& name, SpringBones& bones) {
    const auto worn = find_worn(character, name);
    if (!worn || worn->empty()) return;
    std::vector<uint8_t> moves_body(character.skeleton.size(), 0), moves_cloth = moves_body;
    for (size_t i = 0; i < character.instances.size(); ++i) {
        const MeshInstance& instance = character.instances[i];
        if (instance.skin < 0) continue;
        const auto& joints = character.skins[static_cast<size_t>(instance.skin)].joints;
        const auto& primitives = character.meshes[static_cast<size_t>(instance.mesh)].primitives;
        for (size_t p = 0; p < primitives.size(); ++p)
            for (size_t v = 0; v < primitives[p].influences.vertex_count(); ++v) {
                const bool cloth = std::ranges::any_of(*worn, [&](const Worn& w) {
                    return w.instance == static_cast<int32_t>(i) && w.cloth_vertex[p][v] >= 0;
                });
                for (const Influence& influence : primitives[p].influences.of(v))
                    (cloth ? moves_cloth : moves_body)[static_cast<size_t>(joints[influence.joint])] = 1;
            }
    }
    std::erase_if(bones.bones, [&](const SpringBone& bone) {
        return moves_cloth[static_cast<size_t>(bone.joint)] && !moves_body[static_cast<size_t>(bone.joint)];
    });
}

Result<std::vector<ClothReport>> simulate_worn(Character& character, size_t clips, const std::string& name,
                                               const Progress& progress) {
    SINEW_TRY(const std::vector<Worn> worn, find_worn(character, name));
    std::vector<ClothReport> reports;
    for (const Worn& w : worn) {
        const int32_t mesh = character.instances[static_cast<size_t>(w.instance)].mesh;
        if (std::ranges::count(character.instances, mesh, &MeshInstance::mesh) > 1)
            return fail(ErrorCode::unsupported,
                        fmt::format("the mesh of \"{}\" is used by several nodes; give each its own", w.name));
        reports.push_back({.name = w.name, .vertices = w.positions.size()});
    }
    if (worn.empty()) return reports;
    std::vector<Take> takes;
    for (size_t c = 0; c < std::min(clips, character.clips.size()); ++c) {
        sinew::report(progress, "simulating", static_cast<double>(c) / static_cast<double>(clips));
        if (!(duration(character.clips[c]) > 0.0f)) continue;
        SINEW_TRY(Take take, Dresser(character, character.clips[c], worn, reports).run());
        takes.push_back(std::move(take));
    }
    sinew::report(progress, "fitting joints", 0.0);
    for (size_t g = 0; g < worn.size(); ++g) {
        const AffineD to_world = world_from_mesh(worn[g]);
        MovedCloth moved{.name = worn[g].name,
                         .triangles = worn[g].triangles,
                         .positions = worn[g].positions,
                         .owners = worn[g].owners,
                         .fit = {.error = fit_error}};
        for (const Vec3& p : worn[g].in_mesh) moved.rest.push_back((to_world * p.cast<double>()).cast<float>());
        std::vector<ClothTake> with;
        for (size_t c = 0, t = 0; c < std::min(clips, character.clips.size()); ++c) {
            if (!(duration(character.clips[c]) > 0.0f)) continue;
            const Take& take = takes[t++];
            moved.positions.insert(moved.positions.end(), take.positions[g].begin(), take.positions[g].end());
            with.push_back({&character.clips[c], take.times, take.poses});
        }
        const ClothJoints made = add_cloth_joints(character, moved, with, -1);
        bind_garment(character, worn[g], made, to_world, moved.rest);
        reports[g].joints = made.patches.centers.size();
        reports[g].fit_error_mm = static_cast<float>(1000.0 * made.patches.worst_error);
        reports[g].fit_mean_mm = static_cast<float>(1000.0 * made.patches.mean_error);
    }
    return reports;
}

}  // namespace sinew
