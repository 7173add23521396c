"""Every skinned, morphed or animated glTF: `sinew bake` against the numpy oracle, at and between keys.

usage: bake.py SINEW ORACLES DATA [FILTER]
Prints one line per clip. Fails when a vertex is further off than 2e-6 of the bounding-box diagonal.
Is skipped where the data, the oracles, numpy or node are not there.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from sinew_bake import bake
from skip import missing_data, skip

LIMIT = 2e-6


def find_files(data):
    found = []
    for folder, _, names in os.walk(data):
        found += [os.path.join(folder, n) for n in names if n.endswith((".glb", ".gltf", ".vrm"))]
    return sorted(found)


def is_compressed(document):
    used = document.get("extensionsUsed", [])
    return any("draco" in name or "meshopt" in name for name in used)


def moves(document):
    morphs = any("targets" in p for m in document.get("meshes", []) for p in m["primitives"])
    return morphs or "skins" in document or "animations" in document


def read_json(path):
    raw = open(path, "rb").read()
    if raw[:4] == b"glTF":
        return json.loads(raw[20 : 20 + int.from_bytes(raw[12:16], "little")])
    return json.loads(raw)


def decompress(path, oracles, folder):
    if not shutil.which("node") or not os.path.isdir(os.path.join(oracles, "node_modules")):
        return None
    out = os.path.join(folder, "plain.glb")
    subprocess.run(["node", "decompress.mjs", os.path.abspath(path), out], cwd=oracles, check=True, stdout=subprocess.DEVNULL)
    return out


def compare(np, ours, theirs):
    """The largest distance over the diagonal; None when there is nothing to compare."""
    by_key = {(m["node"], m["mesh"], m["primitive"]): m for m in ours["meshes"]}
    if len(by_key) != len(theirs["meshes"]):
        raise AssertionError(f"{len(by_key)} primitives instead of {len(theirs['meshes'])}")
    worst, points = 0.0, []
    for mesh in theirs["meshes"]:
        a = np.array(by_key[mesh["node"], mesh["mesh"], mesh["primitive"]]["positions"]).reshape(-1, 3)
        b = np.array(mesh["positions"]).reshape(-1, 3)
        if a.shape != b.shape:
            raise AssertionError(f"{len(a)} vertices instead of {len(b)} in node {mesh['node']}")
        if len(a):
            worst = max(worst, float(np.linalg.norm(a - b, axis=1).max()))
            points.append(b)
    if not points:
        return None
    points = np.concatenate(points)
    return worst / float(np.linalg.norm(points.max(0) - points.min(0)))


def check_file(np, keytimes, skin_numpy, sinew, path, oracle_path, folder):
    """Yields (clip's name, worst relative distance, its time)."""
    oracle = skin_numpy.G(oracle_path)
    clips = oracle.j.get("animations", [])
    for clip in range(len(clips)) if clips else [None]:
        times = [0.0]
        if clip is not None:
            on_keys, between = keytimes.times(oracle_path, clip)
            times = [float(np.float32(t)) for t in [*on_keys, between]]
        frames = bake(sinew, path, os.path.join(folder, "ours.json"), clip, times)
        worst, at = None, times[0]
        for time, ours in zip(times, frames):
            theirs = {"meshes": skin_numpy.frame(oracle, clip, time)}
            error = compare(np, ours, theirs)
            if error is not None and (worst is None or error > worst):
                worst, at = error, time
        if worst is not None:
            name = "(at rest)" if clip is None else clips[clip].get("name", f"clip {clip}")
            yield name, worst, at


def main():
    sinew, oracles, data = (os.path.abspath(p) for p in sys.argv[1:4])
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    try:
        import numpy as np
    except ImportError:
        if os.path.exists("/usr/bin/python3") and os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3"):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # Debian's numpy is for Debian's python
        skip("no numpy")
    if not os.path.isdir(data):
        skip(missing_data(sys.argv[3]))
    if not os.path.isfile(os.path.join(oracles, "skin_numpy.py")):
        skip("no oracles; run tests/support/setup_oracles")
    sys.path.insert(0, oracles)
    sys.dont_write_bytecode = True
    import keytimes
    import skin_numpy

    skin_numpy.NORM = True
    failed, compared, not_compared, worst_of_all = [], 0, 0, 0.0
    for path in find_files(data):
        name = os.path.relpath(path, data)
        document = read_json(path)
        if wanted not in name or not moves(document) or "meshes" not in document:
            continue
        with tempfile.TemporaryDirectory() as folder:
            oracle_path = path
            if is_compressed(document):
                oracle_path = decompress(path, oracles, folder)
                if oracle_path is None:
                    print(f"{name:60} not compared: it is compressed, and node with its modules is not there")
                    not_compared += 1
                    continue
            try:
                for clip, worst, at in check_file(np, keytimes, skin_numpy, sinew, path, oracle_path, folder):
                    compared += 1
                    worst_of_all = max(worst_of_all, worst)
                    bad = not worst <= LIMIT
                    print(f"{name:60} {clip[:32]:32} t={at:<10.6g} {worst:.2e}{'  TOO FAR' if bad else ''}")
                    if bad:
                        failed.append(f"{name} {clip}")
            except (AssertionError, KeyError, subprocess.CalledProcessError) as error:
                print(f"{name:60} FAILED: {error!r}")
                failed.append(name)
    print(f"{compared} clips compared, worst {worst_of_all:.2e} of the diagonal (limit {LIMIT}), {len(failed)} failed")
    if not failed and not_compared:
        skip("no node with its modules for compressed files; run tests/support/setup_oracles")
    sys.exit(1 if failed or compared == 0 else 0)


if __name__ == "__main__":
    main()
