#!/usr/bin/env python3
"""Writes small valid inputs for every fuzz target: make_seeds.py FOLDER makes FOLDER/<target>/*."""
import base64
import json
import pathlib
import struct
import sys

OBJ = """# seed
mtllib seed.mtl
newmtl red
Kd 1 0 0
Ns 10
d 0.5
map_Kd -s 1 1 1 a.png
o one
v 0 0 0 1 0 0
v 1 0 0 0 1 0
v 1 1 0
v 0.2 0.2 0
v 0 1 \\
 0
vt 0 0
vt 1 0.5
vn 0 0 1
usemtl red
f 1/1/1 2/2/1 3/1/1 4/2/1 5/1/1
g two
f -1//-1 -2//-1 -3//-1
f 1/1 2/1 3/2
l 1 2
"""

BVH = """HIERARCHY
ROOT left hip
{
\tOFFSET 0 1 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT knee
\t{
\t\tOFFSET 0 -1 0.1
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -1 0
\t\t}
\t}
}
ROOT b
{
OFFSET 1 0 0
CHANNELS 1 Yrotation
}
MOTION
Frames: 2
Frame Time: 0.0083333
0 1 0 10 20 30 -5 90 0 1
0.1 1.1 0 11 21 31 -6 90 1 2
"""

AMC = """#seed
:FULLY-SPECIFIED
:DEGREES
1
root 0 1 0 10 20 30
a 1 2
b 3 1
2
root 0 1 0.1 11 21 31
a 1.5 2e0
b -3 1
"""

ASF = """# AST/ASF file
:version 1.10
:name X
:units
 mass 1.0
 length 0.45
 angle deg
:root
 order TX TY TZ RX RY RZ
 axis XYZ
 position 0 0 0
 orientation 0 0 0
:bonedata
 begin
 id 1
 name a
 direction 1 0 0
 length 2
 axis 0 0 20 XYZ
 dof ry rz
 limits (-1 1)
 (-1 1)
 end
 begin
 id 2
 name b
 direction 0 1 0
 length 1
 axis 90 0 0 ZYX
 dof rx l
 end
:hierarchy
 begin
 root a
 a b
 end
"""


def gltf():
    """A skinned, morphed, animated triangle: the JSON without its buffer's place, and the buffer."""
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
    indices = add("H", [0, 1, 2], 5123, "SCALAR", 3)
    matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    bind = add("f", matrix * 2, 5126, "MAT4", 2)
    times = add("f", [0, 1], 5126, "SCALAR", 2, min=[0], max=[1])
    turns = add("f", [0, 0, 0, 1, 0, 0, 0.6, 0.8], 5126, "VEC4", 2)
    morph_keys = add("f", [0, 1], 5126, "SCALAR", 2)
    sparse_values = add("f", [0, 0, 2], 5126, "VEC3", 1)
    sparse_index = add("H", [1], 5123, "SCALAR", 1)
    accessors.append({"componentType": 5126, "type": "VEC3", "count": 3,
                      "sparse": {"count": 1,
                                 "indices": {"bufferView": accessors[sparse_index]["bufferView"], "componentType": 5123},
                                 "values": {"bufferView": accessors[sparse_values]["bufferView"]}}})
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "a", "children": [2]}, {"name": "b", "translation": [0, 1, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights},
                                    "indices": indices, "material": 0,
                                    "targets": [{"POSITION": morph}, {"POSITION": len(accessors) - 1}]}],
                    "weights": [0.5, 0]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": bind}],
        "animations": [{"channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
                        "samplers": [{"input": times, "output": turns}]}],
        "bufferViews": views, "accessors": accessors,
    }
    del morph_keys
    return document, b"".join(parts)


def gltf_seeds():
    document, buffer = gltf()
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    text = json.dumps({**document, "buffers": [{"byteLength": len(buffer), "uri": uri}]}).encode()
    chunk = json.dumps({**document, "buffers": [{"byteLength": len(buffer)}]}).encode()
    chunk += b" " * (-len(chunk) % 4)
    body = struct.pack("<I4s", len(chunk), b"JSON") + chunk + struct.pack("<I4s", len(buffer), b"BIN\0") + buffer
    return [text, struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body]


def main():
    folder = pathlib.Path(sys.argv[1])
    seeds = {
        "obj_fuzz": [OBJ.encode()],
        "bvh_fuzz": [BVH.encode()],
        "asf_amc_fuzz": [AMC.encode(), (ASF + "----\n" + AMC).encode()],
        "gltf_fuzz": gltf_seeds(),
        "template_fuzz": [file.read_bytes() for file in sorted((pathlib.Path(__file__).parent / "../src/sinew/rig/templates").glob("*.json"))],
    }
    for target, inputs in seeds.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (folder / target / ("seed%d" % number)).write_bytes(data)


if __name__ == "__main__":
    main()
