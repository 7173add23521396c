"""Checks that ARCHITECTURE.md speaks of what is there: every file and folder that it names exists. And that rooms stay small:
no folder of src holds more than 25 files. Usage: architecture_test.py SOURCE_DIR

Paths are relative to src/sinew, src or the repository; * stands for any name, and a word with a slash behind it, in
backquotes, is a folder."""
import pathlib
import re
import sys

MOST_FILES = 25

root = pathlib.Path(sys.argv[1]).resolve()
problems, checked = [], 0


def exists(name):
    bases = [root / "src/sinew", root / "src", root]
    return any(next(base.glob(name), None) for base in bases)


page = root / "ARCHITECTURE.md"
for number, line in enumerate(page.read_text().splitlines(), 1):
    for name in re.findall(r"(?<![\w./*-])((?:[\w*-]+/)*[\w*-]+\.(?:h|cpp|md|py|json|in|txt|cmake))(?![\w/])", line):
        checked += 1
        if not exists(name):
            problems.append(f"ARCHITECTURE.md:{number}: there is no {name}")
    for name in re.findall(r"`((?:[\w-]+/)+)(?:`|\s)", line):
        checked += 1
        if not exists(name.rstrip("/")):
            problems.append(f"ARCHITECTURE.md:{number}: there is no folder {name}")

for folder in sorted([root / "src", *(f for f in (root / "src").rglob("*") if f.is_dir())]):
    files = [f for f in folder.iterdir() if f.is_file()]
    if len(files) > MOST_FILES:
        problems.append(f"{folder.relative_to(root)} holds {len(files)} files; divide it into rooms of at most {MOST_FILES}")

print("\n".join(problems) or f"{checked} files named in ARCHITECTURE.md are all there; no folder holds more than {MOST_FILES}")
sys.exit(1 if problems or not checked else 0)
