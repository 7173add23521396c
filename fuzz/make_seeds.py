#!/usr/bin/env python3
"""Writes the glTF files of tests/io/seeds (small and valid) and tests/io/crashes (damaged), which nobody can type by hand.
The tests read them, and script/fuzz starts from them. Run it again after a change: fuzz/make_seeds.py

The text files there are written by hand."""
import base64
import copy
import json
import pathlib
import struct

NAN = struct.pack("<f", float("nan"))
TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests/io"


def gltf():
    """A skinned, morphed, animated triangle with colours and UVs: its JSON, but for /buffers, and the buffer's bytes."""
    parts, views, accessors = [], [], []

    def add(fmt, values, component, kind, count, **more):
        data = struct.pack("<%d%s" % (len(values), fmt), *values)
        data += b"\0" * (-len(data) % 4)
        views.append({"buffer": 0, "byteOffset": sum(map(len, parts)), "byteLength": len(data)})
        parts.append(data)
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, "count": count, **more})
        return len(accessors) - 1

    position = add("f", [0, 0, 0, 1, 0, 0, 0, 1, 0], 5126, "VEC3", 3, min=[0, 0, 0], max=[1, 1, 0])
    joints = add("B", [0, 1, 0, 0] * 3, 5121, "VEC4", 3)
    weights = add("B", [128, 127, 0, 0] * 3, 5121, "VEC4", 3, normalized=True)
    morph = add("f", [0, 0, 1] * 3, 5126, "VEC3", 3, min=[0, 0, 1], max=[0, 0, 1])
    uvs = add("f", [0, 0, 1, 0, 0, 1], 5126, "VEC2", 3)
    colors = add("f", [1, 0, 0, 1] * 3, 5126, "VEC4", 3)
    indices = add("H", [0, 1, 2], 5123, "SCALAR", 3)
    matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    bind = add("f", matrix * 2, 5126, "MAT4", 2)
    times = add("f", [0, 1], 5126, "SCALAR", 2, min=[0], max=[1])
    turns = add("f", [0, 0, 0, 1, 0, 0, 0.6, 0.8], 5126, "VEC4", 2)
    morph_keys = add("f", [0, 0, 1, 0.5], 5126, "SCALAR", 4)
    sparse_values = add("f", [0, 0, 2], 5126, "VEC3", 1)
    sparse_index = add("H", [1], 5123, "SCALAR", 1)
    accessors.append({"componentType": 5126, "type": "VEC3", "count": 3,
                      "sparse": {"count": 1,
                                 "indices": {"bufferView": accessors[sparse_index]["bufferView"], "componentType": 5123},
                                 "values": {"bufferView": accessors[sparse_values]["bufferView"]}}})
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "a", "children": [2]}, {"name": "b", "translation": [0, 1, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights,
                                                   "TEXCOORD_0": uvs, "COLOR_0": colors},
                                    "indices": indices, "material": 0,
                                    "targets": [{"POSITION": morph}, {"POSITION": len(accessors) - 1}]}],
                    "weights": [0.5, 0]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": bind}],
        "animations": [{"channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                                     {"sampler": 1, "target": {"node": 0, "path": "weights"}}],
                        "samplers": [{"input": times, "output": turns}, {"input": times, "output": morph_keys}]}],
        "bufferViews": views, "accessors": accessors,
    }
    return document, b"".join(parts)


def as_gltf(document, buffer):
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    return json.dumps({**document, "buffers": [{"byteLength": len(buffer), "uri": uri}]}).encode() + b"\n"


def as_glb(document, buffer, **buffer_members):
    chunk = json.dumps({**document, "buffers": [{"byteLength": len(buffer), **buffer_members}]}).encode()
    chunk += b" " * (-len(chunk) % 4)
    body = struct.pack("<I4s", len(chunk), b"JSON") + chunk + struct.pack("<I4s", len(buffer), b"BIN\0") + buffer
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def set_at(document, path, value):
    *parents, last = [int(word) if word.isdigit() else word for word in path.split("/")]
    for word in parents:
        document = document[word]
    document[last] = value


