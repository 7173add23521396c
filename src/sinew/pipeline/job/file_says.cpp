#include <sinew/pipeline/job/file_says.h>

#include <sinew/character/character_deformer.h>
#include <algorithm>
#include <cctype>

namespace sinew {
namespace {

constexpr std::string_view face_words[] = {
    "eye",   "eyes",  "eyeball", "eyeballs", "eyelash", "eyelashes", "eyebrow",  "eyebrows",  "brow",    "brows",
    "iris",  "pupil", "pupils",  "cornea",   "nose",    "nostril",   "nostrils", "snout",     "muzzle",  "beak",
    "mouth", "lip",   "lips",    "teeth",    "tooth",   "tongue",    "beard",    "moustache", "mustache"};
// A face is a small part of a body: of more than this share of the vertices the name means something else.
constexpr double most_face = 0.25;

// The words of a name: at capitals, digits and signs a new one begins.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    char before = ' ';
    for (const char c : name) {
        const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
        const bool begins = !letter || (std::isupper(static_cast<unsigned char>(c)) != 0 &&
                                        std::islower(static_cast<unsigned char>(before)) != 0);
        if (begins && !words.back().empty()) words.emplace_back();
        if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        before = c;
    }
    return words;
}

// Files of these formats say which way is up; the readers have turned that to +Y.
bool says_y_up(const Character& character) {
    for (const char* format : {"glb", "gltf", "vrm", "fbx", "dae"})
        if (character.format == format) return true;
    return false;
}

bool is_face(const Character& character, const DeformedPrimitive& shown) {
    const MeshInstance& instance = character.instances[static_cast<size_t>(shown.instance)];
    const MeshGroup& group = character.meshes[static_cast<size_t>(instance.mesh)];
    const int32_t material = group.primitives[static_cast<size_t>(shown.primitive)].material;
    return names_face(group.name) || names_face(character.skeleton.names()[static_cast<size_t>(instance.joint)]) ||
           (material >= 0 && names_face(character.materials[static_cast<size_t>(material)].name));
}

std::vector<Vec3> find_face(const Character& character) {
    std::vector<DeformedPrimitive> shown;
    deform(character, rest_pose(character), {.normals = false}, shown);
    std::vector<Vec3> face;
    size_t all = 0;
    for (const DeformedPrimitive& part : shown) {
        all += part.positions.size();
        if (is_face(character, part)) face.insert(face.end(), part.positions.begin(), part.positions.end());
    }
    if (static_cast<double>(face.size()) > most_face * static_cast<double>(all)) face.clear();
    return face;
}

}  // namespace

bool names_face(std::string_view name) {
    for (const std::string& word : words_of(name))
        if (std::find(std::begin(face_words), std::end(face_words), word) != std::end(face_words)) return true;
    return false;
}

RigOptions as_file_says(const Character& character, RigOptions options) {
    if (!options.told_up && says_y_up(character)) options.told_up = Vec3::UnitY();
    if (options.face.empty()) options.face = find_face(character);
    return options;
}

}  // namespace sinew
