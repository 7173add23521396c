"""The contract of `sinew check`: exit codes, rows, limits. Usage: check_test.py SINEW"""
import json
import sys
import tempfile

from support import Checks, Sinew

checks = Checks()
check, expect_error = checks.check, checks.expect_error

with tempfile.TemporaryDirectory() as scratch:
    sinew = Sinew(sys.argv[1], scratch)
    sinew.ok("demo", "-o", "made", "--quiet")
    hero = "made/hero.glb"

    done = sinew("check", hero, "--json")
    report = json.loads(done.stdout)
    rows = {row["name"]: row for row in report["checks"]}
    check(done.returncode == 0 and report["faults"] == 0, f"the sample is sound: {report}")
    check({"unweighted_vertices", "stretch", "foot_slide"} <= set(rows), "there are rows for skin, bends and clips")
    check(all(row["grade"] in ("good", "warning", "fault") for row in rows.values()), "every row has a grade")
    check("hero.glb: 0 faults" in sinew("check", hero, "--quiet").stdout.decode(), "the last line counts the faults")

    # Beyond a limit of one's own: exit code 3, the row says what to do, and the report is printed all the same.
    done = sinew("check", hero, "--most", "stretch=1.5", "--json")
    row = next(row for row in json.loads(done.stdout)["checks"] if row["name"] == "stretch")
    check(done.returncode == 3 and row["grade"] == "fault" and row["most"] == 1.5 and "sinew" in row["advice"], f"beyond a limit: {row}")
    check(sinew("check", hero, "--most", "stretch=100", "--quiet").returncode == 0, "a wider limit passes")

    # A mesh without a skeleton has one fault; a limit for rows that it has not is fine.
    check(sinew("check", "made/hero-mesh.obj", "--most", "foot_slide=1", "--quiet").returncode == 3, "a bare mesh is a fault")

    for wrong, word in (("strech=1", "stretch"), ("stretch", "NAME=NUMBER"), ("stretch=nan", "NAME=NUMBER"), ("=3", "NAME=NUMBER")):
        expect_error(sinew("check", hero, "--most", wrong, "--quiet"), 2, [word], f"--most {wrong}")
    expect_error(sinew("check", "nothing.glb", "--quiet"), 1, ["nothing.glb"], "no file")

checks.finish()