# What is changed in the JSON, by the name of the file that shows it: (place, value) …
CHANGES = {
    "negative_length": [("bufferViews/0/byteLength", -1)],
    "negative_offset": [("bufferViews/0/byteOffset", -4)],
    "offset_beyond_buffer": [("bufferViews/0/byteOffset", 1 << 40)],
    "offset_and_length_wrap": [("bufferViews/0/byteOffset", (1 << 53) - 4), ("bufferViews/0/byteLength", 8)],
    "count_beyond_view": [("accessors/0/count", 1 << 30)],
    "count_wraps": [("accessors/0/count", 1 << 53)],
    "count_without_view": [("accessors/0", {"componentType": 5126, "type": "VEC3", "count": 1 << 30})],
    "count_as_fraction": [("accessors/0/count", 2.5)],
    "count_beyond_integers": [("accessors/0/count", (1 << 64) - 1)],
    "stride_zero": [("bufferViews/0/byteStride", 0)],
    "stride_too_short": [("bufferViews/0/byteStride", 4)],
    "stride_wraps": [("bufferViews/0/byteStride", 1 << 40)],
    "component_type_unknown": [("accessors/0/componentType", 5124)],
    "type_unknown": [("accessors/0/type", "VEC9")],
    "accessor_of_wrong_type": [("meshes/0/primitives/0/attributes/POSITION", 5)],
    "joints_as_floats": [("meshes/0/primitives/0/attributes/JOINTS_0", 0)],
    "attributes_of_other_count": [("meshes/0/primitives/0/attributes/TEXCOORD_0", 10)],
    "morph_of_other_count": [("meshes/0/primitives/0/targets/0/POSITION", 8)],
    "sparse_count_too_large": [("accessors/13/sparse/count", 1 << 30)],
    "sparse_index_beyond_accessor": [("accessors/13/count", 1)],
    "material_beyond_list": [("meshes/0/primitives/0/material", 7)],
    "node_inside_itself": [("nodes/1/children", [1])],
    "nodes_in_a_ring": [("nodes/1/children", [2]), ("nodes/2/children", [1])],
    "node_with_two_parents": [("nodes/0/children", [2])],
    "scene_beyond_list": [("scene", 9)],
    "skin_without_joints": [("skins/0/joints", [])],
    "skin_of_missing_node": [("skins/0/joints", [1, 99])],
    "bind_matrices_too_few": [("skins/0/joints", [1, 2, 0])],
    "rotation_zero": [("nodes/2/rotation", [0, 0, 0, 0])],
    "scale_zero": [("nodes/1/scale", [0, 0, 0])],
    "translation_too_large": [("nodes/1/translation", [1e308, 0, 0])],
    "matrix_singular": [("nodes/2", {"matrix": [0] * 16})],
    "animation_of_missing_node": [("animations/0/channels/0/target/node", 12)],
    "animation_of_other_length": [("animations/0/samplers/0/output", 0)],
    "interpolation_cubic_of_linear_keys": [("animations/0/samplers/0/interpolation", "CUBICSPLINE")],
    "list_is_an_object": [("meshes", {"primitives": 1})],
    "object_is_a_list": [("nodes/0", [])],
    "extensions_null": [("extensions", None), ("extensionsUsed", None)],
    "draco_without_data": [("meshes/0/primitives/0/extensions", {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}),
                           ("extensionsUsed", ["KHR_draco_mesh_compression"])],
    "meshopt_without_data": [("bufferViews/0/extensions", {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 36, "byteStride": 12, "count": 3,
                                                                                        "mode": "ATTRIBUTES"}}),
                             ("extensionsUsed", ["EXT_meshopt_compression"])],
    "meshopt_count_wraps": [("bufferViews/0/extensions", {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 36, "byteStride": 256,
                                                                                       "count": 1 << 56, "mode": "ATTRIBUTES"}}),
                            ("extensionsUsed", ["EXT_meshopt_compression"])],
    "image_is_a_folder_up": [("images", [{"uri": "../secret.png"}])],
    "image_data_without_comma": [("images", [{"uri": "data:image/png;base64"}])],
    "image_view_beyond_buffer": [("bufferViews/0/byteLength", 1 << 30), ("images", [{"bufferView": 0, "mimeType": "image/png"}])],
}


