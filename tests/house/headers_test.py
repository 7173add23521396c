"""Compiles every public header alone: none may need another one before it. Usage: headers_test.py SOURCE_DIR COMPILER FLAG…

A header that another one includes before anything else is compiled alone with that one, and need not be compiled again.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, compiler, flags = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
headers = sorted(h for h in (root / "src/sinew").rglob("*.h") if not h.name.endswith("-inl.h"))


def first_include(header):
    found = re.search(r"^#include <([^>]+)>", header.read_text(), re.MULTILINE)
    return root / "src" / found.group(1) if found else None


included_first = {first_include(h) for h in headers}
alone = [h for h in headers if h not in included_first]


def compile_alone(header):
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(f"#include <{header.relative_to(root / 'src')}>\n")
        source.flush()
        command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{root / 'src'}", *flags, source.name]
        return header, subprocess.run(command, capture_output=True, text=True)


failed = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for header, result in pool.map(compile_alone, alone):
        if result.returncode != 0:
            failed += 1
            print(f"{header.relative_to(root)} does not compile alone:\n{result.stderr}")
print(f"{len(headers)} headers in {len(alone)} compilations, {failed} do not compile alone")
sys.exit(1 if failed or not headers else 0)
