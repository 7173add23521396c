"""Compiles every public header alone: none may need another one before it. Usage: headers_test.py SOURCE_DIR COMPILER FLAG…

A header that another one includes before anything else is compiled alone with that one, and need not be compiled again.
Those that include Eigen, themselves or through others, share one precompiled Eigen: parsing it takes most of the time.
"""
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, compiler, flags = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
command = [compiler, "-std=c++20", f"-I{root / 'src'}", *flags]
eigen = ["Eigen/Core", "Eigen/Geometry"]
headers = sorted(h for h in (root / "src/sinew").rglob("*.h") if not h.name.endswith("-inl.h"))


@functools.cache
def includes(header):
    return re.findall(r"^#include <([^>]+)>", header.read_text(), re.MULTILINE) if header.is_file() else []


def includes_eigen(header):
    seen, waiting = {header}, [header]
    while waiting:
        for name in includes(waiting.pop()):
            if name in eigen:
                return True
            if (root / "src" / name) not in seen:
                seen.add(root / "src" / name)
                waiting.append(root / "src" / name)
    return False


def compile_alone(header, folder):
    source = folder / (str(header.relative_to(root)).replace("/", "-") + ".cpp")
    source.write_text(f"#include <{header.relative_to(root / 'src')}>\n")
    first = ["-w", "-include", folder / "eigen.h"] if includes_eigen(header) else []
    return header, subprocess.run([*command, "-fsyntax-only", *first, source], capture_output=True, text=True)


included_first = {root / "src" / includes(h)[0] for h in headers if includes(h)}
alone = [h for h in headers if h not in included_first]
failed = 0
with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder = pathlib.Path(name)
    (folder / "eigen.h").write_text("".join(f"#include <{e}>\n" for e in eigen))
    subprocess.run([*command, "-x", "c++-header", folder / "eigen.h"], check=True)
    for header, result in pool.map(lambda h: compile_alone(h, folder), alone):
        if result.returncode != 0:
            failed += 1
            print(f"{header.relative_to(root)} does not compile alone:\n{result.stderr}")
print(f"{len(headers)} headers in {len(alone)} compilations, {failed} do not compile alone")
sys.exit(1 if failed or not headers else 0)
