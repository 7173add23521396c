"""Runs `sinew bake` for the tests that compare vertices."""
import json
import subprocess


def bake(sinew, path, out, clip, times):
    command = [sinew, "bake", path, "-o", out, "--quiet", "--times", ",".join(repr(t) for t in times)]
    if clip is not None:
        command += ["--clip", str(clip)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.load(open(out))["frames"]
