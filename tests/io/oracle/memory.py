"""Reading a 100 MB .glb must peak under three times its size.

usage: memory.py SINEW …  (further arguments are ignored)
Makes a skinned grid of about 100 MB (positions, normals, UVs, joints, weights, 32-bit indices) in a temporary folder and
watches `sinew info`. Needs nothing but the standard library.
"""
import array
import json
import os
import struct
import subprocess
import sys
import tempfile

SIDE = 1100  # vertices per edge: 80 bytes each, 97 MB
LIMIT = 3.0


def write_grid(path, side):
    count = side * side
    positions, indices = array.array("f"), array.array("I")
    for row in range(side):
        y = row / side
        for column in range(side):
            positions.extend((column / side, y, 0.0))
    for row in range(side - 1):
        first = row * side
        for column in range(side - 1):
            a = first + column
            indices.extend((a, a + 1, a + side, a + 1, a + side + 1, a + side))
    parts = [
        ("POSITION", "VEC3", 5126, positions.tobytes(), count),
        ("NORMAL", "VEC3", 5126, array.array("f", (0.0, 0.0, 1.0)).tobytes() * count, count),
        ("TEXCOORD_0", "VEC2", 5126, array.array("f", (0.25, 0.75)).tobytes() * count, count),
        ("JOINTS_0", "VEC4", 5123, array.array("H", (0, 1, 2, 3)).tobytes() * count, count),
        ("WEIGHTS_0", "VEC4", 5126, array.array("f", (0.4, 0.3, 0.2, 0.1)).tobytes() * count, count),
        ("indices", "SCALAR", 5125, indices.tobytes(), len(indices)),
    ]
    views, accessors, attributes, offset = [], [], {}, 0
    for name, kind, component, data, elements in parts:
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": elements, "type": kind})
        if name != "indices":
            attributes[name] = len(accessors) - 1
        offset += len(data)
    accessors[0].update(min=[0, 0, 0], max=[(side - 1) / side, (side - 1) / side, 0])
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 4]}],
        "nodes": [{"children": [1]}, {"children": [2]}, {"children": [3]}, {}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0, 1, 2, 3]}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": len(accessors) - 1}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": offset}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as out:
        out.write(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + offset, len(text), 0x4E4F534A))
        out.write(text)
        out.write(struct.pack("<II", offset, 0x004E4942))
        for part in parts:
            out.write(part[3])


def main():
    sinew = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "big.glb")
        # In a process of its own: what this one needs for making the file is not what is measured.
        subprocess.run([sys.executable, __file__, "--make", path], check=True)
        size = os.path.getsize(path)
        measured = subprocess.run(
            [sys.executable, "-c", "import resource,subprocess,sys\n"
             "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode\n"
             "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", sinew, "info", path],
            check=True, stdout=subprocess.PIPE, text=True)
    code, kilobytes = (int(word) for word in measured.stdout.split())
    ratio = kilobytes * 1024 / size
    print(f"sinew info of {size / 1e6:.1f} MB: exit {code}, peak {kilobytes * 1024 / 1e6:.1f} MB, {ratio:.2f} times its size")
    sys.exit(0 if code == 0 and ratio < LIMIT else 1)


if __name__ == "__main__":
    if sys.argv[1] == "--make":
        write_grid(sys.argv[2], SIDE)
    else:
        main()
