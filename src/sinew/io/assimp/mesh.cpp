#include <assimp/mesh.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <sinew/io/assimp/scene.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

namespace sinew {
namespace {

Vec3 to_vec3(const aiVector3D& v) {
    return {v.x, v.y, v.z};
}

using RowMajor = Eigen::Matrix<float, 3, 4, Eigen::RowMajor>;
constexpr std::array<float, 12> identity_rows{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// The skin of one node's meshes while it grows: a joint once per bind matrix.
struct SkinBuilder {
    const AssimpScene& scene;
    int32_t mesh_joint = 0;  // the node's own: what vertices without weights follow
    Skin skin;
    std::map<std::pair<int32_t, std::array<float, 12>>, uint32_t> slots;
    size_t missing = 0;

    std::optional<uint32_t> slot_of(const aiBone& bone) {
        const auto joint = scene.joint_of_name.find(bone.mName.C_Str());
        std::array<float, 12> rows;
        Eigen::Map<RowMajor>(rows.data()) = to_affine_d(bone.mOffsetMatrix).matrix().cast<float>();
        const bool finite = std::all_of(rows.begin(), rows.end(), [](float x) { return std::isfinite(x); });
        if (joint == scene.joint_of_name.end() || !finite) {
            ++missing;
            return std::nullopt;
        }
        return slot_of(joint->second, rows);
    }

    uint32_t slot_of(int32_t joint, const std::array<float, 12>& rows) {
        const auto [slot, is_new] = slots.try_emplace({joint, rows}, uint32_t(skin.joints.size()));
        if (is_new) {
            skin.joints.push_back(joint);
            skin.inverse_bind.emplace_back().matrix() = Eigen::Map<const RowMajor>(rows.data());
        }
        return slot->second;
    }
};

// An aiMesh's weights, vertex by vertex, as they stand in the file.
struct RawInfluences {
    std::vector<uint32_t> first;
    std::vector<Influence> all;

    std::span<const Influence> of(size_t v) const { return std::span(all).subspan(first[v], first[v + 1] - first[v]); }
};

RawInfluences gather_influences(const aiMesh& mesh, SkinBuilder& skin) {
    RawInfluences raw;
    raw.first.assign(size_t(mesh.mNumVertices) + 1, 0);
    const auto each = [&](auto&& use) {
        for (unsigned b = 0; b < mesh.mNumBones; ++b) {
            const aiBone* bone = mesh.mBones[b];
            if (bone == nullptr || bone->mWeights == nullptr || bone->mNumWeights == 0) continue;
            const auto slot = skin.slot_of(*bone);
            if (!slot) continue;
            for (unsigned w = 0; w < bone->mNumWeights; ++w) {
                const aiVertexWeight& weight = bone->mWeights[w];
                if (weight.mVertexId < mesh.mNumVertices && weight.mWeight > 0 && std::isfinite(weight.mWeight))
                    use(weight.mVertexId, Influence{*slot, weight.mWeight});
            }
        }
    };
    each([&](unsigned v, const Influence&) { ++raw.first[v + 1]; });
    for (size_t v = 0; v < mesh.mNumVertices; ++v) raw.first[v + 1] += raw.first[v];
    raw.all.resize(raw.first.back());
    std::vector<uint32_t> next(raw.first.begin(), raw.first.end() - 1);
    each([&](unsigned v, const Influence& influence) { raw.all[next[v]++] = influence; });
    return raw;
}

// assimp gives every corner of every face a vertex of its own. Equal in everything (weights and morphs too, which its
// own joining step does not look at) means one vertex.
class VertexJoiner {
public:
    VertexJoiner(const aiMesh& mesh, const RawInfluences& raw) : mesh_(mesh), raw_(raw) {}

    // kept[i] = the aiMesh's vertex that becomes vertex i; number[v] = the vertex that v becomes.
    void join(std::vector<uint32_t>& kept, std::vector<uint32_t>& number) const {
        const size_t n = mesh_.mNumVertices;
        std::vector<uint32_t> slots(std::bit_ceil(2 * n + 1), none);
        number.resize(n);
        for (uint32_t v = 0; v < n; ++v) {
            size_t i = hash(v) & (slots.size() - 1);
            while (slots[i] != none && !equal(kept[slots[i]], v)) i = (i + 1) & (slots.size() - 1);
            if (slots[i] == none) {
                slots[i] = uint32_t(kept.size());
                kept.push_back(v);
            }
            number[v] = slots[i];
        }
    }

private:
    static constexpr uint32_t none = ~0u;

    // Calls use(array) for each array of aiVector3D that a vertex has an element in.
    template <class Use>
    bool all_vectors(Use&& use) const {
        bool go_on = use(mesh_.mVertices) && use(mesh_.mNormals) && use(mesh_.mTextureCoords[0]);
        for (unsigned m = 0; go_on && m < mesh_.mNumAnimMeshes; ++m) {
            const aiAnimMesh* morph = mesh_.mAnimMeshes[m];
            if (morph != nullptr && morph->mNumVertices == mesh_.mNumVertices)
                go_on = use(morph->mVertices) && use(morph->mNormals);
        }
        return go_on;
    }

    uint64_t hash(uint32_t v) const {
        uint64_t h = 0;
        const auto mix = [&h](float x) {
            h = (h ^ std::bit_cast<uint32_t>(x + 0.0f)) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
        };
        for (const aiVector3D* array : {mesh_.mVertices, mesh_.mNormals, mesh_.mTextureCoords[0]})
            if (array != nullptr) mix(array[v].x), mix(array[v].y), mix(array[v].z);
        return h ^ (h >> 32);
    }

    bool equal(uint32_t a, uint32_t b) const {
        const auto same = [a, b](const aiVector3D* array) {
            return array == nullptr ||
                   (array[a].x == array[b].x && array[a].y == array[b].y && array[a].z == array[b].z);
        };
        if (!all_vectors(same)) return false;
        const aiColor4D* colors = mesh_.mColors[0];
        if (colors != nullptr && colors[a] != colors[b]) return false;
        const auto wa = raw_.of(a), wb = raw_.of(b);
        return std::equal(wa.begin(), wa.end(), wb.begin(), wb.end(), [](const Influence& x, const Influence& y) {
            return x.joint == y.joint && x.weight == y.weight;
        });
    }

    const aiMesh& mesh_;
    const RawInfluences& raw_;
};

Vec3 unit_or_up(const Vec3& v) {
    const float length = v.norm();
    return std::isfinite(length) && length > 1e-12f ? Vec3(v / length) : Vec3(Vec3::UnitY());
}

Mesh make_mesh(const aiMesh& source, const std::vector<uint32_t>& kept, const std::vector<uint32_t>& number) {
    Mesh mesh;
    for (const uint32_t v : kept) {
        mesh.positions.push_back(to_vec3(source.mVertices[v]));
        if (source.mNormals != nullptr) mesh.normals.push_back(unit_or_up(to_vec3(source.mNormals[v])));
        if (const aiVector3D* uv = source.mTextureCoords[0])
            mesh.uvs.emplace_back(uv[v].x, float(1.0 - double(uv[v].y)));
        if (const aiColor4D* c = source.mColors[0]) mesh.colors.emplace_back(c[v].r, c[v].g, c[v].b, c[v].a);
    }
    for (unsigned f = 0; f < source.mNumFaces; ++f) {
        const aiFace& face = source.mFaces[f];
        if (face.mNumIndices != 3 || face.mIndices == nullptr) continue;
        if (std::any_of(face.mIndices, face.mIndices + 3, [&](unsigned v) { return v >= source.mNumVertices; }))
            continue;
        for (int i = 0; i < 3; ++i) mesh.triangles.push_back(number[face.mIndices[i]]);
    }
    return mesh;
}

MorphTarget make_morph(const aiMesh& base, const aiAnimMesh& source, const std::vector<uint32_t>& kept) {
    MorphTarget morph;
    morph.name = source.mName.C_Str();
    if (source.mVertices == nullptr || source.mNumVertices != base.mNumVertices) return morph;
    for (size_t i = 0; i < kept.size(); ++i) {
        const Vec3 delta = to_vec3(source.mVertices[kept[i]]) - to_vec3(base.mVertices[kept[i]]);
        if (delta.isZero(0) || !delta.allFinite()) continue;
        morph.vertices.push_back(uint32_t(i));
        morph.positions.push_back(delta);
    }
    return morph;
}

Result<Primitive> make_primitive(const aiMesh& source, SkinBuilder& skin, size_t material_count) {
    const RawInfluences raw = gather_influences(source, skin);
    std::vector<uint32_t> kept, number;
    VertexJoiner(source, raw).join(kept, number);

    Primitive primitive;
    primitive.mesh = make_mesh(source, kept, number);
    if (source.mMaterialIndex < material_count) primitive.material = int32_t(source.mMaterialIndex);
    for (unsigned m = 0; m < source.mNumAnimMeshes; ++m)
        primitive.morphs.push_back(source.mAnimMeshes[m] != nullptr ? make_morph(source, *source.mAnimMeshes[m], kept)
                                                                    : MorphTarget{});
    if (raw.all.empty()) return primitive;

    std::vector<uint32_t> first{0};
    std::vector<Influence> all;
    for (const uint32_t v : kept) {
        const auto of_vertex = raw.of(v);
        all.insert(all.end(), of_vertex.begin(), of_vertex.end());
        if (of_vertex.empty()) all.push_back({skin.slot_of(skin.mesh_joint, identity_rows), 1.0f});
        first.push_back(uint32_t(all.size()));
    }
    SINEW_TRY(primitive.influences, Influences::create(std::move(first), std::move(all), skin.skin.joints.size()));
    return primitive;
}

class MeshReader {
public:
    explicit MeshReader(AssimpScene& scene) : scene_(scene) { scene.instances_of_mesh.resize(scene.scene.mNumMeshes); }

    Result<void> read() {
        for (size_t joint = 0; joint < scene_.node_of_joint.size(); ++joint) {
            const aiNode* node = scene_.node_of_joint[joint];
            if (node != nullptr && node->mNumMeshes > 0) SINEW_TRY_VOID(read_node(*node, int32_t(joint)));
        }
        layout_morphs(scene_.character);
        return {};
    }

private:
    // One mesh group per node; what is skinned and what is not, or has other morphs, cannot share one.
    Result<void> read_node(const aiNode& node, int32_t joint) {
        std::map<std::pair<bool, unsigned>, std::vector<unsigned>> kinds;
        for (unsigned i = 0; i < node.mNumMeshes; ++i) {
            const unsigned m = node.mMeshes[i];
            if (m >= scene_.scene.mNumMeshes || scene_.scene.mMeshes[m] == nullptr) continue;
            const aiMesh& mesh = *scene_.scene.mMeshes[m];
            if (mesh.mVertices != nullptr) kinds[{mesh.mNumBones > 0, mesh.mNumAnimMeshes}].push_back(m);
        }
        for (const auto& [kind, meshes] : kinds) SINEW_TRY_VOID(add_instance(node, joint, meshes));
        return {};
    }

    Result<void> add_instance(const aiNode& node, int32_t joint, const std::vector<unsigned>& meshes) {
        const auto [known, is_new] = group_of_meshes_.try_emplace(meshes, std::pair<int32_t, int32_t>(-1, -1));
        if (is_new) {
            SINEW_TRY(known->second, make_group(node, joint, meshes));
        }
        MeshInstance& instance = scene_.character.instances.emplace_back();
        instance.joint = joint;
        instance.mesh = known->second.first;
        instance.skin = known->second.second;
        for (const unsigned m : meshes)
            scene_.instances_of_mesh[m].push_back(int32_t(scene_.character.instances.size() - 1));
        return {};
    }

    // The new group's number and its skin's, −1 where it has none.
    Result<std::pair<int32_t, int32_t>> make_group(const aiNode& node, int32_t joint,
                                                   const std::vector<unsigned>& meshes) {
        Character& character = scene_.character;
        SkinBuilder skin{scene_, joint, {}, {}, 0};
        MeshGroup group;
        group.name = node.mName.C_Str();
        for (const unsigned m : meshes) {
            const aiMesh& source = *scene_.scene.mMeshes[m];
            vertices_ += source.mNumVertices;
            triangles_ += source.mNumFaces;
            if (vertices_ > scene_.options.limits.max_vertices || triangles_ > scene_.options.limits.max_triangles)
                return fail(ErrorCode::limit_exceeded,
                            "the file has too many vertices or triangles; split it into smaller files");
            SINEW_TRY(Primitive primitive, make_primitive(source, skin, character.materials.size()));
            primitive.source = int32_t(group.primitives.size());
            group.primitives.push_back(std::move(primitive));
        }
        group.morph_weights.assign(morph_count(group), 0.0f);
        if (skin.missing > 0)
            character.warnings.push_back(
                fmt::format("{} bones of {} name no node and were left out", skin.missing, in_quotes(group.name)));
        character.meshes.push_back(std::move(group));
        int32_t skin_number = -1;
        if (!skin.skin.joints.empty()) {
            skin.skin.name = node.mName.C_Str();
            skin_number = int32_t(character.skins.size());
            character.skins.push_back(std::move(skin.skin));
        }
        return std::pair(int32_t(character.meshes.size() - 1), skin_number);
    }

    AssimpScene& scene_;
    std::map<std::vector<unsigned>, std::pair<int32_t, int32_t>> group_of_meshes_;
    size_t vertices_ = 0, triangles_ = 0;
};

}  // namespace

Result<void> add_meshes(AssimpScene& scene) {
    return MeshReader(scene).read();
}

}  // namespace sinew
