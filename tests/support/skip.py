"""How a test in Python says that it could not run: skip("no chromium"). ctest reports it as skipped (exit code 77)."""
import sys


def skip(why):
    print("SKIP:", why)
    sys.exit(77)


def missing_data(data):
    """The same words for the shared folder as the tests in C++ use."""
    return "no ../shared/data" if data.endswith("../shared/data") else f"no {data}"