def crashes(document, buffer):
    """(name, bytes) of every damaged file."""
    for name, changes in CHANGES.items():
        changed = copy.deepcopy(document)
        for path, value in changes:
            set_at(changed, path, value)
        yield name + ".glb", as_glb(changed, buffer)

    def with_bytes(accessor, data):
        start = document["bufferViews"][document["accessors"][accessor]["bufferView"]]["byteOffset"]
        return buffer[:start] + data + buffer[start + len(data):]

    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    sampler = document["animations"][0]["samplers"][0]
    yield "position_not_a_number.glb", as_glb(document, with_bytes(attributes["POSITION"], NAN * 3))
    yield "uv_not_a_number.glb", as_glb(document, with_bytes(attributes["TEXCOORD_0"], NAN * 2))
    yield "color_not_a_number.glb", as_glb(document, with_bytes(attributes["COLOR_0"], NAN * 4))
    yield "bind_matrix_not_a_number.glb", as_glb(document, with_bytes(document["skins"][0]["inverseBindMatrices"], NAN * 16))
    yield "time_not_a_number.glb", as_glb(document, with_bytes(sampler["input"], NAN * 2))
    yield "times_backwards.glb", as_glb(document, with_bytes(sampler["input"], struct.pack("<2f", 1, 0)))
    yield "key_rotation_zero.glb", as_glb(document, with_bytes(sampler["output"], bytes(16)))
    yield "key_rotation_long.glb", as_glb(document, with_bytes(sampler["output"], struct.pack("<4f", 0, 0, 0, 1.004)))
    yield "weights_all_zero.glb", as_glb(document, with_bytes(attributes["WEIGHTS_0"], bytes(12)))
    yield "joint_beyond_skin.glb", as_glb(document, with_bytes(attributes["JOINTS_0"], b"\xff" * 4))
    yield "index_beyond_vertices.glb", as_glb(document, with_bytes(document["meshes"][0]["primitives"][0]["indices"], b"\xff" * 6))

    glb, text = as_glb(document, buffer), as_gltf(document, buffer)
    yield "cut_off_in_header.glb", glb[:10]
    yield "cut_off_in_json.glb", glb[:200]
    yield "cut_off_in_buffer.glb", glb[:-8]
    yield "length_beyond_file.glb", glb[:8] + struct.pack("<I", 0xFFFFFFFF) + glb[12:]
    yield "length_zero.glb", glb[:8] + bytes(4) + glb[12:]
    yield "chunk_beyond_file.glb", glb[:12] + struct.pack("<I", 0xFFFFFFF8) + glb[16:]
    yield "version_one.glb", glb[:4] + struct.pack("<I", 1) + glb[8:]
    yield "buffer_longer_than_chunk.glb", as_glb(document, buffer, byteLength=len(buffer) + 1000)
    yield "buffer_file_missing.glb", as_glb(document, buffer, uri="missing.bin")
    yield "buffer_file_a_folder_up.glb", as_glb(document, buffer, uri="..%2fsecret.bin")
    yield "base64_broken.gltf", text.replace(b"base64,", b"base64,!")
    yield "base64_cut_off.gltf", text.replace(b"base64,AAAA", b"base64,A=")
    yield "json_cut_off.gltf", text[: len(text) // 2]
    yield "json_deep.gltf", b'{"asset":{"version":"2.0"},"extras":' + b"[" * 5000
    yield "json_not_utf8.gltf", text.replace(b'"name": "a"', b'"name": "\xff\xfe"')
    yield "json_number_too_large.gltf", text.replace(b'"scene": 0', b'"scene": 1e999')
    yield "json_key_twice.gltf", text.replace(b'"scene": 0', b'"scene": 0, "scene": "x"')


def main():
    document, buffer = gltf()
    for folder, files in (("seeds", [("skinned.glb", as_glb(document, buffer)), ("skinned.gltf", as_gltf(document, buffer))]),
                          ("crashes", crashes(document, buffer))):
        (TESTS / folder / "gltf").mkdir(parents=True, exist_ok=True)
        for name, data in files:
            (TESTS / folder / "gltf" / name).write_bytes(data)


if __name__ == "__main__":
    main()
