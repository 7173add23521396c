"""Every glTF: read, write as .glb and as .gltf, and compare what came out with what went in.

usage: roundtrip.py SINEW ORACLES DATA [FILTER]
Equal must be: the JSON but for buffers and bufferViews, every accessor's values under its old number, every image's bytes,
and the baked vertices. The Khronos validator must find no error that the input lacked.
Is skipped where the data, numpy or node are not there.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from sinew_bake import bake
from skip import missing_data, skip

COMPRESSIONS = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"}
TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class Document:
    def __init__(self, path):
        self.folder = os.path.dirname(path)
        raw = open(path, "rb").read()
        self.bin = b""
        if raw[:4] == b"glTF":
            length = int.from_bytes(raw[12:16], "little")
            self.json = json.loads(raw[20 : 20 + length])
            self.bin = raw[28 + length :]
        else:
            self.json = json.loads(raw)
        self.buffers = [self.fetch(b) if "uri" in b else self.bin for b in self.json.get("buffers", [])]

    def fetch(self, item):
        uri = item["uri"]
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return open(os.path.join(self.folder, urllib.parse.unquote(uri)), "rb").read()

    def view(self, index):
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        return self.buffers[view["buffer"]][start : start + view["byteLength"]]

    def image(self, index):
        image = self.json["images"][index]
        return self.fetch(image) if "uri" in image else self.view(image["bufferView"])

    def elements(self, item, component, width, count, stride=None):
        dtype = np.dtype(TYPES[component])
        data = self.view(item["bufferView"])
        return np.ndarray((count, width), dtype, data, item.get("byteOffset", 0), (stride or dtype.itemsize * width, dtype.itemsize)).copy()

    def accessor(self, index):
        a = self.json["accessors"][index]
        width, component = COUNTS[a["type"]], a["componentType"]
        if "bufferView" in a:
            stride = self.json["bufferViews"][a["bufferView"]].get("byteStride")
            values = self.elements(a, component, width, a["count"], stride)
        else:
            values = np.zeros((a["count"], width), TYPES[component])
        if "sparse" in a:
            s = a["sparse"]
            at = self.elements(s["indices"], s["indices"]["componentType"], 1, s["count"]).ravel()
            values[at] = self.elements(s["values"], component, width, s["count"])
        return values


def accessor_refs(document):
    """(where, index) of each use of an accessor."""
    for m, mesh in enumerate(document.get("meshes", [])):
        for p, primitive in enumerate(mesh["primitives"]):
            for name, index in primitive["attributes"].items():
                yield (m, p, name), index
            if "indices" in primitive:
                yield (m, p, "indices"), primitive["indices"]
            for t, target in enumerate(primitive.get("targets", [])):
                for name, index in target.items():
                    yield (m, p, t, name), index
    for a, animation in enumerate(document.get("animations", [])):
        for s, sampler in enumerate(animation["samplers"]):
            yield (a, s, "input"), sampler["input"]
            yield (a, s, "output"), sampler["output"]
    for s, skin in enumerate(document.get("skins", [])):
        if "inverseBindMatrices" in skin:
            yield (s, "bind"), skin["inverseBindMatrices"]


def influences(document, mesh, primitive):
    """Per vertex {joint: weight}, normalised: what skinning makes of the sets."""
    attributes = document.json["meshes"][mesh]["primitives"][primitive]["attributes"]
    rows = None
    scale = {5121: 255.0, 5123: 65535.0, 5126: 1.0}
    k = 0
    while f"JOINTS_{k}" in attributes:
        joints = document.accessor(attributes[f"JOINTS_{k}"])
        index = attributes[f"WEIGHTS_{k}"]
        weights = document.accessor(index) / scale[document.json["accessors"][index]["componentType"]]
        rows = rows or [{} for _ in joints]
        for row, j4, w4 in zip(rows, joints, weights):
            for j, w in zip(j4, w4):
                if w > 0:
                    row[int(j)] = row.get(int(j), 0.0) + float(w)
        k += 1
    for row in rows or []:
        total = sum(row.values())
        for j in row:
            row[j] /= total
    return rows or []


def same_influences(a, b):
    return len(a) == len(b) and all(x.keys() == y.keys() and all(abs(x[j] - y[j]) < 1e-6 for j in x) for x, y in zip(a, b))


def largest_first(document, mesh, primitive):
    attributes = document.json["meshes"][mesh]["primitives"][primitive]["attributes"]
    if "WEIGHTS_1" not in attributes:
        return True
    first = document.accessor(attributes["WEIGHTS_0"]).min(1)
    return bool((first >= document.accessor(attributes["WEIGHTS_1"]).max(1)).all())


def plain(value):
    """The JSON without what a container decides: buffers, views, and the compressions that are gone."""
    root = json.loads(json.dumps(value))
    for key in ("buffers", "bufferViews", "accessors"):
        root.pop(key, None)
    for key in ("extensionsUsed", "extensionsRequired"):
        names = [n for n in root.get(key, []) if n not in COMPRESSIONS]
        root.pop(key, None)
        if names:
            root[key] = names
    for image in root.get("images", []):
        for key in ("uri", "bufferView", "mimeType"):
            image.pop(key, None)
    for mesh in root.get("meshes", []):
        for primitive in mesh["primitives"]:
            for name in COMPRESSIONS:
                primitive.get("extensions", {}).pop(name, None)
            if primitive.get("extensions") == {}:
                del primitive["extensions"]
    return root


def difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if key not in a or key not in b:
                return f"{path}/{key} is only in the {'output' if key in b else 'input'}"
            found = difference(a[key], b[key], f"{path}/{key}")
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            found = difference(x, y, f"{path}/{i}")
            if found:
                return found
        return None
    return None if a == b else f"{path}: {str(a)[:60]} became {str(b)[:60]}"


def without_influences(root):
    for mesh in root.get("meshes", []):
        for primitive in mesh["primitives"]:
            for name in [n for n in primitive["attributes"] if n.startswith(("JOINTS_", "WEIGHTS_"))]:
                del primitive["attributes"][name]
    return root


def compare_documents(before, after, compressed):
    """Problems as text, none when nothing is lost."""
    problems = []
    a, b = plain(before.json), plain(after.json)
    excused = set()
    for m, mesh in enumerate(before.json.get("meshes", [])):
        for p, primitive in enumerate(mesh["primitives"]):
            names = [n for n in primitive["attributes"] if n.startswith(("JOINTS_", "WEIGHTS_"))]
            now = after.json["meshes"][m]["primitives"][p]["attributes"]
            if compressed or not names or not any(n.get("mesh") == m and "skin" in n for n in before.json["nodes"]):
                continue
            if not largest_first(after, m, p):
                problems.append(f"mesh {m}: JOINTS_0 has not the largest weights")
            kept = all(primitive["attributes"][n] == now.get(n) and (before.accessor(primitive["attributes"][n]).tobytes() == after.accessor(now[n]).tobytes()) for n in names)
            if not kept:
                excused.update(primitive["attributes"][n] for n in names)
                if not same_influences(influences(before, m, p), influences(after, m, p)):
                    problems.append(f"mesh {m} primitive {p}: the weights changed")
    if excused or compressed:  # weights that a lossy compression left unnormalised are written anew
        a, b = without_influences(a), without_influences(b)
    found = difference(a, b)
    if found:
        problems.append(found)
    for i in range(len(before.json.get("images", []))):
        if before.image(i) != after.image(i):
            problems.append(f"image {i}: its bytes changed")
    if compressed:
        return problems
    for i, old in enumerate(before.json.get("accessors", [])):
        if i in excused:
            continue
        new = after.json["accessors"][i]
        if any(old.get(k) != new.get(k) for k in ("type", "componentType", "count", "normalized", "name", "extras")):
            problems.append(f"accessor {i}: {old} became {new}")
        elif before.accessor(i).tobytes() != after.accessor(i).tobytes():
            problems.append(f"accessor {i}: its values changed")
        for k in ("min", "max"):
            if k in old and np.float32(old[k]).tolist() != np.float32(new.get(k, [])).tolist():
                problems.append(f"accessor {i}: {k} changed")
    return problems


def same_bake(sinew, before, after, document, folder, clips):
    for clip in clips:
        frames = [bake(sinew, path, os.path.join(folder, "bake.json"), clip, [0.0, 0.37]) for path in (before, after)]
        for x, y in zip(*frames):
            if [m["count"] for m in x["meshes"]] != [m["count"] for m in y["meshes"]]:
                return f"clip {clip}: other vertices"
            p = np.array([v for m in x["meshes"] for v in m["positions"]]).reshape(-1, 3)
            q = np.array([v for m in y["meshes"] for v in m["positions"]]).reshape(-1, 3)
            if len(p) and np.abs(p - q).max() > 2e-6 * max(np.linalg.norm(p.max(0) - p.min(0)), 1e-30):
                return f"clip {clip}: vertices moved by {np.abs(p - q).max()}"
    return None


def validator_errors(oracles, paths):
    if not paths or not shutil.which("node") or not os.path.isdir(os.path.join(oracles, "node_modules")):
        return None
    run = subprocess.run(["node", "validate.mjs", *paths], cwd=oracles, stdout=subprocess.PIPE, text=True)
    errors = {}
    for line in run.stdout.splitlines():
        path, rest = line.split("\t", 1)
        errors[path] = (int(rest.split("errors=")[1].split()[0]), line) if "errors=" in rest else (999, line)
    return errors


def find_files(data):
    found = []
    for folder, _, names in os.walk(data):
        found += [os.path.join(folder, n) for n in names if n.endswith((".glb", ".gltf", ".vrm", ".vrma"))]
    return sorted(found)


def main():
    sinew, oracles, data = (os.path.abspath(p) for p in sys.argv[1:4])
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    if not os.path.isdir(data):
        skip(missing_data(sys.argv[3]))
    failed, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for number, path in enumerate(f for f in find_files(data) if wanted in f):
            name = os.path.relpath(path, data)
            before = Document(path)
            compressed = bool(COMPRESSIONS & set(before.json.get("extensionsUsed", [])))
            for extension in ("glb", "gltf"):
                place = os.path.join(folder, f"{number}_{extension}")
                os.mkdir(place)
                out = os.path.join(place, "out." + extension)
                problems = []
                try:
                    subprocess.run([sinew, "convert", path, out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
                    problems = compare_documents(before, Document(out), compressed)
                    clips = range(len(before.json.get("animations", []))) if extension == "glb" else [0]
                    if "meshes" in before.json:
                        moved = same_bake(sinew, path, out, before.json, place, list(clips) if before.json.get("animations") else [None])
                        problems += [moved] if moved else []
                    pairs.append((path, out))
                except subprocess.CalledProcessError as error:
                    problems.append(str(error))
                count += 1
                failed += bool(problems)
                print(f"{name:60} {extension:4} {'; '.join(problems[:3]) or 'equal'}", flush=True)
        errors = validator_errors(oracles, sorted({p for pair in pairs for p in pair}))
        if errors is None:
            print("the validator did not run: node or its modules are not there")
        else:
            worse = [(path, out) for path, out in pairs if errors[out][0] > errors[path][0]]
            for path, out in worse:
                print("VALIDATOR:", os.path.relpath(path, data), errors[out][1])
            failed += len(worse)
            print(f"the validator saw {len(pairs)} outputs, {len(worse)} with errors that the input lacked")
    print(f"{count} round trips, {failed} failed")
    if not failed and errors is None:
        skip("no node with its modules for the validator; run tests/support/setup_oracles")
    sys.exit(1 if failed or count == 0 else 0)


if __name__ == "__main__":
    try:
        import numpy as np
    except ImportError:
        if os.path.exists("/usr/bin/python3") and os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3"):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # Debian's numpy is for Debian's python
        skip("no numpy")
    main()
