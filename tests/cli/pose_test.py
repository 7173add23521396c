"""The contract of `sinew pose`: what it reaches, what it says where it does not, what it refuses. Usage: pose_test.py SINEW"""
import json
import math
import sys
import tempfile

from support import Checks, Sinew

checks = Checks()
check, expect_error = checks.check, checks.expect_error



with tempfile.TemporaryDirectory() as scratch:
    sinew = Sinew(sys.argv[1], scratch)
    folder = sinew.folder
    sinew.ok("demo", "-o", "made", "--quiet")
    hero = "made/hero.glb"

    def places(file, *options):
        return {j["role"]: j["position"] for j in sinew.json("info", file, *options)["joints"] if j["role"]}

    rest = places(hero)
    bones = [("leftUpperArm", "leftLowerArm"), ("leftLowerArm", "leftHand"), ("leftUpperLeg", "leftLowerLeg"), ("hips", "spine")]

    def check_bones(there, what):
        for a, b in bones:
            change = abs(math.dist(there[a], there[b]) - math.dist(rest[a], rest[b]))
            check(change < 1e-5, f"{what}: the bone from {a} to {b} changes by {change}")

    help_text = sinew("pose", "--help").stdout.decode()
    check("sinew pose hero.glb" in help_text and help_text.index("sinew pose hero.glb") < help_text.index("--rotate"), "examples come first")

    # Every solver puts a hand where it belongs; the report says so, and the file's nodes and its first clip both stand there.
    target = [rest["leftHand"][0] - 0.15, rest["leftHand"][1] + 0.25, rest["leftHand"][2] + 0.3]
    words = "leftHand=" + ",".join(str(x) for x in target)
    for solver in ("auto", "two-bone", "ccd", "fabrik", "jacobian-transpose", "pseudo-inverse", "damped-least-squares", "newton", "full-body", "elastic"):
        report = sinew.json("pose", hero, "-o", "posed.glb", "--target", words, "--solver", solver, "--limits", "none", "--report", "r.json")
        check(json.loads((folder / "r.json").read_text()) == report, f"{solver}: the report is written")
        goal = report["goals"][0]
        check(report["reached"] and goal["reached"] and goal["error"] < 0.005, f"{solver}: {goal}")
        check(goal["solver"] == ("two-bone" if solver == "auto" else solver), f"{solver}: solved by {goal['solver']}")
        posed = places("posed.glb")
        check(math.dist(posed["leftHand"], target) < 0.005, f"{solver}: the hand is at {posed['leftHand']}")
        check(math.dist(places("posed.glb", "--clip", "pose")["leftHand"], target) < 0.005, f"{solver}: the clip has the pose")
        check_bones(posed, solver)
    check(sinew.json("info", "posed.glb")["clips"][0]["name"] == "pose", "the pose is the first clip")
    check({"read", "pose", "write"} <= set(report["seconds"]), "seconds are told")

    # --as: nodes without a clip, a clip without nodes.
    sinew.ok("pose", hero, "-o", "nodes.glb", "--target", words, "--as", "nodes", "--quiet")
    check(all(c["name"] != "pose" for c in sinew.json("info", "nodes.glb")["clips"]), "--as nodes makes no clip")
    check(math.dist(places("nodes.glb")["leftHand"], target) < 0.005, "--as nodes poses the nodes")
    sinew.ok("pose", hero, "-o", "clip.glb", "--target", words, "--as", "clip", "--quiet")
    check(places("clip.glb") == rest, "--as clip leaves the nodes alone")
    check(math.dist(places("clip.glb", "--clip", "pose")["leftHand"], target) < 0.005, "--as clip has the pose as a clip")

    # Nothing asked for: nothing changes. A rotation turns what is below the joint and nothing else.
    sinew.ok("pose", hero, "-o", "same.glb", "--quiet")
    check(places("same.glb") == rest, "no option, no change")
    sinew.ok("pose", hero, "-o", "turned.glb", "--rotate", "leftLowerArm=0,0,90", "--axes", "world", "--quiet")
    turned = places("turned.glb")
    arm = [a - b for a, b in zip(rest["leftHand"], rest["leftLowerArm"])]
    now = [a - b for a, b in zip(turned["leftHand"], turned["leftLowerArm"])]
    check(math.dist(now, [-arm[1], arm[0], arm[2]]) < 1e-4, f"a quarter turn about z takes {arm} to {now}")
    check(turned["rightHand"] == rest["rightHand"] and turned["leftLowerArm"] == rest["leftLowerArm"], "a rotation moves only what hangs on it")
    check(sinew.json("pose", hero, "-o", "t.glb", "--rotate", "leftLowerArm=30,0,0")["turned_joints"] == 1, "one joint is turned")
    for name in ("leftHand", "joint 3"):
        sinew.ok("pose", hero, "-o", "t.glb", "--rotate", f"{name}=10,0,0", "--quiet")

    # From a clip; by an offset; several at once, with the feet where they were; the hips down, with the feet where they were.
    at = places(hero, "--clip", "run", "--time", "0.2")
    sinew.ok("pose", hero, "-o", "run.glb", "--clip", "run", "--time", "0.2", "--as", "nodes", "--quiet")
    check(all(math.dist(at[r], p) < 1e-4 for r, p in places("run.glb").items()), "a clip's moment is the start")
    sinew.ok("pose", hero, "-o", "moved.glb", "--move", "rightHand=0.1,0.2,0.2", "--quiet")
    expected = [a + b for a, b in zip(rest["rightHand"], (0.1, 0.2, 0.2))]
    check(math.dist(places("moved.glb")["rightHand"], expected) < 0.005, "--move counts from where the joint is")
    crouch = sinew.json("pose", hero, "-o", "crouch.glb", "--move", "hips=0,-0.2,0")
    there = places("crouch.glb")
    check(crouch["goals"][0]["solver"] == "full-body" and crouch["reached"], f"hips down: {crouch['goals']}")
    check(abs(there["hips"][1] - rest["hips"][1] + 0.2) < 0.01, "the hips go down")
    for foot in ("leftFoot", "rightFoot"):
        check(math.dist(there[foot], rest[foot]) < 0.01, f"the {foot} stays: {math.dist(there[foot], rest[foot])}")
    check_bones(there, "hips down")
    for knee in ("leftLowerLeg", "rightLowerLeg"):
        check(there[knee][2] > rest[knee][2] + 0.05, f"the {knee} bends forwards")

    # A pole chooses the side.
    sides = []
    for z in (1, -1):
        sinew.ok("pose", hero, "-o", "pole.glb", "--move", "leftFoot=0,0.2,0", "--pole", f"leftLowerLeg=0,0,{z}", "--limits", "none", "--quiet")
        sides.append(places("pole.glb")["leftLowerLeg"][2])
    check(sides[0] > sides[1] + 0.1, f"the knee goes to the side of the pole: {sides}")

    # A vertex is dragged by the elastic solver alone.
    dragged = sinew.json("pose", hero, "-o", "drag.glb", "--move", "vertex 100=0,0.05,0.05", "--solver", "elastic")
    check(dragged["goals"][0]["joint"] == "vertex 100", f"a vertex is dragged: {dragged['goals']}")
    expect_error(sinew("pose", hero, "-o", "out.glb", "--target", "vertex 100=0,1,0"), 1, ["elastic"], "a vertex without elastic")
    expect_error(sinew("pose", hero, "-o", "out.glb", "--target", "vertex 99999999=0,1,0", "--solver", "elastic"), 1, ["99999999"], "no such vertex")

    # Out of reach: a warning, the distance, and exit 0; with --strict an error and no file.
    far = sinew("pose", hero, "-o", "far.glb", "--target", "leftHand=9,1,0", "--json")
    goal = json.loads(far.stdout)["goals"][0]
    check(far.returncode == 0 and not goal["reached"] and goal["error"] > 5, f"out of reach: {goal}")
    check(b"warning" in far.stderr and b"cm from its target" in far.stderr, f"out of reach is told: {far.stderr}")
    check((folder / "far.glb").is_file(), "out of reach is written")
    expect_error(sinew("pose", hero, "-o", "out.glb", "--target", "leftHand=9,1,0", "--strict"), 1, ["leftHand", "cm"], "--strict")
    check(all(math.isfinite(x) for p in places("far.glb").values() for x in p), "out of reach is finite")

    # Refusals.
    for options, code, parts in ((["--rotate", "lefthnad=1,2,3"], 1, ["lefthnad", "leftHand"]), (["--target", "leftHand=1,2"], 2, ["--target", "leftHand=1,2", "x,y,z"]),
                                 (["--target", "leftHand=1,nan,3"], 2, ["--target"]), (["--solver", "elstic"], 2, ["elstic", "elastic"]),
                                 (["--target", "leftHand=1,1,1", "--move", "leftHand=0,0,1"], 1, ["leftHand", "two targets"]),
                                 (["--target", "leftHand=1,1,1", "--pole", "rightLowerLeg=0,0,1"], 1, ["--pole"]),
                                 (["--target", "leftHand=1,1,1", "--pole", "leftLowerArm=0,0,0"], 1, ["--pole", "direction"]),
                                 (["--clip", "wlk"], 1, ["walk"]), (["--time", "inf"], 2, ["--time"]), (["--hold", "fot", "--move", "hips=0,-0.1,0"], 1, ["fot"])):
        expect_error(sinew("pose", hero, "-o", "out.glb", *options), code, parts, f"pose {options}")
    expect_error(sinew("pose", hero, "-o", "out.obj"), 1, ["out.obj", "glb"], "pose into out.obj")
    expect_error(sinew("pose", "made/hero-mesh.obj", "-o", "out.glb", "--rotate", "leftHand=1,2,3"), 1, ["made/hero-mesh.obj"], "pose of a bare mesh")
    expect_error(sinew("pose", hero, "-o", hero), 1, ["--in-place"], "output equals input")
    check(not list(folder.glob("out*")), "failed runs leave no output")

    # The same bytes for any number of threads.
    contents = set()
    for threads in (1, 2, 8):
        sinew.ok("pose", hero, "-o", "t.glb", "--move", "leftHand=0,0.4,0.2", "--solver", "elastic", "--threads", threads, "--quiet")
        contents.add((folder / "t.glb").read_bytes())
    check(len(contents) == 1, "the same bytes for 1, 2 and 8 threads")

checks.finish()
