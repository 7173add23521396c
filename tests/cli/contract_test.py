"""The command line's contract: exit codes, one-line errors, atomic outputs, refusals, JSON. Usage: contract_test.py SINEW"""
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

from support import Checks, Sinew

checks = Checks()
check, expect_error = checks.check, checks.expect_error



with tempfile.TemporaryDirectory() as scratch:
    sinew = Sinew(sys.argv[1], scratch)
    folder = sinew.folder
    made = sinew.json("demo", "-o", "made")
    check(all((folder / f).is_file() for f in made["files"]), "demo makes the files it names")
    hero = "made/hero.glb"

    # Wrong usage is 2; help and version are 0 and examples come first.
    expect_error(sinew("wlak"), 2, ["wlak"], "unknown verb")
    expect_error(sinew("bakee"), 2, ["bake"], "the closest verb is named")
    expect_error(sinew(), 2, [], "no verb")
    expect_error(sinew("info"), 2, ["FILE"], "a missing argument")
    expect_error(sinew("bake", hero, "-o", "x.json", "--fps", "-1"), 2, ["--fps"], "a wrong value")
    expect_error(sinew("bake", hero, "-o", "out.json", "--skinning", "dsq"), 2, ["dqs"], "an unknown skinning")
    expect_error(sinew("preview", hero, "-o", "out.png", "--delta-mush", "-3"), 2, ["--delta-mush"], "a negative delta mush")
    for verb in ["", "animate", "rig", "retarget", "bake", "preview", "info", "convert", "demo"]:
        result = sinew(*([verb] if verb else []), "--help")
        text = result.stdout.decode()
        check(result.returncode == 0 and 0 < text.find("Examples:") < text.find("Options:"), f"{verb} --help: examples first")
    check(sinew("--version").stdout.decode().startswith("sinew "), "--version")

    # Failed work is 1, says which file and what, and writes nothing.
    (folder / "broken.glb").write_bytes((folder / hero).read_bytes()[:1000])
    expect_error(sinew("convert", "broken.glb", "out.glb"), 1, ["broken.glb"], "a truncated file")
    expect_error(sinew("info", "missing.glb"), 1, ["missing.glb", "No such file"], "a missing file")
    expect_error(sinew("animate", hero, "--motion", "wlak", "-o", "out.glb"), 1, ["wlak", "walk"], "an unknown motion")
    rigged = sinew("animate", "made/hero-mesh.obj", "--motion", "walk", "-o", "walking.glb", "--json", "--quiet")
    check(rigged.returncode == 0, f"animate does not rig a bare mesh: {rigged.stderr}")
    report = json.loads(rigged.stdout)
    check(report["template"] == "biped" and report["confidence"] >= 0.6, f"a bare mesh is taken for {report['template']}")
    check(report["weights"]["unweighted_vertices"] == 0, "a rigged mesh has vertices that follow nothing")
    glb = (folder / "walking.glb").read_bytes()
    bones = json.loads(glb[20:20 + int.from_bytes(glb[12:16], "little")])["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
    required = {"hips", "spine", "head"} | {side + part for side in ("left", "right")
                                            for part in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")}
    check(required <= set(bones), f"a rigged biped lacks VRM bones: {required - set(bones)}")
    own = sinew("rig", "made/hero-mesh.obj", "-o", "own.glb", "--template", hero, "--json", "--quiet")
    check(own.returncode == 0 and len(json.loads(own.stdout)["joints"]) > 20, f"a template of one's own: {own.stderr}")
    for words, code, parts in ((["--template", "bipod"], 2, ["bipod", "biped"]), (["--names", "maya"], 2, ["maya", "vrm"]),
                               (["--joint", "hand=1,2"], 2, ["hand=1,2", "x,y,z"]), (["--up", "w"], 2, ["--up", "w"]),
                               (["--up", "y", "--facing", "-y"], 2, ["--facing", "--up"]),
                               (["--joint", "hnad=1,2,3"], 1, ["hnad"]),
                               (["--min-confidence", "2"], 2, ["--min-confidence"]), (["--min-confidence", "nan"], 2, ["--min-confidence"]),
                               (["--min-confidence", "1"], 1, ["hero-mesh.obj", "--min-confidence", "--joint", "--template"])):
        expect_error(sinew("rig", "made/hero-mesh.obj", "-o", "out.glb", *words), code, parts, f"rig {words}")
    # The gate of a pipeline: nothing is written below it, and the report's own figure passes.
    gate = str(report["confidence"] - 0.01)
    sinew.ok("rig", "made/hero-mesh.obj", "-o", "gated.glb", "--min-confidence", gate, "--quiet")
    expect_error(sinew("animate", "made/hero-mesh.obj", "--motion", "walk", "-o", "out.glb", "--min-confidence", "1"), 1, ["--min-confidence"], "animate below the gate")
    # Told before the work, not after it.
    for output, parts in (("out.xyz", [".xyz", "glb"]), ("nowhere/out.glb", ["nowhere", "folder"])):
        refused = sinew("rig", "made/hero-mesh.obj", "-o", output)
        expect_error(refused, 1, parts, f"rig into {output}")
        check(b"rigging" not in refused.stderr, f"rig into {output} works before it refuses")
    for words, code, parts in ((["--smooth", "-1"], 2, ["--smooth"]), (["--prune", "nan"], 2, ["--prune"]), (["--influences", "0"], 2, ["--influences"]),
                               (["--mirror", "w"], 2, ["--mirror"]), (["--report", "out.glb", "--smooth", "1"], 1, ["two outputs"]),
                               (["--transfer-from", "made/hero-mesh.obj"], 1, ["made/hero-mesh.obj", "no skinned mesh"])):
        expect_error(sinew("weights", hero, "-o", "out.glb", *words), code, parts, f"weights {words}")
    expect_error(sinew("weights", "made/hero-mesh.obj", "-o", "out.glb", "--smooth", "1"), 1, ["sinew bind"], "weights of a bare mesh")
    expect_error(sinew("bind", hero, "-o", "out.glb", "--weights", "haet"), 2, ["haet", "heat"], "an unknown method")
    expect_error(sinew("bake", hero, "-o", "out.json", "--clip", "wlk"), 1, ["walk"], "an unknown clip")
    expect_error(sinew("bake", hero, "-o", "out.xyz"), 1, [".json"], "an unknown output format")
    expect_error(sinew("convert", hero, "nowhere/out.glb"), 1, ["nowhere/out.glb"], "a folder that does not exist")
    for words, code, parts in ((["--times", "0,nan"], 2, ["--times", "nan"]), (["--fps", "inf"], 2, ["--fps", "inf"]),
                               (["--fps", "0"], 2, ["--fps", "above 0"]), (["--clip", "0", "--fps", "1e9"], 1, ["--fps", "frames"])):
        expect_error(sinew("bake", hero, "-o", "out.json", *words), code, parts, f"bake {words}")
    expect_error(sinew("info", hero, "--clip", "0", "--time", "nan"), 2, ["--time", "nan"], "info at no time")
    for size in ("9x0", "640y", "99999"):
        expect_error(sinew("preview", hero, "-o", "out.png", "--size", size), 2, ["--size", size, "640x640"], f"a picture of {size}")
    for option, text in (("--camera", "30"), ("--camera", "1,2,3,4"), ("--camera", "a,b"), ("--camera", "fornt"), ("--sheet", "0x2"), ("--sheet", "6by2"), ("--zoom", "0"), ("--zoom", "nan")):
        expect_error(sinew("preview", hero, "-o", "out.png", option, text), 2, [option, text], f"preview {option} {text}")
    expect_error(sinew("preview", hero, "-o", "out.png", "--sheet", "60x60"), 1, ["--size", "--sheet"], "a sheet that is too large")
    expect_error(sinew("preview", hero, "-o", "out.png", "--focus", "leftHnd"), 1, ["leftHand"], "a focus that is no joint")
    sinew.ok("preview", hero, "-o", "frames.png", "--sheet", "3x2", "--size", "32x48", "--camera", "-20,15,1.2", "--focus", "leftHand", "--zoom", "2", "--quiet")
    check(struct.unpack(">II", (folder / "frames.png").read_bytes()[16:24]) == (96, 96), "a sheet of three by two")
    expect_error(sinew("preview", hero, "-o", "out.png", "--time", "inf"), 2, ["--time", "inf"], "preview at no time")
    # A .vrm file says which joint is the left elbow, whatever was done to it; what has no elbow is refused.
    sinew.ok("convert", hero, "person.vrm", "--quiet")
    check(b'"VRMC_vrm"' in (folder / "person.vrm").read_bytes(), "a .vrm file is a VRM")
    expect_error(sinew("convert", "made/hero-mesh.obj", "statue.vrm"), 1, ["statue.vrm", "humanoid", ".glb"], "a VRM without a humanoid")
    # A format without joints would lose the work without a word.
    for words in (["rig", "made/hero-mesh.obj"], ["bind", hero], ["weights", hero, "--smooth", "1"], ["animate", hero, "--motion", "walk"]):
        for output in ("out.obj", "out.bvh"):
            expect_error(sinew(*words, "-o", output), 1, [output, "glb"], f"{words[0]} into {output}")
    # stdout takes one thing at a time.
    for words in (["convert", hero, "-"], ["rig", "made/hero-mesh.obj", "-o", "-"], ["animate", hero, "--motion", "walk", "-o", "-"]):
        refused = sinew(*words, "--json")
        expect_error(refused, 2, ["--json", "stdout"], f"{words[0]} --json to stdout")
        check(refused.stdout == b"", f"{words[0]} --json to stdout writes before it refuses")
    expect_error(sinew("wlak", "--help"), 2, ["wlak"], "help of an unknown verb")
    expect_error(sinew("help", "wlak"), 2, ["wlak"], "help of an unknown verb, asked the other way round")
    for words, same in ((["help", "animate"], ["animate", "--help"]), (["help"], ["--help"])):
        asked, told = sinew(*words), sinew(*same)
        check(asked.returncode == 0 and asked.stdout == told.stdout != b"", f"sinew {' '.join(words)}")
    check(not list(folder.glob("out*")), "failed runs leave no output")
    for words in (["preview", hero, "-o", "LOUD.PNG", "--size", "64x64"], ["bake", hero, "-o", "LOUD.JSON"]):
        sinew(*words, "--quiet")
        check((folder / words[3]).is_file(), f"{words[0]} into {words[3]}")
    # A mistyped motion is told before the rigging, not after it.
    mistyped = sinew("animate", "made/hero-mesh.obj", "--motion", "wlak", "-o", "out.glb")
    expect_error(mistyped, 1, ["wlak", "walk"], "an unknown motion on a bare mesh")
    check(b"rigging" not in mistyped.stderr, "an unknown motion is told after the rigging")
    lost = sinew("animate", "made/hero-mesh.obj", "--motion", "lost.bvh", "-o", "out.glb")
    expect_error(lost, 1, ["lost.bvh", "No such file"], "a missing motion on a bare mesh")
    check(b"rigging" not in lost.stderr, "a missing motion is told after the rigging")
    check(sinew("preview", hero, "-o", "-", "--size", "64x64", "--quiet").stdout[:4] == b"\x89PNG", "a picture on stdout")

    # An input is never overwritten by accident.
    before = (folder / hero).read_bytes()
    os.symlink(hero, folder / "link.glb")
    expect_error(sinew("convert", hero, hero), 1, ["--in-place"], "output equals input")
    expect_error(sinew("convert", hero, "link.glb"), 1, ["--in-place"], "output equals input through a link")
    check((folder / hero).read_bytes() == before, "the input is untouched")
    (folder / "copy.glb").write_bytes(before)
    check(sinew("convert", "copy.glb", "copy.glb", "--in-place").returncode == 0, "--in-place allows it")

    # stdin, stdout, --quiet, --json.
    piped = sinew("bake", "-", "-o", "-", stdin=before)
    check(piped.returncode == 0 and json.loads(piped.stdout)["frames"][0]["meshes"][0]["count"] > 1000, "bake from stdin to stdout")
    check(sinew("convert", hero, "quiet.glb", "--quiet").stderr == b"", "--quiet says nothing")
    info = sinew.json("info", hero)
    for field in ["file", "format", "meshes", "joints", "skins", "clips", "warnings"]:
        check(field in info, f"info --json has {field}")
    check([c["name"] for c in info["clips"]][:1] == ["walk"], "the demo's first clip is the walk")
    check(any(j["role"] == "leftUpperArm" for j in info["joints"]), "roles are told")
    report = sinew.json("animate", hero, "--motion", "run", "-o", "run.glb", "--report", "r.json")
    check(json.loads((folder / "r.json").read_text()) == report and report["retarget"]["mapped_joints"] > 15, "the report is written")
    check(sinew.json("info", "run.glb")["clips"][0]["name"] == "run", "the new motion is the first clip")

    edited = sinew.json("weights", hero, "-o", "e.glb", "--mirror", "x", "--smooth", "2", "--prune", "0.02", "--influences", "2", "--report", "e.json")
    check(json.loads((folder / "e.json").read_text()) == edited and edited["changed"] > 0, "weights: the report is written")
    check(edited["weights"]["max_influences"] == 2 and edited["weights"]["unweighted_vertices"] == 0 and edited["weights"]["largest_sum_error"] < 1e-5,
          f"weights: {edited['weights']}")
    check({"read", "edit", "write"} <= set(edited["seconds"]), "weights: seconds are told")
    check("no edit" in str(sinew.json("weights", hero, "-o", "e.glb")["warnings"]), "weights without an edit says so")

    # Every skinning moves the skin in its own way; all agree where nothing bends.
    def vertices(*options):
        baked = json.loads(sinew.ok("bake", hero, "-o", "-", "--clip", "run", "--times", "0.3", *options).stdout)
        return baked["frames"][0]["meshes"][0]["positions"]

    ways = [["--skinning", name] for name in ("rigid", "lbs", "dqs", "bulge-free", "bend-twist", "cor")] + [["--delta-mush", "5"]]
    shapes = [vertices(*way) for way in ways]
    check(shapes[1] == vertices(), "lbs is the default")
    check(len({tuple(shape) for shape in shapes}) == len(shapes), "every skinning is another one")
    for way, shape in zip(ways[2:], shapes[2:]):
        apart = max(abs(a - b) for a, b in zip(shape, shapes[1]))
        check(0.001 < apart < 0.15, f"{' '.join(way)} is {apart:.3f} m from lbs")
    sinew.ok("animate", hero, "--motion", "walk", "-o", "w.glb", "--preview", "w.png", "--skinning", "dqs", "--delta-mush", "3", "--quiet")
    sinew.ok("preview", hero, "-o", "p.png", "--size", "64x64", "--skinning", "cor", "--delta-mush", "2", "--quiet")

    # The same bytes for any number of threads.
    for words, output in [(["animate", hero, "--motion", "walk"], "t{}.glb"), (["bake", hero, "--skinning", "cor", "--delta-mush", "4"], "t{}.json"), (["preview", hero, "--size", "96x96", "--time", "0.4"], "t{}.png")]:
        contents = set()
        for threads in (1, 2, 8):
            sinew.ok(*words, "-o", output.format(threads), "--threads", threads, "--quiet")
            contents.add((folder / output.format(threads)).read_bytes())
        check(len(contents) == 1, f"{words[0]}: the same bytes for 1, 2 and 8 threads")

    # A run that is killed at any moment leaves either no output or the whole one, and no litter.
    whole = (folder / "t1.glb").read_bytes()
    existing = set(os.listdir(folder))
    started = time.monotonic()
    sinew.ok("animate", hero, "--motion", "walk", "-o", "killed.glb", "--quiet")
    full = time.monotonic() - started
    for step in range(12):
        (folder / "killed.glb").unlink(missing_ok=True)
        process = subprocess.Popen([sinew.program, "animate", hero, "--motion", "walk", "-o", "killed.glb", "--quiet"], cwd=folder)
        try:
            process.wait(timeout=full * (step + 0.5) / 12)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL if step % 2 else signal.SIGTERM)
            process.wait()
        left = folder / "killed.glb"
        check(not left.exists() or left.read_bytes() == whole, f"killed at step {step}: no partial output")
        check(set(os.listdir(folder)) - {"killed.glb"} == existing, f"killed at step {step}: no litter")

checks.finish()
