"""What strangers typed first, and what the program must answer. Usage: messages_test.py SINEW"""
import json
import os
import pathlib
import stat
import sys
import tempfile

from support import Checks, Sinew

checks = Checks()
check, expect_error = checks.check, checks.expect_error


def text_of(result):
    return result.stdout.decode()


def warnings_of(result):
    return [line for line in result.stderr.decode().splitlines() if "warning:" in line]


def chain_of_joints(count):
    """A glTF of joints without names, each the child of the one before."""
    nodes = [{"translation": [0, 0.2, 0], "children": [i + 1]} for i in range(count - 1)]
    nodes.append({"translation": [0, 0.2, 0]})
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}


def put_ffmpeg(folder, script):
    folder.mkdir()
    program = folder / "ffmpeg"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


with tempfile.TemporaryDirectory() as scratch:
    sinew = Sinew(sys.argv[1], scratch)
    folder = sinew.folder
    sinew.json("demo", "-o", "made")
    hero, mesh = "made/hero.glb", "made/hero-mesh.obj"

    # Help and lists, however they are asked for.
    check(text_of(sinew("help", "animate")) == text_of(sinew("animate", "--help")), "help VERB is VERB --help")
    check(text_of(sinew("--list-motions")) == text_of(sinew("motions")) != "", "--list-motions is motions")
    check("sneak" in text_of(sinew("motions")), "sneak is listed")

    # A simulation that flies apart is told, and nothing is written.
    (folder / "far.json").write_text(json.dumps({"seconds": 12, "spheres": [{"velocity": [1e4, 0, 0]}]}))
    expect_error(sinew("simulate", "far.json", "-o", "far.glb"), 1, ["far.json", "flew apart after"], "a scene that flies apart")
    check(not (folder / "far.glb").exists(), "a scene that flies apart writes nothing")

    # So is every mistake in a scene: one line that names the field, and nothing written.
    for text, words in [
            ('{"spheres":[{"radius":NaN}]}', ["line 1", "JSON"]),
            ('{"spheres":[{"radius":1e999}]}', ["line 1"]),
            ('{"spheres":[{"mass":0}]}', ["/spheres/0/mass", "number from"]),
            ('{"spheres":[{"radius":-1}]}', ["/spheres/0/radius", "number from"]),
            ('{"emitters":[{"most":1e9}]}', ["/emitters/0/most", "20000"]),
            ('{"cloths":[{"pins":["bottom"]}]}', ["/cloths/0/pins", "bottom", "top"]),
            ('{"cloths":[{"shape":"skrit"}]}', ["/cloths/0/shape", "skirt"]),
            ('{"cloths":[{"shape":"skirt"}]}', ["/cloths/0/shape", "character"]),
            ('{"character":{"sample":"quadruped"},"cloths":[{"shape":"skirt"}]}', ["/cloths/0", "no hips", "person"]),
            ('{"character":{"sample":"arm"},"cloths":[{"shape":"cape"}]}', ["/cloths/0", "no shoulders", "person"]),
            ('{"character":{"sample":"humanoit"},"cloths":[{"shape":"skirt"}]}', ["/character", "humanoid"]),
            ('{"character":{"file":"nobody.glb"},"cloths":[{"shape":"skirt"}]}', ["/character", "nobody.glb"]),
            ('{"character":{"sample":"humanoid-rigged","motion":"wlak"},"cloths":[{"shape":"skirt"}]}', ["/character", "walk"])]:
        (folder / "bad.json").write_text(text)
        expect_error(sinew("simulate", "bad.json", "-o", "bad.glb"), 1, ["bad.json", *words], text)
        check(not (folder / "bad.glb").exists(), f"nothing is written of {text}")

    # A VRM is a VRM.
    sinew.ok("animate", mesh, "--motion", "walk", "-o", "hero.vrm", "--quiet")
    check(b"VRM" in (folder / "hero.vrm").read_bytes()[:200000], "-o x.vrm writes a VRM")

    # Errors name the right file, the option, and what to do.
    expect_error(sinew("retarget", "walk", "--onto", mesh, "-o", "x.glb"), 1, [mesh, "sinew animate"], "retarget onto a mesh")
    expect_error(sinew("rig", mesh, "-o", "x.glb", "--joint", "foo=0,1,0"), 1, ["--joint", "foo"], "an unknown joint to rig")
    expect_error(sinew("preview", hero, "-o", "x.png", "--joint", "foo"), 1, ["--joint", "foo"], "an unknown joint to show")
    expect_error(sinew("preview", hero, "-o", "x.png", "--focus", "foo"), 1, ["--focus", "foo"], "an unknown focus")
    for words in [("info", "no.glb"), ("animate", "no.glb", "--motion", "walk", "-o", "x.glb"),
                  ("animate", hero, "--motion", "no.bvh", "-o", "x.glb"), ("preview", "no.glb", "-o", "x.png"),
                  ("bind", mesh, "--skeleton", "no.glb", "-o", "x.glb"), ("convert", "no.glb", "x.obj")]:
        expect_error(sinew(*words), 1, ["cannot open", "check the name"], " ".join(words))
    expect_error(sinew("info", "made"), 1, ["folder"], "a folder")
    (folder / "empty.glb").write_bytes(b"")
    expect_error(sinew("info", "empty.glb"), 1, ["empty", "again"], "an empty file")
    expect_error(sinew("preview", hero, "-o", "x.png", "--zoom", "0"), 2, ["--zoom", "from 0.1 to 100"], "a zoom out of range")
    expect_error(sinew("pose", mesh, "-o", "x.glb", "--rotate", "head=1,2,3"), 1, ["rig it first"], "posing a bare mesh")

    # A folder that is called as a built-in motion is does not hide it.
    (folder / "walk").mkdir()
    sinew.ok("animate", hero, "--motion", "walk", "-o", "walks.glb", "--quiet")
    expect_error(sinew("animate", hero, "--motion", "./walk", "-o", "x.glb"), 1, ["holds no motion files"], "the folder ./walk")

    # Damaged and too new.
    (folder / "bad.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n")
    expect_error(sinew("info", "bad.off"), 1, ["line 6", "vertex 7"], "an OFF index out of range")
    (folder / "new.gltf").write_text('{"asset": {"version": "2.0", "minVersion": "2.1"}}')
    expect_error(sinew("info", "new.gltf"), 1, ["minVersion"], "a glTF that is too new")

    # One message for many alike.
    names = [f"tex{i}.png" for i in range(16)]
    (folder / "many.mtl").write_text("".join(f"newmtl m{i}\nmap_Kd {name}\n" for i, name in enumerate(names)))
    faces = "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(16))
    (folder / "many.obj").write_text("mtllib many.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n" + faces)
    told = warnings_of(sinew("info", "many.obj"))
    check(len(told) == 1 and "16 textures" in told[0] and "put them beside" in told[0], f"sixteen missing textures: {told}")

    # Joints without names have numbers, and every depth has its own indentation.
    (folder / "chain.gltf").write_text(json.dumps(chain_of_joints(24)))
    lines = [line for line in text_of(sinew("info", "chain.gltf")).splitlines() if "joint " in line]
    check(["joint 7" in line for line in lines].count(True) == 1, f"unnamed joints are numbered: {lines}")
    indents = [len(line) - len(line.lstrip()) for line in lines]
    check(indents == sorted(set(indents)) and len(indents) == 24, f"info indents all depths: {indents}")

    # Rigging what has a rig tells what becomes of it.
    told = warnings_of(sinew("rig", hero, "-o", "again.glb"))
    check(len(told) == 1 and "skin is replaced" in told[0] and "clips" in told[0], f"rig on a rigged file: {told}")
    check(warnings_of(sinew("rig", mesh, "-o", "first.glb")) == [], "rig on a mesh has nothing to tell")

    # Feet are measured, or not spoken of.
    sinew.ok("animate", mesh, "--motion", "walk", "-o", "w.glb", "--report", "w.json", "--quiet")
    skate = json.loads((folder / "w.json").read_text())["retarget"]["foot_skate_cm_per_s"]
    check(0 < skate < 30, f"foot skate in cm/s: {skate}")

    # Previews: clips that are not there, nothing to show, videos.
    expect_error(sinew("preview", hero, "-o", "x.webp", "--clip", "wlak"), 1, ["wlak", "walk"], "a clip that is not there")
    expect_error(sinew("preview", hero, "-o", "x.webp", "--clip", "77"), 1, ["77", "walk"], "a clip's number that is not there")
    expect_error(sinew("preview", mesh, "-o", "x.png", "--clip", "walk"), 1, ["no clips"], "a clip of a file without any")
    expect_error(sinew("preview", mesh, "-o", "x.png", "--time", "1"), 1, ["no clips", "--time"], "a time without a clip")
    (folder / "empty.gltf").write_text('{"asset": {"version": "2.0"}}')
    expect_error(sinew("preview", "empty.gltf", "-o", "x.png"), 1, ["nothing to show"], "an empty file")
    (folder / "dot.obj").write_text("v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n")
    expect_error(sinew("preview", "dot.obj", "-o", "x.png"), 1, ["nothing to show"], "a mesh in one point")
    (folder / "dots.gltf").write_text(json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                                   "nodes": [{"name": "a", "children": [1]}, {"name": "b"}]}))
    expect_error(sinew("preview", "dots.gltf", "-o", "x.png"), 1, ["nothing to show"], "joints in one point")
    check(not (folder / "x.png").exists() and not (folder / "x.webp").exists(), "failed previews write nothing")

    clip = ["--clip", "wave", "--fps", "4", "--size", "33x32", "--quiet"]
    path = os.environ["PATH"]
    os.environ["PATH"] = str(folder / "made")
    expect_error(sinew("preview", hero, "-o", "x.mp4", *clip), 1, ["install", "ffmpeg"], "a video without ffmpeg")
    # In place of ffmpeg: writes how many bytes came in to the file that is named last.
    put_ffmpeg(folder / "bin", 'for last; do :; done\necho "$(wc -c)" "$@" > "$last"\n')
    os.environ["PATH"] = f"{folder / 'bin'}:{path}"
    frames = sinew.json("preview", hero, "-o", "it's $(here).mp4", *clip)["frames"]
    words = (folder / "it's $(here).mp4").read_text().split()
    check(int(words[0]) == frames * 33 * 32 * 4, f"ffmpeg gets every pixel of {frames} frames: {words}")
    check("33x32" in words and "4" in words and "mp4" in words, f"ffmpeg is told size, rate and format: {words}")
    put_ffmpeg(folder / "broken", "exit 1\n")
    os.environ["PATH"] = f"{folder / 'broken'}:{path}"
    expect_error(sinew("preview", hero, "-o", "y.webm", *clip), 1, ["ffmpeg"], "an ffmpeg that fails")
    check(not (folder / "y.webm").exists(), "no video is written then")
    os.environ["PATH"] = path

checks.finish()
