// Templates of the user's own: one character's skeleton put into another's bare mesh by the embedding search, and into
// its own after it was turned and scaled away. Distances to the artist's joints, those that both skeletons have.
//   bench_rig_template [--only MESH] [--verbose] [--json FILE]; --parts: the library's own templates, by parts and by
//   search
#include <rig/load.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/rig/template/template_json.h>

#include "support.h"

namespace {

using namespace sinew;
using namespace sinew::test;

struct Subject {
    std::string name;
    Character character;
    BareCharacter bare;
    std::map<std::string, Vec3> by_name, by_meaning;
};

std::string meaning(const Subject& s, size_t j, const std::vector<Role>& roles) {
    if (std::string animal = animal_joint(s.character.skeleton.names()[j]); !animal.empty()) return animal;
    return roles[j] == Role::count ? std::string() : std::string(to_string(roles[j]));
}

std::optional<Subject> load(const std::string& name) {
    for (const CharacterFile& file : character_files()) {
        if (file.name != name) continue;
        Subject s{.name = name, .character = read_character(*data_dir() / file.path).value(), .bare = load_bare(file)};
        const std::vector<AffineD> world = rest_world(s.character.skeleton);
        const std::vector<Role> roles = recognise_humanoid(s.character.skeleton).roles(world.size());
        for (size_t j = 0; j < world.size(); ++j) {
            const Vec3 p = world[j].translation().cast<float>();
            s.by_name[s.character.skeleton.names()[j]] = p;
            if (const std::string m = meaning(s, j, roles); !m.empty()) s.by_meaning[m] = p;
        }
        return s;
    }
    return std::nullopt;
}

// A joint that the body's shape speaks of: on it, not a root at the origin, no tip of an ear.
bool counts(const std::string& name) {
    for (const char* word : {"root", "Armature", "Ear", "ear_", "Stomach", "Chin", "mouth", "feather", "ribcage",
                             "Finger", "Thumb", "Mesh", "Model", "Horse", "Shark"})
        if (name.find(word) != std::string::npos) return false;
    return true;
}

struct Outcome {
    double mean = 0.0, worst = 0.0, seconds = 0.0, confidence = 0.0;
    int joints = 0;
    std::string worst_name;
};

Outcome measure(const Subject& mesh, const Subject& donor, RigTemplate t, bool verbose) {
    t.kind.reset();
    for (TemplateJoint& joint : t.joints) joint.role = Role::count;
    Outcome out;
    std::optional<RigResult> rig;
    out.seconds = bench::best_seconds(1, [&] {
        auto result = fit_skeleton(mesh.bare.positions, mesh.bare.triangles, {.user_template = t});
        if (result) rig = *std::move(result);
    });
    if (!rig) return out;
    out.confidence = rig->confidence;
    const std::vector<Role> roles = recognise_humanoid(donor.character.skeleton).roles(donor.character.skeleton.size());
    int same = 0;
    for (const std::string& name : donor.character.skeleton.names()) same += mesh.by_name.contains(name);
    const bool by_name = same > 0.8 * static_cast<double>(donor.character.skeleton.size());
    Box box;
    for (uint32_t v : mesh.bare.triangles) box.add(mesh.bare.positions[v]);
    const double size = static_cast<double>(box.size().norm());
    for (size_t j = 0; j < donor.character.skeleton.size(); ++j) {
        const std::string& name = donor.character.skeleton.names()[j];
        const auto& table = by_name ? mesh.by_name : mesh.by_meaning;
        const auto truth = table.find(by_name ? name : meaning(donor, j, roles));
        if (truth == table.end() || !counts(name)) continue;
        const double error = 100.0 * static_cast<double>((rig->positions[j] - truth->second).norm()) / size;
        out.mean += error;
        ++out.joints;
        if (error > out.worst) out.worst = error, out.worst_name = name;
        if (verbose)
            fmt::print("      {:24} {:5.1f}  ({:.2f} {:.2f} {:.2f}) wanted ({:.2f} {:.2f} {:.2f})\n", name, error,
                       rig->positions[j].x(), rig->positions[j].y(), rig->positions[j].z(), truth->second.x(),
                       truth->second.y(), truth->second.z());
    }
    out.mean /= std::max(1, out.joints);
    return out;
}

RigTemplate turned_away(RigTemplate t, int seed) {
    Random random(static_cast<uint64_t>(seed));
    const Quatd q =
        Quatd(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    for (TemplateJoint& joint : t.joints) {
        joint.position = 37.0 * (q * joint.position) + Vec3d(5, -3, 9);
        if (joint.axes) joint.axes = q.toRotationMatrix() * *joint.axes;
    }
    return t;
}

// The library's own templates by search instead of by parts: would it be a second opinion?
void compare_with_parts() {
    for (const CharacterFile& file : character_files()) {
        const BareCharacter c = load_bare(file);
        const auto parts = fit_skeleton(c.positions, c.triangles);
        if (!parts || parts->kind == RigKind::generic || c.truth.empty()) continue;
        RigTemplate t = builtin_template(parts->kind);
        t.kind.reset();
        for (TemplateJoint& joint : t.joints) joint.role = Role::count;
        const auto search = fit_skeleton(c.positions, c.triangles, {.user_template = t});
        if (!search) continue;
        double error[2] = {0.0, 0.0};
        int count = 0;
        for (const auto& [name, place] : c.truth) {
            const int32_t a = parts->skeleton.find(name), b = search->skeleton.find(name);
            if (a < 0 || b < 0) continue;
            ++count;
            error[0] += static_cast<double>((parts->positions[static_cast<size_t>(a)] - place).norm());
            error[1] += static_cast<double>((search->positions[static_cast<size_t>(b)] - place).norm());
        }
        if (count > 0)
            fmt::print(
                "{:10} by parts {:5.2f}% (confidence {:.2f}), by search {:5.2f}% of height (confidence {:.2f})\n",
                file.name, 100.0 * error[0] / count / c.height, parts->confidence, 100.0 * error[1] / count / c.height,
                search->confidence);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::string only;
    bool verbose = false;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--only" && i + 1 < argc) only = argv[i + 1];
        verbose |= std::string(argv[i]) == "--verbose";
    }
    if (!data_dir()) return 0;
    if (argc > 1 && std::string(argv[1]) == "--parts") return compare_with_parts(), 0;
    bench::Table table;
    const std::vector<std::pair<std::string, std::vector<std::string>>> plan = {
        {"dog", {"dog", "horse", "horse2", "fox", "panda", "kfox"}},
        {"fox", {"fox", "horse", "dog", "kfox"}},
        {"panda", {"panda", "dog", "horse"}},
        {"horse2", {"horse2", "dog", "horse"}},
        {"horse", {"horse", "dog", "kfox"}},
        {"kfox", {"kfox", "dog", "horse"}},
        {"eagle", {"eagle", "bird"}},
        {"bird", {"bird", "eagle"}},
        {"shark", {"shark"}},
        {"kaiju", {"kaiju", "male"}},
        {"male", {"male", "knight", "cesium"}},
        {"cesium", {"male", "makehuman"}},
    };
    std::map<std::string, std::optional<Subject>> subjects;
    const auto get = [&](const std::string& name) -> std::optional<Subject>& {
        if (!subjects.contains(name)) subjects[name] = load(name);
        return subjects[name];
    };
    double own = 0.0, other = 0.0;
    int own_count = 0, other_count = 0;
    for (const auto& [mesh, donors] : plan) {
        if (!only.empty() && only != mesh) continue;
        for (const std::string& donor : donors) {
            auto &m = get(mesh), &d = get(donor);
            if (!m || !d) continue;
            const RigTemplate t = make_template(d->character.skeleton);
            for (int turned = 0; turned < (mesh == donor ? 2 : 1); ++turned) {
                const Outcome o = measure(*m, *d, turned ? turned_away(t, 5) : t, verbose);
                if (o.joints == 0) continue;
                fmt::print(
                    "{:8} <- {:8}{} mean {:5.2f}% worst {:5.1f}% ({}) of {} joints, confidence {:.2f}, {:.2f} s\n",
                    mesh, donor, turned ? " turned" : "       ", o.mean, o.worst, o.worst_name, o.joints, o.confidence,
                    o.seconds);
                (mesh == donor ? own : other) += o.mean;
                ++(mesh == donor ? own_count : other_count);
            }
        }
    }
    if (own_count) table.add("own skeleton, mean error in % of the diagonal", own / own_count, "%");
    if (other_count) table.add("another's skeleton", other / other_count, "%");
    return table.finish(argc, argv);
}
