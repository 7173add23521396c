"""Installs the build into a scratch folder and uses it as a stranger would: builds examples/ with find_package(sinew CONFIG),
runs each and compares what it prints with the comment at its end; builds one with pkg-config too; and makes sure that an
internal header cannot be included and that the package does not name this build's folders.
Usage: install_test.py SOURCE_DIR BUILD_DIR CXX"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source, build, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
internal = "sinew/skin/compiled/kernels/kernel.h"
problems = []


def run(*command, **more):
    print("+", *map(str, command), flush=True)
    return subprocess.run([str(word) for word in command], check=True, **more)


def expected_output(example):
    """The comment behind "// Prints:" at the end of an example."""
    found = re.search(r"^// Prints:\n((?://.*\n)+)\Z", example.read_text(), re.M)
    return [line.removeprefix("// ") for line in found.group(1).splitlines()] if found else []


def same(expected, printed):
    """Equal but for the last digit of numbers with a point in them: these may be rounded otherwise elsewhere."""
    number = r"-?\d+\.\d+"
    if re.sub(number, "#", expected) != re.sub(number, "#", printed):
        return False
    pairs = zip(re.findall(number, expected), re.findall(number, printed))
    return all(abs(float(a) - float(b)) < 1.5 * 0.1 ** len(a.split(".")[1]) for a, b in pairs)


assert same("a 1.25 b 3", "a 1.26 b 3") and not same("a 1.25", "a 1.27") and not same("a 3", "a 4")


def check_example(program, folder):
    result = subprocess.run([program], cwd=folder, capture_output=True, text=True)
    name, expected, printed = program.name, expected_output(source / f"examples/{program.name}.cpp"), result.stdout.splitlines()
    print(f"--- {name}\n{result.stdout}{result.stderr}", end="")
    if result.returncode != 0 or result.stderr:
        problems.append(f"{name} fails with exit code {result.returncode}")
    elif not expected:
        problems.append(f"examples/{name}.cpp does not say what it prints")
    elif len(expected) != len(printed) or not all(map(same, expected, printed)):
        problems.append(f"{name} does not print what the comment at its end says:\n" + "\n".join(printed))


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    prefix, programs, results = scratch / "prefix", scratch / "examples", scratch / "results"
    results.mkdir()
    run("cmake", "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
    for file in [*prefix.rglob("*.cmake"), *prefix.rglob("*.pc")]:
        for folder in (source, build):
            if str(folder.resolve()) in file.read_text():
                problems.append(f"{file.relative_to(prefix)} names {folder}")

    run("cmake", "-G", "Ninja", "-S", source / "examples", "-B", programs, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", stdout=subprocess.DEVNULL)
    run("cmake", "--build", programs, stdout=subprocess.DEVNULL)
    examples = sorted(file.stem for file in (source / "examples").glob("*.cpp"))
    for name in examples:
        if not (programs / name).exists():
            problems.append(f"examples/CMakeLists.txt does not build {name}.cpp")
        else:
            check_example(programs / name, results)
    for name, begin in (("walking.glb", b"glTF"), ("picture.png", b"\x89PNG")):
        if not (results / name).exists() or not (results / name).read_bytes().startswith(begin):
            problems.append(f"the examples did not write {name}")

    # The same bytes from the library's animate() and from the command line.
    motions = ["--motion", "walk", "--motion", "wave"]
    run(prefix / "bin/sinew", "demo", "-o", results / "demo", "--quiet", stdout=subprocess.DEVNULL)
    run(prefix / "bin/sinew", "animate", results / "demo/hero-mesh.obj", *motions, "-o", results / "by-cli.glb", "--quiet")
    run(programs / "animate", results / "demo/hero-mesh.obj", results / "by-library.glb", "walk", "wave", stdout=subprocess.DEVNULL)
    if (results / "by-cli.glb").read_bytes() != (results / "by-library.glb").read_bytes():
        problems.append("animate() and `sinew animate` write different bytes")

    # pkg-config, and the internals: what a user's compiler is told does not lead to them.
    environment = {**os.environ, "PKG_CONFIG_PATH": str(next(prefix.rglob("sinew.pc")).parent)}
    flags = run("pkg-config", "--cflags", "--libs", "sinew", capture_output=True, text=True, env=environment).stdout.split()
    example = source / "examples/compute_weights.cpp"
    run(compiler, "-std=c++20", example, "-o", scratch / "compute_weights", *flags)
    check_example(scratch / "compute_weights", results)
    for header, fails in ((internal, True), ("sinew/core/result.h", False)):
        assert (source / "src" / header).exists(), header
        (scratch / "peek.cpp").write_text(f"#include <{header}>\n")
        said = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", scratch / "peek.cpp", *flags], capture_output=True, text=True)
        if (said.returncode != 0) != fails:
            problems.append(f"<{header}> " + ("can be included from outside" if fails else f"cannot be included: {said.stderr}"))

print("\n".join(problems) or f"{len(examples)} examples work with the installed package")
sys.exit(1 if problems or not examples else 0)
