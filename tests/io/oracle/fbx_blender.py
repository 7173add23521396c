"""Some glTF characters, written as FBX and imported by Blender: vertices at three times, clips, materials, UVs, blend shapes.

usage: fbx_blender.py SINEW DATA [FILE …]     without files, relative to DATA: those in FILES
Prints one line per file. Fails when a vertex is further off than 1e-4 of the size, or something did not arrive.
Is skipped where the data, numpy or Blender are not there.
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

LIMIT = 1e-4
CHECKED = 300  # vertices of each side that look for their nearest on the other
FILES = {  # UV maps, blend shapes, pictures
    "gltf-khronos/CesiumMan.glb": (1, 0, 1),
    "gltf-khronos/Fox.glb": (1, 0, 1),
    "gltf-khronos/RiggedFigure.glb": (0, 0, 0),
    "gltf-khronos/AnimatedMorphCube.glb": (0, 2, 0),
    "gltf-khronos/MorphPrimitivesTest.glb": (1, 1, 1),
    "gltf-other/momentum_model_with_motion.glb": (0, 0, 0),
    "rigged-gt/m2m_model-human.glb": (1, 0, 1),
}
IMPORT = str(pathlib.Path(__file__).with_name("fbx_blender_import.py"))


def one_sided(a, b):
    return max(float(((b - p) ** 2).sum(1).min()) for p in a[:: max(1, len(a) // CHECKED)]) ** 0.5


def distance(numpy, a, b):
    size = numpy.linalg.norm(numpy.ptp(a, axis=0)) or 1.0
    return max(one_sided(a, b), one_sided(b, a)) / size


def compare(sinew, blender, numpy, path, folder):
    """How far the vertices are apart, and what did not arrive."""
    fbx, baked, seen = (os.path.join(folder, name) for name in ("a.fbx", "baked.json", "seen.json"))
    subprocess.run([sinew, "convert", path, fbx, "--quiet"], check=True)
    info = json.loads(subprocess.run([sinew, "info", path, "--json"], capture_output=True, text=True, check=True).stdout)
    clips = [clip["name"] or f"clip_{i}" for i, clip in enumerate(info["clips"])]
    length = info["clips"][0]["duration"] if clips else 0.0
    times = [0.0, 0.31 * length, 0.77 * length] if clips else [0.0]
    expected = bake(sinew, path, baked, 0 if clips else None, times)
    subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "1", "-P", IMPORT, "--", fbx, seen, clips[0] if clips else ""]
                   + [repr(t) for t in times], check=True, stdout=subprocess.DEVNULL, timeout=300)
    got = json.load(open(seen))
    worst = 0.0
    for frame, shown in zip(expected, got["frames"]):
        points = numpy.concatenate([numpy.array(m["positions"]).reshape(-1, 3) for m in frame["meshes"]])
        worst = max(worst, distance(numpy, points, numpy.array(shown)))
    missing = [what for what, is_there in [
        ("clips", set(clips) <= set(got["clips"])),
        ("materials", got["materials"] >= info["materials"]),
    ] if not is_there]
    return worst, missing, got


def main():
    sinew, data = sys.argv[1:3]
    if not os.path.isdir(data):
        skip(missing_data(data))
    blender = shutil.which("blender")
    if blender is None:
        skip("no blender")
    try:
        import numpy
    except ImportError:
        skip("no numpy")
    failed = 0
    for name in sys.argv[3:] or FILES:
        with tempfile.TemporaryDirectory() as folder:
            worst, missing, got = compare(sinew, blender, numpy, os.path.join(data, name), folder)
        arrived = got["uv_maps"], got["shapes"], got["pictures"]
        if FILES.get(name, arrived) != arrived:
            missing.append("UV maps, shapes or pictures")
        bad = worst > LIMIT or missing
        print("%-44s %.1e of the size, %d clips, %d materials, %d UV maps, %d shapes, %d pictures%s" % (
            name, worst, len(got["clips"]), got["materials"], got["uv_maps"], got["shapes"], got["pictures"],
            "  FAILED " + " ".join(missing) if bad else ""), flush=True)
        failed += bool(bad)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
