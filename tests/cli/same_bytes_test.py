"""`sinew animate` and three lines of library code write the same bytes, for a bare mesh and for a rigged character.
Usage: same_bytes_test.py SINEW ANIMATE_THREE_LINES"""
import subprocess
import sys
import tempfile

from support import Checks, Sinew

checks = Checks()
with tempfile.TemporaryDirectory() as scratch:
    sinew = Sinew(sys.argv[1], scratch)
    sinew.ok("demo", "-o", "made", "--quiet")
    sinew.ok("convert", "made/hero.glb", "motion.bvh", "--clip", "1", "--quiet")
    for character in ("made/hero-mesh.obj", "made/hero.glb"):
        for motion in ("walk", "motion.bvh"):
            sinew.ok("animate", character, "--motion", motion, "-o", "program.glb", "--quiet")
            made = subprocess.run([sys.argv[2], character, motion, "library.glb"], cwd=scratch, capture_output=True, text=True)
            checks.check(made.returncode == 0, f"{character}, {motion}: {made.stderr}")
            program, library = ((sinew.folder / name).read_bytes() for name in ("program.glb", "library.glb"))
            checks.check(len(program) > 10000 and program == library, f"{character}, {motion}: the bytes differ")
checks.finish()
