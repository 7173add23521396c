"""Installs the build into a scratch folder, then configures, links and runs a tiny outside project against it, once with
find_package(sinew CONFIG) and once with pkg-config. Usage: install_test.py SOURCE_DIR BUILD_DIR CXX"""
import os
import pathlib
import subprocess
import sys
import tempfile

source, build, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]


def run(*command, **more):
    print("+", *map(str, command), flush=True)
    return subprocess.run([str(word) for word in command], check=True, **more)


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    prefix = scratch / "prefix"
    run("cmake", "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
    run("cmake", "-G", "Ninja", "-S", source / "tests/house/consumer", "-B", scratch / "consumer", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug", stdout=subprocess.DEVNULL)
    run("cmake", "--build", scratch / "consumer", stdout=subprocess.DEVNULL)
    first = run(scratch / "consumer/consumer", capture_output=True, text=True).stdout

    # The .pc file names the prefix of the install, so it is found there and nowhere else.
    pc = next(prefix.rglob("sinew.pc"))
    pc.write_text(pc.read_text().replace(next(l for l in pc.read_text().splitlines() if l.startswith("prefix=")), f"prefix={prefix}"))
    flags = run("pkg-config", "--cflags", "--libs", "sinew", capture_output=True, text=True,
                env={**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}).stdout.split()
    run(compiler, "-std=c++20", source / "tests/house/consumer/main.cpp", "-o", scratch / "with-pkg-config", *flags)
    second = run(scratch / "with-pkg-config", capture_output=True, text=True).stdout
    print(first, end="")
    sys.exit(0 if first == second and "joints" in first else 1)
