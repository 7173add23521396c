"""The contract of `sinew edit`: what each option does to the clips of a file, read by a glTF reader of its own; what it refuses.
Usage: edit_test.py SINEW"""
import base64
import json
import math
import struct
import sys
import tempfile

from support import Checks, Sinew

checks = Checks()
check, expect_error = checks.check, checks.expect_error


class Gltf:
    """Clips of a .glb, and their three interpolations as the specification's appendix C has them, in float64."""

    def __init__(self, path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]

    def clip(self, name):
        return next(a for a in self.json["animations"] if a["name"] == name)

    def floats(self, accessor):
        a = self.json["accessors"][accessor]
        view = self.json["bufferViews"][a["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        return list(struct.unpack_from(f"<{a['count'] * width}f", self.binary, start)), width

    def sample(self, clip, node, path, time):
        names = [n.get("name") for n in self.json["nodes"]]
        for channel in clip["channels"]:
            if names[channel["target"]["node"]] == node and channel["target"]["path"] == path:
                sampler = clip["samplers"][channel["sampler"]]
                times, _ = self.floats(sampler["input"])
                values, width = self.floats(sampler["output"])
                return interpolate(times, values, len(values) // len(times), sampler.get("interpolation", "LINEAR"), time, path)
        return None

    def duration(self, clip):
        return max(self.json["accessors"][s["input"]]["max"][0] for s in clip["samplers"])


def unit(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def interpolate(times, values, stride, way, time, path):
    width = stride // 3 if way == "CUBICSPLINE" else stride
    part = lambda k, group: values[k * stride + group * width:k * stride + (group + 1) * width]
    value = lambda k: part(k, 1 if way == "CUBICSPLINE" else 0)
    k = max([i for i, t in enumerate(times) if t <= time], default=0)
    if time <= times[0] or k + 1 == len(times) or way == "STEP":
        return value(k)
    step = times[k + 1] - times[k]
    u = (time - times[k]) / step
    a, b = value(k), value(k + 1)
    if way == "CUBICSPLINE":
        h = [2 * u**3 - 3 * u**2 + 1, step * (u**3 - 2 * u**2 + u), 3 * u**2 - 2 * u**3, step * (u**3 - u**2)]
        made = [h[0] * p + h[1] * m + h[2] * q + h[3] * n for p, m, q, n in zip(a, part(k, 2), b, part(k + 1, 0))]
        return unit(made) if path == "rotation" else made
    if path == "rotation":
        dot = sum(x * y for x, y in zip(a, b))
        b = [-x for x in b] if dot < 0 else b
        angle = math.acos(min(abs(dot), 1.0))
        if angle > 1e-6:
            return [(math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle) for x, y in zip(a, b)]
    return [(1 - u) * x + u * y for x, y in zip(a, b)]


def turn_between(p, q):
    return 2 * math.acos(min(abs(sum(x * y for x, y in zip(unit(p), unit(q)))), 1.0))


def face(names, binds=None, weights=None, clip=None):
    """A triangle with morphs of these names, as .gltf text; `clip`: (interpolation, times, values) of its weights."""
    data = struct.pack("<9f3H2x", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}]
    accessors = [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                 {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]

    def add(numbers, kind, count):
        nonlocal data
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(numbers)})
        data += struct.pack(f"<{len(numbers)}f", *numbers)
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": count, "type": kind})
        if kind == "SCALAR" and count == len(numbers):
            accessors[-1].update(min=[min(numbers)], max=[max(numbers)])
        if kind == "VEC3":
            accessors[-1].update(min=[min(numbers[i::3]) for i in range(3)], max=[max(numbers[i::3]) for i in range(3)])
        return len(accessors) - 1

    targets = [{"POSITION": add([0, 0, 0.1 * (i + 1), 0, 0, 0, 0, 0, 0], "VEC3", 3)} for i in range(len(names))]
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "face"}],
                "meshes": [{"name": "face", "extras": {"targetNames": names},
                            "primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "targets": targets}]}]}
    if not names:
        del document["meshes"][0]["primitives"][0]["targets"], document["meshes"][0]["extras"]
    if clip:
        way, times, values = clip
        document["animations"] = [{"name": "talk", "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
                                   "samplers": [{"input": add(times, "SCALAR", len(times)), "interpolation": way,
                                                 "output": add(values, "SCALAR", len(values))}]}]
    if binds:
        document["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "expressions": {"preset": {
            name: {"morphTargetBinds": [{"node": 0, "index": i, "weight": w} for i, w in parts]} for name, parts in binds.items()}}}}
        document["extensionsUsed"] = ["VRMC_vrm"]
    document |= {"bufferViews": views, "accessors": accessors,
                 "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    return json.dumps(document)


with tempfile.TemporaryDirectory() as scratch:
    sinew = Sinew(sys.argv[1], scratch)
    folder = sinew.folder
    sinew.ok("demo", "-o", "made", "--quiet")
    hero = "made/hero.glb"
    before = Gltf(folder / hero)
    walk, jump = before.clip("walk"), before.clip("jump")
    spine, head, arm = "spine", "head", "leftUpperArm"

    def edit(*words):
        report = sinew.json("edit", hero, "-o", "out.glb", *words)
        return Gltf(folder / "out.glb"), report

    # Trim, speed and reverse: the same poses at other times. Only the clip that is named changes.
    out, report = edit("--clip", "jump", "--trim", "0.5:1.5")
    check(abs(out.duration(out.clip("jump")) - 1) < 1e-5, "--trim: lasts a second")
    for t in (0.0, 0.31, 0.77, 1.0):
        check(turn_between(out.sample(out.clip("jump"), spine, "rotation", t), before.sample(jump, spine, "rotation", 0.5 + t)) < 2e-3, "--trim shows the same")
    check(out.duration(out.clip("walk")) == before.duration(walk), "--clip: the other clips stay")
    check([c["name"] for c in report["clips"]] == ["jump"], "the report names the edited clip alone")
    out, _ = edit("--clip", "jump", "--speed", "2", "--reverse")
    length = before.duration(jump)
    for t in (0.0, 0.3, 0.9):
        check(turn_between(out.sample(out.clip("jump"), arm, "rotation", t), before.sample(jump, arm, "rotation", length - 2 * t)) < 2e-3, "--speed --reverse")
    out, _ = edit("--fps", "12", "--name", "slow", "--clip", "walk")
    check(abs(out.clip("slow")["samplers"] and out.json["accessors"][out.clip("slow")["samplers"][0]["input"]]["count"] - 25) <= 25, "--fps and --name")

    # Blend: weight 0 changes nothing and 1 is the other motion; a mask keeps it to a part of the body.
    half, _ = edit("--clip", "walk", "--blend", "idle:0.5")
    all_of_it, _ = edit("--clip", "walk", "--blend", "idle:1", "--only", "upper")
    a, b = before.sample(walk, arm, "rotation", 0.4), half.sample(half.clip("walk"), arm, "rotation", 0.4)
    c = all_of_it.sample(all_of_it.clip("walk"), arm, "rotation", 0.4)
    check(turn_between(a, b) > 0.01 and abs(turn_between(a, b) - turn_between(b, c)) < 0.02, "--blend 0.5 is midway")
    check(turn_between(before.sample(walk, "leftUpperLeg", "rotation", 0.4), all_of_it.sample(all_of_it.clip("walk"), "leftUpperLeg", "rotation", 0.4)) < 1e-3, "--only upper leaves the legs alone")
    added, _ = edit("--clip", "walk", "--add", "wave:1", "--only", "rightUpperArm")
    check(turn_between(before.sample(walk, "rightUpperArm", "rotation", 1.0), added.sample(added.clip("walk"), "rightUpperArm", "rotation", 1.0)) > 0.1, "--add moves the arm")
    check(turn_between(before.sample(walk, arm, "rotation", 1.0), added.sample(added.clip("walk"), arm, "rotation", 1.0)) < 1e-3, "--add with a mask leaves the other arm")
    mirrored, _ = edit("--clip", "walk", "--mirror", "--event", "step_left:0.25")
    check(turn_between(before.sample(walk, "leftUpperLeg", "rotation", 0.2), mirrored.sample(mirrored.clip("walk"), "leftUpperLeg", "rotation", 0.2)) > 0.05, "--mirror")

    # Joined and looped clips: as long as they should be, and the loop closes.
    both, _ = edit("--clip", "walk", "--then", "jump", "--fade", "0.2")
    check(abs(both.duration(both.clip("walk")) - (before.duration(walk) + length - 0.2)) < 0.05, "--then adds up")
    loop, _ = edit("--clip", "jump", "--loop", "--fade", "0.3", "--in-place-root")
    end = loop.duration(loop.clip("jump"))
    check(turn_between(loop.sample(loop.clip("jump"), arm, "rotation", 0), loop.sample(loop.clip("jump"), arm, "rotation", end)) < 2e-3, "--loop closes")
    sinew.ok("edit", hero, "made/hero.glb", "-o", "two.glb", "--clip", "walk", "--quiet")
    check(Gltf(folder / "two.glb").duration(Gltf(folder / "two.glb").clip("walk")) > 1.7 * before.duration(walk), "a second input comes after the first")

    # Each principle changes the clip, and with strength 0 does not.
    for principle in ("--exaggerate", "--arcs", "--anticipate", "--follow", "--hold", "--secondary", "--squash", "--slow-in-out"):
        same, _ = edit("--clip", "jump", principle, "0")
        check(same.clip("jump")["channels"] == jump["channels"], f"{principle} 0 changes nothing")
        changed, _ = edit("--clip", "jump", principle, "0.8")
        moved = max(abs(x - y) for joint in ("hips", spine, arm, head, "leftLowerArm") for path in ("translation", "rotation", "scale") for t in (0.4, 0.9, 1.4)
                    if before.sample(jump, joint, path, t) or changed.sample(changed.clip("jump"), joint, path, t)
                    for x, y in zip(before.sample(jump, joint, path, t) or [1, 1, 1], changed.sample(changed.clip("jump"), joint, path, t) or [1, 1, 1]))
        check(moved > 1e-4, f"{principle} 0.8 changes something")

    # --optimize: fewer keys, all interpolations read by the reference above, within what was asked for.
    small, report = edit("--clip", "jump", "--optimize", "1")
    row = report["clips"][0]
    check(row["keys_after"] < 0.6 * row["keys_before"] and row["worst_error_mm"] <= 1, f"--optimize: {row}")
    worst = max(turn_between(before.sample(jump, j, "rotation", t / 97), small.sample(small.clip("jump"), j, "rotation", t / 97))
                for j in (spine, head, arm) for t in range(0, 240, 7) if small.sample(small.clip("jump"), j, "rotation", 0))
    check(worst < 0.012, f"--optimize 1: a joint turns {worst} rad from where it was")

    # Controls, poses, events.
    names = sinew.json("info", hero)["controls"]
    check({"fist", "lean", "turnHead"} <= set(names), f"info lists controls: {names}")
    out, _ = edit("--clip", "walk", "--control", "nod=0:0,1:1", "--control", "lean=0.3*sin(t)")
    check(turn_between(before.sample(walk, head, "rotation", 0), out.sample(out.clip("walk"), head, "rotation", 0)) < 1e-3, "a control at 0 leaves the head alone")
    check(turn_between(before.sample(walk, head, "rotation", 1), out.sample(out.clip("walk"), head, "rotation", 1)) > 0.2, "a control at 1 turns it")
    sinew.ok("edit", hero, "-o", "poses.json", "--clip", "jump", "--keep-pose", "leap:0.6", "--quiet")
    posed, _ = edit("--clip", "idle", "--controls", "poses.json", "--pose", "leap:1")
    check(turn_between(posed.sample(posed.clip("idle"), "leftLowerLeg", "rotation", 2), before.sample(jump, "leftLowerLeg", "rotation", 0.6)) < 2e-3, "a pose of the library stands as it was kept")
    sinew.ok("edit", hero, "-o", "steps.glb", "--clip", "walk", "--events", "steps", "--event", "hit:0.4", "--quiet")
    events = sinew.json("info", "steps.glb")["clips"][0]["events"]
    check([e["name"] for e in events if e["name"] != "hit"][:2] == ["step_left", "step_right"] and any(e == {"time": 0.4, "name": "hit"} for e in events), f"events: {events}")
    sinew.ok("edit", "steps.glb", "-o", "cut.glb", "--clip", "walk", "--trim", "0.35:1", "--mirror", "--quiet")
    cut = sinew.json("info", "cut.glb")["clips"][0]["events"]
    check(any(e["name"] == "hit" and abs(e["time"] - 0.05) < 1e-4 for e in cut) and any(e["name"] == "step_left" for e in cut), f"events go along, and change sides: {cut}")
    sinew.ok("retarget", "steps.glb", "--onto", hero, "-o", "carried.glb", "--quiet")
    check(len(sinew.json("info", "carried.glb")["clips"][0]["events"]) == len(events), "retargeting keeps events")
    sinew.ok("edit", "steps.glb", "-o", "none.glb", "--events", "none", "--quiet")
    check(not sinew.json("info", "none.glb")["clips"][0]["events"], "--events none")

    # Faces: controls by standard names, a VRM's own expressions, clips carried over by name, shapes taken from another face.
    values = [0.0, 0.1, 0.8, 0.4, 0.2, 0.9]
    (folder / "arkit.gltf").write_text(face(["jawOpen", "eyeBlink_L"], clip=("LINEAR", [0, 0.5, 1], values)))
    (folder / "vrm.gltf").write_text(face(["m0", "Fcl_MTH_A", "Fcl_EYE_Close_L"], binds={"happy": [[0, 0.6]]}))
    (folder / "bare.gltf").write_text(face([]))
    check({"smile", "aa", "jawOpen", "eyeBlinkLeft"} <= set(sinew.json("info", "vrm.gltf")["controls"]), "a face's controls")
    sinew.ok("edit", "vrm.gltf", "-o", "smiling.glb", "--control", "smile=0.5", "--quiet")
    smiling = Gltf(folder / "smiling.glb")
    check(abs(smiling.sample(smiling.clip("controls"), "face", "weights", 0.5)[0] - 0.3) < 1e-6, "a VRM's own smile")
    sinew.ok("retarget", "arkit.gltf", "--onto", "vrm.gltf", "-o", "talking.glb", "--quiet")
    talking = Gltf(folder / "talking.glb")
    weights = talking.sample(talking.clip("talk"), "face", "weights", 0.25)
    check(max(abs(x - y) for x, y in zip(weights, [0, 0.4, 0.25])) < 1e-6, f"expressions by name: {weights}")
    sinew.ok("edit", "bare.gltf", "-o", "given.glb", "--shapes-from", "arkit.gltf", "--quiet")
    given = Gltf(folder / "given.glb")
    check(given.json["meshes"][0]["extras"]["targetNames"] == ["jawOpen", "eyeBlink_L"], "shapes are taken")
    check(max(abs(x - y) for x, y in zip(given.sample(given.clip("talk"), "face", "weights", 0.5), [0.8, 0.4])) < 1e-6, "their clips come along")

    # info of Sinew's own JSON files.
    machine = {"parameters": {"speed": 0}, "start": "stand", "states": {"stand": {"clip": "idle"},
               "go": {"by": "speed", "clips": [{"clip": "walk", "at": 1.4}, {"clip": "run", "at": 4}]}},
               "transitions": [{"from": "stand", "to": "go", "parameter": "speed", "above": 0.2}]}
    (folder / "states.json").write_text(json.dumps(machine))
    told = sinew.json("info", "states.json")
    check(told["states"] == ["stand", "go"] and told["clips"] == ["idle", "walk", "run"] and told["transitions"] == 1, f"a state machine: {told}")
    check(b"stand" in sinew.ok("info", "states.json").stdout, "a state machine for people")
    machine["transitions"][0]["to"] = "goo"
    (folder / "states.json").write_text(json.dumps(machine))
    expect_error(sinew("info", "states.json"), 1, ["states.json", "goo", "go"], "a state that does not exist")
    check(sinew.json("info", "poses.json")["poses"] == ["leap"], "a library of poses")

    # What is wrong is said, and nothing is written.
    for words, code, said, what in [
        (["--trim", "3"], 2, ["--trim"], "no colon"), (["--trim", "5:9"], 1, ["there is nothing"], "beyond the end"), (["--clip", "wlak"], 1, ["walk"], "an unknown clip"),
        (["--blend", "nothing.glb"], 1, ["nothing.glb"], "an unknown file"), (["--only", "elbow"], 1, ["elbow"], "an unknown joint"), (["--speed", "0"], 2, ["--speed"], "no speed"),
        (["--control", "fits=1"], 1, ["fist"], "an unknown control"), (["--control", "fist"], 2, ["NAME=VALUE"], "no value"), (["--control", "fist=2*s"], 1, ["formula of t"], "no formula"),
        (["--pose", "leap"], 1, ["leap"], "an unknown pose"), (["--event", "hit"], 2, ["NAME:TIME"], "no time"), (["--keep-pose", "a:1"], 1, [".json"], "a pose for a .glb"),
        (["--shapes-from", "arkit.gltf"], 1, ["same triangles"], "a face of another mesh"), (["--events", "jumps"], 2, ["steps"], "unknown events")]:
        result = sinew("edit", hero, "-o", "wrong.glb", *words)
        expect_error(result, code, said, what)
        check(not (folder / "wrong.glb").exists(), f"{what}: nothing is written")
    (folder / "bad.json").write_text('{"controls": {"a": {"drives": [{"joint": "nose", "turn": "x"}]}}}')
    expect_error(sinew("edit", hero, "-o", "wrong.glb", "--controls", "bad.json", "--control", "a=1"), 1, ["bad.json", "nose"], "a control of no joint")
checks.finish()
