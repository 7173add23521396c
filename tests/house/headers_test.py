"""The public line. Installs the headers into a scratch folder and checks what users then see: at most 72 headers, listed in
sinew.h; each compiles alone from there, without warnings; none includes or mentions an internal header; every function is
used by an example or described in its header; options have defaults. Then checks that internal headers stand alone too.
Usage: headers_test.py SOURCE_DIR BUILD_DIR COMPILER -IFOLDER…

Headers that include Eigen share one precompiled Eigen: parsing it takes most of the time. An internal header that another
one includes before anything else is compiled alone with that one, and need not be compiled again. Where there is ccache,
what it has seen is not compiled again either: everything lies in one folder of the build, so that names stay the same.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import declarations

MOST_HEADERS = 72
DOORS = ["Basics", "Run time", "Pipeline", "Algorithms"]

root, build, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
# Other libraries' headers are system headers, as CMake has it: their warnings are not ours. /usr/include is one anyway.
flags = [word for flag in sys.argv[4:] if flag != "-I/usr/include" for word in ("-isystem", flag.removeprefix("-I"))]
problems = []
cache = shutil.which("ccache")
environment = os.environ | {"CCACHE_BASEDIR": str(root), "CCACHE_NOHASHDIR": "1", "CCACHE_SLOPPINESS": "pch_defines,time_macros"}


def includes(header):
    return re.findall(r"^\s*#\s*include\s*[<\"]([^>\"]+)", header.read_text(), re.M)


def closure(header, base):
    """All that a header includes, itself or through others of the same tree."""
    seen, waiting = set(), [header]
    while waiting:
        for name in includes(waiting.pop()):
            if name not in seen:
                seen.add(name)
                if (base / name).is_file():
                    waiting.append(base / name)
    return seen


def compile_alone(headers, base, extra, folder):
    """Compiles each of the headers, paths below `base`, by itself; yields those that fail with what the compiler says."""
    command = [*([cache] if cache else []), compiler, "-std=c++20", f"-I{base}", *flags, *extra]
    eigen = folder / f"eigen{len(extra)}.h"
    eigen.write_text("#include <Eigen/Core>\n#include <Eigen/Geometry>\n")
    subprocess.run([*command, "-w", "-x", "c++-header", "-c", eigen, "-o", f"{eigen}.gch"], check=True, cwd=root, env=environment)

    def run(header):
        source = folder / (header.replace("/", "-") + ".cpp")
        source.write_text(f"#include <{header}>\n")
        first = ["-include", eigen] if "Eigen/Core" in closure(base / header, base) else []
        # Only whole compilations are kept in the cache; of a header alone they cost no more than a look at its syntax.
        result = subprocess.run([*command, *first, "-c", source, "-o", source.with_suffix(".o")], capture_output=True, text=True,
                                cwd=root, env=environment)
        return header, result

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, result in pool.map(run, headers):
            if result.returncode != 0:
                yield header, result.stderr


def check_mentions(header, text, public):
    """Includes and mentions of other headers must be of public ones, whether by full path, from here, or by name."""
    for name in re.findall(r"#\s*include\s*[<\"]([^>\"]+)", text):
        if name.startswith("sinew/") and name not in public:
            problems.append(f"{header}: includes the internal header <{name}>")
        if "/" in name and not name.startswith(("sinew/", "Eigen/", "tl/")):
            problems.append(f"{header}: includes <{name}>, which users need not have")
    here = pathlib.PurePosixPath(header).parent
    names = {pathlib.PurePosixPath(p).name for p in public}
    comments = " ".join(re.findall(r"//(.*)", text))
    for name in sorted(set(re.findall(r"[\w./*-]*\.(?:h|cpp)\b", comments))):
        if not (name in public or f"sinew/{name}" in public or str(here / name) in public or name in names):
            problems.append(f"{header}: mentions {name}, which is internal")


def check_contents(text, public):
    """sinew.h is the table of contents: each header once, behind one of the doors; what it includes is public."""
    doors = re.split(r"^// (" + "|".join(DOORS) + r")\b", text, flags=re.M)
    if doors[1::2] != DOORS:
        problems.append(f"sinew/sinew.h: its doors are {doors[1::2]}, not {DOORS}")
    comments = "\n".join(re.findall(r"^//   (.*)", text, re.M))  # the table's rows
    listed = re.findall(r"(?<![\w/])(?:\w+/)+\w+\.h\b", comments)
    for header in sorted(public - {"sinew/sinew.h"}):
        count = listed.count(header.removeprefix("sinew/"))
        if count != 1:
            problems.append(f"sinew/sinew.h: lists {header} {count} times in its table; each header stands there once")
    for name in listed:
        if f"sinew/{name}" not in public:
            problems.append(f"sinew/sinew.h: lists {name}, which is not installed")
    brought = {name.removeprefix("sinew/") for name in re.findall(r"^#include <(.*?)>", text, re.M)}
    starred = set(re.findall(r"\* ((?:\w+/)+\w+\.h)", comments))
    for name in sorted(brought ^ starred):
        problems.append(f"sinew/sinew.h: {name} is " + ("included, but not starred" if name in brought else "starred, but not included"))
    for name in re.findall(r"\[(\w+)\]", comments):
        if name not in ("example", "in") and not (root / f"examples/{name}.cpp").exists():
            problems.append(f"sinew/sinew.h: there is no example {name}")


def check_defaults(header, text):
    """What a caller fills in by name has a default for every member: {.method = …} then draws no -Wextra warning."""
    given = r"^struct (\w*(?:Options|Job|Buffers|Output|Shape|Rig|Listener|Handle)) \{\n(.*?)^\};"
    for name, body in re.findall(given, text, re.M | re.S):
        code = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"//[^\n]*", "", body))
        for member in code.split(";"):
            if member.strip() and "=" not in member and "&" not in member and "(" not in member:
                problems.append(f"{header}: {name} has no default for {member.split()[-1]}")


def check_contracts(header, text, examples):
    count = 0
    for function in declarations.functions(text):
        count += 1
        used = re.search(rf"\b{re.escape(function.name)}\s*\(", examples)
        if not used and not function.shown and len(function.contract.split()) < 3:
            problems.append(f"{header}:{function.line}: {function.name} is neither used by an example nor described here")
    return count


declarations.self_test()
declared = set()
for name, body in re.findall(r"sinew_module\((\w+)(.*?)\)", (root / "src/sinew/CMakeLists.txt").read_text(), re.S):
    for word in re.findall(r"PUBLIC((?:\s+[\w/]+\.h)+)", body):
        declared |= {f"sinew/{name}/{h}" for h in word.split()}
sources = "\n".join(f.read_text() for f in sorted((root / "examples").glob("*.cpp")))
examples = re.sub(r"//[^\n]*", "", sources)

folder = pathlib.Path(build) / "headers_test"
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
try:
    subprocess.run(["cmake", "--install", build, "--prefix", folder / "prefix", "--component", "headers"], check=True,
                   stdout=subprocess.DEVNULL)
    base = folder / "prefix/include"
    public = {str(h.relative_to(base)) for h in base.rglob("*") if h.is_file()}
    for header in sorted(public ^ (declared | {"sinew/sinew.h"})):
        problems.append(f"{header}: " + ("installed, but not PUBLIC" if header in public else "PUBLIC, but not installed"))
    if not public or len(public) > MOST_HEADERS:
        problems.append(f"{len(public)} headers are installed; users shall see at most {MOST_HEADERS}")
    functions = 0
    for header in sorted(public):
        text = (base / header).read_text()
        check_mentions(header, text, public)
        check_defaults(header, text)
        functions += check_contracts(header, text, examples)
    check_contents((base / "sinew/sinew.h").read_text(), public)
    for header, said in compile_alone(sorted(public), base, ["-Wall", "-Wextra", "-Werror"], folder):
        problems.append(f"{header} does not compile alone from the install prefix:\n{said}")

    inner = sorted(h for h in (root / "src/sinew").rglob("*.h") if not h.name.endswith("-inl.h"))
    included_first = {includes(h)[0] for h in inner if includes(h)}
    alone = [str(h.relative_to(root / "src")) for h in inner]
    alone = [h for h in alone if h not in included_first and h not in public]
    for header, said in compile_alone(alone, root / "src", [], folder):
        problems.append(f"src/{header} does not compile alone:\n{said}")
finally:
    shutil.rmtree(folder)

print("\n".join(problems))
print(f"{len(public)} public headers with {functions} functions, {len(inner) - len(public)} internal headers in {len(alone)} "
      f"compilations: {len(problems)} problems")
sys.exit(1 if problems or not functions or not alone else 0)
