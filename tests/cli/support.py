"""What the command-line tests share: running the program, and a small check list that counts."""
import json
import pathlib
import subprocess
import sys


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, condition, what):
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}")

    def expect_error(self, result, code, words, what):
        """The program ended with `code`, and its last error has all the words."""
        lines = result.stderr.decode().strip().splitlines()
        self.check(result.returncode == code, f"{what}: exit code {result.returncode}, not {code}; {lines}")
        errors = [line for line in lines if line.startswith("sinew: ")]
        self.check(errors and all(word in errors[-1] for word in words), f"{what}: says {lines}, without {words}")

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


class Sinew:
    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), pathlib.Path(folder)

    def __call__(self, *words, stdin=None):
        return subprocess.run([self.program, *map(str, words)], cwd=self.folder, input=stdin, capture_output=True)

    def ok(self, *words):
        result = self(*words)
        if result.returncode != 0:
            raise SystemExit(f"sinew {' '.join(map(str, words))} failed: {result.stderr.decode()}")
        return result

    def json(self, *words):
        return json.loads(self.ok(*words, "--json", "--quiet").stdout)
