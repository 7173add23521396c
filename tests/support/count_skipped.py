"""Says how many tests were skipped and why, from the JUnit files of ctest and of node: count_skipped.py FILE…"""
import collections
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

names = collections.defaultdict(list)
for file in filter(pathlib.Path.is_file, map(pathlib.Path, sys.argv[1:])):
    for case in ElementTree.parse(file).iter("testcase"):
        output = case.findtext("system-out") or ""
        reasons = [line[6:] for line in output.splitlines() if line.startswith("SKIP: ")]
        skipped = case.find("skipped")
        if skipped is not None and skipped.get("message") != "true":  # node's; ctest has no message
            reasons += filter(None, [skipped.get("message")])
        if case.get("status") == "notrun" or skipped is not None:
            reason = reasons[-1] if reasons else "it gave no reason"
            names[reason].append(case.get("name") + ("" if file.stem == "release" else f" in {file.stem}"))

count = sum(map(len, names.values()))
why = "; ".join(f"{reason} ({', '.join(cases)})" for reason, cases in sorted(names.items()))
print(f"{count} {'test' if count == 1 else 'tests'} skipped" + (f": {why}" if count else ""))
