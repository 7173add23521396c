"""Checks every #include of src/sinew against the DEPENDS lines of src/sinew/CMakeLists.txt: modules include downwards
only, never sideways, and the declared graph itself has no cycle. Usage: layering_test.py SOURCE_DIR"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
declared = {}
text = (root / "src/sinew/CMakeLists.txt").read_text()
for name, body in re.findall(r"sinew_module\((\w+)(.*?)\)", text, re.S):
    words = body.split()
    start = words.index("DEPENDS") + 1 if "DEPENDS" in words else len(words)
    depends = []
    for word in words[start:]:
        if word.isupper():
            break
        depends.append(word)
    declared[name] = depends

problems = []
seen = set()
for name, depends in declared.items():  # declared bottom-up: whatever a module depends on must stand above its line
    problems += [f"src/sinew/CMakeLists.txt: {name} depends on {d}, which is not declared before it" for d in depends if d not in seen]
    seen.add(name)

checked = 0
for path in sorted((root / "src/sinew").rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    module = path.relative_to(root / "src/sinew").parts[0]
    if module == "sinew.h":  # the front door stands above all; headers_test.py checks what it brings
        continue
    if module not in declared:
        problems.append(f"{path.relative_to(root)}: module {module} is not declared in src/sinew/CMakeLists.txt")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*[<"]sinew/(\w+)/', line)
        quoted = re.match(r'\s*#\s*include\s*"', line)
        if quoted:
            problems.append(f"{path.relative_to(root)}:{number}: include as <sinew/module/file.h>, not in quotes")
        if include:
            checked += 1
            target = include.group(1)
            if target != module and target not in declared[module]:
                problems.append(f"{path.relative_to(root)}:{number}: {module} may not include {target}")

# Two types of one name would be one type to the linker: std::vector of the one would run code made for the other.
defined = {}
for path in sorted((root / "src/sinew").rglob("*.h")):
    if path.name.endswith("-inl.h"):
        continue
    text = path.read_text()
    space = re.search(r"^namespace ([\w:]+)", text, re.M)
    for name in re.findall(r"^(?:struct|class|enum class) (\w+)[^;{]*\{", text, re.M):
        full = f"{space.group(1) if space else ''}::{name}"
        if full in defined:
            problems.append(f"{path.relative_to(root)}: {full} is also defined in {defined[full]}")
        defined[full] = path.relative_to(root)

print("\n".join(problems) or f"{len(declared)} modules, {checked} includes: all point downwards")
sys.exit(1 if problems or not checked else 0)
