"""Runs every `sinew` command of the README and the docs, in order, in a scratch folder that holds hero.glb, walk.bvh and
hero.obj made by Sinew, and the scenes of docs/scenes; and checks that the README's C++ is one of the examples, that links and pictures exist
and that pictures are small. Usage: docs_test.py SOURCE_DIR SINEW"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

source, sinew = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
pages = [source / "README.md", *sorted((source / "docs").glob("*.md"))]
problems, commands = [], 0

cpp = re.findall(r"```cpp\n(.*?)```", (source / "README.md").read_text(), re.S)
compiled = (source / "examples/ten_lines.cpp").read_text()
normal = lambda text: re.sub(r"\s+", " ", text).strip()
parts = re.split(r"^(#include .*)$", cpp[0], flags=re.M) if cpp else ["(no C++)"]
if not all(normal(part) in normal(compiled) for part in parts):
    problems.append("README.md: its C++ is not that of examples/ten_lines.cpp")

for page in pages:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()) + re.findall(r'src="([^":]+)"', page.read_text()):
        if not (page.parent / link).exists():
            problems.append(f"{page.name}: {link} does not exist")
for picture in (source / "docs").rglob("*"):
    if picture.suffix in (".png", ".webp", ".gif", ".jpg") and picture.stat().st_size > 300_000:
        problems.append(f"{picture.name}: {picture.stat().st_size} bytes; keep pictures under 300 KB")

known = set(re.findall(r"\*\*\[(\w+)\]\*\*", (source / "docs/bibliography.md").read_text()))
for file in sorted((source / "src").rglob("*")):
    if file.suffix in (".h", ".cpp"):
        for group in re.findall(r"\[([A-Z][a-z]\w+\d{4}[^\]]*)\]", file.read_text()):
            problems += [f"{file.name}: [{key}] is not in docs/bibliography.md" for key in re.findall(r"[A-Z][a-z]\w*\d{4}", group) if key not in known]

with tempfile.TemporaryDirectory() as scratch:
    def run(*words):
        return subprocess.run([sinew, *words], cwd=scratch, capture_output=True, text=True)

    for scene in (source / "docs/scenes").glob("*.json"):
        (pathlib.Path(scratch) / scene.name).write_bytes(scene.read_bytes())
    for words in (["demo", "-o", "demo"], ["convert", "demo/hero.glb", "hero.glb"], ["convert", "demo/hero.glb", "walk.bvh"],
                  ["convert", "demo/hero-mesh.obj", "hero.obj"]):
        if run(*words).returncode != 0:
            sys.exit(f"cannot prepare the scratch folder: sinew {' '.join(words)}: {run(*words).stderr}")
    for page in pages:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.S):
            for line in block.replace("\\\n", " ").splitlines():
                line = line.split(" #")[0].strip()
                if line.startswith("sinew "):
                    commands += 1
                    result = run(*shlex.split(line)[1:])
                    if result.returncode != 0:
                        problems.append(f"{page.name}: `{line}` fails: {result.stderr.strip()}")
print("\n".join(problems) or f"{len(pages)} pages, {commands} commands: all work")
sys.exit(1 if problems or not commands else 0)
