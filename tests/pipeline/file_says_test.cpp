// What a file says of a body beside its shape.
#include <doctest/doctest.h>

#include <sinew/pipeline/job/file_says.h>
#include <sinew/sample/sample.h>

using namespace sinew;

TEST_CASE("file says: names of faces, and names that only look like them") {
    for (const char* name :
         {"Eye_White", "EyeColor", "Wolf3D_Eye", "eyes.001", "Eyebrows", "beak", "mat_Nose2", "LeftEyeBall"})
        CHECK_MESSAGE(names_face(name), name);
    for (const char* name : {"", "Body", "keyes", "Nosering", "surface", "Material.003", "lipstick", "hEyedra"})
        CHECK_MESSAGE(!names_face(name), name);
}

TEST_CASE("file says: up by the format, the face by a material's name") {
    Character character = make_humanoid();
    character.format = "obj";
    CHECK(!as_file_says(character, {}).told_up);
    CHECK(as_file_says(character, {}).face.empty());
    character.format = "glb";
    CHECK(as_file_says(character, {}).told_up == Vec3(Vec3::UnitY()));
    CHECK(as_file_says(character, {.told_up = Vec3(Vec3::UnitZ())}).told_up == Vec3(Vec3::UnitZ()));

    // A second primitive of the same mesh is the eyes.
    Material eyes;
    eyes.name = "Eyes";
    character.materials.push_back(eyes);
    Primitive part = character.meshes.front().primitives.front();
    part.mesh.positions = {{0.03f, 1.6f, 0.1f}, {-0.03f, 1.6f, 0.1f}, {0.0f, 1.62f, 0.1f}};
    part.mesh.triangles = {0, 1, 2};
    part.mesh.normals.clear();
    part.mesh.uvs.clear();
    part.material = static_cast<int32_t>(character.materials.size()) - 1;
    character.meshes.front().primitives.push_back(part);
    CHECK(as_file_says(character, {}).face == part.mesh.positions);
    // All of a body is no face.
    for (Primitive& primitive : character.meshes.front().primitives) primitive.material = part.material;
    CHECK(as_file_says(character, {}).face.empty());
}
