"""Every BVH file: joint positions of `sinew info --clip 0 --time T` against the float64 oracle, at a few frames.

usage: bvh.py SINEW ORACLES DATA [FILTER]
Prints one line per file. Fails when a joint is further off than 1e-5 of the skeleton's size.
Is skipped where the data, the oracle or numpy are not there.
"""
import contextlib
import glob
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from skip import missing_data, skip

LIMIT = 1e-5


def frames_and_step(path):
    words = open(path, errors="replace").read().split("MOTION")[-1].split(None, 6)
    lowered = [word.lower() for word in words]
    at = lowered.index("frames:")
    return int(words[at + 1]), float(words[at + 4])


def oracle_positions(script, path, frames):
    """[[(name, (x, y, z)), ...] per frame], in the file's order; a repeated name keeps its last joint's position."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        arguments, sys.argv = sys.argv, [script, path, out] + [str(frame) for frame in frames]
        try:
            with contextlib.redirect_stdout(sys.stderr):
                runpy.run_path(script)
        finally:
            sys.argv = arguments
        return [list(frame["joints"].items()) for frame in json.load(open(out))]


def sinew_positions(sinew, path, time):
    run = subprocess.run([sinew, "info", path, "--clip", "0", "--time", repr(time), "--json"],
                         capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip())
    # Joints that the oracle merges by name are merged the same way: the last one of a name counts.
    return {joint["name"]: joint["position"] for joint in json.loads(run.stdout)["joints"]}


def largest_difference(expected, got):
    size = max(max(p[k] for _, p in expected) - min(p[k] for _, p in expected) for k in range(3))
    return max(abs(p[k] - got[name][k]) for name, p in expected for k in range(3)) / (size or 1.0)


def main():
    sinew, oracles, data = sys.argv[1:4]
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    script = os.path.join(oracles, "bvh_numpy.py")
    if not os.path.isdir(data):
        skip(missing_data(data))
    if not os.path.isfile(script):
        skip("no oracles; run tests/support/setup_oracles")
    try:
        import numpy  # noqa: F401
    except ImportError:
        skip("no numpy")
    files = [f for f in sorted(glob.glob(os.path.join(data, "bvh-*", "*.bvh"))) if only in f]
    if not files:
        sys.exit("no BVH files in " + data)
    worst, failed = 0.0, 0
    print("%-32s %6s %6s  %s" % ("file", "joints", "frames", "largest difference"))
    for path in files:
        count, step = frames_and_step(path)
        frames = sorted({0, count // 3, count // 2, count - 1})
        expected = oracle_positions(script, path, frames)
        difference = 0.0
        for frame, joints in zip(frames, expected):
            difference = max(difference, largest_difference(joints, sinew_positions(sinew, path, frame * step)))
        print("%-32s %6d %6d  %.2e%s" % (os.path.basename(path), len(expected[0]), count, difference,
                                         "" if difference <= LIMIT else "  FAILED"))
        worst = max(worst, difference)
        failed += difference > LIMIT
    print("worst %.2e of the skeleton's size (limit %.0e), %d of %d files failed" % (worst, LIMIT, failed, len(files)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
